package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"quotient/automaton"
	"quotient/counter"
	"quotient/extract"
	"quotient/faith"
	"quotient/learn/tally"
	"quotient/model"
	"quotient/prefix"
	"quotient/word"
)

const (
	countingLength = 500  // up to which a counting language stands in for itself as a finite automaton
	comparedLength = 1000 // up to which counter automata are compared
)

// A counted is what extract prints of a counter automaton, as text or as JSON.
type counted struct {
	Model      string             `json:"model"`
	Network    string             `json:"network"`
	Method     extract.Method     `json:"method"`
	Seed       uint64             `json:"seed"`
	Prefixes   int                `json:"prefixes"`  // that the network was run on
	Counter    string             `json:"counter"`   // as in "+a −b"; "none" for a finite automaton
	Explained  float64            `json:"explained"` // share of the counter's variance that a linear function of the state gives
	States     int                `json:"states"`    // beside the counter
	Trials     []countTrial       `json:"trials"`    // the best first
	Agreement  *agreement         `json:"agreement"` // with the network
	Target     *countTarget       `json:"target,omitempty"`
	FiniteUpTo *int               `json:"finite_up_to,omitempty"` // on longer words no finite automaton of as many states is right
	Seconds    float64            `json:"seconds"`
	Automaton  *counter.Automaton `json:"automaton"`

	alphabet *word.Alphabet
	finite   *automaton.DFA // if no counter is needed
}

type countTrial struct {
	Counter   string  `json:"counter"`
	Explained float64 `json:"explained"`
	States    int     `json:"states"`
	Agreement float64 `json:"agreement"`
	Failed    string  `json:"failed,omitempty"`
}

type countTarget struct {
	Name    string  `json:"name"`
	UpTo    int     `json:"up_to"` // all words up to this length were compared
	Equal   bool    `json:"equal"`
	Witness *string `json:"witness"` // a shortest word of difference, null if there is none
	Accepts bool    `json:"target_accepts_witness"`
}

func extractCounter(cmd *cobra.Command, m *model.Model, r prefix.Recognizer, seed uint64, target string, to *destination, asJSON bool) error {
	encode, err := counterEncoder(to)
	if err != nil {
		return err
	}
	x := counted{Model: m.Name, Network: m.String(), Method: extract.Counter, Seed: seed, alphabet: r.Alphabet()}
	if err := x.run(cmd.Context(), r, target); err != nil {
		return err
	}
	if to.asked() {
		write := func(w io.Writer) error { return encode(w, x.Automaton) }
		if err := writeFile(to.path, cmd.OutOrStdout(), write); err != nil {
			return err
		}
	}
	switch {
	case asJSON:
		return printJSON(cmd.OutOrStdout(), x)
	case to.asked() && to.stdout():
		return nil
	}
	x.tell(cmd.OutOrStdout())
	return nil
}

func (x *counted) run(ctx context.Context, r prefix.Recognizer, target string) error {
	begin := time.Now()
	var goal *counter.Automaton
	if target != "" {
		var err error
		if goal, err = loadCounter(target, r.Alphabet()); err != nil {
			return err
		}
	}
	res, err := tally.Extract(ctx, r, tally.Options{Seed: x.Seed})
	if err != nil {
		return fmt.Errorf("%s: %w", x.Model, err)
	}
	a := res.Automaton
	if !a.Counts() {
		x.finite = a.Finite()
		a = counter.FromDFA(x.finite) // whose moves say nothing about the counter
	}
	x.Prefixes, x.States, x.Automaton = res.Prefixes, a.Len(), a
	x.Counter, x.Explained = res.Counter.Name(r.Alphabet()), res.Counter.Share
	for _, t := range res.Trials {
		trial := countTrial{Counter: t.Counter.Name(r.Alphabet()), Explained: t.Counter.Share, Agreement: t.Agreement(), Failed: t.Failed}
		if t.Automaton != nil {
			trial.States = t.Automaton.Len()
		}
		x.Trials = append(x.Trials, trial)
	}
	if x.Agreement, err = checkCounter(ctx, r, a, x.Seed); err != nil {
		return err
	}
	if goal != nil {
		if x.Target, err = compareCounters(target, goal, a, comparedLength); err != nil {
			return err
		}
	}
	if a.Counts() {
		reach, err := a.Reach(a.Len(), comparedLength)
		if err != nil {
			return err
		}
		x.FiniteUpTo = &reach
	}
	x.Seconds = time.Since(begin).Seconds()
	return nil
}

// checkCounter measures the agreement with a network, on words that had no part in any
// extraction. Up to their length the automaton is a finite one.
func checkCounter(ctx context.Context, r prefix.Recognizer, a *counter.Automaton, seed uint64) (*agreement, error) {
	d, err := a.DFA(countingLength, automaton.DefaultLimit)
	if err != nil {
		return nil, err
	}
	s, err := prefix.FromLanguage(r, "the automaton", d)
	if err != nil {
		return nil, err
	}
	rep, err := faith.Check(ctx, r, d, s, faith.Options{Long: countingLength}, rand.New(rand.NewPCG(seed, 100)))
	if err != nil {
		return nil, err
	}
	found := &agreement{Report: rep}
	if rep.Found {
		text := a.Alphabet.Format(rep.Shortest)
		found.Shortest = &text
	}
	return found, nil
}

// tell prints the result for people.
func (x *counted) tell(w io.Writer) {
	fmt.Fprintf(w, "%s: %s\n", x.Model, x.Network)
	if x.Counter == "none" {
		fmt.Fprintf(w, "no counter is needed: over %d prefixes, a finite automaton does\n\n", x.Prefixes)
	} else {
		fmt.Fprintf(w, "counter %s: over %d prefixes, a linear function of the network's state explains %.2f%% of it\n\n",
			x.Counter, x.Prefixes, 100*x.Explained)
	}
	if x.finite != nil {
		show(w, x.finite)
		fmt.Fprintln(w)
	} else {
		fmt.Fprintf(w, "%s over %s\n%s\n\n", plural(x.States, "state"), x.alphabet, counterTable(x.Automaton))
	}
	x.Agreement.tell(w, extract.Counter)
	if x.Target != nil {
		fmt.Fprintln(w, x.Target)
	}
	if x.FiniteUpTo != nil {
		fmt.Fprintf(w, "for comparison: finite automata of %s are right on all words up to length %d at most\n",
			plural(x.States, "state"), *x.FiniteUpTo)
	}
}

func (t *countTarget) String() string {
	if t.Equal {
		return fmt.Sprintf("target %s: the same on all words up to length %d", t.Name, t.UpTo)
	}
	return (&targetCheck{Name: t.Name, Witness: t.Witness, Accepts: t.Accepts}).String()
}

// counterTable has a column for every symbol and test.
func counterTable(a *counter.Automaton) string {
	header := []any{"", "state", "accepts"}
	for _, name := range a.Alphabet.Names() {
		for _, t := range counter.Tests {
			header = append(header, word.QuoteName(name)+" "+t.String())
		}
	}
	t := plainTable(header...)
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		row := table.Row{"", stateName(q), [...]string{"", "=0", "≠0", "yes"}[index(a.Accept[q])]}
		if q == a.Start {
			row[0] = "→"
		}
		for s := range a.Alphabet.Len() {
			for _, test := range counter.Tests {
				m := a.Move(q, word.Symbol(s), test)
				cell := stateName(m.To)
				if m.Add != 0 {
					cell += fmt.Sprintf(" %+d", m.Add)
				}
				row = append(row, cell)
			}
		}
		t.AppendRow(row)
	}
	return t.Render()
}

// index returns 0 to 3 for the tests with which a state accepts.
func index(accept [2]bool) int {
	i := 0
	for _, t := range counter.Tests {
		if accept[t] {
			i += 1 << t
		}
	}
	return i
}
