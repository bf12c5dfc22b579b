// Package paint turns the SVG that this project writes into PDF and PNG, without a
// browser, LaTeX or fonts of the machine: a picture is described once, and every format
// shows the same.
//
// It reads the part of SVG that package draw writes: groups, rectangles, circles,
// paths and text, with their colors, lines and fonts as attributes. Anything else is an
// error, so that nothing is left out in silence. Letters come from fonts that are part of
// the program (STIX Two, Go) and are drawn as outlines; a character that none of them has
// is an empty box.
//
// Guarantees: the same picture gives the same bytes; the size of a PNG is bounded.
package paint

import (
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"strconv"
	"strings"
)

// A picture is a list of shapes on a page, the first ones below.
type picture struct {
	x, y, width, height float64 // of the page, in the units of the shapes
	shapes              []shape
}

// A shape is a path that is filled, or along which a line is drawn, or both.
type shape struct {
	path    []segment
	fill    *color.NRGBA
	stroke  *color.NRGBA
	width   float64 // of the line
	dash    []float64
	opacity float64 // of the fill
	see     float64 // opacity of the line
}

// A segment continues a path: M moves, L is a line, C a cubic, Z closes.
type segment struct {
	op byte
	p  [3]point // the last one counts for M and L
}

type point struct{ x, y float64 }

// read interprets a document.
func read(r io.Reader) (*picture, error) {
	in := interpreter{styles: []style{{"fill": "#000000", "stroke-width": "1", "font-size": "16"}}}
	decoder := xml.NewDecoder(r)
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = in.token(token)
		}
		if err != nil {
			return nil, fmt.Errorf("painting a picture: %w", err)
		}
	}
	if in.width <= 0 || in.height <= 0 {
		return nil, fmt.Errorf("painting a picture: it has no size")
	}
	return &in.picture, nil
}

// A style is the attributes that hold for an element, those of its ancestors included.
type style map[string]string

// number returns an attribute as a number; 0 if it is not there.
func (s style) number(name string) float64 {
	x, _ := strconv.ParseFloat(s[name], 64)
	return x
}

// color returns the color of an attribute, nil for none.
func (s style) color(name string) *color.NRGBA {
	hex, ok := strings.CutPrefix(s[name], "#")
	n, err := strconv.ParseUint(hex, 16, 32)
	if !ok || err != nil || len(hex) != 6 {
		return nil
	}
	return &color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}

// inherited are the attributes that an element has from what it stands in.
var inherited = []string{
	"fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray",
	"font-family", "font-size", "font-style", "font-weight", "text-anchor",
}

// An interpreter goes through a document.
type interpreter struct {
	picture
	styles []style // of the elements that are open
	silent int     // open elements whose text is not shown
	line   *line   // of the text element that is open
}

func (in *interpreter) token(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		s := style{}
		for _, name := range inherited {
			if v, ok := in.styles[len(in.styles)-1][name]; ok {
				s[name] = v
			}
		}
		for _, a := range t.Attr {
			s[a.Name.Local] = a.Value
		}
		in.styles = append(in.styles, s)
		return in.open(t.Name.Local, s)
	case xml.EndElement:
		in.styles = in.styles[:len(in.styles)-1]
		switch t.Name.Local {
		case "title", "desc":
			in.silent--
		case "text":
			in.shapes = append(in.shapes, in.line.shapes()...)
			in.line = nil
		}
	case xml.CharData:
		if in.line != nil && in.silent == 0 {
			in.line.add(string(t), in.styles[len(in.styles)-1])
		}
	}
	return nil
}

func (in *interpreter) open(name string, s style) error {
	switch name {
	case "svg":
		box := strings.Fields(s["viewBox"])
		if len(box) != 4 {
			return fmt.Errorf("viewBox %q", s["viewBox"])
		}
		for i, to := range []*float64{&in.x, &in.y, &in.width, &in.height} {
			*to, _ = strconv.ParseFloat(box[i], 64)
		}
	case "g":
	case "title", "desc":
		in.silent++
	case "rect":
		in.shapes = append(in.shapes, s.shape(roundRect(s.number("x"), s.number("y"), s.number("width"), s.number("height"), s.number("rx"))))
	case "circle":
		r := s.number("r")
		in.shapes = append(in.shapes, s.shape(roundRect(s.number("cx")-r, s.number("cy")-r, 2*r, 2*r, r)))
	case "path":
		path, err := parsePath(s["d"])
		if err != nil {
			return err
		}
		in.shapes = append(in.shapes, s.shape(path))
	case "text":
		in.line = &line{style: s}
	case "tspan":
	default:
		return fmt.Errorf("there is a %s in it", name)
	}
	return nil
}

// shape returns a path in the colors of a style.
func (s style) shape(path []segment) shape {
	sh := shape{path: path, fill: s.color("fill"), stroke: s.color("stroke"), width: s.number("stroke-width"), opacity: 1, see: 1}
	if s["fill-opacity"] != "" {
		sh.opacity = s.number("fill-opacity")
	}
	if s["stroke-opacity"] != "" {
		sh.see = s.number("stroke-opacity")
	}
	for _, f := range strings.Fields(strings.ReplaceAll(s["stroke-dasharray"], ",", " ")) {
		if x, err := strconv.ParseFloat(f, 64); err == nil && x > 0 {
			sh.dash = append(sh.dash, x)
		}
	}
	return sh
}

// roundRect returns a rectangle whose corners are quarters of circles of radius r.
func roundRect(x, y, w, h, r float64) []segment {
	k := r * 0.4477 // what a cubic leaves of the corner
	move := func(x, y float64) segment { return segment{'M', [3]point{2: {x, y}}} }
	line := func(x, y float64) segment { return segment{'L', [3]point{2: {x, y}}} }
	curve := func(a, b, c, d, e, f float64) segment { return segment{'C', [3]point{{a, b}, {c, d}, {e, f}}} }
	return []segment{
		move(x+r, y), line(x+w-r, y), curve(x+w-k, y, x+w, y+k, x+w, y+r),
		line(x+w, y+h-r), curve(x+w, y+h-k, x+w-k, y+h, x+w-r, y+h),
		line(x+r, y+h), curve(x+k, y+h, x, y+h-k, x, y+h-r),
		line(x, y+r), curve(x, y+k, x+k, y, x+r, y),
		{op: 'Z'},
	}
}
