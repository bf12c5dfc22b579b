package rnn

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quotient/f32"
	"quotient/rnn/gates"
)

// A Cell is a kind of recurrent layer. Each has a file of its own here, another in
// package backprop for the way back, and a row in [Cells].
type Cell struct {
	Name         string   // as users write it
	Op           string   // what PyTorch and ONNX call it
	gates.Layout          // its gates, in PyTorch's order
	Memory       bool     // it keeps a c beside its h, and both are its state
	Order        []int    // its gates in ONNX's order, by their places in PyTorch's
	Activations  []string // as ONNX names them, in its order

	// Forward makes the state after a step.
	Forward func(Step)
}

// Cells lists all kinds.
var Cells = []*Cell{Elman, GRU, LSTM}

// A Step is what one step of a layer reads and makes, with R rows, one to a word. A
// state takes w columns, and those past its units are zero; see package gates.
type Step struct {
	Gates      f32.Matrix // R × parts*w: before activation, and their values once the step is done
	Before, H  f32.Matrix // R × w: the state before, and that after
	CBefore, C f32.Matrix // R × w: the same of what a cell with a memory keeps
	TanhC      f32.Matrix // R × w: tanh(C)
}

var errUnknownCell = errors.New("unknown cell")

func (c *Cell) String() string { return c.Name }

// FindCell returns the first cell that is the one, or nil.
func FindCell(is func(c *Cell) bool) *Cell {
	if i := slices.IndexFunc(Cells, is); i >= 0 {
		return Cells[i]
	}
	return nil
}

// CellOf returns the cell whose recurrent matrix has this shape, or nil.
func CellOf(rows, hidden int) *Cell {
	return FindCell(func(c *Cell) bool { return hidden > 0 && rows == c.Gates()*hidden })
}

// ParseCell returns the cell of the given name, PyTorch's included: "rnn" is Elman.
func ParseCell(name string) (*Cell, error) {
	c := FindCell(func(c *Cell) bool { return strings.EqualFold(name, c.Name) || strings.EqualFold(name, c.Op) })
	if c == nil {
		names := CellNames()
		last := len(names) - 1
		return nil, fmt.Errorf("cell %s: there are %s and %s", name, strings.Join(names[:last], ", "), names[last])
	}
	return c, nil
}

// CellNames lists the names of all cells.
func CellNames() (names []string) {
	for _, c := range Cells {
		names = append(names, c.Name)
	}
	return names
}
