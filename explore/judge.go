package explore

import (
	"cmp"
	"math"
	"slices"

	"quotient/automaton"
	"quotient/prefix"
	"quotient/word"
)

// better reports whether d is surely the better automaton: of many that are tried,
// the one that was lucky with its words must not win.
func (s *search) better(d *automaton.DFA) bool {
	if best := s.best; d.Len() < best.Len() {
		return !s.worth(d, best, -sure)
	}
	return s.worth(s.best, d, sure)
}

// worth reports whether b is worth the states that it has more than a, by so many
// standard deviations. Each is judged on its own distribution, as far as the two
// differ, and every state must earn the tolerance. On the distribution of b, which
// may consist of words that nobody but b has ever thought of, it must earn far more.
// Where the network sides with b all but always, b has found out something that the
// network does, not a whim of it, and a tenth is enough.
func (s *search) worth(a, b *automaton.DFA, deviations float64) bool {
	ofA, ofB := s.weigh(b, a), s.weigh(a, b)
	if ofA == nil || ofB == nil {
		right, wrong := s.fresh(a, b).sides(a, b)
		return float64(right-wrong) > deviations*math.Sqrt(float64(right+wrong))
	}
	price := s.o.Tolerance * float64(max(1, b.Len()-a.Len()))
	if ofB.loss <= ofB.gain/always && ofA.gain <= ofA.loss/always {
		price /= 10
	}
	return ofA.loss-ofB.loss-deviations*math.Hypot(ofA.spread, ofB.spread) > price ||
		ofB.gain-ofB.loss-deviations*2*ofB.spread > rare*price
}

// A balance says how large a share of the distribution of an automaton is where
// it is wrong and another is right, and the other way round, and the standard
// deviation of both.
type balance struct{ loss, gain, spread float64 }

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
	share := float64(wrong) / weighed
	return &balance{loss: c.mass * share, gain: c.mass * (1 - share), spread: c.mass * math.Sqrt(share*(1-share)/weighed)}
}

// fresh returns words of the distributions of a and b that no hypothesis has seen:
// on the others, one that was made for them would win.
func (s *search) fresh(a, b *automaton.DFA) *pool {
	var p pool
	p.add(s.r, s.uniform(freshWords))
	for _, d := range []*automaton.DFA{a, b} {
		p.add(s.r, s.drawn(d, freshWords/4))
		p.add(s.r, s.drawn(automaton.Complement(d), freshWords/4))
	}
	return &p
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
