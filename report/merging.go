package report

import (
	"fmt"

	"quotient/automaton"
	"quotient/draw"
	"quotient/extract"
	"quotient/prefix"
	"quotient/word"
)

// filmNodes is how many nodes of a prefix tree can be watched.
const filmNodes = 40

// Merging returns the merging of a study's prefix tree as a film: of the levels next to the
// root as many as can be watched. Every node has the color of the state that it becomes part of.
func Merging(res *extract.Result, title string) (*draw.Film, error) {
	if res == nil || res.Tree == nil || len(res.Log) == 0 || res.Automaton == nil {
		return nil, fmt.Errorf("the method merges no states one by one, so there are no steps to show; fold, union and keep do")
	}
	t, d := res.Tree, res.Automaton
	f := &draw.Film{Title: title}
	n := topLevels(t)
	state := make([]automaton.State, n)
	for i := range n {
		parent, on := int(t.Parent[i]), ""
		state[i] = d.Start
		if i > 0 {
			on, state[i] = word.QuoteName(t.Alphabet.Name(t.On[i])), d.Next(state[parent], t.On[i])
		}
		color := paleGray
		if state[i] != automaton.Dead {
			color = pale(colors[int(state[i]-1)%len(colors)])
		}
		f.Nodes = append(f.Nodes, draw.FilmNode{Parent: parent, On: on, Accept: t.Accept[i], Color: color})
	}
	f.Steps = shownSteps(res, n)
	endWith(f, d, state)
	return f, nil
}

// topLevels returns how many nodes the levels have that are shown.
func topLevels(t *prefix.Tree) int {
	n := 1
	for level := 1; level < t.Len(); { // the children of all that are shown come right after them
		next := int(t.First[level])
		if next > filmNodes || next == level {
			break
		}
		n, level = next, next
	}
	if n == 1 {
		n = min(t.Len(), filmNodes)
	}
	return n
}

// shownSteps returns the merges between the first n nodes. Each class of merged nodes is
// shown by its first node.
func shownSteps(res *extract.Result, n int) [][2]int {
	class := make([]int, res.Tree.Len())
	members := make([][]int, len(class))
	for i := range class {
		class[i], members[i] = i, []int{i}
	}
	var steps [][2]int
	for _, s := range res.Log {
		a, b := class[s.Into], class[s.From]
		if a > b {
			a, b = b, a
		}
		if a == b {
			continue
		}
		if b < n {
			steps = append(steps, [2]int{a, b})
		}
		for _, i := range members[b] {
			class[i] = a
		}
		members[a], members[b] = append(members[a], members[b]...), nil
	}
	return steps
}

// endWith adds the minimal automaton, every state where the first node is that leads there, if
// there is one for each.
func endWith(f *draw.Film, d *automaton.DFA, state []automaton.State) {
	g, err := draw.FromDFA(d, draw.Options{})
	if err != nil {
		return // there is no room for it
	}
	for i, node := range g.Nodes {
		first := -1
		for n, q := range state {
			if int(q) == node.ID {
				first = n
				break
			}
		}
		if first < 0 {
			f.At = nil
			return
		}
		g.Nodes[i].Fill = pale(colors[(node.ID-1)%len(colors)])
		f.At = append(f.At, first)
	}
	f.Last = g
}

const paleGray = "#dddddd"

// pale returns a color on which black letters can be read.
func pale(color string) string {
	var r, g, b int
	fmt.Sscanf(color, "#%02x%02x%02x", &r, &g, &b)
	mix := func(x int) int { return 255 - (255-x)*45/100 }
	return fmt.Sprintf("#%02x%02x%02x", mix(r), mix(g), mix(b))
}
