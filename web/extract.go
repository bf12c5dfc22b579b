package web

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/automaton/regex"
	"quotient/extract"
	"quotient/internal/cache"
	"quotient/language"
	"quotient/learn/explore"
	"quotient/learn/predictive"
	"quotient/model"
	"quotient/study"
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
		Version  string   `json:"version"`
		Methods  []string `json:"methods"`
		Docs     []string `json:"method_docs"` // what each does
		Speakers []string `json:"predictive"`  // methods for language models
		Formats  []format `json:"formats"`
		Defaults settings `json:"defaults"`
		Upload   int64    `json:"max_upload"`
	}{s.o.Version, extract.Names(), methodDocs(), predictive.Names(), formats, settings{model: defaultModel, Options: extract.Options{Seed: extract.DefaultSeed}.Normal()}, s.o.MaxUpload}, nil
}

// methodDocs returns what each method does, in the order of their names.
func methodDocs() []string {
	docs := []string{extract.Auto.Doc}
	for _, m := range extract.Methods {
		docs = append(docs, m.Doc)
	}
	return docs
}

func (s *Server) list(r *http.Request) (any, error) {
	bundled, runs, err := s.catalog.list(r.Context())
	return struct {
		Zoo  []*network `json:"zoo"`
		Runs []*network `json:"runs"`
		Live []*network `json:"live,omitempty"`
	}{bundled, runs, s.catalog.live}, err
}

func (s *Server) badge(r *http.Request) (*network, error) {
	set, err := readSettings(r.URL.Query(), "")
	if err != nil {
		return nil, err
	}
	return s.network(r.Context(), set.model)
}

// describe says what a network is made of and how it is read, as `quotient model` does.
func (s *Server) describe(r *http.Request) (*model.Description, error) {
	n, err := s.badge(r)
	if err != nil {
		return nil, err
	}
	d := n.model.Describe()
	d.Model, d.Format = n.Title, n.Format
	return d, nil
}

// expression serves a regular expression for the automaton, or none if all are long.
// It has a request of its own, since finding one takes longer than all the rest.
func (s *Server) expression(r *http.Request) (any, error) {
	_, _, res, err := s.askedAny(r)
	if err != nil {
		return nil, err
	}
	if res.d == nil {
		return struct {
			Expression string `json:"expression"`
		}{}, nil
	}
	const most = 2000 // characters
	text, err := s.pictures.Get(r.Context(), fmt.Sprint("expression ", fingerprint(res.d)), func(ctx context.Context) (string, error) {
		done, err := s.compute(ctx, small, "")
		if err != nil {
			return "", err
		}
		defer done()
		e, err := regex.FromDFA(res.d, most)
		if err != nil {
			return "", nil
		}
		return e.String(), nil
	})
	return struct {
		Expression string `json:"expression"`
	}{text}, err
}

// A stateView is a state as the page shows it. The dead state comes first.
type stateView struct {
	Accept bool     `json:"accept"`
	Words  []string `json:"words"` // a few shortest that lead there
	Nodes  int      `json:"nodes"` // of the tree that were merged into it
	Next   []int    `json:"next,omitempty"`
	Moves  []string `json:"moves,omitempty"` // by symbol, of an automaton that counts; of one with weights, those of beginning and ending
}

// A targetView says whether the automaton is that of the language that the network
// was trained on.
type targetView struct {
	Name    string  `json:"name"`
	Words   string  `json:"in_words,omitempty"` // what it is, as one says it
	Equal   bool    `json:"equal"`
	Witness *string `json:"witness,omitempty"` // a shortest word of difference
	Accepts bool    `json:"accepts"`           // whether the language has that word
	Only    bool    `json:"only_empty_word,omitempty"`
	Agree   int     `json:"agree_up_to,omitempty"` // they differ on no word up to this length
}

// A dataView says what the user's words show, and how they were read.
type dataView struct {
	*study.Data
	ReadAs string `json:"read_as"` // in words
}

type extractView struct {
	Kind         string          `json:"kind,omitempty"`    // counter or weighted; empty for a finite automaton
	Counts       string          `json:"counts,omitempty"`  // what a counter counts
	Weights      bool            `json:"weights,omitempty"` // there is a weighted automaton that the finite one was made of
	Suggest      string          `json:"suggest,omitempty"` // a method that would do better
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
	Drawn        string          `json:"drawn"`              // how these were drawn, in words
	Findings     []string        `json:"findings,omitempty"` // words on which the network leaves the automaton
	Tradeoff     []explore.Point `json:"tradeoff,omitempty"` // error by states, of what exploring met
	Measured     string          `json:"measured,omitempty"` // the words of which these errors are shares
	Symbols      []string        `json:"symbols"`
	Automaton    []stateView     `json:"automaton"`
	Target       *targetView     `json:"target,omitempty"`
	Data         *dataView       `json:"data,omitempty"`  // what the user's words show
	Reading      string          `json:"reading"`         // how the network is read
	Notes        []string        `json:"notes,omitempty"` // guesses about the network
	Warnings     []string        `json:"warnings,omitempty"`
	Command      string          `json:"command"`
	Drawing      *drawing        `json:"drawing"`
}

// extract extracts.
func (s *Server) extract() http.HandlerFunc {
	return ticking(s, s.extraction, func(r *http.Request) string {
		set, err := readSettings(r.URL.Query(), "")
		if err != nil {
			return ""
		}
		return set.key()
	})
}

// ticking serves what f returns. Asked for a stream, it tells every second that it is still at it,
// and how far what has a key is.
func ticking[V any](s *Server, f func(*http.Request) (V, error), key func(*http.Request) string) http.HandlerFunc {
	plain := answer(f)
	lines := stream(func(r *http.Request, tell func(any)) (V, error) {
		type outcome struct {
			v   V
			err error
		}
		done := make(chan outcome, 1)
		go func() {
			v, err := cache.Safely(func() (V, error) { return f(r) })
			done <- outcome{v, err}
		}()
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for seconds := 1; ; seconds++ {
			select {
			case o := <-done:
				return o.v, o.err
			case <-tick.C:
				p := extractProgress{Seconds: seconds}
				if at, ok := s.underway.Load(key(r)); ok {
					p.sofar = at.(sofar)
				}
				tell(p)
			}
		}
	})
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept") == ndjson {
			lines(w, r)
			return
		}
		plain(w, r)
	}
}

type extractProgress struct {
	Seconds int `json:"seconds"`
	sofar
}

func (s *Server) extraction(r *http.Request) (*extractView, error) {
	if err := s.decides(r); err != nil { // whatever the settings are
		return nil, err
	}
	look, err := readLook(r.URL.Query())
	if err != nil {
		return nil, err
	}
	set, n, res, err := s.askedAny(r)
	if err != nil {
		return nil, err
	}
	v := &extractView{
		Kind: res.kind(), Counts: res.Counted.Counter, Suggest: res.Result.Suggests, Weights: res.Result.Spectral != nil && res.Result.Spectral.DFA != nil, Settings: set, Kappa: res.Result.UsedKappa(), Why: res.Why, Method: res.Method, Chosen: res.Chosen, TreeNodes: res.TreeNodes,
		MergedStates: res.MergedStates, States: res.States, Valid: res.Valid, WordsFrom: res.WordsFrom,
		Agree: res.agree, Fresh: res.fresh, Unit: res.unit, Drawn: res.drawn, Symbols: n.Symbols, Reading: res.Reading, Notes: res.Notes, Warnings: res.Warnings, Command: res.Command(),
	}
	if d := res.Data; d != nil {
		v.Data = &dataView{d, d.Reading.String()}
	}
	if t := res.Target; t != nil {
		v.Target = &targetView{t.Name, language.Note(t.Name), t.Equal, t.Witness, t.Accepts, t.Only, t.Agree}
	}
	if res.Explored != nil {
		v.Tradeoff, v.Measured = res.Explored.Tradeoff, res.Explored.Measured
		for _, c := range res.Examples[:min(5, len(res.Examples))] {
			v.Findings = append(v.Findings, c.Word)
		}
	}
	if res.d == nil {
		v.Automaton = res.infiniteStates()
		v.Drawing, err = s.sketchInfinite(r.Context(), set, res)
		return v, err
	}
	for q, words := range res.access {
		state := stateView{Accept: res.d.Accept[q], Nodes: res.nodes[q], Words: []string{}}
		for _, w := range words {
			state.Words = append(state.Words, res.d.Alphabet.Format(w))
		}
		for _, to := range res.d.Row(automaton.State(q)) {
			state.Next = append(state.Next, int(to))
		}
		v.Automaton = append(v.Automaton, state)
	}
	v.Drawing, err = s.draw(r.Context(), res.d, res.visits, look)
	return v, err
}

// study serves the whole study, as the command line prints it as JSON.
func (s *Server) study(r *http.Request) (*study.Study, error) {
	set, err := readSettings(r.URL.Query(), "")
	if err != nil {
		return nil, err
	}
	return s.certified(r.Context(), set)
}

// certified returns the study of the settings with its certificate.
func (s *Server) certified(ctx context.Context, set settings) (*study.Study, error) {
	_, res, err := s.found(ctx, set)
	if err != nil {
		return nil, err
	}
	whole := *res.Study // what is kept is shared, and stays as it is
	whole.Agreement, err = s.certificates.Get(ctx, set.key(), func(ctx context.Context) (*study.Agreement, error) {
		done, err := s.compute(ctx, small, "")
		if err != nil {
			return nil, err
		}
		defer done()
		judged := *res.Study
		err = judged.Certify(ctx)
		return judged.Agreement, err
	})
	return &whole, err
}

// trials returns what every kappa gives for the sample of a result; nothing if there is none.
func (s *Server) trials(ctx context.Context, n *network, set settings, res *result) ([]extract.Trial, error) {
	if res.Result.UsedKappa() == 0 {
		return nil, nil
	}
	bytes, sample := s.need(n, set, res.Result.Options)
	done, err := s.compute(ctx, bytes, sample)
	if err != nil {
		return nil, err
	}
	defer done()
	with, err := s.options(ctx, n, set)
	if err != nil {
		return nil, err
	}
	o := res.Result.Options
	o.Prepare = with.Prepare
	return study.SweepKappa(ctx, n.model, o)
}

// sweep shows what every kappa gives, and which one evidence chooses.
func (s *Server) sweep(r *http.Request) (any, error) {
	set, err := readSettings(r.URL.Query(), "")
	if err != nil {
		return nil, err
	}
	set.Kappa = extract.ChosenKappa
	n, chosen, err := s.result(r.Context(), set)
	if err != nil {
		return nil, err
	}
	if chosen.Result.UsedKappa() == 0 {
		return nil, fmt.Errorf("the method %s has no kappa to sweep", chosen.Method)
	}
	trials, err := s.trials(r.Context(), n, set, chosen)
	if err != nil {
		return nil, err
	}
	v := struct {
		Trials  []extract.Trial `json:"trials"`
		Auto    float64         `json:"auto"`
		Why     string          `json:"why"`
		Plateau []float64       `json:"plateau"` // first and last kappa of the longest
	}{Trials: trials, Auto: chosen.Kappa, Why: chosen.Why, Plateau: []float64{}}
	if first, last, found := extract.Plateau(trials); found {
		v.Plateau = []float64{trials[first].Kappa, trials[last].Kappa}
	}
	return v, nil
}
