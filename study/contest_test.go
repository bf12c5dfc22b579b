package study

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"quotient/automaton"
	"quotient/extract"
	"quotient/internal/oracletest"
	"quotient/language"
	"quotient/learn/tally"
	"quotient/merge"
	"quotient/model"
	"quotient/oracle"
	"quotient/word"
)

// even accepts words with an even number of a's.
func even() *model.Model {
	d := automaton.NewDFA(word.Letters("ab"), 2)
	d.Accept[1] = true
	copy(d.Table[2:], []automaton.State{2, 1, 1, 2})
	return &model.Model{Name: "even", Net: oracletest.Noisy{DFA: d, Dims: 8, Noise: 0.05}}
}

// Every method enters, those that fail with a reason, and the words judge them.
func TestContest(t *testing.T) {
	o := Options{Options: extract.Options{Seed: 1, Order: merge.Breadth}, Target: "regex:(b*ab*a)*b*"}
	entries, err := Contest{Options: o}.Run(t.Context(), even())
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(extract.Methods) {
		t.Fatalf("%d entries for %d methods", len(entries), len(extract.Methods))
	}
	for i, e := range entries {
		switch {
		case e.Method != extract.Methods[i].Name:
			t.Errorf("entry %d is %s, want %s", i, e.Method, extract.Methods[i].Name)
		case e.Error != nil:
			t.Errorf("%s: %s", e.Method, *e.Error)
		case e.Equal == nil || *e.Equal != (e.Accuracy == 1):
			t.Errorf("%s: equal %v with accuracy %v", e.Method, e.Equal, e.Accuracy)
		case e.Membership == 0:
			t.Errorf("%s asked for no words", e.Method)
		case e.Method != extract.KMeans && (!*e.Equal || e.States != 2):
			t.Errorf("%s: %d states, accuracy %v", e.Method, e.States, e.Accuracy)
		}
	}
}

// A black box is for some methods only, and the keys of the JSON stay.
func TestContestOfABlackBox(t *testing.T) {
	net := even()
	net.Net, net.Stateless = struct{ oracle.Oracle }{net.Net}, "it shows no states"
	told := 0
	c := Contest{Methods: []string{extract.Fold, extract.TTT}, Tell: func(string) { told++ }}
	entries, err := c.Run(t.Context(), net)
	if err != nil {
		t.Fatal(err)
	}
	if entries[0].Error == nil || !strings.Contains(*entries[0].Error, "states") || entries[1].Error != nil {
		t.Errorf("%+v", entries)
	}
	if told != 2 || entries[1].Equal != nil || entries[1].Membership == 0 || entries[1].Equivalence == 0 {
		t.Errorf("%+v, told %d times", entries[1], told)
	}
	data, err := json.Marshal(entries[1])
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(data, &keys); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"method", "states", "accuracy", "equal", "membership_queries", "equivalence_queries", "seconds", "error", "reading"} {
		if _, ok := keys[key]; !ok {
			t.Errorf("%s has no %q", data, key)
		}
		delete(keys, key)
	}
	if len(keys) > 0 {
		t.Errorf("%v is too much", keys)
	}
}

// An automaton that counts hits a target that does.
func TestContestCounts(t *testing.T) {
	anbn, _ := language.FindCounting("anbn")
	found := &extract.Result{Counter: &tally.Result{Automaton: anbn.Automaton}}
	if hit, err := (&goal{name: "anbn", counting: anbn.Automaton}).compare(found); err != nil || !hit.Equal {
		t.Errorf("anbn is not anbn: %v, %v", hit, err)
	}
	dyck, _ := language.FindCounting("dyck1")
	other := *dyck.Automaton
	other.Alphabet = anbn.Automaton.Alphabet // ( is a and ) is b
	if hit, err := (&goal{name: "dyck1", counting: &other}).compare(found); err != nil || hit.Equal {
		t.Errorf("anbn is dyck1: %v, %v", hit, err)
	}
}

// A method that takes too long loses; a contest that is stopped ends.
func TestContestStops(t *testing.T) {
	entries, err := Contest{Methods: []string{extract.TTT}, Time: 1}.Run(t.Context(), even())
	if err != nil || entries[0].Error == nil || !strings.Contains(*entries[0].Error, "more than 1ns") {
		t.Errorf("%+v, %v", entries, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	if _, err := (Contest{Methods: []string{extract.TTT}, Time: time.Hour}).Run(ctx, even()); !errors.Is(err, cause) {
		t.Error(err)
	}
}

// Whoever does not wait for the end has what was found until then.
func TestContestIsInterrupted(t *testing.T) {
	for at, want := range map[string]int{extract.Fold: 0, extract.TTT: 1, extract.EDSM: 2} {
		stop, cancel := context.WithCancel(t.Context())
		defer cancel()
		c := Contest{Methods: []string{extract.Fold, extract.TTT, extract.EDSM}, Options: Options{Stop: stop}}
		c.Tell = func(method string) {
			if method == at {
				cancel()
			}
		}
		entries, err := c.Run(t.Context(), even())
		if len(entries) < want || len(entries) > want+1 { // what is quick may be found all the same
			t.Errorf("stopped at %s: %+v, %v", at, entries, err)
		}
		for i, e := range entries {
			if e.Study == nil || e.Accuracy == 0 || e.Study.Interrupted != (i == want) || !e.Interrupted {
				t.Errorf("stopped at %s: %+v", at, e)
			}
		}
		if (err == nil) != (len(entries) > 0) || err != nil && !errors.Is(err, ErrInterrupted) {
			t.Errorf("stopped at %s: %v", at, err)
		}
	}
}

func TestWinner(t *testing.T) {
	yes, no := true, false
	found := &Study{Result: &extract.Result{Automaton: automaton.NewDFA(word.Letters("a"), 1)}}
	entry := func(m string, states int, accuracy float64, equal *bool, s *Study) Entry {
		return Entry{Method: m, States: states, Accuracy: accuracy, Equal: equal, Study: s}
	}
	tests := []struct {
		name    string
		entries []Entry
		want    string
	}{
		{"exact beats closer", []Entry{entry("closer", 9, 1, &no, found), entry("exact", 4, 0.9, &yes, found)}, "exact"},
		{"closer beats smaller", []Entry{entry("small", 1, 0.8, nil, found), entry("closer", 9, 0.9, nil, found)}, "closer"},
		{"smaller of equals", []Entry{entry("large", 9, 1, nil, found), entry("small", 3, 1, nil, found)}, "small"},
		{"first of equals", []Entry{entry("first", 3, 1, nil, found), entry("second", 3, 1, nil, found)}, "first"},
		{"finite ones only", []Entry{entry("failed", 0, 1, nil, nil), entry("counter", 1, 1, nil, &Study{Result: &extract.Result{}}), entry("finite", 3, 0.5, nil, found)}, "finite"},
	}
	for _, test := range tests {
		if best := Winner(test.entries); best == nil || best.Method != test.want {
			t.Errorf("%s: got %+v, want %s", test.name, best, test.want)
		}
	}
	if best := Winner(nil); best != nil {
		t.Errorf("of nothing, %+v wins", best)
	}
}
