// Package plan says what a sweep is: a file that asks for grids of networks and automata,
// the tasks that it stands for, and what comes of a task.
//
// See [Read] for what a file may say. Each of its tasks is either a network to train or an
// automaton to extract from one; training is shared by all extractions from the same
// network. A result belongs to a hash of everything that determines it, see [Task.Key]. So
// it does not matter who computes a task, or which of several files asked for it, and one
// more seed costs one more seed.
//
// Tasks are made as they are needed. A grid of millions takes no more memory than one of
// thousands.
package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"quotient/automaton/codec"
	"quotient/extract"
	"quotient/f32"
	"quotient/learn/active"
	"quotient/learn/predictive"
	"quotient/merge"
	"quotient/probabilistic"
	"quotient/train"
)

// resultVersion is raised whenever some result comes out differently than before.
const resultVersion = 16

// Version names how this program computes results on this machine. Programs of one
// version give the same results to the last bit, and a worker takes tasks of its own
// version alone. Kernels in plain Go round differently than those for AVX, and Go that was
// compiled to fused instructions differently than other Go (see package f32), so these are
// versions of their own.
func Version() string { return version(f32.Using(), f32.Fused()) }

func version(isa f32.ISA, fused bool) string {
	kernels := "fma"
	if isa == f32.Plain {
		kernels = "plain"
	}
	if fused {
		kernels += "-fused"
	}
	return "v" + strconv.Itoa(resultVersion) + "-" + kernels
}

// Older reports whether a version is of results before those of this program, on whatever machine.
func Older(version string) bool {
	number, _, ok := strings.Cut(strings.TrimPrefix(version, "v"), "-")
	n, err := strconv.Atoi(number)
	return ok && err == nil && n < resultVersion
}

// A Task is a network to train, if Extract is nil, or otherwise an automaton to
// extract from a network that was trained (Train) or given (Model).
type Task struct {
	Version string          `json:"version"`
	Train   *train.Settings `json:"train,omitempty"`
	Model   *Model          `json:"model,omitempty"`
	Extract *Extraction     `json:"extract,omitempty"`
	Data    string          `json:"data,omitempty"` // digest of the file that Extract.Data names
}

// ModelObject returns under which name the file of a network is stored that was there before.
func ModelObject(digest string) string { return "model/" + digest }

// DataObject returns it for a file of words.
func DataObject(digest string) string { return "data/" + digest }

// A Model is a network that was there before the sweep.
type Model struct {
	Name     string `json:"name"`               // as the file has it
	Digest   string `json:"digest"`             // of its parameters, under which it is stored
	Language string `json:"language,omitempty"` // that it was trained on, if it is known
	Predicts bool   `json:"predicts,omitempty"` // whether it is a language model
}

// An Extraction says how to extract and how to judge. Zero values stand for the
// defaults of package extract.
type Extraction struct {
	Epoch       int                `json:"epoch"` // after which the network is taken; 0: the best
	Method      string             `json:"method"`
	Kappa       float64            `json:"kappa"` // 0: chosen by evidence
	Order       merge.Order        `json:"order"`
	Strings     int                `json:"strings"`
	Length      int                `json:"length"`
	Clusters    int                `json:"clusters"`
	Rank        int                `json:"rank"`
	Limit       int                `json:"limit"`
	MaxStates   int                `json:"max_states"`
	Equivalence active.Equivalence `json:"equivalence"`
	Lengths     string             `json:"lengths"` // as in 0-30
	Pursue      bool               `json:"pursue"`
	AtMost      int                `json:"at_most,omitempty"` // states, of a language model's automaton; 0: what is worth it

	WordsFrom Source `json:"words_from"`
	Data      string `json:"data,omitempty"` // file of words that lead and judge; empty: none
	Target    string `json:"target"`         // the language to compare with; empty: that of the network
	Study     bool   `json:"study"`          // the whole study is kept, with its certificate

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

// Options returns the extraction as package extract takes it; the language is the one that
// words may be drawn from. Only counts may end a search: what a clock ends is not the same
// everywhere.
func (x Extraction) Options(language string) extract.Options {
	o := extract.Options{
		Method: x.Method, Kappa: x.Kappa, Order: x.Order, Strings: x.Strings, Length: x.Length, Clusters: x.Clusters, Rank: x.Rank,
		Limit: x.Limit, MaxStates: x.MaxStates, Equivalence: x.Equivalence, Pursue: x.Pursue, Seed: x.Seed, Time: 1000 * time.Hour,
		Data: x.Data,
	}
	if x.Lengths != "" {
		extract.FindSetting("lengths").Set(&o, x.Lengths) // it was checked
	}
	if m, err := extract.Find(o.Normal().Method); err == nil && m.Reads("strings") && x.WordsFrom == FromLanguage { // it is about samples
		o.WordsFrom = language
	}
	return o
}

// normal returns the extraction with the defaults filled in, and without what means nothing
// to its method.
func (x Extraction) normal() Extraction {
	if _, err := extract.Find(x.Method); err != nil { // it is for language models, and reads little
		return Extraction{Epoch: x.Epoch, Method: x.Method, AtMost: x.AtMost, Data: x.Data, Study: x.Study, Seed: x.Seed}
	}
	o := x.Options(string(FromLanguage)).Normal()
	x.Kappa, x.Order, x.Strings, x.Length, x.Clusters, x.Rank = o.Kappa, o.Order, o.Strings, o.Length, o.Clusters, o.Rank
	x.Limit, x.MaxStates, x.Equivalence, x.Pursue = o.Limit, o.MaxStates, o.Equivalence, o.Pursue
	x.Lengths = extract.FindSetting("lengths").Get(&o)
	if o.WordsFrom == "" {
		x.WordsFrom = ""
	}
	return x
}

// speaks reports whether the network of a task is a language model.
func (t Task) speaks() bool {
	return t.Model != nil && t.Model.Predicts || t.Train != nil && t.Train.As == train.Predictor
}

// suits returns an error if the method is not for the network.
func (t Task) suits() error {
	if t.Extract == nil {
		return nil
	}
	x := t.Extract
	_, decides := extract.Find(x.Method)
	_, predicts := predictive.Find(x.Method)
	switch {
	case t.speaks() && predicts != nil:
		return predicts
	case t.speaks() && x.Target != "":
		return errors.New("target: the network is a language model, and no language is compared with it")
	case !t.speaks() && decides != nil:
		return fmt.Errorf("method %s is for language models, and this is a recognizer", x.Method)
	case !t.speaks() && x.AtMost > 0:
		return errors.New("at-most is for language models, and this is a recognizer")
	}
	return nil
}

// Key returns a hash of everything that the task's result depends on, and of nothing
// else: a model counts by its parameters and a file of words by what stands in it, whatever
// their names, and a setting does not where the method does not read it.
func (t Task) Key() string {
	if t.Extract != nil {
		x := *t.Extract
		if t.Model != nil {
			m := *t.Model
			m.Name, x.Epoch = "", 0
			t.Model = &m
		}
		x = x.normal()
		x.Data = ""
		t.Extract = &x
	}
	sum := sha256.Sum256(encode(t))
	return hex.EncodeToString(sum[:16])
}

// String describes a task in a line.
func (t Task) String() string {
	text, x := "train", t.Extract
	if x != nil {
		text = "extract"
	}
	add := func(format string, args ...any) { text += fmt.Sprintf(format, args...) }
	if t.Model != nil {
		add(" %s", t.Model.Name)
	}
	if s := t.Train; s != nil {
		add(" %s %s hidden %d seed %d", s.Language, s.Cell, s.Hidden, s.Seed)
	}
	if x == nil {
		return text
	}
	if x.Epoch > 0 {
		add(" epoch %d", x.Epoch)
	}
	kappa := "auto"
	if x.Kappa > 0 {
		kappa = fmt.Sprint(x.Kappa)
	}
	if _, err := extract.Find(x.Method); err != nil || t.speaks() {
		add(": %s", x.Method)
	} else {
		add(": %s kappa %s", x.Method, kappa)
	}
	if x.AtMost > 0 {
		add(" at most %d states", x.AtMost)
	}
	if x.Strings > 0 {
		add(" strings %d", x.Strings)
	}
	if x.Length > 0 {
		add(" length %d", x.Length)
	}
	if x.Data != "" {
		add(" data %s", x.Data)
	}
	add(" seed %d", x.Seed)
	return text
}

// encode writes a value as JSON. Struct fields have an order, so equal values have equal
// bytes.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("plan: " + err.Error()) // no type here can fail
	}
	return data
}

// A Result is what came of a task. All but the cost is the same whoever computes it.
type Result struct {
	Task     Task           `json:"task"`
	Records  []train.Record `json:"records,omitempty"`  // of training: one for every epoch, without times
	Networks []string       `json:"networks,omitempty"` // of training: digests of the files after every epoch
	Outcome  *Outcome       `json:"outcome,omitempty"`  // of extraction

	Study json.RawMessage `json:"study,omitempty"` // all that is known after an extraction, if it was asked for
	Cost  Cost            `json:"cost"`

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

	// Of a language model: the divergence of the network from the automaton in nats a symbol, a bound
	// that it does not exceed with a confidence of 95%, and the share of prefixes after which both
	// find the same symbol likeliest.
	Divergence *float64 `json:"divergence,omitempty"`
	Bound      *float64 `json:"bound,omitempty"`
	Top        *float64 `json:"top,omitempty"`

	// Of the words of data that were held out, the share on which automaton and network agree;
	// nil if there is no data.
	DataAccuracy *float64 `json:"data_accuracy,omitempty"`
	DataHeldOut  int      `json:"data_held_out,omitempty"` // how many different ones those are
	DataLeftOut  int      `json:"data_left_out,omitempty"` // words of data that the network cannot read

	Network    float64 `json:"network"`    // share on which the network agrees with the target
	Accepts    float64 `json:"accepts"`    // share that the network accepts
	Norm       float64 `json:"norm"`       // of the network's parameters
	Saturation float64 `json:"saturation"` // mean over the tree's states; see rnn.Saturation

	Automaton *codec.JSON              `json:"automaton,omitempty"` // unless it is large
	Spoken    *probabilistic.Automaton `json:"spoken,omitempty"`    // of a language model, the same
}

// A Cost is what a result took, which differs from time to time.
type Cost struct {
	Seconds float64 `json:"seconds"`
	Tokens  int     `json:"tokens,omitempty"` // that training read
	Worker  string  `json:"worker"`
}
