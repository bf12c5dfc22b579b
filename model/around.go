package model

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quotient/f32"
	"quotient/rnn"
)

// An arrangement says which matrix is the embedding and in which order the others are
// the dense layers of the head.
type arrangement struct {
	embedding int // -1: there is none, inputs are one-hot
	head      []int
}

// maxMatrices is how many are arranged at most: all orders are tried.
const maxMatrices = 7

// around finds what stands around the recurrent layers: the embedding and the head.
func (s *source) around(stack *rnn.Stack) error {
	var matrices, rest []rnn.Tensor
	for _, t := range s.tensors {
		switch {
		case s.used[t.Name]:
		case len(t.Dims) == 2 && len(t.Data) > 0:
			matrices = append(matrices, t)
		default:
			rest = append(rest, t)
		}
	}
	inputs, width := stack.Layers[0].In.Cols, stack.Layers[len(stack.Layers)-1].Outputs()
	if len(matrices) > maxMatrices {
		return fmt.Errorf("there are %d matrices beside the recurrent layers, more than an embedding and a few dense layers: %s; %s", len(matrices), s.list(matrices), instead)
	}
	matrices, rest, found, err := s.arrange(matrices, rest, inputs, width)
	if err != nil {
		return err
	}
	found = s.byClass(matrices, found)
	found = prefer(found, func(a arrangement) bool { return a.embedding >= 0 && namesEmbedding(matrices[a.embedding].Name) })
	found = prefer(found, func(a arrangement) bool {
		return !slices.ContainsFunc(a.head, func(i int) bool { return namesEmbedding(matrices[i].Name) })
	})
	found = prefer(found, func(a arrangement) bool { return slices.IsSorted(a.head) })
	if s.predicts {
		found = prefer(found, func(a arrangement) bool { return a.embedding >= 0 })
	}
	if s.predicts && s.ordered {
		found = prefer(found, func(a arrangement) bool { return a.embedding < a.head[0] })
	}
	if len(found) > 1 {
		return s.ambiguous(matrices, found)
	}
	a := found[0]
	if err := s.projection(matrices, a); err != nil {
		return err
	}
	if rest, err = s.build(stack, matrices, rest, a); err != nil {
		return err
	}
	if len(rest) > 0 {
		return s.leftover(rest)
	}
	return s.activations(stack, matrices, a)
}

// build gives a stack the matrices of an arrangement, and returns the vectors that are left.
func (s *source) build(stack *rnn.Stack, matrices, rest []rnn.Tensor, a arrangement) ([]rnn.Tensor, error) {
	stack.Tokens = stack.Layers[0].In.Cols
	if a.embedding >= 0 {
		e := matrices[a.embedding]
		stack.Tokens = e.Dims[0]
		stack.Embedding = f32.Of(e.Dims[0], e.Dims[1], e.Data)
	}
	if err := s.options.scaled(&stack.Embedding); err != nil {
		return nil, err
	}
	for _, i := range a.head {
		m := matrices[i]
		d := rnn.Dense{Weight: f32.Of(m.Dims[0], m.Dims[1], m.Data)}
		k := bias(rest, m)
		if i == a.embedding {
			k = s.tiedBias(m, rest)
		}
		if k >= 0 {
			d.Bias = rest[k].Data
			rest = slices.Delete(rest, k, k+1)
		}
		stack.Head = append(stack.Head, d)
	}
	return rest, nil
}

// arrange finds all arrangements of matrices, those of one head: of a recognizer or, if there is
// none, of a language model.
func (s *source) arrange(matrices, vectors []rnn.Tensor, inputs, width int) (kept, rest []rnn.Tensor, found []arrangement, err error) {
	for _, s.predicts = range []bool{false, true} {
		if s.predicts && s.options.As == asRecognizer || !s.predicts && s.options.As == asLanguage {
			continue
		}
		chosen, left, refused := s.chooseHead(matrices, vectors, inputs, width)
		if refused == nil {
			found = s.arrangements(chosen, left, inputs, width)
			refused = s.unexplained(chosen, inputs, width)
		}
		if len(found) > 0 {
			return chosen, left, found, nil
		}
		if err == nil {
			err = refused
		}
	}
	return nil, nil, nil, err
}

// tiedBias notes that a head has no matrix but the embedding's, and returns which of the vectors is
// its bias, or -1.
func (s *source) tiedBias(m rnn.Tensor, vectors []rnn.Tensor) int {
	s.note("there is no matrix for the outputs: it is taken to be the embedding, %s, as where the two are tied", m.Name)
	return spareBias(m, vectors)
}

// mayTie reports whether an embedding may be the matrix for the outputs, too: the user says that there
// are some, or there is a bias for them.
func (s *source) mayTie(m rnn.Tensor, vectors []rnn.Tensor) bool {
	return s.predicts && (s.options.As == asLanguage || spareBias(m, vectors) >= 0)
}

// spareBias returns which of the vectors may be a bias of a matrix in another module, or -1.
func spareBias(m rnn.Tensor, vectors []rnn.Tensor) int {
	return slices.IndexFunc(vectors, func(v rnn.Tensor) bool {
		return len(v.Dims) == 1 && v.Dims[0] == m.Dims[0] && strings.Contains(strings.ToLower(lastName(v.Name)), "bias")
	})
}

// leftover refuses tensors that have no place.
func (s *source) leftover(rest []rnn.Tensor) error {
	why := instead
	if slices.ContainsFunc(rest, func(t rnn.Tensor) bool { return normLike.MatchString(t.Name) }) {
		why = "group norms, batch norms without statistics and the like are not supported; " + instead
	}
	return fmt.Errorf("it is not clear what to do with %s; %s", s.list(rest), why)
}

// normLike matches the names of norms.
var normLike = regexp.MustCompile(`(?i)norm|(^|[._])(bn|ln|gn)\d*([._]|$)`)

// arrangements lists all that fit by their sizes: the embedding's columns are the first
// layer's inputs, and it has no bias; the dense layers lead from width to one output or
// two, or to those of a language model.
func (s *source) arrangements(matrices, vectors []rnn.Tensor, inputs, width int) []arrangement {
	var found []arrangement
	for e := -1; e < len(matrices); e++ {
		if e >= 0 && (matrices[e].Dims[1] != inputs || bias(vectors, matrices[e]) >= 0) {
			continue
		}
		var head []int
		for i := range matrices {
			if i != e {
				head = append(head, i)
			}
		}
		permute(len(head), func(p []int) {
			at, order := width, make([]int, len(p))
			for i, k := range p {
				order[i] = head[k]
				if matrices[head[k]].Dims[1] != at {
					return
				}
				at = matrices[head[k]].Dims[0]
			}
			if len(order) == 0 && e >= 0 && matrices[e].Dims[1] == width && s.mayTie(matrices[e], vectors) {
				order, at = []int{e}, matrices[e].Dims[0] // the two are tied
			}
			tokens := inputs
			if e >= 0 {
				tokens = matrices[e].Dims[0]
			}
			if len(order) > 0 && s.makesOutputs(at, tokens) {
				found = append(found, arrangement{e, order})
			}
		})
	}
	return found
}

// makesOutputs reports whether a head may have as many outputs: one or two to decide, or for a
// language model at most one for each token and the end.
func (s *source) makesOutputs(outputs, tokens int) bool {
	if !s.predicts {
		return outputs <= 2
	}
	return outputs <= tokens+1 && (outputs > 2 || outputs == 2 && s.options.As == asLanguage)
}

// projection refuses a dense layer that fits behind the recurrent ones, but that comes
// before them in the file and would fit between them and the embedding just as well.
func (s *source) projection(matrices []rnn.Tensor, a arrangement) error {
	if !s.ordered || a.embedding < 0 {
		return nil
	}
	place := func(t rnn.Tensor) int {
		return slices.IndexFunc(s.tensors, func(x rnn.Tensor) bool { return x.Name == t.Name })
	}
	first := slices.IndexFunc(s.tensors, func(t rnn.Tensor) bool { return recurrent.MatchString(t.Name) })
	size := matrices[a.embedding].Dims[1]
	for _, i := range a.head {
		if m := matrices[i]; place(m) < first && m.Dims[0] == size && m.Dims[1] == size {
			return fmt.Errorf("tensor %q may stand before the recurrent layers, as in the file, or behind them; projections of the embedding are not supported; %s", m.Name, instead)
		}
	}
	return nil
}

// prefer keeps the arrangements that have a property, if there are any.
func prefer(list []arrangement, property func(arrangement) bool) []arrangement {
	var kept []arrangement
	for _, a := range list {
		if property(a) {
			kept = append(kept, a)
		}
	}
	if len(kept) == 0 {
		return list
	}
	return kept
}

// byClass keeps the arrangements that agree with the classes of the modules.
func (s *source) byClass(matrices []rnn.Tensor, list []arrangement) []arrangement {
	class := make([]string, len(matrices))
	for i, m := range matrices {
		for _, p := range s.parts {
			if p.Path == parent(m.Name) {
				class[i] = p.Class.Base()
			}
		}
	}
	return prefer(list, func(a arrangement) bool {
		if a.embedding >= 0 && class[a.embedding] == "Linear" {
			return false
		}
		return !slices.ContainsFunc(a.head, func(i int) bool { return class[i] == "Embedding" })
	})
}

// parent returns what stands before the last dot.
func parent(name string) string { return name[:max(0, strings.LastIndexByte(name, '.'))] }

// lastName returns what stands behind it, or all.
func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// namesEmbedding reports whether a name is one that people give embeddings.
func namesEmbedding(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"emb", "wte", "lookup", "token", "char", "vocab"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// bias returns which of the vectors is the bias of a matrix, or -1.
func bias(vectors []rnn.Tensor, m rnn.Tensor) int {
	path, base := parent(m.Name), lastName(m.Name)
	return slices.IndexFunc(vectors, func(v rnn.Tensor) bool {
		if len(v.Dims) != 1 || v.Dims[0] != m.Dims[0] || parent(v.Name) != path {
			return false
		}
		name := lastName(v.Name)
		for _, pair := range [][2]string{{"weight", "bias"}, {"W", "b"}, {"w", "b"}, {"kernel", "bias"}} {
			if strings.Contains(base, pair[0]) && strings.Replace(base, pair[0], pair[1], 1) == name {
				return true
			}
		}
		return false
	})
}

// unexplained says why matrices are no embedding and head.
func (s *source) unexplained(matrices []rnn.Tensor, inputs, width int) error {
	if len(matrices) == 0 {
		return fmt.Errorf("there is no dense layer that makes a decision of the recurrent layer's %d outputs; %s", width, instead)
	}
	if m := matrices[0]; len(matrices) == 1 && m.Dims[1] == inputs && inputs == width {
		return fmt.Errorf("there is no dense layer that makes a decision of the recurrent layer's %d outputs, no head; if the network predicts the next symbol by its embedding, %s, the option as lm says so; %s", width, m.Name, instead)
	}
	for _, m := range matrices {
		if m.Dims[1] == width && m.Dims[0] > 2 && len(matrices) < 3 && !namesEmbedding(m.Name) {
			return fmt.Errorf("tensor %q has %d outputs; a decision has one (how sure) or two (no and yes), and a language model no more than there are tokens and the end; %s", m.Name, m.Dims[0], instead)
		}
	}
	return fmt.Errorf("the recurrent layers read %d numbers and give %d; an embedding before them and dense layers behind, down to one output or two, cannot be made of %s; %s",
		inputs, width, s.list(matrices), instead)
}

func (s *source) ambiguous(matrices []rnn.Tensor, list []arrangement) error {
	var ways []string
	for i, a := range list {
		if i == 4 {
			ways = append(ways, fmt.Sprintf("or in %d more ways", len(list)-i))
			break
		}
		embedding := "one-hot inputs"
		if a.embedding >= 0 {
			embedding = matrices[a.embedding].Name + " as the embedding"
		}
		var head []string
		for _, k := range a.head {
			head = append(head, matrices[k].Name)
		}
		ways = append(ways, fmt.Sprintf("%s and %s as the head", embedding, strings.Join(head, ", ")))
	}
	settle := instead
	if slices.ContainsFunc(list, func(a arrangement) bool { return a.embedding != list[0].embedding }) {
		settle = "a name with \"embedding\" in it would settle it"
	}
	return fmt.Errorf("the sizes fit in %d ways: %s; %s", len(list), strings.Join(ways, "; "), settle)
}
