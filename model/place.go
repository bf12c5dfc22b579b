package model

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quotient/f32"
	"quotient/rnn"
)

// This file finds where the norms of a file stand.

// A slot is a place between the parts of a network where a norm may stand.
type slot struct {
	name    string
	size    int
	behind  string // the module that it follows, or is in
	certain bool   // the name of the norm leaves no doubt, so that other places need no mention
	pooled  bool   // it differs from the next one only if outputs are pooled
	put     func(n *rnn.Norm)
}

// operations are what stands before the first dense layer, and behind each.
type operations struct {
	first []operation
	then  [][]operation
}

// An operation is a function or a norm.
type operation struct {
	activation rnn.Activation
	norm       *rnn.Norm
}

// apply gives the head its functions and norms. A dense layer has one norm and functions
// behind it; what does not fit that follows one that changes nothing.
func (o operations) apply(stack *rnn.Stack) error {
	head, wide := stack.Head, false
	stack.Head = nil
	add := func(d rnn.Dense, list []operation) {
		for _, x := range list {
			switch {
			case x.norm == nil:
				d.Then = append(d.Then, x.activation)
			case d.Norm == nil && len(d.Then) == 0:
				d.Norm = x.norm
			case d.Weight.Rows > maxSpread*d.Weight.Cols:
				wide = true
			default:
				stack.Head = append(stack.Head, d)
				d = rnn.Dense{Weight: f32.Identity(d.Weight.Rows), Norm: x.norm}
			}
		}
		stack.Head = append(stack.Head, d)
	}
	if len(o.first) > 0 {
		add(rnn.Dense{Weight: f32.Identity(head[0].Weight.Cols)}, o.first)
	}
	for i, d := range head {
		add(d, o.then[i])
	}
	if wide {
		return fmt.Errorf("a norm behind the function of a dense layer with more than %d times as many outputs as inputs is not supported; %s", maxSpread, instead)
	}
	return nil
}

// maxSpread bounds how much larger a matrix that changes nothing may be than one in the file.
const maxSpread = 16

// place puts the norms that no nn.Sequential explains where the user says, or where they fit.
func (s *source) place(stack *rnn.Stack, o *operations, embedding string, dense []string) error {
	slots := s.slots(stack, o, embedding, dense)
	taken := make(map[string]string)
	if err := s.toldOfNone(); err != nil {
		return err
	}
	told := func(n *norm) string {
		places := slices.DeleteFunc(s.toldNorms(n), isKind)
		if len(places) == 0 {
			return ""
		}
		return places[len(places)-1]
	}
	for _, n := range s.norms {
		if n.placed {
			continue
		}
		candidates, guess := s.candidates(stack, slots, n)
		if len(candidates) == 0 {
			return fmt.Errorf("%s is a %s of %d numbers, and nothing in the network has as many where a norm can stand; %s", n.path, n.as.Kind, n.size, instead)
		}
		var at *slot
		for i, c := range candidates {
			n.places = append(n.places, c.name)
			if c.name == cmp.Or(told(n), guess) {
				at = &candidates[i]
			}
		}
		switch {
		case at == nil && told(n) != "":
			return fmt.Errorf("norm %s: %s, of %d numbers, can stand at %s", told(n), n.path, n.size, strings.Join(n.places, ", "))
		case at == nil:
			return ask(normChoice(n.base(), n.places), "%s is a %s, and the file does not say where it stands; the option norm does, as %s=PLACE: %s", n.path, n.as.Kind, n.base(), strings.Join(n.places, ", "))
		case taken[at.name+at.behind] != "":
			return ask(normChoice(n.base(), n.places), "%s and %s would both stand at %s; the option norm says where, as %s=PLACE: %s", taken[at.name+at.behind], n.path, at.name, n.base(), strings.Join(n.places, ", "))
		}
		taken[at.name+at.behind] = n.path
		at.put(n.as)
		if told(n) == "" {
			s.noteOpen(n, at.name, candidates)
		}
	}
	return nil
}

// noteOpen says where else a norm may stand.
func (s *source) noteOpen(n *norm, at string, candidates []slot) {
	var others []string
	for _, c := range candidates {
		if c.name != at && !c.certain && (!c.pooled || s.options.Pool != "" && s.options.Pool != "last") {
			others = append(others, c.name)
		}
	}
	if len(others) > 0 {
		s.note("the file does not say where %s stands, a %s: it is taken to be at %s, and may be at %s; the option norm %s=PLACE says otherwise", n.path, n.as.Kind, at, strings.Join(others, ", "), n.base())
	}
}

// placeName matches what the option norm calls places.
var placeName = regexp.MustCompile(`^(embedding|summary|(layer|dense|activation|state)\d{1,3}|input|recurrent|gates|memory|output|state)$`)

// checkNorm reports what the option norm cannot be.
func (o Options) checkNorm() error {
	for _, item := range strings.Split(o.Norm, ",") {
		_, place, named := strings.Cut(item, "=")
		if !named {
			place = item
		}
		if item != "" && !isKind(place) && !placeName.MatchString(place) {
			return fmt.Errorf("norm %s: a place is one of embedding, layer1, summary, dense1, activation1 and so on, or in a cell one of input, recurrent, gates, memory, output and state; rms and layer are kinds; NAME=PLACE is about one norm of several", item)
		}
	}
	return nil
}

// isKind reports whether the option norm names a kind, and no place.
func isKind(place string) bool { return place == "rms" || place == "layer" }

// toldNorms returns what the user says of a norm, by its path, by its last name, or of all.
func (s *source) toldNorms(n *norm) (list []string) {
	for _, item := range strings.Split(s.options.Norm, ",") {
		name, place, named := strings.Cut(item, "=")
		if !named {
			name, place = n.path, item
		}
		if place != "" && (n.path == name || n.base() == name) {
			list = append(list, place)
		}
	}
	return list
}

// toldOfNone reports that the user says something of a norm that there is not, or whose place
// the file says.
func (s *source) toldOfNone() error {
	for _, item := range strings.Split(s.options.Norm, ",") {
		name, _, named := strings.Cut(item, "=")
		if item != "" && !slices.ContainsFunc(s.norms, func(n *norm) bool { return !n.placed && (!named || n.path == name || n.base() == name) }) {
			return fmt.Errorf("norm %s: there is no such norm in the file whose place is open", item)
		}
	}
	return nil
}

// slots lists the places outside of cells, in the order in which a network runs.
func (s *source) slots(stack *rnn.Stack, o *operations, embedding string, dense []string) []slot {
	var list []slot
	if stack.Embedding.Rows > 0 {
		list = append(list, slot{name: "embedding", size: stack.Embedding.Cols, behind: parent(embedding), put: func(n *rnn.Norm) { stack.EmbeddingNorm = n }})
	}
	for i, path := range s.layerPaths {
		y := &stack.Layers[i]
		if i+1 == len(stack.Layers) || s.layerPaths[i+1] != path {
			list = append(list, slot{
				name: fmt.Sprintf("layer%d", i+1), size: y.Outputs(), behind: path, pooled: i+1 == len(stack.Layers),
				put: func(n *rnn.Norm) { y.Norm = n },
			})
		}
	}
	first := func(n *rnn.Norm) { o.first = slices.Insert(o.first, 0, operation{norm: n}) }
	list = append(list, slot{name: "summary", size: stack.Layers[len(stack.Layers)-1].Outputs(), behind: s.layerPaths[len(s.layerPaths)-1], put: first})
	for i, name := range dense {
		size := stack.Head[i].Weight.Rows
		if i+1 < len(dense) {
			before := func(n *rnn.Norm) { o.then[i] = slices.Insert(o.then[i], 0, operation{norm: n}) }
			behind := func(n *rnn.Norm) { o.then[i] = append(o.then[i], operation{norm: n}) }
			list = append(list,
				slot{name: fmt.Sprintf("dense%d", i+1), size: size, behind: parent(name), put: before},
				slot{name: fmt.Sprintf("activation%d", i+1), size: size, behind: parent(name), put: behind})
		}
	}
	for i, path := range s.layerPaths {
		y := &stack.Layers[i]
		if s.used[strings.TrimPrefix(path+".weight_hh", ".")] && s.handAt(i) == nil { // a cell, which the module's own code steps
			list = append(list, slot{name: fmt.Sprintf("state%d", i+1), size: y.Hidden(), behind: path, put: func(n *rnn.Norm) { cellNorms(y).State = n }})
		}
	}
	return list
}

// cellNorms returns the norms inside a layer, to be changed.
func cellNorms(y *rnn.Layer) *rnn.CellNorms {
	if y.Norms == nil {
		y.Norms = &rnn.CellNorms{}
	}
	return y.Norms
}

// candidates returns where a norm may stand by its size, and where it is thought to: inside
// the cell whose module it belongs to, or else where it comes in the file.
func (s *source) candidates(stack *rnn.Stack, slots []slot, n *norm) (list []slot, guess string) {
	var inside []slot
	if i := s.layerOf(stack, n); i >= 0 {
		inside, guess = s.inside(stack, i, n)
		if c := s.handAt(i); c == nil || !s.wholeModule(c) {
			return inside, guess
		}
	}
	for _, at := range slots {
		if at.size == n.size && !(at.pooled && stack.Bidirectional() && s.options.Summary != "last") {
			list = append(list, at)
		}
	}
	list = append(list, inside...)
	if len(list) == 1 || len(list) == 2 && list[0].pooled {
		return list, list[len(list)-1].name
	}
	fits := func(name string) bool { return slices.ContainsFunc(list, func(c slot) bool { return c.name == name }) }
	for _, name := range append([]string{guess}, append(s.neighbors(slots, n), namedPlace(n.base()))...) {
		if fits(name) {
			return list, name
		}
	}
	first := slices.IndexFunc(list, func(c slot) bool { return !c.pooled })
	if first >= 0 && !slices.ContainsFunc(list, func(c slot) bool { return c.behind != list[first].behind }) {
		return list, list[first].name // all are behind one module: before its function, as is usual
	}
	return list, ""
}

// neighbors returns the places next to a norm by the order of the file: behind the part that
// comes before it, and behind the part that comes before the next one.
func (s *source) neighbors(slots []slot, n *norm) []string {
	if !s.ordered {
		return nil
	}
	before, next := "", ""
	at := s.position(n.path)
	last := ""
	for _, c := range slots {
		if c.pooled || strings.HasPrefix(c.name, "state") || strings.HasPrefix(c.name, "activation") {
			continue
		}
		if s.position(c.behind) < at {
			before = c.name
			if i, ok := strings.CutPrefix(c.name, "dense"); ok && distance(c.behind, n.path) > 1 {
				before = "activation" + i // there is something between the two in an nn.Sequential
			}
		} else if next == "" {
			next = cmp.Or(last, none)
		}
		last = c.name
	}
	return []string{before, next}
}

// distance returns how far two modules are from each other by their numbers in the same list; 0 if
// they have none.
func distance(a, b string) int {
	if parent(a) != parent(b) {
		return 0
	}
	i, err := strconv.Atoi(lastName(a))
	k, err2 := strconv.Atoi(lastName(b))
	if err != nil || err2 != nil {
		return 0
	}
	return k - i
}

// position returns where the tensors of a module begin. One without tensors stands before
// those that follow it among the modules.
func (s *source) position(path string) float64 {
	tensors := func(path string) int {
		return slices.IndexFunc(s.tensors, func(t rnn.Tensor) bool { return parent(t.Name) == path || within(t.Name, path) })
	}
	if i := tensors(path); i >= 0 {
		return float64(i)
	}
	if at := s.part(path); at >= 0 {
		for _, p := range s.parts[at+1:] {
			if i := tensors(p.Path); i >= 0 {
				return float64(i) - 0.5
			}
		}
	}
	return float64(len(s.tensors))
}

// namedPlace returns the place that the name of a norm is usual for.
func namedPlace(name string) string {
	name = strings.ToLower(name)
	for place, parts := range map[string][]string{"embedding": {"emb", "input"}, "summary": {"out", "final", "head", "last", "ln_f"}} {
		if slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(name, p) }) {
			return place
		}
	}
	return ""
}

// torchMemory is what PyTorch's example of an LSTM with norms calls that of its c, which is
// kept normalized. In most others it only makes h.
const torchMemory = "layernorm_c"

// inside returns the places in a cell, and the one that the norm's name is usual for.
func (s *source) inside(stack *rnn.Stack, layer int, n *norm) (list []slot, guess string) {
	y := &stack.Layers[layer]
	list = s.cellSlots(y, layer, n.size)
	all := n.size == y.Cell.Gates()*y.Hidden()
	_, _, base := home(n.path)
	words := strings.FieldsFunc(strings.ToLower(base), func(r rune) bool { return r == '_' || r == '.' })
	has := func(names ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(names, w) })
	}
	var alike []*norm // in the same cell
	for _, other := range s.norms {
		if other.size == n.size && s.layerOf(stack, other) == layer {
			alike = append(alike, other)
		}
	}
	switch {
	case all && has("i", "x", "ih", "xh", "i2h", "x2h", "input", "wx"):
		guess = "input"
	case all && has("h", "hh", "h2h", "hidden", "rec", "recurrent", "wh"):
		guess = "recurrent"
	case all && len(alike) == 1 && y.Cell != rnn.GRU:
		return list, "gates"
	case all && len(alike) == 2 && len(list) > 1:
		return list, map[bool]string{true: "input", false: "recurrent"}[n == alike[0]]
	case y.Cell.Memory && (base == torchMemory || base == "ln_cell"):
		return list, "memory"
	case y.Cell.Memory && has("c", "cell", "ho", "cy", "out", "o"):
		return list, "output"
	}
	for i := range list {
		list[i].certain = guess != ""
	}
	if plain := []string{"ln", "norm", "layer", "layernorm", "rms", "rmsnorm", "h", "hidden", "state"}; guess == "" && len(list) == 1 &&
		!slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(plain, w) }) { // others may name a gate
		guess = list[0].name
	}
	return list, guess
}

// cellSlots lists the places in a cell where a norm of a size may stand.
func (s *source) cellSlots(y *rnn.Layer, layer, size int) (list []slot) {
	c := s.handAt(layer)
	add := func(name string, set func(norms *rnn.CellNorms, n *rnn.Norm)) {
		list = append(list, slot{name: name, size: size, behind: s.layerPaths[layer], put: func(n *rnn.Norm) { set(cellNorms(y), n) }})
	}
	if size == y.Cell.Gates()*y.Hidden() {
		if c == nil || !c.joined {
			add("input", func(norms *rnn.CellNorms, n *rnn.Norm) { norms.In = c.ordered(n, y.In, y.BiasIn) })
			add("recurrent", func(norms *rnn.CellNorms, n *rnn.Norm) { norms.Rec = c.ordered(n, y.Rec, y.BiasRec) })
		}
		if y.Cell != rnn.GRU {
			add("gates", func(norms *rnn.CellNorms, n *rnn.Norm) { norms.Gates = c.ordered(n, f32.Matrix{}, nil) })
		}
	}
	if size == y.Hidden() {
		if y.Cell.Memory {
			add("memory", func(norms *rnn.CellNorms, n *rnn.Norm) { norms.Memory = n })
			add("output", func(norms *rnn.CellNorms, n *rnn.Norm) { norms.Output = n })
		}
		add("state", func(norms *rnn.CellNorms, n *rnn.Norm) { norms.State = n })
	}
	return list
}

// layerOf returns the recurrent layer that a norm may be inside of, or -1.
func (s *source) layerOf(stack *rnn.Stack, n *norm) int {
	for i, path := range s.layerPaths {
		y := &stack.Layers[i]
		if y.Reverse != nil || i > 0 && s.layerPaths[i-1] == path {
			continue
		}
		inside := path != "" && within(n.path, path)
		if c := s.handAt(i); c != nil {
			inside = s.holds(c, n)
		} else if path == "" && !strings.Contains(n.path, ".") { // the cell is the whole module
			inside = n.size > y.Hidden() && n.size == y.Cell.Gates()*y.Hidden() || n.base() == torchMemory
		}
		if inside {
			return i
		}
	}
	return -1
}

// handAt returns the hand-written cell that a layer was made of, or nil.
func (s *source) handAt(layer int) *handmade {
	i := slices.IndexFunc(s.hand, func(c *handmade) bool { return c.path == s.layerPaths[layer] })
	if i < 0 {
		return nil
	}
	return s.hand[i]
}

// holds reports whether a norm lies where a hand-written cell does: in its module, under its
// number if the module has several cells.
func (s *source) holds(c *handmade, n *norm) bool {
	where, module, _ := home(n.path)
	if where == c.path {
		return true
	}
	return module == c.module && !slices.ContainsFunc(s.hand, func(other *handmade) bool { return other != c && other.module == module })
}

// wholeModule reports whether a cell lies in the network's own module, beside other matrices.
func (s *source) wholeModule(c *handmade) bool {
	return slices.ContainsFunc(s.tensors, func(t rnn.Tensor) bool {
		_, module, _ := home(parent(t.Name))
		return len(t.Dims) == 2 && !s.used[t.Name] && module == c.module
	})
}

// normChoices lists what a file leaves open about its norms.
func (m *Model) normChoices() (list []choice) {
	seen := make(map[string]bool)
	for _, n := range m.norms {
		name := n.base()
		for _, other := range m.norms {
			if other != n && other.base() == name && !slices.Equal(n.places, other.places) {
				name = n.path
			}
		}
		places := slices.Clone(n.places)
		if n.scaled {
			places = append(places, "rms", "layer")
		}
		if seen[name] || len(places) < 2 {
			continue
		}
		seen[name] = true
		list = append(list, normChoice(name, places))
	}
	return list
}

// normChoice is that of where a norm stands, or of its kind.
func normChoice(name string, places []string) choice {
	return choice{func(o *Options, v string) { o.Norm = strings.TrimPrefix(o.Norm+","+name+"="+v, ",") }, places, true}
}
