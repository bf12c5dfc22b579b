package predictive

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"quotient/model"
	"quotient/oracle"
	"quotient/sample"
)

// A network need not go where the automaton goes whose words it was trained on. What is extracted follows the
// network, so the transitions by which it goes elsewhere are no mistakes of the search: words that are forced through
// them lose clearly less from another state on, with the automaton behind right in everything else. Which state
// that is other words have said, so that none is taken for having been lucky. And a search that begins with the
// automaton behind leaves it.
func TestTheNetworkGoesElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds for each network")
	}
	for _, x := range []struct {
		name  string
		least int
	}{{"p6x4-gru1", 0}, {"p10x3-gru2", 2}, {"p12x8-lstm1", 6}, {"p16x6-rnn1", 6}} {
		q, next := behind(t, filepath.Join(shared(t, "models", "lm"), x.name))
		said, judged := forced(q, 5, next), forced(q, 6, next)
		all, sure, agree := said.elsewhere(judged)
		t.Logf("%s: of %d transitions forced words lead %d elsewhere, %d by more than three standard errors, and on %d of these spoken words agree", x.name, len(next), all, sure, agree)
		if sure < x.least || x.least == 0 && sure > 0 {
			t.Errorf("%s: the network goes elsewhere %d times, not %d", x.name, sure, x.least)
		}
		// On as few as 6,000 words chance may reverse the order of the two: much of the loss is of a few rare words.
		fresh := Speak(q, Spoken{Words: 40_000, Longest: longest, Prefixes: 3_000_000}, sample.Rand(1, sample.Certificate))
		m := newMachine(said.m.t.withoutScouts(), slices.Clone(next))
		before := m.divergence(fresh)
		m.polish(polishing{rounds: 10, targets: 8, stop: func() bool { return false }}, newDiary(m))
		after, moved := m.divergence(fresh), 0
		for e := range next {
			if m.next[e] != next[e] {
				moved++
			}
		}
		ours := extracted(t, q, m).divergence(fresh)
		t.Logf("%s: %.4f nats a symbol from these transitions, %.4f after %d of them were redirected, and %.4f from ours of as many states", x.name, before, after, moved, ours)
		if ours > before*(1+coarse) {
			t.Errorf("%s: ours is at %v, the automaton behind at %v", x.name, ours, before)
		}
		if after > before || (moved > 0) != (x.least > 0) {
			t.Errorf("%s: %d transitions were redirected, from %v to %v", x.name, moved, before, after)
		}
	}
}

// extracted returns what is extracted with as many states as a machine has, on its words.
func extracted(t *testing.T, q *oracle.Inquiry, m *machine) *machine {
	res, err := Run(q, Options{Seed: 1, States: m.states()})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(res.Tradeoff, func(p Point) bool { return p.Chosen })
	return newMachine(m.t, res.Tradeoff[i].table)
}

// elsewhere returns how many transitions forced words lead elsewhere, by which clearly when others judge, and
// on how many of these spoken words agree.
func (f *forcing) elsewhere(judge *forcing) (all, sure, agree int) {
	for e, old := range f.m.next {
		to := f.nearest(e)
		if to < 0 || to == old {
			continue
		}
		all++
		if scouts, words := judge.gain(e, to); scouts.clearly(3) {
			if sure++; words.words > 1 && words.sum > 0 {
				agree++
			}
		}
	}
	return all, sure, agree
}

// behind returns a network, and the transitions of the automaton that it was trained on.
func behind(t *testing.T, dir string) (*oracle.Inquiry, []int32) {
	raw, err := os.ReadFile(filepath.Join(dir, "model.json"))
	if err != nil {
		t.Fatal(err)
	}
	var truth struct{ Automaton struct{ Next [][]int32 } }
	if err := json.Unmarshal(raw, &truth); err != nil {
		t.Fatal(err)
	}
	net, err := model.Open(t.Context(), filepath.Join(dir, "model.pt"), model.Options{Vocab: filepath.Join(dir, "model.json")})
	if err != nil {
		t.Fatal(err)
	}
	return oracle.Predict(t.Context(), net.Net), slices.Concat(truth.Automaton.Next...)
}

// A forcing is what scouts say about each transition of an automaton, with the best probabilities for it.
type forcing struct {
	m     *machine
	logs  []float64
	nodes [][]int32 // behind each transition
}

func forced(q *oracle.Inquiry, seed uint64, next []int32) *forcing {
	k := q.Alphabet().Len()
	tree := Speak(q, Spoken{Words: 6000, Longest: longest, Prefixes: 3_000_000, Scouts: 200_000 / k, Further: 12}, sample.Rand(seed, sample.Words))
	f := &forcing{m: newMachine(tree, slices.Clone(next))}
	f.logs = newMachine(tree.withoutScouts(), slices.Clone(next)).logs()
	for from := range int32(f.m.states()) {
		nodes := make([][]int32, k)
		f.m.behind(from, nodes)
		f.nodes = append(f.nodes, nodes...)
	}
	return f
}

// nearest returns the state that forced words lose least from; -1 if there are none.
func (f *forcing) nearest(e int) int32 {
	best, most := int32(-1), 0.0
	for to := range int32(f.m.states()) {
		if scouts, _ := f.gain(e, to); scouts.words > 0 && (best < 0 || scouts.sum > most) {
			best, most = to, scouts.sum
		}
	}
	return best
}

// gain returns what forced words, and spoken ones, gain if a transition leads to another state.
func (f *forcing) gain(e int, to int32) (scouts, words tally) {
	for _, n := range f.nodes[e] {
		x := f.m.below(n, f.m.next[e], f.logs) - f.m.below(n, to, f.logs)
		if f.m.t.Scout[n] {
			scouts.add(x / f.m.t.Weight[n])
		} else {
			words.add(x)
		}
	}
	return scouts, words
}
