package model

import (
	"strings"
	"testing"

	"quotient/f32"
	"quotient/internal/oracletest"
	"quotient/word"
)

// A model elsewhere whose weights are here is computed with them where they give what it says; otherwise it is
// asked throughout, and a note says why.
func TestWeightsOfAModelElsewhere(t *testing.T) {
	ab := Options{Symbols: []string{"a", "b"}}
	for _, c := range []struct {
		name   string
		change func(w word.Word, p float32) float32
		set    func(o *Options)
		note   string // "": the weights are used
	}{
		{"the same", nil, nil, ""},
		{"nearly the same", func(_ word.Word, p float32) float32 { return p + 1e-7*(1-p) }, nil, ""},
		{"another head", func(_ word.Word, p float32) float32 { return 1 - p }, nil, "have another probability; the logit of"},
		{"a little more", func(_ word.Word, p float32) float32 { return 0.99*p + 0.005 }, nil, "have another probability"},
		{"beyond ten symbols", func(w word.Word, p float32) float32 {
			if len(w) > 10 {
				return 0.5
			}
			return p
		}, nil, "have another probability"},
		{"another network", nil, func(o *Options) { o.Weights = "testdata/before.pt" }, "its weights are not used"},
		{"other symbols", nil, func(o *Options) { o.Symbols, o.Vocab = nil, "testdata/none.json" }, "its weights are not used"},
		{"no file", nil, func(o *Options) { o.Weights = "testdata/none.pt" }, "no such file"},
		{"a language model", nil, func(o *Options) { o.Weights, o.As = "testdata/lstm.pt", "lm" }, "its weights are not used"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, err := Open(t.Context(), "testdata/lstm.pt", ab)
			if err != nil {
				t.Fatal(err)
			}
			server := oracletest.Serve(t, file.Net)
			server.Change = c.change
			o := ab
			o.HTTP, o.Weights = server.Address, "testdata/lstm.pt"
			if c.set != nil {
				c.set(&o)
			}
			m, err := Open(t.Context(), "", o)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			notes := strings.Join(m.Notes, "\n")
			if m.Witnessed() != (c.note == "") || !strings.Contains(notes, c.note) || len(m.Notes) != 1 {
				t.Fatalf("witnessed: %v, notes: %s", m.Witnessed(), notes)
			}
			if m.Witnessed() && (m.Judge() == m.Net || m.Stack == nil || server.Seen() < 200 || !strings.Contains(notes, "said of 2")) {
				t.Errorf("after %d words: %s", server.Seen(), notes)
			}
			if !m.Witnessed() && m.Judge() != m.Net {
				t.Error("it is asked throughout, and another one judges")
			}
		})
	}
}

// What a model elsewhere says against its weights is counted; too much of it, and they are not used any more.
func TestDoubts(t *testing.T) {
	file, err := Open(t.Context(), "zoo:tomita4", Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := oracletest.Serve(t, file.Net)
	m, err := Open(t.Context(), "", Options{HTTP: server.Address, Weights: "zoo:tomita4"})
	if err != nil || !m.Witnessed() {
		t.Fatal(err, m.Notes)
	}
	defer m.Close()
	server.Change = func(w word.Word, p float32) float32 {
		if len(w) == 70 {
			return 1 - p
		}
		return p
	}
	ask := func(lengths ...int) {
		t.Helper()
		var words []word.Word
		for i, n := range lengths {
			w := make(word.Word, n)
			w[i%n] = 1
			words = append(words, w)
		}
		if err := m.Judge().Answer(t.Context(), f32.New(len(words), 1), words); err != nil {
			t.Fatal(err)
		}
	}
	many := make([]int, 250)
	for i := range many {
		many[i] = 71 + i
	}
	ask(append(many, 70, 70)...)
	if m.Doubted() != nil || !strings.Contains(strings.Join(m.Remarks(), ""), "of 252 words the model itself gave 2 another answer") {
		t.Errorf("two of 252: %v", m.Remarks())
	}
	ask(70)
	if far := m.Doubted(); far == nil || far.Witnessed() || !strings.Contains(strings.Join(far.Notes, ""), "of 253 words it gave 3 another answer") {
		t.Errorf("three of 253: %+v", far)
	}
}

func TestWeightsElsewhereFail(t *testing.T) {
	file, err := Open(t.Context(), "zoo:tomita4", Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := oracletest.Serve(t, file.Net)
	server.Broken = func(w word.Word) bool { return len(w) == 3 }
	short := oracletest.Serve(t, file.Net)
	short.Broken = func(w word.Word) bool { return len(w) > 3 }
	m, err := Open(t.Context(), "", Options{Weights: "zoo:tomita4", HTTP: short.Address})
	if err != nil || m.Witnessed() || !strings.Contains(m.Notes[0], "show little") {
		t.Errorf("of words up to three symbols: %v, %v", m, err)
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Weights: "zoo:tomita4"}, "exec or http"},
		{Options{Weights: "zoo:tomita4", HTTP: server.Address, Threshold: "0.3"}, "threshold does not apply"},
		{Options{Weights: "zoo:tomita4", HTTP: server.Address}, "it is broken"},
	} {
		if _, err := Open(t.Context(), "", c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}
