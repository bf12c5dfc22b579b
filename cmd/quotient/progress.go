package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"quotient/train"
)

// A progress shows how training goes: a line for every epoch on out, and on a
// terminal a line below them that moves.
type progress struct {
	out  io.Writer
	live io.Writer // nil if there is no terminal
	run  *train.Run
	json bool
	last string // the live line as it stands
	next time.Time
	head bool // the heading has been printed
}

func newProgress(out, errs io.Writer, run *train.Run, asJSON bool) *progress {
	p := &progress{out: out, run: run, json: asJSON}
	if isTerminal(errs) {
		p.live = errs
	}
	if !asJSON {
		s, letters := run.Settings, run.Language.Alphabet
		fmt.Fprintf(out, "%s: %s over %s\n", s.Language, plural(run.Language.Len(), "state"), letters)
		fmt.Fprintf(out, "%s network of %s, up to %s of %s of length %d\n\n", s.Cell,
			plural(s.Hidden, "unit"), plural(s.Epochs, "epoch"), plural(s.Strings, "string"), s.Length)
	}
	return p
}

// train trains with a display until it is done, something fails or the user wants
// to stop; goOn says how to continue then.
func (p *progress) train(ctx context.Context, threads int, goOn string) error {
	err := p.run.Train(ctx, train.Options{Threads: threads, Progress: p.step, Epoch: p.epoch})
	p.clear()
	var stopped *train.Interrupted
	var full *train.SaveError
	switch {
	case err == nil:
		p.finish()
	case errors.As(err, &stopped):
		return fmt.Errorf("%w; %s", err, goOn)
	case errors.As(err, &full):
		return fmt.Errorf("%w; once there is room, %s", err, goOn)
	}
	return err
}

// statusLine returns a function that draws a line on a terminal, over the last one, ten
// times a second at most and not before the work has taken a while; and one that
// clears it.
func statusLine(w io.Writer) (draw func(format string, args ...any), clear func()) {
	next := time.Now().Add(300 * time.Millisecond)
	draw = func(format string, args ...any) {
		if now := time.Now(); now.After(next) {
			next = now.Add(100 * time.Millisecond)
			fmt.Fprintf(w, "\r"+format+"\x1b[K", args...)
		}
	}
	return draw, func() { fmt.Fprint(w, "\r\x1b[K") }
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// step draws the live line, ten times a second at most. It keeps within 79
// columns.
func (p *progress) step(s train.Progress) {
	if now := time.Now(); p.live != nil && now.After(p.next) {
		p.next = now.Add(100 * time.Millisecond)
		bound := ""
		if p.run.Settings.Patience > 0 {
			bound = "≤"
		}
		line := fmt.Sprintf("epoch %d/%d %s %d/%d  loss %.4f  %s tokens/s  %s%s left", s.Epoch, p.run.Settings.Epochs,
			bar(s.Step, s.Steps, 12), s.Step, s.Steps, s.Loss, short(s.TokensPerSecond), bound, minutes(s.Left))
		fmt.Fprintf(p.live, "\r%s\x1b[K", line)
		p.last = line
	}
}

// clear removes the live line.
func (p *progress) clear() {
	if p.last != "" {
		fmt.Fprint(p.live, "\r\x1b[K")
		p.last = ""
	}
}

const epochHeading = "epoch    loss  dev prefixes  strings  long strings   norm  saturation  tokens/s"

// epoch prints the line of an epoch that is complete.
func (p *progress) epoch(r train.Record) {
	p.clear()
	if p.json {
		jsonEncoder(p.out).Encode(r)
		return
	}
	if !p.head {
		fmt.Fprintln(p.out, epochHeading)
		p.head = true
	}
	fmt.Fprintf(p.out, "%5d  %6.4f  %12s  %7s  %12s  %5.1f  %10.3f  %8s\n", r.Epoch, r.Loss,
		percent(r.DevPrefixAccuracy), percent(r.DevStringAccuracy), percent(r.LongStringAccuracy),
		r.Norm, r.Saturation, short(r.TokensPerSecond))
}

// finish says what came of it.
func (p *progress) finish() {
	if p.json {
		return
	}
	best := train.Best(p.run.Records)
	seconds := 0.0
	for _, r := range p.run.Records {
		seconds += r.Seconds
	}
	fmt.Fprintf(p.out, "\n%s in %s; the best is %d, with %s of the dev strings and %s of the longer ones right\n",
		plural(len(p.run.Records), "epoch"), minutes(time.Duration(seconds*float64(time.Second))), best.Epoch,
		percent(best.DevStringAccuracy), percent(best.LongStringAccuracy))
	fmt.Fprintf(p.out, "the run is in %s\n", p.run.Name())
}

// percent never rounds up to 100%.
func percent(x float64) string {
	text := fmt.Sprintf("%.2f%%", 100*x)
	if x < 1 && text == "100.00%" {
		return "99.99%"
	}
	return text
}

// short writes a rate with a unit: 1.52M.
func short(x float64) string {
	switch {
	case x >= 1e6:
		return fmt.Sprintf("%.2fM", x/1e6)
	case x >= 1e3:
		return fmt.Sprintf("%.0fk", x/1e3)
	}
	return fmt.Sprintf("%.0f", x)
}

// minutes writes a time as people say it: 1m05s, 12s.
func minutes(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.0fs", d.Seconds())
	}
	d = d.Round(time.Second)
	if d < time.Hour {
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
}

// bar draws a part of a whole in the given number of characters.
func bar(part, whole, width int) string {
	n := width * part / whole
	return strings.Repeat("━", n) + strings.Repeat("─", width-n)
}
