// Package probabilistic computes with deterministic probabilistic automata: in every state
// each symbol has a probability, and so has the end of the word, and together they are
// one. A symbol leads to one state. So a word has one way through the automaton, and its
// probability is the product of what stands along it:
//
//	P(s₁s₂…sₙ) = p(s₁ | q₀) · p(s₂ | q₁) ⋯ p(sₙ | qₙ₋₁) · end(qₙ)
//
// These are the language models whose memory is finite; n-grams are among them. Because
// the way is unique, entropy and divergence are sums over states, or pairs of states, of
// what happens there, weighted by how often a word passes: one linear system, no sampling.
//
// Logarithms are natural, and so are the units: nats. What is said to be a symbol counts
// the end as one, so that the empty word has one.
//
// Readers spend memory in proportion to the file and never panic; results are
// deterministic.
package probabilistic

import (
	"fmt"
	"math"
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// An Automaton is a deterministic probabilistic automaton. Its states are 1 to Len(),
// beside automaton.Dead, where no word goes: what leads there has probability zero.
type Automaton struct {
	Alphabet *word.Alphabet
	Start    automaton.State
	End      []float64         // (1 + states): the probability that the word ends
	Prob     []float64         // (1 + states) × symbols: the probability of each symbol
	Table    []automaton.State // (1 + states) × symbols: where it leads; Dead if the probability is zero
}

// New returns an automaton of n states whose words all end at once. Its start is state
// 1, or Dead if n is zero.
func New(a *word.Alphabet, n int) *Automaton {
	p := &Automaton{
		Alphabet: a,
		Start:    automaton.State(min(n, 1)),
		End:      make([]float64, n+1),
		Prob:     make([]float64, (n+1)*a.Len()),
		Table:    make([]automaton.State, (n+1)*a.Len()),
	}
	for q := 1; q <= n; q++ {
		p.End[q] = 1
	}
	return p
}

// Len returns the number of states, the dead one not counted.
func (a *Automaton) Len() int { return len(a.End) - 1 }

// Row returns the probabilities of the symbols in state q. It is a view, not a copy.
func (a *Automaton) Row(q automaton.State) []float64 {
	k := a.Alphabet.Len()
	return a.Prob[int(q)*k : (int(q)+1)*k : (int(q)+1)*k]
}

// Targets returns where the symbols lead from state q. It is a view, not a copy.
func (a *Automaton) Targets(q automaton.State) []automaton.State {
	k := a.Alphabet.Len()
	return a.Table[int(q)*k : (int(q)+1)*k : (int(q)+1)*k]
}

// Next returns the state that symbol s leads to from q.
func (a *Automaton) Next(q automaton.State, s word.Symbol) automaton.State {
	return a.Table[int(q)*a.Alphabet.Len()+int(s)]
}

// SetNext makes symbol s lead from q to a state with a probability.
func (a *Automaton) SetNext(q automaton.State, s word.Symbol, to automaton.State, p float64) {
	i := int(q)*a.Alphabet.Len() + int(s)
	a.Table[i], a.Prob[i] = to, p
}

// Run returns the state after w: Dead if w is not the beginning of any word.
func (a *Automaton) Run(w word.Word) automaton.State {
	q := a.Start
	for _, s := range w {
		q = a.Next(q, s)
	}
	return q
}

// Distribution stores in dst what may follow in state q: the probability of every
// symbol, and behind them that of the end. dst must have room for all. In Dead, all are
// zero.
func (a *Automaton) Distribution(dst []float64, q automaton.State) {
	copy(dst, a.Row(q))
	dst[a.Alphabet.Len()] = a.End[q]
}

// LogPrefix returns the logarithm of the probability that a word begins with w, and the
// state after it.
func (a *Automaton) LogPrefix(w word.Word) (float64, automaton.State) {
	q, sum := a.Start, 0.0
	if q == automaton.Dead {
		return math.Inf(-1), q
	}
	for _, s := range w {
		p := a.Row(q)[s]
		if p == 0 {
			return math.Inf(-1), automaton.Dead
		}
		sum += math.Log(p)
		q = a.Next(q, s)
	}
	return sum, q
}

// LogProb returns the logarithm of the probability of a word, -∞ if it is zero.
func (a *Automaton) LogProb(w word.Word) float64 {
	sum, q := a.LogPrefix(w)
	return sum + math.Log(a.End[q])
}

// Probability returns the probability of a word.
func (a *Automaton) Probability(w word.Word) float64 { return math.Exp(a.LogProb(w)) }

// A Fit says how well an automaton predicts words.
type Fit struct {
	Words   int     `json:"words"`
	Symbols int     `json:"symbols"` // the ends of words included
	Zero    int     `json:"zero"`    // words of probability zero
	LogProb float64 `json:"-"`       // the sum over words of other probabilities
	First   int     `json:"-"`       // the first word of probability zero; -1 if there is none

	rest int // symbols of words of other probabilities
}

// Fit returns how well a predicts words, which must be over its alphabet.
func (a *Automaton) Fit(words []word.Word) Fit {
	f, symbols := Fit{First: -1}, 0
	for _, w := range words {
		symbols += len(w) + 1
	}
	score := a.LogProb
	if symbols > len(a.Prob) { // then a table is worth it: logarithms are most of the time
		score = a.logTable()
	}
	for _, w := range words {
		f.Add(len(w), score(w))
	}
	return f
}

// logTable returns LogProb, with all logarithms taken beforehand.
func (a *Automaton) logTable() func(w word.Word) float64 {
	prob, end := make([]float64, len(a.Prob)), make([]float64, len(a.End))
	for i, p := range a.Prob {
		prob[i] = math.Log(p)
	}
	for q, p := range a.End {
		end[q] = math.Log(p)
	}
	k := a.Alphabet.Len()
	return func(w word.Word) float64 {
		q, sum := int(a.Start), 0.0
		for _, s := range w {
			i := q*k + int(s)
			sum += prob[i] // in Dead, all are -∞
			q = int(a.Table[i])
		}
		return sum + end[q]
	}
}

// Add takes one more word, of a length and the logarithm of its probability.
func (f *Fit) Add(length int, p float64) {
	if math.IsInf(p, -1) {
		if f.Zero++; f.First < 0 {
			f.First = f.Words
		}
	} else {
		f.LogProb += p
		f.rest += length + 1
	}
	f.Words, f.Symbols = f.Words+1, f.Symbols+length+1
}

// Perplexity returns exp(-log P / symbols), the number of equally likely choices that a
// symbol of the words would be worth: +∞ if any word has probability zero.
func (f Fit) Perplexity() float64 {
	if f.Zero > 0 {
		return math.Inf(1)
	}
	return f.PerplexityOfRest()
}

// PerplexityOfRest leaves words of probability zero out.
func (f Fit) PerplexityOfRest() float64 {
	if f.rest == 0 {
		return math.NaN()
	}
	return math.Exp(-f.LogProb / float64(f.rest))
}

// Check returns an error unless a is what the type says: of the right sizes, with
// probabilities that are none below zero and sum to one in each state, up to rounding, and
// with a state to go to wherever a probability is not zero.
func (a *Automaton) Check() error {
	n, k := a.Len(), a.Alphabet.Len()
	if n < 0 || len(a.Prob) != (n+1)*k || len(a.Table) != (n+1)*k || a.Start < 0 || int(a.Start) > n {
		return fmt.Errorf("%d states and %d symbols do not fit the tables", n, k)
	}
	for q := automaton.State(1); int(q) <= n; q++ {
		sum, err := a.sum(q)
		if err == nil && math.Abs(sum-1) > rounding {
			err = fmt.Errorf("the probabilities of state %d sum to %g, not to 1", q, sum)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sum returns what the probabilities of a state sum to.
func (a *Automaton) sum(q automaton.State) (float64, error) {
	sum, row := a.End[q], a.Row(q)
	if !(sum >= 0 && sum <= 2) { // somewhat over one may still be renormalized
		return 0, fmt.Errorf("the end of state %d has the probability %g", q, sum)
	}
	for s, to := range a.Targets(q) {
		if !(row[s] >= 0 && row[s] <= 2) {
			return 0, fmt.Errorf("symbol %q of state %d has the probability %g", a.Alphabet.Name(word.Symbol(s)), q, row[s])
		}
		if row[s] > 0 && (to <= 0 || int(to) > a.Len()) {
			return 0, fmt.Errorf("symbol %q of state %d leads nowhere, but has the probability %g", a.Alphabet.Name(word.Symbol(s)), q, row[s])
		}
		sum += row[s]
	}
	return sum, nil
}

const (
	rounding  = 1e-9 // how far a sum may be from one and is left as it is
	tolerated = 0.01 // how far it may be and is scaled, which is said
)

// Normalize scales the probabilities of every state to the sum of one, where they are
// further from it than rounding. It returns a note for people if it did so, and an error
// if they are further away than a hundredth: then they are no rounded probabilities, but
// something else.
func (a *Automaton) Normalize() (note string, err error) {
	scaled, worst, where := 0, 0.0, automaton.Dead
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		sum, err := a.sum(q)
		if err != nil {
			return "", err
		}
		off := math.Abs(sum - 1)
		if off > tolerated {
			return "", fmt.Errorf("the probabilities of state %d, its end included, sum to %g; they must sum to 1", q, sum)
		}
		if off <= rounding {
			continue
		}
		if scaled++; off > worst {
			worst, where = off, q
		}
		a.End[q] /= sum
		for s := range a.Row(q) {
			a.Row(q)[s] /= sum
		}
	}
	if scaled > 0 {
		note = fmt.Sprintf("the probabilities of %d of %d states did not sum to 1 and were scaled; the furthest off was state %d, by %.2g", scaled, a.Len(), where, worst)
	}
	return note, nil
}

// Equal reports whether the two automata are the same in every value.
func (a *Automaton) Equal(b *Automaton) bool {
	return a.Start == b.Start && a.Alphabet.Equal(b.Alphabet) && slices.Equal(a.End, b.End) &&
		slices.Equal(a.Prob, b.Prob) && slices.Equal(a.Table, b.Table)
}

// WithAlphabet returns a over an alphabet that has all its symbols, and perhaps others,
// which have probability zero.
func (a *Automaton) WithAlphabet(b *word.Alphabet) (*Automaton, error) {
	if a.Alphabet.Equal(b) {
		return a, nil
	}
	c := New(b, a.Len())
	c.Start = a.Start
	copy(c.End, a.End)
	for s, name := range a.Alphabet.Names() {
		t, ok := b.Symbol(name)
		if !ok {
			return nil, fmt.Errorf("symbol %q is not in %s", name, b)
		}
		for q := automaton.State(1); int(q) <= a.Len(); q++ {
			c.SetNext(q, t, a.Next(q, word.Symbol(s)), a.Row(q)[s])
		}
	}
	return c, nil
}
