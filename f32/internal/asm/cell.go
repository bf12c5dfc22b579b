package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tanhP and tanhQ: tanh x = x P(x²)/Q(x²) for |x| <= 9, a fit of least greatest
// relative error (2e-8), scaled by 1 - 2e-7 so that no rounding takes it past 1.
var (
	tanhP = []float32{0.9999998, 0.13381028, 0.0034955930, 2.0609165e-05, 1.3354771e-08}
	tanhQ = []float32{1, 0.46714346, 0.025877003, 0.00032856437, 7.776606e-07}
)

const tanhMax = 9

// A squash emits tanh and the logistic function; it holds the limits ±9.
type squash struct {
	isa
	lo, hi reg.VecVirtual
}

func (v isa) squash() squash { return squash{v, v.splat(-tanhMax), v.splat(tanhMax)} }

// tanh replaces x by its hyperbolic tangent. A NaN stays one.
func (s squash) tanh(x reg.VecVirtual) {
	VMINPS(x, s.hi, x)
	VMAXPS(x, s.lo, x)
	y, q := s.vec(), s.vec()
	VMULPS(x, x, y)
	p := s.splat(tanhP[4])
	VBROADCASTSS(constant(tanhQ[4]), q)
	for i := 3; i >= 0; i-- {
		s.horner(p, y, tanhP[i])
		s.horner(q, y, tanhQ[i])
	}
	VMULPS(p, x, p)
	VDIVPS(q, p, x)
}

// sigmoid replaces x by 1/(1+exp(-x)) = (1+tanh(x/2))/2.
func (s squash) sigmoid(x reg.VecVirtual) {
	s.scale(x, x, 0.5)
	s.tanh(x)
	half := s.splat(0.5)
	VFMADD213PS(half, half, x)
}

func (v isa) tanh() { v.each("tanh", squash.tanh) }

func (v isa) sigmoid() { v.each("sigmoid", squash.sigmoid) }

// each emits a kernel that maps n bytes of floats.
func (v isa) each(name string, f func(squash, reg.VecVirtual)) {
	function(name+v.name, "func(dst, src *float32, n int)")
	Doc(name + v.name + " maps n bytes of floats.")
	dst, src, n := param("dst"), param("src"), param("n")
	s := v.squash()
	loop("lane", n, v.bytes, func(i reg.GPVirtual) {
		x := v.load(at(src, i))
		f(s, x)
		VMOVUPS(x, at(dst, i))
	})
	VZEROUPPER()
	RET()
}

// rows emits body for every vector of every row of matrices whose rows are w
// bytes long and lie one after the other: narrow ones with one part to a row, and
// one wide one with four, whose parts are addressed one by one. begin is emitted
// at the start of a row.
func (v isa) rows(narrow []reg.GPVirtual, wide reg.GPVirtual, begin func(), body func(i reg.GPVirtual, part []reg.GPVirtual)) {
	w := param("w")
	var part []reg.GPVirtual
	if wide != nil {
		part = append(part, wide)
		for p := 1; p < 4; p++ {
			next := GP64()
			LEAQ(at(part[p-1], w), next)
			part = append(part, next)
		}
	}
	Label("row")
	begin()
	loop("lane", w, v.bytes, func(i reg.GPVirtual) { body(i, part) })
	for _, p := range narrow {
		ADDQ(w, p)
	}
	for _, p := range part {
		LEAQ(Mem{Base: p, Index: w, Scale: 4}, p)
	}
	rows, err := Param("rows").Resolve()
	if err != nil {
		panic(err)
	}
	DECQ(rows.Addr)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// A headGradient is what the logits' gradient dy adds to the states': dy times
// the head's weights.
type headGradient struct {
	isa
	dy, head reg.GPVirtual
	scale    reg.VecVirtual
}

func (v isa) headGradient() *headGradient {
	return &headGradient{v, param("dy"), param("head"), v.vec()}
}

// begin takes the next row's dy.
func (h *headGradient) begin() {
	VBROADCASTSS(Mem{Base: h.dy}, h.scale)
	ADDQ(Imm(4), h.dy)
}

// add returns dh with the head's share.
func (h *headGradient) add(dh reg.GPVirtual, i reg.GPVirtual) reg.VecVirtual {
	d := h.load(at(dh, i))
	VFMADD231PS(at(h.head, i), h.scale, d)
	return d
}

// slope emits dst = x - x*x, the logistic function's derivative where its value is x.
func (v isa) slope(dst, x reg.VecVirtual) {
	VMOVAPS(x, dst)
	VFNMADD231PS(x, x, dst)
}

// tanhSlope emits dst = 1 - x*x, the hyperbolic tangent's derivative where its value is x.
func (v isa) tanhSlope(dst, x reg.VecVirtual) {
	VBROADCASTSS(constant(1), dst)
	VFNMADD231PS(x, x, dst)
}

func (v isa) elmanBackward() {
	function("elmanBackward"+v.name, "func(dz, dh, h, dy, head *float32, w, rows int)")
	Doc("elmanBackward" + v.name + " is ElmanBackward on rows of w bytes.")
	dz, dh, h := param("dz"), param("dh"), param("h")
	y := v.headGradient()
	zero := v.zero()
	v.rows([]reg.GPVirtual{dz, dh, h}, nil, y.begin, func(i reg.GPVirtual, _ []reg.GPVirtual) {
		d, x, slope := y.add(dh, i), v.load(at(h, i)), v.vec()
		v.tanhSlope(slope, x)
		VMULPS(slope, d, d)
		VMOVUPS(d, at(dz, i))
		VMOVUPS(zero, at(dh, i))
	})
}

func (v isa) gruForward() {
	function("gruForward"+v.name, "func(gates, h, prev *float32, w, rows int)")
	Doc("gruForward" + v.name + " is GRUForward on rows of w bytes.")
	g, h, prev := param("gates"), param("h"), param("prev")
	s := v.squash()
	v.rows([]reg.GPVirtual{h, prev}, g, func() {}, func(i reg.GPVirtual, part []reg.GPVirtual) {
		r := v.load(at(part[1], i))
		s.sigmoid(r)
		VMOVUPS(r, at(part[1], i))
		n := v.load(at(part[3], i))
		VFMADD231PS(at(part[0], i), r, n)
		s.tanh(n)
		VMOVUPS(n, at(part[3], i))
		z := v.load(at(part[2], i))
		s.sigmoid(z)
		VMOVUPS(z, at(part[2], i))
		d := v.load(at(prev, i))
		VSUBPS(n, d, d)
		VFMADD231PS(d, z, n)
		VMOVUPS(n, at(h, i))
	})
}

func (v isa) gruBackward() {
	function("gruBackward"+v.name, "func(gates, dh, prev, dy, head *float32, w, rows int)")
	Doc("gruBackward" + v.name + " is GRUBackward on rows of w bytes.")
	g, dh, prev := param("gates"), param("dh"), param("prev")
	y := v.headGradient()
	v.rows([]reg.GPVirtual{dh, prev}, g, y.begin, func(i reg.GPVirtual, part []reg.GPVirtual) {
		hn, r, z, n := v.load(at(part[0], i)), v.load(at(part[1], i)), v.load(at(part[2], i)), v.load(at(part[3], i))
		d := y.add(dh, i)
		dz, t := v.load(at(prev, i)), v.vec()
		VSUBPS(n, dz, dz)
		v.slope(t, z)
		VMULPS(t, dz, dz)
		VMULPS(d, dz, dz)
		VMOVUPS(dz, at(part[2], i))
		direct := v.vec()
		VMULPS(z, d, direct)
		VMOVUPS(direct, at(dh, i))
		VSUBPS(direct, d, d)
		v.tanhSlope(t, n)
		VMULPS(t, d, d)
		VMOVUPS(d, at(part[3], i))
		VMULPS(d, hn, hn)
		v.slope(t, r)
		VMULPS(t, hn, hn)
		VMOVUPS(hn, at(part[1], i))
		VMULPS(d, r, r)
		VMOVUPS(r, at(part[0], i))
	})
}

func (v isa) lstmForward() {
	function("lstmForward"+v.name, "func(gates, h, c, tc, prev *float32, w, rows int)")
	Doc("lstmForward" + v.name + " is LSTMForward on rows of w bytes.")
	g, h, c, tc, prev := param("gates"), param("h"), param("c"), param("tc"), param("prev")
	s := v.squash()
	v.rows([]reg.GPVirtual{h, c, tc, prev}, g, func() {}, func(i reg.GPVirtual, part []reg.GPVirtual) {
		in := v.load(at(part[0], i))
		s.sigmoid(in)
		VMOVUPS(in, at(part[0], i))
		cell := v.load(at(part[2], i))
		s.tanh(cell)
		VMOVUPS(cell, at(part[2], i))
		VMULPS(in, cell, cell)
		forget := v.load(at(part[1], i))
		s.sigmoid(forget)
		VMOVUPS(forget, at(part[1], i))
		VFMADD231PS(at(prev, i), forget, cell)
		VMOVUPS(cell, at(c, i))
		s.tanh(cell)
		VMOVUPS(cell, at(tc, i))
		out := v.load(at(part[3], i))
		s.sigmoid(out)
		VMOVUPS(out, at(part[3], i))
		VMULPS(cell, out, out)
		VMOVUPS(out, at(h, i))
	})
}

func (v isa) lstmBackward() {
	function("lstmBackward"+v.name, "func(gates, dh, dc, tc, prev, dy, head *float32, w, rows int)")
	Doc("lstmBackward" + v.name + " is LSTMBackward on rows of w bytes.")
	g, dh, dc, tc, prev := param("gates"), param("dh"), param("dc"), param("tc"), param("prev")
	y := v.headGradient()
	v.rows([]reg.GPVirtual{dh, dc, tc, prev}, g, y.begin, func(i reg.GPVirtual, part []reg.GPVirtual) {
		dout, out, th, t := y.add(dh, i), v.load(at(part[3], i)), v.load(at(tc, i)), v.vec()
		v.tanhSlope(t, th)
		VMULPS(out, t, t)
		d := v.load(at(dc, i))
		VFMADD231PS(dout, t, d)
		VMULPS(th, dout, dout)
		v.slope(t, out)
		VMULPS(t, dout, dout)
		VMOVUPS(dout, at(part[3], i))
		in, cell := v.load(at(part[0], i)), v.load(at(part[2], i))
		x := v.vec()
		VMULPS(cell, d, x)
		v.slope(t, in)
		VMULPS(t, x, x)
		VMOVUPS(x, at(part[0], i))
		VMULPS(in, d, x)
		v.tanhSlope(t, cell)
		VMULPS(t, x, x)
		VMOVUPS(x, at(part[2], i))
		forget := v.load(at(part[1], i))
		VMULPS(at(prev, i), d, x)
		v.slope(t, forget)
		VMULPS(t, x, x)
		VMOVUPS(x, at(part[1], i))
		VMULPS(forget, d, d)
		VMOVUPS(d, at(dc, i))
		v.clear(x)
		VMOVUPS(x, at(dh, i))
	})
}
