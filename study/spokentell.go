package study

import (
	"fmt"
	"io"
	"slices"

	"quotient/internal/text"
)

// Tell writes a prediction for people.
func (p *Spoken) Tell(w io.Writer) {
	text.Probabilistic(w, p.Automaton)
	if p.Interrupted {
		fmt.Fprintln(w, "interrupted: this is the best automaton until then, and fewer words say how good it is")
	}
	if p.Certificate != nil {
		p.Certificate.tell(w)
	}
	for _, line := range p.Beside() {
		fmt.Fprintln(w, line)
	}
	if p.Asked > 0 {
		fmt.Fprintf(w, "it was asked about %s\n", text.Plural(p.Asked, "word"))
	}
	fmt.Fprintf(w, "%.1f s\n", p.Seconds)
	fmt.Fprintln(w)
	fmt.Fprintf(w, "%s: %s\nread as: %s\n", p.Model, p.Network, p.Reading)
	for _, note := range slices.Concat(p.Notes, p.Warnings) {
		fmt.Fprintf(w, "warning: %s\n", note)
	}
	fmt.Fprintf(w, "method %s, %s that the network spoke, %s: %s\n", p.Method, text.Plural(p.Words, "word"), fmt.Sprintf("%d prefixes", p.Prefixes), p.Why)
	t := text.Table("states", "divergence", "")
	for _, point := range p.Tradeoff {
		mark := ""
		if point.Chosen {
			mark = "← chosen"
		}
		if n := point.States; n <= 2*p.States && (p.States <= 20 || n%(p.States/10) == 0) || point.Chosen {
			t.AppendRow(text.Row{point.States, fmt.Sprintf("%.4f", point.Divergence), mark})
		}
	}
	text.Print(w, t)
}

// Beside returns what is known beside the certificate.
func (p *Spoken) Beside() (lines []string) {
	if p.Weighted != nil {
		lines = append(lines, p.Weighted.String())
	}
	if p.Target != nil {
		lines = append(lines, p.Target.String())
	}
	if p.Data != nil {
		lines = append(lines, p.Data.String())
	}
	return lines
}

func (c *Closeness) tell(w io.Writer) {
	for _, line := range c.Lines() {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w, "they part most")
	for _, x := range c.Parting {
		fmt.Fprintf(w, "  %s\n", x)
	}
	fmt.Fprintln(w, "and on the words")
	for _, x := range c.Apart {
		fmt.Fprintf(w, "  %s\n", x)
	}
}

// Lines returns what the certificate says.
func (c *Closeness) Lines() []string {
	return []string{
		fmt.Sprintf("on %s that the network speaks, %s: divergence %.4f nats a symbol, at most %.4f with a confidence of 95%% (bootstrap over words), beside an entropy of %.4f",
			text.Plural(c.Words, "fresh word"), text.Plural(c.Symbols, "symbol"), c.Divergence, c.Bound, c.Entropy),
		fmt.Sprintf("as many states, chosen anew after every prefix, would leave about %.4f", c.Floor),
		fmt.Sprintf("the likeliest next symbol is the same after %.2f%% of the prefixes; mean squared error of the words' probabilities %.3g", 100*c.Top, c.Squared),
	}
}

func (x Parting) String() string {
	return fmt.Sprintf("after %s: network %s, automaton %s; %.3f nats, in %.3g%% of the words", x.Prefix, x.Network, x.Automaton, x.Divergence, 100*x.Share)
}

func (x Apart) String() string {
	return fmt.Sprintf("%s: network %.3g, automaton %.3g", x.Word, x.Network, x.Automaton)
}

func (d *Surprise) String() string {
	perplexity := func(x *float64) string {
		if x == nil {
			return "∞"
		}
		return fmt.Sprintf("%.4f", *x)
	}
	return fmt.Sprintf("on %s held out of %s: perplexity %s of the network and %s of the automaton; mean squared error of their probabilities %.3g",
		text.Plural(d.HeldOut, "word"), d.File, perplexity(d.Network), perplexity(d.Automaton), d.Squared)
}

func (x *Weighted) String() string {
	return fmt.Sprintf("the weighted automaton behind it has rank %d, and a divergence of %.4f on held-out words", x.Rank, x.Divergence)
}
