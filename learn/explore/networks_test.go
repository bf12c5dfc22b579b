package explore_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"quotient/f32"
	"quotient/internal/foreign"
	"quotient/learn/explore"
	"quotient/model"
	"quotient/oracle"
	"quotient/word"
)

// A network of the TAYSIR competition that is no automaton: within 200 states, on
// the words recorded with it, the error is no larger than that of the competition's
// winner, 0.7%.
func TestTaysir(t *testing.T) {
	if f32.Using() == f32.Plain {
		t.Skip("not tested: plain Go rounds otherwise, and the figure was measured with assembly")
	}
	folder := filepath.Dir(foreign.Files(t, "models", "taysir", "1.9", "model.pth")[0])
	m, err := model.Open(context.Background(), filepath.Join(folder, "model.pth"), model.Options{Bos: "5", Eos: "6"})
	if err != nil {
		t.Fatal(err)
	}
	res, err := explore.Run(oracle.Ask(context.Background(), m.Net), explore.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(folder, "outputs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	words, wrong := 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); words++ {
		var line struct {
			Word    []int
			Outputs []int `json:"prefix_outputs"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		var w word.Word
		for _, token := range line.Word[1 : len(line.Word)-1] {
			s, _ := m.Net.Alphabet().Symbol(strconv.Itoa(token))
			w = append(w, s)
		}
		if res.Automaton.Accepts(w) != (line.Outputs[len(line.Outputs)-1] == 1) {
			wrong++
		}
	}
	if words < 900 || float64(wrong) > 0.007*float64(words) || res.Automaton.Len() > 200 {
		t.Errorf("%d states, %d of %d words wrong", res.Automaton.Len(), wrong, words)
	}
}
