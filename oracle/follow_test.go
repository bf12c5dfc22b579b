package oracle_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"quotient/f32"
	"quotient/oracle"
	"quotient/rnn"
	"quotient/sample"
	"quotient/word"
)

// A strider counts the steps that others make it take.
type strider struct {
	*rnn.Runner
	steps int
}

func (s *strider) Step(dst, src f32.Matrix, on []word.Symbol) error {
	s.steps++
	return s.Runner.Step(dst, src, on)
}

// A network that follows words by itself is not stepped, and an inquiry into it says the same, at the same price, as one that steps. If
// answers are counted, it is stepped as well.
func TestFollowing(t *testing.T) {
	net, err := rnn.New(rnn.Shape{Cell: rnn.LSTM, Layers: 2, Embedding: 3, Hidden: 18}, word.Letters("abc"))
	if err != nil {
		t.Fatal(err)
	}
	net.Init(rand.New(rand.NewPCG(1, 1)))
	words := sample.UniformWords(1300, 3, 0, 9, sample.Rand(1, sample.Exploring))
	type said struct {
		After        []bool
		Paths        oracle.Paths
		States       []float32
		Asked, Steps int
		Scores       oracle.Scores
	}
	ask := func(o oracle.Oracle, limit int, over []word.Symbol) (s said) {
		q := oracle.Ask(context.Background(), o)
		q.Limit(limit)
		asked := words
		if over != nil {
			q, asked = q.Over(over), make([]word.Word, len(words))
			for i, w := range words {
				asked[i] = w.Through([]word.Symbol{0, 1, 0})
			}
		}
		begin, n, rows := make([]int, len(words)), 0, make([]int, len(words))
		for i, w := range words {
			begin[i], rows[i] = n, i*i%(n+1)
			n += len(w) + 1
		}
		states := f32.New(n, q.Dim())
		q.States(states, begin, asked)
		s.States, s.Paths, s.After = states.Data, q.LabelPaths(asked), q.After(states, rows, asked)
		s.Asked, s.Steps, s.Scores = q.Asked(), q.Steps(), q.Scores()
		return s
	}
	for _, over := range [][]word.Symbol{nil, {2, 1}} {
		runner := &strider{Runner: rnn.NewRunner(net, 2)}
		got := ask(runner, 0, over)
		if runner.steps > 0 {
			t.Errorf("it was stepped %d times", runner.steps)
		}
		want := ask(struct{ oracle.Stepper }{runner}, 0, over)
		if !reflect.DeepEqual(got, want) {
			t.Error("stepping says something else")
		}
		runner.steps = 0
		if got := ask(runner, 1<<30, over); !reflect.DeepEqual(got, want) || runner.steps == 0 {
			t.Errorf("with a budget something else is said, or by %d steps", runner.steps)
		}
	}
}
