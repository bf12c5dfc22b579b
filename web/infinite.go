package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"quotient/automaton"
	"quotient/counter"
	"quotient/draw"
	"quotient/draw/paint"
	"quotient/prefix"
	"quotient/weighted"
	"quotient/word"
)

// What is extracted may be no finite automaton: one that counts, or one with weights. The page
// runs words on it, draws it, judges it and hands it out all the same.

// Kinds of what is extracted; a finite automaton has none.
const (
	counting = "counter"
	weighing = "weighted"
)

func (r *result) kind() string {
	switch {
	case r.d != nil:
		return ""
	case r.Result.Counter != nil:
		return counting
	}
	return weighing
}

// weighted returns a result of which the weighted automaton counts, if it has one.
func (s *Server) weighted(ctx context.Context, n *network, set settings) (*result, error) {
	return s.results.Get(ctx, set.key(), func(ctx context.Context) (*result, error) {
		plain := set
		plain.weights = false
		_, res, err := s.found(ctx, plain)
		if err != nil || res.Result.Spectral == nil {
			return res, err
		}
		found, bare := *res.Study, *res.Result
		bare.Automaton = nil
		found.Result, found.States, found.Target = &bare, bare.States(), nil
		r := &result{Study: &found}
		return r, s.judge(ctx, n, plain, r)
	})
}

// run reads a word, and returns a row for every prefix.
func (r *result) run(w word.Word) []row {
	rows := make([]row, len(w)+1)
	a := r.Alphabet()
	for i := range w {
		rows[i+1].Symbol = a.Name(w[i])
	}
	switch r.kind() {
	case "":
		for i, q := 0, r.d.Start; i < len(rows); i++ {
			rows[i].State, rows[i].Automaton = int(q), r.d.Accept[q]
			if i < len(w) {
				q = r.d.Next(q, w[i])
			}
		}
	case counting:
		m := r.Result.Counter.Automaton
		for i, c := 0, m.StartConfig(); i < len(rows); i++ {
			n := c.Counter
			rows[i].State, rows[i].Counter, rows[i].Automaton = int(c.State), &n, m.AcceptsAt(c)
			if i < len(w) {
				c = m.Next(c, w[i])
			}
		}
	default:
		m := r.Result.Spectral.Automaton
		for i, v := range values(m, w) {
			rows[i].Value, rows[i].Automaton = &v, v > m.Threshold
		}
	}
	return rows
}

// values returns what a weighted automaton gives every prefix of a word.
func values(m *weighted.Automaton, w word.Word) []float64 {
	at, next := append([]float64(nil), m.Initial...), make([]float64, m.Len())
	all := make([]float64, len(w)+1)
	for i := range all {
		for q, x := range at {
			all[i] += x * m.Final[q]
		}
		if i < len(w) {
			m.Step(next, at, w[i])
			at, next = next, at
		}
	}
	return all
}

// picture draws what is not finite.
func (r *result) picture(w io.Writer, parts bool) error {
	if r.kind() == counting {
		return draw.Counter(w, r.Result.Counter.Automaton, draw.Options{Parts: parts})
	}
	return draw.Weights(w, r.Result.Spectral.Automaton, draw.WeightOptions{Parts: parts})
}

// sketchInfinite is the drawing of it for the page.
func (s *Server) sketchInfinite(ctx context.Context, set settings, r *result) (*drawing, error) {
	svg, err := s.pictures.Get(ctx, "infinite "+set.key(), func(context.Context) (string, error) {
		var b strings.Builder
		err := r.picture(&b, true)
		return b.String(), err
	})
	var limit *automaton.LimitError
	if errors.As(err, &limit) {
		return &drawing{View: whole, Note: limit.Error()}, nil
	}
	return &drawing{SVG: svg, View: whole}, err
}

// infiniteStates describes the states of what is not finite, a dead one first.
func (r *result) infiniteStates() []stateView {
	list := []stateView{{Words: []string{}}}
	if r.kind() == weighing {
		x := r.Result.Spectral
		for q, final := range x.Automaton.Final {
			state := stateView{Words: []string{}, Moves: []string{fmt.Sprintf("%.3g", x.Automaton.Initial[q]), fmt.Sprintf("%.3g", final)}}
			if q < len(x.States) {
				state.Words = append(state.Words, x.Automaton.Alphabet.Format(x.States[q]))
			}
			list = append(list, state)
		}
		return list
	}
	a := r.Result.Counter.Automaton
	reached := reachedBy(a)
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		state := stateView{Accept: a.Accept[q][counter.Zero] || a.Accept[q][1-counter.Zero], Words: []string{}}
		if w, ok := reached[q]; ok {
			state.Words = append(state.Words, a.Alphabet.Format(w))
		}
		for s := range a.Alphabet.Len() {
			state.Moves = append(state.Moves, moves(a, q, word.Symbol(s)))
		}
		list = append(list, state)
	}
	return list
}

// moves writes what a counter automaton does on a symbol.
func moves(a *counter.Automaton, q automaton.State, s word.Symbol) string {
	write := func(m counter.Move) string {
		if m.To == automaton.Dead {
			return "·"
		}
		return fmt.Sprintf("%s %+d", stateName(m.To), m.Add)
	}
	zero, other := write(a.Move(q, s, counter.Zero)), write(a.Move(q, s, 1-counter.Zero))
	if zero == other {
		return zero
	}
	return fmt.Sprintf("=0: %s, ≠0: %s", zero, other)
}

// reachedBy returns a shortest word for every state, as far as a short search finds one.
func reachedBy(a *counter.Automaton) map[automaton.State]word.Word {
	const most = 10_000 // configurations
	type node struct {
		at counter.Config
		w  word.Word
	}
	first := map[automaton.State]word.Word{a.Start: {}}
	seen := map[counter.Config]bool{a.StartConfig(): true}
	for queue := []node{{a.StartConfig(), nil}}; len(queue) > 0 && len(seen) < most; queue = queue[1:] {
		for s := range a.Alphabet.Len() {
			next := a.Next(queue[0].at, word.Symbol(s))
			if next.State == automaton.Dead || seen[next] {
				continue
			}
			seen[next] = true
			w := append(append(word.Word(nil), queue[0].w...), word.Symbol(s))
			if _, ok := first[next.State]; !ok {
				first[next.State] = w
			}
			queue = append(queue, node{next, w})
		}
	}
	return first
}

// file is it in a format: a picture, or JSON.
func (r *result) file(name, format string, kinds map[string]string) (*download, error) {
	if kind, ok := kinds[format]; ok {
		d := &download{name: name + "." + format, kind: kind}
		return d, paint.As(format, d, func(w io.Writer) error { return r.picture(w, false) })
	}
	if format != "json" {
		return nil, badf("what was found is no finite automaton, which is there as JSON, SVG, PDF and PNG, but not as %s", format)
	}
	d := &download{name: name + ".json", kind: "application/json"}
	if r.kind() == counting {
		return d, counter.Write(&d.Buffer, r.Result.Counter.Automaton)
	}
	return d, weighted.Write(&d.Buffer, r.Result.Spectral.Automaton)
}

// statesOf returns to which state each node of a tree leads; a weighted automaton has none to be in.
func (r *result) statesOf(t *prefix.Tree) []automaton.State {
	if r.d != nil {
		return statesOf(r.d, t)
	}
	of := make([]automaton.State, t.Len())
	if r.kind() == weighing {
		return of
	}
	a := r.Result.Counter.Automaton
	at := make([]counter.Config, t.Len())
	at[0] = a.StartConfig()
	for n := range of {
		if n > 0 {
			at[n] = a.Next(at[t.Parent[n]], t.On[n])
		}
		of[n] = at[n].State
	}
	return of
}
