package draw

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
)

// A Figure is a row of plots, or several rows, that share one legend: a name has
// the same color and mark in all of them.
type Figure struct {
	Title   string // for screen readers and as a tooltip
	Columns int    // plots in a row
	SameY   bool   // all plots have the same range along y
	Plots   []Plot
}

// A Plot shows some series over common axes.
type Plot struct {
	Title  string
	X, Y   Axis
	Series []Series
}

// An Axis says what is measured along it. If Min and Max are both zero the range
// is that of the data. A logarithmic axis shows values that it has no place for,
// such as zero, at its end.
type Axis struct {
	Label    string
	Log      bool
	Min, Max float64
}

// A Series is a line through points that rise in X, with a shaded band from Low to
// High around it unless these are nil. Where Y is NaN the line has a gap.
type Series struct {
	Name      string
	X, Y      []float64
	Low, High []float64
	Reference bool // a thin dashed line to compare with
}

// The colors of Okabe and Ito (2008), which people with any kind of color vision
// can tell apart, and after them some of Paul Tol's; marks of different shapes help where
// lines are thin. Past these, lines are dashed.
var plotColors = []string{
	"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444",
	"#882255", "#999933", "#332288", "#88ccaa", "#aa4499",
}

const (
	plotFont   = "'Helvetica Neue', 'Segoe UI', 'Liberation Sans', 'DejaVu Sans', Arial, sans-serif"
	gridInk    = "#e4e4e4"
	axisInk    = "#777777"
	textInk    = "#333333"
	legendRow  = 22.0
	plotBorder = 8.0
)

// Sizes for a number of columns: the more there are, the smaller the plots, but
// letters stay as they are.
func plotSize(columns int) (width, height float64) {
	switch columns {
	case 1:
		return 640, 330
	case 2:
		return 480, 290
	case 3:
		return 330, 230
	}
	return 250, 195
}

// Plots writes a figure as SVG, under the guarantees of this package.
func Plots(w io.Writer, f Figure) error {
	f.check()
	width, height := plotSize(f.Columns)
	legend, legendHeight := f.legend(width * float64(f.Columns))
	rows := (len(f.Plots) + f.Columns - 1) / f.Columns
	total := box{0, 0, width*float64(f.Columns) + 2*plotBorder, height*float64(rows) + legendHeight + 2*plotBorder}

	var all []float64
	for _, p := range f.Plots {
		all = append(all, p.values()...)
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%s" height="%s" viewBox="0 0 %s %s">`+"\n",
		num(total.x1), num(total.y1), num(total.x1), num(total.y1))
	fmt.Fprintf(out, "<title>%s</title>\n", escape(f.Title))
	fmt.Fprintf(out, `<rect width="%s" height="%s" rx="6" fill="%s"/>`+"\n", num(total.x1), num(total.y1), paper)
	fmt.Fprintf(out, `<g font-family="%s" font-size="13" fill="%s" stroke-linejoin="round">`+"\n", plotFont, textInk)
	for _, e := range legend {
		e.write(out)
	}
	for i, p := range f.Plots {
		column, row := i%f.Columns, i/f.Columns
		x, y := plotBorder+width*float64(column), plotBorder+legendHeight+height*float64(row)
		// Labels that would only repeat a neighbor's are left out.
		if column > 0 && f.Plots[i-1].Y.Label == p.Y.Label {
			p.Y.Label = ""
		}
		if below := i + f.Columns; below < len(f.Plots) && f.Plots[below].X.Label == p.X.Label {
			p.X.Label = ""
		}
		ys := p.values()
		if f.SameY {
			ys = all
		}
		c := newCanvas(p, ys, box{x, y, x + width, y + height})
		c.write(out, f.style)
	}
	fmt.Fprint(out, "</g>\n</svg>\n")
	return out.Flush()
}

func (f Figure) check() {
	if f.Columns < 1 || len(f.Plots) == 0 {
		panic(fmt.Sprintf("draw: a figure of %d plots in %d columns", len(f.Plots), f.Columns))
	}
	for _, p := range f.Plots {
		for _, s := range p.Series {
			n := len(s.X)
			if len(s.Y) != n || s.Low != nil && (len(s.Low) != n || len(s.High) != n) {
				panic(fmt.Sprintf("draw: series %q has %d x, %d y and a band of %d to %d", s.Name, n, len(s.Y), len(s.Low), len(s.High)))
			}
			if !slices.IsSorted(s.X) {
				panic(fmt.Sprintf("draw: series %q does not rise in x", s.Name))
			}
		}
	}
}

// values returns all values along y.
func (p Plot) values() []float64 {
	var ys []float64
	for _, s := range p.Series {
		ys = slices.Concat(ys, s.Y, s.Low, s.High)
	}
	return ys
}

// A style is how a series looks.
type style struct {
	color     string
	mark      int
	reference bool
	round     int // how often all colors were used before
}

// names returns the series of all plots in the order in which they are met.
func (f Figure) names() []string {
	var names []string
	for _, p := range f.Plots {
		for _, s := range p.Series {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	return names
}

// style returns the look of a series, which is given by its place among the names.
func (f Figure) style(s Series) style {
	if s.Reference {
		return style{color: axisInk, reference: true}
	}
	i := slices.Index(f.names(), s.Name)
	return style{color: plotColors[i%len(plotColors)], mark: i, round: i / len(plotColors)}
}

// A legendEntry is a name and where it stands.
type legendEntry struct {
	name string
	at   point
	look style
}

// legend sets the names in rows within the width, and returns their height.
func (f Figure) legend(width float64) (entries []legendEntry, height float64) {
	const swatch, gap = 34.0, 22.0
	x, y := 4.0, 14.0
	met := map[string]bool{}
	for _, p := range f.Plots {
		for _, s := range p.Series {
			if met[s.Name] {
				continue
			}
			met[s.Name] = true
			need := swatch + sansWidth(s.Name) + gap
			if x > 4 && x+need > width {
				x, y = 4, y+legendRow
			}
			entries = append(entries, legendEntry{s.Name, point{plotBorder + x, plotBorder + y}, f.style(s)})
			x += need
		}
	}
	return entries, y + 10
}

func (e legendEntry) write(w *bufio.Writer) {
	a, b := e.at, point{e.at.x + 26, e.at.y}
	fmt.Fprintf(w, `<path d="M%sL%s" %s/>`, xy(a), xy(b), e.look.stroke())
	if !e.look.reference {
		writeMark(w, point{a.x + 13, a.y}, e.look)
	}
	fmt.Fprintf(w, `<text x="%s" y="%s">%s</text>`+"\n", num(b.x+6), num(b.y+4.5), escape(e.name))
}

func (s style) stroke() string {
	if s.reference {
		return fmt.Sprintf(`stroke="%s" stroke-width="1.3" stroke-dasharray="5 4" fill="none"`, s.color)
	}
	if s.round > 0 {
		return fmt.Sprintf(`stroke="%s" stroke-width="2" stroke-dasharray="%d 3" fill="none"`, s.color, 8/s.round+1)
	}
	return fmt.Sprintf(`stroke="%s" stroke-width="2" fill="none"`, s.color)
}

// sansWidth estimates the width of a name in the legend.
func sansWidth(text string) float64 { return 7 * float64(len([]rune(text))) }

// writeMark writes a circle, square, triangle or diamond. The first is the largest,
// so that it still shows where another lies on it.
func writeMark(w *bufio.Writer, p point, s style) {
	switch s.mark % 4 {
	case 0:
		fmt.Fprintf(w, `<circle cx="%s" cy="%s" r="4" fill="%s"/>`, num(p.x), num(p.y), s.color)
	case 1:
		fmt.Fprintf(w, `<path d="M%s %sh5v5h-5z" fill="%s"/>`, num(p.x-2.5), num(p.y-2.5), s.color)
	case 2:
		fmt.Fprintf(w, `<path d="M%s %sl3.6 6.4h-7.2z" fill="%s"/>`, num(p.x), num(p.y-4), s.color)
	case 3:
		fmt.Fprintf(w, `<path d="M%s %sl3.8 3.8l-3.8 3.8l-3.8 -3.8z" fill="%s"/>`, num(p.x), num(p.y-3.8), s.color)
	}
}

// A canvas is a plot with its place on the page.
type canvas struct {
	p    Plot
	area box // between the axes
	x, y scale
}

func newCanvas(p Plot, ys []float64, b box) *canvas {
	// Room is left for labels even if there are none, so that neighbors are alike.
	area := box{b.x0 + 56, b.y0 + 30, b.x1 - 12, b.y1 - 44}
	var xs []float64
	for _, s := range p.Series {
		xs = append(xs, s.X...)
	}
	return &canvas{
		p, area,
		newScale(p.X, xs, area.x0, area.x1, 36, false),
		newScale(p.Y, ys, area.y1, area.y0, 24, true),
	}
}

func (c *canvas) write(w *bufio.Writer, look func(Series) style) {
	a := c.area
	for _, t := range c.y.ticks {
		y := c.y.at(t)
		fmt.Fprintf(w, `<path d="M%s %sH%s" stroke="%s"/>`, num(a.x0), num(y), num(a.x1), gridInk)
		fmt.Fprintf(w, `<text x="%s" y="%s" font-size="12" text-anchor="end">%s</text>`+"\n", num(a.x0-6), num(y+4), tickText(t))
	}
	fmt.Fprintf(w, `<path d="M%s %sH%s" stroke="%s"/>`+"\n", num(a.x0), num(a.y1), num(a.x1), axisInk)
	for _, t := range c.x.ticks {
		x := c.x.at(t)
		fmt.Fprintf(w, `<path d="M%s %sv4" stroke="%s"/>`, num(x), num(a.y1), axisInk)
		fmt.Fprintf(w, `<text x="%s" y="%s" font-size="12" text-anchor="middle">%s</text>`+"\n", num(x), num(a.y1+17), tickText(t))
	}
	middle := (a.x0 + a.x1) / 2
	fmt.Fprintf(w, `<text x="%s" y="%s" font-weight="bold">%s</text>`+"\n", num(a.x0), num(a.y0-11), escape(c.p.Title))
	if c.p.X.Label != "" {
		fmt.Fprintf(w, `<text x="%s" y="%s" text-anchor="middle">%s</text>`+"\n", num(middle), num(a.y1+35), escape(c.p.X.Label))
	}
	if c.p.Y.Label != "" {
		x, y := num(a.x0-42), num((a.y0+a.y1)/2)
		fmt.Fprintf(w, `<text transform="translate(%s %s) rotate(-90)" text-anchor="middle">%s</text>`+"\n", x, y, escape(c.p.Y.Label))
	}
	// Bands lie below all lines.
	for _, s := range c.p.Series {
		c.writeBand(w, s, look(s))
	}
	for _, s := range c.p.Series {
		c.writeLine(w, s, look(s))
	}
}

// stretches calls f with every run of points from i up to j that has no gap.
func stretches(s Series, f func(i, j int)) {
	for i := 0; i < len(s.Y); {
		if math.IsNaN(s.Y[i]) {
			i++
			continue
		}
		j := i
		for j < len(s.Y) && !math.IsNaN(s.Y[j]) {
			j++
		}
		f(i, j)
		i = j
	}
}

func (c *canvas) writeBand(w *bufio.Writer, s Series, look style) {
	if s.Low == nil {
		return
	}
	stretches(s, func(i, j int) {
		fmt.Fprint(w, `<path d="M`)
		for k := i; k < j; k++ {
			fmt.Fprintf(w, "%s %s ", num(c.x.at(s.X[k])), num(c.y.at(s.High[k])))
		}
		for k := j - 1; k >= i; k-- {
			fmt.Fprintf(w, "%s %s ", num(c.x.at(s.X[k])), num(c.y.at(s.Low[k])))
		}
		fmt.Fprintf(w, `Z" fill="%s" fill-opacity="0.17"/>`+"\n", look.color)
	})
}

func (c *canvas) writeLine(w *bufio.Writer, s Series, look style) {
	stretches(s, func(i, j int) {
		fmt.Fprint(w, `<path d="M`)
		for k := i; k < j; k++ {
			fmt.Fprintf(w, "%s %s ", num(c.x.at(s.X[k])), num(c.y.at(s.Y[k])))
		}
		fmt.Fprintf(w, `" %s/>`+"\n", look.stroke())
		for k := i; k < j && !look.reference; k++ {
			writeMark(w, point{c.x.at(s.X[k]), c.y.at(s.Y[k])}, look)
		}
	})
	fmt.Fprintln(w)
}
