// Package extract turns a network into an automaton: every method behind one
// function, [Run], with one kind of result.
//
// [Methods] is the one table of methods. Whatever there is to know of a method stands in
// its row: what it needs, which settings it reads, and what it does. Help texts,
// completions, the page's list, the keys of sweeps and the tests over all methods are made
// from it, and so a method is added by one value.
package extract

import (
	"fmt"
	"slices"
	"strings"

	"quotient/merge"
	"quotient/oracle"
)

// A Method is a way to extract an automaton.
type Method struct {
	Name     string
	Kind     Kind
	Doc      string   // what it does, in words that go on from its name
	Uses     []string // the settings that mean something to it, by their names in [Settings]; all use the seed, data and budget
	Defaults Options  // of those settings, where they are others than the general ones
	Run      func(q *oracle.Inquiry, o Options) (*Result, error)
}

// A Kind says what a method looks at.
type Kind string

const (
	Follows Kind = "follows states"     // it follows the network's states wherever words lead
	Merges  Kind = "merges states"      // it merges the states of a sample's prefix tree
	Asks    Kind = "asks for answers"   // it needs no states
	Counts  Kind = "looks for counters" // it follows states and finds what is no finite automaton
	Chooses Kind = "chooses"            // it is any of the others, whichever suits the network
)

// NeedsStates reports whether the method is for networks that show theirs.
func (m *Method) NeedsStates() bool { return m.Kind != Asks && m.Kind != Chooses }

// Reads reports whether a setting means something to the method.
func (m *Method) Reads(setting string) bool {
	return setting == "seed" || setting == "data" || setting == "budget" || slices.Contains(m.Uses, setting)
}

// Names of methods that the program itself refers to.
const (
	Best     = "auto" // whichever suits the network
	Fold     = string(merge.Fold)
	Union    = string(merge.Union)
	Keep     = string(merge.Keep)
	KMeans   = "kmeans"
	Explore  = "explore"
	TTT      = "ttt"
	LStar    = "lstar"
	EDSM     = "edsm"
	RPNI     = "rpni"
	RPNIStar = "rpni-star"
	Spectral = "spectral"
	Counter  = "counter"
)

var (
	ofSample = []string{"strings", "length", "words-from"}
	ofMerge  = append([]string{"kappa", "order", "limit"}, ofSample...)
	ofSearch = []string{"lengths", "max-states", "time"}
	ofFound  = []string{"work", "states", "error", "pursue"}
	released = Options{Order: merge.Released}
	manyMore = Options{Strings: 1000, Length: 15}
)

var (
	// Methods are all there are, but for the choice among them.
	Methods []Method

	// Auto is the method that chooses among the others, and the default.
	Auto Method
)

func init() { // rows refer to functions that look the table up
	Auto = Method{
		Name: Best, Kind: Chooses, Uses: slices.Concat([]string{"kappa", "limit", "words-from"}, ofFound, ofSearch), Run: choosing,
		Doc: "fold for alphabets of at most two symbols, if fresh words agree with its automaton, and explore otherwise; ttt for a network " +
			"that shows no states, or elsewhere and very wide ones. With words-from it is fold, or ttt. The output says which, and why",
	}
	Methods = []Method{
		{
			Name: Fold, Kind: Merges, Uses: ofMerge, Run: merging,
			Doc: "merges are carried down until the automaton is deterministic, and undone if two answers clash: every prefix in the sample keeps its answer",
		},
		{
			Name: Union, Kind: Merges, Uses: ofMerge, Defaults: released, Run: merging,
			Doc: "the paper's text: transitions are united, then determinized",
		},
		{
			Name: Keep, Kind: Merges, Uses: ofMerge, Defaults: released, Run: merging,
			Doc: "the paper's code: of two conflicting transitions one is kept",
		},
		{
			Name: KMeans, Kind: Merges, Uses: append([]string{"clusters"}, ofSample...), Run: merging,
			Doc: "the paper's baseline: clusters of states",
		},
		{
			Name: Explore, Kind: Follows, Uses: slices.Concat([]string{"kappa"}, ofFound, ofSearch), Run: exploring,
			Doc: "the network's states are followed from the empty word by every symbol, and grouped by evidence: answers after more symbols. " +
				"Words on which network and automaton disagree split groups, and states are merged again where held-out words object " +
				"to none of it: words of the lengths 0-30, uniform ones, such as the automaton accepts and rejects, and such as the network " +
				"gives its rare answer, if it has one. Of automata that these cannot tell apart, the smallest is taken; the settings states and error take another. " +
				"Words where the network departs from it are listed; the setting pursue spends states on them. The settings max-states, work and time bound the search",
		},
		{
			Name: LStar, Kind: Asks, Uses: append([]string{"equivalence", "words-from", "work"}, ofSearch...), Run: askActively,
			Doc: "as ttt, which follows, with a table in place of a tree; it asks for more words",
		},
		{
			Name: TTT, Kind: Asks, Uses: append([]string{"equivalence", "words-from", "work"}, ofSearch...), Run: askActively,
			Doc: "words are asked for one after the other, and each hypothesis is tested until no word of difference is found; " +
				"the setting equivalence says where to look. The settings lengths, max-states and time bound that",
		},
		{
			Name: RPNI, Kind: Asks, Uses: ofSample, Defaults: manyMore, Run: learnFromWords,
			Doc: "as edsm, which follows, but the first merge that is possible is made",
		},
		{
			Name: EDSM, Kind: Asks, Uses: ofSample, Defaults: manyMore, Run: learnFromWords,
			Doc: "a sample of words is labeled by the network, and their prefix tree is merged by the labels; the merge for which most labels speak comes first",
		},
		{
			Name: RPNIStar, Kind: Asks, Uses: ofSample, Defaults: manyMore, Run: learnFromWords,
			Doc: "as rpni, but some labels may be wrong",
		},
		{
			Name: Spectral, Kind: Asks, Uses: []string{"rank"}, Run: learnSpectrum,
			Doc: "a weighted automaton from the network's probabilities, and from that a finite one, if there is one",
		},
		{
			Name: Counter, Kind: Counts, Run: findCounter,
			Doc: "a counter is looked for in a linear projection of the state, and what it does not explain is merged. The answer is an " +
				"automaton with a counter",
		},
	}
}

// Names returns the names of all methods, the default first.
func Names() []string {
	names := []string{Auto.Name}
	for _, m := range Methods {
		names = append(names, m.Name)
	}
	return names
}

// Find returns a method by its name.
func Find(name string) (*Method, error) {
	if name == Auto.Name {
		return &Auto, nil
	}
	for i := range Methods {
		if Methods[i].Name == name {
			return &Methods[i], nil
		}
	}
	return nil, fmt.Errorf("no method is called %q; there are %s", name, strings.Join(Names(), ", "))
}

// Using returns the names of the methods to which a setting means something.
func Using(setting string) []string {
	var names []string
	for _, name := range Names() {
		if m, _ := Find(name); m.Reads(setting) {
			names = append(names, name)
		}
	}
	return names
}

// Estimate returns about how many words a method asks a network about that has so many symbols,
// if it is easy to learn and there is no budget.
func Estimate(o Options, symbols int, states bool) int {
	o = o.Normal()
	name := o.Method
	switch {
	case name != Best:
	case !states || o.Budget > 0 && o.Budget < following:
		name = TTT
	case symbols > few:
		name = Explore
	default:
		name = Fold
	}
	short := 0
	if o.Method == Best && name == Fold { // which short words judge, and fresh ones
		short = shortWords + 4000
	}
	o.Method = name
	o = o.Normal()
	switch m, _ := Find(name); {
	case name == TTT || name == LStar: // all short words, and one round of every search for words of difference
		return 4000 + min(16*symbols*symbols, 16_384)
	case name == Spectral:
		return 100_000
	case m != nil && m.Kind == Asks:
		return o.Strings
	case m != nil && m.Kind == Merges: // the sample's prefixes, and those of the words that choose kappa
		return short + o.Strings*o.Length/2 + judgeWords*judgeLength*o.Length/2
	}
	return 100_000 // those that follow states
}
