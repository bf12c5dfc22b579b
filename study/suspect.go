package study

import (
	"fmt"
	"slices"

	"quotient/internal/text"
	"quotient/learn/labeled"
	"quotient/learn/passive"
	"quotient/word"
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
	if k := len(l.strange); k > 0 {
		warn("of the %s %d %s symbols that no word to learn from has, the first in %s: what has such symbols is rejected",
			l.TestWords, k, map[bool]string{true: "has", false: "have"}[k == 1], l.Held.Place(l.strange[0]))
	}
	if wrong := l.Training.Words - l.Training.Agree; l.Auto && l.Method.Tolerates() && wrong > unavoidable(l.Train) {
		warn("some labels look wrong: the automaton contradicts %s of the training words%s", text.Percent(l.Noise), l.otherwise())
	}
	if l.Method.Tolerates() || l.Accepted == 0 || l.Accepted == n {
		return list
	}
	test, tested := l.Test, l.TestWords
	if n := len(l.strange); n > 0 {
		test, tested = &l.familiar, "other "+l.TestWords
	}
	few := fmt.Sprintf("there are too few words, or some labels are wrong, which the method %s puts up with", passive.EDSMStar)
	switch {
	case test != nil && overfits(l.Training, *test):
		warn("of the training words %s are right, of the %s %s only, with %s for %s: %s",
			text.Percent(l.Training.share()), tested, text.Percent(test.share()), text.Plural(l.States, "state"), text.Plural(n, "word"), few)
	case l.Test == nil && l.States > 10 && l.States*crowded > n:
		warn("%s for %s are many: %s; words that are held out tell", text.Plural(l.States, "state"), text.Plural(n, "word"), few)
	}
	return list
}

// otherwise says what following all labels takes, if that is known and is much.
func (l *Learning) otherwise() string {
	if n := l.Result.Exact; n >= 2*l.States {
		return fmt.Sprintf(", and what follows all labels as far as possible has %d states", n)
	}
	return ""
}

// unavoidable returns on how many words any automaton is wrong, as they are both accepted and rejected.
func unavoidable(s *labeled.Set) int {
	lead, count := map[string]int{}, map[string]int{}
	for i, l := range s.Labels {
		key := s.Words[i].Key()
		switch l {
		case labeled.Accept:
			lead[key]++
			count[key]++
		case labeled.Reject:
			lead[key]--
			count[key]++
		}
	}
	wrong := 0
	for key, n := range count {
		wrong += (n - max(lead[key], -lead[key])) / 2
	}
	return wrong
}

// strangers returns which words to test with have a symbol that no word to learn from has.
func strangers(train, test *labeled.Set) (indices []int) {
	known := map[string]bool{}
	for s, used := range usedSymbols(train) {
		known[train.Alphabet.Name(word.Symbol(s))] = used
	}
	strange := make([]bool, test.Alphabet.Len())
	for s := range strange {
		strange[s] = !known[test.Alphabet.Name(word.Symbol(s))]
	}
	for i, w := range test.Words {
		if slices.ContainsFunc(w, func(s word.Symbol) bool { return strange[s] }) {
			indices = append(indices, i)
		}
	}
	return indices
}

// usedSymbols returns for every symbol whether a word has it.
func usedSymbols(s *labeled.Set) []bool {
	used := make([]bool, s.Alphabet.Len())
	for _, w := range s.Words {
		for _, x := range w {
			used[x] = true
		}
	}
	return used
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
