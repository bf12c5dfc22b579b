package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"quotient": main})
}

// TestScripts runs the program as a user would; see testdata/script.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole program, minutes with the race detector; what runs in parallel is in the packages")
	}
	fixtures, err := filepath.Abs(filepath.Join("..", "..", "model", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Setup: func(env *testscript.Env) error {
			env.Setenv("FIXTURES", fixtures)
			env.Setenv("PYTHON", filepath.Join(fixtures, "..", "..", "python", "src"))
			return nil
		},
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exit": exitStatus,
		},
	})
}

// exitStatus runs a command and checks its exit status: exit 2 quotient nonsense.
func exitStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit STATUS COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if strings.Contains(ts.ReadFile("stderr"), "goroutine ") {
		ts.Fatalf("the program panicked")
	}
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}

// Every command explains itself with at least one example, and the examples
// name commands and flags that exist.
func TestHelp(t *testing.T) {
	for _, cmd := range newRoot().Commands() {
		if cmd.Name() == "help" || cmd.Name() == "completion" {
			continue
		}
		if cmd.Short == "" || cmd.Example == "" {
			t.Errorf("%s: no description or no example", cmd.Name())
		}
		var out, errs bytes.Buffer
		if code := run([]string{cmd.Name(), "--help"}, nil, &out, &errs); code != exitOK || errs.Len() > 0 {
			t.Errorf("%s --help: status %d, stderr %q", cmd.Name(), code, errs.String())
		}
		for line := range strings.Lines(cmd.Example) {
			checkExample(t, line)
		}
	}
}

func checkExample(t *testing.T, line string) {
	words := strings.Fields(strings.Split(line, "|")[0])
	if len(words) < 2 || words[0] != "quotient" {
		t.Errorf("example %q does not call the program", line)
		return
	}
	cmd, rest, err := newRoot().Find(words[1:])
	if err != nil || cmd.Name() == "quotient" {
		t.Errorf("example %q: %v", line, err)
		return
	}
	cmd.Flags().SetInterspersed(true)
	if err := cmd.ParseFlags(rest); err != nil {
		t.Errorf("example %q: %v", line, err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestLostOutputIsAnError(t *testing.T) {
	for _, args := range [][]string{{"languages"}, {"minimize", "tomita1"}, {"sample", "tomita1"}, {"version"}} {
		var errs bytes.Buffer
		if code := run(args, nil, full{}, &errs); code != exitError || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%v: status %d, %s", args, code, errs.String())
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		var out, errs bytes.Buffer
		if code := run([]string{"completion", shell}, nil, &out, &errs); code != exitOK || out.Len() < 1000 {
			t.Errorf("completion %s: status %d, %d bytes, %s", shell, code, out.Len(), errs.String())
		}
	}
	var out bytes.Buffer
	run([]string{cobra.ShellCompRequestCmd, "compare", "tom"}, nil, &out, &out)
	if !strings.Contains(out.String(), "tomita7") {
		t.Errorf("completing 'compare tom' offers %s", out.String())
	}
}
