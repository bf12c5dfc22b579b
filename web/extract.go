package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/automaton/regex"
	"quotient/extract"
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
	}{s.o.Version, extract.Methods, formats, defaults, s.o.MaxUpload}, nil
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
	agree, prefixes int           // on fresh words
	access          [][]word.Word // of each state, the dead one too: a few shortest words that lead there
	of              []automaton.State
	nodes           []int // of the tree, for each state
	expression      string
}

func sampleSize(p *extract.Prepared) int64 {
	return 8*int64(len(p.Tree().State.Data)) + 64*int64(p.Tree().Len()) + 1<<20 // the tree twice, and the judges
}

// size counts what a result does not share with its prepared sample.
func (r *result) size() int64 {
	return int64(8*len(r.Log)+4*len(r.Merged.Table)+4*len(r.Automaton.Table)+4*len(r.of)+len(r.expression)) + int64(200*len(r.access)) + 4096
}

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
		p, err := s.prepared(ctx, n, set)
		if err != nil {
			return nil, err
		}
		done, err := s.compute(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		return newResult(ctx, p, set.Kappa)
	})
	return n, res, err
}

func newResult(ctx context.Context, p *extract.Prepared, kappa float64) (*result, error) {
	found, err := p.At(ctx, kappa)
	if err != nil {
		return nil, err
	}
	r := &result{Result: found}
	if r.agree, r.prefixes, err = p.Agreement(r.Automaton); err != nil {
		return nil, err
	}
	d, t := r.Automaton, r.Tree
	r.access = accessWords(d, 3)
	r.of = make([]automaton.State, t.Len())
	r.nodes = make([]int, d.Len()+1)
	for n := range r.of {
		if n == 0 {
			r.of[n] = d.Start
		} else {
			r.of[n] = d.Next(r.of[t.Parent[n]], t.On[n])
		}
		r.nodes[r.of[n]]++
	}
	if e, err := regex.FromDFA(d, 2000); err == nil {
		r.expression = e.String()
	}
	return r, nil
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
	Settings     settings    `json:"settings"`
	Kappa        float64     `json:"kappa"` // that was used; 0 if the method has none
	Why          string      `json:"why,omitempty"`
	TreeNodes    int         `json:"tree_nodes"`
	MergedStates int         `json:"merged_states"`
	States       int         `json:"states"`
	Valid        int         `json:"valid_words"`
	WordsFrom    string      `json:"words_from"`
	Agree        int         `json:"agree"` // prefixes of fresh words
	Prefixes     int         `json:"prefixes"`
	Expression   string      `json:"expression,omitempty"`
	Symbols      []string    `json:"symbols"`
	Automaton    []stateView `json:"automaton"`
	Target       *targetView `json:"target,omitempty"`
	Warnings     []string    `json:"warnings,omitempty"`
	Command      string      `json:"command"`
	Drawing      *drawing    `json:"drawing"`
}

func (s *Server) extract(r *http.Request) (*extractView, error) {
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
		Settings: set, Kappa: res.Options.Kappa, Why: res.Why,
		TreeNodes: res.Tree.Len(), MergedStates: res.MergedStates, States: res.Automaton.Len(),
		Valid: res.Sample.Valid, WordsFrom: res.Sampler.Source, Agree: res.agree, Prefixes: res.prefixes,
		Expression: res.expression, Symbols: n.Symbols, Warnings: res.Warnings, Command: set.command(n),
	}
	if set.Method == extract.KMeans {
		v.Kappa = 0
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
	v.Drawing, err = s.draw(r.Context(), res.Automaton, look)
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
	n, err := s.network(r.Context(), set.Model)
	if err != nil {
		return nil, err
	}
	p, err := s.prepared(r.Context(), n, set)
	if err != nil {
		return nil, err
	}
	_, chosen, err := s.result(r.Context(), set)
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
