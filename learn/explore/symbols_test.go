package explore

import (
	"context"
	"slices"
	"testing"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// factor is the language of words without abcd over 16 symbols, all but four of which are alike, and words that it accepts and rejects.
func factor() (oracletest.Noisy, []word.Word) {
	r := oracletest.Noisy{DFA: forbidden(16, word.Word{0, 1, 2, 3}), Dims: 12, Noise: 0.05}
	rng := sample.Rand(1, sample.Words)
	d := automaton.Minimize(r.DFA)
	return r, slices.Concat(sample.NewShares(d, 20).Words(300, 1, 20, rng), sample.NewShares(automaton.Complement(d), 20).Words(300, 4, 20, rng))
}

func courtOf(r oracle.Stepper, data []word.Word) *court {
	q := oracle.Ask(context.Background(), r)
	return newCourt(q, Options{Seed: 1, Data: data}.orDefaults(q.Dim()))
}

// Symbols that make no difference are one, and what is learned so is the language.
func TestSymbolsThatAreAlike(t *testing.T) {
	r, data := factor()
	y := courtOf(r, data).alike()
	if y == nil {
		t.Fatal("none are alike")
	}
	want := []word.Symbol{0, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}
	if !slices.Equal(y.class, want) || len(y.member) != 5 {
		t.Errorf("classes %v, want %v; %v stand for them", y.class, want, y.member)
	}
	res := explored(t, r, Options{Seed: 1, Data: data})
	if !res.Automaton.Equal(automaton.Minimize(r.DFA)) {
		t.Errorf("%d states, want 4", res.Automaton.Len())
	}
}

// Symbols that differ are none that are alike, however seldom it is: the words say so.
func TestSymbolsThatDifferSeldom(t *testing.T) {
	r, data := factor()
	// The last symbol does what no other does, but after a b alone.
	r.DFA.SetNext(3, 15, automaton.Dead)
	rng := sample.Rand(2, sample.Words)
	data = append(data, sample.NewShares(automaton.Complement(r.DFA), 20).Words(300, 3, 20, rng)...)
	if y := courtOf(r, data).alike(); y != nil && y.class[15] == y.class[14] {
		t.Errorf("they are taken for alike: %v", y.class)
	}
	if res := explored(t, r, Options{Seed: 1, Data: data}); !res.Automaton.Equal(automaton.Minimize(r.DFA)) {
		t.Errorf("%d states, want 4", res.Automaton.Len())
	}
}

// Without words of the user's, or where there is nothing to gain, all symbols are followed.
func TestNoSymbolsAreAlike(t *testing.T) {
	r, data := factor()
	if y := courtOf(r, nil).alike(); y != nil {
		t.Errorf("without words: %v", y.class)
	}
	c := courtOf(r, data)
	c.o.Pursue = true
	if y := c.alike(); y != nil {
		t.Errorf("in pursuit: %v", y.class)
	}
}

// Words go to classes and back, and an automaton over classes does with every symbol what it does with its class.
func TestSymbols(t *testing.T) {
	y := &symbols{alphabet: word.Letters("abcd"), class: []word.Symbol{0, 1, 0, 1}, member: []word.Symbol{2, 1}}
	if got := y.plain([]word.Word{{0, 1, 2, 3}}); !slices.Equal(got[0], word.Word{2, 1, 2, 1}) {
		t.Errorf("plain words are %v", got)
	}
	d := automaton.NewDFA(word.Letters("cb"), 2)
	d.Accept[1] = true
	copy(d.Table[2:], []automaton.State{2, 1, 1, 2})
	e := y.tell(d)
	for _, w := range word.UpTo(4, 200) {
		if e.Accepts(w) != d.Accepts(y.reduced(w)) {
			t.Errorf("%v is accepted: %v", w, e.Accepts(w))
		}
	}
}
