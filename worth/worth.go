// Package worth answers the question that every method comes to: is one more state worth
// it?
//
// A larger automaton can always agree with a network on more words. Networks err on rare
// words, and an automaton that follows them there grows without end and explains next to
// nothing. So a state has a [Price]: the share of words that it must put right. How high it
// is depends on what judges; the prices of all methods stand here, each with its reason.
package worth

import "math"

// A Price is what an automaton must gain to be worth more states than another has. Gains
// are shares of the words that judge.
type Price struct {
	State float64 // for every state more
	Once  float64 // for being larger at all
	Sure  float64 // standard deviations by which a gain must exceed the price
}

// The prices.
var (
	// All thresholds are tried on one set of words and a threshold costs nothing, so a
	// single word decides, and of equals the smaller automaton is taken.
	Kappa = Price{}

	// Exploring weighs differences by counting, so it sees what one word in 100,000 shows.
	// Many automata are tried, and the one that was lucky with its words must not win.
	Explore = Price{State: 1e-5, Sure: 3}

	// Exploring a network whose one answer is rare, and that leaves no end of doubts. If it
	// confirms what automata of several sizes claim, larger ones are right to say more.
	Confirmed = Price{State: 0.0003}

	// If the user's words have the rare answer, a state must put five of a thousand right: they
	// are one of five kinds of words that judge.
	Given = Price{State: 0.001}

	// Of automata that come of an automaton's claims, whose claims will be looked at next, a state must put one word in 2,000 right.
	Focused = Price{State: 0.0005}

	// Where doubts are left, the last states of an automaton mostly are about words that are hardly met. One
	// must put right a word in 8,000, of as many that judge, unless all of them together surely put more right.
	Doubtful = Price{State: 1. / 8000, Sure: 3}

	// L* and TTT follow every counterexample, so a hypothesis far larger than an earlier one
	// is given up for it unless it is right on one word in a hundred more. Of the earlier one, a state stays
	// that puts one in 400 right.
	Queries = Price{Once: 0.01, State: 0.0025}

	// A counter automaton is judged by a few hundred words near its language. One that
	// counts is charged for four states more, for a counter explains much by chance.
	Counter = Price{State: 0.01}

	// The rank of a weighted automaton follows the rule of Breiman, Friedman, Olshen and
	// Stone (1984): the smallest within one standard error of the best.
	Rank = Price{Sure: 1}
)

// Description is the price of so many states over so many symbols where no automaton is right: the
// length of what describes them. For every symbol a state has one of all states, or none, to
// lead to, which takes so many bits to say. Some 2,000 words judge, and a word that goes
// wrong takes ten bits to name, so a bit would be worth a 20,000th of the words; but the words that a network
// was led to, which are a quarter of those that judge, are hardly met otherwise, and a bit costs twice that.
func Description(states, symbols int) float64 {
	const bit = 1. / 10_000
	n := float64(states)
	return bit * n * float64(symbols) * math.Log2(n+1)
}

// Data is the price where so many words of the user's judge. They are what an automaton is for, so a
// state must put right only one of them, or one in 20,000 if there are more; but they are given
// once, and states that explain less than a word each explain chance.
func Data(words int) Price { return Price{State: max(5e-5, 1/float64(max(1, words)))} }

// Times returns a price so many times as high.
func (p Price) Times(x float64) Price { return Price{p.State * x, p.Once * x, p.Sure} }

// Pays reports whether a gain, of the given standard deviation, is worth so many states
// more.
func (p Price) Pays(gain, spread float64, states int) bool {
	return gain-p.Sure*spread > p.Once+p.State*float64(states)
}

// A Score says how good an automaton is.
type Score struct {
	Error  float64 // the share of words on which it errs
	States int
}

// Cost is what automata are compared by where no chance is involved: their errors and the
// price of their states.
func (p Price) Cost(s Score) float64 { return s.Error + p.State*float64(s.States) }

// Better reports whether a is to be preferred to b: it has more states and they are worth
// it, or fewer and those of b are not.
func (p Price) Better(a, b Score) bool {
	switch {
	case a.States > b.States:
		return p.Pays(b.Error-a.Error, 0, a.States-b.States)
	case a.States < b.States:
		return !p.Pays(a.Error-b.Error, 0, b.States-a.States)
	}
	return a.Error < b.Error
}

// Spread returns the standard deviation of a share that was measured on n words.
func Spread(share float64, n int) float64 {
	return math.Sqrt(share * (1 - share) / float64(max(n, 1)))
}

// Slope is by how many percent more an automaton errs than another one for each percent of states that it has less.
func Slope(larger, smaller Score) float64 {
	return math.Log(smaller.Error/larger.Error) / math.Log(float64(larger.States)/float64(smaller.States))
}

// The slopes.
const (
	steep = 3.0 // an automaton that a network was trained on cannot lose a state without this,
	even  = 1.0 // and what is larger only describes where the network errs, if it gains less than this
	faint = 0.1 // states that gain less than this are not worth having anyway
	worse = 1.6 // times the errors, at which too much is lost whatever the slope
)

// Bend chooses from a curve of errors against states, descending by these, of automata that come of the first one, which errs. A
// network that was trained on a finite automaton, and has not learned it well, shows it as a bend: a few states less, and far more goes wrong; many
// states more, and hardly less. Of several bends the one is taken where errors times states are least. If
// there is none, the smallest is taken for whose size the first one hardly errs less. It returns 0 if the first should stay. (The slopes were chosen
// on 58 networks; nothing else speaks for them.)
func Bend(curve []Score) int {
	chosen, least := 0, math.Inf(1)
	for i := 1; i+1 < len(curve); i++ {
		x := curve[i]
		if bend := Slope(x, curve[i+1]) >= steep && Slope(curve[0], x) <= even && x.Error <= worse*curve[0].Error; !bend {
			continue
		}
		if cost := x.Error * float64(x.States); cost < least {
			chosen, least = i, cost
		}
	}
	for i := len(curve) - 1; i > 0 && chosen == 0; i-- {
		if Slope(curve[0], curve[i]) <= faint && curve[i].Error <= worse*curve[0].Error {
			chosen = i
		}
	}
	return chosen
}

// Lost reports whether errors have become so many that no bend is left to find in a curve.
func Lost(curve []Score) bool { return curve[len(curve)-1].Error > worse*curve[0].Error }

// Doubling chooses from a curve of errors against states, ascending by these, where nothing
// says what a state is worth: the smallest automaton such that neither it nor any larger one
// could shed half of its error if it had twice the states. A
// network that was trained on a finite automaton comes near to it, and then errs in so many
// small ways that states explain one by one; up to there each of them tells, and beyond there
// none. (Halving was chosen on twelve networks; nothing else speaks for it.) If there is no such bend, less is asked for. It also returns the share that is left.
func Doubling(curve []Score) (chosen int, share float64) {
	least := make([]float64, len(curve)) // error of automata up to each size
	for i, s := range curve {
		if least[i] = s.Error; i > 0 {
			least[i] = min(least[i], least[i-1])
		}
	}
	for share = 0.5; share < 1; share += 0.1 {
		twice := len(curve) - 1
		for i := len(curve) - 1; i > 0; i-- {
			for twice > i && curve[twice].States > 2*curve[i-1].States {
				twice--
			}
			if least[twice] < share*least[i-1] {
				return i, share
			}
		}
	}
	return 0, 1
}
