package predictive

import (
	"encoding/binary"
	"math"
	"slices"

	"quotient/word"
)

// A congruence is the tree of Mayr, Yovine and others (A congruence-based approach to active
// automata learning from neural language models, 2023): Kearns and Vazirani's, in which a word
// goes down by the class of what the network predicts behind the word and a suffix. Predictions
// are of one class if they are equal in steps, and two words lead to one state if no suffix was met
// behind which their classes differ.
type congruence struct {
	s      *search
	k      int
	steps  int // of probabilities
	most   int // states
	root   *branch
	access []word.Word // to each state
	leaf   []*branch   // of each state
	next   []int32     // states × symbols
	class  []string    // of each node of the tree of spoken words
}

// A branch is an inner one, with a suffix, or a leaf, with a state.
type branch struct {
	up     *branch
	suffix word.Word
	parts  []part
	state  int32 // -1: an inner one
}

// A part has the words behind which predictions are of a class.
type part struct {
	class string
	like  []float32 // the prediction with which it was met
	below *branch
}

// congruent learns with finer and finer steps, and notes what it finds on the way.
func congruent(s *search, size int) []int32 {
	for _, steps := range []int{1, 2, 3, 4, 5, 6, 8, 10, 14, 20, 30, 50, 100} {
		c := &congruence{s: s, k: s.t.Alphabet.Len(), steps: steps, most: size}
		c.root = &branch{state: -1}
		for _, p := range s.t.Next {
			c.class = append(c.class, inSteps(p, steps))
		}
		c.learn()
		if s.stop() || s.left < 0 {
			break
		}
	}
	return nil
}

// learn asks until the automaton and the network agree, up to classes, on the words that were
// spoken, or there are as many states as there may be.
func (c *congruence) learn() {
	c.sift(nil)
	for c.complete() {
		m := newMachine(c.s.t, compact(c.next, c.k))
		c.s.note(m)
		if !c.refine() {
			return
		}
	}
}

// complete finds where all symbols lead, from states that are met on the way, too.
func (c *congruence) complete() bool {
	c.next = c.next[:0]
	for q := 0; q < len(c.access); q++ {
		var words []word.Word
		for s := range c.k {
			words = append(words, extended(c.access[q], word.Symbol(s)))
		}
		c.s.predict(words) // together, which is faster than one by one
		for _, w := range words {
			c.next = append(c.next, c.sift(w))
		}
		if c.s.stop() || c.s.left < 0 {
			return false
		}
	}
	return true
}

// sift returns the state of a word. If it is like none that was met, it makes a new one; where
// there may be no more, the most similar part serves.
func (c *congruence) sift(w word.Word) int32 {
	at := c.root
	for at.state < 0 {
		p := c.s.predict([]word.Word{extended(w, at.suffix...)})[0]
		class := inSteps(p, c.steps)
		i := slices.IndexFunc(at.parts, func(x part) bool { return x.class == class })
		if i < 0 && len(c.access) < c.most {
			return c.grow(at, part{class: class, like: p}, w)
		}
		if i < 0 {
			i = 0
			for j, x := range at.parts {
				if variation(x.like, p) < variation(at.parts[i].like, p) {
					i = j
				}
			}
		}
		at = at.parts[i].below
	}
	return at.state
}

// grow makes a new state, of a word.
func (c *congruence) grow(at *branch, p part, w word.Word) int32 {
	q := int32(len(c.access))
	p.below = &branch{up: at, state: q}
	at.parts = append(at.parts, p)
	c.access, c.leaf = append(c.access, w), append(c.leaf, p.below)
	return q
}

// refine divides a state by the first spoken word that shows it to be two, and reports whether
// there was one. Where all states are taken, none is divided.
func (c *congruence) refine() bool {
	t := c.s.t
	classes := make([]string, len(c.access))
	for q, w := range c.access {
		classes[q] = inSteps(c.s.predict([]word.Word{w})[0], c.steps)
	}
	at := make([]int32, t.Len())
	for n := range at {
		if n > 0 {
			at[n] = c.next[int(at[t.Parent[n]])*c.k+int(t.On[n])]
		}
		if len(c.access) == c.most || c.s.stop() || c.s.left < 0 {
			return false
		}
		if c.class[n] != classes[at[n]] && c.divide(t.Word(int32(n))) {
			return true
		}
	}
	return false
}

// divide follows a word to where the automaton is in another state than the word is: the state
// before there is two.
func (c *congruence) divide(w word.Word) bool {
	q := int32(0)
	for i, s := range w {
		states := len(c.access)
		is, said := c.sift(w[:i+1]), c.next[int(q)*c.k+int(s)]
		if len(c.access) > states {
			return true
		}
		if is != said {
			v := extended(word.Word{s}, c.parting(is, said)...)
			return c.split(q, w[:i], v)
		}
		q = said
	}
	return false
}

// parting returns the suffix that tells two states apart.
func (c *congruence) parting(a, b int32) word.Word {
	var above []*branch
	for x := c.leaf[a]; x != nil; x = x.up {
		above = append(above, x)
	}
	x := c.leaf[b]
	for !slices.Contains(above, x) {
		x = x.up
	}
	return x.suffix
}

// split makes an inner branch of the leaf of a state, from which a word is told by a suffix.
func (c *congruence) split(q int32, w, suffix word.Word) bool {
	p := c.s.predict([]word.Word{extended(c.access[q], suffix...), extended(w, suffix...)})
	old, other := inSteps(p[0], c.steps), inSteps(p[1], c.steps)
	if old == other || c.s.left < 0 {
		return false
	}
	at := c.leaf[q]
	at.state, at.suffix = -1, suffix
	c.leaf[q] = &branch{up: at, state: q}
	at.parts = []part{{old, p[0], c.leaf[q]}}
	c.grow(at, part{class: other, like: p[1]}, slices.Clone(w))
	return true
}

// inSteps returns a prediction as it is rounded to steps: which of them are equal is its class.
func inSteps(p []float32, steps int) string {
	var key []byte
	for _, x := range p {
		key = binary.AppendUvarint(key, uint64(min(float64(steps-1), math.Floor(float64(x)*float64(steps)))))
	}
	return string(key)
}

// variation returns twice the total variation between two predictions.
func variation(p, q []float32) float64 {
	sum := 0.0
	for i, x := range p {
		sum += math.Abs(float64(x - q[i]))
	}
	return sum
}

// extended returns a word with symbols behind it, as a word of its own.
func extended(w word.Word, by ...word.Symbol) word.Word { return slices.Concat(w, by) }
