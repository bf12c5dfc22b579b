package tally

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/counter"
	"quotient/f32"
	"quotient/internal/oracletest"
	"quotient/language"
	"quotient/oracle"
	"quotient/rnn"
	"quotient/sample"
	"quotient/word"
	"quotient/zoo"
)

// A machine is a recognizer that follows a counter automaton. No number of its state
// is the counter: it stands in the first mixed with the automaton's state, which is
// the second.
type machine struct{ *counter.Automaton }

const (
	unit  = 0.37
	shift = 2.5
)

func (m machine) Alphabet() *word.Alphabet { return m.Automaton.Alphabet }
func (m machine) Dim() int                 { return 3 }
func (m machine) Outputs() int             { return 1 }

func (m machine) Start(dst []float32) error {
	m.write(dst, m.StartConfig())
	return nil
}

func (m machine) write(dst []float32, c counter.Config) {
	dst[0], dst[1], dst[2] = unit*float32(c.Counter)-shift*float32(c.State), float32(c.State), 1
}

func (m machine) read(src []float32) counter.Config {
	q := automaton.State(src[1])
	return counter.Config{State: q, Counter: int(math.Round(float64((src[0] + shift*float32(q)) / unit)))}
}

func (m machine) Step(dst, src f32.Matrix, on []word.Symbol) error {
	for i, s := range on {
		m.write(dst.Row(i), m.Next(m.read(src.Row(i)), s))
	}
	return nil
}

func (m machine) Read(dst, states f32.Matrix) error {
	for i := range dst.Rows {
		dst.Row(i)[0] = 0
		if m.AcceptsAt(m.read(states.Row(i))) {
			dst.Row(i)[0] = 1
		}
	}
	return nil
}

func (m machine) Answer(_ context.Context, dst f32.Matrix, words []word.Word) error {
	for i, w := range words {
		dst.Row(i)[0] = 0
		if m.Accepts(w) {
			dst.Row(i)[0] = 1
		}
	}
	return nil
}

// machines are counter automata that are to be found again.
func machines() map[string]*counter.Automaton {
	list := map[string]*counter.Automaton{}
	for _, c := range language.CountingLanguages() {
		list[c.Name] = c.Automaton
	}
	balance := counter.New(word.Letters("ab"), 1)
	balance.Accept[1][counter.Zero] = true
	for _, t := range counter.Tests {
		balance.SetMove(1, 0, t, counter.Move{To: 1, Add: 1})
		balance.SetMove(1, 1, t, counter.Move{To: 1, Add: -1})
	}
	list["as many a's as b's"] = balance

	// Parentheses with letters between them, even in number.
	even := counter.New(word.Letters("(x)"), 2)
	even.Accept[1][counter.Zero] = true
	for q := automaton.State(1); q <= 2; q++ {
		for _, t := range counter.Tests {
			even.SetMove(q, 0, t, counter.Move{To: q, Add: 1})
			even.SetMove(q, 1, t, counter.Move{To: 3 - q})
		}
		even.SetMove(q, 2, counter.Nonzero, counter.Move{To: q, Add: -1})
	}
	list["parentheses and an even number of x"] = even
	return list
}

func TestMachines(t *testing.T) {
	for name, a := range machines() {
		res, err := Extract(oracle.Ask(context.Background(), machine{a}), Options{Seed: 1})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if w, differ, err := counter.Distinguish(a, res.Automaton, 300); differ || err != nil {
			t.Errorf("%s: differs on %s, %v", name, a.Alphabet.Format(w), err)
		}
		if res.Automaton.Len() != a.Len() || res.Counter.Share < 0.99 || res.Trials[0].Agreement() != 1 {
			t.Errorf("%s: %d states, counter %s (%v), agreement %v", name,
				res.Automaton.Len(), res.Counter.Name(a.Alphabet), res.Counter.Share, res.Trials[0].Agreement())
		}
	}
}

// Regular languages get a finite automaton, and nothing is counted.
func TestRegular(t *testing.T) {
	for _, l := range language.Builtin() {
		d := l.DFA()
		res, err := Extract(oracle.Ask(context.Background(), oracletest.Noisy{DFA: d, Dims: 20, Noise: 0.1}), Options{Seed: 1})
		if err != nil {
			t.Errorf("%s: %v", l.Name, err)
			continue
		}
		if w, differ, err := counter.Distinguish(counter.FromDFA(d), res.Automaton, 1000); differ || err != nil {
			t.Errorf("%s: differs on %s, %v", l.Name, d.Alphabet.Format(w), err)
		}
		if res.Automaton.Counts() || res.Counter.Name(d.Alphabet) != "none" {
			t.Errorf("%s: the automaton counts %s", l.Name, res.Counter.Name(d.Alphabet))
		}
	}
}

// The bundled networks count, and the automaton is right on words far more than ten
// times longer than any finite automaton of its size is.
func TestBundledNetworks(t *testing.T) {
	for _, c := range language.CountingLanguages() {
		net, _, err := zoo.Open(c.Name + "-lstm")
		if err != nil {
			t.Fatal(err)
		}
		q := oracle.Ask(context.Background(), rnn.NewRunner(net, 0))
		for seed := range uint64(3) {
			res, err := Extract(q, Options{Seed: seed})
			if err != nil {
				t.Errorf("%s: %v", c.Name, err)
				continue
			}
			finite, err := c.Automaton.Reach(res.Automaton.Len(), 100)
			if err != nil {
				t.Fatal(err)
			}
			if w, differ, err := counter.Distinguish(c.Automaton, res.Automaton, max(10*finite, 1000)); differ || err != nil {
				t.Errorf("%s: another language: %s, %v", c.Name, net.Alphabet.Format(w), err)
			}
			agrees(t, c.Name, q, res.Automaton, 10*finite+10)
		}
	}
}

// agrees checks an automaton against a network on words near the language, and all
// their prefixes.
func agrees(t *testing.T, name string, q *oracle.Inquiry, a *counter.Automaton, length int) {
	t.Helper()
	d, err := a.DFA(length, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	near, err := sample.NewNear(d, length)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	words := make([]word.Word, 300)
	for i := range words {
		words[i] = near.Draw(i, rng)
	}
	wrong := 0
	for i, labels := range q.LabelPaths(words).Labels {
		for k, label := range labels {
			if a.Accepts(words[i][:k]) != label {
				wrong++
			}
		}
	}
	if all := len(words) * (length + 1); wrong > all/1000 {
		t.Errorf("%s: the network differs on %d of %d prefixes of words of length %d", name, wrong, all, length)
	}
}

// A stubborn recognizer's state moves chaotically: nothing small agrees with it.
type stubborn struct{ machine }

func (s stubborn) Start(dst []float32) error {
	dst[0], dst[1], dst[2] = 0.4, 0, 1
	return nil
}

func (s stubborn) Step(dst, src f32.Matrix, on []word.Symbol) error {
	for i, x := range on {
		at := src.Row(i)[0]
		copy(dst.Row(i), []float32{3.9 * at * (1 - at), float32(x), 1})
		if x == 1 {
			dst.Row(i)[0] = 1 - dst.Row(i)[0]
		}
	}
	return nil
}

func (s stubborn) Read(dst, states f32.Matrix) error {
	for i := range dst.Rows {
		dst.Row(i)[0] = states.Row(i)[0]
	}
	return nil
}

// Answer follows the states, unlike the machine's own.
func (s stubborn) Answer(_ context.Context, dst f32.Matrix, words []word.Word) error {
	for i, w := range words {
		state := f32.New(1, s.Dim())
		s.Start(state.Row(0))
		for _, x := range w {
			s.Step(state, state, []word.Symbol{x})
		}
		s.Read(dst.View(i, i+1), state)
	}
	return nil
}

func TestNoCounter(t *testing.T) {
	_, err := Extract(oracle.Ask(context.Background(), stubborn{machine{machines()["anbn"]}}), Options{Seed: 1})
	var none *NoCounterError
	if !errors.As(err, &none) {
		t.Fatalf("error %v", err)
	}
	for _, want := range []string{"no counter was found", "without a counter", "no counter that adds -1, 0 or 1"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("no more time")
	cancel(why)
	if _, err := Extract(oracle.Ask(ctx, machine{machines()["anbn"]}), Options{}); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
}

// Networks that accept nothing or everything, and alphabets of one symbol.
func TestDegenerate(t *testing.T) {
	for _, letters := range []string{"a", "ab"} {
		for _, accept := range []bool{false, true} {
			d := automaton.NewDFA(word.Letters(letters), 1)
			d.Accept[1] = accept
			for s := range len(letters) {
				d.SetNext(1, word.Symbol(s), 1)
			}
			res, err := Extract(oracle.Ask(context.Background(), oracletest.Noisy{DFA: d, Dims: 5, Noise: 0.1}), Options{})
			if err != nil {
				t.Errorf("over %s, accepting %v: %v", letters, accept, err)
				continue
			}
			if w, differ, _ := counter.Distinguish(counter.FromDFA(d), res.Automaton, 50); differ {
				t.Errorf("over %s, accepting %v: differs on %v", letters, accept, w)
			}
		}
	}
}

func TestName(t *testing.T) {
	a := word.Letters("abc")
	for want, add := range map[string][]int{"+a −c": {1, 0, -1}, "none": {0, 0, 0}, "+2b": {0, 2, 0}} {
		if got := (Counter{Add: add}).Name(a); got != want {
			t.Errorf("%v: %q, want %q", add, got, want)
		}
	}
}
