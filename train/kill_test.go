//go:build unix

package train

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"quotient/language"
)

// The test program trains in a folder when asked to by these.
const (
	childFolder = "QUOTIENT_TRAIN_TEST_FOLDER"
	childLimit  = "QUOTIENT_TRAIN_TEST_LIMIT" // if set, files can have no more than so many bytes
)

func TestMain(m *testing.M) {
	folder := os.Getenv(childFolder)
	if folder == "" {
		os.Exit(m.Run())
	}
	saveEvery = time.Millisecond
	if text := os.Getenv(childLimit); text != "" {
		var n uint64
		fmt.Sscan(text, &n)
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
			fmt.Println("no limit:", err)
			os.Exit(3)
		}
	}
	if err := child(folder); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// child begins a run, or goes on with it.
func child(folder string) error {
	d, err := language.Load(language.Options{}, small().Language)
	if err != nil {
		return err
	}
	r, err := OpenOrCreate(folder, small(), d[0])
	if err != nil {
		return err
	}
	fmt.Println("ready")
	return r.Train(context.Background(), Options{Threads: 2})
}

func start(t *testing.T, folder string, env ...string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append(env, childFolder+"="+folder)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewReader(out)
}

// Kill it at random moments until it is through, and everything is as if nothing
// had happened. Saving every millisecond makes sure that kills fall into writing.
func TestKilledAtAnyMoment(t *testing.T) {
	want := whole(t, small(), 0)
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	kills := 0
	for range rounds {
		folder := t.TempDir()
		patience := 30.0 // milliseconds; it grows, for machines on which this is no time
		for finished := false; !finished; patience *= 1.2 {
			cmd, _ := start(t, folder)
			after := time.Duration(r.ExpFloat64() * patience * float64(time.Millisecond))
			timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
			err := cmd.Wait()
			timer.Stop()
			var exit *exec.ExitError
			switch {
			case err == nil:
				finished = true
			case errors.As(err, &exit) && exit.ExitCode() < 0:
				kills++
			default:
				t.Fatalf("after %d kills: %v", kills, err)
			}
		}
		same(t, content(t, folder), want)
	}
	t.Logf("%d kills", kills)
	if kills == 0 {
		t.Errorf("no kill in %d rounds", rounds)
	}
}

// A disk that is full, as far as files beyond a size are concerned.
func TestFullDisk(t *testing.T) {
	folder := t.TempDir()
	cmd, out := start(t, folder, childLimit+"=1500")
	var lines []string
	for {
		line, err := out.ReadString('\n')
		if err != nil {
			break
		}
		lines = append(lines, line)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("the run ends with %v: %q", err, lines)
	}
	last := lines[len(lines)-1]
	if !strings.Contains(last, "too large") || !strings.Contains(last, "saved before is intact") || !strings.Contains(last, folder) {
		t.Errorf("the error is %q", last)
	}
	if parts, _ := filepath.Glob(filepath.Join(folder, "*"+aside)); len(parts) > 0 {
		t.Errorf("%v were left", parts)
	}
	if err := child(folder); err != nil {
		t.Fatal(err)
	}
	same(t, content(t, folder), whole(t, small(), 0))
}
