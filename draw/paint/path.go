package paint

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// parsePath reads the data of a path: M, L, H, V, C and Z, the lower case ones relative to
// where the path is. Numbers that follow without a letter repeat the last one.
func parsePath(d string) ([]segment, error) {
	p := pathReader{rest: d}
	var path []segment
	op := byte(0)
	for p.skip(); p.rest != ""; p.skip() {
		if c := p.rest[0]; strings.IndexByte("MLHVCZmlhvcz", c) >= 0 {
			op, p.rest = c, p.rest[1:]
		}
		s, err := p.segment(op)
		if err != nil {
			return nil, fmt.Errorf("path %.40q: %w", d, err)
		}
		if len(path) == 0 && s.op != 'M' {
			return nil, fmt.Errorf("path %.40q does not begin with M", d)
		}
		path = append(path, s)
		switch op {
		case 'M':
			op = 'L'
		case 'm':
			op = 'l'
		case 'Z', 'z':
			op = 0
		}
	}
	return path, nil
}

type pathReader struct {
	rest  string
	at    point
	begin point // of the part of the path that is open
}

func (p *pathReader) skip() { p.rest = strings.TrimLeft(p.rest, " ,\n\t") }

func (p *pathReader) segment(op byte) (segment, error) {
	var from point
	if op >= 'a' {
		from = p.at
	}
	s := segment{op: op &^ 0x20}
	points := 1
	switch s.op {
	case 'Z':
		p.at = p.begin
		return s, nil
	case 'H', 'V':
		x, err := p.number()
		to := point{x + from.x, p.at.y}
		if s.op == 'V' {
			to = point{p.at.x, x + from.y}
		}
		p.at = to
		return segment{'L', [3]point{2: to}}, err
	case 'C':
		points = 3
	case 'M', 'L':
	default:
		return s, fmt.Errorf("a number without a command")
	}
	for i := 3 - points; i < 3; i++ {
		x, err := p.number()
		if err != nil {
			return s, err
		}
		y, err := p.number()
		if err != nil {
			return s, err
		}
		s.p[i] = point{from.x + x, from.y + y}
	}
	p.at = s.p[2]
	if s.op == 'M' {
		p.begin = p.at
	}
	return s, nil
}

func (p *pathReader) number() (float64, error) {
	p.skip()
	end := 0
	for end < len(p.rest) && (strings.IndexByte("0123456789.", p.rest[end]) >= 0 || end == 0 && p.rest[0] == '-') {
		end++
	}
	x, err := strconv.ParseFloat(p.rest[:end], 64)
	p.rest = p.rest[end:]
	return x, err
}

// polylines flattens a path; closed ones end where they begin. Points that follow each other
// are apart: between two that rounding alone tells apart a line has no direction, and its
// stroke a gap.
func polylines(path []segment) [][]point {
	var all [][]point
	var now []point
	const same = 1e-6
	add := func(points ...point) {
		for _, q := range points {
			if q.dist(now[len(now)-1]) > same {
				now = append(now, q)
			}
		}
	}
	finish := func() {
		if len(now) > 1 {
			all = append(all, now)
		}
		now = nil
	}
	for _, s := range path {
		switch s.op {
		case 'M':
			finish()
			now = []point{s.p[2]}
		case 'L':
			add(s.p[2])
		case 'C':
			add(cut(now[len(now)-1], s.p)...)
		case 'Z':
			if len(now) > 0 {
				add(now[0])
				now[len(now)-1] = now[0]
			}
			finish()
		}
	}
	finish()
	return all
}

// cut returns points along a cubic that begins at a.
func cut(a point, p [3]point) []point {
	length := a.dist(p[0]) + p[0].dist(p[1]) + p[1].dist(p[2])
	n := min(max(4, int(length/1.5)), 400)
	line := make([]point, n)
	for i := range line {
		t := float64(i+1) / float64(n)
		ab, bc, cd := a.mix(p[0], t), p[0].mix(p[1], t), p[1].mix(p[2], t)
		line[i] = ab.mix(bc, t).mix(bc.mix(cd, t), t)
	}
	return line
}

func (p point) dist(q point) float64 { return math.Hypot(p.x-q.x, p.y-q.y) }
func (p point) mix(q point, t float64) point {
	return point{p.x + (q.x-p.x)*t, p.y + (q.y-p.y)*t}
}

// dashes cuts a line into strokes of the given lengths, every second one left out.
func dashes(line []point, lengths []float64) [][]point {
	if len(lengths) == 0 {
		return [][]point{line}
	}
	var all [][]point
	on, k, left := true, 0, lengths[0]
	now := []point{line[0]}
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		for d := a.dist(b); d > left; d = a.dist(b) {
			a = a.mix(b, left/d)
			if on {
				all = append(all, append(now, a))
			}
			on, k = !on, k+1
			now, left = []point{a}, lengths[k%len(lengths)]
		}
		left -= a.dist(b)
		now = append(now, b)
	}
	if on && len(now) > 1 {
		all = append(all, now)
	}
	return all
}
