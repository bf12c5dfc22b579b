package text

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// StatusLine returns a function that draws a line on a terminal, over the last one, ten
// times a second at most and not before the work has taken a while; and one that
// clears it.
func StatusLine(w io.Writer) (draw func(format string, args ...any), clear func()) {
	next := time.Now().Add(300 * time.Millisecond)
	draw = func(format string, args ...any) {
		if now := time.Now(); now.After(next) {
			next = now.Add(100 * time.Millisecond)
			Live(w, fmt.Sprintf(format, args...))
		}
	}
	return draw, func() { Erase(w) }
}

// Live draws a line on a terminal, over the last one that was drawn so. It is cut where the
// terminal ends: what goes on in the next line could not be erased.
func Live(w io.Writer, line string) {
	width, _ := columns(w)
	if width == 0 {
		width = 80
	}
	if width--; columnsOf(line) > width {
		runes := []rune(line)
		for columnsOf(string(runes)) >= width {
			runes = runes[:len(runes)-1]
		}
		line = string(runes) + "…"
	}
	fmt.Fprintf(w, "\r%s\x1b[K", line)
}

// Erase removes the line that Live has drawn.
func Erase(w io.Writer) { fmt.Fprint(w, "\r\x1b[K") }

// IsTerminal reports whether somebody watches.
func IsTerminal(w io.Writer) bool {
	_, is := columns(w)
	return is && os.Getenv("TERM") != "dumb"
}

// Short writes a rate with a unit: 1.52M.
func Short(x float64) string {
	switch {
	case x >= 1e6:
		return fmt.Sprintf("%.2fM", x/1e6)
	case x >= 1e3:
		return fmt.Sprintf("%.0fk", x/1e3)
	}
	return fmt.Sprintf("%.0f", x)
}

// Minutes writes a time as people say it: 1m05s, 12s.
func Minutes(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.0fs", d.Seconds())
	}
	d = d.Round(time.Second)
	if d < time.Hour {
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
}

// Bar draws a part of a whole in the given number of characters.
func Bar(part, whole, width int) string {
	n := width * part / whole
	return strings.Repeat("━", n) + strings.Repeat("─", width-n)
}
