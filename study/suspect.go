package study

import (
	"fmt"

	"quotient/internal/text"
	"quotient/learn/passive"
	"quotient/worth"
)

// suspect returns what about the words or the automaton should make one doubt.
func (l *Learning) suspect() []string {
	var list []string
	warn := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	n := l.Stats.Words
	switch l.Accepted {
	case 0:
		warn("no word is accepted: nothing shows what the language has, and the automaton rejects all; add words that are in it, with the label 1")
	case n:
		warn("no word is rejected: nothing shows what the language lacks, and the automaton accepts what it can; add words that are not in it, with the label 0")
	}
	if c := l.Stats.Contradictory; c > 0 {
		warn("%s both accepted and rejected; what is said more often counts", text.Plural(c, "word is", "words are"))
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
