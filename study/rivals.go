package study

import (
	"context"
	"fmt"
	"slices"

	"quotient/learn/predictive"
	"quotient/model"
)

// A Rival is a row of the table of methods for language models.
type Rival struct {
	Method     string   `json:"method"`
	States     int      `json:"states"`
	Divergence float64  `json:"divergence"`
	Bound      float64  `json:"bound"`
	Floor      float64  `json:"floor"`
	Ratio      *float64 `json:"ratio"` // of its divergence to that of the first; nil if that is zero
	Top        float64  `json:"top"`
	Seconds    float64  `json:"seconds"`

	Study *Spoken `json:"-"` // nil in the row of a weighted automaton
}

// weightedRow names the row of the weighted automaton that the method spectral finds first.
const weightedRow = "weighted"

// Cells returns what a table shows, with the columns method, states, divergence, its bound, how many
// times that of the first it is, the share of prefixes with the same likeliest symbol, and seconds.
func (p *Rival) Cells() []string {
	list := []string{p.Method, fmt.Sprint(p.States), fmt.Sprintf("%.4f", p.Divergence), "·", "·", "·", "·"}
	if p.Ratio != nil {
		list[4] = fmt.Sprintf("%.1f", *p.Ratio)
	}
	if p.Study != nil {
		list[3], list[5], list[6] = fmt.Sprintf("%.4f", p.Bound), fmt.Sprintf("%.2f%%", 100*p.Top), fmt.Sprintf("%.1f", p.Seconds)
	}
	return list
}

// Rivals runs all methods for language models, or those that were asked for: the others with as
// many states at most as the first has found. The weighted automaton of the method spectral has a
// row of its own.
func (c *Contest) Rivals(ctx context.Context, m *model.Model) ([]Rival, error) {
	var methods []string
	for _, name := range predictive.Names() {
		if len(c.Methods) == 0 || slices.Contains(c.Methods, name) {
			methods = append(methods, name)
		}
	}
	if len(methods) == 0 {
		return nil, fmt.Errorf("%s is a language model, and for these there are %v", m.Name, predictive.Names())
	}
	var rows []Rival
	o := c.Options
	o.Budget /= len(methods)
	for _, o.Method = range methods {
		if c.Tell != nil {
			c.Tell(o.Method)
		}
		p, err := Predict(ctx, m, o, nil)
		if err != nil {
			return nil, err
		}
		x := p.Certificate
		if x == nil || p.Interrupted {
			return nil, ErrInterrupted
		}
		rows = append(rows, Rival{Method: p.Method, States: p.States, Divergence: x.Divergence, Bound: x.Bound, Floor: x.Floor, Top: x.Top, Seconds: p.Seconds, Study: p})
		if o.States == 0 {
			o.States = p.States
		}
		if w := p.Weighted; w != nil {
			rows = append(rows, Rival{Method: weightedRow, States: w.Rank, Divergence: w.Divergence})
		}
	}
	for i := range rows {
		if first := rows[0].Divergence; first > 0 {
			ratio := rows[i].Divergence / first
			rows[i].Ratio = &ratio
		}
	}
	return rows, nil
}
