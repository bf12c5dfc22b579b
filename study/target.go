package study

import (
	"context"
	"fmt"

	"quotient/automaton"
	"quotient/counter"
	"quotient/extract"
	"quotient/faith"
	"quotient/internal/text"
	"quotient/language"
	"quotient/model"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// A Target says how an automaton compares with a language.
type Target struct {
	Name    string  `json:"name"`
	UpTo    int     `json:"up_to,omitempty"` // all words up to this length were compared; 0: all words
	Equal   bool    `json:"equal"`
	Witness *string `json:"witness"` // a shortest word of difference, nil if equal
	Accepts bool    `json:"target_accepts_witness"`
	Only    bool    `json:"only_empty_word,omitempty"` // there is no other word of difference than the empty one
	Agree   int     `json:"agree_up_to,omitempty"`     // the two differ, but on no word up to this length
}

func (t *Target) String() string {
	switch {
	case t.Equal && t.UpTo > 0:
		return fmt.Sprintf("target %s: the same on all words up to length %d", t.Name, t.UpTo)
	case t.Only:
		return fmt.Sprintf("target %s: the same but for the empty word, which the target %s", t.Name, text.Accepts(t.Accepts))
	case t.Equal:
		return fmt.Sprintf("target %s: exactly this language", t.Name)
	}
	though := ""
	if t.Agree > 0 {
		though = fmt.Sprintf(", though they agree on all words of length up to %d", t.Agree)
	}
	return fmt.Sprintf("target %s: another language%s; a shortest word of difference, which the target %s: %s", t.Name, though, text.Accepts(t.Accepts), *t.Witness)
}

// goal is a language to compare with; nil if there is none.
type goal struct {
	name     string
	finite   *automaton.DFA     // a counting language up to a length
	counting *counter.Automaton // nil if it is regular
}

func (o Options) goal(over *word.Alphabet) (g *goal, err error) {
	if o.Target == "" {
		return nil, nil
	}
	g = &goal{name: o.Target, finite: o.Language}
	if g.finite == nil {
		g.finite, err = extract.LoadLanguage(o.Target, over)
	}
	if c, ok := language.FindCounting(o.Target); ok {
		g.counting = c.Automaton
	}
	return g, err
}

// compare compares a result with the language; one that is neither finite nor has a counter
// cannot be.
func (g *goal) compare(res *extract.Result) (*Target, error) {
	switch {
	case g == nil || res.Automaton == nil && res.Counter == nil:
		return nil, nil
	case res.Counter != nil:
		a := res.Counter.Automaton
		if res.Automaton != nil {
			a = counter.FromDFA(res.Automaton)
		}
		goal := g.counting
		if goal == nil {
			goal = counter.FromDFA(g.finite)
		}
		return CompareCounters(g.name, goal, a, comparedLength)
	}
	return Compare(g.name, g.finite, res.Automaton)
}

// Compare compares an automaton with a language, over the symbols of both.
func Compare(name string, language, d *automaton.DFA) (*Target, error) {
	common, err := language.Alphabet.Union(d.Alphabet)
	if err != nil {
		return nil, err
	}
	if language, err = language.WithAlphabet(common); err == nil {
		d, err = d.WithAlphabet(common)
	}
	if err != nil {
		return nil, err
	}
	t := &Target{Name: name, Equal: true}
	if w, differ := automaton.Distinguish(language, d); differ {
		t.differ(common, w, language.Accepts(w))
		t.Only = len(w) == 0 && equalBeyondEmpty(language, d)
	}
	return t, nil
}

// equalBeyondEmpty reports whether two automata agree on all words but the empty one: on
// what may follow each symbol.
func equalBeyondEmpty(a, b *automaton.DFA) bool {
	for s := range a.Alphabet.Len() {
		x, y := *a, *b
		x.Start, y.Start = a.Next(a.Start, word.Symbol(s)), b.Next(b.Start, word.Symbol(s))
		if _, differ := automaton.Distinguish(&x, &y); differ {
			return false
		}
	}
	return true
}

// CompareCounters compares automata with a counter on all words up to a length.
func CompareCounters(name string, language, a *counter.Automaton, length int) (*Target, error) {
	if !a.Alphabet.Equal(language.Alphabet) {
		return nil, fmt.Errorf("%s is over %s, and not over %s", name, language.Alphabet, a.Alphabet)
	}
	w, differ, err := counter.Distinguish(language, a, length)
	t := &Target{Name: name, UpTo: length, Equal: true}
	if differ {
		t.differ(a.Alphabet, w, language.Accepts(w))
	}
	return t, err
}

func (t *Target) differ(a *word.Alphabet, w word.Word, accepts bool) {
	witness := a.Format(w)
	t.Equal, t.Witness, t.Accepts, t.Agree = false, &witness, accepts, max(0, len(w)-1)
}

// CheckCounter measures how far an automaton with a counter agrees with a network.
func CheckCounter(ctx context.Context, m *model.Model, a *counter.Automaton, seed uint64) (*Agreement, error) {
	d, err := a.DFA(extract.CountingLength, automaton.DefaultLimit)
	if err != nil {
		return nil, err
	}
	source, err := sample.FromLanguage("the automaton", d, m.Net.Alphabet())
	if err != nil {
		return nil, err
	}
	return check(oracle.Ask(ctx, m.Judge()), d, faith.Options{Source: source, Seed: seed})
}

// check measures how far an automaton agrees with a network. With an error it returns what is
// known, or nil.
func check(q *oracle.Inquiry, a oracle.Acceptor, o faith.Options) (*Agreement, error) {
	rep, err := faith.Check(q, a, o)
	if rep == nil {
		return nil, err
	}
	advice := ". The setting data brings words of your own"
	if o.Held != nil {
		advice = "" // it has
	}
	found := &Agreement{Report: rep, Remarks: remarks(rep.Scores, advice)}
	if rep.Found {
		shortest := q.Alphabet().Format(rep.Shortest)
		found.Shortest = &shortest
	}
	return found, err
}

// remarks say what answers that are all alike, or hardly any, mean for a certificate; and what
// may help.
func remarks(s oracle.Scores, advice string) []string {
	var list []string
	alike := func(answer, rare string) {
		list = append(list, fmt.Sprintf("the network said %s to all of the %d words by which they are compared, with probabilities from %.2g to %.2g: "+
			"it may be untrained, or the words that it %s may be too rare to be met; about those the certificate says nothing%s",
			answer, s.Answers, s.Low, s.High, rare, advice))
	}
	switch {
	case s.Answers == 0:
	case s.Yes == 0:
		alike("no", "accepts")
	case s.Yes == s.Answers:
		alike("yes", "rejects")
	}
	if 10*s.Near > s.Answers {
		list = append(list, fmt.Sprintf("of %d answers %d have a probability within 0.1 of one half: the network hardly decides there, and the automaton follows its noise",
			s.Answers, s.Near))
	}
	return list
}
