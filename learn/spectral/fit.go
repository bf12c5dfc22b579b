package spectral

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"quotient/weighted"
	"quotient/word"
)

// Fit returns the weighted automaton of the given rank for a function, and the singular
// values of its Hankel matrix. Rank 0 stands for all singular values that are more
// than the work of rounding: the right choice for a function that is known exactly.
//
// If the basis is complete, which is to say that its matrix has the rank of the
// function, and the values are exact, the automaton computes the function.
func Fit(ctx context.Context, a *word.Alphabet, f Function, b Basis, rank int) (*weighted.Automaton, []float64, error) {
	if len(b.Prefixes) == 0 || len(b.Suffixes) == 0 || len(b.Prefixes[0]) > 0 || len(b.Suffixes[0]) > 0 {
		panic("spectral: the basis does not begin with the empty word")
	}
	h, err := fill(ctx, a, f, b)
	if err != nil {
		return nil, nil, err
	}
	most := rank
	if rank == 0 {
		most = min(len(b.Prefixes), len(b.Suffixes))
	}
	taken, err := h.factorize(most)
	if err != nil {
		return nil, nil, err
	}
	if rank > taken.most {
		return nil, nil, fmt.Errorf("rank %d was asked for, but the %d × %d values have rank %d only",
			rank, len(b.Prefixes), len(b.Suffixes), taken.most)
	}
	return taken.automaton(taken.most), taken.singular, nil
}

// Ranks returns the automaton of every rank up to some, the first being that of rank one, for a
// Hankel matrix that the caller has filled, and the same matrix after each symbol. The first row is
// that of the empty prefix and the first column that of the empty suffix; other rows may have been
// scaled, each by the same factor in all the matrices.
func Ranks(a *word.Alphabet, values *mat.Dense, on []*mat.Dense, most int) ([]*weighted.Automaton, error) {
	f, err := (&hankel{alphabet: a, values: values, on: on}).factorize(most)
	if err != nil {
		return nil, err
	}
	list := make([]*weighted.Automaton, f.most)
	for i := range list {
		list[i] = f.automaton(i + 1)
	}
	return list, nil
}

// Frequencies returns the function that says how often a word occurs in a sample:
// learning from it is learning a distribution from words drawn from it.
func Frequencies(sample []word.Word) Function {
	count := map[string]int{}
	for _, w := range sample {
		count[w.Key()]++
	}
	return func(_ context.Context, words []word.Word) ([]float64, error) {
		values := make([]float64, len(words))
		for i, w := range words {
			values[i] = float64(count[w.Key()]) / float64(len(sample))
		}
		return values, nil
	}
}
