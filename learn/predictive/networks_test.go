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
		share := alike(ours, newMachine(ours.t, compact(behind.next, behind.k)))
		t.Logf("%s: %.3f%% of the symbols take the same transitions", filepath.Base(dir), 100*share)
		if share > 0.998 {
			nearly++
		}
	}
	t.Logf("%d of %d have the very transitions", same, len(dirs))
	if same < 1 || nearly < 2 {
		t.Errorf("%d have the very transitions, and %d all that more than two in a thousand symbols take", same, nearly)
	}
}

// alike returns how many of the symbols that a network speaks take the same transition in two
// machines, where a state of the one is that of the other which most words share. What is hardly
// ever taken was hardly ever shown to the network, which then does there what it likes.
func alike(ours, truth *machine) float64 {
	common := make([]map[int32]float64, ours.states())
	for n, q := range ours.at {
		if common[q] == nil {
			common[q] = map[int32]float64{}
		}
		common[q][truth.at[n]] += ours.t.Weight[n]
	}
	name := make([]int32, ours.states())
	for q := range name {
		name[q] = heaviest(common[q])
	}
	same, all := 0.0, 0.0
	for q := range name {
		for s, p := range ours.row(q)[:ours.k] {
			all += p
			if name[ours.next[q*ours.k+s]] == truth.next[int(name[q])*ours.k+s] {
				same += p
			}
		}
	}
	return same / all
}
