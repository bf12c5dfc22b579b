package study

import (
	"fmt"
	"slices"

	"quotient/extract"
	"quotient/internal/text"
	"quotient/learn/explore"
	"quotient/worth"
)

// Explored is what the method explore has to say beside the automaton.
type Explored struct {
	Representatives int              `json:"representatives"` // opened on the way
	Source          string           `json:"source"`          // what led to the automaton
	Lengths         [2]int           `json:"lengths"`         // of the words on which it must agree
	Stopped         string           `json:"stopped,omitempty"`
	Judged          explore.Judges   `json:"judged"`   // the words that judged all automata, by the network's answers
	Tradeoff        []explore.Point  `json:"tradeoff"` // error against states
	Measured        string           `json:"measured"` // the words of which these errors are shares, in words
	Findings        []Counterexample `json:"findings"` // where the network departs, shortest first
}

// measured says of which words the errors of a trade-off are shares: no random ones.
func measured(x *explore.Result, data *extract.Data) string {
	switch {
	case data != nil:
		return "words recombined from those of " + data.File
	case x.Focused:
		return "words drawn for it, for the best one, or to have both answers of the network, whichever is most"
	}
	return "words drawn for it or for the best one, whichever is more"
}

// missed says whether an automaton that was chosen for its share of errors errs on more of the certificate's words than chance explains:
// it was chosen by other words.
func (s *Study) missed() []string {
	asked, a := s.Result.Options.Error, s.Agreement
	if asked == 0 || s.Explored == nil || a.Words == 0 {
		return nil
	}
	chosen := slices.IndexFunc(s.Explored.Tradeoff, func(p explore.Point) bool { return p.Chosen })
	errs := 1 - float64(a.Agree)/float64(a.Words)
	if chosen < 0 || s.Explored.Tradeoff[chosen].Error > asked || errs <= asked+3*worth.Spread(asked, a.Words) {
		return nil
	}
	return []string{fmt.Sprintf("the automaton was chosen to err on at most %.6g%% of %s; of the certificate's words it is wrong on %s", 100*asked, s.Explored.Measured, text.Percent(errs))}
}
