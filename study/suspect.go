package study

import (
	"fmt"

	"quotient/internal/text"
	"quotient/learn/labeled"
	"quotient/learn/passive"
	"quotient/worth"
)

// suspect returns what about the words or the automaton should make one doubt.
func (l *Learning) suspect() []string {
	var list []string
	warn := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	n := l.Stats.Words
	var kept *labeled.Set
	if l.TestWords == heldOutWords {
		kept = l.Held
	}
	if one := oneClass(l.Train, kept); one != "" {
		list = append(list, one)
	}
	if c := l.Stats.Contradictory; c > 0 {
		list = append(list, bothLabels(c))
	}
	if l.Auto && l.Method == passive.EDSMStar {
		warn("some labels look wrong: the automaton contradicts %s of the training words, and to follow them all takes many more states", text.Percent(l.Noise))
	}
	if l.Method.Tolerates() || l.Accepted == 0 || l.Accepted == n {
		return list
	}
	few := fmt.Sprintf("there are too few words, or some labels are wrong, which the method %s puts up with", passive.EDSMStar)
	switch {
	case l.Test != nil && overfits(l.Training, *l.Test):
		warn("of the training words %s are right, of the %s %s only, with %s for %s: %s",
			text.Percent(l.Training.share()), l.TestWords, text.Percent(l.Test.share()), text.Plural(l.States, "state"), text.Plural(n, "word"), few)
	case l.Test == nil && l.States > 10 && l.States*crowded > n:
		warn("%s for %s are many: %s; words that are held out tell", text.Plural(l.States, "state"), text.Plural(n, "word"), few)
	}
	return list
}

// oneClass says that all words that were learned from are accepted, or all are rejected; nothing if both are there.
// What is missing may be among those of the same file that are held out; nil: none is.
func oneClass(s, held *labeled.Set) string {
	accepted, rejected := classes(s)
	heldAccepted, heldRejected := classes(held)
	merelyHeld := func(n int, what string) string {
		return fmt.Sprintf("no word that was learned from is %s: of such words %s held out; hold out fewer, or add some", what, text.Plural(n, "was", "were"))
	}
	switch {
	case accepted == 0 && heldAccepted > 0:
		return merelyHeld(heldAccepted, "accepted")
	case accepted == 0:
		return "no word is accepted: nothing shows what the language has, and the automaton rejects all; add words that are in it, with the label 1"
	case rejected == 0 && heldRejected > 0:
		return merelyHeld(heldRejected, "rejected")
	case rejected == 0:
		return "no word is rejected: nothing shows what the language lacks, and the automaton accepts what it can; add words that are not in it, with the label 0"
	}
	return ""
}

// classes counts the words of either label; of no set there are none.
func classes(s *labeled.Set) (accepted, rejected int) {
	if s == nil {
		return 0, 0
	}
	for _, l := range s.Labels {
		switch l {
		case labeled.Accept:
			accepted++
		case labeled.Reject:
			rejected++
		}
	}
	return accepted, rejected
}

// bothLabels says how many words are both accepted and rejected.
func bothLabels(n int) string {
	return text.Plural(n, "word is", "words are") + " both accepted and rejected; what is said more often counts"
}

// crowded is how many words a state must explain, on average, not to be suspicious. Where
// EDSM finds the language there are 30 to 200, and where it does not there are 10 to 20.
const crowded = 25

// overfits reports whether training words come out right and others do not, by more than a
// hundredth of them and more than chance explains.
func overfits(training, test Score) bool {
	if training.Words == 0 || test.Words == 0 || training.share() < 0.99 {
		return false
	}
	gap := training.share() - test.share()
	return gap > 0.01 && gap > 3*worth.Spread(test.share(), test.Words)
}

func (s Score) share() float64 { return float64(s.Agree) / float64(max(s.Words, 1)) }
