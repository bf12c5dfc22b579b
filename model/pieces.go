package model

import (
	"regexp"
	"slices"
	"strings"

	"quotient/f32"
	"quotient/rnn"
)

// A piece is a matrix or a vector of a cell.
type piece struct {
	tensor rnn.Tensor
	name   string // in lower case and without what says nothing: W_xi is wxi, input_gate is input
	raw    bool   // a parameter by itself, not one of a Linear: it may stand the other way
}

// A place is where the pieces of one cell lie: a module, and a number where the module has
// several layers side by side.
type place struct {
	path   string
	module string // the path without the number
	pieces []piece
}

// number matches what counts the layers in a name: x2h1, W_hh_l0.
var number = regexp.MustCompile(`^(.*?[A-Za-z])(?:_l|_)?(\d+)$`)

// places sorts the tensors by the cells that they may belong to, in the order of the file.
func (s *source) places() (list []*place) {
	for _, t := range s.tensors {
		if len(t.Data) == 0 || len(t.Dims) < 1 || len(t.Dims) > 2 {
			continue
		}
		module, last := parent(t.Name), lastName(t.Name)
		raw := module == "" || !slices.Contains([]string{"weight", "bias", "kernel"}, last)
		if raw {
			module = t.Name
		}
		where, inner, base := home(module)
		i := slices.IndexFunc(list, func(p *place) bool { return p.path == where })
		if i < 0 {
			i, list = len(list), append(list, &place{path: where, module: inner})
		}
		list[i].pieces = append(list[i].pieces, piece{t, plainName(base), raw})
	}
	return list
}

// home returns where a Linear, a norm or a raw parameter lies: the cell's path, which ends with
// the number of the layer if there is one, the module alone, and its own name without a number.
func home(name string) (where, module, base string) {
	path := strings.Split(name, ".")
	last, layer := len(path)-1, ""
	if last > 0 && digits(path[last]) == len(path[last]) {
		layer, last = path[last], last-1
	}
	base = path[last]
	if match := number.FindStringSubmatch(base); match != nil {
		base, layer = match[1], layer+match[2]
	}
	module = strings.Join(path[:last], ".")
	if layer == "" {
		return module, module, base
	}
	return strings.TrimPrefix(module+"."+layer, "."), module, base
}

// apart matches the words of a name; wordless are those that say nothing.
var (
	apart    = regexp.MustCompile(`[A-Z]*[a-z]+|[A-Z]+`)
	wordless = []string{
		"linear", "lin", "gate", "gates", "layer", "fc", "dense", "proj", "projection", "to", "matrix", "param", "lstm", "gru", "rnn", "state", "tilde", "mat",
	}
)

// plainName joins the words of a name that say something.
func plainName(name string) (plain string) {
	for _, w := range apart.FindAllString(name, -1) {
		w = strings.ToLower(w)
		switch {
		case slices.Contains(wordless, w):
		case w == "weight" || w == "weights":
			plain += "w"
		case w == "bias":
			plain += "b"
		default:
			plain += w
		}
	}
	return plain
}

// gateNames are what people call the gates of a cell, which is the order of the letters.
var gateNames = map[string][][]string{
	"ifgo": {
		{"i", "input", "in"},
		{"f", "forget"},
		{"g", "c", "cell", "candidate", "cand", "new", "memory", "cellcandidate", "candidatecell", "ccandidate", "newmemory", "content", "update"},
		{"o", "output", "out"},
	},
	"rzn": {
		{"r", "reset"},
		{"z", "update", "u"},
		{"n", "h", "new", "candidate", "cand", "hidden", "c", "g", "hcandidate", "candidatehidden", "hiddencandidate", "memory"},
	},
}

// pairs are names of the matrices for the input and for the state of a gate, %, and
// wholes of those for all gates.
var (
	pairs = [][2]string{
		{"wi%", "wh%"},
		{"wx%", "wh%"},
		{"i%", "h%"},
		{"x%", "h%"},
		{"w%", "u%"},
		{"%x", "%h"},
		{"%i", "%h"},
		{"w%x", "w%h"},
		{"w%i", "w%h"},
		{"input%", "hidden%"},
		{"%input", "%hidden"},
		{"in%", "h%"},
		{"in%", "hidden%"},
		{"%w", "%u"},
		{"x%", "%h"},
	}
	wholes = [][2]string{
		{"xh", "hh"},
		{"ih", "hh"},
		{"wih", "whh"},
		{"wxh", "whh"},
		{"wx", "wh"},
		{"wi", "wh"},
		{"w", "u"},
		{"x", "h"},
		{"i", "h"},
		{"inputhidden", "hiddenhidden"},
		{"inhidden", "hiddenhidden"},
		{"input", "hidden"},
		{"in", "hidden"},
		{"winput", "whidden"},
		{"win", "wrec"},
		{"win", "whid"},
		{"win", "w"},
		{"input", "recurrent"},
		{"input", "rec"},
		{"in", "rec"},
		{"wax", "waa"},
		{"xg", "hg"},
		{"embhidden", "hiddenhidden"},
	}
	combined = []string{"ih", "xh", "inputhidden", "inhidden", "hidden", "w", "wh", "h", "combined", "cell", "combinedhidden", "update", "recurrent", "xhh", "ihh"}
)

func (x *piece) rows(turned bool) int {
	if turned {
		return x.tensor.Dims[1]
	}
	return x.tensor.Dims[0]
}

func (x *piece) columns(turned bool) int { return x.rows(!turned) }

// matrix returns the numbers, as products with a column want them.
func (x *piece) matrix(turned bool) f32.Matrix {
	m := f32.Of(x.tensor.Dims[0], x.tensor.Dims[1], x.tensor.Data)
	if turned {
		return transposed(m)
	}
	return m
}

func transposed(m f32.Matrix) f32.Matrix {
	t := f32.New(m.Cols, m.Rows)
	f32.Transpose(t, m)
	return t
}
