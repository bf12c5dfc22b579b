package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tiles emits the matrix product's inner kernels. A tile of C stays in
// registers while k runs, so that with AVX-512 24 fused multiply-adds need 11
// loads (8 rows of 3 vectors), and with AVX2 12 need 8 (6 rows of 2). The tiles
// of one row finish what is left below. A column's width is counted in blocks
// of 16 floats for both.
func (v isa) tiles() {
	if v.bytes == 64 {
		for blocks := 1; blocks <= 3; blocks++ {
			v.tile(8, blocks)
			v.tile(1, blocks)
		}
		return
	}
	v.tile(6, 1)
	v.tile(2, 1)
	v.tile(1, 1)
}

// tile emits, for n tiles one below the other, all strides in bytes:
//
//	for i < rows, j < 16*blocks, l < k: C[i][j] += A[i][l] * B[l][j]
//
// where A[i][l] lies at a + i*ai + l*ak, so that both A and its transpose serve,
// and B[l] at b + l*bk.
func (v isa) tile(rows, blocks int) {
	name := fmt.Sprintf("tile%dx%d%s", rows, blocks, v.name)
	function(name, "func(c *float32, ci int, a *float32, ai, ak int, b *float32, bk int, k, n int)")
	Doc(fmt.Sprintf("%s adds A times B to %d rows and %d columns of C, n times, one below the other.", name, rows, 16*blocks))
	vectors := 64 * blocks / v.bytes
	c, a, ai, ak, bk := param("c"), param("a"), param("ai"), param("ak"), param("bk")

	Label("tile")
	row := GP64()
	MOVQ(c, row)
	acc := make([][]reg.VecVirtual, rows)
	ci := param("ci")
	for i := range acc {
		for j := range vectors {
			acc[i] = append(acc[i], v.load(Mem{Base: row, Disp: v.bytes * j}))
		}
		if i < rows-1 {
			ADDQ(ci, row)
		}
	}

	// Rows 0 to 2 hang on the first pointer, 3 to 5 on the next, and so on:
	// x86 addresses a base plus one or two times a stride.
	var at []reg.GPVirtual
	for i := 0; i < rows; i += 3 {
		p := GP64()
		if i == 0 {
			MOVQ(a, p)
		} else {
			LEAQ(Mem{Base: at[i/3-1], Index: ai, Scale: 2}, p)
			ADDQ(ai, p)
		}
		at = append(at, p)
	}
	element := func(i int) Mem {
		m := Mem{Base: at[i/3]}
		if i%3 > 0 {
			m.Index, m.Scale = ai, uint8(i%3)
		}
		return m
	}
	b, k := param("b"), param("k")
	Label("k")
	wide := make([]reg.VecVirtual, vectors)
	for j := range wide {
		wide[j] = v.load(Mem{Base: b, Disp: v.bytes * j})
	}
	for i := range rows {
		x := v.vec()
		VBROADCASTSS(element(i), x)
		for j := range wide {
			VFMADD231PS(wide[j], x, acc[i][j])
		}
	}
	for _, p := range at {
		ADDQ(ak, p)
	}
	ADDQ(bk, b)
	DECQ(k)
	JNZ(LabelRef("k"))

	Load(Param("ci"), ci)
	for i := range acc {
		for j := range vectors {
			VMOVUPS(acc[i][j], Mem{Base: c, Disp: v.bytes * j})
		}
		ADDQ(ci, c)
	}
	next := GP64()
	IMUL3Q(Imm(uint64(rows)), ai, next)
	ADDQ(next, a)
	n, err := Param("n").Resolve()
	if err != nil {
		panic(err)
	}
	DECQ(n.Addr)
	JNZ(LabelRef("tile"))
	VZEROUPPER()
	RET()
}

// peak emits n rounds of independent fused multiply-adds on 12 registers, enough
// to hide a latency of 5 cycles on two ports, unrolled twice: the most that the
// instruction set can do.
func (v isa) peak() {
	name := "peak" + v.name
	function(name, "func(n int)")
	Doc(fmt.Sprintf("%s does 24*%d fused multiply-adds n times.", name, v.bytes/4))
	n := param("n")
	var acc []reg.VecVirtual
	for range 12 {
		acc = append(acc, v.zero())
	}
	x := v.zero()
	Label("round")
	for range 2 {
		for _, r := range acc {
			VFMADD231PS(x, x, r)
		}
	}
	DECQ(n)
	JNZ(LabelRef("round"))
	VZEROUPPER()
	RET()
}
