package torch

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A TorchScript program is a pickle of modules whose attributes are their parameters and
// children, and beside it the code of their classes. The code is not run. It is searched for
// constants, for which function an Elman layer has, and for what it calls.

// script collects a module's facts, tensors and children.
func (w *walk) script(r *record, path string, depth int) error {
	a := r.attributes()
	if err := w.visit(path, depth, len(a.keys)); err != nil {
		return err
	}
	facts, err := w.facts(a)
	if err != nil {
		return err
	}
	class := demangled(r.class)
	body, err := w.body(r.class)
	if err != nil {
		return err
	}
	if err := w.codeFacts(class, body, facts); err != nil {
		return err
	}
	w.model.Parts = append(w.model.Parts, Part{path, class, facts})
	if err := w.dictionary(a, path, nil); err != nil {
		return err
	}
	for i, key := range a.keys {
		name, ok := key.(string)
		child, ok2 := a.values[i].(*record)
		if !ok || !ok2 || !isScript(child) {
			continue
		}
		if err := w.script(child, join(path, name), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// isScript reports whether a value is a module of a TorchScript program.
func isScript(value any) bool {
	r, ok := value.(*record)
	return ok && strings.HasPrefix(string(r.class), "__torch__.")
}

// mangled matches what is put into the names of classes to tell them apart.
var mangled = regexp.MustCompile(`___torch_mangle_\d+\.`)

// demangled returns the name that a class had in Python.
func demangled(class Name) Name {
	return Name(mangled.ReplaceAllString(strings.TrimPrefix(string(class), "__torch__."), ""))
}

// body returns the code of a class; empty if there is none.
func (w *walk) body(class Name) (string, error) {
	module := strings.TrimSuffix(string(class), "."+class.Base())
	text, err := w.code("code/" + strings.ReplaceAll(module, ".", "/") + ".py")
	if err != nil {
		return "", err
	}
	_, body, _ := strings.Cut("\n"+string(text), "\nclass "+class.Base()+"(")
	body, _, _ = strings.Cut(body, "\nclass ")
	return body, w.budget.spend(len(text) + len(body))
}

// constant matches a setting of a class, and call what its code calls.
var (
	constant = regexp.MustCompile(`(?m)^  (\w{1,40}) : Final\[\w+\] = "?([\w.\-]{1,40})"?$`)
	call     = regexp.MustCompile(`torch\.(\w{1,40})\(`)
)

// unsaid are the settings that code has without their names, if it was traced.
var unsaid = map[string]string{"LeakyReLU": "negative_slope", "ELU": "alpha", "GELU": "approximate", "Softplus": "beta"}

// harmless are the calls that do not change what a decision is made of, or that are layers.
var harmless = []string{
	"select", "slice", "size", "len", "dim", "zeros", "unsqueeze", "squeeze", "contiguous", "embedding", "linear", "dropout", "one_hot",
	"to", "sigmoid", "softmax", "log_softmax", "rnn_tanh", "rnn_relu", "gru", "lstm", "eq", "__getitem__", "arange",
}

// norms are the calls that normalize.
var norms = []string{"layer_norm", "native_layer_norm", "batch_norm", "_native_batch_norm_legit_no_training", "rms_norm"}

// codeFacts adds what the code of a class says.
func (w *walk) codeFacts(class Name, body string, facts map[string]any) error {
	for _, m := range constant.FindAllStringSubmatch(body, maxConstants) {
		facts[m[1]] = m[2]
		if x, err := strconv.ParseFloat(m[2], 64); err == nil {
			facts[m[1]] = x
		}
	}
	for _, function := range []string{"tanh", "relu"} {
		if strings.Contains(body, "torch.rnn_"+function) {
			facts["nonlinearity"] = function
		}
	}
	normFacts(body, facts)
	if setting := unsaid[class.Base()]; setting != "" && facts[setting] == nil {
		facts[setting] = "that its code does not name"
	}
	if strings.HasPrefix(string(class), "torch.nn.") {
		return nil
	}
	var calls []string
	for _, m := range call.FindAllStringSubmatch(body, maxConstants) {
		calls = append(calls, m[1])
	}
	if i := slices.IndexFunc(calls, func(c string) bool { return slices.Contains(norms, c) }); i >= 0 {
		return fmt.Errorf("the code of %s calls %s itself, and where it stands is not read; make a module of it and save that whole, or export it as .onnx", class, calls[i])
	}
	return w.model.called(calls, "the code of "+string(class), facts)
}

// normed matches how norms are called by code that was traced, and shape a setting of code
// that was scripted.
var (
	normed  = regexp.MustCompile(`torch\.(?:layer|batch|rms)_norm\(([^()]{1,200})\)`)
	decimal = regexp.MustCompile(`\d\.?\d*e-\d+|0?\.\d+`)
	shape   = regexp.MustCompile(`(?m)^  normalized_shape : Final\[Tuple\[int\]\] = \((\d{1,9}),\)$`)
	listed  = regexp.MustCompile(`\[(\d{1,9})\]`)
)

// normFacts adds how many numbers a norm is of, and what it adds to their variance. That is the
// last number of a call; batch norms have their momentum before it.
func normFacts(body string, facts map[string]any) {
	size := shape.FindStringSubmatch(body)
	if call := normed.FindStringSubmatch(body); call != nil {
		size = listed.FindStringSubmatch(call[1])
		if all := decimal.FindAllString(call[1], 8); len(all) > 0 {
			facts["eps"], _ = strconv.ParseFloat(all[len(all)-1], 64)
		}
	}
	if size != nil {
		facts["normalized_shape"], _ = strconv.ParseInt(size[1], 10, 64)
	}
}

// called notes what code calls beside layers. If that is one function, it may be the one
// between dense layers.
func (m *Model) called(calls []string, who string, facts map[string]any) error {
	var others []string
	for _, c := range calls {
		if slices.Contains([]string{"leaky_relu", "elu", "gelu", "softplus"}, c) {
			return fmt.Errorf("%s calls %s, whose settings are not read; save the model's state_dict and name the function by the option activation, or export the model as .onnx", who, c)
		}
		if !slices.Contains(harmless, c) && !slices.Contains(norms, c) && !slices.Contains(others, c) && len(others) < maxConstants {
			others = append(others, c)
		}
	}
	if len(others) == 1 {
		facts["activation"] = others[0]
	}
	if len(others) > 0 {
		m.Notes = append(m.Notes, fmt.Sprintf("%s calls %s, and is not run: only layers are read; whether that is all, the answers for some words show", who, strings.Join(others, ", ")))
	}
	return nil
}

// maxConstants is more than a class has.
const maxConstants = 64
