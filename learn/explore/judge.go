package explore

import (
	"math"

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
// differ; see verdict. A quarter of the words is asked about first, and is enough if it would take three more
// standard deviations for the answer to be another.
func (s *search) worth(a, b *automaton.DFA, deviations float64) bool {
	onA, onB := sample.Contrasts(a, b, s.o.Low, s.o.High, pairs/s.q.Alphabet().Len())
	if onA == nil || onB == nil {
		return s.unweighed(a, b, deviations)
	}
	ofA, ofB := scale{Contrast: onA, d: a}, scale{Contrast: onB, d: b}
	all := s.q.AtMost(weighed, 0.01)
	s.weigh(all/4, &ofA, &ofB)
	more := max(1, b.Len()-a.Len())
	if sure := s.verdict(&ofA, &ofB, more, deviations+3); sure == s.verdict(&ofA, &ofB, more, deviations-3) {
		return sure
	}
	s.weigh(all-all/4, &ofA, &ofB)
	return s.verdict(&ofA, &ofB, more, deviations)
}

// unweighed does so where a and b are too large to be followed side by side: by the words that one gets right and the other
// does not.
func (s *search) unweighed(a, b *automaton.DFA, deviations float64) bool {
	right, wrong := sides(s.fresh(a, b, freshWords/4), a, b)
	gain, spread := float64(right-wrong), math.Sqrt(float64(right+wrong+1))
	if sure := gain > (deviations+3)*spread; sure == (gain > (deviations-3)*spread) {
		return sure
	}
	more, less := sides(s.fresh(a, b, freshWords-freshWords/4), a, b)
	right, wrong = right+more, wrong+less
	return float64(right-wrong) > deviations*math.Sqrt(float64(right+wrong))
}

// verdict says whether b is worth so many states more. Every state must earn the tolerance. On the distribution of b, which
// may consist of words that nobody but b has ever thought of, it must earn far more.
// Where the network sides with b all but always, b has found out something that the
// network does, not a whim of it, and a tenth is enough.
func (s *search) verdict(ofA, ofB *scale, more int, deviations float64) bool {
	price := worth.Price{State: s.o.Tolerance, Sure: deviations}
	if ofB.loss() <= ofB.gain()/always && ofA.gain() <= ofA.loss()/always {
		price = price.Times(0.1)
	}
	return price.Pays(ofA.loss()-ofB.loss(), math.Hypot(ofA.spread(), ofB.spread()), more) ||
		price.Times(rare).Pays(ofB.gain()-ofB.loss(), 2*ofB.spread(), more)
}

// A scale weighs an automaton on words of its distribution on which another one differs from it.
type scale struct {
	*sample.Contrast
	d            *automaton.DFA
	words, wrong int // that were asked about, and on which it errs
}

// weigh asks the network about n more words of each.
func (s *search) weigh(n int, scales ...*scale) {
	var words []word.Word
	for _, x := range scales {
		for range n {
			if x.Mass > 0 {
				words = append(words, x.Draw(s.rng))
			}
		}
	}
	set := s.q.Label(words)
	for _, x := range scales {
		if x.Mass > 0 {
			part := oracle.Set{Words: set.Words[:n], Accept: set.Accept[:n]}
			set.Words, set.Accept = set.Words[n:], set.Accept[n:]
			x.words, x.wrong = x.words+n, x.wrong+n-part.Agree(x.d)
		}
	}
}

// loss returns how large a share of the distribution is where the automaton is wrong and the other is right.
func (x *scale) loss() float64 { return x.Mass * x.share() }

// gain returns how large the share is where it is right and the other is wrong.
func (x *scale) gain() float64 { return x.Mass * (1 - x.share()) }

// spread returns the standard deviation of both. One word is added that is half wrong: few words that say the same do not
// settle it.
func (x *scale) spread() float64 {
	return x.Mass * worth.Spread((float64(x.wrong)+0.5)/float64(x.words+1), x.words)
}

func (x *scale) share() float64 { return float64(x.wrong) / float64(max(1, x.words)) }

// fresh returns words of the distributions of a and b, n of each kind, that no hypothesis has seen:
// on the others, one that was made for them would win.
func (s *search) fresh(a, b *automaton.DFA, n int) oracle.Set {
	words := s.uniform(n)
	for _, d := range []*automaton.DFA{a, b} {
		words = append(words, s.both(d, n/4)...)
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
