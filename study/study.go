// Package study does an extraction with all that belongs to it, and has one value for
// everything that is known afterwards.
//
// A [Study] is what a network was taken for and with which settings, the automaton, how it
// came about, how far it agrees with the network, how it compares with a language. The
// command line, the page, sweeps, the paper's tables and reports render it; none of them
// puts it together again. It has one JSON form, which docs/study-json.md describes.
package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/counter"
	"quotient/extract"
	"quotient/faith"
	"quotient/internal/text"
	"quotient/model"
	"quotient/oracle"
	"quotient/sample"
	"quotient/weighted"
	"quotient/word"
)

// Options say what to do.
type Options struct {
	extract.Options
	Target   string         // language to compare the answer with; empty: none
	Language *automaton.DFA // of Target, where that is known already

	// Stop, if not nil, is a context whose end asks for the best automaton so far. What is left
	// to do then takes a few seconds at most.
	Stop context.Context
}

// A Study is everything that is known after one extraction.
type Study struct {
	Model        string             `json:"model"`
	Network      string             `json:"network"`         // what it is, in words
	Reading      string             `json:"reading"`         // how it is read
	Notes        []string           `json:"notes,omitempty"` // guesses about what its file does not say
	Settings     Settings           `json:"settings"`        // those that mean something to the method, as they were asked for
	Method       string             `json:"method"`          // that was used
	Chosen       string             `json:"chosen,omitempty"`
	Kappa        float64            `json:"kappa"` // that was used; 0 if there was none
	Why          string             `json:"why,omitempty"`
	Strings      int                `json:"strings"`
	Length       int                `json:"length"`
	Seed         uint64             `json:"seed"`
	WordsFrom    string             `json:"words_from"` // where valid words of the sample come from; empty if there is no sample
	Valid        int                `json:"valid_words"`
	TreeNodes    int                `json:"tree_nodes"`
	MergedStates int                `json:"merged_states"`
	States       int                `json:"states"`
	Saturation   extract.Saturation `json:"saturation"`
	Trials       any                `json:"trials,omitempty"` // of kappas, []extract.Trial, or of counters, []CounterTrial
	Agreement    *Agreement         `json:"agreement"`        // nil until it is certified
	Explored     *Explored          `json:"explored,omitempty"`
	Counted
	Data        *Data               `json:"data,omitempty"` // what the user's own words show
	Target      *Target             `json:"target,omitempty"`
	Examples    []Counterexample    `json:"counterexamples,omitempty"` // that were met and left, shortest first
	Warnings    []string            `json:"warnings,omitempty"`
	Asked       int                 `json:"asked,omitempty"`       // words, evaluation included, of a model that runs elsewhere; with a budget, answers of any network
	Interrupted bool                `json:"interrupted,omitempty"` // the user did not wait for the end
	Failure     string              `json:"error,omitempty"`       // what went wrong once there was an automaton
	Seconds     float64             `json:"seconds"`
	Times       extract.Times       `json:"times"` // the parts of the extraction, in seconds
	Queries     *extract.Queries    `json:"queries,omitempty"`
	Weighted    *weighted.Automaton `json:"weighted,omitempty"`
	Automaton   json.Marshaler      `json:"automaton"` // finite or with a counter; nil if it is neither

	Result *extract.Result `json:"-"`

	model  *model.Model
	budget int // words, evaluation included; 0: any number
}

// Settings are a method and its settings, by the names of [extract.Settings].
type Settings []extract.Value

// MarshalJSON writes an object with the settings in their order.
func (s Settings) MarshalJSON() ([]byte, error) {
	parts := make([]string, len(s))
	for i, v := range s {
		value, err := json.Marshal(v.Text)
		if err != nil {
			return nil, err
		}
		parts[i] = fmt.Sprintf("%q:%s", v.Name, value)
	}
	return []byte("{" + strings.Join(parts, ",") + "}"), nil
}

// Agreement says how far network and automaton agree.
type Agreement struct {
	*faith.Report
	Shortest *string  `json:"shortest_disagreement"` // nil if none was found
	Remarks  []string `json:"remarks,omitempty"`     // what makes the certificate worth less than it seems
}

// A Counterexample is a word on which network and automaton disagree.
type Counterexample struct {
	Word      string `json:"word"`
	Network   bool   `json:"network"` // whether it accepts the word
	Automaton bool   `json:"automaton"`
}

// Counted is what the method counter has to say.
type Counted struct {
	Prefixes   int      `json:"prefixes,omitempty"`     // that the network was run on
	Counter    string   `json:"counter,omitempty"`      // as in "+a −b"; "none" for a finite automaton
	Explained  *float64 `json:"explained,omitempty"`    // share of the counter's variance that a linear function of the state gives
	FiniteUpTo *int     `json:"finite_up_to,omitempty"` // on longer words no finite automaton of as many states is right
}

// A CounterTrial says what came of looking for one counter.
type CounterTrial struct {
	Counter   string  `json:"counter"`
	Explained float64 `json:"explained"`
	States    int     `json:"states"`
	Agreement float64 `json:"agreement"`
	Failed    string  `json:"failed,omitempty"`
}

// Run extracts an automaton from a network, and finds out how far the two agree. If something
// goes wrong when there is an automaton, the study has it, and the error.
func Run(ctx context.Context, m *model.Model, o Options) (*Study, error) {
	begin := time.Now()
	ctx, cancel := o.hurry(ctx)
	defer cancel()
	s, err := Extract(ctx, m, o)
	if s == nil {
		if o.stopped() {
			err = ErrInterrupted
		}
		return nil, err
	}
	if err == nil {
		err = s.Certify(ctx)
	}
	if far := m.Doubted(); far != nil && err == nil && !o.stopped() {
		return Run(ctx, far, o)
	}
	s.Warnings = append(s.Warnings, m.Remarks()...)
	s.Interrupted = o.stopped()
	s.Seconds = time.Since(begin).Seconds()
	if err != nil {
		s.Failure = err.Error()
	}
	if errors.Is(err, errLate) { // which is no fault of anybody's
		err = nil
	}
	return s, err
}

// ErrInterrupted says that the user did not wait for a first automaton.
var ErrInterrupted = errors.New("it was interrupted before there was an automaton")

// errLate is why an evaluation ends when the user does not wait.
var errLate = fmt.Errorf("it was interrupted, and what was asked within %v is all that is known", patience)

// patience is how long somebody waits who has asked for an end.
const patience = 5 * time.Second

func (o Options) stopped() bool { return o.Stop != nil && o.Stop.Err() != nil }

// hurry returns a context that ends a while after the user has asked for an end.
func (o Options) hurry(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	undo := func() bool { return true }
	if o.Stop != nil {
		undo = context.AfterFunc(o.Stop, func() {
			timer := time.AfterFunc(patience, func() { cancel(errLate) })
			context.AfterFunc(ctx, func() { timer.Stop() })
		})
	}
	return ctx, func() { undo(); cancel(context.Canceled) }
}

// inquire begins an inquiry that may ask about a share of what the budget has left. Whoever is asked, no word is too
// long for who judges.
func (s *Study) inquire(ctx context.Context, who oracle.Oracle, share float64) *oracle.Inquiry {
	q := oracle.Ask(ctx, who)
	if b, ok := s.model.Judge().(oracle.Bounded); ok {
		q = q.Within(b)
	}
	if q.Metered() {
		s.Asked = q.Asked()
	}
	if s.budget > 0 {
		q.Limit(max(1, int(share*float64(s.budget-s.Asked))))
	}
	return q
}

// count counts what an inquiry has asked about, where words have their price or a budget.
func (s *Study) count(q *oracle.Inquiry) {
	switch {
	case q.Metered():
		s.Asked = q.Asked()
	case s.budget > 0:
		s.Asked += q.Asked()
	}
}

// metered reports whether every word has its price.
func (s *Study) metered() bool {
	_, ok := s.model.Judge().(oracle.Metered)
	return ok
}

// learning is the share of a budget that extraction may use. The rest says what it is worth.
const learning = 0.75

// Suits returns an error if the method is none for the network.
func Suits(m *model.Model, o Options) error {
	name := o.Normal().Method
	if method, err := extract.Find(name); err == nil && method.NeedsStates() && m.Stateless != "" {
		return fmt.Errorf("%s: method %s looks at states, but %s; %s", m.Name, name, m.Stateless, extract.Instead())
	}
	if o.Budget > 0 && m.Witnessed() {
		return fmt.Errorf("%s: a budget bounds what a model elsewhere is asked throughout: leave either it or the weights out", m.Name)
	}
	return m.Decides()
}

// Extract is Run without the certificate, which [Study.Certify] adds.
func Extract(ctx context.Context, m *model.Model, o Options) (*Study, error) {
	begin := time.Now()
	if err := Suits(m, o); err != nil {
		return nil, err
	}
	goal, err := o.goal(m.Net.Alphabet())
	if err != nil {
		return nil, err
	}
	s := &Study{Model: m.Name, Network: m.String(), Reading: m.Reading(), Notes: m.Notes, Settings: o.Said(), model: m, budget: o.Budget}
	q := s.inquire(ctx, m.Net, learning)
	if o.Stop != nil {
		q = q.Until(o.Stop)
	}
	res, err := extract.Run(q, o.Options)
	s.count(q)
	if res == nil {
		return nil, err
	}
	if m.Witnessed() {
		res.Counterexamples = s.confirmed(ctx, res)
	}
	if failed := s.fill(res); err == nil {
		err = failed
	}
	if err == nil {
		s.Target, err = goal.compare(res)
	}
	if err == nil {
		err = s.judge(ctx)
	}
	s.Seconds = time.Since(begin).Seconds()
	return s, err
}

// confirmed returns those of an extraction's counterexamples that are some to whoever judges, too.
func (s *Study) confirmed(ctx context.Context, res *extract.Result) []word.Word {
	q := s.inquire(ctx, s.model.Judge(), 1)
	set := q.Label(q.Readable(res.Counterexamples))
	if q.Err() != nil {
		return nil // nobody has answered
	}
	return set.Mistakes(res.Acceptor())
}

// fill takes over what an extraction has found.
func (s *Study) fill(res *extract.Result) error {
	letters := s.model.Net.Alphabet()
	used := res.Options
	s.Method, s.Chosen, s.Kappa, s.Why = used.Method, res.Chosen, used.Kappa, res.Why
	s.Strings, s.Length, s.Seed, s.WordsFrom, s.Valid = used.Strings, used.Length, used.Seed, res.Words, res.Sample.Valid
	s.MergedStates, s.States, s.Saturation = res.MergedStates, res.States(), res.Saturation
	s.Warnings, s.Times, s.Queries, s.Result = res.Warnings, res.Times, res.Queries, res
	for _, w := range res.Counterexamples {
		accepts := res.Acceptor().Accepts(w)
		s.Examples = append(s.Examples, Counterexample{letters.Format(w), !accepts, accepts})
	}
	if res.Trials != nil {
		s.Trials = res.Trials
	}
	if res.Tree != nil {
		s.TreeNodes = res.Tree.Len()
	}
	if res.Automaton != nil {
		s.Automaton = codec.JSON{NFA: res.Automaton.NFA()}
	}
	if res.Spectral != nil {
		s.Weighted = res.Spectral.Automaton
	}
	if x := res.Explored; x != nil {
		s.Explored = &Explored{
			Representatives: x.Representatives, Source: x.Source, Stopped: x.Stopped,
			Lengths: [2]int{x.Options.Low, x.Options.High}, Judged: x.Judges, Tradeoff: x.Tradeoff, Measured: measured(x, res.Data), Findings: append([]Counterexample{}, s.Examples...),
		}
	}
	if res.Counter != nil {
		return s.counted()
	}
	return nil
}

// comparedLength is the length up to which automata with a counter are compared.
const comparedLength = 1000

// counted fills in what a counter has to say.
func (s *Study) counted() error {
	res := s.Result.Counter
	letters := res.Automaton.Alphabet
	s.Prefixes, s.Counter, s.Explained = res.Prefixes, res.Counter.Name(letters), &res.Counter.Share
	var trials []CounterTrial
	for _, t := range res.Trials {
		trial := CounterTrial{Counter: t.Counter.Name(letters), Explained: t.Counter.Share, Agreement: t.Agreement(), Failed: t.Failed}
		if t.Automaton != nil {
			trial.States = t.Automaton.Len()
		}
		trials = append(trials, trial)
	}
	s.Trials = trials
	a := s.counter()
	s.Automaton = a
	if !a.Counts() {
		return nil
	}
	reach, err := a.Reach(a.Len(), comparedLength)
	s.FiniteUpTo = &reach
	return err
}

// counter returns what was found as an automaton with a counter, or nil if that was not
// looked for. Moves of one that needs no counter say nothing about it.
func (s *Study) counter() *counter.Automaton {
	switch res := s.Result; {
	case res.Counter == nil:
		return nil
	case res.Automaton != nil:
		return counter.FromDFA(res.Automaton)
	default:
		return res.Counter.Automaton
	}
}

// Certify measures how far network and automaton agree, on words that had no part in the
// extraction, unless that is known. If it cannot be finished, what is known remains.
func (s *Study) Certify(ctx context.Context) error {
	if s.Agreement != nil {
		return nil
	}
	q, o := s.inquire(ctx, s.model.Judge(), 1), s.Checking()
	if s.model.Witnessed() {
		o.Guide = s.inquire(ctx, s.model.Net, 1)
	}
	found, err := check(q, s.acceptor(), o)
	s.count(q)
	s.Agreement = found
	if found != nil {
		s.Warnings = append(s.Warnings, s.missed()...)
	}
	if spent := (*oracle.BudgetError)(nil); found != nil && errors.As(err, &spent) {
		return nil
	}
	return err
}

// Checking returns how the agreement is measured.
func (s *Study) Checking() faith.Options {
	res := s.Result
	o := faith.Options{Source: res.Source, Seed: s.Seed, Known: slices.Concat(res.Counterexamples, s.Data.words())}
	if s.Data != nil {
		o.Held = s.Data.Agreement
	}
	if res.Source.Asks() && (s.budget > 0 || s.metered()) {
		o.Source = sample.FromAutomaton(res.Automaton) // which draws words for nothing
	}
	if res.Explored != nil { // it promises agreement on words of these lengths, and has searched already
		o.Low, o.High = res.Options.Low, res.Options.High
		o.Search = min(5000, max(500, 40_000/s.Alphabet().Len()))
	}
	return o
}

// acceptor returns what answers for the automaton. On words up to a length one with a
// counter is a finite one, and then states can guide the search for a disagreement.
func (s *Study) acceptor() oracle.Acceptor {
	if s.Result.Unrolled != nil {
		return s.Result.Unrolled
	}
	return s.Result.Acceptor()
}

// Alphabet returns the network's alphabet.
func (s *Study) Alphabet() *word.Alphabet { return s.model.Net.Alphabet() }

// DFA returns the finite automaton, or an error that says why there is none.
func (s *Study) DFA() (*automaton.DFA, error) {
	if d := s.Result.Automaton; d != nil {
		return d, nil
	}
	if s.Result.Counter != nil {
		return nil, fmt.Errorf("%s: an automaton with a counter is no finite one", s.Model)
	}
	return nil, fmt.Errorf("%s: the weighted automaton is no finite one", s.Model)
}

// SweepKappa shows what every kappa gives, with the sample of the options.
func SweepKappa(ctx context.Context, m *model.Model, o extract.Options) ([]extract.Trial, error) {
	q := oracle.Ask(ctx, m.Net)
	q.Limit(o.Budget)
	if !q.ShowsStates() {
		return nil, fmt.Errorf("%s: there is no kappa to sweep, for %s", m.Name, m.Stateless)
	}
	prepare := extract.Prepare
	if o.Prepare != nil {
		prepare = o.Prepare
	}
	p, err := prepare(q, o)
	if err != nil {
		return nil, err
	}
	return p.Sweep(q, nil)
}

// SweepKappa shows what every kappa gives for the sample that was used, or nothing if the
// states of none were merged, or there is nothing left to ask.
func (s *Study) SweepKappa(ctx context.Context) ([]extract.Trial, error) {
	if s.Result.UsedKappa() == 0 || s.budget > 0 || s.Interrupted || s.Failure != "" {
		return nil, nil
	}
	return SweepKappa(ctx, s.model, s.Result.Options)
}

// Command returns the command line that makes this study.
func (s *Study) Command() string {
	words := append([]string{"quotient", "extract"}, s.model.Arguments()...)
	method, err := extract.Find(s.Settings[0].Text)
	if err != nil {
		return ""
	}
	for _, v := range s.Settings {
		set := extract.FindSetting(v.Name)
		switch {
		case v.Text == "" || set == nil && v.Text == extract.Best || set != nil && v.Text == set.Default(method):
		case set != nil && set.Type == "":
			words = append(words, "--"+v.Name)
		default:
			words = append(words, "--"+v.Name, v.Text)
		}
	}
	if s.Target != nil {
		words = append(words, "--target", s.Target.Name)
	}
	for i := range words {
		words[i] = text.Quote(words[i])
	}
	return strings.Join(words, " ")
}
