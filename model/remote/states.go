package remote

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"quotient/f32"
	"quotient/oracle"
	"quotient/word"
)

// A Stepper is a client whose model shows its states.
//
// A model elsewhere answers for words and cannot step from a vector. So the stepper
// remembers which word first led to each vector, and steps from there; two words with
// the same state count as the same. States that the model never gave are an error.
type Stepper struct {
	*Client
	ctx context.Context // of who asks
}

// Stepper returns the client with its states, if the model shows any.
func (c *Client) Stepper() (r Stepper, ok bool) { return Stepper{c, c.ctx}, c.dim > 0 }

// Under returns the stepper for somebody who waits no longer than a context.
func (r Stepper) Under(ctx context.Context) oracle.Stepper { return Stepper{r.Client, ctx} }

// A fingerprint stands for a state: the beginning of its SHA-256.
type fingerprint [16]byte

// maxStates bounds the bytes of the words that lead to states.
const maxStates = 1 << 30

func identify(state []float32) (f fingerprint) {
	b := make([]byte, 0, 4*len(state))
	for _, x := range state {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	sum := sha256.Sum256(b)
	copy(f[:], sum[:])
	return f
}

// Dim returns the number of columns of a state.
func (r Stepper) Dim() int { return r.dim }

// Start writes the state after the empty word.
func (r Stepper) Start(dst []float32) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.visit(f32.Of(1, len(dst), dst), []word.Word{{}})
}

// Step writes for every row of src the state after reading the symbol on[i] there. dst
// may be src.
func (r Stepper) Step(dst, src f32.Matrix, on []word.Symbol) error {
	if dst.Rows != len(on) || src.Rows != len(on) {
		panic(fmt.Sprintf("remote: a step from %d states to %d on %d symbols", src.Rows, dst.Rows, len(on)))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	words := r.wordsOf(src)
	for i := range words {
		words[i] = append(words[i][:len(words[i]):len(words[i])], on[i])
	}
	return r.visit(dst, words)
}

// visit writes the states of words, and remembers the words.
func (r Stepper) visit(dst f32.Matrix, words []word.Word) error {
	if dst.Cols != r.dim {
		panic(fmt.Sprintf("remote: states of %d numbers, not %d", dst.Cols, r.dim))
	}
	found, err := r.ask(r.ctx, words, true)
	for i, known := range found {
		row := dst.Row(i)
		if err != nil {
			clear(row)
			continue
		}
		copy(row, known.state)
		f := identify(row)
		if _, ok := r.states[f]; ok {
			continue
		}
		r.states[f] = words[i][:min(len(words[i]), r.limit.longest)]
		if r.reserved += 2*len(words[i]) + 100; r.reserved > maxStates {
			r.err = errors.New("the model has shown more different states than can be kept apart; fewer or shorter words have fewer")
			err = r.err
		}
	}
	return err
}

// Read writes for every state the answer for its word.
func (r Stepper) Read(dst, states f32.Matrix) error {
	if dst.Rows != states.Rows {
		panic(fmt.Sprintf("remote: %d answers for %d states", dst.Rows, states.Rows))
	}
	return r.ReadAfter(dst, states, make([]word.Word, dst.Rows))
}

// ReadAfter writes for every state the answer for its word with one more suffix.
func (r Stepper) ReadAfter(dst, states f32.Matrix, suffixes []word.Word) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	words := r.wordsOf(states)
	for i := range words {
		words[i] = slices.Concat(words[i], suffixes[i])
	}
	found, err := r.ask(r.ctx, words, false)
	for i, known := range found {
		known.write(dst.Row(i))
	}
	return err
}

// wordsOf returns the words that led to states.
func (r Stepper) wordsOf(src f32.Matrix) []word.Word {
	words := make([]word.Word, src.Rows)
	for i := range words {
		w, ok := r.states[identify(src.Row(i))]
		if !ok && r.err == nil {
			r.err = errors.New("a state is asked about that no word has led to; a model elsewhere knows only states of words")
		}
		words[i] = w
	}
	return words
}
