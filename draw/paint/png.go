package paint

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/vector"
)

// Pixels of a PNG: so many for a unit of the picture, and no more than that in all.
const (
	density   = 2.0
	maxPixels = 50e6
)

// PNG paints an SVG of this project as an image.
func PNG(w io.Writer, svg io.Reader) error {
	p, err := read(svg)
	if err != nil {
		return err
	}
	scale := min(density, math.Sqrt(maxPixels/(p.width*p.height)))
	img := image.NewRGBA(image.Rect(0, 0, int(math.Ceil(p.width*scale)), int(math.Ceil(p.height*scale))))
	c := canvas{img, func(q point) point { return point{(q.x - p.x) * scale, (q.y - p.y) * scale} }, scale}
	for _, s := range p.shapes {
		if s.fill != nil {
			c.fill(polylines(s.path), *s.fill, s.opacity)
		}
		if s.stroke != nil {
			c.stroke(s)
		}
	}
	return png.Encode(w, img)
}

type canvas struct {
	img   *image.RGBA
	at    func(point) point
	scale float64
}

// fill paints the inside of closed lines. Only the part of the image that they cover is
// touched.
func (c canvas) fill(lines [][]point, ink color.NRGBA, opacity float64) {
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, line := range lines {
		for _, q := range line {
			q = c.at(q)
			low, high = point{min(low.x, q.x), min(low.y, q.y)}, point{max(high.x, q.x), max(high.y, q.y)}
		}
	}
	box := image.Rect(int(math.Floor(low.x)), int(math.Floor(low.y)), int(math.Ceil(high.x))+1, int(math.Ceil(high.y))+1).Intersect(c.img.Bounds())
	if len(lines) == 0 || box.Empty() {
		return
	}
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	for _, line := range lines {
		for i, q := range line {
			q = c.at(q)
			x, y := float32(q.x)-float32(box.Min.X), float32(q.y)-float32(box.Min.Y)
			if i == 0 {
				r.MoveTo(x, y)
			} else {
				r.LineTo(x, y)
			}
		}
		r.ClosePath()
	}
	ink.A = uint8(255*opacity + 0.5)
	r.DrawOp = draw.Over
	r.Draw(c.img, box, image.NewUniform(ink), image.Point{})
}

// stroke paints a line of some width: it goes along one side of it and back along the other.
func (c canvas) stroke(s shape) {
	half := max(s.width/2, 0.35/c.scale)
	for _, whole := range polylines(s.path) {
		for _, line := range dashes(whole, s.dash) {
			there, back := make([]point, len(line)), make([]point, len(line))
			for i, q := range line {
				n := normal(line, i)
				there[i] = point{q.x + n.x*half, q.y + n.y*half}
				back[len(line)-1-i] = point{q.x - n.x*half, q.y - n.y*half}
			}
			c.fill([][]point{append(there, back...)}, *s.stroke, s.see)
		}
	}
}

// normal returns the direction across a line at its point i. Where the line turns it is
// between those before and after, and longer, so that the width stays; not much
// longer, so that sharp corners have no thorns.
func normal(line []point, i int) point {
	last := len(line) - 1
	before, after := max(i-1, 0), min(i+1, last)
	if closed := line[0] == line[last]; closed && i == 0 {
		before = last - 1
	} else if closed && i == last {
		after = 1
	}
	n, m := across(line[before], line[i]), across(line[i], line[after])
	sum := point{n.x + m.x, n.y + m.y}
	length := math.Hypot(sum.x, sum.y)
	if length < 0.3 { // it turns back
		return n
	}
	scale := 1 / length
	if n != (point{}) && m != (point{}) {
		scale = min(2/length, 1.6) / length
	}
	return point{sum.x * scale, sum.y * scale}
}

// across returns the direction at a right angle to that from a to b, zero if they are one.
func across(a, b point) point {
	d := a.dist(b)
	if d == 0 {
		return point{}
	}
	return point{-(b.y - a.y) / d, (b.x - a.x) / d}
}
