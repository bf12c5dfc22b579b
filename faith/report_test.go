package faith

import (
	"reflect"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/word"
)

// A certificate says what nothing is said of, in sentences that fit together.
func TestCertificateOfWhatIsLeftOut(t *testing.T) {
	for _, c := range []struct {
		longest int
		noEmpty bool
		want    string // how it ends
	}{
		{0, false, "of all words drawn in this way"},
		{5, false, "; nothing is said of words longer than 5, about which the network cannot be asked"},
		{0, true, "drawn in this way; nothing is said of the empty word, about which it cannot be asked"},
		{5, true, "cannot be asked; nor is anything said of the empty word, about which it cannot be asked"},
	} {
		r := &Report{Confidence: 0.99, Bound: 0.01, Longest: c.longest, NoEmpty: c.noEmpty}
		if got := r.Certificate(); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// The ranges of lengths lie side by side.
func TestByLength(t *testing.T) {
	words := []word.Word{make(word.Word, 3), make(word.Word, 5), make(word.Word, 6), make(word.Word, 25)}
	got := byLength(words, []bool{true, true, false, true}, 3, 25)
	want := []LengthCount{{3, 5, Count{2, 2}}, {6, 8, Count{1, 0}}, {9, 11, Count{}}, {12, 14, Count{}}, {15, 17, Count{}}, {18, 20, Count{}}, {21, 23, Count{}}, {24, 25, Count{1, 1}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// Where every word has its price, fewer are tried, and no wide states asked for.
func TestWithinAPrice(t *testing.T) {
	for dims, search := range map[int]int{5: 333, 4 << 20: 1} {
		net := oracletest.Random(1, 4, 0.1)
		net.Dims = dims
		o := Options{}.orDefaults().within(oracle.Ask(t.Context(), oracletest.NewElsewhere(net)))
		if o.Exhaustive != 2000 || o.Search != search || o.Words != 1000 {
			t.Errorf("states of %d: %+v", dims, o)
		}
	}
}

// What makes no sense has no bound.
func TestNoBound(t *testing.T) {
	for _, c := range []struct {
		n, m       int
		confidence float64
	}{{10, -1, 0.9}, {10, 11, 0.9}, {10, 1, 0}, {10, 1, 1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v has a bound", c)
				}
			}()
			Bound(c.n, c.m, c.confidence)
		}()
	}
}

// Copies of a word are no evidence: a bound counts each word once, and says so; and no bound is over all words.
func TestHeldWordsCountOnce(t *testing.T) {
	all := automaton.Complement(automaton.NewDFA(word.Letters("ab"), 0))
	var set oracle.Set
	for range 100 {
		set.Words, set.Accept = append(set.Words, word.Word{0}, word.Word{1, 1}), append(set.Accept, true, false)
	}
	h := CheckHeld(set, all, "words.txt")
	if h.Words != 200 || h.Agree != 100 || h.Different != 2 || h.Bound != Bound(2, 1, h.Confidence) {
		t.Errorf("%+v", h)
	}
	rep := &Report{Held: h, Confidence: h.Confidence, Bound: 1}
	for _, part := range []string{"fewer than 100% of all words drawn", "words such as those of words.txt, each counted once: 2 different ones say so"} {
		if !strings.Contains(rep.Certificate(), part) {
			t.Errorf("not said: %s: %s", part, rep.Certificate())
		}
	}
}

// A bound is never said to be lower than it is.
func TestBoundIsRoundedUp(t *testing.T) {
	for bound, want := range map[float64]string{
		0.004594: "0.46%", 0.00461: "0.47%", 0.4005: "41%", 0.342: "35%", 0.05: "5%", 0.0337: "3.4%", 0.989: "99%", 0.991: "100%", 1: "100%", 1e-7: "1e-05%",
	} {
		if got := percent(bound); got != want {
			t.Errorf("%v is written as %s, want %s", bound, got, want)
		}
	}
}
