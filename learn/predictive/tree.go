package predictive

import (
	"math"
	"math/rand/v2"
	"slices"

	"quotient/f32"
	"quotient/oracle"
	"quotient/word"
)

// A Tree is the prefix tree of words that a network speaks, with what it predicts after each
// prefix. A node stands before all that begin with its prefix, and those stand
// together.
type Tree struct {
	Alphabet *word.Alphabet
	Parent   []int32       // of each node; -1 for the root
	On       []word.Symbol // that leads to it
	Weight   []float64     // how many of the words pass it
	Next     [][]float32   // the probabilities of each symbol and, last, of the end
	Child    []int32       // nodes × symbols; -1: none
	Ends     []int         // how many of the words end there
	Cut      int           // words that were cut because they did not end
	Scout    []bool        // whether only scouts came there, and no word

	end     []int32 // where the nodes below each one end, for these stand right behind it
	symbols float64 // the sum of weights
	entropy float64 // the sum of weight times Σ p log p
}

// Len returns the number of nodes.
func (t *Tree) Len() int { return len(t.Parent) }

// Symbols returns the number of symbols of the words, their ends included: the weight of all
// nodes.
func (t *Tree) Symbols() float64 { return t.symbols }

// Word returns the prefix of a node.
func (t *Tree) Word(n int32) word.Word {
	var w word.Word
	for ; n > 0; n = t.Parent[n] {
		w = append(w, t.On[n])
	}
	for i, j := 0, len(w)-1; i < j; i, j = i+1, j-1 {
		w[i], w[j] = w[j], w[i]
	}
	return w
}

// A Spoken sample says which words a tree is of.
type Spoken struct {
	Words    int         // that are drawn
	Longest  int         // at which words are cut
	Prefixes int         // after which no more words are followed; as many again for the others
	Scouts   int         // nodes from which every symbol is tried, whether a word goes there or not
	Further  int         // symbols that a scout goes on behind the one that it tries
	Power    float64     // of the probabilities with which symbols are drawn; 0: 1
	Others   []word.Word // words that join them, and together count as much
}

// A walk is a level of the tree as it grows.
type walk struct {
	nodes  []int32
	words  []int      // how many of them pass each node; 0: a scout does
	left   []int      // symbols that a scout still goes
	states f32.Matrix // of the network, if it shows any
}

// Speak draws words as the network speaks them: each symbol, and the end, with the
// probability that it gives it. Words go down the tree together, so that the network reads
// every prefix once. Scouts go where the words do not: a symbol that is hardly ever spoken
// leads somewhere too.
func Speak(q *oracle.Inquiry, s Spoken, rng *rand.Rand) *Tree {
	t := &Tree{Alphabet: q.Alphabet()}
	level := walk{words: []int{s.Words}, left: []int{0}}
	level.nodes = []int32{t.add(-1, 0, float64(s.Words))}
	if q.ShowsStates() {
		level.states = q.Start()
	}
	scouts := s.Scouts
	for depth := 0; len(level.nodes) > 0 && q.Err() == nil; depth++ {
		t.predict(q, level)
		if q.Err() != nil {
			break
		}
		stopped := q.Stopped() != nil // then what was spoken so far must do
		g := grower{t: t, rng: rng, Spoken: s, scouts: &scouts}
		for row := range level.nodes {
			if depth < min(s.Longest, q.Longest()) && t.Len() < s.Prefixes && !stopped {
				g.grow(level, row)
			} else {
				t.Cut += level.words[row]
				t.Ends[level.nodes[row]] = level.words[row]
			}
		}
		if level = g.next; q.ShowsStates() && len(level.nodes) > 0 {
			level.states = q.StepFrom(g.from, g.rows, g.on)
		}
	}
	if len(s.Others) > 0 {
		t.join(q, s)
	}
	if q.Err() == nil {
		t.arrange()
		t.sum()
	}
	return t
}

// join adds words that others speak. They have room of their own, or else what the network speaks
// could leave them none.
func (t *Tree) join(q *oracle.Inquiry, s Spoken) {
	words, most := q.Readable(s.Others), t.Len()+s.Prefixes
	weight := float64(s.Words) / float64(len(s.Others))
	at := make([]int32, len(words)) // the node where each word is
	t.Weight[0] += weight * float64(len(words))
	for depth := 0; q.Err() == nil && t.Len() < most; depth++ {
		var level walk
		going := false
		for i, w := range words {
			if depth >= len(w) {
				continue
			}
			going = true
			from := at[i]
			if at[i] = t.Child[int(from)*t.Alphabet.Len()+int(w[depth])]; at[i] < 0 {
				at[i] = t.add(from, w[depth], 0)
				level.nodes = append(level.nodes, at[i])
			}
			t.Weight[at[i]] += weight
			t.Scout[at[i]] = false
		}
		if !going {
			return
		}
		t.predict(q.Blind(), level)
	}
}

// arrange brings the nodes from the order of their lengths into that of the tree.
func (t *Tree) arrange() {
	k := t.Alphabet.Len()
	old := &Tree{Alphabet: t.Alphabet, Parent: t.Parent, On: t.On, Weight: t.Weight, Next: t.Next, Child: t.Child, Ends: t.Ends, Scout: t.Scout}
	n := t.Len()
	t.Parent, t.On, t.Weight, t.Next, t.Child, t.Ends, t.Scout = nil, nil, nil, nil, nil, nil, nil
	number, rows := make([]int32, n), f32.New(n, k+1) // side by side, for they are read in this order
	stack := []int32{0}
	for len(stack) > 0 {
		from := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		parent := old.Parent[from]
		if parent >= 0 {
			parent = number[parent]
		}
		number[from] = t.add(parent, old.On[from], old.Weight[from])
		t.Next = append(t.Next, rows.Row(len(t.Next)))
		copy(t.Next[number[from]], old.Next[from])
		t.Ends[number[from]], t.Scout[number[from]] = old.Ends[from], old.Scout[from]
		for s := k - 1; s >= 0; s-- {
			if c := old.Child[int(from)*k+s]; c >= 0 {
				stack = append(stack, c)
			}
		}
	}
	t.close()
}

// close finds where the nodes below each one end.
func (t *Tree) close() {
	t.end = make([]int32, t.Len())
	for i := t.Len() - 1; i >= 0; i-- {
		t.end[i] = max(t.end[i], int32(i+1))
		if p := t.Parent[i]; p >= 0 {
			t.end[p] = max(t.end[p], t.end[i])
		}
	}
}

// withoutScouts returns the tree of the words alone.
func (t *Tree) withoutScouts() *Tree {
	x, number := &Tree{Alphabet: t.Alphabet, Cut: t.Cut}, make([]int32, t.Len())
	for n, parent := range t.Parent {
		if t.Scout[n] {
			continue
		}
		if n > 0 {
			parent = number[parent]
		}
		number[n] = x.add(parent, t.On[n], t.Weight[n])
		x.Next = append(x.Next, t.Next[n])
		x.Ends[number[n]] = t.Ends[n]
	}
	x.close()
	x.sum()
	return x
}

// add appends a node.
func (t *Tree) add(parent int32, on word.Symbol, weight float64) int32 {
	n, k := int32(t.Len()), t.Alphabet.Len()
	t.Parent, t.On = append(t.Parent, parent), append(t.On, on)
	t.Weight, t.Ends, t.Scout = append(t.Weight, weight), append(t.Ends, 0), append(t.Scout, false)
	for range k {
		t.Child = append(t.Child, -1)
	}
	if parent >= 0 {
		t.Child[int(parent)*k+int(on)] = n
	}
	return n
}

// predict asks for what comes next at a level. Rows of a batch bound the memory.
func (t *Tree) predict(q *oracle.Inquiry, level walk) {
	var m f32.Matrix
	if q.ShowsStates() {
		m = q.NextIn(level.states)
	} else {
		words := make([]word.Word, len(level.nodes))
		for i, n := range level.nodes {
			words[i] = t.Word(n)
		}
		m = q.Next(words)
	}
	for i := range m.Rows {
		t.Next = append(t.Next, m.Row(i))
	}
}

// sum adds up what the network itself does not know about its words.
func (t *Tree) sum() {
	t.symbols, t.entropy = total(t.Weight), 0
	for n, p := range t.Next {
		t.entropy -= t.Weight[n] * Entropy(p)
	}
}

// Entropy returns that of a distribution, in nats.
func Entropy(p []float32) float64 {
	sum := 0.0
	for _, x := range p {
		if x > 0 {
			sum -= float64(x) * math.Log(float64(x))
		}
	}
	return sum
}

// A grower makes one level of another.
type grower struct {
	Spoken
	t      *Tree
	rng    *rand.Rand
	scouts *int // that are left

	from f32.Matrix
	rows []int
	on   []word.Symbol
	next walk
}

// rare is the probability below which not even a scout goes, and share how many of the
// nodes that one word alone passes have scouts.
const (
	rare  = 1e-7
	share = 0.25
)

// grow lets the words at a node go on.
func (g *grower) grow(level walk, row int) {
	g.from = level.states
	n, t := level.nodes[row], g.t
	k := t.Alphabet.Len()
	p := t.Next[n]
	if level.words[row] == 0 {
		if s := draw(p, g.rng); level.left[row] > 0 && s < k {
			g.lead(row, n, s, 0, level.left[row]-1, t.Weight[n])
		}
		return
	}
	counts, shares := make([]int, k+1), raised(p, g.Power)
	for range level.words[row] {
		counts[draw(shares, g.rng)]++
	}
	t.Ends[n] = counts[k]
	scouted := *g.scouts > 0 && (level.words[row] > 1 || g.rng.Float64() < share)
	if scouted {
		*g.scouts--
	}
	for s, c := range counts[:k] {
		switch weight := float64(level.words[row]) * float64(shares[s]); {
		case c > 0:
			g.lead(row, n, s, c, 0, float64(c))
		case scouted && shares[s] > rare:
			g.lead(row, n, s, 0, g.Further, weight)
		}
	}
}

func (g *grower) lead(row int, n int32, s, words, left int, weight float64) {
	there := g.t.add(n, word.Symbol(s), weight)
	g.t.Scout[there] = words == 0
	g.next.nodes = append(g.next.nodes, there)
	g.next.words, g.next.left = append(g.next.words, words), append(g.next.left, left)
	g.rows, g.on = append(g.rows, row), append(g.on, word.Symbol(s))
}

// raised returns probabilities in proportion to their powers; 0 stands for 1.
func raised(p []float32, power float64) []float32 {
	if power == 0 || power == 1 {
		return p
	}
	q, most, sum := make([]float32, len(p)), float64(slices.Max(p)), float32(0)
	for i, x := range p {
		q[i] = float32(math.Exp(power * math.Log(float64(x)/most)))
		sum += q[i]
	}
	for i := range q {
		q[i] /= sum
	}
	return q
}

// draw returns an index with its probability.
func draw(p []float32, rng *rand.Rand) int {
	total := 0.0
	for _, x := range p {
		total += float64(x)
	}
	x := rng.Float64() * total
	for i, y := range p {
		if x < float64(y) {
			return i
		}
		x -= float64(y)
	}
	return len(p) - 1
}
