package explore

import (
	"slices"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/discrimination"
	"quotient/oracle"
	"quotient/word"
)

// A tree groups states of the network: those that give the same answers on the way down
// a discrimination tree are one group.
//
// Symbols that the network takes for one another are one symbol here; see [symbols].
type tree struct {
	discrimination.Tree
	q       *oracle.Inquiry
	symbols *symbols
	k       int    // symbols, all that are alike being one
	accept  []bool // of each group
	asked   *int   // questions to the network: a state and a suffix; clones share the count
}

func newTree(q *oracle.Inquiry, y *symbols, asked *int) tree {
	q = y.over(q)
	return tree{Tree: discrimination.New(), q: q, symbols: y, k: q.Alphabet().Len(), asked: asked}
}

// sift returns for every state of the network the group at whose leaf it arrives from
// a node, or -1 if its answer was never met before.
func (t *tree) sift(states f32.Matrix, from discrimination.Node) []int32 {
	at := slices.Repeat([]discrimination.Node{from}, states.Rows)
	group := make([]int32, states.Rows)
	rows := make([]int, states.Rows)
	for i := range rows {
		rows[i] = i
	}
	for len(rows) > 0 {
		suffixes := make([]word.Word, len(rows))
		for j, i := range rows {
			suffixes[j] = t.Suffix(at[i])
		}
		keep := 0
		for j, answer := range t.ask(states, rows, suffixes) {
			i := rows[j]
			at[i] = t.Child(at[i], answer)
			group[i] = t.State(at[i])
			if group[i] < 0 && at[i] != discrimination.Root {
				rows[keep] = i
				keep++
			}
		}
		rows = rows[:keep]
	}
	return group
}

// ask returns the network's answer, for each of some rows of states, after one
// more suffix.
func (t *tree) ask(states f32.Matrix, rows []int, suffixes []word.Word) []bool {
	*t.asked += len(rows)
	return t.q.After(states, rows, suffixes)
}

// automaton returns the groups as an automaton over classes of symbols, given where each symbol leads from each:
// group i is state i+1.
func (t *tree) automaton(start int32, next []int32) *automaton.DFA {
	d := automaton.NewDFA(t.q.Alphabet(), t.Len())
	d.Start = automaton.State(start + 1)
	copy(d.Accept[1:], t.accept)
	for i, to := range next {
		d.Table[t.k+i] = automaton.State(to + 1)
	}
	return d
}
