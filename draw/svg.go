package draw

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
)

const (
	margin   = 10.0
	ink      = "#1a1a1a"
	paleInk  = "#8a8a8a" // the dead state and what leads there
	minusInk = "#b3261e" // negative weights
	paper    = "#ffffff"
	fontName = "'Latin Modern Roman', 'STIX Two Text', 'Cambria', 'Times New Roman', 'Liberation Serif', 'DejaVu Serif', serif"
)

// writeSVG writes the picture. There are no ids, style sheets or markers: any
// number of pictures can stand in one HTML page without disturbing each other.
// The background is white and so are the halos of the labels, which makes the
// picture the same on a dark page.
func writeSVG(w *bufio.Writer, p *picture, parts bool) {
	openSVG(w, p.bounds(), p.Title, p.Description)
	if parts {
		w.WriteString(`<g class="paper">`)
	}
	writePaper(w, p.bounds())
	if parts {
		w.WriteString("</g>\n")
	}
	writeGraph(w, p, parts)
	w.WriteString("</svg>\n")
}

// openSVG begins a picture of what is within a box.
func openSVG(w *bufio.Writer, b box, title, description string) {
	b = b.grow(margin)
	width, height := math.Ceil(b.x1-b.x0), math.Ceil(b.y1-b.y0)
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%s" height="%s" viewBox="%s %s %s %s">`+"\n",
		num(width), num(height), num(b.x0), num(b.y0), num(width), num(height))
	fmt.Fprintf(w, "<title>%s</title>\n<desc>%s</desc>\n", escape(title), escape(description))
}

// writePaper writes the background of what is within a box.
func writePaper(w *bufio.Writer, b box) {
	b = b.grow(margin)
	fmt.Fprintf(w, `<rect x="%s" y="%s" width="%s" height="%s" rx="6" fill="%s"/>`+"\n",
		num(b.x0), num(b.y0), num(math.Ceil(b.x1-b.x0)), num(math.Ceil(b.y1-b.y0)), paper)
}

// writeGraph writes states and edges.
func writeGraph(w *bufio.Writer, p *picture, parts bool) {
	part := func(class string, data ...any) (end func()) {
		if !parts {
			return func() {}
		}
		return openPart(w, class, data...)
	}
	fmt.Fprintf(w, `<g font-family="%s" font-size="%s" font-style="italic" text-anchor="middle" stroke-width="1.2" stroke-linejoin="round" fill="none" stroke="%s">`+"\n",
		fontName, num(fontSize), ink)
	end := part("start")
	writePath(w, p.curve[len(p.Edges)], ink, "", "")
	end()
	edge := func(e Edge) func() {
		return part("edge", "from", p.Nodes[e.From].ID, "to", p.Nodes[e.To].ID)
	}
	for i, e := range p.Edges {
		color, dash := ink, ""
		switch {
		case p.Nodes[e.To].Dead:
			color = paleInk
		case e.Negative:
			color, dash = minusInk, ` stroke-dasharray="5 3"`
		case e.Width > 0:
			dash = fmt.Sprintf(` stroke-width="%s"`, num(e.Width))
		}
		end := edge(e)
		title := ""
		if p.text[i].hidden {
			title, dash = p.tooltip(e), dash+` stroke-opacity="0.45"`
		}
		writePath(w, p.curve[i], color, dash, title)
		end()
	}
	for i, n := range p.Nodes {
		end := part("state", "state", n.ID, "name", n.Name)
		writeNode(w, n, p.at[i])
		end()
	}
	for i, e := range p.Edges {
		end := edge(e)
		writeLabel(w, p, i)
		end()
	}
	w.WriteString("</g>\n")
}

// openPart opens a group with a class and data attributes, given as names and
// values in turn, and returns what closes it.
func openPart(w *bufio.Writer, class string, data ...any) (end func()) {
	fmt.Fprintf(w, `<g class="%s"`, class)
	for i := 0; i < len(data); i += 2 {
		fmt.Fprintf(w, ` data-%s="%s"`, data[i], strings.ReplaceAll(escape(fmt.Sprint(data[i+1])), `"`, "&quot;"))
	}
	w.WriteString(">")
	return func() { w.WriteString("</g>\n") }
}

// bounds returns the box of everything that is drawn.
func (p *picture) bounds() box {
	b := around(p.at[0], 2*reach, 2*reach)
	for _, at := range p.at {
		b = b.union(around(at, 2*reach, 2*reach))
	}
	for _, c := range p.curve {
		b = b.union(c.box)
	}
	for _, t := range p.text {
		b = b.union(t.box)
	}
	return b
}

// writePath writes a curve with an arrowhead at its end, the head's axis along
// the last stretch of the curve. dash is an attribute for the line, title its tooltip; both
// may be nothing.
func writePath(w *bufio.Writer, c curve, color, dash, title string) {
	fmt.Fprintf(w, `<path d="M%s`, xy(c.path[0][0]))
	for _, b := range c.path {
		fmt.Fprintf(w, "C%s %s %s", xy(b[1]), xy(b[2]), xy(b[3]))
	}
	if title != "" {
		fmt.Fprintf(w, `" stroke="%s"%s>%s</path>`, color, dash, title)
	} else {
		fmt.Fprintf(w, `" stroke="%s"%s/>`, color, dash)
	}
	const length, half, notch = 9.0, 3.4, 6.5
	tip := c.line[len(c.line)-1]
	base := tip
	for k := len(c.line) - 1; k >= 0 && base.dist(tip) < length; k-- {
		base = c.line[k]
	}
	back := tip.angleTo(base)
	mid := tip.toward(back, length)
	fmt.Fprintf(w, `<path d="M%sL%s %s %sZ" fill="%s" stroke="none"/>`+"\n", xy(tip),
		xy(mid.toward(back+math.Pi/2, half)), xy(tip.toward(back, notch)), xy(mid.toward(back-math.Pi/2, half)), color)
}

func writeNode(w *bufio.Writer, n Node, at point) {
	if n.Dead {
		fmt.Fprintf(w, `<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s" stroke-dasharray="4 3"/>`,
			num(at.x), num(at.y), num(radius), paper, paleInk)
		fmt.Fprintf(w, `<text x="%s" y="%s" font-style="normal" fill="%s" stroke="none">%s</text>`+"\n",
			num(at.x), num(at.y+5.5), paleInk, escape(n.Name))
		return
	}
	fmt.Fprintf(w, `<circle cx="%s" cy="%s" r="%s" fill="%s"/>`, num(at.x), num(at.y), num(radius), cmp.Or(n.Fill, paper))
	if n.Accept {
		fmt.Fprintf(w, `<circle cx="%s" cy="%s" r="%s"/>`, num(at.x), num(at.y), num(radius-3.5))
	}
	baseline := 4.0
	if n.Out != "" {
		baseline = 2 // room for the weight
	}
	base := strings.TrimRight(n.Name, "0123456789")
	fmt.Fprintf(w, `<text x="%s" y="%s" fill="%s" stroke="none">%s<tspan dy="3.5" font-size="11" font-style="normal">%s</tspan></text>`+"\n",
		num(at.x), num(at.y+baseline), ink, escape(base), n.Name[len(base):])
	writeWeight(w, at, -7.5, n.In)
	writeWeight(w, at, 13, n.Out)
}

// writeWeight writes a weight into a state, below or above its name.
func writeWeight(w *bufio.Writer, at point, below float64, weight string) {
	if weight != "" {
		fmt.Fprintf(w, `<text x="%s" y="%s" font-size="9" font-style="normal" fill="%s" stroke="none">%s</text>`+"\n",
			num(at.x), num(at.y+below), ink, escape(weight))
	}
}

// writeLabel writes the symbols of edge i on a white halo, with the full list as a tooltip.
// The halo is a text of its own: not every renderer knows how to paint a stroke below the
// letters that it belongs to.
func writeLabel(w *bufio.Writer, p *picture, i int) {
	e, b := p.Edges[i], p.text[i]
	if b.hidden {
		return
	}
	if b.onLine {
		fmt.Fprintf(w, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s" stroke="none"/>`,
			num(b.x0+1), num(b.y0+1), num(b.x1-b.x0-2), num(b.y1-b.y0-2), paper)
	}
	x, y, text := num((b.x0+b.x1)/2), num((b.y0+b.y1)/2+5), escape(e.Short)
	fmt.Fprintf(w, `<text aria-hidden="true" x="%s" y="%s" fill="%s" stroke="%s" stroke-width="4">%s</text>`, x, y, paper, paper, text)
	fmt.Fprintf(w, `<text x="%s" y="%s" fill="%s" stroke="none">%s%s</text>`+"\n", x, y, ink, p.tooltip(e), text)
}

// tooltip returns the title of an edge.
func (p *picture) tooltip(e Edge) string {
	return fmt.Sprintf("<title>%s → %s: %s</title>", escape(p.Nodes[e.From].Name), escape(p.Nodes[e.To].Name), escape(e.Label))
}

// num writes a coordinate with at most one decimal.
func num(x float64) string {
	s := strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
	if s == "-0" {
		return "0"
	}
	return s
}

func xy(p point) string { return num(p.x) + " " + num(p.y) }

// escape makes any text fit for XML. The characters that XML 1.0 forbids even in
// escaped form are written as in a Go string, \x00.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r < ' ' || r == 0x7F || r == 0xFFFE || r == 0xFFFF:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
