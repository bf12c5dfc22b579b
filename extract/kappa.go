package extract

import (
	"context"
	"fmt"
	"math"
	"slices"

	"quotient/automaton"
	"quotient/f32"
	"quotient/merge"
	"quotient/prefix"
	"quotient/word"
)

// A Trial is what one kappa gave.
type Trial struct {
	Kappa    float64 `json:"kappa"`
	Merged   int     `json:"merged_states"`
	States   int     `json:"states"`
	Agree    int     `json:"agree"`    // prefixes of fresh words on which automaton and network agree
	Prefixes int     `json:"prefixes"` // of all those words
	Source   string  `json:"source"`   // why it was tried
	Failed   string  `json:"failed,omitempty"`

	automaton *automaton.DFA // minimal; nil if it failed
}

// Accuracy is the share of prefixes on which automaton and network agree.
func (t Trial) Accuracy() float64 { return float64(t.Agree) / float64(max(t.Prefixes, 1)) }

// grid is what is tried beside the kappa of the proposition, from the strictest
// threshold to none at all.
var grid = []float64{0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2}

// Saturation says how close states, as they are compared, are to their signs, and
// what follows from it. In an LSTM the cells belong to the state, although they
// have no bounds; training records leave them out.
type Saturation struct {
	Mean  float64 `json:"mean"` // over the states: distance of the normalized state from its normalized signs
	Max   float64 `json:"max"`  // the ε of the paper's proposition
	Dim   int     `json:"dim"`
	Kappa float64 `json:"kappa"` // the greatest that the proposition allows; 0: the states are too far from their signs
}

// measure computes the saturation of states of length 1. By the proposition, two
// states that are ε-saturated and whose cosine is over 1-κ have the same signs if
// √κ < √2 (1/√d - ε).
func measure(unit f32.Matrix) Saturation {
	s := Saturation{Dim: unit.Cols}
	sign := 1 / math.Sqrt(float64(unit.Cols))
	for i := range unit.Rows {
		sum := 0.0
		for _, x := range unit.Row(i) {
			d := math.Abs(float64(x)) - sign
			sum += d * d
		}
		s.Mean += math.Sqrt(sum) / float64(unit.Rows)
		s.Max = max(s.Max, math.Sqrt(sum))
	}
	if gap := sign - s.Max; gap > 0 {
		s.Kappa = 2 * gap * gap
	}
	return s
}

// judges are fresh words with the network's answers, which decide between
// thresholds. They are longer than those of the sample, so that wrong loops show.
type judges struct {
	words  []word.Word
	labels [][]bool
}

const (
	judgeWords  = 400
	judgeLength = 5 // times the length of the sample's words
)

// judges are drawn once, when they are first asked for.
func (e *extraction) judges() (judges, error) {
	e.judging.Lock()
	defer e.judging.Unlock()
	if e.judge.words == nil {
		s, err := e.sampler.Draw(judgeWords, 0, judgeLength*e.o.Length, e.rng(streamJudge))
		if err != nil {
			return judges{}, err
		}
		e.judge = judges{s.Words, prefix.Labels(e.r, s.Words)}
	}
	return e.judge, nil
}

// try extracts with one kappa and lets the judges look at the result.
func (e *extraction) try(kappa float64, source string, j judges) Trial {
	t := Trial{Kappa: kappa, Source: source}
	var res Result
	err := e.merge(&res, kappa)
	t.Merged = res.MergedStates
	if err != nil {
		t.Failed = err.Error()
		return t
	}
	t.automaton = automaton.Minimize(res.Merged)
	t.States = t.automaton.Len()
	t.Agree, t.Prefixes = Agreement(t.automaton, j.words, j.labels)
	return t
}

// choose tries the grid and the kappa of the proposition, and settles on the one
// whose automaton agrees best with the network on fresh words; among equals on the
// smallest automaton, and then on the strictest threshold.
func (e *extraction) choose(ctx context.Context, res *Result) error {
	j, err := e.judges()
	if err != nil {
		return err
	}
	candidates := slices.Clone(grid)
	source := map[float64]string{}
	if k := e.saturation.Kappa; k > 0 {
		candidates = append(candidates, k)
		source[k] = "saturation"
	}
	slices.Sort(candidates)
	best := -1
	for _, kappa := range candidates {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		from := source[kappa]
		if from == "" {
			from = "grid"
		}
		t := e.try(kappa, from, j)
		res.Trials = append(res.Trials, t)
		if t.automaton != nil && (best < 0 || better(t, res.Trials[best])) {
			best = len(res.Trials) - 1
		}
	}
	if best < 0 {
		return fmt.Errorf("no kappa gives an automaton; the last said: %s", res.Trials[len(res.Trials)-1].Failed)
	}
	res.Why = reason(res.Trials, best)
	return e.merge(res, res.Trials[best].Kappa)
}

func better(t, than Trial) bool {
	if t.Agree != than.Agree {
		return t.Agree > than.Agree
	}
	return t.States < than.States
}

// reason says why trial number best was chosen.
func reason(trials []Trial, best int) string {
	chosen := trials[best]
	low, high := chosen.Kappa, chosen.Kappa // the plateau
	for _, t := range trials[best:] {
		if !t.same(chosen) {
			break
		}
		high = t.Kappa
	}
	text := fmt.Sprintf("agrees with the network on %d of %d prefixes of fresh words; no other does better",
		chosen.Agree, chosen.Prefixes)
	if low < high {
		text += fmt.Sprintf(", and all from %.3g to %.3g give this automaton", low, high)
	}
	return text
}

// Sweep extracts with every given kappa, or with a fine grid if there are none, and
// shows what each gives. All use the same sample and the same fresh words.
func Sweep(ctx context.Context, r prefix.Recognizer, o Options, kappas []float64) ([]Trial, error) {
	p, err := Prepare(ctx, r, o)
	if err != nil {
		return nil, err
	}
	return p.Sweep(ctx, kappas)
}

func (e *extraction) sweep(ctx context.Context, kappas []float64) ([]Trial, error) {
	if len(kappas) == 0 {
		for exponent := -3.0; exponent < 0.31; exponent += 0.1 {
			kappas = append(kappas, min(2, math.Pow(10, exponent)))
		}
	}
	j, err := e.judges()
	if err != nil {
		return nil, err
	}
	var trials []Trial
	for _, kappa := range kappas {
		if err := merge.CheckKappa(kappa); err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		trials = append(trials, e.try(kappa, "sweep", j))
	}
	return trials, nil
}

// Plateau returns the longest run of neighboring trials that give one automaton,
// as indices from first up to and including last, and reports whether any trial
// gave one. Ties go to better agreement.
func Plateau(trials []Trial) (first, last int, found bool) {
	for i := 0; i < len(trials); {
		j := i
		for j+1 < len(trials) && trials[i].same(trials[j+1]) {
			j++
		}
		longer := j-i > last-first || j-i == last-first && trials[i].Agree > trials[first].Agree
		if trials[i].automaton != nil && (!found || longer) {
			first, last, found = i, j, true
		}
		i = j + 1
	}
	return first, last, found
}

// same reports whether both trials gave the same automaton.
func (t Trial) same(u Trial) bool {
	return t.automaton != nil && u.automaton != nil && t.automaton.Equal(u.automaton)
}
