package model

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quotient/model/torch"
	"quotient/rnn"
)

// network recognizes the tensors of a file, or those of one of several networks in it.
func (s *source) network() (*rnn.Stack, error) {
	if err := s.only(s.options.Key); err != nil {
		return nil, err
	}
	whole := s.whole()
	if len(whole) > 1 {
		usual := slices.DeleteFunc(slices.Clone(whole), func(key string) bool { return !torch.Usual(lastName(key)) })
		if len(usual) != 1 {
			return nil, ask(keyChoice(whole), "there are several networks in it: the option key names one of %s", strings.Join(whole, ", "))
		}
		s.note("there are several networks in the file, %s: %s is read; the option key names another", strings.Join(whole, ", "), usual[0])
		if err := s.only(usual[0]); err != nil {
			return nil, err
		}
	}
	tensors := s.tensors
	stack, err := s.recognize()
	if err != nil && len(s.beside) > 0 {
		err = fmt.Errorf("%w; left out, because the names say that only training needs them, were %s", err, few(s.beside))
	}
	if err != nil && s.options.Layer == 0 {
		s.tensors = tensors
		if n := s.lower(); n > 0 {
			return nil, fmt.Errorf("%w; if the decision reads layer %d, the option layer says so", err, n)
		}
	}
	if err != nil && len(whole) == 1 {
		return nil, fmt.Errorf("%w; what begins with %s is a network by itself, which the option key %s reads", err, whole[0], whole[0])
	}
	return stack, err
}

// keyChoice is that of a network, under the key that is known already.
func keyChoice(keys []string) choice {
	return choice{func(o *Options, v string) { o.Key = strings.TrimPrefix(o.Key+"."+v, ".") }, keys, true}
}

// lower returns a layer below the last that the rest of the network fits, or 0.
func (s *source) lower() int {
	for n := 1; n < 4; n++ {
		part := source{tensors: s.tensors, parts: s.parts, ordered: s.ordered, options: s.options}
		part.options.Layer = n
		if _, err := part.recognize(); err == nil {
			return n
		}
	}
	return 0
}

// only keeps the tensors and the modules whose names begin with a key.
func (s *source) only(key string) error {
	if key == "" {
		return nil
	}
	var tensors []rnn.Tensor
	for _, t := range s.tensors {
		if name, ok := strings.CutPrefix(t.Name, key+"."); ok {
			t.Name = name
			tensors = append(tensors, t)
		}
	}
	if len(tensors) == 0 {
		return fmt.Errorf("key %s: nothing in it begins so; there are %s", key, few(s.beginnings()))
	}
	var parts []torch.Part
	for _, p := range s.parts {
		if p.Path == key || within(p.Path, key) {
			p.Path = strings.TrimPrefix(strings.TrimPrefix(p.Path, key), ".")
			parts = append(parts, p)
		}
	}
	s.tensors, s.parts = tensors, parts
	return nil
}

// beginnings lists what the names of tensors begin with, where they first differ.
func (s *source) beginnings() (list []string) {
	shared := 0 // how many parts of their names all have in common
	for ; len(s.tensors) > 0; shared++ {
		first := strings.Split(s.tensors[0].Name, ".")
		same := func(t rnn.Tensor) bool {
			path := strings.Split(t.Name, ".")
			return len(path) > shared+1 && len(first) > shared+1 && slices.Equal(path[:shared+1], first[:shared+1])
		}
		if slices.ContainsFunc(s.tensors, func(t rnn.Tensor) bool { return !same(t) }) {
			break
		}
	}
	seen := make(map[string]bool)
	for _, t := range s.tensors {
		path := strings.Split(t.Name, ".")
		key := strings.Join(path[:min(shared+1, len(path))], ".")
		if !seen[key] {
			seen[key] = true
			list = append(list, key)
		}
	}
	return list
}

// whole lists the beginnings of names behind which there is a network by itself, if there
// are others.
func (s *source) whole() (list []string) {
	if len(s.tensors) > maxTensors {
		return nil
	}
	keys := s.beginnings()
	if len(keys) < 2 || len(keys) > maxNetworks {
		return nil
	}
	for _, key := range keys {
		part := source{tensors: s.tensors, parts: s.parts, ordered: s.ordered, options: s.options}
		if part.only(key) == nil && part.isNetwork() {
			list = append(list, key)
		}
	}
	return list
}

// isNetwork reports whether the tensors make a network, if the user says more about it or not:
// what is said may be about another one.
func (s *source) isNetwork() bool {
	tensors := s.tensors
	_, err := s.recognize()
	if err != nil && (s.options.Norm != "" || s.options.Head != "" || s.options.Order != "" || s.options.Layer != 0) {
		plain := source{tensors: tensors, parts: s.parts, ordered: s.ordered}
		_, err = plain.recognize()
	}
	var q *question
	return err == nil || errors.As(err, &q)
}

// maxNetworks is more than a file has beside one another.
const maxNetworks = 32

// beside matches the parts of names that belong to training, measures those among them that
// layers may have, and counters those of single numbers.
var (
	beside = regexp.MustCompile(`(?i)^(criterions?|criteria|(.+_)?loss(es)?|loss_?(fns?|func|function|weights?)|bce|` +
		`(.+_)?metrics?|(.+_)?(acc(uracy)?|auroc|auc|f1(_?score)?|confmat|confusion_?matrix)|` +
		`(.+_)?optim(izer)?s?(_state)?|(.+_)?schedulers?|grad_?scaler|num_batches_tracked|` +
		`(pos|class|sample|label)_?weights?|(.+_)?rng(_.+)?|running_(loss|acc))$`)
	measures = regexp.MustCompile(`(?i)^(.+_)?(acc(uracy)?|auroc|auc|f1(_?score)?)$`)
	counters = regexp.MustCompile(`(?i)^((global_?|n_|num_)?(steps?|epochs?|iter(ation)?s?|updates|averaged|batches)|initted|(ema_)?decay|best_.+)$`)
)

// leaveOut removes what belongs to training and not to the network: weights of losses,
// metrics, states of optimizers, counters. They are known by their names, or by the
// classes of their modules.
func (s *source) leaveOut() {
	var kept []rnn.Tensor
	var names []string
	for _, t := range s.tensors {
		if !s.isBeside(t) {
			kept = append(kept, t)
		} else if !strings.HasSuffix(t.Name, "num_batches_tracked") { // which is never missed
			names = append(names, t.Name)
		}
	}
	if len(kept) < len(s.tensors) {
		s.tensors = kept
	}
	if s.beside = names; len(names) > 0 {
		s.note("left out, because the names say that only training needs them: %s", few(names))
	}
}

// isDense reports whether a module has a matrix of weights.
func (s *source) isDense(path string) bool {
	return slices.ContainsFunc(s.tensors, func(t rnn.Tensor) bool { return t.Name == path+".weight" && len(t.Dims) == 2 })
}

func (s *source) isBeside(t rnn.Tensor) bool {
	for _, p := range s.parts {
		if class := string(p.Class); within(t.Name, p.Path) && p.Path != "" && (strings.HasPrefix(class, "torch.nn.modules.loss.") || strings.HasPrefix(class, "torchmetrics.")) {
			return true
		}
	}
	for part := range strings.SplitSeq(t.Name, ".") {
		if measures.MatchString(part) && s.isDense(parent(t.Name)) {
			continue // a layer that is called f1, say: no metric has a matrix of weights
		}
		if beside.MatchString(part) || len(t.Data) <= 1 && len(t.Dims) < 2 && counters.MatchString(part) {
			return true
		}
	}
	return false
}
