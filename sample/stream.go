// Package sample is the one home of distributions of words, and of the random numbers
// that draw them.
//
// A [Source] draws the words that extraction and its certificate are about: half of them
// uniform, the others from a language, from an automaton or from the network itself.
// [Mixed] and [Near] draw strings for training, a [Contrast] words on which two automata
// differ, and the functions of words.go those with which learners try hypotheses.
//
// Every purpose has a [Stream] of random numbers of its own, so that what one part draws
// changes nothing for the others, and the words that judge a result had no part in it.
package sample

import "math/rand/v2"

// A Stream names what random numbers are drawn for.
type Stream uint64

// All streams of the project but those of training, which package train keeps with its runs.
// Two have the same number only if no extraction draws from both. The numbers are part of
// every result: they never change.
const (
	Guide    Stream = 0  // words that the network accepts, to explore it by
	Words    Stream = 1  // the sample that is merged or learned from
	Order    Stream = 2  // a random enumeration of the prefix tree
	Judges   Stream = 3  // words that choose kappa
	Clusters Stream = 4  // the starts of k-means
	Objects  Stream = 5  // words that may object to folding, where the method is left open
	Contest  Stream = 6  // words that put methods side by side
	Data     Stream = 10 // which of the user's words are held out

	Confirming Stream = 11 // words on which a model elsewhere is compared with its weights

	Certificate Stream = 100  // words that measure agreement
	Fresh       Stream = 101  // words by which the page first judges a result
	HeldOut     Stream = 1000 // words that judge the results of sweeps

	Exploring  Stream = 7 // all that exploring draws
	Queries    Stream = 8 // words of equivalence queries
	Candidates Stream = 9 // words that judge hypotheses which a learner has outgrown
	Counting   Stream = 0 // words that judge counter automata
	RankGuide  Stream = 0 // of spectral learning, as Guide
	RankWords  Stream = 1 // words that make its basis
	RankJudges Stream = 2 // words that choose its rank
	Split      Stream = 0 // which labeled words are held out
	Levels     Stream = 1 // which labeled words choose the significance level of rpni-star
	Listing    Stream = 0 // words that are printed
)

// Rand returns the generator for a purpose.
func Rand(seed uint64, s Stream) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(s))) }
