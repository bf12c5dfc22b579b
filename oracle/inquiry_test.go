package oracle_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"quotient/f32"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// A watched oracle counts what it is asked. It ends with the context of a question, as
// one that runs elsewhere may, and fails if it is told to.
type watched struct {
	oracletest.Noisy
	calls int
	words map[string]int // how often each was asked for
	fail  error
}

func watch() *watched { return &watched{Noisy: oracletest.Random(3, 5, 0.1), words: map[string]int{}} }

func (w *watched) called() error {
	w.calls++
	return w.fail
}

func (w *watched) Answer(ctx context.Context, dst f32.Matrix, words []word.Word) error {
	for _, v := range words {
		w.words[v.Key()]++
	}
	w.Noisy.Answer(ctx, dst, words)
	return errors.Join(w.called(), ctx.Err())
}

func (w *watched) Start(dst []float32) error {
	w.Noisy.Start(dst)
	return w.called()
}

func (w *watched) Step(dst, src f32.Matrix, on []word.Symbol) error {
	w.Noisy.Step(dst, src, on)
	return w.called()
}

func (w *watched) Read(dst, states f32.Matrix) error {
	w.Noisy.Read(dst, states)
	return w.called()
}

// askAll asks in every way there is.
func askAll(q *oracle.Inquiry) {
	words := word.UpTo(3, 13)
	q.Accepts(words)
	q.Label(words)
	if !q.ShowsStates() {
		return
	}
	states := q.Start()
	q.LabelPaths(words)
	q.Step(states, []word.Symbol{1})
	q.Read(states)
	q.Successors(states)
	q.StepFrom(states, []int{0, 0}, []word.Symbol{0, 2})
	q.After(states, []int{0}, []word.Word{{0, 1}})
	q.Short(100, 5, nil)
	sample.Rough(q, 0.1, 50)
}

// However an inquiry ends, it says why and asks nothing more.
func TestInquiryEnds(t *testing.T) {
	cause := errors.New("enough")
	for name, end := range map[string]func(q *oracle.Inquiry, net *watched) (*oracle.Inquiry, error){
		"context": func(q *oracle.Inquiry, _ *watched) (*oracle.Inquiry, error) {
			ctx, cancel := context.WithCancelCause(q.Context())
			cancel(cause)
			return q.Under(ctx), cause
		},
		"time": func(q *oracle.Inquiry, _ *watched) (*oracle.Inquiry, error) {
			timed, cancel := q.Search(time.Nanosecond)
			t.Cleanup(cancel)
			<-timed.Context().Done()
			return timed, timed.Err()
		},
		"stop": func(q *oracle.Inquiry, _ *watched) (*oracle.Inquiry, error) {
			ctx, stop := context.WithCancelCause(q.Context())
			search, cancel := q.Until(ctx).Search(0)
			t.Cleanup(cancel)
			stop(cause)
			<-search.Context().Done()
			return search, oracle.ErrStopped
		},
		"failure": func(q *oracle.Inquiry, net *watched) (*oracle.Inquiry, error) {
			net.fail = cause
			q.Start()
			return q, cause
		},
		"budget": func(q *oracle.Inquiry, _ *watched) (*oracle.Inquiry, error) {
			q.Accepts(word.UpTo(3, 4))
			q.Limit(8)
			q.Accepts(word.UpTo(3, 4))
			q.Accepts(word.UpTo(3, 4))
			if err := q.Err(); err != nil || q.Asked() != 12 {
				t.Errorf("%d answers of 8, and 4 before: %v", q.Asked(), err)
			}
			q.Accepts(word.UpTo(3, 4))
			var spent *oracle.BudgetError
			if err := q.Err(); !errors.As(err, &spent) || spent.Words != 8 {
				t.Errorf("error %v", err)
			}
			return q, spent
		},
	} {
		net := watch()
		q, want := end(oracle.Ask(t.Context(), net), net)
		asked, calls := q.Asked(), net.calls
		askAll(q)
		askAll(q.Blind())
		askAll(q.Remembering())
		if err := q.Err(); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", name, err, want)
		}
		if net.calls != calls || q.Asked() != asked {
			t.Errorf("%s: %d questions and %d answers after the end", name, net.calls-calls, q.Asked()-asked)
		}
	}
}

// Inquiries that follow from one another share their count, their budget and the oracle's
// error, but not their ends.
func TestRelatedInquiries(t *testing.T) {
	net := watch()
	q := oracle.Ask(t.Context(), net)
	timed, cancel := q.Search(time.Hour)
	defer cancel()
	stopped, stop := context.WithCancel(t.Context())
	related := []*oracle.Inquiry{q, q.Under(stopped), timed, q.Blind(), q.Remembering(), q.Blind().Remembering()}
	for i, p := range related {
		p.Accepts([]word.Word{{0}, {1}})
		for _, p := range related {
			if p.Asked() != 2*(i+1) {
				t.Errorf("%d answers asked for, want %d", p.Asked(), 2*(i+1))
			}
		}
		if states := i < 3 || i == 4; p.ShowsStates() != states {
			t.Errorf("inquiry %d shows states: %v", i, !states)
		}
	}
	stop()
	related[1].Accepts([]word.Word{{2}})
	if related[1].Err() == nil || q.Err() != nil {
		t.Errorf("the one that was stopped says %v, that it came from %v", related[1].Err(), q.Err())
	}
	net.fail = errors.New("the line is dead")
	timed.Read(timed.Start())
	for i, p := range related {
		if !errors.Is(p.Err(), net.fail) {
			t.Errorf("inquiry %d says %v", i, p.Err())
		}
	}
}

// An oracle that returns the error of the context with which an inquiry ends has not
// failed.
func TestContextIsNoFailure(t *testing.T) {
	net := watch()
	ctx, cancel := context.WithCancel(t.Context())
	q := oracle.Ask(t.Context(), slowly{net, cancel}).Remembering()
	p := q.Under(ctx)
	p.Accepts([]word.Word{{0}, {1}})
	if !errors.Is(p.Err(), context.Canceled) || q.Err() != nil {
		t.Errorf("the one that was stopped says %v, that it came from %v", p.Err(), q.Err())
	}
	if q.Known() != 0 {
		t.Errorf("%d words are known though nobody answered", q.Known())
	}
	if w := (word.Word{0}); q.Accepts([]word.Word{w})[0] != net.DFA.Accepts(w) || q.Err() != nil {
		t.Errorf("asked again: %v", q.Err())
	}
}

// slowly is an oracle during whose first answer the context ends.
type slowly struct {
	*watched
	cancel func()
}

func (s slowly) Answer(ctx context.Context, dst f32.Matrix, words []word.Word) error {
	s.cancel()
	return s.watched.Answer(ctx, dst, words)
}

// An inquiry that remembers asks for every word once, however often and wherever it is
// asked for.
func TestRemembering(t *testing.T) {
	net := watch()
	q := oracle.Ask(t.Context(), net).Remembering()
	timed, cancel := q.Search(time.Hour)
	defer cancel()
	all := word.UpTo(3, 40)
	for _, words := range [][]word.Word{all[3:9], append(all[:6:6], all...), nil, all} {
		for i, p := range timed.Probabilities(words) {
			if (p > oracle.Threshold) != net.DFA.Accepts(words[i]) {
				t.Errorf("%v has the probability %v", words[i], p)
			}
		}
		q.Accepts(words)
	}
	if q.Known() != len(all) || q.Asked() != len(all) || len(net.words) != len(all) || net.calls != 2 {
		t.Errorf("%d words are known, %d were asked for, in %d calls; want %d", q.Known(), q.Asked(), net.calls, len(all))
	}
}

// A search that has spent the budget ends alone; whoever concludes from it has what it left.
func TestSearchSpendsTheBudget(t *testing.T) {
	q := oracle.Ask(t.Context(), watch())
	q.Limit(10)
	search, cancel := q.Search(0)
	defer cancel()
	search.Accepts(word.UpTo(3, 4))
	if search.Left() != 6 || q.Left() != 6 || q.AtMost(100, 0.5) != 3 || q.AtMost(2, 0.5) != 2 || q.AtMost(9, 0) != 1 {
		t.Errorf("%d and %d are left", search.Left(), q.Left())
	}
	search.Accepts(word.UpTo(3, 13))
	var spent *oracle.BudgetError
	if !errors.As(search.Err(), &spent) || spent.Words != 10 || q.Err() != nil {
		t.Errorf("the search says %v, that it came from %v", search.Err(), q.Err())
	}
	if q.Accepts(word.UpTo(3, 4)); q.Err() != nil || q.Asked() != 8 {
		t.Errorf("%d answers, %v", q.Asked(), q.Err())
	}
}

// Over another alphabet the same is asked in other words, with states and without, and what is remembered is not mixed up.
func TestOver(t *testing.T) {
	r := oracletest.Random(3, 6, 0.1)
	q := oracle.Ask(t.Context(), r).Remembering()
	words := word.UpTo(2, 60)
	swapped := make([]word.Word, len(words))
	for i, w := range words {
		for _, s := range w {
			swapped[i] = append(swapped[i], 1-s)
		}
	}
	want := q.Accepts(swapped)
	p := q.Over([]word.Symbol{1, 0})
	if a := p.Alphabet(); a.Len() != 2 || a.Name(0) != q.Alphabet().Name(1) {
		t.Errorf("the alphabet is %v", a)
	}
	for name, p := range map[string]*oracle.Inquiry{"states": p, "answers": p.Blind()} {
		if got := p.Accepts(words); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if got := p.After(p.Start(), make([]int, len(words)), words); !slices.Equal(got, want) {
		t.Errorf("after suffixes: %v, want %v", got, want)
	}
	if got := p.Over([]word.Symbol{1, 0}).Accepts(words); !slices.Equal(got, q.Accepts(words)) {
		t.Error("exchanged twice, symbols are not what they were")
	}
}
