package automaton

// narrow is the number of symbols above which rows are not gone through as they are: mostly they
// are many times as wide as what they have beside Dead. At a million states with three transitions
// each over 64 symbols that takes a quarter of the time (BenchmarkMinimizeWide).
const narrow = 8

// followWide is the search of breadthFirst. It loads first the rows of many states, and then
// the numbers of all states that they lead to, without Dead, which would keep the loads apart.
func followWide(d *DFA, number, order, next []State) ([]State, []State) {
	k := d.Alphabet.Len()
	rows := max(1, min(ahead, 4096/k))
	places := make([]int32, rows*k+1)
	for i := 1; i < len(order); {
		batch := order[i:min(i+rows, len(order))]
		i += len(batch)
		met := len(next)
		next = appendRows(next, d, batch)
		fresh := next[met:]
		alive := occupied(places, fresh)
		var loaded State
		for _, j := range alive {
			loaded |= number[fresh[j]]
		}
		loadedAll(loaded)
		for _, j := range alive {
			to := fresh[j]
			if number[to] == 0 {
				number[to] = State(len(order))
				order = append(order, to)
			}
			fresh[j] = number[to]
		}
	}
	return order, next
}

// appendRows appends the rows of some states, of which all lines of the cache are loaded first.
func appendRows(next []State, d *DFA, states []State) []State {
	const line = 16
	var loaded State
	for _, q := range states {
		row := d.Row(q)
		for j := 0; j < len(row); j += line {
			loaded |= row[j]
		}
	}
	loadedAll(loaded)
	for _, q := range states {
		next = append(next, d.Row(q)...)
	}
	return next
}

// occupied returns the places of the states that are not Dead, in the given memory, which must have
// room for one more than there are states. There is no branch, which would be guessed wrong.
func occupied(places []int32, states []State) []int32 {
	n := 0
	for j, q := range states {
		places[n] = int32(j)
		if q != Dead {
			n++
		}
	}
	return places[:n]
}

// arrows are the transitions that do not lead to Dead, by where they begin.
type arrows struct {
	first []int32 // those of q are list[first[q]:first[q+1]]
	list  []arrow
}

type arrow struct {
	symbol int32
	to     State
}

func newArrows(next []State, k int) *arrows {
	a := &arrows{first: make([]int32, 1, len(next)/k+1)}
	places := make([]int32, k+1)
	for e := 0; e < len(next); e += k {
		row := next[e : e+k]
		for _, s := range occupied(places, row) {
			a.list = append(a.list, arrow{s, row[s]})
		}
		a.first = append(a.first, int32(len(a.list)))
	}
	return a
}

// hashArrows is hashes for wide rows. A hash is a sum over all symbols, less that of a row that is all
// Dead: so what leads to Dead, or to states that are in one class with it, adds nothing.
func hashArrows[C uint8 | int32](a *arrows, dst []uint64, class []C, q int) {
	dead := class[Dead]
	for i := range dst {
		h := uint64(uint32(class[q+i])) * odd
		for _, t := range a.list[a.first[q+i]:a.first[q+i+1]] {
			h += term(t.symbol, class[t.to]) - term(t.symbol, dead)
		}
		h = (h ^ h>>32) * odd
		dst[i] = h ^ h>>29
	}
}

// term returns a hash of a symbol and of a class that it leads to.
func term[C uint8 | int32](symbol int32, class C) uint64 {
	h := (uint64(symbol)<<32 | uint64(uint32(class))) * odd
	return (h ^ h>>32) * odd
}
