package active_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/internal/foreign"
	"quotient/internal/oracletest"
	"quotient/language"
	"quotient/learn/active"
	"quotient/model"
	"quotient/oracle"
	"quotient/rnn"
	"quotient/zoo"
)

// checkRecovers checks that both learners find the target, and that TTT asks no more.
func checkRecovers(t *testing.T, name string, net oracle.Oracle, target *automaton.DFA, seed uint64) {
	t.Helper()
	var asked [2]int
	for i, m := range methods {
		res := learn(t, net, active.Options{Method: m, Seed: seed})
		asked[i] = res.Stats.MembershipQueries
		if w, differ := automaton.Distinguish(res.Automaton, target); differ {
			t.Errorf("%s, %s, seed %d: %d states, another language: %s", name, m, seed,
				res.Automaton.Len(), target.Alphabet.Format(w))
		}
	}
	if asked[1] > asked[0] {
		t.Errorf("%s, seed %d: TTT asks %d words and L* %d", name, seed, asked[1], asked[0])
	}
	t.Logf("%s: L* asks %d words and TTT %d", name, asked[0], asked[1])
}

// The seven bundled Elman networks. Of those, that for Tomita 7 loses count in long runs.
func TestBundledNetworks(t *testing.T) {
	for _, l := range language.Builtin()[:7] {
		net, _, err := zoo.Open(zoo.Prefix + l.Name)
		if err != nil {
			t.Fatal(err)
		}
		checkRecovers(t, l.Name, rnn.NewRunner(net, 0), l.DFA(), 1)
	}
}

// Networks that PyTorch trained, with up to 16 symbols.
func TestForeignNetworks(t *testing.T) {
	for _, file := range foreign.Files(t, "models", "torch", "*", "model.safetensors") {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(file), "model.json"))
		if err != nil {
			t.Fatal(err)
		}
		var info struct {
			Language string
			Vocab    map[string]int32
		}
		if err := json.Unmarshal(data, &info); err != nil {
			t.Fatal(err)
		}
		if len(info.Vocab) > 17 {
			continue
		}
		bos := info.Vocab["<bos>"]
		symbols := make([]string, len(info.Vocab))
		for s, token := range info.Vocab {
			symbols[token] = s
		}
		symbols = append(symbols[:bos], symbols[bos+1:]...)
		opened, err := model.Open(context.Background(), file, model.Options{Symbols: symbols, Bos: strconv.Itoa(int(bos))})
		if err != nil {
			t.Fatal(err)
		}
		target, err := language.Load(language.Options{Symbols: symbols}, languageOf(t, info.Language))
		if err != nil {
			t.Fatal(err)
		}
		checkRecovers(t, filepath.Base(filepath.Dir(file)), opened.Net, target[0], 1)
	}
}

func languageOf(t *testing.T, name string) string {
	if number, ok := strings.CutPrefix(name, "t"); ok {
		return "tomita" + number
	}
	if strings.HasPrefix(name, "r") {
		return foreign.Files(t, "languages", name+".att")[0]
	}
	return foreign.Files(t, "languages", "mlregtest", name+".att")[0]
}

// Every third language of MLRegTest over four symbols, many of them sparse.
func TestForeignLanguages(t *testing.T) {
	for i, file := range foreign.Files(t, "languages", "mlregtest", "04.*.att") {
		if i%3 > 0 {
			continue // all of them take a while
		}
		loaded, err := language.Load(language.Options{}, file)
		if err != nil {
			t.Fatal(err)
		}
		target := automaton.Minimize(loaded[0])
		checkRecovers(t, filepath.Base(file), recognizer(target), target, uint64(i))
	}
}

// Black boxes over 16 symbols, every second such language of MLRegTest. Without words
// that repeat blocks, 8 of the 11 are found.
func TestForeignBlackBoxes(t *testing.T) {
	for i, file := range foreign.Files(t, "languages", "mlregtest", "16.*.att") {
		if i%2 == 0 {
			continue
		}
		loaded, err := language.Load(language.Options{}, file)
		if err != nil {
			t.Fatal(err)
		}
		target := automaton.Minimize(loaded[0])
		res := learn(t, blackBox{oracletest.Noisy{DFA: target}}, active.Options{Seed: 1})
		if w, differ := automaton.Distinguish(res.Automaton, target); differ {
			t.Errorf("%s: %d states in place of %d: %s", filepath.Base(file), res.Automaton.Len(), target.Len(), target.Alphabet.Format(w))
		}
	}
}
