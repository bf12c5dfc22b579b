package faith

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

func check(t *testing.T, r oracletest.Noisy, o Options) *Report {
	t.Helper()
	var err error
	o.Seed = 1
	o.Source, err = sample.FromLanguage("its own", r.DFA, r.Alphabet())
	if err != nil {
		t.Fatal(err)
	}
	rep, err := Check(oracle.Ask(t.Context(), r), r.DFA, o)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestPerfectAgreement(t *testing.T) {
	rep := check(t, oracletest.Random(1, 5, 0.2), Options{})
	if rep.Words != 1000 || rep.Agree != 1000 || rep.Accuracy != 1 || rep.Found {
		t.Errorf("%+v", rep)
	}
	// 1000 words without a disagreement: 1 - 0.01^(1/1000).
	if want := 1 - math.Pow(0.01, 1.0/1000); math.Abs(rep.Bound-want) > 1e-9 || rep.Confidence != 0.99 {
		t.Errorf("bound %v, want %v", rep.Bound, want)
	}
	if rep.Long.Words != 100 || rep.Long.Agree != 100 || rep.Long.Low != 500 {
		t.Errorf("long words: %+v", rep.Long)
	}
	// 1 + 3 + … + 3⁹ = 29,524 words fit 50,000; 3¹⁰ more do not.
	if e := rep.Exhaustive; e.High != 9 || e.Words != 29_524 || e.Agree != e.Words {
		t.Errorf("exhaustive: %+v", e)
	}
	total := 0
	for _, b := range rep.ByLength {
		total += b.Words
	}
	if total != 1000 || rep.ByLength[len(rep.ByLength)-1].High != 50 {
		t.Errorf("by length: %+v", rep.ByLength)
	}
}

// A recognizer that errs on words of length 4, and nowhere else.
func TestShortestDisagreement(t *testing.T) {
	r := oracletest.Random(1, 5, 0.2)
	r.Errs = func(length int) bool { return length == 4 }
	rep := check(t, r, Options{})
	if !rep.Found || len(rep.Shortest) != 4 {
		t.Errorf("found %v: %v, want a word of length 4", rep.Found, rep.Shortest)
	}
	if wrong := rep.Exhaustive.Words - rep.Exhaustive.Agree; wrong != 81 {
		t.Errorf("%d short words are wrong, want 81", wrong)
	}
	if rep.Bound <= 1-rep.Accuracy {
		t.Errorf("bound %v at accuracy %v", rep.Bound, rep.Accuracy)
	}
}

// Errors on long words alone are out of reach of exhaustion, but a recognizer
// whose states drift leads the search there.
// What the extraction met counts, if it is a disagreement.
func TestKnownDisagreement(t *testing.T) {
	r := oracletest.Random(1, 5, 0.2)
	r.Errs = func(length int) bool { return length == 60 }
	o := Options{Search: 1, Long: 55, Known: []word.Word{make(word.Word, 59), make(word.Word, 60)}}
	if rep := check(t, r, o); !rep.Found || len(rep.Shortest) != 60 || rep.Agree != rep.Words {
		t.Errorf("found %v: %v, want the known word of length 60", rep.Found, rep.Shortest)
	}
	o.Known = nil
	if rep := check(t, r, o); rep.Found {
		t.Errorf("found %v without being told", rep.Shortest)
	}
}

func TestSearchGoesDeeper(t *testing.T) {
	r := oracletest.Random(1, 3, 0.2)
	r.Errs = func(length int) bool { return length >= 7 }
	rep := check(t, r, Options{Exhaustive: 100, Words: 1, High: 1, LongWords: 1, Long: 1})
	if !rep.Found || len(rep.Shortest) != 7 || rep.Exhaustive.High >= 7 {
		t.Errorf("found %v, exhaustive to %d", rep.Shortest, rep.Exhaustive.High)
	}
}

// narrow is a recognizer that minds how many rows it is given at once.
type narrow struct {
	oracletest.Noisy
	rows *int // the most so far
}

func (n narrow) Step(dst, src f32.Matrix, on []word.Symbol) error {
	*n.rows = max(*n.rows, dst.Rows)
	return n.Noisy.Step(dst, src, on)
}

// Over many symbols a level of the search is many times what is looked at together;
// the word that is found is still the first of the shortest.
func TestSearchOfManySymbols(t *testing.T) {
	names := make([]string, 300)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	d := automaton.NewDFA(a, 1)
	for s := range a.Len() {
		d.SetNext(1, word.Symbol(s), 1)
	}
	rows := 0
	r := narrow{oracletest.Noisy{DFA: d, Dims: 12, Noise: 3, Errs: func(length int) bool { return length == 3 }}, &rows}
	c := newChecker(oracle.Ask(t.Context(), r), d)
	looked := c.search(1000)
	if want := (word.Word{0, 0, 0}); !c.found || !slices.Equal(c.shortest, want) {
		t.Errorf("found %v, want %v", c.shortest, want)
	}
	if looked < 90_000 || rows > batch {
		t.Errorf("looked at %d words, up to %d together", looked, rows)
	}
}

// A search that the states of another oracle guide finds what that one does otherwise than the automaton; it
// counts if whoever the report is about does so, too.
func TestSearchIsGuided(t *testing.T) {
	d := oracletest.Random(3, 5, 0).DFA
	wrong := oracletest.Noisy{DFA: d, Dims: 12, Noise: 3, Errs: func(length int) bool { return length == 4 }}
	for _, right := range []bool{false, true} {
		asked := oracletest.NewElsewhere(wrong)
		if right {
			asked.Errs = nil
		}
		c := newChecker(oracle.Ask(t.Context(), oracletest.Stateless{Elsewhere: asked}), d)
		c.guide = oracle.Ask(t.Context(), wrong)
		if looked := c.search(1000); looked < 5 || c.found == right || len(asked.Seen) != 1 {
			t.Errorf("after %d prefixes, and %d words asked: %v", looked, len(asked.Seen), c.shortest)
		}
	}
}

func TestSpell(t *testing.T) {
	// The list holds ε, a, ab; the word is abc.
	if w := spell([]int32{-1, 0, 1}, []word.Symbol{0, 0, 1}, 2, 2); len(w) != 3 || w[0] != 0 || w[1] != 1 || w[2] != 2 {
		t.Errorf("spell gives %v", w)
	}
	if w := spell(nil, nil, -1, 0); len(w) != 0 {
		t.Errorf("the empty word is spelled %v", w)
	}
}

// The bound against the definition: with the true rate at the bound, so few
// disagreements are seen with probability 1 - confidence.
func TestBound(t *testing.T) {
	for _, c := range []struct{ n, m int }{{1000, 0}, {1000, 3}, {50, 10}, {20, 19}} {
		const confidence = 0.95
		p := Bound(c.n, c.m, confidence)
		tail := 0.0
		for i := 0; i <= c.m; i++ {
			tail += math.Exp(logChoose(c.n, i) + float64(i)*math.Log(p) + float64(c.n-i)*math.Log1p(-p))
		}
		if math.Abs(tail-(1-confidence)) > 1e-6 {
			t.Errorf("Bound(%d, %d) = %v, at which the tail is %v", c.n, c.m, p, tail)
		}
	}
	if Bound(10, 10, 0.9) != 1 {
		t.Error("all wrong: the bound is 1")
	}
}

func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}
