package prefix

import (
	"fmt"
	"math/rand/v2"

	"quotient/automaton"
	"quotient/f32"
	"quotient/language"
	"quotient/word"
)

// A Sampler draws words, half of them uniformly among all words and half of them
// valid. Valid words belong to a given language, as in the paper, or, where only
// the network is known, are words that the network accepts.
type Sampler struct {
	r      Recognizer
	guide  *automaton.DFA // where valid words are drawn from
	verify bool           // the guide is only rough: ask the network about each word
	both   bool           // every other valid word gives way to one that is not valid
	Source string         // where valid words come from, in words: "words that …"
}

// FromLanguage returns a sampler whose valid words are those of a language.
func FromLanguage(r Recognizer, name string, d *automaton.DFA) (*Sampler, error) {
	over, err := d.WithAlphabet(r.Alphabet())
	if err != nil {
		return nil, fmt.Errorf("%s does not fit the network: %w", name, err)
	}
	return &Sampler{r: r, guide: over, Source: "words of " + name}, nil
}

// FromAutomaton returns a sampler that draws half of its words uniformly, a quarter
// among those that the automaton accepts, and a quarter among those that it
// rejects, so that outcomes are met however rare they are.
func FromAutomaton(d *automaton.DFA) *Sampler {
	return &Sampler{guide: d, both: true, Source: "words that the automaton accepts and words that it rejects in turn"}
}

// FromNetwork returns a sampler whose valid words are accepted by the network. It
// explores the network at several thresholds and keeps the rough automaton whose
// words the network accepts most often.
func FromNetwork(r Recognizer, length int, rng *rand.Rand) (*Sampler, error) {
	const keep, tries = 512, 64
	best := &Sampler{r: r, verify: true, Source: "words that the network accepts"}
	most := -1
	for _, kappa := range []float64{0.02, 0.1, 0.3} {
		guide := Explore(r, kappa, keep)
		s, err := language.NewSampler(guide, language.Valid, length, length)
		if err != nil {
			return nil, err
		}
		words := make([]word.Word, tries)
		for i := range words {
			words[i] = s.Draw(i, rng)
		}
		accepted := 0
		for _, labels := range Labels(r, words) {
			if labels[len(labels)-1] {
				accepted++
			}
		}
		if accepted > most {
			most, best.guide = accepted, guide
		}
		if accepted > tries*9/10 {
			break
		}
	}
	return best, nil
}

// A Sample is what a sampler drew.
type Sample struct {
	Words   []word.Word
	Valid   int   // how many of them were drawn as valid words
	Missing []int // lengths of which no valid word is known; uniform ones stand in
}

// Draw returns n words with lengths uniform from low to high: those with even
// index valid ones, the others uniform; a sampler from an automaton takes turns
// with those of even index. Where no word of a kind and length is found, a uniform
// one of that length stands in.
func (s *Sampler) Draw(n, low, high int, rng *rand.Rand) (Sample, error) {
	if n > MaxSymbols/max(high, 1) {
		return Sample{}, fmt.Errorf("%d words of length %d are more than fit into memory; ask for fewer or for shorter ones", n, high)
	}
	mixed, err := language.NewSampler(s.guide, language.Half, low, high)
	if err != nil {
		return Sample{}, err
	}
	out := Sample{Words: make([]word.Word, n), Missing: mixed.Missing()}
	var rejected *automaton.Sampler
	if s.both {
		if rejected, err = automaton.NewSampler(automaton.Complement(s.guide), high); err != nil {
			return Sample{}, err
		}
	}
	var even []int // indices of the words that should be valid
	for i := range out.Words {
		if s.both && i%4 == 2 {
			out.Words[i] = mixed.Draw(1, rng) // uniform, if there is no other
			rejected.Draw(out.Words[i], rng)
			continue
		}
		out.Words[i] = mixed.Draw(i, rng)
		if i%2 == 0 {
			even = append(even, i)
		}
	}
	invalid := s.invalid(out.Words, even)
	if s.verify {
		invalid, err = s.redraw(out.Words, invalid, high, rng)
	}
	out.Valid = len(even) - len(invalid)
	return out, err
}

// MaxSymbols bounds the size of a sample.
const MaxSymbols = 1 << 28

// invalid returns those of the indices whose words are not valid after all.
func (s *Sampler) invalid(words []word.Word, indices []int) []int {
	var wrong []int
	if !s.verify {
		for _, i := range indices {
			if !s.guide.Accepts(words[i]) {
				wrong = append(wrong, i)
			}
		}
		return wrong
	}
	chosen := make([]word.Word, len(indices))
	for j, i := range indices {
		chosen[j] = words[i]
	}
	for j, labels := range Labels(s.r, chosen) {
		if !labels[len(labels)-1] {
			wrong = append(wrong, indices[j])
		}
	}
	return wrong
}

// redraw replaces words that the network rejects by others of the same length, so
// that lengths stay as they were drawn, until it accepts them or patience is at an
// end. It returns the indices of those for which uniform words stand in.
func (s *Sampler) redraw(words []word.Word, invalid []int, longest int, rng *rand.Rand) ([]int, error) {
	valid, err := automaton.NewSampler(s.guide, longest)
	if err != nil {
		return nil, err
	}
	for range 8 {
		for _, i := range invalid {
			valid.Draw(words[i], rng)
		}
		invalid = s.invalid(words, invalid)
	}
	for _, i := range invalid {
		for j := range words[i] {
			words[i][j] = word.Symbol(rng.IntN(s.r.Alphabet().Len()))
		}
	}
	return invalid, nil
}

// Labels returns the network's answers for every prefix of every word, the empty
// prefix first.
func Labels(r Recognizer, words []word.Word) [][]bool {
	labels := make([][]bool, len(words))
	for i, w := range words {
		labels[i] = make([]bool, 0, len(w)+1)
	}
	const batch = 512 // words that are run together, to bound the memory
	for from := 0; from < len(words); from += batch {
		to := min(from+batch, len(words))
		label(r, labels[from:to], words[from:to])
	}
	return labels
}

// label runs words side by side and drops those that have come to their end.
func label(r Recognizer, labels [][]bool, words []word.Word) {
	states := f32.New(len(words), r.Dim())
	running := make([]int, len(words)) // which word each row belongs to
	for i := range words {
		r.Start(states.Row(i))
		running[i] = i
	}
	on := make([]word.Symbol, len(words))
	for depth := 0; len(running) > 0; depth++ {
		keep := 0
		for row, accept := range Answers(r, states.View(0, len(running))) {
			i := running[row]
			labels[i] = append(labels[i], accept)
			if depth < len(words[i]) {
				if keep != row {
					copy(states.Row(keep), states.Row(row))
				}
				running[keep], on[keep] = i, words[i][depth]
				keep++
			}
		}
		running = running[:keep]
		level := states.View(0, keep)
		r.Step(level, level, on[:keep])
	}
}
