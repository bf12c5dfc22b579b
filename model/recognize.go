package model

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quotient/f32"
	"quotient/model/torch"
	"quotient/rnn"
)

// maxTensors is more than a recurrent network has.
const maxTensors = 1000

// maxBeside is more than a file has with all that training keeps beside a network.
const maxBeside = 20 * maxTensors

// A source is what a file tells of a network: its tensors by name and, where a whole
// module was saved, the modules that they belong to.
type source struct {
	tensors []rnn.Tensor
	parts   []torch.Part
	ordered bool // tensors come in the order in which the network was made
	options Options

	all        []rnn.Tensor // as the file has them
	hand       []*handmade  // cells that are not PyTorch's own
	norms      []*norm      // normalizations that were found
	unclear    []string     // norms whose kind is a guess
	predicts   bool         // it is read as a language model
	heads      []string     // that a file has, if there are several
	head       string       // what is said of the one that was taken
	order      string       // of the recurrent modules, in words, if it is open
	orders     []string     // others that fit
	layerPaths []string     // of each recurrent layer, the module that it is in

	used     map[string]bool // tensors that have found their place
	placed   map[string]bool // activations that have
	guessed  rnn.Activation  // between dense layers
	beside   []string        // tensors that were left out, since only training needs them
	notes    []string        // guesses that the user should know of
	probable bool            // the file says that the network ends with a probability
}

func (s *source) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// recognize makes a network of named tensors. Recurrent layers have PyTorch's names and
// are put in the order in which their sizes fit; whatever is left over must be an
// embedding before them and dense layers behind, by the sizes and, where those leave a
// choice, by names.
func (s *source) recognize() (*rnn.Stack, error) {
	s.used, s.placed, s.hand, s.all = make(map[string]bool), make(map[string]bool), nil, s.tensors
	if len(s.tensors) <= maxBeside {
		s.leaveOut()
	}
	if err := s.supported(); err != nil {
		return nil, err
	}
	if !s.ordered {
		s.tensors = slices.Clone(s.tensors)
		slices.SortStableFunc(s.tensors, func(a, b rnn.Tensor) int { return natural(a.Name, b.Name) })
	}
	if !slices.ContainsFunc(s.tensors, func(t rnn.Tensor) bool { return !digital(t.Name) }) {
		s.tensors, _ = listedByTorch(s.tensors)
	}
	if err := s.findNorms(); err != nil {
		return nil, err
	}
	groups, err := s.groups()
	if err != nil {
		return nil, err
	}
	groups, err = s.chain(groups)
	if err != nil {
		return nil, err
	}
	stack := &rnn.Stack{Summary: rnn.FinalStates}
	for _, g := range groups {
		stack.Layers = append(stack.Layers, g.layers...)
		s.layerPaths = append(s.layerPaths, slices.Repeat([]string{strings.TrimSuffix(g.path, ".")}, len(g.layers))...)
	}
	if err := s.upTo(stack, s.options.Layer); err != nil {
		return nil, err
	}
	if err := s.around(stack); err != nil {
		return nil, err
	}
	if s.options.Summary == "cell" {
		stack.Summary = rnn.FinalCells
	} else if stack.Bidirectional() {
		if s.options.Summary == "last" {
			stack.Summary = rnn.LastOutput
		} else if s.options.Summary == "" {
			s.note("the file does not say what the decision reads of the bidirectional layer: it is taken to be the final state of either direction; the option summary last takes the outputs at the last token")
		}
	}
	return stack, stack.Check()
}

// upTo leaves the recurrent layers out that are above the one that the decision reads, and the
// norms inside them: they have no say.
func (s *source) upTo(stack *rnn.Stack, n int) error {
	if n > len(stack.Layers) {
		return fmt.Errorf("layer %d: the network has %d recurrent layers", n, len(stack.Layers))
	}
	if n == 0 {
		return nil
	}
	above := s.layerPaths[n:]
	stack.Layers, s.layerPaths = stack.Layers[:n], s.layerPaths[:n]
	s.norms = slices.DeleteFunc(s.norms, func(x *norm) bool {
		return slices.ContainsFunc(above, func(path string) bool {
			return path != "" && !slices.Contains(s.layerPaths, path) && within(x.path, path)
		})
	})
	return nil
}

// instead is what remains to be done with a network that is not supported.
const instead = "a graph of torch.onnx.export may say more, and the option exec asks any model as a black box"

// supported names what a network may have that a stack has not.
func (s *source) supported() error {
	if len(s.tensors) > maxTensors {
		return fmt.Errorf("%d tensors: a recurrent network has fewer than %d", len(s.tensors), maxTensors)
	}
	for _, t := range s.tensors {
		base := lastName(t.Name)
		switch {
		case strings.HasPrefix(base, "weight_hr"):
			return fmt.Errorf("tensor %q: LSTMs with projections (proj_size) are not supported; %s", t.Name, instead)
		case strings.HasPrefix(base, "in_proj"), strings.Contains(t.Name, "attn."), strings.Contains(t.Name, "attention."):
			return fmt.Errorf("tensor %q: attention is not supported; %s", t.Name, instead)
		case strings.Contains(t.Name, "parametrizations."), slices.Contains([]string{"weight_g", "weight_v", "weight_orig"}, base):
			return fmt.Errorf("tensor %q: other weights are computed from it, as by weight_norm; torch.nn.utils.parametrize.remove_parametrizations or remove_weight_norm leaves plain weights", t.Name)
		case base == "_flat_param" || base == "flat_param":
			return fmt.Errorf("tensor %q holds all weights in one piece, as FSDP keeps them; save the model with StateDictType.FULL_STATE_DICT", t.Name)
		case start.MatchString(base):
			return fmt.Errorf("tensor %q may be an initial state that is learned, which is not supported; %s", t.Name, instead)
		case len(t.Dims) > 2:
			return fmt.Errorf("tensor %q has shape %v: convolutions and the like are not supported; %s", t.Name, t.Dims, instead)
		}
	}
	return s.foreign()
}

// start matches the names of initial states.
var start = regexp.MustCompile(`(?i)^(h_?0|c_?0|(init|initial|start|learned)_?(h|c|hidden|cell|state|hidden_state)(_state)?|(hidden|h|state)_?init)$`)

// foreign names a module of PyTorch that has a place in the network, and none in a stack.
// Where it has no weights of its own, it would be missed silently.
func (s *source) foreign() error {
	for _, p := range s.parts {
		for _, kind := range []string{"normalization", "batchnorm", "instancenorm", "pooling", "conv", "transformer"} {
			if strings.HasPrefix(string(p.Class), "torch.nn.modules."+kind+".") && normClass(p) == "" {
				return fmt.Errorf("%s is a %s, which is not supported; %s", p.Path, p.Class, instead)
			}
		}
	}
	return nil
}

// A group is a recurrent module: its layers, one upon the other.
type group struct {
	path   string // of the module, with the dot behind it
	layers []rnn.Layer
}

func (g *group) inputs() int  { return g.layers[0].In.Cols }
func (g *group) outputs() int { return g.layers[len(g.layers)-1].Outputs() }

// recurrent matches PyTorch's names: rnn.weight_ih_l0, cell.bias_hh, ..._reverse.
var recurrent = regexp.MustCompile(`^(?:(.*)\.)?(weight|bias)_(ih|hh)(?:_l(\d{1,3}))?(_reverse)?$`)

// groups collects the recurrent modules, in the order of the tensors.
func (s *source) groups() ([]*group, error) {
	var list []*group
	tensor := make(map[string]rnn.Tensor)
	for _, t := range s.tensors {
		match := recurrent.FindStringSubmatch(t.Name)
		if match == nil {
			continue
		}
		tensor[t.Name] = t
		path := match[1]
		if path != "" {
			path += "."
		}
		if match[2] == "weight" && !slices.ContainsFunc(list, func(g *group) bool { return g.path == path }) {
			list = append(list, &group{path: path})
		}
	}
	if len(list) == 0 {
		if found, err := s.handwritten(); err != nil || len(found) > 0 {
			return found, err
		}
		return nil, fmt.Errorf("there is no recurrent layer in it, no tensor such as rnn.weight_ih_l0; it has %s; %s", s.list(s.tensors), instead)
	}
	for _, g := range list {
		present := func(suffix string) bool { return tensor[g.path+"weight_ih"+suffix].Name != "" }
		suffix := func(l int) string { return fmt.Sprintf("_l%d", l) }
		if present("") { // a cell: RNNCell, GRUCell, LSTMCell
			suffix = func(int) string { return "" }
		}
		for l := 0; l == 0 || suffix(l) != suffix(0) && present(suffix(l)); l++ {
			y, err := s.layer(tensor, g.path, suffix(l))
			if err != nil {
				return nil, err
			}
			if present(suffix(l) + "_reverse") {
				back, err := s.layer(tensor, g.path, suffix(l)+"_reverse")
				if err != nil {
					return nil, err
				}
				y.Reverse = &back
			}
			g.layers = append(g.layers, y)
		}
	}
	for _, t := range s.tensors {
		if _, ok := tensor[t.Name]; ok && !s.used[t.Name] {
			return nil, fmt.Errorf("tensor %q belongs to a recurrent layer that is not complete", t.Name)
		}
	}
	return list, nil
}

// resetBefore is the fact of a GRU that it applies its reset gate before the recurrent product.
const resetBefore = "reset_before"

// layer makes a layer of one direction.
func (s *source) layer(tensor map[string]rnn.Tensor, path, suffix string) (y rnn.Layer, err error) {
	matrix := func(name string) f32.Matrix {
		t, ok := tensor[path+name+suffix]
		if err == nil && (!ok || len(t.Dims) != 2 || len(t.Data) == 0) {
			err = fmt.Errorf("there is no matrix %q", path+name+suffix)
		}
		if err != nil {
			return f32.Matrix{}
		}
		s.used[t.Name] = true
		return f32.Of(t.Dims[0], t.Dims[1], t.Data)
	}
	bias := func(name string) []float32 {
		s.used[path+name+suffix] = true
		return tensor[path+name+suffix].Data
	}
	y.In, y.Rec = matrix("weight_ih"), matrix("weight_hh")
	y.BiasIn, y.BiasRec = bias("bias_ih"), bias("bias_hh")
	if err != nil {
		return y, err
	}
	if rnn.CellOf(y.Rec.Rows, y.Rec.Cols) == nil && rnn.CellOf(y.Rec.Cols, y.Rec.Rows) != nil {
		y.In, y.Rec = transposed(y.In), transposed(y.Rec) // raw parameters of a hand-written cell, as x @ W wants them
	}
	if y.Cell = rnn.CellOf(y.Rec.Rows, y.Rec.Cols); y.Cell != nil {
		i := s.part(strings.TrimSuffix(path, "."))
		y.ResetBefore = i >= 0 && s.parts[i].Facts[resetBefore] == true
		return y, s.nonlinearity(&y, strings.TrimSuffix(path, "."))
	}
	return y, fmt.Errorf("tensor %q has shape [%d %d]: its rows should be 1, 3 or 4 times its columns, for an Elman network, a GRU or an LSTM",
		path+"weight_hh"+suffix, y.Rec.Rows, y.Rec.Cols)
}

// nonlinearity finds which function an Elman layer has: as the user or the module says.
func (s *source) nonlinearity(y *rnn.Layer, path string) error {
	if y.Cell != rnn.Elman {
		return nil
	}
	function := s.options.Nonlinearity
	for _, p := range s.parts {
		if found, ok := p.Facts["nonlinearity"].(string); ok && p.Path == path && function == "" {
			function = found
		}
	}
	switch function {
	case "relu":
		y.ReLU = true
	case "":
		const guess = "a file of weights does not say which function the Elman layers have: it is taken to be tanh; the option nonlinearity relu says otherwise"
		if !slices.Contains(s.notes, guess) {
			s.note(guess)
		}
	case "tanh":
	case none:
		y.Linear = y.Hidden()
	default:
		return fmt.Errorf("%s: an Elman layer with %q; tanh, relu and none are supported", path, function)
	}
	return nil
}

// fromEnd matches the names of cells that read words backward.
var fromEnd = regexp.MustCompile(`(?i)backward|bwd|reverse|(^|_)back(_|\.)`)

// permute calls f for all orders of 0 to n-1.
func permute(n int, f func(p []int)) {
	p := make([]int, 0, n)
	var extend func()
	extend = func() {
		if len(p) == n {
			f(p)
		}
		for k := range n {
			if !slices.Contains(p, k) {
				p = append(p, k)
				extend()
				p = p[:len(p)-1]
			}
		}
	}
	extend()
}

// list names tensors with their shapes, the first few of many.
func (s *source) list(tensors []rnn.Tensor) string {
	var text []string
	for i, t := range tensors {
		if i == 8 {
			text = append(text, fmt.Sprintf("and %d more", len(tensors)-i))
			break
		}
		text = append(text, fmt.Sprintf("%s %v", t.Name, t.Dims))
	}
	if len(text) == 0 {
		return "no tensors at all"
	}
	return strings.Join(text, ", ")
}

// natural compares names so that layer.2 comes before layer.10.
func natural(a, b string) int {
	for a != "" && b != "" {
		m, n := digits(a), digits(b)
		if m > 0 && n > 0 {
			x, _ := strconv.Atoi(a[:m])
			y, _ := strconv.Atoi(b[:n])
			if c := cmp.Or(cmp.Compare(x, y), cmp.Compare(m, n)); c != 0 {
				return c
			}
			a, b = a[m:], b[n:]
			continue
		}
		if a[0] != b[0] {
			break
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(a, b)
}

// digits returns how many digits a text begins with; more than nine are not a number.
func digits(s string) int {
	n := 0
	for n < len(s) && n < 9 && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
