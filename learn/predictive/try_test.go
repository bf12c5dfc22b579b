package predictive

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quotient/model"
	"quotient/oracle"
	"quotient/sample"
)

type truth struct {
	Automaton struct {
		Next          [][]int32
		Probabilities [][]float64
	}
}

func TestTry(t *testing.T) {
	var dirs []string
	for _, g := range filepath.SplitList(os.Getenv("LM")) {
		d, _ := filepath.Glob(g)
		dirs = append(dirs, d...)
	}
	for _, d := range dirs {
		raw, _ := os.ReadFile(d + "/model.json")
		var tr truth
		json.Unmarshal(raw, &tr)
		m, err := model.Open(t.Context(), d+"/model.pt", model.Options{Vocab: d + "/model.json"})
		if err != nil {
			t.Fatal(err)
		}
		q := oracle.Predict(t.Context(), m.Net)
		begin := time.Now()
		res, err := Run(q, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(begin)
		test := Speak(q, Spoken{Words: 2000, Longest: 400, Prefixes: 200000}, sample.Rand(1, 777))
		var next []int32
		var sum []float64
		for i, r := range tr.Automaton.Next {
			next = append(next, r...)
			sum = append(sum, tr.Automaton.Probabilities[i]...)
		}
		k := q.Alphabet().Len()
		want := &machine{t: test, k: k, next: next, sum: sum}
		dt := want.divergence(test)
		tm := newMachine(Speak(q, Spoken{Words: 2000, Longest: 400, Prefixes: 200000, Scouts: 12000 / k}, sample.Rand(1, sample.Words)), next)
		reach := len(compact(next, k)) / k
		fmt.Printf("%s: truth %d states (%d reachable) %.4f, refit %.4f; nodes %d, %v\n", filepath.Base(d), want.states(), reach, dt, tm.divergence(test), res.Prefixes, took)
		for _, p := range res.Tradeoff {
			if p.States > 2*want.states() {
				continue
			}
			mark := ""
			if p.Chosen {
				mark = " <== "
				pm := newMachine(tm.t, p.table)
				mark += fmt.Sprintf("test %.4f same %v", pm.divergence(test), fmt.Sprint(p.table) == fmt.Sprint(compact(next, k)))
				if p.States == reach {
					a, b := p.table, compact(next, k)
					diff := 0
					for i := range a {
						if a[i] != b[i] {
							diff++
						}
					}
					mark += fmt.Sprintf(" diff %d of %d", diff, len(a))
				}
			}
			fmt.Printf("  %3d %.4f%s\n", p.States, p.Divergence, mark)
		}
	}
}
