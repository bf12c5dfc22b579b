package oracle_test

import (
	"testing"

	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/word"
)

// A witness gives its own answers, counts those that are others than what is known, and is bounded and metered as it
// was. What cannot be asked is no answer, and is not counted.
func TestWitness(t *testing.T) {
	known := oracletest.Random(3, 5, 0)
	far := oracletest.NewElsewhere(known)
	far.Errs = func(length int) bool { return length == 2 || length == 9 || length == 0 }
	far.Max, far.NoEmpty = 8, true
	w := oracle.NewWitness(oracletest.Stateless{Elsewhere: far}, known)
	q := oracle.Ask(t.Context(), w)
	words := []word.Word{{}, {0}, {0, 1}, {1, 1}, {1, 0, 1}, {0, 0, 0, 0, 0, 0, 0, 0, 0}}
	accept := q.Accepts(words)
	for i, u := range words[1:5] {
		if accept[i+1] == (known.DFA.Accepts(u) == (len(u) == 2)) {
			t.Errorf("%v: %v", u, accept[i+1])
		}
	}
	if said, against := w.Contradictions(); said != 4 || against != 2 {
		t.Errorf("%d of %d answers are against what is known", against, said)
	}
	if q.ShowsStates() || !q.Metered() || q.Longest() != 8 || q.ReadsEmpty() || q.Asked() != 5 {
		t.Errorf("it has become another one: %d words asked", q.Asked())
	}
	p := oracle.Ask(t.Context(), known)
	if within := p.Within(w); p.Longest() <= 8 || within.Longest() != 8 || within.ReadsEmpty() || !within.ShowsStates() || within.Metered() {
		t.Error("one that knows more is not bounded as the witness is")
	}
}
