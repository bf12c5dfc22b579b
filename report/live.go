package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"slices"
	"strings"

	"quotient/automaton"
	"quotient/extract"
	"quotient/internal/text"
	"quotient/word"
)

//go:embed report.js
var script string

// scriptHash is how the page's policy names its one script; no other may run.
var scriptHash = func() template.HTMLAttr {
	sum := sha256.Sum256([]byte(script))
	return template.HTMLAttr("'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
}()

// liveData is what the script knows: the automaton, and which words of the sample the network
// accepts.
type liveData struct {
	Symbols []string            `json:"symbols"`
	Start   automaton.State     `json:"start"`
	Accept  []bool              `json:"accept"` // of state 0, which is dead, and the others
	Next    [][]automaton.State `json:"next"`   // of state 1 and the others, by symbol
	Tree    *liveTree           `json:"tree"`   // nil: there was no sample
}

// A liveTree has the prefixes of the sample.
type liveTree struct {
	Parent []int         `json:"parent"`
	On     []word.Symbol `json:"on"`
	Accept []bool        `json:"accept"`
}

const (
	liveCells = 20_000 // of the table of an automaton that words can be tried on
	liveNodes = 2000   // of the sample's prefixes, the shortest
)

// live returns the data of the page's script; nil if the automaton is too large.
func live(d *automaton.DFA, res *extract.Result) *liveData {
	if d.Len() == 0 || d.Len()*d.Alphabet.Len() > liveCells {
		return nil
	}
	l := &liveData{Symbols: d.Alphabet.Names(), Start: d.Start, Accept: d.Accept}
	for q := 1; q <= d.Len(); q++ {
		l.Next = append(l.Next, d.Row(automaton.State(q)))
	}
	if t := res.Tree; t != nil {
		n := min(t.Len(), liveNodes)
		l.Tree = &liveTree{On: t.On[:n], Accept: t.Accept[:n]}
		for _, p := range t.Parent[:n] {
			l.Tree.Parent = append(l.Tree.Parent, int(p))
		}
	}
	return l
}

// encoded returns the data as it stands in the page, where nothing in it can end the element.
func (l *liveData) encoded() template.JS {
	if l == nil {
		return "{}"
	}
	data, err := json.Marshal(l) // which escapes <, > and &
	if err != nil {
		panic(err) // it is made of numbers and names
	}
	return template.JS(data)
}

// A frame is a picture of the merging.
type frame struct {
	SVG     template.HTML
	Caption string
}

// frames returns the pictures of the merging; none if nothing was merged node by node, or if
// it cannot be drawn.
func frames(res *extract.Result, title string) []frame {
	film, err := Merging(res, title)
	if err != nil {
		return nil
	}
	x, err := film.Frames()
	if err != nil {
		return nil
	}
	var list []frame
	for k := range x.Len() {
		var b strings.Builder
		if x.Write(&b, k) != nil {
			return nil
		}
		list = append(list, frame{template.HTML(b.String()), x.Caption(k)})
	}
	return list
}

// states lists for every state what it is: a shortest word that leads there, whether it
// accepts, and where symbols lead, those that lead to the same state together. It is for
// alphabets that are too large for a column each.
func states(d *automaton.DFA) [][]string {
	rows := [][]string{{"state", "accepts", "a shortest word", "leads to"}}
	access := accessWords(d)
	for q := automaton.State(1); int(q) <= min(d.Len(), shown); q++ {
		on := map[automaton.State][]string{}
		var order []automaton.State
		for s, to := range d.Row(q) {
			if on[to] == nil && to != automaton.Dead {
				order = append(order, to)
			}
			on[to] = append(on[to], word.QuoteName(d.Alphabet.Name(word.Symbol(s))))
		}
		slices.Sort(order)
		var leads []string
		for _, to := range order {
			leads = append(leads, text.State(to)+" on "+text.Shorten(strings.Join(on[to], " "), 120))
		}
		rows = append(rows, []string{text.State(q), text.Yes(d.Accept[q]), access[q], strings.Join(leads, "; ")})
	}
	return rows
}

// accessWords returns a shortest word to every state that can be reached.
func accessWords(d *automaton.DFA) []string {
	words := make([]string, d.Len()+1)
	found := make([]word.Word, d.Len()+1)
	seen := make([]bool, d.Len()+1)
	seen[automaton.Dead], seen[d.Start] = true, true
	for queue := []automaton.State{d.Start}; len(queue) > 0; queue = queue[1:] {
		q := queue[0]
		words[q] = text.Shorten(d.Alphabet.Format(found[q]), 60)
		for s, to := range d.Row(q) {
			if !seen[to] {
				seen[to] = true
				found[to] = append(slices.Clone(found[q]), word.Symbol(s))
				queue = append(queue, to)
			}
		}
	}
	return words
}
