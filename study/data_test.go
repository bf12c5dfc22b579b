package study_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"quotient/extract"
	"quotient/language"
	"quotient/model"
	"quotient/study"
	"quotient/word"
)

// words writes all words over two letters up to length 8 with the labels of a language, every
// tenth of them wrong if noise is to be had, or without labels.
func words(t *testing.T, name string, labels, noise bool) []byte {
	t.Helper()
	d, err := language.LoadUpTo(language.Options{}, 20, name)
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	for i, w := range word.Shortest(2, 511) {
		text = append(text, d.Alphabet.Format(w)...)
		if labels {
			text = fmt.Appendf(text, ",%t", d.Accepts(w) != (noise && i%10 == 0))
		}
		text = append(text, '\n')
	}
	return text
}

// Every method is judged on words that were held out, by the network's answers and by labels.
func TestDataOfAStudy(t *testing.T) {
	m, err := model.Open(t.Context(), "zoo:tomita4", model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range extract.Names() {
		for _, labels := range []bool{true, false} {
			o := extract.Options{Method: method, Seed: 1, Data: "words.csv", DataText: words(t, "tomita4", labels, true)}
			s, err := study.Run(t.Context(), m, study.Options{Options: o, Target: "tomita4"})
			if err != nil {
				t.Fatalf("%s: %v", method, err)
			}
			d := s.Data
			if d == nil || d.Words != 511 || d.HeldOut != 103 || d.Agreement.Words != 103 || d.Agreement.Agree < 100 || d.Agreement.Bound > 0.1 || d.Used == "" {
				t.Fatalf("%s: %+v", method, d)
			}
			if labels != (d.Network != nil) || labels && (*d.Network < 0.8 || *d.Network > 0.97 || d.Labeled != 511) {
				t.Errorf("%s: %+v", method, d)
			}
			if text := s.Agreement.Certificate(); !strings.Contains(text, "drawn in this way; and with confidence 99%, on fewer than") || !strings.Contains(text, "words such as those of words.csv") {
				t.Errorf("%s: %s", method, text)
			}
			var out strings.Builder
			s.Tell(&out)
			if !strings.Contains(out.String(), "\ndata: words.csv: 511 words, 103 of them held out") || labels != strings.Contains(out.String(), "their labels: the network is right on") {
				t.Errorf("%s says\n%s", method, out.String())
			}
			if !strings.Contains(s.Command(), "--data words.csv") {
				t.Error(s.Command())
			}
		}
	}
}

// Where network and automaton part on held-out words, the words are listed, shortest first,
// and the certificate knows the shortest.
func TestDifferences(t *testing.T) {
	m, err := model.Open(t.Context(), "zoo:tomita4", model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := extract.Options{Method: extract.Union, Kappa: 1.9, Seed: 1, Data: "words.csv", DataText: words(t, "tomita4", true, false)}
	s, err := study.Run(t.Context(), m, study.Options{Options: o})
	if err != nil {
		t.Fatal(err)
	}
	d := s.Data
	if n := len(d.Differences); n != 20 || d.Agreement.Words-d.Agreement.Agree < n || *d.Automaton >= *d.Network || s.Agreement.Shortest == nil {
		t.Fatalf("%+v", d)
	}
	for i, x := range d.Differences {
		if x.Network == x.Automaton || x.Label == nil || i > 0 && len(x.Word) < len(d.Differences[i-1].Word) {
			t.Errorf("%d: %+v", i, x)
		}
	}
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Settings map[string]string
		Data     map[string]any
	}
	if err := json.Unmarshal(data, &got); err != nil || got.Settings["data"] != "words.csv" {
		t.Fatalf("%v: %v", got.Settings, err)
	}
	for _, name := range []string{"file", "words", "left_out", "labeled", "used", "held_out", "accepted", "agreement", "network_accuracy", "automaton_accuracy", "differences"} {
		if got.Data[name] == nil {
			t.Errorf("%s is not in %v", name, got.Data)
		}
	}
	var out strings.Builder
	s.Tell(&out)
	if !strings.Contains(out.String(), "; its label: ") || !strings.Contains(out.String(), "and others") {
		t.Error(out.String())
	}
}

// Words of one kind are said to be so.
func TestDataOfOneKind(t *testing.T) {
	m, err := model.Open(t.Context(), "zoo:tomita1", model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := study.Run(t.Context(), m, study.Options{Options: extract.Options{Method: extract.TTT, Data: "x", DataText: []byte("b,0\nbb,0\nab,0\nzz,0\n")}})
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(s.Warnings, "\n")
	for _, want := range []string{"no word of x is labeled as accepted", "1 is left out", "the network rejects all held-out words of x: they say nothing about words that it accepts"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in %q", want, all)
		}
	}
}

// Methods side by side are led and judged by the words, too.
func TestDataOfAContest(t *testing.T) {
	m, err := model.Open(t.Context(), "zoo:tomita4", model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := study.Contest{Methods: []string{extract.Fold, extract.EDSM}}
	c.Options.Data, c.Options.DataText = "x", words(t, "tomita4", false, false)
	entries, err := c.Run(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Data == nil || *e.Data != 1 || !strings.Contains(strings.Join(e.Cells(), " "), "100.00% of held-out data") {
			t.Errorf("%+v", e)
		}
		if e.Words == nil || e.Words.HeldOut != 103 || e.Words.Reading.Words != 511 || e.Reading == "" {
			t.Errorf("%s: %+v", e.Method, e.Words)
		}
	}
	if lines := strings.Join(study.Lines(entries), "\n"); !strings.Contains(lines, "data: x: 511 words, 103 of them held out\nread as: csv") {
		t.Errorf("%s", lines)
	}
}

// With words of the user's, an error that is asked for is one on words like those, and that the certificate's words say otherwise is
// said. Shares are rounded.
func TestErrorOfData(t *testing.T) {
	m, err := model.Open(t.Context(), "zoo:tomita5", model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(strings.Repeat("aab\nabb\nb\naaabb\nabbbb\n", 20)) // of these the network accepts none
	for share, want := range map[float64]string{0.05: "the automaton was chosen to err on at most 5% of words recombined from those of words.csv; of the certificate's words it is wrong on", 0.6: ""} {
		o := extract.Options{Method: extract.Explore, Seed: 1, Error: share, Data: "words.csv", DataText: text}
		s, err := study.Run(t.Context(), m, study.Options{Options: o})
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Join(s.Warnings, "\n"); want == "" && strings.Contains(said, "was chosen to err") || !strings.Contains(said, want) {
			t.Errorf("%v: %d states, %+v: %s", share, s.States, s.Explored.Tradeoff, said)
		}
	}
}
