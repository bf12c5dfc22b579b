//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// program starts the program as a process of its own.
func program(t *testing.T, args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	cmd = exec.Command(path, args...)
	cmd.Args[0] = "quotient" // by which TestMain knows that it is the program
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, stdout, stderr
}

func exitsWith(t *testing.T, cmd *exec.Cmd, within time.Duration, status int, stderr *bytes.Buffer) {
	t.Helper()
	timer := time.AfterFunc(within, func() { cmd.Process.Kill() })
	defer timer.Stop()
	if cmd.Wait(); cmd.ProcessState.ExitCode() != status {
		t.Fatalf("%v: %v within %v, want status %d; it says %s", cmd.Args, cmd.ProcessState, within, status, stderr)
	}
}

// One Ctrl-C gives the best automaton until then, printed, written and marked.
func TestInterruptElsewhere(t *testing.T) {
	address, asked := slowServer(t)
	s, text := interruptedAt(t, address, asked)
	if !s.Interrupted || s.States != 3 || s.Automaton == nil || s.Agreement.Words < 100 || s.Asked != asked.Load() {
		t.Errorf("%+v after %d words", s, asked.Load())
	}
	if !bytes.Contains(text, []byte("digraph")) {
		t.Errorf("%s", text)
	}
}

// cutShort is what is said of an extraction that was interrupted.
type cutShort struct {
	Interrupted bool
	States      int
	Asked       int64
	Agreement   struct{ Words int }
	Automaton   any
}

// interruptedAt extracts from a model elsewhere, interrupts after some words, and returns what was
// said, and the automaton as DOT.
func interruptedAt(t *testing.T, address string, asked *atomic.Int64) (s cutShort, text []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "best.dot")
	cmd, stdout, stderr := program(t, "extract", "--http", address, "--json", "-o", file)
	for asked.Load() < 400 {
		time.Sleep(time.Millisecond)
	}
	cmd.Process.Signal(os.Interrupt)
	exitsWith(t, cmd, 30*time.Second, exitInterrupted, stderr)
	if err := json.Unmarshal(stdout.Bytes(), &s); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return s, text
}

// The same for a language model, whose words are then cut.
func TestInterruptSpeaker(t *testing.T) {
	address, asked := slowSpeaker(t)
	s, text := interruptedAt(t, address, asked)
	if !s.Interrupted || s.States < 1 || s.Automaton == nil || s.Asked != asked.Load() {
		t.Errorf("%+v after %d prefixes", s, asked.Load())
	}
	if !bytes.Contains(text, []byte("digraph")) {
		t.Errorf("%s", text)
	}
}

// A budget bounds all that a language model is asked, and the automaton is found within it.
func TestBudgetOfSpeaker(t *testing.T) {
	address, asked := slowSpeaker(t)
	cmd, stdout, stderr := program(t, "extract", "--http", address, "--json", "--budget", "2000")
	exitsWith(t, cmd, 60*time.Second, 0, stderr)
	var s struct {
		States, Asked int
		Certificate   struct{ Divergence float64 }
	}
	if err := json.Unmarshal(stdout.Bytes(), &s); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if s.States != 3 || s.Certificate.Divergence > 0.01 || int64(s.Asked) != asked.Load() || s.Asked > 2000 {
		t.Errorf("%+v after %d prefixes", s, asked.Load())
	}
}

// The same for a network in memory.
func TestInterruptNetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	cmd, stdout, stderr := program(t, "extract", "zoo:dyck1-lstm", "--method", "explore", "--lengths", "0-400", "--max-states", "5000", "--work", "1000000000000")
	time.Sleep(1500 * time.Millisecond)
	cmd.Process.Signal(os.Interrupt)
	exitsWith(t, cmd, 30*time.Second, exitInterrupted, stderr)
	for _, want := range []string{"states over {(, )}", "\ninterrupted: this is the best automaton until then\n", "the search ended because it was interrupted", "certificate: with confidence"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in %s", want, stdout)
		}
	}
}

// Learning that is interrupted has no automaton, whatever it learns from, and the status is that of an interrupt.
func TestInterruptLearning(t *testing.T) {
	file := filepath.Join(t.TempDir(), "words.csv")
	if err := os.WriteFile(file, []byte("word,label\nab,1\nba,0\nabab,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{
		{file}, {file, "--method", "rpni-star"}, {file, "--method", "mdi"}, {file, "--method", "alergia"}, {"--teacher", "tomita5"}, {file, "--methods", "all"},
	} {
		cmd := newLearn()
		cmd.SetArgs(args)
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		err := cmd.ExecuteContext(ctx)
		if e := (interrupted{}); !errors.As(err, &e) || !strings.Contains(err.Error(), "it was interrupted before ") {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// A second Ctrl-C ends the program at once, and one before there is a model ends it as well.
func TestInterruptTwice(t *testing.T) {
	address, asked := slowServer(t)
	cmd, _, stderr := program(t, "extract", "--http", address)
	for asked.Load() < 400 {
		time.Sleep(time.Millisecond)
	}
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	for done := false; !done; { // two at once may be one; on a busy machine the first takes its time
		cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
			done = true
		case <-time.After(20 * time.Millisecond):
		}
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
		t.Errorf("%v: %s", cmd.ProcessState, stderr)
	}
	cmd, _, stderr = program(t, "extract", "--exec", "sleep 100")
	time.Sleep(500 * time.Millisecond)
	cmd.Process.Signal(os.Interrupt)
	exitsWith(t, cmd, 10*time.Second, exitInterrupted, stderr)
}
