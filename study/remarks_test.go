package study_test

import (
	"math"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/extract"
	"quotient/f32"
	"quotient/internal/oracletest"
	"quotient/model"
	"quotient/study"
	"quotient/word"
)

// A network whose answers are all alike is certified with a warning, wherever the certificate
// is shown.
func TestAnswersThatAreAllAlike(t *testing.T) {
	no := automaton.NewDFA(word.Letters("ab"), 1)
	copy(no.Row(1), []automaton.State{1, 1})
	for want, d := range map[string]*automaton.DFA{
		"said no to all of the":  no,
		"said yes to all of the": automaton.Complement(no),
	} {
		m := &model.Model{Name: "untrained", Net: oracletest.Noisy{DFA: d, Dims: 8}}
		s, err := study.Run(t.Context(), m, study.Options{Options: extract.Options{Seed: 1}})
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		s.Tell(&text)
		if len(s.Agreement.Remarks) != 1 || !strings.Contains(text.String(), "warning: the network "+want) ||
			!strings.Contains(s.Agreement.Remarks[0], "The setting data") {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
}

// broken answers with what is no number.
type broken struct{ oracletest.Noisy }

func (b broken) Read(dst, states f32.Matrix) error {
	for i := range dst.Rows {
		dst.Row(i)[0] = float32(math.NaN())
	}
	return nil
}

// An answer that is no number is an error, and no automaton is certified.
func TestAnswersThatAreNoNumbers(t *testing.T) {
	m := &model.Model{Name: "broken", Net: broken{oracletest.Random(1, 3, 0.1)}}
	_, err := study.Run(t.Context(), m, study.Options{Options: extract.Options{Seed: 1}})
	if err == nil || !strings.Contains(err.Error(), "not a number") {
		t.Errorf("error %v", err)
	}
}
