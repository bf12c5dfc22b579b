package tally

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"quotient/prefix"
	"quotient/word"
)

// A Counter is a count that a network may keep: each symbol adds a number to it.
type Counter struct {
	Add   []int   // for each symbol
	Share float64 // how much of its variance a linear function of the state explains, on words set aside
}

// Name writes a counter for people: "+a −b".
func (c Counter) Name(a *word.Alphabet) string {
	var parts []string
	for s, add := range c.Add {
		if add != 0 {
			parts = append(parts, sign(add)+word.QuoteName(a.Name(word.Symbol(s))))
		}
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, " ")
}

func sign(add int) string {
	switch add {
	case 1:
		return "+"
	case -1:
		return "−"
	}
	return fmt.Sprintf("%+d", add)
}

// maxSymbols bounds the counters that are considered: 3 to this power.
const maxSymbols = 10

// counters returns all counters that add -1, 0 or 1 for each symbol and that a linear
// function of the state tells, the clearest first.
//
// A counter is a sum of tallies, of how often each symbol has occurred. So it is
// enough to fit the tallies to the states by least squares, once: the error of any
// counter follows from the errors of the tallies and how they vary together. Every
// other node is set aside to measure them.
func (p *pool) counters(least float64) []Counter {
	k := p.tree.Alphabet.Len()
	nodes := p.alive()
	if stride := len(nodes)/4000 + 1; stride > 1 {
		for i := range len(nodes) / stride {
			nodes[i] = nodes[i*stride]
		}
		nodes = nodes[:len(nodes)/stride]
	}
	if k > maxSymbols || len(nodes) < 8 {
		return nil
	}
	residual, total := p.fit(nodes)
	var list []Counter
	add := make([]int, k)
	var choose func(s int)
	choose = func(s int) {
		if s < k {
			for _, x := range []int{0, 1, -1} {
				if add[s] = x; x >= 0 || slices.ContainsFunc(add[:s], func(y int) bool { return y != 0 }) {
					choose(s + 1)
				}
			}
			add[s] = 0
			return
		}
		if t := form(total, add); t > 0 {
			if share := 1 - form(residual, add)/t; share >= least {
				list = append(list, Counter{slices.Clone(add), share})
			}
		}
	}
	choose(0)
	slices.SortStableFunc(list, func(x, y Counter) int { return cmp.Compare(y.Share, x.Share) })
	return list
}

// form returns xᵀMx.
func form(m *mat.Dense, x []int) float64 {
	sum := 0.0
	for i := range x {
		for j := range x {
			sum += float64(x[i]*x[j]) * m.At(i, j)
		}
	}
	return sum
}

// fit fits the tallies of nodes with even index linearly to their states, with a
// little ridge, and returns two matrices for those with odd index, symbols × symbols:
// products of the errors, and products of the tallies less their means.
func (p *pool) fit(nodes []prefix.Node) (residual, total *mat.Dense) {
	k, dim := p.tree.Alphabet.Len(), p.tree.State.Cols
	half := len(nodes) / 2
	states, tallies := [2]*mat.Dense{}, [2]*mat.Dense{} // for fitting, and set aside
	count := p.tallies()
	for side := range 2 {
		states[side], tallies[side] = mat.NewDense(half, dim, nil), mat.NewDense(half, k, nil)
		for i := range half {
			n := int(nodes[2*i+side])
			for j, x := range p.tree.State.Row(n) {
				states[side].Set(i, j, float64(x))
			}
			for s := range k {
				tallies[side].Set(i, s, float64(count[n*k+s]))
			}
		}
	}
	for j := range dim {
		standardize(states, j, true)
	}
	for s := range k {
		standardize(tallies, s, false)
	}
	var gram, right, weights, told, wrong mat.Dense
	gram.Mul(states[0].T(), states[0])
	for j := range dim {
		gram.Set(j, j, gram.At(j, j)+1e-3*float64(half))
	}
	right.Mul(states[0].T(), tallies[0])
	if err := weights.Solve(&gram, &right); err != nil {
		if _, ill := err.(mat.Condition); !ill {
			panic("tally: " + err.Error())
		}
	}
	told.Mul(states[1], &weights)
	wrong.Sub(tallies[1], &told)
	residual, total = new(mat.Dense), new(mat.Dense)
	residual.Mul(wrong.T(), &wrong)
	total.Mul(tallies[1].T(), tallies[1])
	return residual, total
}

// standardize subtracts from a column, on both sides, its mean on the first and, if
// asked to, divides by its deviation there.
func standardize(m [2]*mat.Dense, j int, scale bool) {
	rows, _ := m[0].Dims()
	mean, squares := 0.0, 0.0
	for i := range rows {
		mean += m[0].At(i, j) / float64(rows)
	}
	for i := range rows {
		d := m[0].At(i, j) - mean
		squares += d * d / float64(rows)
	}
	by := 1.0
	if scale && squares > 1e-12 {
		by = 1 / math.Sqrt(squares)
	}
	for side := range m {
		for i := range rows {
			m[side].Set(i, j, (m[side].At(i, j)-mean)*by)
		}
	}
}

// tallies returns how often each symbol occurs in each prefix, nodes × symbols.
func (p *pool) tallies() []int32 {
	k := p.tree.Alphabet.Len()
	count := make([]int32, p.tree.Len()*k)
	for n := 1; n < p.tree.Len(); n++ {
		from := int(p.tree.Parent[n])
		copy(count[n*k:(n+1)*k], count[from*k:(from+1)*k])
		count[n*k+int(p.tree.On[n])]++
	}
	return count
}

// values returns the counter after every prefix.
func (p *pool) values(c Counter) []int {
	v := make([]int, p.tree.Len())
	for n := 1; n < len(v); n++ {
		v[n] = v[p.tree.Parent[n]] + c.Add[p.tree.On[n]]
	}
	return v
}
