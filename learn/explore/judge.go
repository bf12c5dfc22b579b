package explore

import (
	"math"
	"slices"

	"quotient/automaton"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
	"quotient/worth"
)

// better reports whether d is surely the better automaton: of many that are tried,
// the one that was lucky with its words must not win.
// What the user's words say counts before the stated distribution.
func (s *search) better(d *automaton.DFA) bool {
	price := worth.Data(len(s.data.Words))
	switch gain, more := s.data.Error(s.best)-s.data.Error(d), d.Len()-s.best.Len(); {
	case gain > 0 && price.Pays(gain, 0, more):
		return true
	case gain < 0 && price.Pays(-gain, 0, -more):
		return false
	}
	if best := s.best; d.Len() < best.Len() {
		return !s.worth(d, best, -worth.Explore.Sure)
	}
	return s.worth(s.best, d, worth.Explore.Sure)
}

// worth reports whether b is worth the states that it has more than a, by so many
// standard deviations. Each is judged on its own distribution, as far as the two
// differ, and every state must earn the tolerance. On the distribution of b, which
// may consist of words that nobody but b has ever thought of, it must earn far more.
// Where the network sides with b all but always, b has found out something that the
// network does, not a whim of it, and a tenth is enough.
func (s *search) worth(a, b *automaton.DFA, deviations float64) bool {
	onA, onB := sample.Contrasts(a, b, s.o.Low, s.o.High, pairs/s.q.Alphabet().Len())
	if onA == nil || onB == nil {
		right, wrong := sides(s.fresh(a, b), a, b)
		return float64(right-wrong) > deviations*math.Sqrt(float64(right+wrong))
	}
	ofA, ofB := s.weigh(onA, a), s.weigh(onB, b)
	price := worth.Price{State: s.o.Tolerance, Sure: deviations}
	if ofB.loss <= ofB.gain/always && ofA.gain <= ofA.loss/always {
		price = price.Times(0.1)
	}
	more := max(1, b.Len()-a.Len())
	return price.Pays(ofA.loss-ofB.loss, math.Hypot(ofA.spread, ofB.spread), more) ||
		price.Times(rare).Pays(ofB.gain-ofB.loss, 2*ofB.spread, more)
}

// A balance says how large a share of the distribution of an automaton is where
// it is wrong and another is right, and the other way round, and the standard
// deviation of both.
type balance struct{ loss, gain, spread float64 }

// weigh asks the network about words on which d and another automaton differ.
func (s *search) weigh(c *sample.Contrast, d *automaton.DFA) balance {
	if c.Mass == 0 {
		return balance{}
	}
	words := make([]word.Word, s.q.AtMost(weighed, 0.01))
	for i := range words {
		words[i] = c.Draw(s.rng)
	}
	share := s.q.Label(words).Error(d)
	return balance{loss: c.Mass * share, gain: c.Mass * (1 - share), spread: c.Mass * worth.Spread(share, len(words))}
}

// fresh returns words of the distributions of a and b that no hypothesis has seen:
// on the others, one that was made for them would win.
func (s *search) fresh(a, b *automaton.DFA) oracle.Set {
	words := s.uniform(freshWords)
	for _, d := range []*automaton.DFA{a, b} {
		words = slices.Concat(words, s.drawn(d, freshWords/4), s.drawn(automaton.Complement(d), freshWords/4))
	}
	return s.q.Label(words)
}

// sides counts the words that b gets right and a does not, and the other way round.
func sides(fresh oracle.Set, a, b *automaton.DFA) (right, wrong int) {
	for i, w := range fresh.Words {
		switch x, y := a.Accepts(w) == fresh.Accept[i], b.Accepts(w) == fresh.Accept[i]; {
		case y && !x:
			right++
		case x && !y:
			wrong++
		}
	}
	return right, wrong
}
