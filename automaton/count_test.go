package automaton

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"quotient/word"
)

func TestCountAndWordsAgainstAllWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDFA(t, ab, "d")
		var want []word.Word
		byLength := make([]int64, 8)
		allWords(2, 7, func(w word.Word) {
			if d.Accepts(w) {
				want = append(want, slices.Clone(w))
				byLength[len(w)]++
			}
		})
		for n, c := range byLength {
			if got := d.Count(n); got.Cmp(big.NewInt(c)) != 0 {
				t.Fatalf("Count(%d) = %v, want %d", n, got, c)
			}
		}
		var got []word.Word
		for w := range d.Words() {
			if len(w) > 7 {
				break
			}
			got = append(got, w)
		}
		if !slices.EqualFunc(got, want, slices.Equal[word.Word]) {
			t.Fatalf("Words() yields %v, want %v", got, want)
		}
	})
}

// Words far apart, of which the sets of states repeat only after many lengths.
func TestWordsOfALongCycle(t *testing.T) {
	n := 0
	for w := range unaryCycle(2000).Words() {
		if len(w) != 2000*n {
			t.Fatalf("word %d has length %d", n, len(w))
		}
		if n++; n == 5 {
			break
		}
	}
	if n != 5 {
		t.Errorf("%d words, want 5", n)
	}
}

func TestCountLong(t *testing.T) {
	want := new(big.Int).Lsh(big.NewInt(1), 4999) // half of all words of length 5000
	if got := evenAs().Count(5000); got.Cmp(want) != 0 {
		t.Errorf("Count(5000) is wrong: %d bits, want %d", got.BitLen(), want.BitLen())
	}
}

func TestSamplerIsUniform(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	d := randomDFA(r, ab, 6, 0.2)
	const n, draws = 6, 200_000
	s, err := NewSampler(d, n)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	w := make(word.Word, n)
	for range draws {
		if !s.Draw(w, r) || !d.Accepts(w) {
			t.Fatalf("drew %v", w)
		}
		seen[fmt.Sprint(w)]++
	}
	words := int(s.Count(n).Int64())
	if words < 10 || len(seen) != words {
		t.Fatalf("%d words drawn of %d", len(seen), words)
	}
	expected := float64(draws) / float64(words)
	for w, c := range seen {
		if math.Abs(float64(c)-expected) > 5*math.Sqrt(expected) {
			t.Errorf("%s drawn %d times, expected about %.0f", w, c, expected)
		}
	}
}

// A source that hits the cuts exactly must still draw every word equally often:
// the exact comparison decides with fresh random bits.
func TestSamplerOnTheCut(t *testing.T) {
	a := word.Letters("abc")
	d := NewDFA(a, 1)
	d.Accept[1] = true
	for s := range a.Len() {
		d.SetNext(1, word.Symbol(s), 1)
	}
	s, err := NewSampler(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	third := uint64(math.MaxUint64 / 3) // 2⁶⁴/3 = third + 1/3
	counts := [3]int{}
	for range 30_000 {
		counts[s.pickExactly(1, 1, third, r)]++
	}
	// Given that u = third, the point lies below 2⁶⁴/3 with probability 1/3.
	if c := counts[0]; c < 9_500 || c > 10_500 || counts[2] != 0 {
		t.Errorf("counts %v, want about a third and two thirds", counts)
	}
}

func TestSamplerLong(t *testing.T) {
	d := evenAs()
	s, err := NewSampler(d, 2000)
	if err != nil {
		t.Fatal(err)
	}
	w := make(word.Word, 2000)
	r := rand.New(rand.NewPCG(1, 1))
	as := 0
	for range 200 {
		if !s.Draw(w, r) || !d.Accepts(w) {
			t.Fatal("a word outside the language was drawn")
		}
		for _, x := range w {
			if x == 0 {
				as++
			}
		}
	}
	if share := float64(as) / (200 * 2000); math.Abs(share-0.5) > 0.01 {
		t.Errorf("share of a's is %.3f, want a half", share)
	}
}

// One sampler serves several goroutines, each with its own random numbers.
func TestSamplerIsShared(t *testing.T) {
	s, err := NewSampler(evenAs(), 50)
	if err != nil {
		t.Fatal(err)
	}
	draw := func(seed uint64) word.Word {
		w := make(word.Word, 50)
		s.Draw(w, rand.New(rand.NewPCG(seed, 0)))
		return w
	}
	words := make([]word.Word, 8)
	var wg sync.WaitGroup
	for i := range words {
		wg.Go(func() { words[i] = draw(uint64(i)) })
	}
	wg.Wait()
	for i, w := range words {
		if !slices.Equal(w, draw(uint64(i))) {
			t.Errorf("word %d depends on the others", i)
		}
	}
}

func TestSamplerEmptyLength(t *testing.T) {
	d := NewDFA(ab, 2) // (ab)*
	d.Accept[1] = true
	d.SetNext(1, 0, 2)
	d.SetNext(2, 1, 1)
	s, err := NewSampler(d, 100)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	if s.Draw(make(word.Word, 7), r) {
		t.Error("(ab)* has no word of length 7")
	}
	w := make(word.Word, 100)
	if !s.Draw(w, r) || !d.Accepts(w) {
		t.Error("(ab)* has a word of length 100")
	}
}

func TestSamplerMemoryLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	if _, err := NewSampler(randomDFA(r, ab, 100_000, 0), 10_000); err == nil {
		t.Error("a sampler of many gigabytes was made")
	}
}
