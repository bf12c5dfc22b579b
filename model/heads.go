package model

import (
	"fmt"
	"slices"
	"strings"

	"quotient/model/torch"
	"quotient/rnn"
)

// A candidate is a set of matrices that makes a whole network: an embedding and one head.
type candidate struct {
	name string // of its head, as the option head calls it
	has  []bool // which of the matrices
	head []int  // those of the head
}

// chooseHead leaves the matrices and vectors of one head, where a file has several: the one
// that the user names, or the only one if all others are called like heads that only training
// needs.
func (s *source) chooseHead(matrices, vectors []rnn.Tensor, inputs, width int) ([]rnn.Tensor, []rnn.Tensor, error) {
	told := s.options.Head
	if told == "" && len(s.arrangements(matrices, vectors, inputs, width)) > 0 {
		return matrices, vectors, nil
	}
	all := s.headCandidates(matrices, vectors, inputs, width)
	list := slices.Clone(all)
	if told != "" {
		list = slices.DeleteFunc(list, func(c candidate) bool {
			return slices.ContainsFunc(c.head, func(i int) bool { return !called(parent(matrices[i].Name), told) })
		})
	}
	list = largest(list)
	names := headNames(largest(all))
	switch {
	case len(all) == 0:
		return matrices, vectors, nil // which says why there is none
	case len(list) == 0:
		return nil, nil, fmt.Errorf("head %s: there is no such head; there is %s", told, strings.Join(names, ", "))
	case len(list) > 1 && told == "":
		list = slices.DeleteFunc(list, func(c candidate) bool { return s.isAuxiliary(c.name) })
	}
	if len(list) != 1 {
		return nil, nil, ask(headChoice(names), "the file has several heads: %s; the option head says which of them decides", strings.Join(names, ", "))
	}
	if m := unread(matrices, list[0], width); m != nil {
		return nil, nil, fmt.Errorf("%s makes a decision, and it is not clear what to do with %s %v, which reads something else than the recurrent layer's %d outputs; %s", list[0].name, m.Name, m.Dims, width, instead)
	}
	s.heads = names
	kept, rest, left := s.dropOthers(matrices, vectors, list[0])
	if len(left) > 0 {
		s.head = fmt.Sprintf("the head is %s, and %s is left out", list[0].name, strings.Join(left, ", "))
	}
	if told == "" {
		if strange := slices.DeleteFunc(slices.Clone(left), s.isAuxiliary); len(strange) > 0 {
			return nil, nil, fmt.Errorf("%s makes a decision, and it is not clear what to do with %s, another head or a layer that is not supported; if it is one that only training needs, the option head %[1]s leaves it out; %[3]s",
				list[0].name, strings.Join(strange, ", "), instead)
		}
		s.note("the file has tensors of more than one head: %s is taken to decide, and %s is left out; the option head says otherwise", list[0].name, strings.Join(left, ", "))
	}
	return kept, rest, nil
}

// headChoice is that of a head.
func headChoice(names []string) choice {
	return choice{func(o *Options, v string) { o.Head = v }, names, true}
}

// headCandidates lists the sets of matrices that make a network. What is called an embedding
// is in all of them.
func (s *source) headCandidates(matrices, vectors []rnn.Tensor, inputs, width int) (list []candidate) {
	for set := 1; set < 1<<len(matrices); set++ {
		var some []rnn.Tensor
		c := candidate{has: make([]bool, len(matrices))}
		for i, m := range matrices {
			if c.has[i] = set>>i&1 == 1; c.has[i] {
				some = append(some, m)
			} else if m.Dims[1] == inputs && namesEmbedding(m.Name) {
				some = nil
				break
			}
		}
		found := s.byClass(some, s.arrangements(some, vectors, inputs, width))
		if len(found) == 0 {
			continue
		}
		found = prefer(found, func(a arrangement) bool { return a.embedding >= 0 && namesEmbedding(some[a.embedding].Name) })
		var names []string
		for _, k := range found[0].head {
			i := slices.IndexFunc(matrices, func(m rnn.Tensor) bool { return m.Name == some[k].Name })
			c.head, names = append(c.head, i), append(names, parent(matrices[i].Name))
		}
		c.name = commonName(names)
		list = append(list, c)
	}
	return list
}

// largest drops the sets that are part of another: of its head, or of the same head with an
// embedding.
func largest(list []candidate) []candidate {
	return slices.DeleteFunc(slices.Clone(list), func(c candidate) bool {
		return slices.ContainsFunc(list, func(other candidate) bool {
			return other.size() > c.size() && len(other.head) >= len(c.head) && !slices.ContainsFunc(c.head, func(i int) bool { return !slices.Contains(other.head, i) })
		})
	})
}

// size returns how many matrices there are in a set.
func (c candidate) size() (n int) {
	for _, has := range c.has {
		if has {
			n++
		}
	}
	return n
}

// unread returns a matrix that is no part of a head that reads the state, or of a chain behind one;
// nil if all that is left out is.
func unread(matrices []rnn.Tensor, c candidate, width int) *rnn.Tensor {
	sizes := []int{width}
	reads := slices.Clone(c.has)
	for range matrices {
		for i, m := range matrices {
			if !reads[i] && slices.Contains(sizes, m.Dims[1]) {
				reads[i], sizes = true, append(sizes, m.Dims[0])
			}
		}
	}
	if i := slices.Index(reads, false); i >= 0 {
		return &matrices[i]
	}
	return nil
}

func headNames(list []candidate) (names []string) {
	for _, c := range list {
		names = append(names, c.name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// commonName returns how the modules of a head are called together: classifier for
// classifier.0 and classifier.2, fc for fc1 and fc2.
func commonName(paths []string) string {
	prefix := paths[0]
	for _, p := range paths[1:] {
		for !strings.HasPrefix(p, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	if len(paths) > 1 {
		prefix = strings.TrimRight(prefix, "._0123456789")
	}
	if prefix == "" || strings.HasSuffix(prefix, ".") {
		return strings.Join(paths, "+")
	}
	return prefix
}

// called reports whether a module has a name, or one that begins so. Wrappers around the whole
// need not be named.
func called(path, name string) bool {
	for part := range strings.SplitSeq(name, "+") {
		if strings.HasPrefix(path, part) || strings.Contains(path, "."+part) {
			return true
		}
	}
	return false
}

// isAuxiliary reports whether a head is one that only training needs. Beside one that predicts, as the
// user says, all that decide are.
func (s *source) isAuxiliary(name string) bool { return s.predicts != namesAuxiliary(name) }

// namesAuxiliary reports whether a head is called like one that only training needs.
func namesAuxiliary(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"aux", "lm_", "_lm", "language", "recon", "decoder", "domain", "next", "generator"}, func(part string) bool {
		return strings.Contains(name, part)
	})
}

// dropOthers drops all that belongs to other heads: matrices, vectors, norms and modules.
func (s *source) dropOthers(matrices, vectors []rnn.Tensor, c candidate) (kept, rest []rnn.Tensor, left []string) {
	var gone, mine []string
	for i, m := range matrices {
		if c.has[i] {
			kept, mine = append(kept, m), append(mine, parent(m.Name))
		} else {
			gone = append(gone, parent(m.Name))
		}
	}
	isGone := func(path string) bool {
		if slices.Contains(gone, path) {
			return true
		}
		beside := func(other string) bool { return parent(other) != "" && parent(other) == parent(path) }
		return slices.ContainsFunc(gone, beside) && !slices.ContainsFunc(mine, beside)
	}
	for _, v := range vectors {
		if !isGone(parent(v.Name)) {
			rest = append(rest, v)
		}
	}
	s.norms = slices.DeleteFunc(s.norms, func(n *norm) bool { return isGone(n.path) })
	parts := slices.Clone(s.parts)
	s.parts = slices.DeleteFunc(parts, func(p torch.Part) bool { return isGone(p.Path) })
	for len(gone) > 0 {
		family := []string{gone[0]}
		for _, g := range gone[1:] {
			if parent(g) != "" && parent(g) == parent(gone[0]) {
				family = append(family, g)
			}
		}
		left = append(left, commonName(family))
		gone = slices.DeleteFunc(gone, func(g string) bool { return slices.Contains(family, g) })
	}
	return kept, rest, left
}
