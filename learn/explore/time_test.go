package explore

import (
	"context"
	"strings"
	"testing"
	"time"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/word"
)

// A wide network takes a while for every state, as one elsewhere does whose states are many numbers.
type wide struct {
	oracletest.Noisy
	ctx context.Context
}

func (w wide) Under(ctx context.Context) oracle.Stepper { return wide{w.Noisy, ctx} }

func (w wide) Step(dst, src f32.Matrix, on []word.Symbol) error {
	select {
	case <-w.ctx.Done():
		return context.Cause(w.ctx)
	case <-time.After(time.Duration(len(on)) * 2 * time.Millisecond):
		return w.Noisy.Step(dst, src, on)
	}
}

// The time is kept, before the search begins and after it, and what was found until then is the result. With a rare
// answer, words of it are looked for first; without one, the closing questions take longest.
func TestTimeIsKept(t *testing.T) {
	for _, net := range []oracletest.Noisy{rareAnswer(t), oracletest.Random(3, 12, 0.1)} {
		const limit = 200 * time.Millisecond
		begin := time.Now()
		res, err := Run(oracle.Ask(t.Context(), wide{net, t.Context()}), Options{Time: limit})
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took > limit+grace+10*time.Second { // the machine may be busy
			t.Errorf("%v for %v", took, limit)
		}
		if res.Automaton == nil || len(res.Tradeoff) == 0 || !strings.Contains(res.Stopped, "the time of 200ms is spent") {
			t.Errorf("%+v", res)
		}
	}
}

// rareAnswer accepts the words of one length that repeat one symbol.
func rareAnswer(t *testing.T) oracletest.Noisy {
	a, err := word.NewAlphabet("a", "b", "c", "d")
	if err != nil {
		t.Fatal(err)
	}
	d := automaton.NewDFA(a, 9)
	for q := range automaton.State(8) {
		d.SetNext(q+1, 0, q+2)
	}
	d.Accept[9] = true
	return oracletest.Noisy{DFA: d, Dims: 4, Noise: 0.1}
}
