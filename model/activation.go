package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"quotient/f32"
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

// activations finds what follows each dense layer, by the names of their weights: told by
// the user, found in a torch.nn.Sequential, or guessed. What a Sequential has before the
// first of them follows a dense layer that changes nothing. Norms find their places among
// them.
func (s *source) activations(stack *rnn.Stack, matrices []rnn.Tensor, a arrangement) error {
	embedding, names := "", make([]string, len(a.head))
	if a.embedding >= 0 {
		embedding = matrices[a.embedding].Name
	}
	for i, k := range a.head {
		names[i] = matrices[k].Name
	}
	o := operations{then: make([][]operation, len(names))}
	var err error
	if o.first, err = s.preceding(parent(names[0])); err != nil {
		return err
	}
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
			a, err := s.between()
			if err != nil {
				return err
			}
			then = slices.DeleteFunc(then, func(o operation) bool { return o.norm == nil })
			for _, a := range a {
				then = append(then, operation{activation: a})
			}
		}
		o.then[i] = then
	}
	if err := s.place(stack, &o, embedding, names); err != nil {
		return err
	}
	if err := s.bounded(stack, parent(embedding)); err != nil {
		return err
	}
	if err := s.unplaced(stack, embedding, names); err != nil {
		return err
	}
	if err := o.apply(stack); err != nil {
		return err
	}
	end := &stack.Head[len(stack.Head)-1]
	end.Then, s.probable = undo(*end)
	return nil
}

// unplaced finds the activations of a module that have no place in the head. One directly
// behind the embedding in a Sequential changes its rows; one that stands elsewhere among
// recurrent layers is refused. Of others only code says where they stand, and they are left out.
func (s *source) unplaced(stack *rnn.Stack, embedding string, dense []string) error {
	for i, p := range s.parts {
		if s.placed[p.Path] || classes[p.Class.Base()] == "" && !strings.HasPrefix(string(p.Class), "torch.nn.modules.activation.") {
			continue
		}
		top := s.sequence(p.Path)
		inner := func(path string) bool { return path != "" && top != p.Path && within(path, top) }
		switch {
		case inner(parent(embedding)) && s.directlyBehind(i, parent(embedding)) && stack.EmbeddingNorm == nil && hidden(p) != "":
			list, err := s.operation(p)
			if err != nil {
				return err
			}
			changed := f32.Of(stack.Embedding.Rows, stack.Embedding.Cols, slices.Clone(stack.Embedding.Data))
			list[0].activation.Apply(changed)
			stack.Embedding = changed
		case inner(parent(embedding)), slices.ContainsFunc(s.layerPaths, inner):
			return fmt.Errorf("%s is a %s before or between recurrent layers, which is not supported; %s", p.Path, p.Class.Base(), instead)
		case s.leftOutHead(top, dense), p.Class.Base() == "MultiheadAttention":
		case hidden(p) != "" && hidden(p) != s.guessed, classes[p.Class.Base()] == "":
			s.note("%s is a %s, and only the module's code says where it stands: it is left out; whether that is right, the answers for some words show", p.Path, p.Class.Base())
		}
	}
	return nil
}

// directlyBehind reports whether there is nothing that computes between a module and the part
// at an index.
func (s *source) directlyBehind(at int, path string) bool {
	from := s.part(path)
	return from >= 0 && from < at && !slices.ContainsFunc(s.parts[from+1:at], func(p torch.Part) bool { return !silent(p) && !s.placed[p.Path] })
}

// leftOutHead reports whether a Sequential has dense layers, but none of those that decide: it
// is a head that is not read.
func (s *source) leftOutHead(top string, dense []string) bool {
	return slices.ContainsFunc(s.parts, func(p torch.Part) bool { return within(p.Path, top) && p.Class.Base() == "Linear" }) &&
		!slices.ContainsFunc(dense, func(name string) bool { return within(name, top) })
}

// hidden returns the activation that a module is, unless it is one that stands at the
// end of a network.
func hidden(p torch.Part) rnn.Activation {
	switch a := classes[p.Class.Base()]; a {
	case rnn.Sigmoid, rnn.Softmax, rnn.LogSoftmax:
		return ""
	default:
		return a
	}
}

// preceding returns the activations that stand in a Sequential directly before a dense
// layer.
func (s *source) preceding(path string) (then []operation, err error) {
	at, top := s.part(path), s.sequence(path)
	for i := at - 1; i >= 0 && within(s.parts[i].Path, top) && s.sequence(s.parts[i].Path) == top; i-- {
		p := s.parts[i]
		if !silent(p) && !strings.HasPrefix(string(p.Class), "torch.nn.modules.activation.") && normClass(p) == "" {
			break
		}
		a, err := s.operation(p)
		if err != nil {
			return nil, err
		}
		then = append(a, then...)
	}
	return then, nil
}

// part returns the place of a module in the list of parts, or -1.
func (s *source) part(path string) int {
	return slices.IndexFunc(s.parts, func(p torch.Part) bool { return p.Path == path })
}

// undo leaves out what only turns logits into probabilities, and reports whether there is
// such a thing: the runner does so itself, and logits tell more.
func undo(d rnn.Dense) ([]rnn.Activation, bool) {
	if len(d.Then) == 0 {
		return nil, false
	}
	rest, end := d.Then[:len(d.Then)-1], d.Then[len(d.Then)-1]
	one := d.Weight.Rows == 1
	if one && end == rnn.Sigmoid || !one && (end == rnn.Softmax || end == rnn.LogSoftmax) {
		return rest, true
	}
	return d.Then, false
}

// following returns the activations behind a dense layer and before the next, or before
// the end if next is empty. It reports whether they are certain: modules in a Sequential
// run in their order, while others run as their parent's code says, which no file has.
func (s *source) following(path, next string) (then []operation, found bool, err error) {
	at := s.part(path)
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
		a, err := s.operation(p)
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
		i := s.part(above)
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

// operation returns what a module in a Sequential does.
func (s *source) operation(p torch.Part) ([]operation, error) {
	for _, n := range s.norms {
		if n.path == p.Path {
			n.placed = true
			return []operation{{norm: n.as}}, nil
		}
	}
	class := p.Class.Base()
	if a, ok := classes[class]; ok {
		for name, want := range standard[class] {
			if got, ok := p.Facts[name]; ok && fmt.Sprint(got) != fmt.Sprint(want) {
				return nil, fmt.Errorf("%s is a %s with %s %v; only %v is supported", p.Path, class, name, got, want)
			}
		}
		s.placed[p.Path] = true
		return []operation{{activation: a}}, nil
	}
	if silent(p) {
		return nil, nil
	}
	return nil, fmt.Errorf("%s is a %s, which is not supported around dense layers; %s", p.Path, p.Class, instead)
}

// silent reports whether a module does nothing, once training is over.
func silent(p torch.Part) bool {
	return slices.Contains([]string{"Sequential", "Identity", "Dropout", "AlphaDropout", "Flatten"}, p.Class.Base())
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
	s.guessed = a
	text := fmt.Sprintf("between the dense layers there is taken to be %s, %s; the option activation says otherwise", a, why)
	if !slices.Contains(s.notes, text) {
		s.note("%s", text)
	}
	return []rnn.Activation{a}, nil
}

// guess looks for an activation that the modules name.
func (s *source) guess() (a rnn.Activation, why string) {
	var found []rnn.Activation
	for _, p := range s.parts {
		if a := hidden(p); a != "" {
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

// bounded shortens the rows of an embedding that are longer than its max_norm, as looking them
// up does in PyTorch, also once training is over.
func (s *source) bounded(stack *rnn.Stack, path string) error {
	i := s.part(path)
	if i < 0 || s.parts[i].Class.Base() != "Embedding" {
		return nil
	}
	facts := s.parts[i].Facts
	most, ok := number64(facts["max_norm"])
	if !ok {
		return nil
	}
	if kind, ok := number64(facts["norm_type"]); ok && kind != 2 {
		return fmt.Errorf("%s is an Embedding with max_norm %v and norm_type %v; only 2 is supported; %s", path, most, kind, instead)
	}
	stack.Embedding = f32.Of(stack.Embedding.Rows, stack.Embedding.Cols, slices.Clone(stack.Embedding.Data))
	for t := range stack.Embedding.Rows {
		row, sum := stack.Embedding.Row(t), 0.0
		for _, x := range row {
			sum += float64(x) * float64(x)
		}
		if norm := math.Sqrt(sum); norm > most {
			for k := range row {
				row[k] *= float32(most / (norm + 1e-7)) // as PyTorch has it
			}
		}
	}
	return nil
}

// number64 returns a fact that is a number.
func number64(fact any) (float64, bool) {
	switch x := fact.(type) {
	case float64:
		return x, true
	case int64:
		return float64(x), true
	}
	return 0, false
}
