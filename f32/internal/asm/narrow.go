package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// narrow emits four rows of A times four rows of B, each pair a scalar product.
// Sixteen accumulators take every lane of both; their lanes are then added as the
// tree that dots builds, but for all sixteen at once: 45 instructions in place of
// 128. AVX2 has too few registers and uses dots.
func (v isa) narrow() {
	if v.bytes != 64 {
		return
	}
	name := "narrow" + v.name
	function(name, "func(c *float32, cs int, a *float32, as int, b *float32, bs int, w, n int, table *float32, ts int, index *int32)")
	Doc(name+" adds to 4×4 elements of C the scalar products of w bytes of rows of A and of B, n times, one below the other.",
		"With an index, it first sets every row to the one of the table that its index names.")
	c, a, as, b, bs := param("c"), param("a"), param("as"), param("b"), param("bs")
	cs, w, n := param("cs"), param("w"), param("n")
	as3, bs3 := triple(as), triple(bs)
	Label("tile")
	var acc [4][4]reg.VecVirtual // [column][row]
	for i := range acc {
		for j := range acc[i] {
			acc[i][j] = v.zero()
		}
	}
	pa, pb, end := GP64(), GP64(), GP64()
	MOVQ(a, pa)
	MOVQ(b, pb)
	LEAQ(at(a, w), end)
	Label("lane")
	var x [4]reg.VecVirtual
	for i := range x {
		x[i] = v.load(strided(pa, as, as3, i))
	}
	for j := range acc {
		y := v.load(strided(pb, bs, bs3, j))
		for i := range x {
			VFMADD231PS(y, x[i], acc[j][i])
		}
	}
	ADDQ(Imm(64), pa)
	ADDQ(Imm(64), pb)
	CMPQ(pa, end)
	JLT(LabelRef("lane"))

	var col [4]reg.VecVirtual
	for j := range col {
		col[j] = v.quarter(v.halve(acc[j][0], acc[j][1]), v.halve(acc[j][2], acc[j][3]))
	}
	// Each 128 bits of col[j] hold four partial sums of one row, in column j.
	pair := func(x, y reg.VecVirtual) reg.VecVirtual { return v.fold(x, y, 0b01_00_01_00, 0b11_10_11_10) }
	sum := v.fold(pair(col[0], col[1]), pair(col[2], col[3]), 0b10_00_10_00, 0b11_01_11_01)
	index, from := GP64(), GP64()
	Load(Param("index"), index)
	TESTQ(index, index)
	JNZ(LabelRef("lookup"))
	for i := range 4 {
		four := XMM()
		VEXTRACTF32X4(Imm(uint64(i)), sum, four)
		VADDPS(Mem{Base: c}, four, four)
		VMOVUPS(four, Mem{Base: c})
		ADDQ(cs, c)
	}
	JMP(LabelRef("next"))
	Label("lookup")
	for i := range 4 {
		four := XMM()
		VEXTRACTF32X4(Imm(uint64(i)), sum, four)
		MOVLQSX(Mem{Base: index, Disp: 4 * i}, from)
		ts, err := Param("ts").Resolve()
		if err != nil {
			panic(err)
		}
		IMULQ(ts.Addr, from)
		table, err := Param("table").Resolve()
		if err != nil {
			panic(err)
		}
		ADDQ(table.Addr, from)
		VADDPS(Mem{Base: from}, four, four)
		VMOVUPS(four, Mem{Base: c})
		ADDQ(cs, c)
	}
	ADDQ(Imm(16), index)
	Store(index, Param("index"))
	Label("next")
	LEAQ(Mem{Base: a, Index: as, Scale: 4}, a)
	DECQ(n)
	JNZ(LabelRef("tile"))
	VZEROUPPER()
	RET()
}

// halve adds the upper half of x to the lower, and of y, side by side.
func (v isa) halve(x, y reg.VecVirtual) reg.VecVirtual {
	lo, hi := v.vec(), v.vec()
	VSHUFF32X4(Imm(0b01_00_01_00), y, x, lo)
	VSHUFF32X4(Imm(0b11_10_11_10), y, x, hi)
	VADDPS(lo, hi, lo)
	return lo
}

// quarter does the same with the halves of halves.
func (v isa) quarter(x, y reg.VecVirtual) reg.VecVirtual {
	lo, hi := v.vec(), v.vec()
	VSHUFF32X4(Imm(0b10_00_10_00), y, x, lo)
	VSHUFF32X4(Imm(0b11_01_11_01), y, x, hi)
	VADDPS(lo, hi, lo)
	return lo
}

// fold adds within 128 bits: the floats of x and y that one mask picks to those
// that the other picks.
func (v isa) fold(x, y reg.VecVirtual, first, second uint64) reg.VecVirtual {
	lo, hi := v.vec(), v.vec()
	VSHUFPS(Imm(first), y, x, lo)
	VSHUFPS(Imm(second), y, x, hi)
	VADDPS(lo, hi, lo)
	return lo
}
