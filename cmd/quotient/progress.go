package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"quotient/internal/text"
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
	if text.IsTerminal(errs) {
		p.live = errs
	}
	if !asJSON {
		s, letters := run.Settings, run.Language.Alphabet
		if s.Data != "" {
			fmt.Fprintf(out, "%s: words over %s\n", s.Data, letters)
		} else {
			fmt.Fprintf(out, "%s: %s over %s\n", s.Language, text.Plural(run.Language.Len(), "state"), letters)
		}
		if s.As == train.Predictor {
			fmt.Fprintf(out, "%s language model of %s, up to %s of %s of up to %s\n\n", s.Cell,
				text.Plural(s.Hidden, "unit"), text.Plural(s.Epochs, "epoch"), text.Plural(s.Strings, "word"), text.Plural(s.Length, "symbol"))
			return p
		}
		fmt.Fprintf(out, "%s network of %s, up to %s of %s of length %d\n\n", s.Cell,
			text.Plural(s.Hidden, "unit"), text.Plural(s.Epochs, "epoch"), text.Plural(s.Strings, "string"), s.Length)
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

// step draws the live line, ten times a second at most.
func (p *progress) step(s train.Progress) {
	if now := time.Now(); p.live != nil && now.After(p.next) {
		p.next = now.Add(100 * time.Millisecond)
		bound := ""
		if p.run.Settings.Patience > 0 {
			bound = "≤"
		}
		line := fmt.Sprintf("epoch %d/%d %s %d/%d  loss %.4f  %s tokens/s  %s%s left", s.Epoch, p.run.Settings.Epochs,
			text.Bar(s.Step, s.Steps, 12), s.Step, s.Steps, s.Loss, text.Short(s.TokensPerSecond), bound, text.Minutes(s.Left))
		text.Live(p.live, line)
		p.last = line
	}
}

// clear removes the live line.
func (p *progress) clear() {
	if p.last != "" {
		text.Erase(p.live)
		p.last = ""
	}
}

const (
	epochHeading = "epoch    loss  dev prefixes  strings  long strings   norm  saturation  tokens/s"
	nextHeading  = "epoch    loss  held out  perplexity  likeliest right   norm  saturation  tokens/s"
)

// epoch prints the line of an epoch that is complete.
func (p *progress) epoch(r train.Record) {
	p.clear()
	if p.json {
		jsonEncoder(p.out).Encode(r)
		return
	}
	speaks := p.run.Settings.As == train.Predictor
	heading := map[bool]string{true: nextHeading, false: epochHeading}[speaks]
	if !p.head {
		fmt.Fprintln(p.out, text.Strong(p.out, p.narrow(heading, heading)))
		p.head = true
	}
	if speaks {
		line := fmt.Sprintf("%5d  %6.4f  %8.4f  %10.4f  %15s  %5.1f  %10.3f  %8s", r.Epoch, r.Loss, r.DevLoss, r.DevPerplexity,
			text.Percent(r.DevPrefixAccuracy), r.Norm, r.Saturation, text.Short(r.TokensPerSecond))
		fmt.Fprintln(p.out, p.narrow(line, heading))
		return
	}
	line := fmt.Sprintf("%5d  %6.4f  %12s  %7s  %12s  %5.1f  %10.3f  %8s", r.Epoch, r.Loss,
		text.Percent(r.DevPrefixAccuracy), text.Percent(r.DevStringAccuracy), text.Percent(r.LongStringAccuracy),
		r.Norm, r.Saturation, text.Short(r.TokensPerSecond))
	fmt.Fprintln(p.out, p.narrow(line, heading))
}

// narrow leaves out the last columns of a line where there is no room for them.
func (p *progress) narrow(line, heading string) string {
	width := text.Width(p.out)
	if width == 0 || len(heading) <= width {
		return line
	}
	if end := strings.LastIndex(strings.TrimRight(heading[:width+1], " "), "  "); heading[width] != ' ' && end > 0 {
		width = len(strings.TrimRight(heading[:end], " "))
	}
	return line[:min(width, len(line))]
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
	if p.run.Settings.As == train.Predictor {
		fmt.Fprintf(p.out, "\n%s in %s; the best is %d, with a perplexity of %.4f on held-out words\n",
			text.Plural(len(p.run.Records), "epoch"), text.Minutes(time.Duration(seconds*float64(time.Second))), best.Epoch, best.DevPerplexity)
		fmt.Fprintf(p.out, "the run is in %s\n", p.run.Name())
		return
	}
	fmt.Fprintf(p.out, "\n%s in %s; the best is %d, with %s of the dev strings and %s of the longer ones right\n",
		text.Plural(len(p.run.Records), "epoch"), text.Minutes(time.Duration(seconds*float64(time.Second))), best.Epoch,
		text.Percent(best.DevStringAccuracy), text.Percent(best.LongStringAccuracy))
	fmt.Fprintf(p.out, "the run is in %s\n", p.run.Name())
}
