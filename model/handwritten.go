package model

import (
	"cmp"
	"slices"
	"strings"

	"quotient/f32"
	"quotient/rnn"
)

// Cells that people write themselves have names of their own, but few ways to be made: two
// matrices, for the input and for the state, or one for both side by side, either for each
// gate or for all gates one upon the other. They are known by such names and by sizes. What
// only the code says, as the order of gates, is a guess.

// A gate is what one gate of a cell adds up.
type gate struct {
	in, rec         f32.Matrix // hidden × inputs, hidden × hidden
	biasIn, biasRec []float32  // nil: zeros
}

// A handmade cell is one that was found.
type handmade struct {
	path    string
	module  string
	letters string // its gates: ifgo, rzn or h, in the order of the gates here
	order   string // that in which they were taken, and norms have them
	gates   []gate
	names   []string // of its tensors
	joined  bool     // input and state are read side by side
	stacked bool     // the gates have no names, only their order
	turned  bool     // matrices stand the other way, as x @ W wants them
	unsure  bool     // whether they do, sizes do not show
	twice   bool     // the state's share of a gate has a bias of its own
	negated bool     // the weights of the update gate
}

// handwritten finds cells that are not PyTorch's.
func (s *source) handwritten() ([]*group, error) {
	s.flatten()
	r, err := parseGates(s.options.Gates)
	if err != nil {
		return nil, err
	}
	var list []*group
	var found []*handmade
	for _, p := range s.places() {
		if c := cmp.Or(p.byGates("ifgo", r), p.byGates("rzn", r), p.byNames(), p.bySizes()); c != nil {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		if c := s.inOne(r); c != nil {
			found = append(found, c)
		}
	}
	s.hand = found
	for _, c := range found {
		y, err := s.made(c, r)
		if err != nil {
			return nil, err
		}
		for _, name := range c.names {
			s.used[name] = true
		}
		list = append(list, &group{path: c.path + ".", layers: []rnn.Layer{y}})
	}
	if len(found) == 1 {
		s.reachOut(found[0], &list[0].layers[0])
	}
	if len(found) > 0 {
		s.nameRest(found[0].turned)
	}
	return list, nil
}

// flatten makes vectors of biases that were saved as columns.
func (s *source) flatten() {
	s.tensors = slices.Clone(s.tensors)
	for i, t := range s.tensors {
		base := strings.ToLower(lastName(t.Name))
		if len(t.Dims) == 2 && t.Dims[1] == 1 && strings.HasPrefix(base, "b") {
			s.tensors[i].Dims = t.Dims[:1]
		}
	}
}

// matrix returns the matrix of a name, of the given shape if there is one.
func (p *place) matrix(name string, dims []int) *piece {
	i := slices.IndexFunc(p.pieces, func(x piece) bool {
		return len(x.tensor.Dims) == 2 && x.name == name && (dims == nil || slices.Equal(x.tensor.Dims, dims))
	})
	if i < 0 {
		return nil
	}
	return &p.pieces[i]
}

// bias returns the bias of a matrix: that of its Linear or, if it has none, a vector of one
// of several names that nothing else has taken.
func (p *place) bias(c *handmade, m *piece, rows int, names ...string) []float32 {
	is := func(x piece) bool {
		if len(x.tensor.Dims) != 1 || x.tensor.Dims[0] != rows || slices.Contains(c.names, x.tensor.Name) {
			return false
		}
		if !m.raw && !x.raw {
			return parent(x.tensor.Name) == parent(m.tensor.Name)
		}
		return x.raw && slices.Contains(names, x.name)
	}
	i := slices.IndexFunc(p.pieces, is)
	if i < 0 {
		return nil
	}
	c.names = append(c.names, p.pieces[i].tensor.Name)
	return p.pieces[i].tensor.Data
}

// biasOf returns what the bias of a raw matrix is called: b_xi for W_xi.
func biasOf(name string) string { return "b" + name[min(1, len(name)):] }

// byGates finds a cell whose gates have names.
func (p *place) byGates(letters string, r recipe) *handmade {
	for _, pair := range pairs {
		if c := p.gatesOf(letters, pair[0], pair[1], r); c != nil {
			return c
		}
	}
	for _, pattern := range []string{"w%", "%", "%w", "wh%", "wx%"} { // over input and state side by side
		if c := p.gatesOf(letters, pattern, "", r); c != nil {
			return c
		}
	}
	return nil
}

// gatesOf finds a cell whose gates are named by a pattern for the input and one for the
// state; without that, both are read side by side.
func (p *place) gatesOf(letters, forX, forH string, r recipe) *handmade {
	c := &handmade{path: p.path, module: p.module, letters: letters, joined: forH == ""}
	var dims, dimsH []int
	for g, names := range gateNames[letters] {
		var x, h *piece
		var called string
		for _, name := range names {
			x, h = p.matrix(strings.Replace(forX, "%", name, 1), dims), nil
			if forH != "" {
				h = p.matrix(strings.Replace(forH, "%", name, 1), dimsH)
			}
			if x != nil && (h != nil || c.joined) {
				called = name
				break
			}
		}
		if called == "" || !c.fits(g, x, h) {
			return nil
		}
		dims = x.tensor.Dims
		c.names = append(c.names, x.tensor.Name)
		rows := x.rows(c.turned)
		made := gate{in: x.matrix(c.turned)}
		if h != nil {
			dimsH = h.tensor.Dims
			c.names = append(c.names, h.tensor.Name)
			made.rec = h.matrix(c.turned)
		} else {
			made.in, made.rec = split(made.in, made.in.Cols-rows, r.stateFirst)
		}
		own := "b" + called
		made.biasIn = p.bias(c, x, rows, biasOf(x.name), own, called+"b")
		if h != nil {
			made.biasRec = p.bias(c, h, rows, biasOf(h.name))
		}
		c.twice = c.twice || made.biasRec != nil
		c.gates = append(c.gates, made)
	}
	return c
}

// fits reports whether the matrices of a gate have sizes of one; the first says which way
// they stand.
func (c *handmade) fits(g int, x, h *piece) bool {
	a := x.tensor.Dims
	if h == nil {
		if g == 0 {
			c.turned = x.raw && a[0] > a[1]
		}
		return x.rows(c.turned) < x.columns(c.turned)
	}
	b := h.tensor.Dims
	if b[0] != b[1] {
		return false
	}
	if g == 0 {
		c.turned = x.raw && a[1] == b[0]
		c.unsure = c.turned && a[0] == a[1]
	}
	return x.rows(c.turned) == b[0]
}

// byNames finds a cell whose matrices for all gates have names.
func (p *place) byNames() *handmade {
	for _, pair := range wholes {
		x, h := p.matrix(pair[0], nil), p.matrix(pair[1], nil)
		if x == nil || h == nil {
			continue
		}
		if c := p.whole(x, h); c != nil {
			return c
		}
		if c := p.whole(h, x); c != nil { // some call them the other way
			return c
		}
	}
	return nil
}

// bySizes finds a GRU or an LSTM of any names: two matrices with as many rows, 3 or 4 times
// the columns of one.
func (p *place) bySizes() *handmade {
	var matrices []*piece
	for i := range p.pieces {
		if x := &p.pieces[i]; len(x.tensor.Dims) == 2 && !namesEmbedding(x.tensor.Name) {
			matrices = append(matrices, x)
		}
	}
	for i, h := range matrices {
		if len(p.path) == 0 || h.tensor.Dims[0] <= h.tensor.Dims[1] {
			continue // a network's own level has other matrices, too
		}
		for k, x := range matrices {
			if i == k || x.tensor.Dims[0] != h.tensor.Dims[0] || slices.Equal(x.tensor.Dims, h.tensor.Dims) && i < k {
				continue
			}
			if c := p.whole(x, h); c != nil {
				return c
			}
		}
	}
	return nil
}

// whole makes a cell of two matrices for all gates, if their sizes fit.
func (p *place) whole(x, h *piece) *handmade {
	c := &handmade{path: p.path, module: p.module, stacked: true}
	a, b := x.tensor.Dims, h.tensor.Dims
	cell := rnn.CellOf(b[0], b[1])
	if square := b[0] == b[1]; cell == nil || square && x.raw && a[1] == b[0] {
		cell, c.turned, c.unsure = rnn.CellOf(b[1], b[0]), true, square && a[0] == a[1]
	}
	if cell == nil || c.turned && !(x.raw && h.raw) || x.rows(c.turned) != h.rows(c.turned) {
		return nil
	}
	c.letters = lettersOf(cell)
	c.names = []string{x.tensor.Name, h.tensor.Name}
	rows := h.rows(c.turned)
	in, rec := x.matrix(c.turned), h.matrix(c.turned)
	first := p.bias(c, x, rows, biasOf(x.name), "b", "bh", "bih")
	second := p.bias(c, h, rows, biasOf(h.name), "bhh", "bh")
	c.twice = second != nil
	c.cut(in, rec, first, second)
	return c
}

// cut divides the rows of stacked gates.
func (c *handmade) cut(in, rec f32.Matrix, first, second []float32) {
	n := in.Rows / len(c.letters)
	for g := range len(c.letters) {
		made := gate{in: in.View(g*n, (g+1)*n), rec: rec.View(g*n, (g+1)*n)}
		if first != nil {
			made.biasIn = first[g*n : (g+1)*n]
		}
		if second != nil {
			made.biasRec = second[g*n : (g+1)*n]
		}
		c.gates = append(c.gates, made)
	}
}

func lettersOf(c *rnn.Cell) string {
	return map[*rnn.Cell]string{rnn.Elman: "h", rnn.GRU: "rzn", rnn.LSTM: "ifgo"}[c]
}

func cellOf(letters string) *rnn.Cell {
	return map[string]*rnn.Cell{"h": rnn.Elman, "rzn": rnn.GRU, "ifgo": rnn.LSTM}[letters]
}

// split divides the columns of input and state side by side.
func split(m f32.Matrix, inputs int, stateFirst bool) (in, rec f32.Matrix) {
	in, rec = f32.New(m.Rows, inputs), f32.New(m.Rows, m.Cols-inputs)
	for i := range m.Rows {
		if row := m.Row(i); stateFirst {
			copy(rec.Row(i), row)
			copy(in.Row(i), row[m.Cols-inputs:])
		} else {
			copy(in.Row(i), row)
			copy(rec.Row(i), row[inputs:])
		}
	}
	return in, rec
}

// inOne finds a cell that is one matrix, over input and state side by side: what reads the
// state, and the embedding, show the sizes of both.
func (s *source) inOne(r recipe) *handmade {
	var found *handmade
	for _, p := range s.places() {
		for i := range p.pieces {
			x := &p.pieces[i]
			if len(x.tensor.Dims) != 2 || x.raw || namesEmbedding(x.tensor.Name) {
				continue
			}
			for _, cell := range []*rnn.Cell{rnn.LSTM, rnn.GRU, rnn.Elman} {
				hidden := x.tensor.Dims[0] / cell.Gates()
				inputs := x.tensor.Dims[1] - hidden
				named := slices.Contains(combined, x.name)
				if hidden*cell.Gates() != x.tensor.Dims[0] || inputs < 1 || hidden < 3 || cell == rnn.Elman && !named || !s.surrounded(x, inputs, hidden) {
					continue
				}
				if found != nil {
					return nil // which of them it is, nothing shows
				}
				found = &handmade{path: p.path, module: p.module, letters: lettersOf(cell), stacked: true, joined: true, names: []string{x.tensor.Name}}
				in, rec := split(x.matrix(false), inputs, r.stateFirst)
				found.cut(in, rec, p.bias(found, x, x.tensor.Dims[0]), nil)
			}
		}
	}
	return found
}

// surrounded reports whether something reads a state of this size and, where there is an
// embedding, it gives inputs of this one.
func (s *source) surrounded(x *piece, inputs, hidden int) bool {
	read := false
	for _, t := range s.tensors {
		if len(t.Dims) != 2 || t.Name == x.tensor.Name {
			continue
		}
		if namesEmbedding(t.Name) {
			if t.Dims[1] != inputs {
				return false
			}
			continue
		}
		read = read || t.Dims[1] == hidden || t.Dims[0] <= 2 && t.Dims[1] == inputs+hidden
	}
	return read
}
