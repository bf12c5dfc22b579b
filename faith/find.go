package faith

import (
	"quotient/automaton"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// Progress says how far a search for a disagreement is.
type Progress struct {
	Stage  string `json:"stage"`  // what is looked at, in words
	Looked int    `json:"looked"` // words so far
	Length int    `json:"length"` // of the words that are looked at now
}

// Find looks for a word on which an automaton and a network disagree: first among
// all short words, then among random ones from the source that grow longer, then
// along the network's own states, if it shows them, of which it keeps at most
// o.Search. It reports whether there is one; of all that it met the shortest. It tells
// how far it is after every batch. It is an error if the inquiry ends.
func Find(q *oracle.Inquiry, d *automaton.DFA, o Options, tell func(Progress)) (word.Word, bool, error) {
	o = o.orDefaults()
	c := newChecker(q, d)
	before := 0 // words of earlier stages
	stage := func(name string) {
		c.tell = func(looked, length int) bool {
			tell(Progress{name, before + looked, length})
			return !c.found
		}
	}
	stage("all short words")
	before += c.exhaustive(o.Exhaustive).Words

	stage("random words")
	rng := sample.Rand(o.Seed, sample.Certificate)
	const batch = 500
	for high := 20; high <= 320 && !c.stop(0, high); high *= 2 {
		drawn, err := o.Source.Draw(q, batch, 0, min(high, q.Longest()), rng)
		if err != nil {
			return nil, false, err
		}
		c.compare(drawn.Words)
		before += batch
	}

	stage("words along the network's states")
	if q.ShowsStates() && !c.found {
		c.search(o.Search)
	}
	return c.shortest, c.found, q.Err()
}
