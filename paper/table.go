package paper

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"quotient/extract"
	"quotient/internal/text"
	"quotient/sweep/plan"
)

// A publishedCell is one of the paper's Table 1.
type publishedCell struct {
	accuracy, std float64 // in percent
	states        int     // the smallest
}

// published holds Table 1 of the paper for Tomita 1 to 7.
var published = struct{ merging, kmeans []publishedCell }{
	merging: []publishedCell{{100, 0, 1}, {100, 0, 2}, {100, 0, 4}, {100, 0, 3}, {100, 0, 4}, {100, 0, 3}, {99.62, 0.55, 4}},
	kmeans:  []publishedCell{{100, 0, 1}, {100, 0, 2}, {100, 0, 4}, {100, 0, 3}, {100, 0, 4}, {100, 0, 3}, {57.35, 0.25, 1}},
}

// smallest is the table's column |Q|: the sizes of the minimal automata.
var smallest = []int{1, 2, 4, 3, 4, 3, 4}

// publishedExact is how often of five the text says that state merging recovers the
// language: always for Tomita 1 to 6, three times for Tomita 7.
var publishedExact = []int{5, 5, 5, 5, 5, 5, 3}

// The figures of Table 1. Tests make it smaller.
var tableStrings = 300

const (
	tableLength  = 10
	tableSamples = 5
)

// table returns the cases of the table for a language, after an epoch.
func (s setting) table(language string, epoch int) []Case {
	return s.samples(language, epoch, tableStrings, tableLength, tableSamples)
}

// A Row of the table is a method on a language. Accuracies are shares from 0 to 1,
// over the samples that gave an automaton; without any they are nil.
type Row struct {
	Language       string   `json:"language"`
	Method         string   `json:"method"`
	Kappa          float64  `json:"kappa"`      // the median of the samples, if chosen by evidence; 0 for k-means
	Auto           bool     `json:"kappa_auto"` // it was chosen by evidence, for each sample anew
	Accuracy       *float64 `json:"accuracy_mean"`
	Std            *float64 `json:"accuracy_std"`
	SmallestStates *int     `json:"smallest_states"`
	Exact          int      `json:"exact"`
	Samples        int      `json:"samples"`
	Failed         int      `json:"failed"` // samples that passed the limit of states

	PaperAccuracy float64 `json:"paper_accuracy_mean"`
	PaperStd      float64 `json:"paper_accuracy_std"`
	PaperStates   int     `json:"paper_smallest_states"`
	PaperExact    *int    `json:"paper_exact"` // nil where the paper does not say
	TargetStates  int     `json:"target_states"`

	setting setting
}

// tableSettings are the columns of the table, the paper's own kinds first.
var tableSettings = []setting{union, keep, foldAuto, fold, kmeans}

// tableCases returns the cases of the table for all languages after some epochs.
func tableCases(epochs []int, settings ...setting) (cases []Case) {
	for _, s := range settings {
		for _, l := range Languages {
			for _, e := range epochs {
				cases = append(cases, s.table(l, e)...)
			}
		}
	}
	return cases
}

// rows returns the rows of one setting.
func rows(r Results, s setting) []Row {
	var out []Row
	for i, l := range Languages {
		paper, paperExact := published.merging[i], &publishedExact[i]
		if s.method == extract.KMeans {
			paper, paperExact = published.kmeans[i], nil
		}
		outcomes := r.of(s.table(l, 0))
		row := Row{
			Language: l, Method: s.method, Kappa: s.kappa, Auto: s.method != extract.KMeans && s.kappa == extract.ChosenKappa,
			Exact: exact(outcomes), Samples: len(outcomes),
			PaperAccuracy: paper.accuracy / 100, PaperStd: paper.std / 100, PaperStates: paper.states, PaperExact: paperExact,
			TargetStates: smallest[i], setting: s,
		}
		if row.Auto {
			row.Kappa = median(outcomes, func(o *plan.Outcome) float64 { return o.Kappa })
		}
		sizes := pick(outcomes, states)
		row.Failed = len(outcomes) - len(sizes)
		if len(sizes) > 0 {
			m, sd := mean(pick(outcomes, func(o *plan.Outcome) float64 { return o.Accuracy }))
			n := int(slices.Min(sizes))
			row.Accuracy, row.Std, row.SmallestStates = &m, &sd, &n
		}
		out = append(out, row)
	}
	return out
}

// A Table is the paper's Table 1, measured.
type Table struct {
	Rows      []Row // union, keep, fold with kappa auto, and k-means
	SameKappa []Row // fold with the kappa of union and keep

	accepting float64 // the share of the held-out words of Tomita 7 that the network accepts
}

func newTable(r Results) Table {
	last := Languages[len(Languages)-1]
	t := Table{SameKappa: rows(r, fold), accepting: r.of(kmeans.table(last, 0))[0].Accepts}
	for _, s := range tableSettings {
		if s != fold {
			t.Rows = append(t.Rows, rows(r, s)...)
		}
	}
	return t
}

// blocks returns the rows by setting, in the order of tableSettings.
func (t Table) blocks() [][]Row {
	var blocks [][]Row
	for _, s := range tableSettings {
		var block []Row
		for _, row := range slices.Concat(t.Rows, t.SameKappa) {
			if row.setting == s {
				block = append(block, row)
			}
		}
		blocks = append(blocks, block)
	}
	return blocks
}

// percents writes mean and deviation, which are shares, in percent. It does not
// round up to 100.
func percents(mean, std float64) string {
	text := fmt.Sprintf("%.2f", 100*mean)
	if mean < 1 && text == "100.00" {
		text = "99.99"
	}
	return fmt.Sprintf("%s ± %.2f", text, 100*std)
}

// Measured returns the cells of a row that were measured: accuracy, smallest size
// and exact recoveries.
func (r Row) Measured() [3]string {
	cells := [3]string{"-", "-", fmt.Sprintf("%d/%d", r.Exact, r.Samples)}
	if r.Accuracy != nil {
		cells[0], cells[1] = percents(*r.Accuracy, *r.Std), fmt.Sprint(*r.SmallestStates)
	}
	return cells
}

// Printed returns the same cells as the paper has them.
func (r Row) Printed() [3]string {
	cells := [3]string{percents(r.PaperAccuracy, r.PaperStd), fmt.Sprint(r.PaperStates), ""}
	if r.PaperExact != nil {
		cells[2] = fmt.Sprintf("%d/5", *r.PaperExact)
	}
	return cells
}

var trailing = regexp.MustCompile(` +\n`)

// Text prints the table for people.
func (t Table) Text() string {
	var b strings.Builder
	line := func(cells ...any) { fmt.Fprintf(&b, "%-10s %3v   %15s  %3s %6s   %15s  %3s %6s  %s\n", cells...) }
	fmt.Fprintf(&b, "%d strings of length %d, %d samples, %s held-out words\n", tableStrings, tableLength, tableSamples, "1,000")
	for _, block := range t.blocks() {
		fmt.Fprintf(&b, "\n%-16s %24s %31s\n", block[0].setting, "measured", "the paper")
		line("", "|Q|", "accuracy", "|Q̂|", "exact", "accuracy", "|Q̂|", "exact", "")
		for _, r := range block {
			m, p, note := r.Measured(), r.Printed(), ""
			if r.Failed > 0 {
				note = fmt.Sprintf("%d of %d samples passed the limit of states", r.Failed, r.Samples)
			}
			line(r.Language, r.TargetStates, m[0], m[1], m[2], p[0], p[1], p[2], note)
		}
	}
	fmt.Fprintln(&b)
	for _, s := range t.sentences() {
		fmt.Fprintln(&b, s)
	}
	return strings.TrimRight(trailing.ReplaceAllString(b.String(), "\n"), "\n") + "\n"
}

// Tell writes the table for people; where there is no room for it, as tables that are cut
// into parts.
func (t Table) Tell(w io.Writer) {
	whole := t.Text()
	if width := text.Width(w); width == 0 || width >= textColumns {
		fmt.Fprintln(w, whole)
		return
	}
	for _, block := range t.blocks() {
		fmt.Fprintf(w, "%s, measured and in the paper\n", block[0].setting)
		grid := text.Table("", "|Q|", "accuracy", "|Q̂|", "exact", "paper's", "|Q̂|", "exact")
		for _, r := range block {
			m, p := r.Measured(), r.Printed()
			grid.AppendRow(text.Row{r.Language, r.TargetStates, m[0], m[1], m[2], p[0], p[1], p[2]})
		}
		text.Print(w, grid)
		fmt.Fprintln(w)
	}
	for _, s := range t.sentences() {
		fmt.Fprintln(w, s)
	}
	fmt.Fprintln(w)
}

const textColumns = 76 // of a line of Text, but for its note

// sentences say what the table shows.
func (t Table) sentences() []string {
	var out []string
	for _, block := range t.blocks() {
		var sum, samples int
		var missed, failed []string
		for _, r := range block {
			sum, samples = sum+r.Exact, samples+r.Samples
			if r.Exact < r.Samples {
				missed = append(missed, fmt.Sprintf("%s %d/%d", title(r.Language), r.Exact, r.Samples))
			}
			if r.Failed > 0 {
				failed = append(failed, fmt.Sprintf("%s (%d of %d)", title(r.Language), r.Failed, r.Samples))
			}
		}
		text := fmt.Sprintf("%s: exactly the language for %d of %d samples", block[0].setting, sum, samples)
		if len(missed) > 0 {
			text += "; not always for " + strings.Join(missed, ", ")
		}
		if len(failed) > 0 {
			text += "; determinizing passed the limit of states for " + strings.Join(failed, ", ")
		}
		out = append(out, text+".")
	}
	out = append(out, t.differences()...)
	return append(out, fmt.Sprintf("Accepting every word would score %.2f%% on Tomita 7, where the paper has %.2f%% for k-means.",
		100*t.accepting, published.kmeans[6].accuracy))
}

// differences names the rows whose accuracy differs from the paper's by more than
// either's standard deviation and by at least half a percent.
func (t Table) differences() []string {
	var out []string
	for _, block := range t.blocks() {
		var parts []string
		for _, r := range block {
			if r.Accuracy == nil {
				continue
			}
			if d := math.Abs(*r.Accuracy - r.PaperAccuracy); d > max(*r.Std, r.PaperStd, 0.005) {
				parts = append(parts, fmt.Sprintf("%s %.2f%% against %.2f%%", title(r.Language), 100**r.Accuracy, 100*r.PaperAccuracy))
			}
		}
		if len(parts) > 0 {
			out = append(out, fmt.Sprintf("Accuracy of %s against the paper's: %s.", block[0].setting, strings.Join(parts, ", ")))
		}
	}
	return out
}

// title turns tomita5 into Tomita 5.
func title(language string) string {
	if number, ok := strings.CutPrefix(language, "tomita"); ok {
		return "Tomita " + number
	}
	return language
}
