// Package redirect leads transitions of an automaton elsewhere as long as it then answers more prefixes of words as a network does.
//
// Where a network is no automaton, states stand for many of its states, and what is best for a transition cannot be seen after one
// step: it shows on the words that take it, until another target would have led to the same state. So for every transition
// the states that are most like its target are tried in place of it, by all answers up to there: a local search among automata, by coordinate
// descent.
package redirect

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"quotient/automaton"
	"quotient/internal/parallel"
	"quotient/oracle"
	"quotient/word"
)

const (
	largest = 2000 // states; comparing more with one another takes too much
	sweeps  = 12   // over all transitions, at most
	settled = 500  // a sweep that puts right less than this part of what is wrong is the last
	tried   = 40   // states in place of a target
	sure    = 1.5  // standard deviations by which a gain must exceed chance
	asked   = 2000 // prefixes, or up to twice as many, that say what a transition gains: all of them take far longer, and lead to nothing better on other words
	soon    = 4    // prefixes before one that goes wrong at which something may be gained
	further = 12   // symbols by which states are compared,
	fading  = 0.95 // and what each counts of the one before

	followed = 512 // words that are worth another thread
)

// Run returns an automaton of the same states that errs on no more prefixes of words. It ends early if stop reports that nobody waits.
func Run(d *automaton.DFA, p oracle.Paths, rng *rand.Rand, stop func() bool) *automaton.DFA {
	if d.Len() > largest {
		return d
	}
	r := newRedirecting(d, p)
	best, least := d, math.MaxInt
	for range sweeps {
		wrong := r.follow()
		if wrong >= least { // the next half may be a better one
			r.d = best
			r.follow()
		} else {
			last := least-wrong < wrong/settled
			best, least = r.d, wrong
			if last {
				break
			}
		}
		if wrong == 0 || stop() {
			break
		}
		r.redirect(rng)
	}
	return best
}

const end = word.MaxSymbols // no symbol

// A redirecting is an automaton and the prefixes of all words, one after the other: those of a word begin with the empty one.
type redirecting struct {
	d      *automaton.DFA
	k      int           // symbols
	starts []int         // words; where the prefixes of each begin, and where all end
	on     []word.Symbol // prefixes; what the word goes on with, or end
	answer []bool        // prefixes; of the network
	at     []int32       // prefixes; the state to which the automaton comes
	doubt  []bool        // prefixes; whether the automaton errs on this one or on one that is a little longer
	begin  []int32       // transitions; where the prefixes that each leads to begin in after, and where all end
	after  []int32       // these prefixes
	share  []float64     // symbols; of those that words go on with
}

func newRedirecting(d *automaton.DFA, p oracle.Paths) *redirecting {
	r := &redirecting{d: d, k: d.Alphabet.Len()}
	r.d = r.copied()
	r.share = make([]float64, r.k)
	for i, w := range p.Words {
		r.starts = append(r.starts, len(r.on))
		r.on = append(append(r.on, w...), end)
		r.answer = append(r.answer, p.Labels[i]...)
		for _, s := range w {
			r.share[s]++
		}
	}
	r.starts = append(r.starts, len(r.on))
	for s := range r.share {
		r.share[s] /= float64(max(1, len(r.on)-len(p.Words)))
	}
	r.at, r.doubt = make([]int32, len(r.on)), make([]bool, len(r.on))
	r.begin, r.after = make([]int32, len(d.Table)+1), make([]int32, len(r.on)-len(p.Words))
	return r
}

// copied returns a copy of the automaton.
func (r *redirecting) copied() *automaton.DFA {
	d := *r.d
	d.Accept, d.Table = slices.Clone(d.Accept), slices.Clone(d.Table)
	return &d
}

// follow leads all words through the automaton, lets every state answer as the network does after most prefixes that come there, and
// returns on how many prefixes the automaton then errs.
func (r *redirecting) follow() int {
	words := len(r.starts) - 1
	parallel.Stretches(words, followed, func(from, to int) {
		for i := from; i < to; i++ {
			at := r.d.Start
			for j := r.starts[i]; ; j++ {
				r.at[j] = int32(at)
				if r.on[j] == end {
					break
				}
				at = r.d.Next(at, r.on[j])
			}
		}
	})
	r.vote()
	wrong := make([]int, (words+followed-1)/followed)
	parallel.Stretches(words, followed, func(from, to int) {
		for i := from; i < to; i++ {
			doubt := 0 // prefixes back from the last one that went wrong
			for j := r.starts[i+1] - 1; j >= r.starts[i]; j-- {
				if r.d.Accept[r.at[j]] != r.answer[j] {
					doubt = soon
					wrong[from/followed]++
				}
				r.doubt[j] = doubt > 0
				doubt--
			}
		}
	})
	r.sort()
	all := 0
	for _, n := range wrong {
		all += n
	}
	return all
}

// vote lets every state answer as the network does after most prefixes that come there; where none does, as before.
func (r *redirecting) vote() {
	votes := make([]int, len(r.d.Accept))
	for j, q := range r.at {
		if r.answer[j] {
			votes[q]++
		} else {
			votes[q]--
		}
	}
	for q, n := range votes {
		if automaton.State(q) != automaton.Dead && n != 0 {
			r.d.Accept[q] = n > 0
		}
	}
}

// sort lists for every transition the prefixes to which it leads.
func (r *redirecting) sort() {
	clear(r.begin)
	each := func(f func(t, prefix int)) {
		for j, s := range r.on {
			if s != end {
				f(int(r.at[j])*r.k+int(s), j+1)
			}
		}
	}
	each(func(t, _ int) { r.begin[t+1]++ })
	for t := range r.d.Table {
		r.begin[t+1] += r.begin[t]
	}
	next := slices.Clone(r.begin)
	each(func(t, prefix int) {
		r.after[next[t]] = int32(prefix)
		next[t]++
	})
}

// A gain is by how many more prefixes are right if a transition leads to another state.
type gain struct {
	transition int
	to         automaton.State
	more       float64
}

// redirect leads transitions to where most more prefixes are right. Of these a random half is taken, as what two of them gain together may be
// less than what each of them gains. Nothing leads out of the dead state, nor to it where that was not so before.
func (r *redirecting) redirect(rng *rand.Rand) {
	r.d = r.copied()
	like := r.like()
	gains := make([]gain, len(r.d.Table)-r.k)
	parallel.Do(0, len(gains), func(i int) { gains[i] = r.best(r.k+i, like[r.d.Table[r.k+i]]) })
	for _, g := range gains {
		if g.more > 0 && rng.IntN(2) == 0 {
			r.d.Table[g.transition] = g.to
		}
	}
}

// best returns where a transition should lead, of a list of states. Where the automaton does not err soon after it, hardly anything
// can be gained, and something may be lost: these prefixes come last, and mostly few of them have to be followed.
func (r *redirecting) best(t int, list []automaton.State) gain {
	doubtful, others := r.sample(t)
	best := gain{transition: t}
	for _, to := range list {
		sum, squares := 0.0, 0.0
		add := func(j int32) {
			x := r.gain(int(j), to)
			sum, squares = sum+x, squares+x*x
		}
		enough := func() bool { return sum > max(best.more, sure*math.Sqrt(squares)) }
		for _, j := range doubtful {
			add(j)
		}
		for i := 0; i < len(others) && enough(); i++ {
			add(others[i])
		}
		if enough() {
			best.to, best.more = to, sum
		}
	}
	return best
}

// sample returns some of the prefixes to which a transition leads: those at which the automaton soon errs, and the others.
func (r *redirecting) sample(t int) (doubtful, others []int32) {
	prefixes := r.after[r.begin[t]:r.begin[t+1]]
	for i := 0; i < len(prefixes); i += max(1, len(prefixes)/asked) {
		if j := prefixes[i]; r.doubt[j] {
			doubtful = append(doubtful, j)
		} else {
			others = append(others, j)
		}
	}
	return doubtful, others
}

// gain returns on how many more prefixes, from one on, the automaton is right if it is in another state there.
func (r *redirecting) gain(j int, q automaton.State) float64 {
	more := 0.0
	for ; q != automaton.State(r.at[j]); j++ {
		if accept := r.d.Accept[q]; accept != r.d.Accept[r.at[j]] {
			if accept == r.answer[j] {
				more++
			} else {
				more--
			}
		}
		if r.on[j] == end {
			break
		}
		q = r.d.Next(q, r.on[j])
	}
	return more
}

// like returns for every state those that answer most like it after the next symbols, drawn as they are in the words.
func (r *redirecting) like() [][]automaton.State {
	n := len(r.d.Accept)
	apart, next := make([]float32, n*n), make([]float32, n*n)
	for range further {
		parallel.Do(0, n, func(x int) {
			row := next[x*n : (x+1)*n]
			for y := range row {
				row[y] = 0
				if r.d.Accept[x] != r.d.Accept[y] {
					row[y] = 1
				}
			}
			for s, share := range r.share {
				from, weight := apart[int(r.d.Table[x*r.k+s])*n:], float32(fading*share)
				for y := range row {
					row[y] += weight * from[r.d.Table[y*r.k+s]]
				}
			}
		})
		apart, next = next, apart
	}
	list := make([][]automaton.State, n)
	parallel.Do(0, n, func(x int) {
		for y := 1; y < n; y++ {
			if y != x {
				list[x] = append(list[x], automaton.State(y))
			}
		}
		row := apart[x*n:]
		slices.SortStableFunc(list[x], func(a, b automaton.State) int { return cmp.Compare(row[a], row[b]) })
		list[x] = list[x][:min(tried, len(list[x]))]
	})
	return list
}
