package draw

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// risingSeries returns a series that rises toward a limit, with a band.
func risingSeries(name string, speed, limit float64) Series {
	s := Series{Name: name}
	for _, x := range []float64{2, 5, 10, 20, 50, 100, 200, 500} {
		y := limit * (1 - math.Exp(-x*speed))
		s.X, s.Y = append(s.X, x), append(s.Y, y)
		s.Low, s.High = append(s.Low, y-(limit-y)/3), append(s.High, y+(limit-y)/3)
	}
	return s
}

// figures are the goldens: one plot, two, and small multiples.
func figures() map[string]Figure {
	accuracy := Plot{
		Title: "Tomita 5", X: Axis{Label: "strings", Log: true}, Y: Axis{Label: "accuracy (%)", Min: 0, Max: 100},
		Series: []Series{risingSeries("keep, κ = 0.01", 0.05, 100), risingSeries("fold, κ auto", 0.3, 100), risingSeries("prefix tree", 1, 60)},
	}
	gap := risingSeries("with a gap", 0.02, 1)
	gap.Y[3] = math.NaN()
	linear := Plot{
		Title: "a & b < c", X: Axis{Label: "epochs"}, Y: Axis{Label: "norm"},
		Series: []Series{gap, {Name: "reference", X: []float64{2, 500}, Y: []float64{0.5, 0.5}, Reference: true}},
	}
	many := Figure{Title: "many", Columns: 4, SameY: true}
	for i := range 7 {
		many.Plots = append(many.Plots, Plot{
			Title: fmt.Sprintf("Tomita %d", i+1), X: Axis{Label: "strings", Log: true}, Y: Axis{Label: "states", Log: true},
			Series: []Series{risingSeries("states", 0.05, float64(1+20*i))},
		})
	}
	return map[string]Figure{
		"plot":  {Title: "one", Columns: 1, Plots: []Plot{accuracy}},
		"plots": {Title: "two", Columns: 2, Plots: []Plot{accuracy, linear}},
		"small": many,
	}
}

func plotted(t testing.TB, f Figure) string {
	t.Helper()
	var b bytes.Buffer
	if err := Plots(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPlotsGolden(t *testing.T) {
	for name, f := range figures() {
		golden(t, name, plotted(t, f))
	}
}

func TestPlotsAreSelfContained(t *testing.T) {
	for name, f := range figures() {
		got := plotted(t, f)
		characters(t, []byte(got))
		if found := regexp.MustCompile(`\sid=|url\(|href|NaN|Inf`).FindString(got); found != "" {
			t.Errorf("%s has %q", name, found)
		}
		if got != plotted(t, f) {
			t.Errorf("%s: the same figure gives other bytes", name)
		}
	}
}

// Whatever the numbers and names are, the picture is well formed.
func TestPlotsOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Float64Range(-1e6, 1e6), rapid.Float64Range(1e-9, 1), rapid.Just(math.NaN()), rapid.Just(0.0))
		axis := func() Axis {
			return Axis{Label: rapid.String().Draw(t, "label"), Log: rapid.Bool().Draw(t, "log")}
		}
		f := Figure{Title: rapid.String().Draw(t, "title"), Columns: rapid.IntRange(1, 4).Draw(t, "columns"), SameY: rapid.Bool().Draw(t, "same")}
		for range rapid.IntRange(1, 5).Draw(t, "plots") {
			p := Plot{Title: rapid.String().Draw(t, "name"), X: axis(), Y: axis()}
			for range rapid.IntRange(0, 3).Draw(t, "series") {
				xs := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 0, 6).Draw(t, "x")
				slices.Sort(xs)
				s := Series{Name: rapid.String().Draw(t, "series name"), X: xs}
				for range xs {
					y := number.Draw(t, "y")
					s.Y, s.Low, s.High = append(s.Y, y), append(s.Low, y-1), append(s.High, y+1)
				}
				p.Series = append(p.Series, s)
			}
			f.Plots = append(f.Plots, p)
		}
		var b bytes.Buffer
		if err := Plots(&b, f); err != nil {
			t.Fatal(err)
		}
		characters(t, b.Bytes())
		if strings.Contains(regexp.MustCompile(`>[^<]*<`).ReplaceAllString(b.String(), "><"), "NaN") {
			t.Fatal("a coordinate is not a number")
		}
	})
}

func TestPlotMistakesPanic(t *testing.T) {
	for name, f := range map[string]Figure{
		"no columns": {Plots: []Plot{{}}},
		"no plots":   {Columns: 1},
		"lengths":    {Columns: 1, Plots: []Plot{{Series: []Series{{X: []float64{1}, Y: nil}}}}},
		"band":       {Columns: 1, Plots: []Plot{{Series: []Series{{X: []float64{1}, Y: []float64{1}, Low: []float64{}}}}}},
		"falling":    {Columns: 1, Plots: []Plot{{Series: []Series{{X: []float64{2, 1}, Y: []float64{1, 1}}}}}},
	} {
		func() {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "draw: ") {
					t.Errorf("%s: it did not panic", name)
				}
			}()
			Plots(&bytes.Buffer{}, f)
		}()
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		values []float64
		length float64
		want   string
	}{
		{Axis{Max: 100}, nil, 150, "0 20 40 60 80 100"},
		{Axis{}, []float64{9.6, 14.2}, 216, "9 10 11 12 13 14 15"},
		{Axis{}, []float64{0.1, 0.3}, 120, "0.1 0.15 0.2 0.25 0.3"},
		{Axis{}, []float64{7}, 100, "6 7 8"},
		{Axis{}, nil, 100, "1 2"},
		{Axis{Log: true}, []float64{1, 1000}, 100, "1 10 100 1000"},
		{Axis{Log: true}, []float64{0, 1, 40}, 100, "1 3 10 30"},
		{Axis{Log: true}, []float64{2, 2}, 200, "2 3"},
	} {
		s := newScale(c.axis, c.values, 0, c.length, 25, true)
		var got []string
		for _, v := range s.ticks {
			got = append(got, tickText(v))
			if at := s.at(v); at < -1e-9 || at > c.length+1e-9 {
				t.Errorf("%v: the tick %g lies at %g", c.values, v, at)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%+v, %v: ticks %s, want %s", c.axis, c.values, text, c.want)
		}
	}
}

func TestScaleEnds(t *testing.T) {
	s := newScale(Axis{Log: true, Min: 1, Max: 100}, nil, 10, 30, 5, true)
	for v, want := range map[float64]float64{1: 10, 10: 20, 100: 30, 0: 10, -5: 10, 1e9: 30} {
		if got := s.at(v); math.Abs(got-want) > 1e-9 {
			t.Errorf("%g lies at %g, want %g", v, got, want)
		}
	}
}
