package model

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"quotient/internal/text"
	"quotient/oracle"
	"quotient/word"
)

// A Prediction is what a language model says of a word.
type Prediction struct {
	Word        string    `json:"word"`
	Next        []float32 `json:"next"`                      // the probabilities of each next symbol and, last, of the end
	Probability float64   `json:"probability"`               // of the word, with the end behind it
	Own         *float64  `json:"own_probability,omitempty"` // the network's own, where that is another: not renormalized
}

// predict asks a language model what comes after each prefix of a word.
func (d *Description) predict(ctx context.Context, m *Model, prefixes []word.Word) error {
	own, err := m.Own()
	if err != nil {
		return err
	}
	q, p := oracle.Predict(ctx, m.Net), oracle.Predict(ctx, own)
	next, raw := q.Next(prefixes), p.Next(prefixes)
	if err := cmp.Or(q.Err(), p.Err()); err != nil {
		return err
	}
	for i, w := range prefixes {
		x := Prediction{Word: d.alphabet.Format(w), Next: next.Row(i), Probability: math.Exp(oracle.LogProbability(next, w))}
		if own != m.Net {
			y := math.Exp(oracle.LogProbability(raw, w))
			x.Own = &y
		}
		d.Predicted = append(d.Predicted, x)
	}
	return nil
}

// tellPredictions writes what a language model says: of few symbols all, of many the likeliest.
func (d *Description) tellPredictions(w io.Writer) {
	names := append(slices.Clone(d.Symbols), "end")
	const most = 9
	columns := []string{"prefix"}
	if len(names) <= most {
		columns = append(columns, names...)
	} else {
		columns = append(columns, "likeliest next symbols", "end")
	}
	columns = append(columns, "word")
	own := len(d.Predicted) > 0 && d.Predicted[0].Own != nil
	if own {
		columns = append(columns, "not renormalized")
	}
	t := text.Table(columns...)
	for _, x := range d.Predicted {
		row := text.Row{text.Shorten(x.Word, 40)}
		if len(names) <= most {
			for _, p := range x.Next {
				row = append(row, fmt.Sprintf("%.5f", p))
			}
		} else {
			row = append(row, likeliest(names, x.Next[:len(x.Next)-1], 5), fmt.Sprintf("%.5f", x.Next[len(x.Next)-1]))
		}
		row = append(row, fmt.Sprintf("%.6g", x.Probability))
		if own {
			row = append(row, fmt.Sprintf("%.6g", *x.Own))
		}
		t.AppendRow(row)
	}
	fmt.Fprintln(w)
	text.Print(w, t)
}

// likeliest names the most probable of some symbols.
func likeliest(names []string, p []float32, most int) string {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[j], p[i]) })
	var list []string
	for _, i := range order[:min(most, len(order))] {
		list = append(list, fmt.Sprintf("%s %.5f", names[i], p[i]))
	}
	return strings.Join(list, ", ")
}
