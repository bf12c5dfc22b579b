package stochastic

import "math"

// An alergia merges a blue node into the first red one with which it is compatible.
//
// Two nodes are compatible if for every symbol, and for the end, the shares of the words
// that go on with it differ by no more than a bound of Hoeffding's, and their children on
// the same symbols are compatible. As in AALpy, both are judged by the words of the prefix
// tree itself: what was merged into them before does not count. So a test never changes,
// and needs no attempt.
type alergia struct {
	*tree
	width float64 // of the bound: √(ln(2/ε)/2)
	chain bool    // keep nodes apart that different symbols lead to
}

func (x *alergia) merge(f *folding, blue int32) bool {
	for _, r := range f.red {
		f.stats.Tried++
		if x.chain && (r == 0 || x.nodes[r].on != x.nodes[blue].on) {
			continue
		}
		if x.compatible(r, blue) {
			f.fold(r, blue)
			return true
		}
	}
	return false
}

// compatible reports whether what follows two nodes may come from one distribution.
func (x *alergia) compatible(a, b int32) bool {
	p, q := x.nodes[a], x.nodes[b]
	m, n := float64(p.passes), float64(q.passes)
	bound := (math.Sqrt(1/m) + math.Sqrt(1/n)) * x.width
	if far(p.ends, q.ends, m, n, bound) {
		return false
	}
	c, d := x.children(a), x.children(b)
	for i, j := 0, 0; i < len(c) || j < len(d); {
		switch {
		case j == len(d) || i < len(c) && c[i].on < d[j].on:
			if far(c[i].passes, 0, m, n, bound) {
				return false
			}
			i++
		case i == len(c) || d[j].on < c[i].on:
			if far(0, d[j].passes, m, n, bound) {
				return false
			}
			j++
		default:
			if far(c[i].passes, d[j].passes, m, n, bound) {
				return false
			}
			i, j = i+1, j+1
		}
	}
	for i, j := 0, 0; i < len(c) && j < len(d); {
		switch {
		case c[i].on < d[j].on:
			i++
		case d[j].on < c[i].on:
			j++
		default:
			if !x.compatible(p.first+int32(i), q.first+int32(j)) {
				return false
			}
			i, j = i+1, j+1
		}
	}
	return true
}

// far reports whether i of m and j of n are further apart than the bound.
func far(i, j int32, m, n, bound float64) bool {
	return math.Abs(float64(i)/m-float64(j)/n) > bound
}
