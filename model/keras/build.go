package keras

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"quotient/f32"
	"quotient/rnn"
)

// A builder puts a stack together, layer by layer.
type builder struct {
	weights
	model *Model
	norms int       // how many layers normalize
	last  *settings // of the last recurrent layer
}

// silent are the layers that do nothing once training is over.
var silent = []string{"InputLayer", "Dropout", "SpatialDropout1D", "GaussianNoise", "GaussianDropout", "AlphaDropout", "ActivityRegularization"}

// known are the classes of layers whose settings must be understood.
var known = map[string]bool{
	"Embedding": true, "SimpleRNN": true, "GRU": true, "LSTM": true, "Bidirectional": true, "TimeDistributed": true,
	"Dense": true, "Masking": true, "Activation": true, "Softmax": true,
	"LayerNormalization": true, "RMSNormalization": true, "BatchNormalization": true,
}

func (b *builder) note(format string, args ...any) {
	b.model.Notes = append(b.model.Notes, fmt.Sprintf(format, args...))
}

// layer adds a layer.
func (b *builder) layer(y *configuration) error {
	s := b.model.Stack
	if err := b.input(y); err != nil {
		return err
	}
	switch {
	case slices.Contains(silent, y.Class):
		return nil
	case y.Class == "Embedding":
		return b.embedding(y)
	case y.Class == "SimpleRNN" || y.Class == "GRU" || y.Class == "LSTM" || y.Class == "Bidirectional":
		return b.recurrent(y)
	case y.Class == "Masking" && len(s.Layers) == 0:
		return b.masking(y)
	case y.Class == "Flatten" && b.last != nil && !b.last.ReturnSequences:
		return nil
	case !known[y.Class] || y.Class == "Masking":
		return fmt.Errorf("layers of class %s are not supported here; %s", y.Class, instead)
	case norms[y.Class] != "":
		return b.norm(y)
	case len(s.Layers) == 0:
		return fmt.Errorf("a %s before the recurrent layers is not supported; %s", y.Class, instead)
	case y.Class == "Dense":
		return b.dense(y, y.Activation)
	case y.Class == "TimeDistributed":
		if y.Layer == nil || y.Layer.Class != "Dense" {
			return fmt.Errorf("TimeDistributed is supported around a Dense layer alone; %s", instead)
		}
		return b.dense(y, y.Layer.Activation)
	case y.Class == "Softmax":
		if y.Axis != nil && *y.Axis != -1 {
			return fmt.Errorf("a Softmax along axis %d; only -1 is supported", *y.Axis)
		}
		return b.then(json.RawMessage(`"softmax"`))
	}
	return b.then(y.Activation)
}

// input notes that a network has always read words of one length.
func (b *builder) input(y *configuration) error {
	for _, shape := range [][]*int{y.Shape, y.OldShape} {
		if len(shape) > 3 {
			return fmt.Errorf("inputs have %d axes, not words and tokens; %s", len(shape), instead)
		}
		if len(shape) > 1 && shape[1] != nil && len(b.model.Stack.Layers) == 0 {
			b.note("its input has %d tokens, so it has read padding behind or before shorter words; here it reads none: compare with some words, padded as for training", *shape[1])
			return nil
		}
	}
	return nil
}

// arrays returns the weights of a layer and keeps them for the list of tensors.
func (b *builder) arrays(y *configuration) ([]rnn.Tensor, error) {
	list, err := b.of(y)
	b.model.Tensors = append(b.model.Tensors, list...)
	return list, err
}

func (b *builder) embedding(y *configuration) error {
	s := b.model.Stack
	if s.Tokens > 0 || len(s.Layers) > 0 {
		return errors.New("an Embedding behind other layers; " + instead)
	}
	list, err := b.arrays(y)
	if err != nil {
		return err
	}
	if len(list) != 1 || len(list[0].Dims) != 2 || len(list[0].Data) == 0 {
		return fmt.Errorf("its weights %s are not one matrix", shapes(list))
	}
	s.Tokens = list[0].Dims[0]
	s.Embedding = f32.Of(s.Tokens, list[0].Dims[1], list[0].Data)
	if y.MaskZero {
		b.model.Masked = true
		b.note("token 0 is padding, which the network skips (mask_zero): it is no symbol")
	}
	return nil
}

// masking leaves a mask out that cannot matter: no one-hot vector is all zeros.
func (b *builder) masking(y *configuration) error {
	if b.model.Stack.Tokens > 0 || y.MaskValue == 1 {
		return errors.New("a Masking layer is supported before one-hot inputs alone; an Embedding with mask_zero does the same for token 0; " + instead)
	}
	return nil
}

// recurrent adds a recurrent layer, in one direction or in both.
func (b *builder) recurrent(y *configuration) error {
	s := b.model.Stack
	if len(s.Head) > 0 || b.last != nil && !b.last.ReturnSequences {
		return errors.New("a recurrent layer behind one that does not return sequences, or behind dense ones; " + instead)
	}
	list, err := b.arrays(y)
	if err != nil {
		return err
	}
	if y.Class != "Bidirectional" {
		layer, err := direction(y, list, false)
		s.Layers, b.last = append(s.Layers, layer), &y.settings
		return err
	}
	if y.Layer == nil || y.MergeMode != "" && y.MergeMode != "concat" {
		return fmt.Errorf("a Bidirectional layer with merge_mode %q; only concat is supported; %s", y.MergeMode, instead)
	}
	if y.Backward == nil {
		back := *y.Layer
		back.GoBackwards = true
		y.Backward = &back
	}
	if y.Backward.Class != y.Layer.Class || y.Backward.ReturnSequences != y.Layer.ReturnSequences || len(list)%2 != 0 {
		return fmt.Errorf("its two directions differ, %s and %s; %s", y.Layer.Class, y.Backward.Class, instead)
	}
	layer, err := direction(y.Layer, list[:len(list)/2], false)
	if err != nil {
		return err
	}
	back, err := direction(y.Backward, list[len(list)/2:], true)
	layer.Reverse = &back
	s.Layers, b.last = append(s.Layers, layer), &y.Layer.settings
	return err
}

// cells are the classes of recurrent layers.
var cells = map[string]*rnn.Cell{"SimpleRNN": rnn.Elman, "GRU": rnn.GRU, "LSTM": rnn.LSTM}

// direction makes a recurrent layer, which reads words from their end if it is told so.
func direction(y *configuration, list []rnn.Tensor, backward bool) (rnn.Layer, error) {
	layer, err := recurrent(list)
	if err != nil {
		return layer, err
	}
	want := []string{"tanh", "sigmoid"}
	if y.Class == "SimpleRNN" {
		want = []string{"tanh", ""}
	}
	for i, raw := range []json.RawMessage{y.Activation, y.RecurrentActivation} {
		name, err := functionName(raw)
		if err != nil {
			return layer, err
		}
		if y.Class == "SimpleRNN" && i == 0 && name == "relu" {
			layer.ReLU = true
		} else if name != want[i] && name != "" {
			return layer, fmt.Errorf("a %s with the function %s where %s is supported; %s", y.Class, name, want[i], instead)
		}
	}
	switch {
	case layer.Cell != cells[y.Class]:
		return layer, fmt.Errorf("its weights %s are not those of a %s", shapes(list), y.Class)
	case y.GoBackwards != backward:
		return layer, fmt.Errorf("it reads words from their end (go_backwards); %s", instead)
	case y.ReturnState || y.TimeMajor:
		return layer, fmt.Errorf("it returns its state (return_state) or has time first (time_major), which is not supported; %s", instead)
	}
	if len(list) < 3 {
		layer.ResetBefore = y.ResetAfter != nil && !*y.ResetAfter
	}
	return layer, nil
}

// functionName returns the name of an activation; empty if none is said.
func functionName(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	var name string
	if err := json.Unmarshal(raw, &name); err != nil {
		return "", fmt.Errorf("a function that is not one of Keras' own; %s", instead)
	}
	return name, nil
}

// functions are the activations of Keras that behave as ours. Its leaky_relu has another slope.
var functions = map[string]rnn.Activation{
	"tanh": rnn.Tanh, "relu": rnn.ReLU, "elu": rnn.ELU, "gelu": rnn.GELU, "silu": rnn.SiLU, "swish": rnn.SiLU,
	"softplus": rnn.Softplus, "sigmoid": rnn.Sigmoid, "softmax": rnn.Softmax, "log_softmax": rnn.LogSoftmax,
}

func (b *builder) dense(y *configuration, activation json.RawMessage) error {
	list, err := b.arrays(y)
	if err != nil {
		return err
	}
	d, err := dense(list)
	if err != nil {
		return err
	}
	b.model.Stack.Head = append(b.model.Stack.Head, d)
	return b.then(activation)
}

// then adds a function behind the last layer. Before the first dense one, it follows one that
// changes nothing.
func (b *builder) then(raw json.RawMessage) error {
	name, err := functionName(raw)
	if err != nil || name == "" || name == "linear" {
		return err
	}
	a, ok := functions[name]
	if !ok {
		return fmt.Errorf("the function %s is not supported; %s", name, instead)
	}
	s := b.model.Stack
	if len(s.Head) == 0 {
		n := s.Layers[len(s.Layers)-1].Outputs()
		s.Head = append(s.Head, rnn.Dense{Weight: f32.Identity(n)})
	}
	last := &s.Head[len(s.Head)-1]
	last.Then = append(last.Then, a)
	return nil
}

// finish checks the whole.
func (b *builder) finish() (*Model, error) {
	s := b.model.Stack
	if len(s.Layers) == 0 {
		return nil, errors.New("there is no recurrent layer in it; " + instead)
	}
	if s.Tokens == 0 {
		s.Tokens = s.Layers[0].In.Cols
	}
	if !b.last.ReturnSequences {
		s.Summary = rnn.FinalStates
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	end := s.Head[len(s.Head)-1]
	if n := len(end.Then); end.Weight.Rows == 1 && (n == 0 || end.Then[n-1] != rnn.Sigmoid) {
		b.note("its output has no sigmoid: it is taken for a logit, and over 0 is a yes")
	}
	return b.model, nil
}
