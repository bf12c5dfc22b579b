package faith

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"quotient/automaton"
	"quotient/prefix"
	"quotient/prefix/prefixtest"
	"quotient/word"
)

// Find finds a shortest disagreement where there is a short one, finds none where
// there is none, tells of its progress and stops when it is told to.
func TestFind(t *testing.T) {
	ctx := context.Background()
	r := prefixtest.Random(2, 5, 0.05)
	s, err := prefix.FromNetwork(r, 10, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	find := func(ctx context.Context, d *automaton.DFA) (word.Word, bool, int, error) {
		told := 0
		w, found, err := Find(ctx, r, d, s, 2000, rand.New(rand.NewPCG(1, 2)), func(p Progress) {
			if p.Looked < told {
				t.Errorf("%d words after %d", p.Looked, told)
			}
			told = p.Looked
		})
		return w, found, told, err
	}
	if w, found, told, err := find(ctx, r.DFA); found || told < 30_000 || err != nil {
		t.Errorf("its own automaton: %v, %v, %v after %d words", w, found, err, told)
	}
	other := automaton.Complement(r.DFA)
	if w, found, _, err := find(ctx, other); !found || len(w) > 0 || err != nil {
		t.Errorf("the complement: %v, %v, %v", w, found, err)
	}
	stopped, cancel := context.WithCancelCause(ctx)
	reason := errors.New("enough")
	cancel(reason)
	if _, _, told, err := find(stopped, r.DFA); !errors.Is(err, reason) || told > 1000 {
		t.Errorf("stopped, but %v after %d words", err, told)
	}
}

// An oracle hides the states of a recognizer.
type oracle struct{ prefix.Oracle }

// A network that shows no states is read word by word, with the same findings.
func TestWithoutStates(t *testing.T) {
	r := prefixtest.Random(2, 5, 0.05)
	net := oracle{r}
	for _, d := range []*automaton.DFA{r.DFA, automaton.Complement(r.DFA)} {
		differs := d != r.DFA
		s := prefix.FromAutomaton(d)
		rep, err := Check(t.Context(), net, d, s, Options{}, rand.New(rand.NewPCG(1, 2)))
		if err != nil || rep.Found != differs || rep.Exhaustive.Words < 10_000 || rep.Searched != 0 {
			t.Errorf("%+v, %v", rep, err)
		}
		_, found, err := Find(t.Context(), net, d, s, 2000, rand.New(rand.NewPCG(1, 2)), func(Progress) {})
		if err != nil || found != differs {
			t.Errorf("found %v, want %v: %v", found, differs, err)
		}
	}
}

func TestCheckStops(t *testing.T) {
	r := prefixtest.Random(2, 5, 0.05)
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("the model died")
	cancel(reason)
	if rep, err := Check(ctx, r, r.DFA, prefix.FromAutomaton(r.DFA), Options{}, rand.New(rand.NewPCG(1, 2))); !errors.Is(err, reason) {
		t.Errorf("%+v, %v", rep, err)
	}
}
