package spectral

import (
	"cmp"
	"slices"

	"quotient/word"
)

// A Basis names the rows and the columns of a Hankel matrix. Both lists begin with
// the empty word.
type Basis struct {
	Prefixes, Suffixes []word.Word
}

// NewBasis returns a basis of at most size prefixes and as many suffixes: the most
// frequent prefixes and suffixes of the words, and the shortest words of all. The two
// share the places evenly, as far as there are enough of each.
func NewBasis(a *word.Alphabet, words []word.Word, size int) Basis {
	return newBasis(a, nil, words, size)
}

// newBasis also takes all prefixes and suffixes of the words that must not be lacking,
// before all others, as long as there are places.
func newBasis(a *word.Alphabet, lacking, words []word.Word, size int) Basis {
	short := word.Shortest(a.Len(), size)
	list := func(part func(w word.Word, length int) word.Word) []word.Word {
		all := []word.Word{{}}
		for _, w := range lacking {
			for length := range len(w) + 1 {
				all = append(all, part(w, length))
			}
		}
		first := join(all, nil, size)
		return join(slices.Concat(first, join(short, frequent(words, size, part), 2*size)), nil, size)
	}
	return Basis{
		Prefixes: list(func(w word.Word, n int) word.Word { return w[:n] }),
		Suffixes: list(func(w word.Word, n int) word.Word { return w[len(w)-n:] }),
	}
}

// frequent returns the n parts that most of the words have, the most frequent first,
// among equals the shorter and then the lesser. part returns the part of a length. A
// part of n symbols or more is never among them: its own n parts come before it.
func frequent(words []word.Word, n int, part func(w word.Word, length int) word.Word) []word.Word {
	type counted struct {
		part  word.Word
		count int
	}
	number := map[string]int{}
	var parts []counted
	for _, w := range words {
		for length := range min(len(w)+1, n) {
			p := part(w, length)
			key := p.Key()
			i, known := number[key]
			if !known {
				i = len(parts)
				number[key] = i
				parts = append(parts, counted{part: p})
			}
			parts[i].count++
		}
	}
	slices.SortFunc(parts, func(x, y counted) int {
		return cmp.Or(cmp.Compare(y.count, x.count), cmp.Compare(len(x.part), len(y.part)), slices.Compare(x.part, y.part))
	})
	var list []word.Word
	for _, p := range parts[:min(n, len(parts))] {
		list = append(list, slices.Clone(p.part))
	}
	return list
}

// join takes words from the two lists in turn, none twice, until there are size.
func join(first, second []word.Word, size int) []word.Word {
	var all []word.Word
	seen := map[string]bool{}
	for i := 0; i < max(len(first), len(second)); i++ {
		for _, list := range [][]word.Word{first, second} {
			if i < len(list) && len(all) < size && !seen[list[i].Key()] {
				seen[list[i].Key()] = true
				all = append(all, list[i])
			}
		}
	}
	return all
}
