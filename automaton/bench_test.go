package automaton

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"quotient/word"
)

func BenchmarkMinimize(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
		d := randomDFA(rand.New(rand.NewPCG(1, 1)), ab, n, 0)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Minimize(d)
			}
		})
	}
}

func wideAlphabet(b *testing.B) *word.Alphabet {
	letters := make([]string, 64)
	for i := range letters {
		letters[i] = fmt.Sprint(i)
	}
	wide, err := word.NewAlphabet(letters...)
	if err != nil {
		b.Fatal(err)
	}
	return wide
}

// Three transitions a state over 64 symbols.
func BenchmarkMinimizeWide(b *testing.B) {
	wide := wideAlphabet(b)
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		d := randomDFA(rand.New(rand.NewPCG(1, 1)), wide, n, 61./64)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Minimize(d)
			}
		})
	}
}

// The same automata as BenchmarkMinimize's by Hopcroft's algorithm alone.
func BenchmarkHopcroft(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		d := randomDFA(rand.New(rand.NewPCG(1, 1)), ab, n, 0)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				r := acceptance(d)
				hopcroft(&r, nil)
			}
		})
	}
}

// A circle with random acceptance is out of reach of Moore's rounds.
func BenchmarkMinimizeCycle(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		d := unaryCycle(n)
		r := rand.New(rand.NewPCG(1, 1))
		for q := range d.Accept {
			d.Accept[q] = q > 0 && r.IntN(1000) == 0
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Minimize(d)
			}
		})
	}
}

// Two automata for one language, states shuffled: nothing can be settled early.
func BenchmarkDistinguish(b *testing.B) {
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		r := rand.New(rand.NewPCG(1, 1))
		d := randomDFA(r, ab, n, 0)
		e := shuffle(d, r)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, differ := Distinguish(d, e); differ {
					b.Fatal("they are the same")
				}
			}
		})
	}
}

// shuffle renumbers the states at random.
func shuffle(d *DFA, r *rand.Rand) *DFA {
	name := make([]State, len(d.Accept))
	for i, p := range r.Perm(d.Len()) {
		name[i+1] = State(p + 1)
	}
	e := NewDFA(d.Alphabet, d.Len())
	e.Start = name[d.Start]
	for q := range d.Accept {
		e.Accept[name[q]] = d.Accept[q]
		for s, to := range d.Row(State(q)) {
			e.SetNext(name[q], word.Symbol(s), name[to])
		}
	}
	return e
}

func TestShuffledIsTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	d := randomDFA(r, ab, 500, 0.1)
	e := shuffle(d, r)
	if w, differ := Distinguish(d, e); differ {
		t.Fatalf("they differ on %v", w)
	}
	if !Minimize(d).Equal(Minimize(e)) {
		t.Error("the minimal automata differ")
	}
}

func BenchmarkRun(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	d := randomDFA(r, ab, 4, 0)
	w := make(word.Word, 10_000)
	for i := range w {
		w[i] = word.Symbol(r.IntN(2))
	}
	labels := make([]bool, len(w)+1)
	b.Run("run", func(b *testing.B) {
		for b.Loop() {
			d.Run(w)
		}
		b.ReportMetric(float64(len(w))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Msymbols/s")
	})
	b.Run("labels", func(b *testing.B) {
		for b.Loop() {
			d.Labels(labels, w)
		}
		b.ReportMetric(float64(len(w))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Msymbols/s")
	})
}

// Two of three transitions over 64 symbols lead on.
func BenchmarkNewSampler(b *testing.B) {
	d := randomDFA(rand.New(rand.NewPCG(1, 1)), wideAlphabet(b), 100, 1./3)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewSampler(d, 500); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	s, err := NewSampler(evenAs(), 100)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	w := make(word.Word, 100)
	for b.Loop() {
		s.Draw(w, r)
	}
	b.ReportMetric(float64(len(w))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Msymbols/s")
}

func BenchmarkWords(b *testing.B) {
	for b.Loop() {
		n := 0
		for w := range evenAs().Words() {
			if n += len(w); n > 100_000 {
				break
			}
		}
	}
}

func BenchmarkDeterminize(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	d := randomDFA(r, ab, 100_000, 0)
	n := Reverse(Reverse(d.NFA()))
	n.Start = slices.Concat(n.Start, n.Start) // looks nondeterministic
	b.Run("subsets-100000", func(b *testing.B) {
		for b.Loop() {
			if _, err := Determinize(n, DefaultLimit); err != nil {
				b.Fatal(err)
			}
		}
	})
}
