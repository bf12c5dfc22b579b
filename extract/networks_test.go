package extract_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quotient/automaton"
	"quotient/extract"
	"quotient/internal/foreign"
	"quotient/language"
	"quotient/model"
	"quotient/oracle"
	"quotient/rnn"
	"quotient/zoo"
)

// exact reports whether extraction finds exactly the target.
func exact(t *testing.T, net *rnn.Network, target *automaton.DFA, o extract.Options) bool {
	t.Helper()
	res, err := extract.Run(oracle.Ask(context.Background(), rnn.NewRunner(net, 0)), o)
	if err != nil {
		t.Fatal(err)
	}
	_, differ := automaton.Distinguish(res.Automaton, target)
	return !differ
}

// From every bundled network the default options find exactly its language, from
// the network alone.
func TestBundledNetworks(t *testing.T) {
	list, err := zoo.List()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 7 {
		t.Fatalf("%d networks, want those of seven languages at least", len(list))
	}
	for _, info := range list {
		if _, counts := language.FindCounting(info.Run.Settings.Language); counts {
			continue // no finite automaton is exact
		}
		net, _, err := zoo.Open(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		if !exact(t, net, info.Run.Language, extract.Options{Method: extract.Fold, Seed: 1}) {
			t.Errorf("%s: another language", info.Name)
		}
	}
}

// The number of threads changes nothing.
func TestThreadsDoNotMatter(t *testing.T) {
	net, _, err := zoo.Open("zoo:tomita7")
	if err != nil {
		t.Fatal(err)
	}
	var results []*extract.Result
	for threads := 1; threads <= 3; threads++ {
		res, err := extract.Run(oracle.Ask(context.Background(), rnn.NewRunner(net, threads)), extract.Options{Method: extract.Fold, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, res)
	}
	for _, res := range results[1:] {
		if fmt.Sprint(res.Log) != fmt.Sprint(results[0].Log) || !res.Merged.Equal(results[0].Merged) ||
			res.Why != results[0].Why || len(res.Trials) < 9 {
			t.Error("another number of threads, another result")
		}
	}
}

// Networks that PyTorch trained, words drawn as in the paper.
func TestForeignNetworks(t *testing.T) {
	for i, file := range foreign.Files(t, "models", "tomita-srn", "t*-epoch21.safetensors") {
		m, err := model.Open(t.Context(), file, model.Options{Symbols: []string{"a", "b"}, Bos: "2"})
		if err != nil {
			t.Fatal(err)
		}
		net := m.Network
		l := language.Builtin()[i]
		for seed := range uint64(5) {
			if !exact(t, net, l.DFA(), extract.Options{Method: extract.Fold, Seed: seed, WordsFrom: l.Name}) {
				t.Errorf("%s, seed %d: another language", file, seed)
			}
		}
	}
}

// Every network of PyTorch's over up to 64 symbols, without a word about how.
func TestForeignNetworksOfManySymbols(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, minutes with the race detector")
	}
	for _, file := range foreign.Files(t, "models", "torch", "*", "model.safetensors") {
		name := filepath.Base(filepath.Dir(file))
		name = name[:strings.LastIndex(name, "-")]
		m, err := model.Open(context.Background(), file, model.Options{Vocab: filepath.Join(filepath.Dir(file), "model.json")})
		if err != nil {
			t.Fatal(err)
		}
		res, err := extract.Run(oracle.Ask(context.Background(), m.Net), extract.Options{Method: extract.Best, Seed: 1, Time: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		var target string
		switch {
		case strings.HasPrefix(name, "t"):
			target = "tomita" + name[1:]
		case strings.Contains(name, "."):
			target = foreign.Files(t, "languages", "mlregtest", name+".att")[0]
		default:
			target = foreign.Files(t, "languages", name+".att")[0]
		}
		d, err := language.Load(language.Options{Symbols: m.Net.Alphabet().Names()}, target)
		if err != nil {
			t.Fatal(err)
		}
		over, err := d[0].WithAlphabet(m.Net.Alphabet())
		if err != nil {
			t.Fatal(err)
		}
		if w, differ := automaton.Distinguish(res.Automaton, over); differ {
			t.Errorf("%s, %s: another language; %d states; they differ on %v", name, res.Options.Method, res.Automaton.Len(), w)
		}
		if res.Chosen == "" || (res.Options.Method == extract.Explore) != (res.Explored != nil) {
			t.Errorf("%s: method %s, chosen because %q", name, res.Options.Method, res.Chosen)
		}
	}
}

// A network that counts is explored up to some depth, and said to count; one that does not
// count is not.
func TestCountsInstead(t *testing.T) {
	for name, want := range map[string]bool{"zoo:dyck1-lstm": true, "zoo:tomita7": false} {
		net, _, err := zoo.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		res, err := extract.Run(oracle.Ask(t.Context(), rnn.NewRunner(net, 0)), extract.Options{Method: extract.Explore, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		hint := func(w string) bool {
			return strings.Contains(w, "automaton of 1 state with the counter +( −)") && strings.Contains(w, "method counter")
		}
		if slices.ContainsFunc(res.Warnings, hint) != want {
			t.Errorf("%s: %d states, %q", name, res.Automaton.Len(), res.Warnings)
		}
	}
}
