package model

import (
	"fmt"
	"slices"
	"strings"

	"quotient/model/torch"
	"quotient/rnn"
)

// none is how options say that there is no activation, or no token.
const none = "none"

// classes are the activations that PyTorch has modules for.
var classes = map[string]rnn.Activation{
	"Tanh": rnn.Tanh, "ReLU": rnn.ReLU, "LeakyReLU": rnn.LeakyReLU, "ELU": rnn.ELU, "GELU": rnn.GELU,
	"SiLU": rnn.SiLU, "Softplus": rnn.Softplus, "Sigmoid": rnn.Sigmoid, "Softmax": rnn.Softmax, "LogSoftmax": rnn.LogSoftmax,
}

// standard holds the settings that an activation is supported with.
var standard = map[string]map[string]any{
	"LeakyReLU": {"negative_slope": 0.01},
	"ELU":       {"alpha": 1.0},
	"GELU":      {"approximate": "none"},
	"Softplus":  {"beta": 1.0},
}

// activations finds what follows each dense layer, given the names of their weights:
// told by the user, found in a torch.nn.Sequential, or guessed.
func (s *source) activations(stack *rnn.Stack, names []string) error {
	last := len(names) - 1
	for i := range names {
		var next string
		if i < last {
			next = parent(names[i+1])
		}
		then, found, err := s.following(parent(names[i]), next)
		if err != nil {
			return err
		}
		if i < last && (!found || s.options.Activation != "") {
			if then, err = s.between(); err != nil {
				return err
			}
		}
		stack.Head[i].Then = then
	}
	stack.Head[last].Then = undo(stack.Head[last])
	return nil
}

// undo leaves out what only turns logits into probabilities: the runner does so itself,
// and logits tell more.
func undo(d rnn.Dense) []rnn.Activation {
	if len(d.Then) == 0 {
		return nil
	}
	rest, end := d.Then[:len(d.Then)-1], d.Then[len(d.Then)-1]
	one := d.Weight.Rows == 1
	if one && end == rnn.Sigmoid || !one && (end == rnn.Softmax || end == rnn.LogSoftmax) {
		return rest
	}
	return d.Then
}

// following returns the activations behind a dense layer and before the next, or before
// the end if next is empty. It reports whether they are certain: modules in a Sequential
// run in their order, while others run as their parent's code says, which no file has.
func (s *source) following(path, next string) (then []rnn.Activation, found bool, err error) {
	at := slices.IndexFunc(s.parts, func(p torch.Part) bool { return p.Path == path })
	if at < 0 {
		return nil, false, nil
	}
	top := s.sequence(path)
	if next != "" && (!within(next, top) || s.sequence(next) != top) || !within(path, top) {
		return nil, false, nil
	}
	for _, p := range s.parts[at+1:] {
		if p.Path == next || !within(p.Path, top) {
			break
		}
		a, err := activation(p)
		if err != nil {
			return nil, false, err
		}
		then = append(then, a...)
	}
	return then, true, nil
}

// sequence returns the outermost torch.nn.Sequential around a module such that there is
// nothing but Sequentials between the two; or the module itself.
func (s *source) sequence(path string) string {
	for path != "" {
		above := parent(path)
		i := slices.IndexFunc(s.parts, func(p torch.Part) bool { return p.Path == above })
		if i < 0 || s.parts[i].Class != "torch.nn.modules.container.Sequential" {
			return path
		}
		path = above
	}
	return path
}

// within reports whether a module is inside another.
func within(path, outer string) bool {
	return path != outer && (outer == "" || strings.HasPrefix(path, outer+"."))
}

// activation returns what a module in a Sequential does.
func activation(p torch.Part) ([]rnn.Activation, error) {
	class := p.Class.Base()
	if a, ok := classes[class]; ok {
		for name, want := range standard[class] {
			if got, ok := p.Facts[name]; ok && fmt.Sprint(got) != fmt.Sprint(want) {
				return nil, fmt.Errorf("%s is a %s with %s %v; only %v is supported", p.Path, class, name, got, want)
			}
		}
		return []rnn.Activation{a}, nil
	}
	switch class {
	case "Sequential", "Identity", "Dropout", "AlphaDropout", "Flatten": // nothing happens, once training is over
		return nil, nil
	}
	return nil, fmt.Errorf("%s is a %s, which is not supported behind a dense layer", p.Path, p.Class)
}

// between returns the activation between dense layers where no Sequential shows it.
func (s *source) between() ([]rnn.Activation, error) {
	if name := s.options.Activation; name == none {
		return nil, nil
	} else if name != "" {
		a, err := rnn.ParseActivation(name)
		return []rnn.Activation{a}, err
	}
	a, why := s.guess()
	text := fmt.Sprintf("between the dense layers there is taken to be %s, %s; --activation says otherwise", a, why)
	if !slices.Contains(s.notes, text) {
		s.note("%s", text)
	}
	return []rnn.Activation{a}, nil
}

// guess looks for an activation that the modules name.
func (s *source) guess() (a rnn.Activation, why string) {
	var found []rnn.Activation
	for _, p := range s.parts {
		switch a := classes[p.Class.Base()]; a {
		case "", rnn.Sigmoid, rnn.Softmax, rnn.LogSoftmax: // those stand at the end
		default:
			found = append(found, a)
		}
		for _, key := range []string{"activation", "act", "act_fn", "nonlinearity", "activation_fn"} {
			name, _ := p.Facts[key].(string)
			if n, ok := p.Facts[key].(torch.Name); ok {
				name = n.Base()
			}
			if a, err := rnn.ParseActivation(strings.ToLower(name)); err == nil && p.Class.Base() != "RNN" && p.Class.Base() != "RNNCell" {
				found = append(found, a)
			}
		}
	}
	slices.Sort(found)
	if found = slices.Compact(found); len(found) == 1 {
		return found[0], "the only activation that the module has"
	}
	return rnn.ReLU, "the usual one, since the file does not say"
}
