// Package sweep runs grids of experiments: languages × cells × sizes × epochs ×
// samples × methods × seeds, on one machine or on many.
//
// A sweep is a file; see [Read] for what it may say. It stands for a list of tasks,
// each either a network to train or an automaton to extract from one. Training is
// shared by all extractions from the same network. The engine is NATS JetStream both
// ways: [Embedded] is a server inside the program, without any port, and [Connect]
// speaks to one elsewhere. On it are
//
//	QUOTIENT_TASKS       a work queue: what waits, and what somebody works on
//	quotient-results     by key, what came of tasks
//	quotient-failures    by key, how often tasks failed, and why
//	quotient-networks    networks after every epoch, how far unfinished training is, and
//	                     results that are too long for a message
//	quotient-sweeps      by name, how far sweeps are
//	quotient-workers     who is there; entries vanish when their worker does
//
// What it promises:
//
//   - A result is kept under a hash of everything that determines it; see [Task.Key].
//     So a task that is delivered twice is harmless, a second sweep reuses what the
//     first computed, and adding a seed computes that seed alone.
//   - Results do not depend on who computed them, on how many workers there are or on
//     how often some were killed. Times are kept apart from them.
//   - A worker that vanishes loses nothing but the work since its last checkpoint: its
//     tasks are given to others when its heartbeat is missed. So does a coordinator:
//     another goes on where it was. A result is stored before its task is
//     acknowledged.
//   - Tasks are made as they are needed. A grid of millions takes no more memory than
//     one of thousands.
//   - Passwords and tokens in a server's address appear in no message.
package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"quotient/automaton/codec"
	"quotient/extract"
	"quotient/f32"
	"quotient/train"
)

// resultVersion is raised whenever some result comes out differently than before.
const resultVersion = 2

// Version names how this program computes results on this machine. Programs of one
// version give the same results to the last bit, and a worker takes tasks of its own
// version alone. Kernels in plain Go round differently than those for AVX (see package
// f32), so they are another version.
func Version() string {
	kernels := "fma"
	if f32.Using() == f32.Plain {
		kernels = "plain"
	}
	return "v" + strconv.Itoa(resultVersion) + "-" + kernels
}

// A Task is a network to train, if Extract is nil, or otherwise an automaton to
// extract from a network that was trained (Train) or given (Model).
type Task struct {
	Version string          `json:"version"`
	Train   *train.Settings `json:"train,omitempty"`
	Model   *Model          `json:"model,omitempty"`
	Extract *Extraction     `json:"extract,omitempty"`
}

// A Model is a network that was there before the sweep.
type Model struct {
	Name     string `json:"name"`               // as the file has it
	Digest   string `json:"digest"`             // of its parameters, under which it is stored
	Language string `json:"language,omitempty"` // that it was trained on, if it is known
}

// An Extraction says how to extract and how to judge. Zero values stand for the
// defaults of package extract.
type Extraction struct {
	Epoch     int            `json:"epoch"` // after which the network is taken; 0: the best
	Method    extract.Method `json:"method"`
	Kappa     float64        `json:"kappa"` // 0: chosen by evidence
	Strings   int            `json:"strings"`
	Length    int            `json:"length"`
	Clusters  int            `json:"clusters"`
	Rank      int            `json:"rank"`
	Limit     int            `json:"limit"`
	MaxStates int            `json:"max_states"`

	WordsFrom Source `json:"words_from"`
	Target    string `json:"target"` // the language to compare with; empty: that of the network

	// Words that judge: half valid, half uniform, of lengths up to HeldOutLength.
	HeldOut       int    `json:"held_out"`
	HeldOutLength int    `json:"held_out_length"`
	HeldOutSeed   uint64 `json:"held_out_seed"`

	Seed uint64 `json:"seed"`
}

// A Source says where valid words come from.
type Source string

const (
	FromLanguage Source = "language" // the target, as in the paper
	FromNetwork  Source = "network"  // words that the network accepts
)

// defaultExtraction is what a file need not say. The words that judge are the paper's:
// "1,000 strings of uniform random length between 0 and 50".
var defaultExtraction = Extraction{
	Method: extract.Fold, WordsFrom: FromLanguage,
	HeldOut: 1000, HeldOutLength: 50, HeldOutSeed: 1, Seed: 1,
}

// network returns the task that trains the network of an extraction.
func (t Task) network() Task { return Task{Version: t.Version, Train: t.Train} }

// Kind says in a word what is to be done.
func (t Task) Kind() string {
	if t.Extract == nil {
		return "train"
	}
	return "extract"
}

// Key returns a hash of everything that the task's result depends on, and of nothing
// else: a model counts by its parameters, whatever its name, and a kappa does not where
// none is used.
func (t Task) Key() string {
	if t.Extract != nil {
		x := *t.Extract
		if t.Model != nil {
			m := *t.Model
			m.Name, x.Epoch = "", 0
			t.Model = &m
		}
		if x.Method == extract.KMeans || x.Method.BlackBox() {
			x.Kappa = 0
		}
		t.Extract = &x
	}
	sum := sha256.Sum256(encode(t))
	return hex.EncodeToString(sum[:16])
}

// encode writes what is sent and stored. Struct fields have an order, so equal values
// have equal bytes.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("sweep: " + err.Error()) // no type here can fail
	}
	return data
}

// A Result is what came of a task. All but the cost is the same whoever computes it.
type Result struct {
	Task     Task           `json:"task"`
	Records  []train.Record `json:"records,omitempty"`  // of training: one for every epoch, without times
	Networks []string       `json:"networks,omitempty"` // of training: digests of the files after every epoch
	Outcome  *Outcome       `json:"outcome,omitempty"`  // of extraction
	Cost     Cost           `json:"cost"`

	Elsewhere bool `json:"elsewhere,omitempty"` // the rest is an object in the store, being long
}

// An Outcome is what an extraction gave. Accuracies are shares from 0 to 1 of the words
// held out.
type Outcome struct {
	Accuracy   float64 `json:"accuracy"`    // on which automaton and network agree
	Nodes      int     `json:"nodes"`       // of the prefix tree; 0 where there is none
	Tree       float64 `json:"tree"`        // accuracy of the prefix tree itself
	Merged     int     `json:"merged"`      // states after merging
	States     int     `json:"states"`      // of the minimal automaton, the dead one not counted
	Exact      *bool   `json:"exact"`       // whether it accepts exactly the target; nil if none is known
	Kappa      float64 `json:"kappa"`       // that was used; 0 where there is none
	Membership int     `json:"membership"`  // words that a learner asked for
	Hypotheses int     `json:"equivalence"` // that a learner put to the test
	Failed     string  `json:"failed"`      // why there is no automaton: a limit was passed

	Network    float64 `json:"network"`    // share on which the network agrees with the target
	Accepts    float64 `json:"accepts"`    // share that the network accepts
	Norm       float64 `json:"norm"`       // of the network's parameters
	Saturation float64 `json:"saturation"` // mean over the tree's states; see rnn.Saturation

	Automaton *codec.JSON `json:"automaton,omitempty"` // unless it is large
}

// A Cost is what a result took, which differs from time to time.
type Cost struct {
	Seconds float64 `json:"seconds"`
	Tokens  int     `json:"tokens,omitempty"` // that training read
	Worker  string  `json:"worker"`
}
