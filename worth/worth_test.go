package worth_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"quotient/worth"
)

// Numbers are multiples of powers of two, so that nothing is rounded.
var (
	score = rapid.Custom(func(t *rapid.T) worth.Score {
		return worth.Score{Error: float64(rapid.IntRange(0, 16).Draw(t, "error")) / 16, States: rapid.IntRange(1, 8).Draw(t, "states")}
	})
	perState = rapid.Custom(func(t *rapid.T) worth.Price {
		return worth.Price{State: float64(rapid.IntRange(0, 4).Draw(t, "price")) / 32}
	})
)

// Where no chance is involved and size itself costs nothing, the better automaton is the
// one of less cost, and of equal cost the smaller one: a strict order.
func TestBetter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := perState.Draw(t, "price")
		a, b, c := score.Draw(t, "a"), score.Draw(t, "b"), score.Draw(t, "c")
		want := p.Cost(a) < p.Cost(b) || p.Cost(a) == p.Cost(b) && a.States < b.States
		if p.Better(a, b) != want {
			t.Fatalf("%+v is better than %+v: %v; they cost %v and %v", a, b, !want, p.Cost(a), p.Cost(b))
		}
		if p.Better(a, a) || p.Better(a, b) && p.Better(b, a) || p.Better(a, b) && p.Better(b, c) && !p.Better(a, c) {
			t.Fatalf("no strict order of %+v, %+v and %+v", a, b, c)
		}
		if a != b && !p.Better(a, b) && !p.Better(b, a) {
			t.Fatalf("neither of %+v and %+v is better", a, b)
		}
	})
}

// A price may be for being larger at all: of two sizes one is better, and not the larger
// one if it gains no more than that.
func TestOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := perState.Draw(t, "price")
		p.Once = float64(rapid.IntRange(0, 4).Draw(t, "once")) / 16
		a, b := score.Draw(t, "a"), score.Draw(t, "b")
		if a.States < b.States {
			a, b = b, a
		}
		pays := b.Error-a.Error > p.Once+p.State*float64(a.States-b.States)
		if a.States > b.States && (p.Better(a, b) != pays || p.Better(b, a) == pays) {
			t.Fatalf("%+v against %+v: %v and %v", a, b, p.Better(a, b), p.Better(b, a))
		}
	})
}

// A gain must exceed its price by so many standard deviations, and prices can be raised.
func TestPays(t *testing.T) {
	p := worth.Price{State: 0.25, Once: 0.5, Sure: 2}
	for _, c := range []struct {
		gain, spread float64
		states       int
		want         bool
	}{{1, 0, 2, false}, {1.01, 0, 2, true}, {1.2, 0.1, 2, false}, {1.3, 0.1, 2, true}, {0.6, 0, 0, true}} {
		if p.Pays(c.gain, c.spread, c.states) != c.want {
			t.Errorf("%+v: %v", c, !c.want)
		}
	}
	if twice := p.Times(2); twice != (worth.Price{State: 0.5, Once: 1, Sure: 2}) {
		t.Errorf("twice the price is %+v", twice)
	}
	for _, c := range []struct {
		share float64
		n     int
		want  float64
	}{{0, 10, 0}, {1, 10, 0}, {0.5, 100, 0.05}, {0.5, 0, 0.5}} {
		if got := worth.Spread(c.share, c.n); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v of %d words: a standard deviation of %v", c.share, c.n, got)
		}
	}
}

// A description grows with states and with symbols, and nothing is described by nothing.
func TestDescription(t *testing.T) {
	if worth.Description(0, 4) != 0 {
		t.Error("no states cost something")
	}
	for n := range 20 {
		if a, b := worth.Description(n, 4), worth.Description(n+1, 4); !(a < b) {
			t.Errorf("%d states cost %v, one more %v", n, a, b)
		}
	}
	if a, b := worth.Description(7, 4), worth.Description(7, 8); b != 2*a {
		t.Errorf("twice the symbols cost %v, not twice %v", b, a)
	}
}

// What a network was trained on is where the errors of smaller automata rise steeply, and those of larger ones hardly fall.
func TestBend(t *testing.T) {
	for name, c := range map[string]struct {
		curve []worth.Score // errors in words
		want  int
	}{
		"a bend":            {[]worth.Score{{77, 164}, {80, 90}, {96, 53}, {140, 49}, {400, 40}}, 2},
		"two bends":         {[]worth.Score{{60, 70}, {68, 47}, {90, 44}, {200, 43}}, 1},
		"a straight line":   {[]worth.Score{{310, 193}, {401, 58}, {480, 31}, {630, 19}}, 0},
		"too much is lost":  {[]worth.Score{{10, 80}, {30, 11}, {300, 10}}, 0},
		"each state counts": {[]worth.Score{{2, 17}, {16, 16}, {27, 15}}, 0},
		"hardly any counts": {[]worth.Score{{475, 193}, {511, 92}, {561, 19}, {700, 10}}, 2},
		"the last one":      {[]worth.Score{{475, 193}, {511, 92}}, 1},
		"nothing smaller":   {[]worth.Score{{5, 4}}, 0},
	} {
		if got := worth.Bend(c.curve); got != c.want {
			t.Errorf("%s: %d is chosen of %v, want %d", name, got, c.curve, c.want)
		}
	}
	if curve := []worth.Score{{10, 8}, {16, 6}, {17, 5}}; worth.Lost(curve[:2]) || !worth.Lost(curve) {
		t.Error("six words more of ten are not too many, seven are")
	}
}
