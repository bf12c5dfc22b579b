package faith

import (
	"context"
	"math/rand/v2"

	"quotient/automaton"
	"quotient/prefix"
	"quotient/word"
)

// Progress says how far a search for a disagreement is.
type Progress struct {
	Stage  string `json:"stage"`  // what is looked at, in words
	Looked int    `json:"looked"` // words so far
	Length int    `json:"length"` // of the words that are looked at now
}

// Find looks for a word on which an automaton and a network disagree: first among
// all short words, then among random ones from the sampler that grow longer, then
// along the network's own states, if it shows them, of which it keeps at most
// budget. It reports whether there is one; of all that it met the shortest. It tells
// how far it is after every batch, and stops with an error soon after ctx is done.
func Find(ctx context.Context, net prefix.Oracle, d *automaton.DFA, s *prefix.Sampler, budget int, rng *rand.Rand,
	tell func(Progress),
) (word.Word, bool, error) {
	c := checker{net: net, a: d, d: d}
	c.r, _ = net.(prefix.Recognizer)
	before := 0 // words of earlier stages
	stage := func(name string) {
		c.level = func(looked, length int) bool {
			tell(Progress{name, before + looked, length})
			return ctx.Err() == nil && !c.found
		}
	}
	stage("all short words")
	before += c.exhaustive(Options{}.orDefaults().Exhaustive).Words

	stage("random words")
	const batch = 500
	for high := 20; high <= 320 && !c.stop(0, high); high *= 2 {
		sample, err := s.Draw(batch, 0, high, rng)
		if err != nil {
			return nil, false, err
		}
		c.compare(sample.Words)
		before += batch
	}

	stage("words along the network's states")
	if c.r != nil && !c.found {
		c.search(budget)
	}
	return c.shortest, c.found, context.Cause(ctx)
}
