package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quotient/model/torch"
	"quotient/rnn"
)

// A norm is a normalization that a file has. Where it stands follows from an
// nn.Sequential that it is in, or from its size, and is a guess if that leaves a choice.
type norm struct {
	path   string // of its module
	size   int
	as     *rnn.Norm
	placed bool
	scaled bool     // it has a scale and no shift, and no class: it may be of another kind
	places []string // where it may stand
}

// base returns the norm's own name.
func (n *norm) base() string { return lastName(n.path) }

// vectors are the tensors of a norm.
type vectors struct{ scale, shift, mean, variance []float32 }

// normTensors are their names: PyTorch's, Keras' and Flax'.
var normTensors = map[string]func(v *vectors) *[]float32{
	"weight": func(v *vectors) *[]float32 { return &v.scale }, "gamma": func(v *vectors) *[]float32 { return &v.scale },
	"scale": func(v *vectors) *[]float32 { return &v.scale },
	"bias":  func(v *vectors) *[]float32 { return &v.shift }, "beta": func(v *vectors) *[]float32 { return &v.shift },
	"running_mean": func(v *vectors) *[]float32 { return &v.mean }, "moving_mean": func(v *vectors) *[]float32 { return &v.mean },
	"running_var": func(v *vectors) *[]float32 { return &v.variance }, "moving_variance": func(v *vectors) *[]float32 { return &v.variance },
}

// defaultEps is what is added to variances where a file does not say: by PyTorch, and by
// those who have names of their own for the scale.
var defaultEps = map[string]float64{"weight": 1e-5, "gamma": 1e-3, "scale": 1e-6}

// maxNorms is more than a network has.
const maxNorms = 64

// rmsEps is what PyTorch adds if it is told nothing: the distance from 1 to the next number.
const rmsEps = 1.0 / (1 << 23)

// findNorms collects the norms of a file, and takes their tensors.
func (s *source) findNorms() error {
	found, eps := make(map[string]*vectors), make(map[string]float64)
	var paths []string
	for _, t := range s.tensors {
		path, base := parent(t.Name), lastName(t.Name)
		if len(t.Dims) == 1 && normTensors[base] != nil && !s.hasMatrix(path) {
			if found[path] == nil {
				found[path], eps[path] = &vectors{}, defaultEps["weight"]
				paths = append(paths, path)
			}
			*normTensors[base](found[path]) = t.Data
			eps[path] = cmp.Or(defaultEps[base], eps[path])
		}
	}
	for _, p := range s.parts { // those without weights
		if normClass(p) != "" && found[p.Path] == nil {
			found[p.Path], eps[p.Path] = &vectors{}, defaultEps["weight"]
			paths = append(paths, p.Path)
		}
	}
	if len(paths) > maxNorms {
		return fmt.Errorf("%d modules with vectors alone: a recurrent network has fewer than %d norms", len(paths), maxNorms)
	}
	for _, path := range paths {
		n, err := s.norm(path, *found[path], eps[path])
		if err != nil {
			return err
		}
		if n != nil {
			s.norms = append(s.norms, n)
			for base := range normTensors {
				s.used[path+"."+base] = true
			}
			s.used[path+".num_batches_tracked"] = true
		}
	}
	if list := slices.Compact(slices.Sorted(slices.Values(s.unclear))); len(list) > 0 {
		s.note("the file does not say of which kind its norms are, and layer norms are taken for granted: %s; the option norm, as %s=layer, says so", strings.Join(list, ", "), list[0])
	}
	return nil
}

// hasMatrix reports whether a module has a matrix, so that its vectors are biases.
func (s *source) hasMatrix(path string) bool {
	return path == "" || slices.ContainsFunc(s.tensors, func(t rnn.Tensor) bool { return len(t.Dims) > 1 && parent(t.Name) == path })
}

// normClass returns the kind of norm that a module is of by its class; empty if it is none.
// Classes of one's own are known by their names.
func normClass(p torch.Part) rnn.NormKind {
	base := strings.ToLower(p.Class.Base())
	own := !strings.HasPrefix(string(p.Class), "torch.nn.")
	switch {
	case base == "rmsnorm" || own && strings.HasSuffix(base, "rmsnorm"):
		return rnn.RMSNorm
	case base == "layernorm" || own && strings.HasSuffix(base, "layernorm"):
		return rnn.LayerNorm
	case base == "batchnorm1d":
		return rnn.BatchNorm
	}
	return ""
}

// norm makes a norm of its tensors, and of what the module says; nil if it is none.
func (s *source) norm(path string, v vectors, eps float64) (*norm, error) {
	n := &norm{path: path, size: max(len(v.scale), len(v.shift), len(v.mean))}
	kind, classed := rnn.NormKind(""), false
	if i := s.part(path); i >= 0 {
		p := s.parts[i]
		kind, classed = normClass(p), p.Class != ""
		if kind != "" && !strings.HasPrefix(string(p.Class), "torch.nn.") {
			s.note("%s is of a class of its own, %s: it is taken for a usual %s; whether that is right, the answers for some words show", path, p.Class, kind)
		}
		if x, ok := p.Facts["eps"].(float64); ok {
			eps = x
		} else if kind == rnn.RMSNorm {
			eps = rmsEps
		}
		if x, ok := p.Facts["normalized_shape"].(int64); ok && n.size == 0 {
			n.size = int(x)
		}
	}
	if kind == "" {
		if kind = normByName(n.base(), v); kind == "" || classed && strings.HasPrefix(string(s.parts[s.part(path)].Class), "torch.nn.") {
			return nil, nil
		}
		if kind, n.scaled = s.openKind(n, kind, v), v.shift == nil && v.mean == nil; kind == rnn.RMSNorm {
			eps = rmsEps
		}
	}
	for _, list := range [][]float32{v.scale, v.shift, v.mean, v.variance} {
		if list != nil && len(list) != n.size {
			return nil, fmt.Errorf("%s: its tensors have %d and %d numbers", path, n.size, len(list))
		}
	}
	switch {
	case n.size == 0:
		return nil, fmt.Errorf("%s is a %s, and the file does not say of how many numbers; %s", path, kind, instead)
	case kind == rnn.BatchNorm && (v.mean == nil || v.variance == nil):
		return nil, fmt.Errorf("%s is a batch norm without statistics of training (track_running_stats), so that its outputs depend on what else is in a batch; %s", path, instead)
	case kind == rnn.BatchNorm:
		if slices.ContainsFunc(v.variance, func(x float32) bool { return !(x >= 0) || !(float64(x)+eps > 0) }) {
			return nil, fmt.Errorf("%s: a variance that is below zero", path)
		}
		n.as = rnn.Normalized(v.mean, v.variance, v.scale, v.shift, float32(eps))
	default:
		n.as = &rnn.Norm{Kind: kind, Scale: v.scale, Shift: v.shift, Eps: float32(eps)}
	}
	return n, nil
}

// normByName returns the kind of norm that vectors are of, if their module's name and what
// there is of them leave no doubt.
func normByName(name string, v vectors) rnn.NormKind {
	name = strings.ToLower(name)
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(name, p) })
	}
	switch {
	case v.mean != nil && v.variance != nil:
		return rnn.BatchNorm
	case v.mean != nil || v.variance != nil || v.scale == nil || has("group", "gn", "inst", "bn", "batch"):
		return ""
	case v.shift == nil && has("norm", "rms") && !has("layer"):
		return rnn.RMSNorm
	case v.shift != nil || has("ln", "norm"):
		return rnn.LayerNorm
	}
	return ""
}

// openKind returns the kind of norm that the user says or that the name does, and notes that
// it is a guess if it is one.
func (s *source) openKind(n *norm, kind rnn.NormKind, v vectors) rnn.NormKind {
	said := strings.ToLower(n.base())
	switch told := s.toldNorms(n); {
	case slices.Contains(told, "rms"):
		return rnn.RMSNorm
	case slices.Contains(told, "layer"):
		return rnn.LayerNorm
	case kind == rnn.BatchNorm || kind == rnn.RMSNorm && strings.Contains(said, "rms"):
	case v.shift == nil:
		s.note("the file does not say what %s is: it has a scale and no shift, and is taken to be a %s; the option norm %s=rms or %[3]s=layer says otherwise", n.path, kind, n.base())
	case !strings.Contains(said, "ln") && !strings.Contains(said, "layer"):
		s.unclear = append(s.unclear, n.base())
	}
	return kind
}
