package explore

import (
	"slices"

	"quotient/word"
)

const (
	replaced   = 8192 // words in which a symbol is replaced to see what that changes
	telltale   = 32   // places where it must change something
	fewSymbols = 4    // with less there is nothing to gain
)

// likenesses are the shares of telling places at which symbols that are alike may differ all the same, as networks err: the largest
// is taken with which replacing symbols changes hardly any answer.
var likenesses = []float64{1. / 16, 1. / 64, 1. / 256, 0}

// alike finds out which symbols are alike, by the words that judge: at places in them every symbol is put in turn. Without words of the user's it would be
// rash: symbols that matter in rare words alone seem to be alike, and nobody has shown such words.
func (c *court) alike() *symbols {
	k := c.q.Alphabet().Len()
	if len(c.o.Data) == 0 || len(c.common) == 0 || k < fewSymbols || c.o.Pursue || c.q.Metered() || c.q.Left() < 10*replaced {
		return nil
	}
	places := replaced / k / len(c.common)
	if places == 0 {
		return nil
	}
	t := differences{k: k, count: make([]int, k*k)}
	for _, e := range c.common {
		t.look(c, e.Words, places)
	}
	for _, share := range likenesses {
		y := t.classes(c.q.Alphabet(), int(share*float64(t.places)))
		if t.places < telltale || len(y.member) == k || c.q.Err() != nil {
			break
		}
		if c.confirms(y) {
			return y
		}
	}
	return nil
}

// confirms reports whether the network hardly ever answers otherwise if all symbols are replaced by those that stand for them.
func (c *court) confirms(y *symbols) bool {
	for _, e := range c.common {
		changed := 0
		for i, accept := range c.q.Accepts(y.plain(e.Words)) {
			if accept != e.Accept[i] {
				changed++
			}
		}
		if float64(changed) > clean*float64(len(e.Words)) {
			return false
		}
	}
	return true
}

// differences count at how many places in words two symbols make a difference.
type differences struct {
	k      int   // symbols
	count  []int // k × k
	places int   // where any two do
}

// look puts every symbol at some places in words.
func (t *differences) look(c *court, words []word.Word, places int) {
	words = slices.DeleteFunc(slices.Clone(words), func(w word.Word) bool { return len(w) == 0 })
	if len(words) == 0 {
		return
	}
	var list []word.Word
	for range places {
		w := words[c.rng.IntN(len(words))]
		i := c.rng.IntN(len(w))
		for s := range t.k {
			v := slices.Clone(w)
			v[i] = word.Symbol(s)
			list = append(list, v)
		}
	}
	for row := range slices.Chunk(c.q.Accepts(list), t.k) {
		if !slices.Contains(row, !row[0]) {
			continue
		}
		t.places++
		for i := range t.count {
			if row[i/t.k] != row[i%t.k] {
				t.count[i]++
			}
		}
	}
}

// classes returns those of symbols that differ at few places, or are linked by such. For each stands the one that differs least from the others.
func (t *differences) classes(a *word.Alphabet, most int) *symbols {
	const none = word.MaxSymbols
	y := &symbols{alphabet: a, class: slices.Repeat([]word.Symbol{none}, t.k)}
	for s := range t.k {
		if y.class[s] != none {
			continue
		}
		number := word.Symbol(len(y.member))
		y.class[s] = number
		members := []int{s}
		for i := 0; i < len(members); i++ {
			for u := range t.k {
				if y.class[u] == none && t.count[members[i]*t.k+u] <= most {
					y.class[u] = number
					members = append(members, u)
				}
			}
		}
		y.member = append(y.member, t.middle(members))
	}
	return y
}

// middle returns the symbol that differs least from the others.
func (t *differences) middle(members []int) word.Symbol {
	best, least := 0, -1
	for _, s := range members {
		sum := 0
		for _, u := range members {
			sum += t.count[s*t.k+u]
		}
		if least < 0 || sum < least {
			best, least = s, sum
		}
	}
	return word.Symbol(best)
}
