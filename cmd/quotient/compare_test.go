package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// Only formats that can be read are offered where something is read.
func TestCompletionOfFormats(t *testing.T) {
	for flag, want := range map[string]string{
		"--from": "json dot aalpy att mata jff",
		"--to":   "json dot aalpy att mata jff mermaid tikz go python svg pdf png",
	} {
		root := newRoot()
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetErr(io.Discard)
		root.SetArgs([]string{"__complete", "convert", "tomita1", "out", flag, ""})
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		offered, _, _ := strings.Cut(out.String(), ":")
		if got := strings.Join(strings.Fields(offered), " "); got != want {
			t.Errorf("%s: %s, want %s", flag, got, want)
		}
	}
}

// An expression of any length is no reason to fill the screen with it.
func TestCompareLongNames(t *testing.T) {
	root := newRoot()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetArgs([]string{"compare", "tomita1", "regex:" + strings.Repeat("ab", 2000)})
	if err := root.Execute(); err == nil {
		t.Error("they are the same")
	}
	if text := out.String(); len(text) > 600 || !strings.Contains(text, "accepted by tomita1, rejected by regex:abab") {
		t.Errorf("%d bytes: %.300s", len(text), text)
	}
}
