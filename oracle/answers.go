package oracle

import (
	"slices"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/parallel"
	"quotient/word"
)

// A Set is words with an oracle's answers.
type Set struct {
	Words  []word.Word
	Accept []bool // of each word
}

// Agree returns on how many words an automaton says the same.
func (s Set) Agree(a Acceptor) int {
	agree := 0
	for i, w := range s.Words {
		if a.Accepts(w) == s.Accept[i] {
			agree++
		}
	}
	return agree
}

// Accuracy returns the share of the words on which an automaton says the same.
func (s Set) Accuracy(a Acceptor) float64 { return float64(s.Agree(a)) / float64(max(len(s.Words), 1)) }

// Error returns the share of the words on which an automaton errs.
func (s Set) Error(a Acceptor) float64 {
	return float64(len(s.Words)-s.Agree(a)) / float64(max(len(s.Words), 1))
}

// Mistakes returns the words on which an automaton errs.
func (s Set) Mistakes(a Acceptor) []word.Word {
	var wrong []word.Word
	for i, w := range s.Words {
		if a.Accepts(w) != s.Accept[i] {
			wrong = append(wrong, w)
		}
	}
	return wrong
}

// Accepted returns how many words are.
func (s Set) Accepted() int {
	n := 0
	for _, accept := range s.Accept {
		if accept {
			n++
		}
	}
	return n
}

// With returns the words that have an answer.
func (s Set) With(answer bool) []word.Word {
	var words []word.Word
	for i, w := range s.Words {
		if s.Accept[i] == answer {
			words = append(words, w)
		}
	}
	return words
}

// Paths are words with an oracle's answers for all their prefixes.
type Paths struct {
	Words  []word.Word
	Labels [][]bool // of the prefixes of each word, the empty one first
}

// Add appends other words.
func (p *Paths) Add(more Paths) {
	p.Words, p.Labels = append(p.Words, more.Words...), append(p.Labels, more.Labels...)
}

// Whole returns the answers for the words themselves.
func (p Paths) Whole() Set {
	s := Set{p.Words, make([]bool, len(p.Words))}
	for i, labels := range p.Labels {
		s.Accept[i] = labels[len(labels)-1]
	}
	return s
}

// errors calls yield for every prefix, given by a word and a length, on which an automaton
// errs. If yield returns false, the rest of the word is left out.
func (p Paths) errors(d *automaton.DFA, yield func(i, length int) bool) {
	for i, w := range p.Words {
		q := d.Start
		for j, label := range p.Labels[i] {
			if j > 0 {
				q = d.Next(q, w[j-1])
			}
			if d.Accept[q] != label && !yield(i, j) {
				break
			}
		}
	}
}

// Agree returns on how many prefixes an automaton says the same, and how many there are.
func (p Paths) Agree(d *automaton.DFA) (agree, prefixes int) {
	for _, labels := range p.Labels {
		prefixes += len(labels)
	}
	agree = prefixes
	p.errors(d, func(int, int) bool { agree--; return true })
	return agree, prefixes
}

// Error returns the share of the prefixes on which an automaton errs.
func (p Paths) Error(d *automaton.DFA) float64 {
	agree, prefixes := p.Agree(d)
	return float64(prefixes-agree) / float64(max(prefixes, 1))
}

// Mistakes returns of every word the shortest prefix on which an automaton errs, if there
// is one.
func (p Paths) Mistakes(d *automaton.DFA) []word.Word {
	const stretch = 256 // words that a thread looks at
	wrong := make([][]word.Word, (len(p.Words)+stretch-1)/stretch)
	parallel.Stretches(len(p.Words), stretch, func(from, to int) {
		part := Paths{p.Words[from:to], p.Labels[from:to]}
		part.errors(d, func(i, length int) bool {
			k := from / stretch
			wrong[k] = append(wrong[k], part.Words[i][:length])
			return false
		})
	})
	return slices.Concat(wrong...)
}

// Short holds an oracle's answers for all words up to a length, in shortlex order: word i,
// if it is not the empty one, is word (i-1)/k and then symbol (i-1)%k, where there are k
// symbols.
type Short struct {
	Length int // of the longest
	Accept []bool
	k      int
}

// Short asks for all words up to the greatest length of which there are at most so many
// words, and which is at most so long, and no longer than the oracle can be asked. Tell, if not nil, is told before every greater length
// what there is so far, and says whether to go on.
func (q *Inquiry) Short(words, longest int, tell func(Short) bool) Short {
	s := Short{k: q.Alphabet().Len()}
	longest = min(longest, q.Longest())
	var states f32.Matrix
	level := []word.Word{nil} // of the current length, if the oracle shows no states
	if q.ShowsStates() {
		states = q.Start()
	}
	for {
		n := len(level)
		if q.ShowsStates() {
			n = states.Rows
			s.Accept = append(s.Accept, q.Read(states)...)
		} else {
			s.Accept = append(s.Accept, q.Accepts(level)...)
		}
		if s.k == 0 || s.Length == longest || n*s.k > words-len(s.Accept) || tell != nil && !tell(s) {
			return s
		}
		s.Length++
		if q.ShowsStates() {
			states = q.Successors(states)
		} else {
			level = word.Prolong(level, s.k)
		}
	}
}

// Mistakes returns the first words on which an automaton errs, at most so many of them, and
// how many there are in all.
func (s Short) Mistakes(d *automaton.DFA, most int) (first []word.Word, all int) {
	at := make([]automaton.State, len(s.Accept))
	at[0] = d.Start
	for i, label := range s.Accept {
		if i > 0 {
			at[i] = d.Next(at[(i-1)/s.k], word.Symbol((i-1)%s.k))
		}
		if d.Accept[at[i]] != label {
			if all++; all <= most {
				first = append(first, s.word(i))
			}
		}
	}
	return first, all
}

// word returns the word with a number.
func (s Short) word(i int) word.Word {
	var w word.Word
	for ; i > 0; i = (i - 1) / s.k {
		w = append(w, word.Symbol((i-1)%s.k))
	}
	slices.Reverse(w)
	return w
}
