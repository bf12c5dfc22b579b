// Package passive learns automata from labeled words alone, without a network to
// ask. The methods fold the prefix tree of the words:
//
//   - RPNI (Oncina and García, Inferring regular languages in polynomial update
//     time, 1992) merges the first pair of states that the words allow for.
//   - EDSM with a blue fringe (Lang, Pearlmutter and Price, Results of the
//     Abbadingo One DFA learning competition and a new evidence-driven state
//     merging algorithm, 1998) merges the pair for which most of the words speak.
//   - RPNI* (Sebban and Janodet, On state merging in grammatical inference: a
//     statistical approach for dealing with noisy data, 2003) merges as RPNI does,
//     but lets some labels be wrong.
//   - EDSM* lets some labels be wrong, too. It merges by likelihood ratios, and then
//     mends and shrinks the automaton by all words as long as that shortens the
//     description of both (Rissanen, Modeling by shortest data description, 1978).
//
// RPNI and EDSM agree with every labeled word; if the words are enough, they find
// the language itself. Results are deterministic, and do not depend on the order
// of the words.
package passive

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quotient/automaton"
	"quotient/learn/labeled"
)

// A Method is a way to choose which states are merged.
type Method string

const (
	RPNI     Method = "rpni"
	EDSM     Method = "edsm"
	RPNIStar Method = "rpni-star"
	EDSMStar Method = "edsm-star"

	// Auto is EDSM, or EDSM* if the words look as if some labels were wrong.
	Auto Method = "auto"
)

// Methods are all there are to choose from, for those who do not leave it to Auto.
var Methods = []Method{EDSM, RPNI, EDSMStar, RPNIStar}

// Tolerates reports whether a method puts up with wrong labels.
func (m Method) Tolerates() bool { return m == RPNIStar || m == EDSMStar || m == Auto }

// DefaultAlpha is the significance level of RPNI* unless it is told another.
const DefaultAlpha = 0.05

// Options say how to learn. The zero value is EDSM.
type Options struct {
	Method   Method
	Alpha    float64             // of RPNI*: how unlikely errors must be to forbid a merge; 0: DefaultAlpha
	Progress func(done Progress) // called after every merge and promotion, if not nil

	noise float64 // of EDSM*: the share of wrong labels
}

// A Progress says how far learning is.
type Progress struct {
	Red, Blue int // states of the result so far, and nodes that may become some
}

// Stats say what learning took.
type Stats struct {
	Words         int `json:"words"`         // that have a label
	Contradictory int `json:"contradictory"` // words that have both labels; only RPNI* and EDSM* put up with them
	Nodes         int `json:"nodes"`         // of the prefix tree
	Tried         int `json:"tried"`         // merges that were tried
	Merged        int `json:"merged"`        // merges that were made
	Promoted      int `json:"promoted"`      // states that no merge was possible for
	Folded        int `json:"folded"`        // pairs of nodes that were put together in all attempts
}

// A Result is what was learned.
type Result struct {
	// Automaton is minimal. It rejects words that lead where no word of the
	// sample does.
	Automaton *automaton.DFA
	Wrong     int // words whose label it contradicts; 0 for RPNI and EDSM, unless Auto found words that have both labels
	Stats     Stats
	Method    Method // that found it: never Auto

	// DescriptionLength is what it takes to write down the automaton and on which words it
	// is wrong, in nats.
	DescriptionLength float64

	// Exact is how many states EDSM finds that puts up with nothing but words that have both labels, where Auto has compared it with
	// what puts up with wrong labels; 0: it has not.
	Exact int
}

// A ContradictionError says that a word has both labels.
type ContradictionError struct {
	Word     string // as it is written
	Accepted string // where it is accepted: file and line
	Rejected string
	InTotal  int // how many words have both
}

func (e *ContradictionError) Error() string {
	more := ""
	if e.InTotal > 1 {
		more = fmt.Sprintf(" (and so are %d others)", e.InTotal-1)
	}
	return fmt.Sprintf("the word %s is both accepted (%s) and rejected (%s)%s; the methods %s and %s put up with that",
		e.Word, e.Accepted, e.Rejected, more, EDSMStar, RPNIStar)
}

// Learn learns an automaton from the words that have a label. If a word has two
// different ones, it returns a [*ContradictionError] unless the method puts up with wrong
// labels; if the result is too large, an [*automaton.LimitError].
func Learn(ctx context.Context, s *labeled.Set, o Options) (*Result, error) {
	if o.Method == "" {
		o.Method = EDSM
	}
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	if o.Method != Auto && !slices.Contains(Methods, o.Method) {
		return nil, fmt.Errorf("no method is called %q; there are auto, edsm, rpni, edsm-star and rpni-star", o.Method)
	}
	if !(o.Alpha > 0 && o.Alpha < 0.5) {
		return nil, fmt.Errorf("a significance level of %g: it must be over 0 and under 0.5", o.Alpha)
	}
	if !slices.ContainsFunc(s.Labels, func(l labeled.Label) bool { return l != labeled.Unknown }) {
		return nil, errors.New("no word has a label: there is nothing to learn from")
	}
	switch o.Method {
	case Auto:
		return learnAuto(ctx, s, o)
	case EDSMStar:
		return learnStar(ctx, s, o.Progress)
	}
	h := newHypothesis(s, tree(s))
	if h.errors > 0 && o.Method != RPNIStar {
		return nil, contradiction(s)
	}
	if err := h.learn(ctx, o); err != nil {
		return nil, err
	}
	return h.result(o.Method), nil
}

// result returns what was learned.
func (h *hypothesis) result(m Method) *Result {
	d := h.dfa()
	return &Result{
		Automaton: d, Wrong: int(h.errors), Stats: h.stats, Method: m,
		DescriptionLength: descriptionLength(d.Len(), h.symbols, int(h.errors), h.stats.Words),
	}
}

// learn folds the tree from its root on.
func (h *hypothesis) learn(ctx context.Context, o Options) error {
	if err := h.redden(0); err != nil {
		return err
	}
	return h.finish(ctx, o)
}

// finish folds what is not folded yet.
func (h *hypothesis) finish(ctx context.Context, o Options) error {
	var step func() error
	switch o.Method {
	case EDSM:
		step = h.edsm(ctx)
	case RPNI:
		step = h.rpni(ctx, func() int32 { return 0 })
	case RPNIStar:
		step = h.rpni(ctx, func() int32 { return tolerance(h.errors, h.stats.Words, o.Alpha) })
	case EDSMStar:
		step = h.edsmStar(ctx, o.noise)
	}
	for len(h.blue) > 0 {
		if h.spent() {
			return errWork
		}
		if err := step(); err != nil {
			return err
		}
		if o.Progress != nil {
			o.Progress(Progress{Red: len(h.red), Blue: len(h.blue)})
		}
	}
	return nil
}

// contradiction finds the words that have both labels and names the first, in the
// order of the set.
func contradiction(s *labeled.Set) error {
	var e *ContradictionError
	entries := newDictionary(s).entries
	order := make([]int32, len(entries))
	for i, e := range entries {
		order[i] = e.index
	}
	first := int32(len(s.Words))
	total := 0
	for len(order) > 0 {
		n := 1
		for n < len(order) && slices.Equal(s.Words[order[n]], s.Words[order[0]]) {
			n++
		}
		other := slices.IndexFunc(order[:n], func(i int32) bool { return s.Labels[i] != s.Labels[order[0]] })
		if other >= 0 {
			total++
			if order[0] < first {
				first = order[0]
				yes, no := int(first), int(order[other])
				if s.Labels[yes] == labeled.Reject {
					yes, no = no, yes
				}
				e = &ContradictionError{
					Word: s.Alphabet.Format(s.Words[first]), Accepted: s.Place(yes), Rejected: s.Place(no),
				}
			}
		}
		order = order[n:]
	}
	e.InTotal = total
	return e
}
