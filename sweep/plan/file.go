package plan

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"quotient/extract"
	"quotient/language"
	"quotient/learn/predictive"
	"quotient/train"
)

// A File is a sweep, read.
type File struct {
	Name   string
	blocks []block
	list   []Want // beside blocks
	path   string // for messages

	recalled map[string]string // digests of files of words that are not there any more or have changed, by name
}

// A block is networks and what is extracted from each of them.
type block struct {
	train    grid     // of train.Settings; nil if there are models
	models   []string // names
	extracts []grid   // of Extraction
	line     int      // where it begins in the file
}

// A Want is an extraction from a model, which package model knows by its name.
type Want struct {
	Model   string
	Extract Extraction
}

// List returns a sweep of extractions without a file.
func List(name string, list []Want) *File {
	return &File{Name: name, list: list, blocks: make([]block, 1)}
}

const (
	maxFile   = 1 << 20 // bytes of a file
	maxValues = 1 << 20 // values of an axis
	maxPoints = 1 << 30 // points of a grid
)

// Open reads a sweep from a file. Without a name of its own it has that of the file.
func Open(path string) (*File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Read(path, data)
}

// Read reads a sweep:
//
//	name: depth                      # that of the file if it is left out
//	train:                           # settings of package train
//	  preset: quick                  # the others begin with these: quick or paper
//	  language: [tomita1, tomita5]   # a list
//	  layers: {from: 1, to: 3}       # a range; also with step, or with factor
//	  seed: 7                        # a value
//	extract:                         # fields of Extraction
//	  method: [fold, keep]
//	  kappa: [0.01, auto]
//	  epoch: all                     # or best, or numbers
//
// In place of train, model lists networks that are there already, by the names that
// package model knows. Extract may be a list of several grids. With runs, a list, a
// sweep has several parts, each with train or model and with extract; what two of them
// ask for is done once. Errors name the line.
func Read(path string, data []byte) (*File, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s: %d bytes are too many for a sweep; at most %d are read", path, len(data), maxFile)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%s: %s", path, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	f := &File{path: path, Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))}
	if len(doc.Content) == 0 {
		return nil, fmt.Errorf("%s: the file is empty", path)
	}
	if err := f.read(doc.Content[0]); err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return f, nil
}

// errorAt returns an error that begins with its line.
func errorAt(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%d: %w", n.Line, fmt.Errorf(format, args...))
}

// entries returns the pairs of a mapping, whose keys must all be known.
func entries(n *yaml.Node, what string, known ...string) (map[string]*yaml.Node, error) {
	if n.Kind != yaml.MappingNode {
		return nil, errorAt(n, "%s: it must be a mapping of names to values", what)
	}
	m := map[string]*yaml.Node{}
	for i := 0; i < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		switch {
		case k.Kind != yaml.ScalarNode:
			return nil, errorAt(k, "%s: a name is expected here", what)
		case !slices.Contains(known, k.Value):
			return nil, errorAt(k, "%s knows no %q; there are %s", what, k.Value, strings.Join(known, ", "))
		case m[k.Value] != nil:
			return nil, errorAt(k, "%s: %s is there twice", what, k.Value)
		case v.Kind == yaml.AliasNode || v.Anchor != "":
			return nil, errorAt(v, "%s: anchors and aliases are not read", k.Value)
		}
		m[k.Value] = v
	}
	return m, nil
}

func (f *File) read(root *yaml.Node) error {
	m, err := entries(root, "a sweep", "name", "train", "model", "extract", "runs")
	if err != nil {
		return err
	}
	if n := m["name"]; n != nil {
		f.Name = n.Value
	}
	if !ValidName(f.Name) {
		return errorAt(cmp.Or(m["name"], root), "name %q: it has 1 to 64 letters, digits, - and _", f.Name)
	}
	if m["runs"] == nil {
		delete(m, "name")
		return f.readBlock(root, m)
	}
	for _, other := range []string{"train", "model", "extract"} {
		if m[other] != nil {
			return errorAt(m[other], "%s stands beside runs; put it into one of them", other)
		}
	}
	list := m["runs"]
	if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return errorAt(list, "runs: it must be a list")
	}
	for _, n := range list.Content {
		m, err := entries(n, "a run", "train", "model", "extract")
		if err != nil {
			return err
		}
		if err := f.readBlock(n, m); err != nil {
			return err
		}
	}
	return nil
}

// ValidName reports whether a sweep may have a name: it must fit a key of NATS and a file.
func ValidName(name string) bool { return validName.MatchString(name) }

var validName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func (f *File) readBlock(at *yaml.Node, m map[string]*yaml.Node) (err error) {
	b := block{line: at.Line}
	switch {
	case (m["train"] != nil) == (m["model"] != nil):
		return errorAt(at, "either train or model must say which networks are meant")
	case m["train"] != nil:
		if b.train, err = readTrain(m["train"]); err != nil {
			return err
		}
	default:
		if b.models, err = readModels(m["model"]); err != nil {
			return err
		}
	}
	if m["model"] != nil && m["extract"] == nil {
		return errorAt(at, "there is nothing to do: extract must say what is extracted")
	}
	grids := []*yaml.Node{}
	if n := m["extract"]; n != nil {
		if grids = []*yaml.Node{n}; n.Kind == yaml.SequenceNode {
			grids = n.Content
		}
		if len(grids) == 0 {
			return errorAt(n, "extract: the list is empty")
		}
	}
	for _, n := range grids {
		g, err := readExtract(n)
		if err != nil {
			return err
		}
		if b.train != nil {
			if err := checkEpochs(n, b.train, g); err != nil {
				return err
			}
		}
		b.extracts = append(b.extracts, g)
	}
	f.blocks = append(f.blocks, b)
	return nil
}

// Predicts reports whether a sweep is about language models: all methods that it extracts with are for
// these, and one of them at least is for nothing else.
func (f *File) Predicts() bool {
	some := false
	for _, b := range f.blocks {
		for _, g := range b.extracts {
			for _, v := range g.find("method").values {
				var name string
				json.Unmarshal(v, &name) // it was checked
				if _, err := predictive.Find(name); err != nil {
					return false
				}
				_, err := extract.Find(name)
				some = some || err != nil
			}
		}
	}
	return some
}

func readTrain(n *yaml.Node) (grid, error) {
	base := train.Quick
	m, err := entries(n, "train", append(names(newGrid(base)), "preset")...)
	if err != nil {
		return nil, err
	}
	if p := m["preset"]; p != nil {
		presets := map[string]train.Settings{"quick": train.Quick, "paper": train.Paper, "counting": train.Counting, "speaking": train.Speaking}
		var ok bool
		if base, ok = presets[p.Value]; !ok {
			return nil, errorAt(p, "preset: it is one of quick, paper, counting and, for language models, speaking")
		}
	}
	if m["data"] != nil {
		return nil, errorAt(m["data"], "data: sweeps train on words of languages")
	}
	g := newGrid(base)
	if m["language"] == nil {
		return nil, errorAt(n, "train: language is missing")
	}
	if err := fill[train.Settings](n, g, m, nil); err != nil {
		return nil, err
	}
	for _, v := range g.find("language").values {
		if err := checkLanguage(v); err != nil {
			return nil, errorAt(m["language"], "language %s: %w", v, err)
		}
	}
	return g, checkSettings(n, g)
}

// checkSettings tries every value of an axis with the first ones of the others, which
// finds all that is wrong but a few products that take too much memory.
func checkSettings(n *yaml.Node, g grid) error {
	var first train.Settings
	for i := range g {
		g.set(&first, i, 0)
	}
	for i, a := range g {
		for at := range a.values {
			s := first
			g.set(&s, i, at)
			if err := s.Check(); err != nil {
				return errorAt(n, "train: %w", err)
			}
		}
	}
	return nil
}

// checkEpochs sees to it that some network is trained for as many epochs as are asked for.
func checkEpochs(at *yaml.Node, training, extraction grid) error {
	most := func(g grid, name string) (n int) {
		for _, v := range g.find(name).values {
			n = max(n, integer(v))
		}
		return n
	}
	if asked, trained := most(extraction, "epoch"), most(training, "epochs"); asked > trained {
		return errorAt(at, "epoch %d: training ends after %d", asked, trained)
	}
	return nil
}

// checkLanguage sees to it that a worker elsewhere knows a language by its name.
func checkLanguage(value json.RawMessage) error {
	var name string
	json.Unmarshal(value, &name) // a string, as was checked
	return language.CheckName(name)
}

func readModels(n *yaml.Node) ([]string, error) {
	values, err := readValues(n)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, v := range values {
		var name string
		if json.Unmarshal(v, &name) != nil || name == "" {
			return nil, errorAt(n, "model %s: it must be the name of a network", v)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

func readExtract(n *yaml.Node) (grid, error) {
	g := newGrid(defaultExtraction)
	m, err := entries(n, "extract", names(g)...)
	if err != nil {
		return nil, err
	}
	if e := m["epoch"]; e != nil && e.Value == "all" {
		g.find("epoch").all = true
		delete(m, "epoch")
	}
	words := map[string]map[string]json.RawMessage{
		"kappa": {`"auto"`: encode(extract.ChosenKappa)},
		"epoch": {`"best"`: encode(0)},
	}
	if err := fill[Extraction](n, g, m, words); err != nil {
		return nil, err
	}
	for _, a := range g {
		for _, v := range a.values {
			if err := checkExtraction(a.name, v); err != nil {
				return nil, errorAt(m[fileName(a.name)], "%w", err)
			}
		}
	}
	return g, nil
}

// checkExtraction says what is wrong with one value of an extraction.
func checkExtraction(name string, value json.RawMessage) error {
	var text string
	if json.Unmarshal(value, &text) != nil {
		text = string(value)
	}
	s := extract.FindSetting(fileName(name))
	switch {
	case name == "words_from" || s == nil:
		if err := checkJudging(name, value, text); err != nil {
			return fmt.Errorf("%s %s: %w", fileName(name), value, err)
		}
	case text != "" && text != "0" && text != "false": // the defaults of the method
		return s.Set(&extract.Options{}, text)
	}
	return nil
}

// checkJudging does so for what is no setting of package extract.
func checkJudging(name string, value json.RawMessage, text string) error {
	var number float64
	json.Unmarshal(value, &number) // 0 if it is none
	switch name {
	case "method":
		_, err := extract.Find(text)
		if _, other := predictive.Find(text); text != "" && other == nil {
			err = nil
		}
		return err
	case "at_most":
		if number < 0 || number > 1e4 {
			return errors.New("it must be from 1 to 10,000")
		}
	case "words_from":
		if s := Source(text); s != FromLanguage && s != FromNetwork {
			return fmt.Errorf("there are %s and %s", FromLanguage, FromNetwork)
		}
	case "target":
		if text != "" {
			return checkLanguage(value)
		}
	case "held_out":
		if number < 1 || number > 1e6 {
			return errors.New("it must be from 1 to 1,000,000")
		}
	case "held_out_length":
		if number < 0 || number > 1e5 {
			return errors.New("it must be from 0 to 100,000")
		}
	case "epoch":
		if number < 0 || number > 1e9 {
			return errors.New("it must be a number of things")
		}
	}
	return nil
}

// names returns the names of a grid's axes, as files have them.
func names(g grid) []string {
	var list []string
	for _, a := range g {
		list = append(list, fileName(a.name))
	}
	return list
}

func fileName(json string) string { return strings.ReplaceAll(json, "_", "-") }

// fill puts the values of a mapping on a grid's axes. Some values have words that
// stand for them.
func fill[T any](at *yaml.Node, g grid, m map[string]*yaml.Node, words map[string]map[string]json.RawMessage) error {
	for i := range g {
		a := &g[i]
		name := fileName(a.name)
		n := m[name]
		if n == nil {
			continue
		}
		values, err := readValues(n)
		if err != nil {
			return err
		}
		*a = axis{name: a.name, line: n.Line}
		for _, v := range values {
			if w, ok := words[name][string(v)]; ok {
				v = w
			}
			// What it is read as is how it is written.
			field := reflect.New(reflect.TypeFor[T]().Field(i).Type)
			if err := json.Unmarshal(v, field.Interface()); err != nil {
				var wrong *json.UnmarshalTypeError
				if errors.As(err, &wrong) {
					return errorAt(n, "%s %s: a value of type %s is expected", name, v, wrong.Type)
				}
				return errorAt(n, "%s %s: %w", name, v, err)
			}
			a.add(encode(field.Elem().Interface()))
		}
	}
	if n := g.size(); n > maxPoints {
		return errorAt(at, "the grid has %.3g points, and at most %.3g are planned", n, float64(maxPoints))
	}
	return nil
}
