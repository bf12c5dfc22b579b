package paper

import (
	"context"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"html/template"
	"io"
	"iter"
	"strconv"
	"strings"
)

// What can be reproduced.
const (
	Table1  = "table1"
	Figures = "figures"
	All     = "all"
)

// A Reproduction is what was measured, made into tables, pictures and text.
type Reproduction struct {
	Table    *Table // nil if it was not asked for
	Source   string // of the networks
	Seed     uint64
	exhibits []exhibit
}

// Reproduce measures and makes the table, the figures, or both. The seed is that of the
// first sample; the others follow.
func Reproduce(ctx context.Context, what string, nets Networks, seed uint64, run Runner) (*Reproduction, error) {
	if len(nets.Epochs) == 0 {
		return nil, errors.New("there are no networks")
	}
	r := &Reproduction{Source: nets.Source, Seed: seed}
	if what == Table1 || what == All {
		r.exhibits = append(r.exhibits, tableExhibit())
	}
	if what == Figures || what == All {
		r.exhibits = append(r.exhibits, kappaExhibit(nets), faithfulness(), byData(), tomita6(nets), appendix(nets), sizes(nets), growth(nets))
	}
	if len(r.exhibits) == 0 {
		return nil, fmt.Errorf("%q cannot be reproduced; %s, %s and %s can", what, Table1, Figures, All)
	}
	var cases []Case
	for _, e := range r.exhibits {
		cases = append(cases, e.cases...)
	}
	results, err := measure(ctx, cases, seed, run)
	if err != nil {
		return nil, err
	}
	for i := range r.exhibits {
		e := &r.exhibits[i]
		if e.shown, err = e.show(results); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
		if e.Table != nil {
			r.Table = e.Table
		}
		if e.records == nil {
			e.records = records(e.cases, results)
		}
	}
	return r, nil
}

func tableExhibit() exhibit {
	return exhibit{
		Name:  "table1",
		Title: "Table 1: extraction from all seven languages",
		About: "Accuracy on 1,000 held-out words of length 0 to 50, half of them valid, as the automaton against the network: mean and standard " +
			"deviation of 5 samples of 300 strings of length 10. |Q̂| is the size of the smallest automaton found, |Q| the smallest possible, the dead state " +
			"not counted; exact says how often the automaton accepts exactly the language. The paper's text describes union, its released code does keep; " +
			"fold is ours.",
		cases: tableCases([]int{0}, tableSettings...),
		show: func(r Results) (shown, error) {
			t := newTable(r)
			return shown{Table: &t, Sentences: t.sentences()}, nil
		},
	}
}

// records writes every case and its outcome.
func records(cases []Case, r Results) [][]string {
	out := [][]string{{
		"language", "epoch", "method", "kappa", "strings", "length", "sample", "accuracy", "tree_nodes", "tree_accuracy",
		"merged_states", "states", "exact", "kappa_used", "network_accuracy", "norm", "saturation", "failed",
	}}
	float := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	for _, c := range cases {
		o := r[c]
		kappa := float(c.Kappa)
		if c.Kappa == 0 {
			kappa = "auto"
			if c.Method == kmeans.method {
				kappa = ""
			}
		}
		epoch := strconv.Itoa(c.Epoch)
		if c.Epoch == 0 {
			epoch = "best"
		}
		record := []string{
			c.Language, epoch, c.Method, kappa, strconv.Itoa(c.Strings), strconv.Itoa(c.Length), strconv.Itoa(c.Sample + 1),
			float(o.Accuracy), strconv.Itoa(o.Nodes), float(o.Tree), strconv.Itoa(o.Merged), strconv.Itoa(o.States),
			strconv.FormatBool(isExact(o)), float(o.Kappa), float(o.Network), float(o.Norm), float(o.Saturation), o.Failed,
		}
		if o.Failed != "" { // nothing of what was to be measured is known
			for i := range record[7:14] {
				record[7+i] = ""
			}
			record[16] = ""
		}
		out = append(out, record)
	}
	return out
}

// Files yields the names of report.html, the pictures and the data, with what writes them.
func (r *Reproduction) Files() iter.Seq2[string, func(io.Writer) error] {
	return func(yield func(string, func(io.Writer) error) bool) {
		if !yield("report.html", r.HTML) {
			return
		}
		for _, e := range r.exhibits {
			for _, p := range e.Pictures {
				if !yield(p.Name+".svg", func(w io.Writer) error {
					_, err := io.WriteString(w, string(p.SVG))
					return err
				}) {
					return
				}
			}
			if !yield(e.Name+".csv", func(w io.Writer) error { return csv.NewWriter(w).WriteAll(e.records) }) {
				return
			}
		}
	}
}

//go:embed report.html
var reportHTML string

var reportTemplate = template.Must(template.New("report").Parse(reportHTML))

// HTML writes everything as one page that refers to nothing else.
func (r *Reproduction) HTML(w io.Writer) error {
	return reportTemplate.Execute(w, struct {
		*Reproduction
		Exhibits []exhibit
	}{r, r.exhibits})
}

// An htmlTable has a row for each language and a cell for each method.
type htmlTable struct {
	Head []htmlCell
	Rows [][]htmlCell
}

type htmlCell struct {
	Main, Small string
	Paper, Miss bool // a published cell; one that falls short of the language
}

// HTML returns the table as the page shows it.
func (t Table) HTML() *htmlTable {
	out := &htmlTable{Head: []htmlCell{{}, {Main: "|Q|"}, {Main: "the paper", Small: "state merging", Paper: true}}}
	blocks := t.blocks()
	for i, l := range Languages {
		out.Rows = append(out.Rows, []htmlCell{{Main: title(l)}, {Main: fmt.Sprint(smallest[i])}, blocks[0][i].printed()})
	}
	for _, block := range blocks {
		method, rest, _ := strings.Cut(block[0].setting.String(), ", ")
		if block[0].setting == kmeans {
			out.Head = append(out.Head, htmlCell{Main: "the paper", Small: "k-means", Paper: true})
		}
		out.Head = append(out.Head, htmlCell{Main: method, Small: rest})
		for i, r := range block {
			if r.setting == kmeans {
				out.Rows[i] = append(out.Rows[i], r.printed())
			}
			m := r.Measured()
			cell := htmlCell{Main: m[0], Small: fmt.Sprintf("%s · %s", m[1], m[2]), Miss: r.Exact < r.Samples}
			if r.Accuracy == nil {
				cell.Main, cell.Small = "too many states", m[2]
			}
			out.Rows[i] = append(out.Rows[i], cell)
		}
	}
	return out
}

func (r Row) printed() htmlCell {
	p := r.Printed()
	small := p[1]
	if p[2] != "" {
		small += " · " + p[2]
	}
	return htmlCell{Main: p[0], Small: small, Paper: true}
}
