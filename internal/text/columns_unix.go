//go:build unix

package text

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// columns returns how wide a terminal is, and whether w is one.
func columns(w io.Writer) (int, bool) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	if size.Col == 0 { // a terminal that does not know
		return 80, true
	}
	return int(size.Col), true
}
