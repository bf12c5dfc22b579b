package main

import (
	"bytes"
	"net/http/httptest"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/extract"
	"quotient/oracle"
	"quotient/sample"
	"quotient/sweep/plan"
	"quotient/web"
)

// everything takes every network for one that accepts all words.
var everything = extract.Method{
	Name: "everything", Kind: extract.Asks, Uses: []string{"rank"},
	Doc: "the automaton that accepts every word, for those who are in a hurry",
	Run: func(q *oracle.Inquiry, o extract.Options) (*extract.Result, error) {
		d := automaton.Minimize(automaton.Complement(automaton.NewDFA(q.Alphabet(), 0)))
		return &extract.Result{Options: o, Automaton: d, Merged: d, MergedStates: d.Len(), Source: sample.FromAutomaton(d), Queries: &extract.Queries{}}, nil
	},
}

// A method is one value: whoever offers methods has it.
func TestMethodIsOneValue(t *testing.T) {
	before := extract.Methods
	extract.Methods = append(before[:len(before):len(before)], everything)
	t.Cleanup(func() { extract.Methods = before })
	output := func(args ...string) string {
		var out, errs bytes.Buffer
		if code := run(args, nil, &out, &errs); code != exitOK {
			t.Errorf("%v: %s", args, errs.String())
		}
		return out.String()
	}
	for what, text := range map[string]string{
		"help":       output("extract", "--help"),
		"completion": output("__complete", "extract", "--method", "every"),
		"methods":    output("methods", "zoo:tomita1", "--methods", "everything"),
		"extract":    output("extract", "zoo:tomita1", "--method", "everything", "--rank", "3", "--json"),
	} {
		if !strings.Contains(text, everything.Name) {
			t.Errorf("%s does not know it: %.300s", what, text)
		}
	}
	var out, errs bytes.Buffer
	if run([]string{"extract", "zoo:tomita1", "--method", "everything", "--kappa", "1"}, nil, &out, &errs) != exitError || !strings.Contains(errs.String(), "changes nothing") {
		t.Errorf("a setting that it does not read: %s", errs.String())
	}

	server, err := web.New(web.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for _, path := range []string{"/api/about", "/api/extract?model=zoo:tomita1&method=everything&rank=3"} {
		r := httptest.NewRequest("GET", path, nil)
		r.Host = "localhost"
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if w.Code != 200 || !strings.Contains(w.Body.String(), everything.Name) {
			t.Errorf("%s: %.300s", path, w.Body)
		}
	}

	key := func(setting string) string {
		f, err := plan.Read("x.yaml", []byte("model: zoo:tomita1\nextract: {method: everything, "+setting+"}"))
		if err != nil {
			t.Fatal(err)
		}
		for task, err := range f.Tasks(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			return task.Key()
		}
		return ""
	}
	if key("kappa: 0.1") != key("kappa: 0.2") || key("rank: 1") == key("rank: 2") {
		t.Error("keys of a sweep do not know what it reads")
	}
}
