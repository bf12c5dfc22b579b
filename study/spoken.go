package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"quotient/automaton"
	"quotient/extract"
	"quotient/internal/text"
	"quotient/learn/predictive"
	"quotient/model"
	"quotient/oracle"
	"quotient/probabilistic"
	"quotient/sample"
	"quotient/weighted"
	"quotient/word"
)

// A Spoken study is everything that is known after an extraction from a language model.
type Spoken struct {
	Model       string                   `json:"model"`
	Network     string                   `json:"network"`
	Reading     string                   `json:"reading"`
	Notes       []string                 `json:"notes,omitempty"`
	Method      string                   `json:"method"`
	Seed        uint64                   `json:"seed"`
	States      int                      `json:"states"`
	Why         string                   `json:"why"`      // this size was chosen
	Words       int                      `json:"words"`    // that the network spoke for the extraction
	Prefixes    int                      `json:"prefixes"` // of them, after which it was asked what comes next
	Tradeoff    []predictive.Point       `json:"tradeoff"` // divergence against states
	Certificate *Closeness               `json:"certificate"`
	Data        *Surprise                `json:"data,omitempty"`
	Target      *Aim                     `json:"target,omitempty"`
	Weighted    *Weighted                `json:"weighted,omitempty"`
	Interrupted bool                     `json:"interrupted,omitempty"` // the user did not wait for the end
	Warnings    []string                 `json:"warnings,omitempty"`
	Asked       int                      `json:"asked,omitempty"` // prefixes that the network was asked about, where these have a price or a budget
	Seconds     float64                  `json:"seconds"`
	Automaton   *probabilistic.Automaton `json:"automaton"`
}

// Closeness says how far a network and an automaton predict alike, on fresh words that the
// network speaks.
type Closeness struct {
	Words      int     `json:"words"`
	Symbols    int     `json:"symbols"`    // of them, their ends included
	Divergence float64 `json:"divergence"` // of Kullback and Leibler, of the network from the automaton, in nats a symbol
	Bound      float64 `json:"bound"`      // that it does not exceed with a confidence of 95%, by the bootstrap over words
	Floor      float64 `json:"floor"`      // about what as many states would leave if they were chosen anew after every prefix
	Entropy    float64 `json:"entropy"`    // of the network, in nats a symbol
	Top        float64 `json:"top"`        // the share of prefixes after which both find the same symbol, or the end, likeliest

	// Squared is the measure of TAYSIR: the mean squared difference of the words'
	// probabilities, as the network itself gives them.
	Squared float64 `json:"squared_error"`

	Parting []Parting `json:"parting"`     // prefixes that contribute most to the divergence
	Apart   []Apart   `json:"words_apart"` // words whose probabilities differ most, by their logarithms
}

// A Parting is a prefix after which network and automaton predict differently.
type Parting struct {
	Prefix     string  `json:"prefix"`
	Share      float64 `json:"share"`      // of the words begin with it
	Divergence float64 `json:"divergence"` // after it, in nats
	Network    Guess   `json:"network"`
	Automaton  Guess   `json:"automaton"`
}

// A Guess is what somebody finds likeliest.
type Guess struct {
	Symbol      *string `json:"symbol"` // nil: the end
	Probability float64 `json:"probability"`
}

// Apart is a word with both probabilities.
type Apart struct {
	Word      string  `json:"word"`
	Network   float64 `json:"network"`
	Automaton float64 `json:"automaton"`
}

// Surprise says how well both predict words of the user's.
type Surprise struct {
	File      string   `json:"file"`
	Words     int      `json:"words"`              // in the file
	LeftOut   int      `json:"left_out"`           // with symbols that the network does not have
	HeldOut   int      `json:"held_out"`           // on which this is measured
	Network   *float64 `json:"network_perplexity"` // nil if it gives all of them probability zero
	Automaton *float64 `json:"automaton_perplexity"`
	Zero      int      `json:"zero"` // words that the automaton, or the network, gives probability zero, and that are left out of its perplexity
	Squared   float64  `json:"squared_error"`
}

// An Aim is a probabilistic automaton that the network was to become.
type Aim struct {
	Divergence         // of what was extracted, from it
	Network    float64 `json:"network"` // the divergence of the network from it, on the words of the certificate, in nats a symbol
}

func (a *Aim) String() string {
	return fmt.Sprintf("%s; the network's divergence from the target, on words that it speaks, is %.4f nats a symbol", a.Divergence.String(), a.Network)
}

// A Weighted automaton is what the method spectral has found first. Its values are the
// probabilities of prefixes.
type Weighted struct {
	Rank       int                 `json:"rank"`
	Divergence float64             `json:"divergence"` // of the network from what it predicts, in nats a symbol, on held-out words
	Automaton  *weighted.Automaton `json:"automaton"`
}

// Predict extracts a probabilistic automaton from a language model, and finds out how far the
// two predict alike. Target, if not nil, is what both are compared with. If something goes wrong
// when there is an automaton, the study has it, and the error.
func Predict(ctx context.Context, m *model.Model, o Options, target *probabilistic.Automaton) (*Spoken, error) {
	begin := time.Now()
	ctx, cancel := o.hurry(ctx)
	defer cancel()
	q := oracle.Predict(ctx, m.Net)
	if o.Budget > 0 {
		q.Limit(o.Budget)
	}
	var data *extract.Data
	if o.Data != "" {
		var err error
		if data, err = extract.ReadData(o.Options, q.Alphabet(), nil); err != nil {
			return nil, err
		}
	}
	res, err := speakAbout(q, o, data)
	if err != nil {
		if o.stopped() {
			err = ErrInterrupted
		}
		return nil, err
	}
	p := &Spoken{
		Model: m.Name, Network: m.String(), Reading: m.Reading(), Notes: m.Notes, Method: res.Method, Seed: o.Seed,
		States: res.Automaton.Len(), Why: res.Why, Words: res.Words, Prefixes: res.Prefixes, Tradeoff: res.Tradeoff,
		Warnings: slices.Concat(res.Warnings, m.Remarks()), Automaton: res.Automaton,
	}
	if res.Linear != nil {
		p.Weighted = &Weighted{res.Linear.Len(), res.LinearDivergence, res.Linear}
	}
	err = p.certify(ctx, q, judged{m, o, data, target})
	if p.Interrupted = o.stopped(); q.Metered() || o.Budget > 0 {
		p.Asked = q.Asked()
	}
	p.Seconds = time.Since(begin).Seconds()
	if errors.Is(err, errLate) { // which is no fault of anybody's
		p.Warnings = append(p.Warnings, err.Error())
		err = nil
	}
	return p, err
}

// speakAbout extracts. It may ask for a share of a budget.
func speakAbout(q *oracle.Inquiry, o Options, data *extract.Data) (*predictive.Result, error) {
	if o.Stop != nil {
		q = q.Until(o.Stop)
	}
	method := o.Method
	if method == extract.Best {
		method = ""
	}
	return predictive.Run(q, predictive.Options{
		Method: method, Data: data.Lead(), Seed: o.Seed, States: o.States, Error: o.Error, Tell: o.Tell,
		Budget: int(learning * float64(o.Budget)),
	})
}

// judged is what an automaton is judged with.
type judged struct {
	m      *model.Model
	o      Options
	data   *extract.Data
	target *probabilistic.Automaton
}

// certify finds out how far network and automaton predict alike.
func (p *Spoken) certify(ctx context.Context, q *oracle.Inquiry, j judged) error {
	own, err := j.m.Own()
	if err != nil {
		return err
	}
	var whole *oracle.Inquiry
	if own != j.m.Net {
		whole = oracle.Predict(ctx, own)
	}
	sizes := predictive.Spoken{Words: certified, Longest: mostLonger, Prefixes: 200_000}
	if j.o.stopped() {
		sizes.Words = hurried
	}
	if j.o.Budget > 0 {
		sizes.Prefixes = max(1, int((1-learning)*float64(j.o.Budget)/2))
		sizes.Words = min(sizes.Words, max(1, sizes.Prefixes/20))
	}
	rng := sample.Rand(j.o.Seed, sample.Certificate)
	t := predictive.Speak(q, sizes, rng)
	if err := q.Err(); err != nil {
		return err
	}
	if p.Certificate, err = compareWith(t, whole, p.Automaton, rng); err != nil {
		return err
	}
	if j.target != nil {
		if err := p.aim(t, j.o.Target, j.target); err != nil {
			return err
		}
	}
	if j.data != nil {
		return p.read(q, whole, j.data)
	}
	return nil
}

// aim compares with a target.
func (p *Spoken) aim(t *predictive.Tree, name string, target *probabilistic.Automaton) error {
	d, err := divergeFrom(name, target, p.Automaton)
	if err != nil {
		return err
	}
	common, err := p.Automaton.Alphabet.Union(target.Alphabet)
	if err != nil {
		return err
	}
	if common.Len() != p.Automaton.Alphabet.Len() {
		return fmt.Errorf("%s: it has symbols that the network does not have", name)
	}
	wide, err := target.WithAlphabet(common)
	if err != nil {
		return err
	}
	x := newReading(t, wide)
	p.Target = &Aim{Divergence: *d}
	for n, kl := range x.kl {
		p.Target.Network += t.Weight[n] * kl / t.Symbols()
	}
	return nil
}

// Sizes of the certificate.
const (
	certified  = 3000 // words
	hurried    = 300  // if the user does not wait
	resamples  = 1000
	squaredOf  = 500 // words whose probabilities are compared
	mostLonger = 400 // symbols after which a word is cut
	fewParting = 5
)

// compareWith compares a network with an automaton on the tree of fresh words that it speaks.
// whole is the network with its own probabilities, nil if the tree has these.
func compareWith(t *predictive.Tree, whole *oracle.Inquiry, a *probabilistic.Automaton, rng *rand.Rand) (*Closeness, error) {
	x := newReading(t, a)
	c := &Closeness{Words: int(t.Weight[0]), Symbols: int(t.Symbols()), Parting: x.parting(), Top: x.top}
	for n, p := range t.Next {
		c.Entropy += t.Weight[n] * predictive.Entropy(p) / t.Symbols()
		c.Divergence += t.Weight[n] * x.kl[n] / t.Symbols()
	}
	var words []word.Word
	var net, loss, symbols []float64
	for n, ends := range t.Ends {
		if end := t.Next[n][t.Alphabet.Len()]; ends > 0 && len(words) < squaredOf {
			words, net = append(words, t.Word(int32(n))), append(net, x.said[n]+math.Log(float64(end)))
		}
		for range ends {
			loss, symbols = append(loss, x.path[n]), append(symbols, x.depth[n])
		}
	}
	means := make([]float64, resamples)
	for i := range means {
		sum, count := 0.0, 0.0
		for range loss {
			j := rng.IntN(len(loss))
			sum, count = sum+loss[j], count+symbols[j]
		}
		means[i] = sum / count
	}
	slices.Sort(means)
	c.Bound = means[resamples*95/100]
	c.Floor = predictive.Floor(t, a)
	c.Apart = apart(words, net, a)
	if whole == nil {
		c.Squared = squaredError(words, net, a)
		return c, nil
	}
	c.Squared = squaredError(words, whole.LogProbabilities(words), a)
	return c, whole.Err()
}

// A reading is what network and automaton say of the prefixes of some words.
type reading struct {
	t     *predictive.Tree
	a     *probabilistic.Automaton
	at    []automaton.State
	kl    []float64 // after each prefix
	path  []float64 // after it and those before it together
	depth []float64 // and how many these are
	said  []float64 // the logarithm of the probability that the network gives the prefix
	top   float64
}

func newReading(t *predictive.Tree, a *probabilistic.Automaton) *reading {
	n := t.Len()
	x := &reading{t: t, a: a, at: make([]automaton.State, n), kl: make([]float64, n), path: make([]float64, n), depth: make([]float64, n), said: make([]float64, n)}
	for i := range x.at {
		x.at[i] = a.Start
		if p := t.Parent[i]; p >= 0 {
			x.at[i] = a.Next(x.at[p], t.On[i])
			x.path[i], x.depth[i] = x.path[p], x.depth[p]
			x.said[i] = x.said[p] + math.Log(float64(t.Next[p][t.On[i]]))
		}
		ours := x.ours(i)
		for j, y := range t.Next[i] {
			if y > 0 {
				x.kl[i] += float64(y) * math.Log(float64(y)/max(ours[j], least))
			}
		}
		x.path[i] += x.kl[i]
		x.depth[i]++
		if likeliest(ours) == likeliest(t.Next[i]) {
			x.top += t.Weight[i] / t.Symbols()
		}
	}
	return x
}

// least is what the automaton's probabilities count as at least, so that a prefix that it has
// never met costs much and not everything.
const least = 1e-12

func (x *reading) ours(n int) []float64 {
	d := make([]float64, x.a.Alphabet.Len()+1)
	x.a.Distribution(d, x.at[n])
	return d
}

func likeliest[T float32 | float64](p []T) int {
	best := 0
	for i, y := range p {
		if y > p[best] {
			best = i
		}
	}
	return best
}

// parting returns the prefixes that contribute most to the divergence.
func (x *reading) parting() []Parting {
	order := make([]int, x.t.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x.t.Weight[b]*x.kl[b], x.t.Weight[a]*x.kl[a]) })
	list := []Parting{}
	for _, n := range order[:min(fewParting, len(order))] {
		ours := x.ours(n)
		list = append(list, Parting{
			Prefix: x.a.Alphabet.Format(x.t.Word(int32(n))), Share: x.t.Weight[n] / x.t.Weight[0], Divergence: x.kl[n],
			Network: guess(x.a.Alphabet, x.t.Next[n]), Automaton: guess(x.a.Alphabet, ours),
		})
	}
	return list
}

func guess[T float32 | float64](a *word.Alphabet, p []T) Guess {
	i := likeliest(p)
	g := Guess{Probability: float64(p[i])}
	if i < a.Len() {
		name := a.Name(word.Symbol(i))
		g.Symbol = &name
	}
	return g
}

func (g Guess) String() string {
	if g.Symbol == nil {
		return "the end " + text.Share(g.Probability)
	}
	return word.QuoteName(*g.Symbol) + " " + text.Share(g.Probability)
}

// apart returns the words whose probabilities differ most.
func apart(words []word.Word, net []float64, a *probabilistic.Automaton) []Apart {
	order := make([]int, len(words))
	far := make([]float64, len(words))
	for i, w := range words {
		order[i], far[i] = i, math.Abs(net[i]-max(a.LogProb(w), -700))
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(far[j], far[i]) })
	list := []Apart{}
	for _, i := range order[:min(fewParting, len(order))] {
		list = append(list, Apart{a.Alphabet.Format(words[i]), math.Exp(net[i]), a.Probability(words[i])})
	}
	return list
}

func squaredError(words []word.Word, net []float64, a *probabilistic.Automaton) float64 {
	sum := 0.0
	for i, w := range words {
		d := math.Exp(net[i]) - a.Probability(w)
		sum += d * d / float64(len(words))
	}
	return sum
}

// read measures both on words of the user's.
func (p *Spoken) read(q, whole *oracle.Inquiry, d *extract.Data) error {
	words := within(q.Readable(d.Held.Words), q.Left())
	s := &Surprise{File: d.File, Words: d.Words, LeftOut: d.LeftOut, HeldOut: len(words)}
	net := q.LogProbabilities(words)
	if err := q.Err(); err != nil {
		return err
	}
	ours, theirs := p.Automaton.Fit(words), probabilistic.Fit{First: -1}
	for i, w := range words {
		theirs.Add(len(w), net[i])
	}
	s.Network, s.Automaton, s.Zero = known(theirs.PerplexityOfRest()), known(ours.PerplexityOfRest()), max(ours.Zero, theirs.Zero)
	own := net
	if whole != nil {
		own = whole.LogProbabilities(words)
	}
	s.Squared = squaredError(words, own, p.Automaton)
	p.Warnings = append(p.Warnings, d.Warnings...)
	if s.Zero > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("of the held-out words of %s the automaton gives %d probability zero, and the network %d; they are left out of the perplexities", d.File, ours.Zero, theirs.Zero))
	}
	p.Data = s
	if whole != nil {
		return whole.Err()
	}
	return nil
}

// known returns a number, or nil if it is none.
func known(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// within returns as many of the words as have so many prefixes in all.
func within(words []word.Word, prefixes int) []word.Word {
	for i, w := range words {
		if prefixes -= len(w) + 1; prefixes < 0 {
			return words[:i]
		}
	}
	return words
}
