package passive

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"quotient/automaton"
	"quotient/learn/labeled"
	"quotient/word"
)

func noisyTruth(symbols int, rng *rand.Rand, partial float64) *automaton.DFA {
	a := word.Letters("abcdefghijklmnopqrstuvwxyz"[:symbols])
	var d *automaton.DFA
	for d == nil || d.Len() != 8 {
		d = automaton.NewDFA(a, 8)
		for q := 1; q <= 8; q++ {
			d.Accept[q] = rng.IntN(2) == 0
			row := d.Row(automaton.State(q))
			for s := range row {
				if rng.Float64() >= partial {
					row[s] = automaton.State(1 + rng.IntN(8))
				}
			}
		}
		d = automaton.Minimize(d)
	}
	return d
}

func TestBaseline(t *testing.T) {
	for _, c := range []struct {
		name   string
		k      int
		lo, hi int
		bias   float64
		part   float64
		unique bool
		n      int
	}{
		{"plain", 2, 0, 30, 0, 0, false, 90000},
		{"plain", 4, 0, 30, 0, 0, false, 90000},
		{"long", 2, 10, 30, 0, 0, true, 90000},
		{"long", 4, 10, 30, 0, 0, true, 90000},
		{"fixed", 2, 20, 20, 0, 0, true, 90000},
		{"unique", 4, 0, 30, 0, 0, true, 90000},
		{"short", 4, 0, 12, 0, 0, true, 90000},
		{"partial", 2, 0, 30, 0, 0.2, false, 90000},
		{"partial", 4, 0, 15, 0, 0.1, false, 90000},
		{"biased", 4, 0, 30, 0.8, 0, false, 90000},
		{"many", 26, 0, 30, 0, 0, true, 90000},
		{"small", 2, 0, 30, 0, 0, false, 9000},
		{"small", 4, 0, 30, 0, 0, false, 9000},
	} {
		for seed := range uint64(2) {
			rng := rand.New(rand.NewPCG(seed, 77))
			d := noisyTruth(c.k, rng, c.part)
			s := &labeled.Set{Alphabet: d.Alphabet}
			seen := map[string]bool{}
			for len(s.Words) < c.n {
				w := make(word.Word, c.lo+rng.IntN(c.hi-c.lo+1))
				for i := range w {
					w[i] = word.Symbol(rng.IntN(c.k))
					if rng.Float64() < c.bias {
						w[i] = 0
					}
				}
				if c.unique {
					key := fmt.Sprint(w)
					if seen[key] && len(w) > 3 {
						continue
					}
					seen[key] = true
				}
				s.Add(w, labeled.Of(d.Accepts(w) != (rng.Float64() < 0.05)))
			}
			train, held := s.Split(c.n * 9 / 10)
			best, n := held.Agree(d)
			line := fmt.Sprintf("%-8s k=%-2d seed %d: possible %.4f", c.name, c.k, seed, float64(best)/float64(n))
			begin := cpu()
			res, err := Learn(t.Context(), train, Options{Method: EDSMStar})
			if err != nil {
				t.Fatal(err)
			}
			agree, n := held.Agree(res.Automaton)
			line += fmt.Sprintf(" | star %3d %.4f %4dms", res.Automaton.Len(), float64(agree)/float64(n), (cpu() - begin).Milliseconds())
			begin = cpu()
			res, err = Learn(t.Context(), train, Options{Method: Auto})
			if err != nil {
				t.Fatal(err)
			}
			agree, n = held.Agree(res.Automaton)
			line += fmt.Sprintf(" | auto %3d %.4f %4dms", res.Automaton.Len(), float64(agree)/float64(n), (cpu() - begin).Milliseconds())
			fmt.Println(line)
		}
	}
}

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
