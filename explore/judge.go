package explore

import (
	"cmp"
	"slices"

	"quotient/automaton"
	"quotient/prefix"
	"quotient/word"
)

// better reports whether d is the better automaton.
func (s *search) better(d *automaton.DFA) bool {
	switch best := s.best; {
	case d.Len() > best.Len():
		return s.worth(best, d)
	case d.Len() < best.Len():
		return !s.worth(d, best)
	default:
		return s.worth(best, d) && !s.worth(d, best)
	}
}

// worth reports whether b is worth the states that it has more than a. Each is
// judged on its own distribution, as far as the two differ, and every state must
// earn the tolerance. On the distribution of b, which may consist of words that
// nobody but b has ever thought of, it must earn far more.
func (s *search) worth(a, b *automaton.DFA) bool {
	ofA, ofB := s.weigh(b, a), s.weigh(a, b)
	if ofA == nil || ofB == nil {
		right, wrong := s.pool.sides(a, b)
		return right > wrong
	}
	price := s.o.Tolerance * float64(max(1, b.Len()-a.Len()))
	return ofA.loss-ofB.loss > price || ofB.gain-ofB.loss > rare*price
}

// A balance says how large a share of the distribution of an automaton is where
// it is wrong and another is right, and the other way round.
type balance struct{ loss, gain float64 }

// weigh compares the automaton b with a on the distribution of b. It returns nil if
// they are too large.
func (s *search) weigh(a, b *automaton.DFA) *balance {
	c := newContrast(a, b, s.o.Low, s.o.High, pairs/s.r.Alphabet().Len())
	switch {
	case c == nil:
		return nil
	case c.mass == 0:
		return &balance{}
	}
	words := make([]word.Word, weighed)
	for i := range words {
		words[i] = c.draw(s.rng)
	}
	wrong := 0
	for i, answer := range prefix.Accepts(s.r, words) {
		if b.Accepts(words[i]) != answer {
			wrong++
		}
	}
	return &balance{loss: c.mass * float64(wrong) / weighed, gain: c.mass * float64(weighed-wrong) / weighed}
}

// sides counts the words that b gets right and a does not, and the other way round.
func (p *pool) sides(a, b *automaton.DFA) (right, wrong int) {
	for i, w := range p.words {
		label := p.labels[i][len(w)]
		switch x, y := a.Accepts(w) == label, b.Accepts(w) == label; {
		case y && !x:
			right++
		case x && !y:
			wrong++
		}
	}
	return right, wrong
}

// tradeoff measures the hypotheses on words of the distribution of the best, and
// keeps those that no smaller one equals.
func (s *search) tradeoff() []Point {
	var p pool
	p.add(s.r, s.uniform(1000))
	p.add(s.r, s.drawn(s.best, 500))
	p.add(s.r, s.drawn(automaton.Complement(s.best), 500))
	var points []Point
	for _, d := range s.met {
		wrong := 0
		for i, w := range p.words {
			if d.Accepts(w) != p.labels[i][len(w)] {
				wrong++
			}
		}
		points = append(points, Point{d.Len(), float64(wrong) / float64(len(p.words)), d})
	}
	slices.SortStableFunc(points, func(a, b Point) int { return cmp.Or(a.States-b.States, cmp.Compare(a.Error, b.Error)) })
	keep := points[:0]
	for _, x := range points {
		if len(keep) == 0 || x.Error < keep[len(keep)-1].Error {
			keep = append(keep, x)
		}
	}
	return keep
}
