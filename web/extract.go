package web

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/automaton/regex"
	"quotient/explore"
	"quotient/extract"
	"quotient/prefix"
	"quotient/word"
)

// about says what the page offers.
func (s *Server) about(*http.Request) (any, error) {
	type format struct {
		Name      string `json:"name"`
		Extension string `json:"extension"`
		Doc       string `json:"doc"`
	}
	formats := []format{}
	for _, f := range codec.Formats() {
		formats = append(formats, format{f.Name, extension(f), f.Doc})
	}
	return struct {
		Version  string           `json:"version"`
		Methods  []extract.Method `json:"methods"`
		Formats  []format         `json:"formats"`
		Defaults settings         `json:"defaults"`
		Upload   int64            `json:"max_upload"`
	}{s.o.Version, methods(), formats, defaults, s.o.MaxUpload}, nil
}

func (s *Server) list(r *http.Request) (any, error) {
	bundled, runs, err := s.catalog.list(r.Context())
	return struct {
		Zoo  []*network `json:"zoo"`
		Runs []*network `json:"runs"`
	}{bundled, runs}, err
}

func (s *Server) badge(r *http.Request) (*network, error) {
	set, err := readSettings(r.URL.Query(), "")
	if err != nil {
		return nil, err
	}
	return s.network(r.Context(), set.Model)
}

// network opens a network, or finds it open.
func (s *Server) network(ctx context.Context, name string) (*network, error) {
	return s.networks.get(ctx, name, func(ctx context.Context) (*network, error) { return s.catalog.open(ctx, name) })
}

// A result is an extraction with what the page shows of it.
type result struct {
	*extract.Result
	agree, fresh int               // of fresh words, or of their prefixes
	unit         string            // which of the two
	access       [][]word.Word     // of each state, the dead one too: a few shortest words that lead there
	of           []automaton.State // of each node of the tree, if there is one
	nodes        []int             // of the tree, for each state
	visits       []int             // how often the sample's words pass each state
}

func sampleSize(p *extract.Prepared) int64 {
	return 8*int64(len(p.Tree().State.Data)) + 64*int64(p.Tree().Len()) + 1<<20 // the tree twice, and the judges
}

// size counts what a result does not share with its prepared sample.
func (r *result) size() int64 {
	return int64(8*len(r.Log)+4*len(r.Merged.Table)+4*len(r.Automaton.Table)+4*len(r.of)) + int64(200*len(r.access)) + 4096
}

// maxNumbers bounds the states of a prefix tree: 256 MB of them, which are kept twice.
const maxNumbers = 1 << 26

// prepared returns the sample and the tree of the settings.
func (s *Server) prepared(ctx context.Context, n *network, set settings) (*extract.Prepared, error) {
	return s.samples.get(ctx, set.sample(), func(ctx context.Context) (*extract.Prepared, error) {
		done, err := s.compute(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		if n.states == nil {
			return nil, fmt.Errorf("%s: the method %s needs a network that shows its states, and this one does not: %s", n.Name, set.Method, n.Stateless)
		}
		if numbers := set.Strings * set.Length * n.Dim; numbers > maxNumbers {
			return nil, badf("%d words of length %d with states of %d numbers are more than this page extracts from; the command line takes them",
				set.Strings, set.Length, n.Dim)
		}
		return extract.Prepare(ctx, n.states, set.options())
	})
}

// result extracts, or finds what was extracted before.
func (s *Server) result(ctx context.Context, set settings) (*network, *result, error) {
	n, err := s.network(ctx, set.Model)
	if err != nil {
		return nil, nil, err
	}
	res, err := s.results.get(ctx, set.key(), func(ctx context.Context) (*result, error) {
		if set.Method.Samples() {
			return s.merged(ctx, n, set)
		}
		return s.found(ctx, n, set)
	})
	return n, res, err
}

// merged extracts from a sample that may be prepared already.
func (s *Server) merged(ctx context.Context, n *network, set settings) (*result, error) {
	p, err := s.prepared(ctx, n, set)
	if err != nil {
		return nil, err
	}
	done, err := s.compute(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	found, err := p.At(ctx, set.Kappa)
	if err != nil {
		return nil, err
	}
	r := newResult(found)
	r.agree, r.fresh, err = p.Agreement(r.Automaton)
	r.unit = "prefixes"
	return r, err
}

// found extracts by a method that finds its words by itself.
func (s *Server) found(ctx context.Context, n *network, set settings) (*result, error) {
	done, err := s.compute(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	found, err := extract.Run(ctx, n.net, set.options())
	if err != nil {
		return nil, err
	}
	if found.Automaton == nil {
		return nil, fmt.Errorf("what %s found is no finite automaton, and this page shows no other; the command line does: %s", set.Method, set.command(n))
	}
	r := newResult(found)
	r.unit = "words"
	const words, longest = 1000, 50
	sample, err := r.Sampler.Draw(words, 0, longest, rand.New(rand.NewPCG(set.Seed, streamFresh)))
	if err != nil {
		return nil, err
	}
	r.fresh = len(sample.Words)
	for i, accept := range prefix.Accepts(n.net, sample.Words) {
		if r.Automaton.Accepts(sample.Words[i]) == accept {
			r.agree++
		}
	}
	return r, nil
}

// streamFresh is the stream of random numbers of the words that a result is first
// judged by.
const streamFresh = 101

func newResult(found *extract.Result) *result {
	r := &result{Result: found}
	d := r.Automaton
	r.access = accessWords(d, 3)
	r.nodes, r.visits = make([]int, d.Len()+1), make([]int, d.Len()+1)
	if r.Tree != nil {
		r.of = statesOf(d, r.Tree)
		for n, q := range r.of {
			r.nodes[q]++
			r.visits[q] += int(r.Tree.Count[n])
		}
	}
	return r
}

// expression serves a regular expression for the automaton, or none if all are long.
// It has a request of its own, since finding one takes longer than all the rest.
func (s *Server) expression(r *http.Request) (any, error) {
	set, err := readSettings(r.URL.Query(), "")
	if err != nil {
		return nil, err
	}
	_, res, err := s.result(r.Context(), set)
	if err != nil {
		return nil, err
	}
	const most = 2000 // characters
	text, err := s.pictures.get(r.Context(), fmt.Sprint("expression ", fingerprint(res.Automaton)), func(ctx context.Context) (string, error) {
		done, err := s.compute(ctx)
		if err != nil {
			return "", err
		}
		defer done()
		e, err := regex.FromDFA(res.Automaton, most)
		if err != nil {
			return "", nil
		}
		return e.String(), nil
	})
	return struct {
		Expression string `json:"expression"`
	}{text}, err
}

// statesOf returns to which state of an automaton each node of a tree leads.
func statesOf(d *automaton.DFA, t *prefix.Tree) []automaton.State {
	of := make([]automaton.State, t.Len())
	of[0] = d.Start
	for n := 1; n < len(of); n++ {
		of[n] = d.Next(of[t.Parent[n]], t.On[n])
	}
	return of
}

// accessWords returns for every state the first words in shortlex order that lead
// there, a few at most. A prefix of such a word is such a word of its own state, so
// breadth first nothing else needs to be followed.
func accessWords(d *automaton.DFA, few int) [][]word.Word {
	words := make([][]word.Word, d.Len()+1)
	type arrival struct {
		at  automaton.State
		how word.Word
	}
	queue := []arrival{{d.Start, word.Word{}}}
	for len(queue) > 0 {
		a := queue[0]
		queue = queue[1:]
		if len(words[a.at]) == few {
			continue
		}
		words[a.at] = append(words[a.at], a.how)
		if a.at == automaton.Dead {
			continue
		}
		for s, to := range d.Row(a.at) {
			if len(words[to]) < few {
				queue = append(queue, arrival{to, append(slices.Clip(a.how), word.Symbol(s))})
			}
		}
	}
	return words
}

// A stateView is a state as the page shows it. The dead state comes first.
type stateView struct {
	Accept bool     `json:"accept"`
	Words  []string `json:"words"` // a few shortest that lead there
	Nodes  int      `json:"nodes"` // of the tree that were merged into it
	Next   []int    `json:"next,omitempty"`
}

// A targetView says whether the automaton is that of the language that the network
// was trained on.
type targetView struct {
	Name    string  `json:"name"`
	Equal   bool    `json:"equal"`
	Witness *string `json:"witness,omitempty"` // a shortest word of difference
	Accepts bool    `json:"accepts"`           // whether the language has that word
}

type extractView struct {
	Settings     settings        `json:"settings"`
	Kappa        float64         `json:"kappa"`            // that was used; 0 if the method has none
	Why          string          `json:"why,omitempty"`    // this kappa
	Method       string          `json:"method"`           // that was used
	Chosen       string          `json:"chosen,omitempty"` // why this method, if that was left open
	TreeNodes    int             `json:"tree_nodes"`       // 0 if the method has no tree
	MergedStates int             `json:"merged_states"`
	States       int             `json:"states"`
	Valid        int             `json:"valid_words"`
	WordsFrom    string          `json:"words_from"`
	Agree        int             `json:"agree"` // of so many fresh words or prefixes
	Fresh        int             `json:"fresh"`
	Unit         string          `json:"unit"`
	Findings     []string        `json:"findings,omitempty"` // words on which the network leaves the automaton
	Tradeoff     []explore.Point `json:"tradeoff,omitempty"` // error by states, of what exploring met
	Symbols      []string        `json:"symbols"`
	Automaton    []stateView     `json:"automaton"`
	Target       *targetView     `json:"target,omitempty"`
	Warnings     []string        `json:"warnings,omitempty"`
	Command      string          `json:"command"`
	Drawing      *drawing        `json:"drawing"`
}

// extract extracts. Asked for a stream, it tells every second that it is still at it.
func (s *Server) extract(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Accept") != ndjson {
		answer(s.extraction)(w, r)
		return
	}
	stream(func(r *http.Request, tell func(any)) (*extractView, error) {
		type outcome struct {
			v   *extractView
			err error
		}
		done := make(chan outcome, 1)
		go func() {
			v, err := safely(func() (*extractView, error) { return s.extraction(r) })
			done <- outcome{v, err}
		}()
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for seconds := 1; ; seconds++ {
			select {
			case o := <-done:
				return o.v, o.err
			case <-tick.C:
				tell(struct {
					Seconds int `json:"seconds"`
				}{seconds})
			}
		}
	})(w, r)
}

func (s *Server) extraction(r *http.Request) (*extractView, error) {
	q := r.URL.Query()
	set, err := readSettings(q, "")
	if err != nil {
		return nil, err
	}
	look, err := readLook(q)
	if err != nil {
		return nil, err
	}
	n, res, err := s.result(r.Context(), set)
	if err != nil {
		return nil, err
	}
	v := &extractView{
		Settings: set, Why: res.Why, Method: string(res.Options.Method), Chosen: res.Chosen,
		MergedStates: res.MergedStates, States: res.Automaton.Len(),
		Valid: res.Sample.Valid, WordsFrom: res.Sampler.Source, Agree: res.agree, Fresh: res.fresh, Unit: res.unit,
		Symbols: n.Symbols, Warnings: res.Warnings, Command: set.command(n),
	}
	if len(res.Log) > 0 {
		v.Kappa = res.Options.Kappa
	}
	if res.Tree != nil {
		v.TreeNodes = res.Tree.Len()
	}
	if res.Explored != nil {
		v.Tradeoff = res.Explored.Tradeoff
		for _, f := range res.Explored.Findings[:min(5, len(res.Explored.Findings))] {
			v.Findings = append(v.Findings, res.Automaton.Alphabet.Format(f.Word))
		}
	}
	for q, words := range res.access {
		state := stateView{Accept: res.Automaton.Accept[q], Nodes: res.nodes[q], Words: []string{}}
		for _, w := range words {
			state.Words = append(state.Words, res.Automaton.Alphabet.Format(w))
		}
		for _, to := range res.Automaton.Row(automaton.State(q)) {
			state.Next = append(state.Next, int(to))
		}
		v.Automaton = append(v.Automaton, state)
	}
	if v.Target, err = compareWith(n, res.Automaton); err != nil {
		return nil, err
	}
	v.Drawing, err = s.draw(r.Context(), res.Automaton, res.visits, look)
	return v, err
}

func compareWith(n *network, d *automaton.DFA) (*targetView, error) {
	if n.language == nil {
		return nil, nil
	}
	over, err := d.WithAlphabet(n.language.Alphabet)
	if err != nil {
		return nil, err
	}
	w, differ := automaton.Distinguish(n.language, over)
	t := &targetView{Name: n.Language, Equal: !differ}
	if differ {
		text := n.language.Alphabet.Format(w)
		t.Witness, t.Accepts = &text, n.language.Accepts(w)
	}
	return t, nil
}

// sweep shows what every kappa gives, and which one evidence chooses.
func (s *Server) sweep(r *http.Request) (any, error) {
	set, err := readSettings(r.URL.Query(), "")
	if err != nil {
		return nil, err
	}
	set.Kappa = extract.Auto
	n, chosen, err := s.result(r.Context(), set)
	if err != nil {
		return nil, err
	}
	set.Method = chosen.Options.Method // where that was left open
	if !set.Method.Samples() {
		return nil, fmt.Errorf("the method %s has no kappa to sweep", set.Method)
	}
	p, err := s.prepared(r.Context(), n, set)
	if err != nil {
		return nil, err
	}
	done, err := s.compute(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	trials, err := p.Sweep(r.Context(), nil)
	if err != nil {
		return nil, err
	}
	v := struct {
		Trials  []extract.Trial `json:"trials"`
		Auto    float64         `json:"auto"`
		Why     string          `json:"why"`
		Plateau []float64       `json:"plateau"` // first and last kappa of the longest
	}{Trials: trials, Auto: chosen.Options.Kappa, Why: chosen.Why, Plateau: []float64{}}
	if first, last, found := extract.Plateau(trials); found {
		v.Plateau = []float64{trials[first].Kappa, trials[last].Kappa}
	}
	return v, nil
}
