package extract

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/oracle"
)

// texts are values that users may give each setting.
var texts = map[string][]string{
	"kappa": {"auto", "0.01", "2"}, "order": {"breadth", "random"}, "strings": {"1", "70"}, "length": {"3", "12"},
	"words-from": {"tomita1", "regex:a*"}, "seed": {"0", "18446744073709551615"}, "limit": {"10", "99999"}, "clusters": {"2", "50"},
	"rank": {"1", "9"}, "equivalence": {"auto", "walks"}, "lengths": {"0-5", "3-1000"}, "max-states": {"1", "5000"},
	"data": {"words.csv", "more.csv"}, "budget": {"100", "5000"}, "time": {"1ms", "2h0m0s"}, "work": {"1", "5000"}, "states": {"1", "30"}, "error": {"0.01", "0.5"}, "pursue": {"true", "false"},
}

// drawOptions draws a method and any settings, whether they mean something to it or not.
func drawOptions(t *rapid.T) Options {
	o := Options{Method: rapid.SampledFrom(append(Names(), "")).Draw(t, "method")}
	for _, s := range Settings {
		if rapid.Bool().Draw(t, "say "+s.Name) {
			if err := s.Set(&o, rapid.SampledFrom(texts[s.Name]).Draw(t, s.Name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return o
}

// Options that ask for the same are equal once they are normal: settings that mean nothing
// to the method change nothing, and what is said, read again, is the same options.
func TestNormal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		normal := o.Normal()
		if again := normal.Normal(); !reflect.DeepEqual(again, normal) {
			t.Fatalf("%+v, and again %+v", normal, again)
		}
		m, err := Find(normal.Method)
		if err != nil {
			t.Fatal(err)
		}
		said := normal.Said()
		again := Options{Method: said[0].Text}
		for _, v := range said[1:] {
			s := FindSetting(v.Name)
			if err := s.Set(&again, v.Text); err != nil || !m.Reads(v.Name) {
				t.Fatalf("%s is said to be %q, but %v", v.Name, v.Text, err)
			}
			if !s.isZero(&o) && s.Get(&o) != v.Text {
				t.Fatalf("%s is %s, but is said to be %s", v.Name, s.Get(&o), v.Text)
			}
		}
		if again = again.Normal(); !reflect.DeepEqual(again, normal) {
			t.Fatalf("%+v, and as they are said %+v", normal, again)
		}
		for _, s := range Settings {
			if m.Reads(s.Name) {
				continue
			}
			other := o
			if err := s.Set(&other, rapid.SampledFrom(texts[s.Name]).Draw(t, "other "+s.Name)); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(other.Normal(), normal) || !slices.Equal(other.Said(), said) {
				t.Fatalf("%s changes something for %s, which does not read it", s.Name, m.Name)
			}
		}
	})
}

// Every method uses settings that there are, and has defaults of those alone, which can be
// read back.
func TestTableOfMethods(t *testing.T) {
	for _, name := range Names() {
		m, err := Find(name)
		if err != nil || m.Name != name || m.Doc == "" || m.Kind == "" {
			t.Fatalf("%s: %+v, %v", name, m, err)
		}
		for _, use := range m.Uses {
			if FindSetting(use) == nil {
				t.Errorf("%s uses %s, which is no setting", name, use)
			}
		}
		if uses := slices.Sorted(slices.Values(m.Uses)); len(slices.Compact(uses)) != len(m.Uses) {
			t.Errorf("%s uses %v, some of them twice", name, m.Uses)
		}
		normal := Options{Method: name}.Normal()
		for _, s := range Settings {
			if !m.Reads(s.Name) && (!s.isZero(&m.Defaults) || !s.isZero(&normal)) {
				t.Errorf("%s has a default of %s, which it does not read", name, s.Name)
			}
			again := normal
			if err := s.Set(&again, s.Get(&normal)); m.Reads(s.Name) && (err != nil || !reflect.DeepEqual(again, normal)) {
				t.Errorf("%s: the default %s %q is read as %q, %v", name, s.Name, s.Get(&normal), s.Get(&again), err)
			}
		}
	}
	for _, s := range Settings {
		if len(Using(s.Name)) == 0 || s.Doc == "" {
			t.Errorf("no method uses %s, or it has no documentation", s.Name)
		}
	}
}

// Values that cannot be are refused by the name of the setting.
func TestSettingsRefuse(t *testing.T) {
	for name, bad := range map[string][]string{
		"kappa": {"", "x", "0", "-1", "2.1", "NaN"}, "order": {"", "best"}, "seed": {"", "-1", "1.5", "18446744073709551616"},
		"strings": {"0", "-3", "x", "1.5"}, "rank": {"0", "-1"}, "equivalence": {"", "x"}, "lengths": {"", "5", "7-3", "-1-5", "0-0", "0-1001", "a-b"},
		"time": {"5", "0s", "-1s"}, "work": {"0", "x"}, "states": {"-1"}, "error": {"0", "1", "x", "100%", "-2%"}, "pursue": {"", "maybe"},
	} {
		for _, text := range bad {
			var o Options
			if err := FindSetting(name).Set(&o, text); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s %q: error %v", name, text, err)
			}
		}
	}
	if FindSetting("magic") != nil {
		t.Error("there is a setting called magic")
	}
}

// A method is added by one value.
func TestAddedMethod(t *testing.T) {
	before := Methods
	t.Cleanup(func() { Methods = before })
	var seen Options
	Methods = append(slices.Clone(Methods), Method{
		Name: "nothing", Kind: Asks, Doc: "accepts no word", Uses: []string{"rank", "length"}, Defaults: Options{Length: 7},
		Run: func(q *oracle.Inquiry, o Options) (*Result, error) {
			seen = o
			q.Accepts(nil)
			res := &Result{Options: o}
			res.found(automaton.NewDFA(q.Alphabet(), 0))
			return res, nil
		},
	})
	if m, err := Find("nothing"); err != nil || m.Doc != "accepts no word" || m.NeedsStates() {
		t.Errorf("%+v, %v", m, err)
	}
	if names := Names(); names[0] != Best || names[len(names)-1] != "nothing" || len(names) != len(before)+2 {
		t.Errorf("the names are %v", names)
	}
	if using := Using("rank"); !slices.Equal(using, []string{Spectral, "nothing"}) || slices.Contains(Using("order"), "nothing") {
		t.Errorf("%v use rank", using)
	}
	want := Options{Method: "nothing", Rank: 3, Length: 7, Seed: 5}
	res, err := Run(oracle.Ask(t.Context(), parity()).Blind(), Options{Method: "nothing", Rank: 3, Seed: 5, Strings: 10, Pursue: true})
	if err != nil || !reflect.DeepEqual(seen, want) || res.States() != 0 || res.UsedKappa() != 0 {
		t.Errorf("it was run with %+v, want %+v: %v", seen, want, err)
	}
	if said := want.Said(); !slices.Equal(said, []Value{{"method", "nothing"}, {"length", "7"}, {"data", ""}, {"seed", "5"}, {"budget", ""}, {"rank", "3"}}) {
		t.Errorf("it is said to be %v", said)
	}
	if _, err := Find("everything"); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("the error does not list it: %v", err)
	}
}
