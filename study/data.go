package study

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"quotient/extract"
	"quotient/faith"
	"quotient/internal/text"
	"quotient/learn/labeled"
	"quotient/oracle"
	"quotient/word"
)

// Data says what the user's own words show. All but the first six fields is about those
// that were held out.
type Data struct {
	File    string          `json:"file"`
	Words   int             `json:"words"`    // in the file
	LeftOut int             `json:"left_out"` // of these, that the network cannot be asked about
	Labeled int             `json:"labeled"`  // of the others, with a label
	Reading labeled.Reading `json:"reading"`  // how the file was read
	Used    string          `json:"used"`     // what the method did with those that were not held out, in words

	HeldOut     int          `json:"held_out"`
	HeldLabeled int          `json:"held_labeled"` // of these, with a label
	Accepted    int          `json:"accepted"`     // by the network
	Agreement   *faith.Held  `json:"agreement"`
	Network     *float64     `json:"network_accuracy,omitempty"`   // share of the labels that the network gives, too; nil if there are none
	Automaton   *float64     `json:"automaton_accuracy,omitempty"` // and the automaton
	Differences []Difference `json:"differences"`                  // where network and automaton part, shortest first, a few of them
}

// A Difference is one of the user's words on which network and automaton disagree.
type Difference struct {
	Word      string `json:"word"`
	Label     *bool  `json:"label"` // nil if it is not known
	Network   bool   `json:"network"`
	Automaton bool   `json:"automaton"`

	word word.Word
}

// mostDifferences is how many are kept.
const mostDifferences = 20

// judge fills in what held-out words of the user's show, if there are any.
func (s *Study) judge(ctx context.Context) error {
	d, a := s.Result.Data, s.Result.Acceptor()
	if d == nil {
		return nil
	}
	q := s.inquire(ctx, s.model.Judge(), 0.4)
	held, set, err := heldOut(q, d.Held)
	s.count(q)
	if err != nil {
		return err
	}
	if left := len(d.Held.Words) - len(held.Words); left > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("of the held-out words of %s %d are left out: the network cannot be asked about them, or the budget does not allow for more", d.File, left))
	}
	s.Data = &Data{
		File: d.File, Words: d.Words, LeftOut: d.LeftOut, Labeled: d.Labeled, Reading: d.Reading,
		Used:    cmp.Or(s.Result.Used, unused(d)),
		HeldOut: len(set.Words), Accepted: set.Accepted(), Agreement: faith.CheckHeld(set, a, d.File),
		Differences: differences(held, set, a),
	}
	s.Data.HeldLabeled, s.Data.Network, s.Data.Automaton = accuracies(held, set, a)
	if n := s.Data.Accepted; len(set.Words) == 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("the network can be asked about no held-out word of %s", d.File))
	} else if n == 0 || n == len(set.Words) {
		says, other := "rejects", "accepts"
		if n > 0 {
			says, other = other, says
		}
		s.Warnings = append(s.Warnings, fmt.Sprintf("the network %s all held-out words of %s: they say nothing about words that it %s", says, d.File, other))
	}
	return nil
}

// unused says why no word leads the method.
func unused(d *extract.Data) string {
	if len(d.Seeds) == 0 {
		return "there are none"
	}
	return "none is used: the method finds its words by itself"
}

// heldOut returns the words that the network can be asked about, as many of them as the budget
// allows for, and its answers.
func heldOut(q *oracle.Inquiry, held *labeled.Set) (*labeled.Set, oracle.Set, error) {
	var some *labeled.Set
	var set oracle.Set
	for longest := -1; longest != q.Longest(); { // again if it turns out that words were too long
		longest = q.Longest()
		var fit []int
		for i, w := range held.Words {
			if q.Reads(w) {
				fit = append(fit, i)
			}
		}
		if n := q.AtMost(len(fit), 1); n < len(fit) {
			for i := range n { // from all over the file
				fit[i] = fit[i*len(fit)/n]
			}
			fit = fit[:n]
		}
		some = held.Subset(fit)
		set = q.Label(some.Words)
	}
	return some, set, q.Err()
}

// accuracies returns how many words have labels, and on which share of these network and automaton give the same, or nil
// if there are none.
func accuracies(held *labeled.Set, set oracle.Set, a oracle.Acceptor) (n int, network, automaton *float64) {
	right := [2]int{}
	for i, l := range held.Labels {
		if l == labeled.Unknown {
			continue
		}
		n++
		for j, accepts := range []bool{set.Accept[i], a.Accepts(held.Words[i])} {
			if labeled.Of(accepts) == l {
				right[j]++
			}
		}
	}
	if n == 0 {
		return 0, nil, nil
	}
	first, second := float64(right[0])/float64(n), float64(right[1])/float64(n)
	return n, &first, &second
}

// differences lists the first words on which network and automaton part, each once.
func differences(held *labeled.Set, set oracle.Set, a oracle.Acceptor) []Difference {
	list := []Difference{}
	for i, w := range held.Words {
		accepts := a.Accepts(w)
		if accepts == set.Accept[i] {
			continue
		}
		d := Difference{Word: held.Alphabet.Format(w), Network: !accepts, Automaton: accepts, word: w}
		if l := held.Labels[i]; l != labeled.Unknown {
			yes := l == labeled.Accept
			d.Label = &yes
		}
		list = append(list, d)
	}
	slices.SortStableFunc(list, func(x, y Difference) int { return word.Compare(x.word, y.word) })
	list = slices.CompactFunc(list, func(x, y Difference) bool { return slices.Equal(x.word, y.word) })
	return list[:min(len(list), mostDifferences)]
}

// Parts says how many words there are, and what became of those that do not lead a method.
func (d *Data) Parts() string {
	if d.LeftOut > 0 {
		return fmt.Sprintf("%s: %s, %d left out and %d held out", d.File, text.Plural(d.Words, "word"), d.LeftOut, d.HeldOut)
	}
	return fmt.Sprintf("%s: %s, %d of them held out", d.File, text.Plural(d.Words, "word"), d.HeldOut)
}

// Lines says in words what the data show, a sentence a line; of no data, nothing.
func (d *Data) Lines() []string {
	if d == nil {
		return nil
	}
	list := []string{
		fmt.Sprintf("%s; of the others, each once, %s", d.Parts(), d.Used),
		"read as: " + d.Reading.String(),
		fmt.Sprintf("held-out words: network and automaton agree on %d of %d (%s), of which the network accepts %d",
			d.Agreement.Agree, d.Agreement.Words, text.Percent(d.Agreement.Accuracy), d.Accepted),
	}
	if d.Network != nil {
		some := ""
		if d.HeldLabeled < d.HeldOut {
			some = fmt.Sprintf(", which %d have", d.HeldLabeled)
		}
		list = append(list, fmt.Sprintf("their labels%s: the network is right on %s of them, the automaton on %s", some, text.Percent(*d.Network), text.Percent(*d.Automaton)))
	}
	return list
}

// tell says what the data show, with the first words of difference.
func (d *Data) tell(w io.Writer) {
	for i, line := range d.Lines() {
		if i == 0 {
			line = "data: " + line
		}
		fmt.Fprintln(w, line)
	}
	if d == nil {
		return
	}
	const most = 5
	for _, x := range d.Differences[:min(most, len(d.Differences))] {
		fmt.Fprintf(w, "  %s\n", x)
	}
	if n := d.Agreement.Words - d.Agreement.Agree; n > most {
		fmt.Fprintf(w, "  and others\n")
	}
}

func (d Difference) String() string {
	line := fmt.Sprintf("%s, which the network %s and the automaton %s", text.Shorten(d.Word, 100), text.Accepts(d.Network), text.Accepts(d.Automaton))
	if d.Label != nil {
		line += "; its label: " + map[bool]string{true: "accepted", false: "rejected"}[*d.Label]
	}
	return line
}

// words returns the words of difference, for the certificate to know them.
func (d *Data) words() []word.Word {
	var list []word.Word
	if d != nil {
		for _, x := range d.Differences {
			list = append(list, x.word)
		}
	}
	return list
}
