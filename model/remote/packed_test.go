//go:build unix

package remote

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"quotient/f32"
	"quotient/word"
)

// A packer is a teller that packs its numbers.
type packer struct {
	teller
	asked []bool // whether each request wanted it
}

func (l *packer) exchange(ctx context.Context, message []byte, limit int) ([]byte, error) {
	var r request
	if err := json.Unmarshal(message, &r); err != nil {
		return nil, err
	}
	l.asked = append(l.asked, r.Packed)
	reply := truth(r)
	for key, value := range reply {
		switch list := value.(type) {
		case []float64:
			reply[key] = pack(list)
		case [][]float64:
			reply[key] = pack(list...)
		}
	}
	return json.Marshal(reply)
}

func pack(rows ...[]float64) string {
	var b []byte
	for _, x := range slices.Concat(rows...) {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
	}
	return base64.StdEncoding.EncodeToString(b)
}

// Packed numbers are those that lists would have been.
func TestPacked(t *testing.T) {
	l := &packer{teller: teller{greeting: `{"quotient": 1, "symbols": ["a", "b"], "states": true, "dim": 2, "packed": true}`}}
	c, err := open(t.Context(), l, Options{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	plain := told(t, &teller{}, Options{})
	for _, w := range letters {
		for _, one := range []*Client{c, plain} {
			got := f32.New(1, 1)
			if err := one.Answer(t.Context(), got, []word.Word{w}); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := c.known[w.Key()], plain.known[w.Key()]; a.answer[0] != b.answer[0] {
			t.Errorf("%v: %v packed, %v plain", w, a, b)
		}
	}
	states := f32.New(2, 2)
	for i, one := range []*Client{c, plain} {
		r, _ := one.Stepper()
		if err := r.Start(states.Row(i)); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := states.Row(0), states.Row(1); a[0] != b[0] || a[1] != b[1] || a[0] == 0 {
		t.Errorf("states %v packed, %v plain", a, b)
	}
	for i, wanted := range l.asked {
		if !wanted {
			t.Errorf("request %d does not ask for packed numbers", i)
		}
	}
}

// What is packed wrongly is an error that says so.
func TestPackedWrongly(t *testing.T) {
	hello := []byte(`{"quotient": 1, "symbols": ["a"], "states": true, "dim": 2, "packed": true}`)
	for _, c := range []struct{ answer, want string }{
		{`{"id": 1, "probabilities": "AACAPw=="}`, "0 states for 1 words"},
		{`{"id": 1, "probabilities": "AACAPw", "states": ""}`, "no answer"},
		{`{"id": 1, "probabilities": "AACAPwA=", "states": ""}`, "5 bytes, and 4 were expected"},
		{`{"id": 1, "probabilities": "AACAPw==", "states": "AACAPw=="}`, "4 bytes, and 8 were expected"},
		{`{"id": 1, "probabilities": "AACAPwAAgD8=", "states": ""}`, "2 probabilities for 1 words"},
		{`{"id": 1, "probabilities": "AADAfw==", "states": "AACAPwAAgD8="}`, "the probability NaN"},
		{`{"id": 1, "probabilities": "AACAPw==", "states": "AACAPwAAwH8="}`, "a state with the number NaN"},
		{`{"id": 1, "probabilities": "AACAPw==", "states": "AACAfwAAgD8="}`, "a state with the number +Inf"},
	} {
		client := newClient(t.Context(), parrot{hello, []byte(c.answer)}, Options{}.withDefaults())
		if err := client.greeted(hello); err != nil {
			t.Fatal(err)
		}
		r, _ := client.Stepper()
		if err := r.Start(make([]float32, 2)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.answer, err, c.want)
		}
	}
}

// A request of a few words, which takes as long as asking takes, does not make the next ones small again;
// one that takes long does.
func TestBatchesGrow(t *testing.T) {
	many := make([]word.Word, 2000)
	for i := range many {
		many[i] = make(word.Word, 9)
	}
	p := pace{most: 1024}
	for _, c := range []struct {
		words int
		took  time.Duration
		next  int
	}{
		{4, time.Millisecond, 8},
		{8, time.Millisecond, 16},
		{400, 10 * time.Millisecond, 800},
		{1, 5 * time.Millisecond, 800},
		{800, 10 * time.Millisecond, 1024},
		{1000, 2 * time.Second, 500},
	} {
		p.took(many[:c.words], c.took, time.Second)
		if got := p.batch(many); got != c.next {
			t.Errorf("after %d words in %v, %d are asked about, want %d", c.words, c.took, got, c.next)
		}
	}
}
