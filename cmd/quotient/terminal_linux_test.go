package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal returns a pseudo terminal of a width, and a function that closes it and returns all that
// was written to it.
func terminal(t *testing.T, width int) (*os.File, func() string) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	if err := unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skip(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	if err := unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(width)}); err != nil {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	done := make(chan bool)
	go func() {
		io.Copy(&shown, screen) // ends with an error when the other side is closed
		close(done)
	}()
	return tty, func() string {
		tty.Close()
		<-done
		screen.Close()
		return strings.ReplaceAll(shown.String(), "\r\n", "\n")
	}
}

var sequence = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// TestTerminal: on a terminal of 80 or 40 columns no line is longer than that, the answer comes
// first, and there are colors, unless they are not wanted; what was shown meanwhile is erased.
func TestTerminal(t *testing.T) {
	for _, name := range []string{"COLUMNS", "NO_COLOR"} {
		t.Setenv(name, "") // and removed again afterward
	}
	t.Setenv("TERM", "xterm")
	for _, width := range []int{80, 40} {
		for _, command := range []string{
			"extract zoo:tomita3 --target tomita3", "extract zoo:tomita3 --kappa-sweep", "methods zoo:tomita3 --methods fold,ttt,edsm",
			"model zoo:tomita3", "zoo", "languages", "compare tomita3 tomita4", "extract --help", "--help",
			"minimize tomita5", "weights zoo:tomita1", "nonsense",
		} {
			tty, read := terminal(t, width)
			run(strings.Fields(command), strings.NewReader(""), tty, tty)
			for line := range strings.SplitSeq(read(), "\n") {
				if i := strings.LastIndexByte(line, '\r'); i >= 0 { // a line that was erased
					line = strings.TrimPrefix(line[i+1:], "\x1b[K")
				}
				line = strings.TrimRight(sequence.ReplaceAllString(line, ""), " ")
				if n := len([]rune(line)); n > width && strings.Contains(strings.TrimLeft(line, " "), " ") {
					t.Errorf("%s in %d columns: a line of %d: %q", command, width, n, line)
				}
			}
		}
	}
}

func TestTerminalColors(t *testing.T) {
	t.Setenv("COLUMNS", "")
	t.Setenv("TERM", "xterm")
	for _, c := range []struct {
		flags, variable string
		want            bool
	}{
		{"", "", true}, {"", "1", false}, {" --color always", "1", true}, {" --color never", "", false}, {" --color auto", "", true},
	} {
		t.Setenv("NO_COLOR", c.variable)
		tty, read := terminal(t, 80)
		run(strings.Fields("compare tomita3 tomita4"+c.flags), strings.NewReader(""), tty, io.Discard)
		if got := read(); strings.Contains(got, "\x1b[") != c.want || !strings.HasPrefix(sequence.ReplaceAllString(got, ""), "different languages") {
			t.Errorf("%+v: %q", c, got)
		}
	}
	var b bytes.Buffer
	if run(strings.Fields("extract zoo:tomita3"), strings.NewReader(""), &b, io.Discard); strings.Contains(b.String(), "\x1b") || !strings.HasPrefix(b.String(), "4 states") {
		t.Errorf("in a file: %q", b.String())
	}
}

// TestProgramsReadRaw: what programs read is not broken into lines.
func TestProgramsReadRaw(t *testing.T) {
	t.Setenv("COLUMNS", "30")
	for _, command := range []string{"convert tomita3 - --to json", "sample tomita3 -n 3 --length 60", "draw tomita3 -o -", "compare tomita3 tomita4 --json", "zoo --json"} {
		tty, read := terminal(t, 30)
		var b bytes.Buffer
		run(strings.Fields(command), strings.NewReader(""), tty, io.Discard)
		run(strings.Fields(command), strings.NewReader(""), &b, io.Discard)
		if got := read(); got != b.String() || got == "" {
			t.Errorf("%s: %q on a terminal, %q in a file", command, got, b.String())
		}
	}
}
