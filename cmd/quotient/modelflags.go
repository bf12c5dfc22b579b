package main

import (
	"os"

	"github.com/spf13/cobra"

	"quotient/rnn"
	"quotient/word"
)

// modelNames are the flags that say which token of a network is which.
type modelNames struct {
	symbols []string
	bos     int32
}

func modelFlags(cmd *cobra.Command) *modelNames {
	m := &modelNames{}
	cmd.Flags().StringSliceVar(&m.symbols, "symbols", nil, "names of the network's tokens from 0 on, where its file does not say, as a,b")
	cmd.Flags().Int32Var(&m.bos, "bos", -1, "the token that is read before every word, where the file does not say")
	return m
}

func (m *modelNames) open(name string) (*rnn.Network, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	n, _, err := rnn.Decode(b)
	if err == rnn.ErrNoSymbols {
		a, err := word.NewAlphabet(m.symbols...)
		if err != nil {
			return nil, err
		}
		tokens := []int32{0, 1}
		return n, n.Speak(a, tokens, m.bos)
	}
	return n, err
}
