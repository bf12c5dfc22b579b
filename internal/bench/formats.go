package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"quotient/automaton"
	"quotient/automaton/codec"
)

// FormatsOptions say what to measure.
type FormatsOptions struct {
	Formats []string
	States  []int
	Rounds  int
}

// Formats measures writing random automata over two symbols, and reading them again, in memory.
// What encoding/json alone takes for the same document, as plain structures, is one more row.
func Formats(ctx context.Context, o FormatsOptions) ([]Figure, error) {
	var figures []Figure
	for _, n := range o.States {
		nfa := random(generator(n), n).NFA()
		for _, name := range o.Formats {
			if ctx.Err() != nil {
				return figures, context.Cause(ctx)
			}
			format, err := codec.ByName(name)
			if err != nil {
				return figures, err
			}
			found, err := o.format(format, nfa)
			if err != nil {
				return figures, err
			}
			figures = append(figures, found...)
			if name == "json" {
				found, err := o.standard(nfa)
				if err != nil {
					return figures, err
				}
				figures = append(figures, found...)
			}
		}
	}
	return figures, nil
}

// format measures one format.
func (o *FormatsOptions) format(f codec.Format, n *automaton.NFA) ([]Figure, error) {
	var text bytes.Buffer
	var err error
	write := Figure{Work: "write", Input: f.Name, Size: n.Len(), States: n.Len()}
	write.Seconds = Best(o.Rounds, func() { err = codec.Write(io.Discard, n, f) })
	if err == nil {
		err = codec.Write(&text, n, f)
	}
	if err != nil || !f.CanRead() {
		return []Figure{write}, err
	}
	read := Figure{Work: "read", Input: f.Name, Size: n.Len()}
	read.Seconds = Best(o.Rounds, func() {
		var m *automaton.NFA
		if m, err = codec.Read(bytes.NewReader(text.Bytes()), "automaton", f); err == nil {
			read.States = m.Len()
		}
	})
	if err == nil && read.States != n.Len() {
		err = fmt.Errorf("%s: %d states were written and %d read", f.Name, n.Len(), read.States)
	}
	return []Figure{write, read}, err
}

// standard measures encoding/json on a document as ours, in structures as one writes them down.
func (o *FormatsOptions) standard(n *automaton.NFA) ([]Figure, error) {
	type state struct {
		ID     int  `json:"id"`
		Accept bool `json:"accept"`
	}
	type transition struct {
		From int    `json:"from"`
		On   string `json:"on"`
		To   int    `json:"to"`
	}
	var document struct {
		States      []state      `json:"states"`
		Transitions []transition `json:"transitions"`
	}
	for q := 1; q < len(n.Accept); q++ {
		document.States = append(document.States, state{q, n.Accept[q]})
	}
	for _, e := range n.Edges {
		document.Transitions = append(document.Transitions, transition{int(e.From), n.Alphabet.Name(e.On), int(e.To)})
	}
	var text []byte
	var err error
	figure := Figure{Input: "encoding/json", Size: n.Len(), States: n.Len()}
	write, read := figure, figure
	write.Work, read.Work = "write", "read"
	write.Seconds = Best(o.Rounds, func() { text, err = json.Marshal(document) })
	if err != nil {
		return nil, err
	}
	read.Seconds = Best(o.Rounds, func() {
		document.States, document.Transitions = nil, nil
		err = json.Unmarshal(text, &document)
	})
	return []Figure{write, read}, err
}
