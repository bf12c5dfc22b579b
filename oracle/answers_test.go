package oracle_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// random draws a recognizer that follows a random automaton over up to four letters, and
// errs on words of some lengths.
func random(t *rapid.T, letters int) oracletest.Noisy {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "automaton"), 0))
	d := automaton.NewDFA(word.Letters("abcd"[:letters]), 1+rng.IntN(5))
	for i := letters; i < len(d.Table); i++ {
		d.Table[i] = automaton.State(rng.IntN(d.Len() + 1))
	}
	for q := range d.Len() {
		d.Accept[q+1] = rng.IntN(2) == 0
	}
	return oracletest.Noisy{DFA: d, Dims: 4, Noise: 0.1, Errs: func(length int) bool { return length%5 == 3 }}
}

// alone runs one word from a state.
func alone(net oracle.Stepper, from []float32, w word.Word) (state []float32, accept bool) {
	m, p := f32.Of(1, len(from), slices.Clone(from)), f32.New(1, 1)
	for _, s := range w {
		net.Step(m, m, []word.Symbol{s})
	}
	net.Read(p, m)
	return m.Row(0), p.Row(0)[0] > oracle.Threshold
}

// However many words or states are run side by side, each has the answer and the state
// that it has alone.
func TestSideBySide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := random(t, rapid.IntRange(1, 4).Draw(t, "letters"))
		k := net.Alphabet().Len()
		q := oracle.Ask(context.Background(), net)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "words"), 1))
		n := rapid.SampledFrom([]int{0, 1, 2, 20, 1100}).Draw(t, "n") // batches are smaller
		words := sample.UniformWords(n, k, 0, rapid.IntRange(0, 6).Draw(t, "length"), rng)

		start := q.Start().Row(0)
		paths, accept := q.LabelPaths(words), q.Accepts(words)
		for i, w := range words {
			for j, label := range paths.Labels[i] {
				if _, want := alone(net, start, w[:j]); label != want {
					t.Fatalf("%v after %v, want %v", label, w[:j], want)
				}
			}
			if len(paths.Labels[i]) != len(w)+1 || accept[i] != paths.Labels[i][len(w)] {
				t.Fatalf("%v has the labels %v and the answer %v", w, paths.Labels[i], accept[i])
			}
		}

		states := f32.New(0, net.Dim())
		for _, w := range words[:min(n, 20)] {
			state, _ := alone(net, start, w)
			states.Append(state)
		}
		successors := q.Successors(states)
		for i := range states.Rows * k {
			want, _ := alone(net, states.Row(i/k), word.Word{word.Symbol(i % k)})
			if !slices.Equal(successors.Row(i), want) {
				t.Fatalf("successor %d is another state than alone", i)
			}
		}
		rows, on := make([]int, n), make([]word.Symbol, n)
		for i := range rows {
			rows[i], on[i] = rng.IntN(states.Rows), word.Symbol(rng.IntN(k))
		}
		after, next := q.After(states, rows, words), q.StepFrom(states, rows, on)
		for i, row := range rows {
			if _, want := alone(net, states.Row(row), words[i]); after[i] != want {
				t.Fatalf("%v after %v from row %d, want %v", after[i], words[i], row, want)
			}
			if want, _ := alone(net, states.Row(row), on[i:i+1]); !slices.Equal(next.Row(i), want) {
				t.Fatalf("row %d steps to another state than alone", row)
			}
		}
		if err := q.Err(); err != nil {
			t.Fatal(err)
		}
	})
}

// All short words are asked for: those that UpTo lists, in its order, whether states can
// be followed or not, and no longer ones than are wanted.
func TestShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := random(t, rapid.IntRange(0, 4).Draw(t, "letters"))
		k, most, longest := net.Alphabet().Len(), rapid.IntRange(1, 400).Draw(t, "most"), rapid.IntRange(0, 12).Draw(t, "longest")
		want := slices.DeleteFunc(word.UpTo(k, most), func(w word.Word) bool { return len(w) > longest })
		q := oracle.Ask(context.Background(), net)
		set := q.Label(want)
		for _, q := range []*oracle.Inquiry{q, q.Blind()} {
			told := 0
			short := q.Short(most, longest, func(s oracle.Short) bool {
				told++
				return s.Length == told-1 && slices.Equal(s.Accept, set.Accept[:len(s.Accept)])
			})
			if !slices.Equal(short.Accept, set.Accept) || short.Length != len(want[len(want)-1]) || told != short.Length {
				t.Fatalf("%d words up to length %d, told %d times; want %d", len(short.Accept), short.Length, told, len(want))
			}
			other := random(t, k).DFA
			all := set.Mistakes(other)
			limit := rapid.IntRange(0, 10).Draw(t, "limit")
			first, wrong := short.Mistakes(other, limit)
			if wrong != len(all) || !slices.EqualFunc(first, all[:min(limit, wrong)], slices.Equal[word.Word]) {
				t.Fatalf("%d mistakes, first %v; want %v", wrong, first, all)
			}
		}
		if stopped := q.Short(most, longest, func(s oracle.Short) bool { return s.Length < 1 }); stopped.Length > 1 {
			t.Fatalf("told to stop, it went on to length %d", stopped.Length)
		}
	})
	// Of one symbol there are as many words as lengths.
	net := oracletest.Noisy{DFA: automaton.NewDFA(word.Letters("a"), 1), Dims: 2}
	if short := oracle.Ask(t.Context(), net).Short(20_000, 100, nil); short.Length != 100 || len(short.Accept) != 101 {
		t.Errorf("%d words up to length %d", len(short.Accept), short.Length)
	}
}

// What answers say of an automaton, against plain loops.
func TestAgreement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net, d := random(t, 2), random(t, 2).DFA
		q := oracle.Ask(context.Background(), net)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "words"), 1))
		words := sample.UniformWords(rapid.IntRange(0, 30).Draw(t, "n"), 2, 0, 8, rng)
		half := len(words) / 2
		paths := q.LabelPaths(words[:half])
		paths.Add(q.LabelPaths(words[half:]))
		set := q.Label(words)
		if whole := paths.Whole(); !slices.Equal(whole.Accept, set.Accept) || len(whole.Words) != len(words) {
			t.Fatalf("whole words have the answers %v, want %v", whole.Accept, set.Accept)
		}

		accepted := 0
		var wrong, wrongPrefixes, shortest []word.Word
		prefixes := 0
		for _, w := range words {
			answer := func(v word.Word) bool { return net.DFA.Accepts(v) != net.Errs(len(v)) }
			if answer(w) {
				accepted++
			}
			if d.Accepts(w) != answer(w) {
				wrong = append(wrong, w)
			}
			first := true
			for n := range len(w) + 1 {
				prefixes++
				if d.Accepts(w[:n]) != answer(w[:n]) {
					wrongPrefixes = append(wrongPrefixes, w[:n])
					if first {
						shortest, first = append(shortest, w[:n]), false
					}
				}
			}
		}
		equal := func(a, b []word.Word) bool { return slices.EqualFunc(a, b, slices.Equal[word.Word]) }
		if set.Accepted() != accepted || set.Agree(d) != len(words)-len(wrong) || !equal(set.Mistakes(d), wrong) ||
			set.Error(d) != float64(len(wrong))/float64(max(1, len(words))) {
			t.Fatalf("%d accepted, %d agree, %v are wrong; want %d accepted and %v", set.Accepted(), set.Agree(d), set.Mistakes(d), accepted, wrong)
		}
		agree, all := paths.Agree(d)
		if all != prefixes || agree != prefixes-len(wrongPrefixes) || !equal(paths.Mistakes(d), shortest) ||
			paths.Error(d) != float64(len(wrongPrefixes))/float64(max(1, prefixes)) {
			t.Fatalf("%d of %d agree, %v are wrong; want %d of %d and %v", agree, all, paths.Mistakes(d), prefixes-len(wrongPrefixes), prefixes, shortest)
		}
	})
}
