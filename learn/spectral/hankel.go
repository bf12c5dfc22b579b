package spectral

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"quotient/weighted"
	"quotient/word"
)

// A Function gives the values of words, in their order. It is asked for many words at
// a time, each of them once.
type Function func(ctx context.Context, words []word.Word) ([]float64, error)

// hankel holds the values of a function on the words that a basis spans.
type hankel struct {
	alphabet *word.Alphabet
	basis    Basis
	values   *mat.Dense   // prefixes × suffixes: the value of prefix·suffix
	on       []*mat.Dense // the same for each symbol: the value of prefix·symbol·suffix
}

// fill asks for the values of all the words, each once.
func fill(ctx context.Context, a *word.Alphabet, f Function, b Basis) (*hankel, error) {
	number := map[string]int{} // of each distinct word
	var words []word.Word
	at := make([][]int, 1+a.Len()) // the number of the word at each place of each matrix
	for m := range at {
		at[m] = make([]int, 0, len(b.Prefixes)*len(b.Suffixes))
		for _, u := range b.Prefixes {
			for _, v := range b.Suffixes {
				w := make(word.Word, 0, len(u)+1+len(v))
				w = append(w, u...)
				if m > 0 {
					w = append(w, word.Symbol(m-1))
				}
				w = append(w, v...)
				key := w.Key()
				n, known := number[key]
				if !known {
					n = len(words)
					number[key] = n
					words = append(words, w)
				}
				at[m] = append(at[m], n)
			}
		}
	}
	values, err := ask(ctx, f, words)
	if err != nil {
		return nil, err
	}
	h := &hankel{alphabet: a, basis: b}
	for m := range at {
		d := mat.NewDense(len(b.Prefixes), len(b.Suffixes), nil)
		for i, n := range at[m] {
			d.RawMatrix().Data[i] = values[n]
		}
		if m == 0 {
			h.values = d
		} else {
			h.on = append(h.on, d)
		}
	}
	return h, nil
}

// ask asks for values in batches and checks that they are numbers.
func ask(ctx context.Context, f Function, words []word.Word) ([]float64, error) {
	const batch = 8192
	values := make([]float64, 0, len(words))
	for from := 0; from < len(words); from += batch {
		part, err := f(ctx, words[from:min(from+batch, len(words))])
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return nil, err
		}
		values = append(values, part...)
	}
	for i, x := range values {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("the value of a word of length %d is %g, not a finite number", len(words[i]), x)
		}
	}
	return values, nil
}

// A factorization is the Hankel matrix taken apart: for every rank up to some limit
// the automaton of that rank can be read off.
type factorization struct {
	alphabet *word.Alphabet
	singular []float64    // all singular values, falling
	most     int          // the largest rank whose singular value is not just rounding
	initial  []float64    // most; the values of the suffixes, along the right vectors
	final    []float64    // most
	on       []*mat.Dense // most × most, for each symbol
}

// factorize takes the matrix apart, H = UΣVᵀ. In the coordinates of the rows of
// Vᵀ a prefix is its row of H, times V, and what a symbol does to it is
// A = (HV)⁺·Hₛ·V = Σ⁻¹Uᵀ·Hₛ·V. The automaton of a smaller rank is the upper left part.
func (h *hankel) factorize(most int) (*factorization, error) {
	var svd mat.SVD
	rows, cols := h.values.Dims()
	if !svd.Factorize(h.values, mat.SVDThin) {
		return nil, fmt.Errorf("the singular values of a matrix of %d × %d numbers did not converge", rows, cols)
	}
	f := &factorization{alphabet: h.alphabet, singular: svd.Values(nil)}
	for f.most < min(most, len(f.singular)) && f.singular[f.most] > rounding*f.singular[0] {
		f.most++
	}
	if f.most == 0 {
		return f, nil
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	left := u.Slice(0, rows, 0, f.most)
	right := v.Slice(0, cols, 0, f.most)

	var row mat.Dense // the empty prefix stands first
	row.Mul(h.values.Slice(0, 1, 0, cols), right)
	f.initial = mat.Row(nil, 0, &row)
	f.final = mat.Row(nil, 0, right) // Σ⁻¹Uᵀ times the column of the empty suffix
	for _, on := range h.on {
		var part, a mat.Dense
		part.Mul(left.T(), on)
		a.Mul(&part, right)
		for i := range f.most {
			for j := range f.most {
				a.Set(i, j, a.At(i, j)/f.singular[i])
			}
		}
		f.on = append(f.on, &a)
	}
	return f, nil
}

// rounding is the part of the largest singular value below which the others are taken
// for the work of rounding.
const rounding = 1e-13

// automaton returns the automaton of a rank.
func (f *factorization) automaton(rank int) *weighted.Automaton {
	a := weighted.New(f.alphabet, rank)
	copy(a.Initial, f.initial)
	copy(a.Final, f.final)
	for s, on := range f.on {
		for i := range rank {
			copy(a.Row(word.Symbol(s), i), on.RawRowView(i))
		}
	}
	return a
}
