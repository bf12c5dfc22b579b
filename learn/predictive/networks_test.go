package predictive

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"quotient/model"
	"quotient/oracle"
	"quotient/sample"
)

// From networks that were trained on words of probabilistic automata, automata are extracted
// that are no larger than those and no further from the network.
func TestAsGoodAsTheTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds for each network")
	}
	dirs, _ := filepath.Glob(filepath.Join(shared(t, "models", "lm"), "*"))
	same, nearly := 0, 0
	for _, dir := range dirs {
		raw, err := os.ReadFile(filepath.Join(dir, "model.json"))
		if err != nil {
			t.Fatal(err)
		}
		var truth struct {
			Automaton struct {
				Next          [][]int32
				Probabilities [][]float64
			}
		}
		if err := json.Unmarshal(raw, &truth); err != nil {
			t.Fatal(err)
		}
		net, err := model.Open(t.Context(), filepath.Join(dir, "model.pt"), model.Options{Vocab: filepath.Join(dir, "model.json")})
		if err != nil {
			t.Fatal(err)
		}
		q := oracle.Predict(t.Context(), net.Net)
		res, err := Run(q, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		fresh := Speak(q, Spoken{Words: 3000, Longest: longest, Prefixes: mostPrefixes}, sample.Rand(1, sample.Certificate))
		behind := &machine{t: fresh, k: q.Alphabet().Len()}
		for i, next := range truth.Automaton.Next {
			behind.next = append(behind.next, next...)
			behind.sum = append(behind.sum, truth.Automaton.Probabilities[i]...)
		}
		var ours *machine
		for _, p := range res.Tradeoff {
			if p.Chosen {
				ours = newMachine(Speak(q, Spoken{Words: spokenWords, Longest: longest, Prefixes: mostPrefixes}, sample.Rand(1, sample.Words)), p.table)
			}
		}
		d, theirs := ours.divergence(fresh), behind.divergence(fresh)
		t.Logf("%s: %d states %.4f, the truth %d states %.4f", filepath.Base(dir), ours.states(), d, behind.states(), theirs)
		if ours.states() > behind.states() || d > theirs {
			t.Errorf("%s: %d states, divergence %v; behind its words are %d, %v", dir, ours.states(), d, behind.states(), theirs)
		}
		if reflect.DeepEqual(ours.next, compact(behind.next, behind.k)) {
			same++
		}
		all, taken := different(ours, behind)
		t.Logf("%s: %d of %d transitions are others, of which %d are taken", filepath.Base(dir), all, len(behind.next), taken)
		if taken == 0 {
			nearly++
		}
	}
	if same < 1 || nearly < 3 {
		t.Errorf("%d have the very transitions, and %d all that one in a thousand words takes", same, nearly)
	}
}

// different returns how many transitions of the automaton behind a network's words ours does not have,
// up to the names of states: all, and those that at least one in a thousand of its words takes. What is
// hardly ever taken was hardly ever shown to the network, which then does there what it likes.
func different(ours, behind *machine) (all, taken int) {
	truth := newMachine(ours.t, behind.next)
	common := make([]map[int32]float64, truth.states())
	for n, q := range truth.at {
		if common[q] == nil {
			common[q] = map[int32]float64{}
		}
		common[q][ours.at[n]] += ours.t.Weight[n]
	}
	k, visits, now := behind.k, make([]float64, truth.states()), make([]float64, truth.states())
	for now[0] = 1; total(now) > 1e-9; {
		then := make([]float64, len(now))
		for q, mass := range now {
			visits[q] += mass
			for s, p := range behind.row(q)[:k] {
				then[truth.next[q*k+s]] += mass * p
			}
		}
		now = then
	}
	for e, to := range truth.next {
		q, s := e/k, e%k
		if common[q] == nil || common[to] != nil && ours.next[int(heaviest(common[q]))*k+s] == heaviest(common[to]) {
			continue
		}
		all++
		if visits[q]*behind.row(q)[s] >= 1e-3 {
			taken++
		}
	}
	return all, taken
}
