package faith

import (
	"cmp"
	"context"
	"errors"
	"testing"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// Find finds a shortest disagreement where there is a short one, finds none where
// there is none, tells of its progress and stops when it is told to.
func TestFind(t *testing.T) {
	ctx := context.Background()
	r := oracletest.Random(2, 5, 0.05)
	s, err := sample.FromNetwork(oracle.Ask(ctx, r), 10, sample.Rand(1, sample.Words))
	if err != nil {
		t.Fatal(err)
	}
	find := func(ctx context.Context, d *automaton.DFA) (word.Word, bool, int, error) {
		told := 0
		w, found, err := Find(oracle.Ask(ctx, r), d, Options{Source: s, Seed: 1, Search: 2000}, func(p Progress) {
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
	if w, found, told, err := find(ctx, other); !found || len(w) > 0 || told > 1 || err != nil {
		t.Errorf("the complement: %v, %v, %v after %d words", w, found, err, told)
	}
	stopped, cancel := context.WithCancelCause(ctx)
	reason := errors.New("enough")
	cancel(reason)
	if _, _, told, err := find(stopped, r.DFA); !errors.Is(err, reason) || told > 1000 {
		t.Errorf("stopped, but %v after %d words", err, told)
	}
}

// A network that shows no states is read word by word, with the same findings.
func TestWithoutStates(t *testing.T) {
	r := oracletest.Random(2, 5, 0.05)
	q := oracle.Ask(t.Context(), r).Blind()
	for _, d := range []*automaton.DFA{r.DFA, automaton.Complement(r.DFA)} {
		differs := d != r.DFA
		o := Options{Source: sample.FromAutomaton(d), Seed: 1, Search: 2000}
		rep, err := Check(q, d, o)
		if err != nil || rep.Found != differs || rep.Exhaustive.Words < 10_000 || rep.Searched != 0 {
			t.Errorf("%+v, %v", rep, err)
		}
		_, found, err := Find(q, d, o, func(Progress) {})
		if err != nil || found != differs {
			t.Errorf("found %v, want %v: %v", found, differs, err)
		}
	}
}

// A dying network answers a few times and then fails.
type dying struct {
	oracletest.Noisy
	left  int
	cause error
}

func (d *dying) dead() error {
	if d.left--; d.left < 0 {
		return d.cause
	}
	return nil
}

func (d *dying) Answer(ctx context.Context, dst f32.Matrix, words []word.Word) error {
	return cmp.Or(d.dead(), d.Noisy.Answer(ctx, dst, words))
}

func (d *dying) Read(dst, states f32.Matrix) error {
	return cmp.Or(d.dead(), d.Noisy.Read(dst, states))
}

// However far it has come, what a network that fails says is the error.
func TestFailure(t *testing.T) {
	for _, left := range []int{0, 1, 5, 60, 600} {
		for _, blind := range []bool{false, true} {
			net := &dying{Noisy: oracletest.Random(2, 5, 0.05), cause: errors.New("the line is dead")}
			ask := func() *oracle.Inquiry {
				net.left = left
				if blind {
					return oracle.Ask(t.Context(), net).Blind()
				}
				return oracle.Ask(t.Context(), net)
			}
			o := Options{Source: sample.FromAutomaton(net.DFA), Seed: 1}
			if rep, err := Check(ask(), net.DFA, o); err != net.cause && net.left < 0 {
				t.Errorf("after %d answers: %+v, %v", left, rep, err)
			}
			if _, _, err := Find(ask(), net.DFA, o, func(Progress) {}); err != net.cause && net.left < 0 {
				t.Errorf("found after %d answers: %v", left, err)
			}
		}
	}
}

func TestCheckStops(t *testing.T) {
	r := oracletest.Random(2, 5, 0.05)
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("the model died")
	cancel(reason)
	if rep, err := Check(oracle.Ask(ctx, r), r.DFA, Options{Source: sample.FromAutomaton(r.DFA), Seed: 1}); !errors.Is(err, reason) {
		t.Errorf("%+v, %v", rep, err)
	}
}
