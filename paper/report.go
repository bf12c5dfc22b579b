package paper

import (
	"context"
	_ "embed"
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
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
	shown    []shown
	results  Results
}

// Reproduce measures and makes the table, the figures, or both. The seed is that of the
// first sample; the others follow.
func Reproduce(ctx context.Context, what string, nets Networks, seed uint64, run Runner) (*Reproduction, error) {
	if err := nets.check(); err != nil {
		return nil, err
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
	var err error
	if r.results, err = measure(ctx, cases, seed, run); err != nil {
		return nil, err
	}
	for _, e := range r.exhibits {
		s, err := e.show(r.results)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		if s.table != nil {
			r.Table = s.table
		}
		if s.records == nil {
			s.records = records(e.cases, r.results)
		}
		r.shown = append(r.shown, s)
	}
	return r, nil
}

func tableExhibit() exhibit {
	return exhibit{
		name:  "table1",
		title: "Table 1: extraction from all seven languages",
		about: "Accuracy on 1,000 held-out words of length 0 to 50, half of them valid, as the automaton against the network: mean and standard " +
			"deviation of 5 samples of 300 strings of length 10. |Q̂| is the size of the smallest automaton found, |Q| the smallest possible, the dead state " +
			"not counted; exact says how often the automaton accepts exactly the language. The paper's text describes union, its released code does keep; " +
			"fold is ours.",
		cases: tableCases(),
		show: func(r Results) (shown, error) {
			t := newTable(r)
			return shown{table: &t, sentences: t.sentences()}, nil
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
			c.Language, epoch, string(c.Method), kappa, strconv.Itoa(c.Strings), strconv.Itoa(c.Length), strconv.Itoa(c.Sample + 1),
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

// Write writes report.html, the pictures and the data to a folder, which it makes,
// and returns the names of the files.
func (r *Reproduction) Write(folder string) ([]string, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	var files []string
	write := func(name string, f func(io.Writer) error) error {
		var b strings.Builder
		if err := f(&b); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		files = append(files, name)
		return replace(filepath.Join(folder, name), b.String())
	}
	if err := write("report.html", r.HTML); err != nil {
		return nil, err
	}
	for i, e := range r.exhibits {
		for _, p := range r.shown[i].pictures {
			if err := write(p.Name+".svg", func(w io.Writer) error {
				_, err := io.WriteString(w, string(p.SVG))
				return err
			}); err != nil {
				return nil, err
			}
		}
		if err := write(e.name+".csv", func(w io.Writer) error { return csv.NewWriter(w).WriteAll(r.shown[i].records) }); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// replace writes a file aside and renames it, so that one that was there before
// stays if there is no room.
func replace(path, text string) error {
	aside := path + ".part"
	err := os.WriteFile(aside, []byte(text), 0o666)
	if err == nil {
		err = os.Rename(aside, path)
	}
	if err != nil {
		os.Remove(aside)
		return fmt.Errorf("%w; make room there, or choose another folder", err)
	}
	return nil
}

//go:embed report.html
var reportHTML string

var reportTemplate = template.Must(template.New("report").Parse(reportHTML))

// HTML writes everything as one page that refers to nothing else.
func (r *Reproduction) HTML(w io.Writer) error {
	type page struct {
		Name, Title, About string
		Table              *htmlTable
		Pictures           []picture
		Grid               [][]string
		Sentences          []string
	}
	var pages []page
	for i, e := range r.exhibits {
		s := r.shown[i]
		p := page{e.name, e.title, e.about, nil, s.pictures, s.grid, s.sentences}
		if s.table != nil {
			p.Table = s.table.html()
		}
		pages = append(pages, p)
	}
	return reportTemplate.Execute(w, struct {
		Source string
		Seed   uint64
		Pages  []page
	}{r.Source, r.Seed, pages})
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

func (t Table) html() *htmlTable {
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

// join writes a list as people do: a, b and c.
func join(list []string) string {
	n := len(list)
	if n < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
}

// count writes a number of things.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
