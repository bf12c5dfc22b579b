package text

import (
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// columns returns how wide a console is, and whether w is one that understands sequences
// for colors and for erasing lines; from here on it does.
func columns(w io.Writer) (int, bool) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	console := windows.Handle(f.Fd())
	var mode uint32
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleMode(console, &mode) != nil || windows.GetConsoleScreenBufferInfo(console, &info) != nil {
		return 0, false
	}
	if windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) != nil {
		return 0, false
	}
	return int(info.Window.Right-info.Window.Left) + 1, true
}
