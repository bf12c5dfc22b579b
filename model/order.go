package model

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// This file puts recurrent modules one upon the other.

// maxOrdered is how many modules are put in order at most: all orders are tried.
const maxOrdered = 6

// chain puts the recurrent modules in order: as the user says; as they stand if their sizes
// fit; otherwise in the only order in which they do. What else fits is said, because the order
// of names, and even that of making, need not be the one in which code calls them.
func (s *source) chain(groups []*group) ([]*group, error) {
	for _, g := range groups {
		if fromEnd.MatchString(g.path) && len(groups) > 1 {
			return nil, fmt.Errorf("%s may read words from their end, beside other cells that do not; only PyTorch's own bidirectional layers are supported; %s", g.name(), instead)
		}
	}
	if s.options.Order != "" {
		return s.inOrder(groups)
	}
	var sizes []string
	for _, g := range groups {
		sizes = append(sizes, fmt.Sprintf("%s (%d → %d)", g.name(), g.inputs(), g.outputs()))
	}
	if len(groups) > maxOrdered {
		if !fit(groups) {
			return nil, fmt.Errorf("the sizes of the recurrent layers do not fit in their order: %s; %s", strings.Join(sizes, ", "), instead)
		}
		return groups, s.noteOrder(groups, nil)
	}
	found := orders(groups)
	switch {
	case fit(groups):
		return groups, s.noteOrder(groups, found)
	case len(found) == 0:
		return nil, fmt.Errorf("the recurrent layers fit together in 0 ways by their sizes, not in one: %s; %s", strings.Join(sizes, ", "), instead)
	case len(found) > 1:
		var values []string
		for _, order := range found {
			values = append(values, names(order, ","))
		}
		return nil, ask(orderChoice(values), "the recurrent layers fit together in %d ways by their sizes, not in one: %s; the option layer-order says which, as %s", len(found), strings.Join(sizes, ", "), values[0])
	}
	return found[0], nil
}

// orders lists all in which the sizes of modules fit.
func orders(groups []*group) (found [][]*group) {
	permute(len(groups), func(p []int) {
		order := make([]*group, len(p))
		for i, k := range p {
			order[i] = groups[k]
		}
		if fit(order) {
			found = append(found, order)
		}
	})
	return found
}

// fit reports whether each module reads as many numbers as the one before it gives.
func fit(order []*group) bool {
	for i := 1; i < len(order); i++ {
		if order[i].inputs() != order[i-1].outputs() {
			return false
		}
	}
	return true
}

// name is the module's path.
func (g *group) name() string { return strings.TrimSuffix(g.path, ".") }

func names(order []*group, between string) string {
	var list []string
	for _, g := range order {
		list = append(list, g.name())
	}
	return strings.Join(list, between)
}

// inOrder puts modules in the user's order.
func (s *source) inOrder(groups []*group) (order []*group, err error) {
	told := strings.Split(s.options.Order, ",")
	for _, name := range told {
		i := slices.IndexFunc(groups, func(g *group) bool { return g.name() == strings.TrimSpace(name) && !slices.Contains(order, g) })
		if i >= 0 {
			order = append(order, groups[i])
		}
	}
	if len(order) != len(groups) || len(told) != len(groups) {
		return nil, fmt.Errorf("layer-order %s: it names each recurrent module once: %s", s.options.Order, names(groups, ", "))
	}
	if !fit(order) {
		return nil, fmt.Errorf("layer-order %s: the sizes of the recurrent layers do not fit so", s.options.Order)
	}
	if len(groups) <= maxOrdered {
		s.otherOrders(order, orders(groups))
	}
	s.order = names(order, " before ")
	return order, nil
}

// otherOrders keeps those that lead from as many inputs to as many outputs, for a comparison.
func (s *source) otherOrders(order []*group, found [][]*group) {
	for _, other := range found {
		if !slices.Equal(order, other) && other[0].inputs() == order[0].inputs() && other[len(other)-1].outputs() == order[len(order)-1].outputs() {
			s.orders = append(s.orders, names(other, ","))
		}
	}
}

// noteOrder says which of several orders is taken. In a file that has none of its own it is
// nothing but a guess; one that keeps the order of making has usually the right one.
func (s *source) noteOrder(order []*group, found [][]*group) error {
	s.otherOrders(order, found)
	if len(order) < 2 || len(s.orders) == 0 && len(order) <= maxOrdered || s.inSequence(order) || counted(order) {
		return nil
	}
	s.order = names(order, " before ")
	if s.ordered {
		s.order += ", as the file lists them"
		return nil
	}
	s.note("the file does not say in which order the recurrent layers stand, and their sizes fit in several: it is taken to be %s; the option layer-order says otherwise, as %s", names(order, ", "), cmp.Or(append(s.orders, "")[0], "a,b"))
	return nil
}

// inSequence reports whether modules stand in one torch.nn.Sequential, which runs them in
// their order.
func (s *source) inSequence(order []*group) bool {
	top := s.sequence(order[0].name())
	return s.part(top) >= 0 && !slices.ContainsFunc(order, func(g *group) bool { return s.sequence(g.name()) != top || !within(g.name(), top) })
}

// count matches a number in a name, with what joins it to the rest.
var count = regexp.MustCompile(`_?\d+`)

// counted reports whether names differ in nothing but numbers, as lstm1 and lstm2 do, or lstm
// and lstm_1, and those go up.
func counted(order []*group) bool {
	return !slices.ContainsFunc(order, func(g *group) bool {
		return count.ReplaceAllString(g.path, "") != count.ReplaceAllString(order[0].path, "")
	}) && slices.IsSortedFunc(order, func(a, b *group) int { return natural(a.path, b.path) })
}

// orderChoice is that of the order of recurrent modules.
func orderChoice(values []string) choice {
	return choice{func(o *Options, v string) { o.Order = v }, values, true}
}
