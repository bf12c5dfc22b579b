package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// least emits the search for a row's two least elements. Each lane keeps the two least that it has met
// and where the first was; in the end the lanes are compared. Nothing is rounded, so AVX-512,
// for which a row of few blocks is too short, uses this too.
func (v isa) least() {
	if v.bytes != 32 {
		return
	}
	name := "least" + v.name
	function(name, "func(at *int32, first, second *float32, a *float32, as int, w, n int, lanes *int32)")
	Doc(name + " is Least on n rows of w bytes, as bytes apart; lanes are the numbers 0 to 7.")
	to, first, second, a, as := param("at"), param("first"), param("second"), param("a"), param("as")
	w, n, lanes := param("w"), param("n"), param("lanes")
	infinite, none, step := v.vec(), v.vec(), v.vec()
	VBROADCASTSS(bits(0x7f800000), infinite)
	VPBROADCASTD(bits(0x7fffffff), none)
	VPBROADCASTD(bits(8), step)
	Label("row")
	m1, m2, where, here := v.vec(), v.vec(), v.load(Mem{Base: lanes}), v.load(Mem{Base: lanes})
	VMOVAPS(infinite, m1)
	VMOVAPS(infinite, m2)
	less, rest := v.vec(), v.vec()
	loop("lane", w, v.bytes, func(i reg.GPVirtual) {
		x := v.load(at(a, i))
		VCMPPS(Imm(1), m1, x, less) // x < m1
		VMAXPS(m1, x, rest)
		VMINPS(m2, rest, m2)
		VMINPS(m1, x, m1) // that of the two which is left if x is no number
		VBLENDVPS(less, here, where, where)
		VPADDD(step, here, here)
	})
	VMOVAPS(m1, rest)
	v.acrossLanes(rest, VMINPS)
	VMOVSS(rest.AsX(), Mem{Base: first})
	VCMPPS(Imm(0), m1, rest, less)
	VBLENDVPS(less, where, none, rest)
	v.acrossLanes(rest, VPMINSD)
	VMOVSS(rest.AsX(), Mem{Base: to})
	VPCMPEQD(rest, where, less)
	VBLENDVPS(less, m2, m1, rest)
	v.acrossLanes(rest, VMINPS)
	VMOVSS(rest.AsX(), Mem{Base: second})
	for _, p := range []reg.GPVirtual{to, first, second} {
		ADDQ(Imm(4), p)
	}
	ADDQ(as, a)
	DECQ(n)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// acrossLanes replaces every lane of x by the least of all.
func (v isa) acrossLanes(x reg.VecVirtual, least func(...Op)) {
	t := v.vec()
	VPERM2F128(Imm(1), x, x, t)
	least(t, x, x)
	VPERMILPS(Imm(0b01_00_11_10), x, t)
	least(t, x, x)
	VPERMILPS(Imm(0b10_11_00_01), x, t)
	least(t, x, x)
}

// prefetch emits requests for the cache lines of n bytes. It does not touch a vector.
func (v isa) prefetch() {
	if v.bytes != 32 {
		return
	}
	function("prefetch"+v.name, "func(x *float32, n int)")
	Doc("prefetch" + v.name + " is Prefetch of n bytes.")
	x, n := param("x"), param("n")
	loop("line", n, 64, func(i reg.GPVirtual) { PREFETCHT0(at(x, i)) })
	RET()
}
