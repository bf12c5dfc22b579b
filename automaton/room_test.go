package automaton

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"quotient/word"
)

// chain returns an automaton whose states follow each other, each by a symbol of its own: as a
// file it takes a few bytes a state.
func chain(t *testing.T, states int) *NFA {
	t.Helper()
	names := make([]string, states)
	for i := range names {
		names[i] = fmt.Sprint("s", i)
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	n := NewNFA(a, states+1)
	n.Start, n.Accept[states+1] = []State{1}, true
	for q := range states {
		n.AddEdge(State(q+1), word.Symbol(q), State(q+2))
	}
	return n
}

// Few edges over many symbols are refused before a table of gigabytes is made of them, whichever
// way they come, and what is not refused takes memory in proportion.
func TestRoom(t *testing.T) {
	var limit *LimitError
	if _, err := Determinize(chain(t, 12_000), DefaultLimit); !errors.As(err, &limit) || limit.What != "table entries" {
		t.Errorf("a chain: %v", err)
	}
	twice := chain(t, 12_000)
	twice.AddEdge(1, 0, 1) // which is not deterministic
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Determinize(twice, DefaultLimit); !errors.As(err, &limit) || limit.What != "table entries" {
		t.Errorf("a chain with a choice: %v", err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 512<<20 {
		t.Errorf("refusing took %d MB", took>>20)
	}
	small, err := Determinize(chain(t, 2000), DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&before)
	if m := Minimize(small); m.Len() != 2001 {
		t.Errorf("%d states", m.Len())
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 400<<20 {
		t.Errorf("minimizing took %d MB", took>>20)
	}
	one, err := Determinize(chain(t, 500), DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := one.WithAlphabet(chain(t, 60_000).Alphabet); !errors.As(err, &limit) {
		t.Errorf("more symbols: %v", err)
	}
	// Where there are as many edges as entries, nothing is in the way.
	if Room(MaxTable) != MaxTable {
		t.Errorf("there is room for %d entries made of %d", Room(MaxTable), MaxTable)
	}
}
