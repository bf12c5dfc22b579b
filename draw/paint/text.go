package paint

import (
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/go-fonts/stix/stix2mathregular"
	"github.com/go-fonts/stix/stix2textitalic"
	"github.com/go-fonts/stix/stix2textregular"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// A face is a font that is read when it is first needed.
type face func() *sfnt.Font

func newFace(data []byte) face {
	return sync.OnceValue(func() *sfnt.Font {
		f, err := sfnt.Parse(data)
		if err != nil {
			panic("paint: a font that comes with the program cannot be read: " + err.Error())
		}
		return f
	})
}

var (
	serif  = newFace(stix2textregular.TTF)
	italic = newFace(stix2textitalic.TTF)
	math2  = newFace(stix2mathregular.TTF)
	sans   = newFace(goregular.TTF)
	bold   = newFace(gobold.TTF)
)

// faces returns the fonts for a style, the first that has a character is taken.
func faces(s style) []face {
	switch {
	case strings.Contains(s["font-family"], "sans-serif"):
		if s["font-weight"] == "bold" {
			return []face{bold, sans, serif, math2}
		}
		return []face{sans, serif, math2}
	case s["font-style"] == "italic":
		return []face{italic, serif, math2}
	}
	return []face{serif, math2, sans}
}

// A line is the content of one text element: pieces, each in a style of its own, set one
// after the other.
type line struct {
	style  style
	pieces []piece
}

type piece struct {
	text  string
	style style
}

// add appends a text. White space between elements is no part of it.
func (l *line) add(text string, s style) {
	if strings.TrimSpace(text) != "" {
		l.pieces = append(l.pieces, piece{text, s})
	}
}

// shapes returns the outlines of the letters where the element says.
func (l *line) shapes() []shape {
	var all []shape
	x, y := 0.0, 0.0
	for _, p := range l.pieces {
		y += p.style.number("dy")
		path, width := outline(p.text, p.style, point{x, y})
		x += width
		all = append(all, p.style.shape(path))
	}
	place := l.place(x)
	for _, s := range all {
		for i := range s.path {
			for k, q := range s.path[i].p {
				s.path[i].p[k] = place(q)
			}
		}
	}
	return all
}

// place returns how the line, whose text is so wide, is moved and turned.
func (l *line) place(width float64) func(point) point {
	at := point{l.style.number("x"), l.style.number("y")}
	turn := 0.0
	for part := range strings.SplitSeq(l.style["transform"], ")") {
		name, arguments, _ := strings.Cut(strings.TrimSpace(part), "(")
		var n [2]float64
		for i, f := range strings.Fields(arguments) {
			n[i%2], _ = strconv.ParseFloat(f, 64)
		}
		switch name {
		case "translate":
			at = point{at.x + n[0], at.y + n[1]}
		case "rotate":
			turn = n[0] * math.Pi / 180
		}
	}
	back := map[string]float64{"middle": width / 2, "end": width}[l.style["text-anchor"]]
	sin, cos := math.Sincos(turn)
	return func(p point) point {
		p.x -= back
		return point{at.x + p.x*cos - p.y*sin, at.y + p.x*sin + p.y*cos}
	}
}

// outline returns a text as a path that begins at a point of the baseline, and its width.
func outline(text string, s style, at point) (path []segment, width float64) {
	size := s.number("font-size")
	var buffer sfnt.Buffer
	const em = 1000 // letters are loaded at this size, which no hinting disturbs
	for _, r := range text {
		font, glyph := glyphOf(&buffer, faces(s), r)
		segments, err := font.LoadGlyph(&buffer, glyph, fixed.I(em), nil)
		if err != nil {
			continue
		}
		scale := func(p fixed.Point26_6) point {
			return point{at.x + width + float64(p.X)/64*size/em, at.y + float64(p.Y)/64*size/em}
		}
		path = append(path, glyphPath(segments, scale)...)
		if advance, err := font.GlyphAdvance(&buffer, glyph, fixed.I(em), 0); err == nil {
			width += float64(advance) / 64 * size / em
		}
	}
	return path, width
}

// glyphOf returns the glyph of a character in the first of the fonts that has it; if none
// does, the box that the first has for such.
func glyphOf(b *sfnt.Buffer, all []face, r rune) (*sfnt.Font, sfnt.GlyphIndex) {
	for _, f := range all {
		if g, err := f().GlyphIndex(b, r); err == nil && g != 0 {
			return f(), g
		}
	}
	return all[0](), 0
}

func glyphPath(segments sfnt.Segments, at func(fixed.Point26_6) point) []segment {
	var path []segment
	var last point
	for _, s := range segments {
		var next segment
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if len(path) > 0 {
				path = append(path, segment{op: 'Z'})
			}
			next = segment{'M', [3]point{2: at(s.Args[0])}}
		case sfnt.SegmentOpLineTo:
			next = segment{'L', [3]point{2: at(s.Args[0])}}
		case sfnt.SegmentOpQuadTo: // as a cubic
			control, end := at(s.Args[0]), at(s.Args[1])
			next = segment{'C', [3]point{last.mix(control, 2.0/3), end.mix(control, 2.0/3), end}}
		case sfnt.SegmentOpCubeTo:
			next = segment{'C', [3]point{at(s.Args[0]), at(s.Args[1]), at(s.Args[2])}}
		}
		last = next.p[2]
		path = append(path, next)
	}
	if len(path) > 0 {
		path = append(path, segment{op: 'Z'})
	}
	return path
}
