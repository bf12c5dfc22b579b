package extract

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/parallel"
	"quotient/merge"
	"quotient/oracle"
	"quotient/sample"
	"quotient/worth"
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

// measure computes the saturation of states, scaled to length 1. By the proposition, two
// states that are ε-saturated and whose cosine is over 1-κ have the same signs if
// √κ < √2 (1/√d - ε).
func measure(states f32.Matrix) Saturation {
	s := Saturation{Dim: states.Cols}
	sign := 1 / math.Sqrt(float64(states.Cols))
	far := make([]float64, states.Rows)
	parallel.Stretches(states.Rows, 1024, func(from, to int) {
		unit := f32.New(1, states.Cols)
		for i := from; i < to; i++ {
			copy(unit.Row(0), states.Row(i))
			f32.Normalize(unit)
			sum := 0.0
			for _, x := range unit.Row(0) {
				d := math.Abs(float64(x)) - sign
				sum += d * d
			}
			far[i] = math.Sqrt(sum)
		}
	})
	for _, x := range far {
		s.Mean += x / float64(states.Rows)
		s.Max = max(s.Max, x)
	}
	if gap := sign - s.Max; gap > 0 {
		s.Kappa = 2 * gap * gap
	}
	return s
}

const (
	judgeWords  = 400
	judgeLength = 5 // times the length of the sample's words
)

// drawJudges returns fresh words with the network's answers, which decide between
// thresholds. They are longer than those of the sample, so that wrong loops show, and are
// drawn once, when they are first asked for. Words of the user's join them.
func (p *Prepared) drawJudges(q *oracle.Inquiry) (oracle.Paths, error) {
	p.drawing.Lock()
	defer p.drawing.Unlock()
	if p.judges.Words != nil {
		return p.judges, nil
	}
	high := min(judgeLength*p.o.Length, q.Longest())
	s, err := p.source.Draw(q, q.AtMost(judgeWords, 0.5/float64(high+1)), 0, high, sample.Rand(p.o.Seed, sample.Judges))
	if err != nil {
		return oracle.Paths{}, err
	}
	judges := q.LabelPaths(slices.Concat(s.Words, p.judging[:q.AtMost(len(p.judging), 0.5/float64(high+1))]))
	if err := q.Err(); err != nil {
		return oracle.Paths{}, err
	}
	p.judges = judges
	return judges, nil
}

// try extracts with one kappa and lets the judges look at the result.
func (p *Prepared) try(q *oracle.Inquiry, kappa float64, source string, j oracle.Paths) Trial {
	t := Trial{Kappa: kappa, Source: source}
	var res Result
	err := p.merge(q, &res, kappa)
	t.Merged = res.MergedStates
	if err != nil {
		t.Failed = err.Error()
		return t
	}
	t.automaton = automaton.Minimize(res.Merged)
	t.States = t.automaton.Len()
	t.Agree, t.Prefixes = j.Agree(t.automaton)
	return t
}

// choose tries the grid and the kappa of the proposition, and settles on the one
// whose automaton agrees best with the network on fresh words; among equals on the
// smallest automaton, and then on the strictest threshold.
func (p *Prepared) choose(q *oracle.Inquiry, res *Result) error {
	j, err := p.drawJudges(q)
	if err != nil {
		return err
	}
	candidates := slices.Clone(grid)
	source := map[float64]string{}
	if k := p.saturation.Kappa; k > 0 {
		candidates = append(candidates, k)
		source[k] = "saturation"
	}
	slices.Sort(candidates)
	best := -1
	for _, kappa := range candidates {
		if err := q.Err(); err != nil {
			return err
		}
		if q.Stopped() != nil && best >= 0 {
			res.Warnings = append(res.Warnings, "larger thresholds were not tried")
			break
		}
		from := source[kappa]
		if from == "" {
			from = "grid"
		}
		t := p.try(q, kappa, from, j)
		res.Trials = append(res.Trials, t)
		if t.automaton != nil && (best < 0 || worth.Kappa.Better(t.score(), res.Trials[best].score())) {
			best = len(res.Trials) - 1
		}
	}
	if best < 0 {
		return fmt.Errorf("no kappa gives an automaton; the last said: %s", res.Trials[len(res.Trials)-1].Failed)
	}
	res.Why = reason(res.Trials, best)
	return p.merge(q, res, res.Trials[best].Kappa)
}

func (t Trial) score() worth.Score { return worth.Score{Error: 1 - t.Accuracy(), States: t.States} }

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
func (p *Prepared) Sweep(q *oracle.Inquiry, kappas []float64) ([]Trial, error) {
	if p.o.Method == KMeans {
		return nil, errors.New("k-means has no kappa to sweep")
	}
	if len(kappas) == 0 {
		for exponent := -3.0; exponent < 0.31; exponent += 0.1 {
			kappas = append(kappas, min(2, math.Pow(10, exponent)))
		}
	}
	j, err := p.drawJudges(q)
	if err != nil {
		return nil, err
	}
	var trials []Trial
	for _, kappa := range kappas {
		if err := merge.CheckKappa(kappa); err != nil {
			return nil, err
		}
		if err := q.Err(); err != nil {
			return nil, err
		}
		trials = append(trials, p.try(q, kappa, "sweep", j))
	}
	return trials, q.Err()
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
