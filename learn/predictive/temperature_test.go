package predictive

import (
	"math"
	"testing"

	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
)

// A network that is less sure than its words would allow for finds them likeliest at the power
// that makes up for it, and one that is as sure as they are speaks as it does.
func TestPower(t *testing.T) {
	sure := random(6, "abcd", 4)
	flat := random(6, "abcd", 4)
	k := flat.Alphabet.Len()
	for q := 1; q <= flat.Len(); q++ {
		row := flat.Prob[q*k:][:k]
		sum := 0.0
		for i, p := range row {
			row[i] = math.Pow(p, 1.0/4)
			sum += row[i]
		}
		flat.End[q] = math.Pow(flat.End[q], 1.0/4)
		sum += flat.End[q]
		for i := range row {
			row[i] /= sum
		}
		flat.End[q] /= sum
	}
	words := Speak(oracle.Predict(t.Context(), oracletest.Speaker{Automaton: sure}), Spoken{Words: 3000, Longest: 60, Prefixes: mostPrefixes}, sample.Rand(1, sample.Words)).spoken()
	if p := Power(oracle.Predict(t.Context(), oracletest.Speaker{Automaton: flat}), words); math.Abs(p-4) > 0.3 {
		t.Errorf("a flat network speaks like its words at the power %v, want 4", p)
	}
	if p := Power(oracle.Predict(t.Context(), oracletest.Speaker{Automaton: sure}), words); p != 1 {
		t.Errorf("a network speaks like its own words at the power %v", p)
	}
}
