package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tiles emits the matrix product's inner kernels. A tile of C stays in registers
// while k runs, and should be wide and high: AVX-512 does two multiply-adds a
// cycle but hardly more than one load (1.36 measured on Ice Lake), and a tile of
// r rows and w vectors needs r+w loads for r*w of them. Lower tiles finish what
// is left below. A tile's width is counted in blocks of 16 floats.
func (v isa) tiles() {
	for blocks, heights := range v.heights() {
		for _, rows := range heights {
			v.tile(rows, blocks+1, false)
			v.tile(rows, blocks+1, true)
		}
	}
}

// heights returns the rows of the tiles for each width.
func (v isa) heights() [][]int {
	if v.bytes == 64 {
		return [][]int{{8, 4, 1}, {8, 4, 1}, {8, 4, 1}, {6, 4, 1}}
	}
	return [][]int{{6, 4, 1}}
}

// tile emits, for n tiles one below the other, all strides in bytes:
//
//	for i < rows, j < 16*blocks, l < k: C[i][j] += A[i][l] * B[l][j]
//
// B[l] lies at b + l*bs, and A[i][l] at a + i*as + 4*l, or transposed at
// a + 4*i + l*as. The next tile's A begins at a + an.
func (v isa) tile(rows, blocks int, transposed bool) {
	t := tile{isa: v, rows: rows, vectors: 64 * blocks / v.bytes, transposed: transposed}
	name := fmt.Sprintf("tile%dx%d%s", rows, blocks, v.name)
	if transposed {
		name = "t" + name
	}
	function(name, "func(c *float32, cs int, a *float32, as, an int, b *float32, bs int, k, n int, table *float32, ts int, index *int32)")
	Doc(fmt.Sprintf("%s adds A times B to %d rows and %d columns of C, n times, one below the other.", name, rows, 16*blocks),
		"With an index, it first sets every row to the one of the table that its index names.")
	t.emit()
}

type tile struct {
	isa
	rows, vectors int
	transposed    bool

	acc   [][]reg.VecVirtual
	a     []reg.GPVirtual // the rows' elements, three rows to a pointer; or all of them
	as, b reg.GPVirtual
	bs    reg.GPVirtual
	as3   reg.GPVirtual // three times the stride
	bs3   reg.GPVirtual
}

func (t *tile) emit() {
	c, a := param("c"), param("a")
	t.as, t.bs = param("as"), param("bs")
	t.bs3 = triple(t.bs)
	if t.transposed {
		t.as3 = triple(t.as)
	}
	Label("tile")
	t.start(c)
	t.prefetch(c)
	t.pointA(a)
	t.b = param("b")
	k, fours := param("k"), GP64()
	MOVQ(k, fours)
	SHRQ(Imm(2), fours)
	JZ(LabelRef("rest"))
	Label("four")
	for u := range 4 {
		t.multiply(u)
	}
	t.advance(4)
	DECQ(fours)
	JNZ(LabelRef("four"))
	Label("rest")
	ANDQ(Imm(3), k)
	JZ(LabelRef("done"))
	Label("one")
	t.multiply(0)
	t.advance(1)
	DECQ(k)
	JNZ(LabelRef("one"))
	Label("done")

	cs := param("cs")
	for _, row := range t.acc {
		for j, r := range row {
			VMOVUPS(r, Mem{Base: c, Disp: t.bytes * j})
		}
		ADDQ(cs, c)
	}
	ADDQ(param("an"), a)
	n, err := Param("n").Resolve()
	if err != nil {
		panic(err)
	}
	DECQ(n.Addr)
	JNZ(LabelRef("tile"))
	VZEROUPPER()
	RET()
}

// start fills the accumulators from C, or from the table.
func (t *tile) start(c reg.GPVirtual) {
	for i := range t.rows {
		t.acc = append(t.acc, nil)
		for range t.vectors {
			t.acc[i] = append(t.acc[i], t.vec())
		}
	}
	row, step, index := GP64(), GP64(), GP64()
	Load(Param("index"), index)
	TESTQ(index, index)
	JNZ(LabelRef("lookup"))
	MOVQ(c, row)
	Load(Param("cs"), step)
	for i := range t.rows {
		t.loadRow(i, row)
		if i < t.rows-1 {
			ADDQ(step, row)
		}
	}
	JMP(LabelRef("started"))
	Label("lookup")
	Load(Param("ts"), step)
	for i := range t.rows {
		MOVLQSX(Mem{Base: index, Disp: 4 * i}, row)
		IMULQ(step, row)
		table, err := Param("table").Resolve()
		if err != nil {
			panic(err)
		}
		ADDQ(table.Addr, row)
		t.loadRow(i, row)
	}
	ADDQ(Imm(uint64(4*t.rows)), index)
	Store(index, Param("index"))
	Label("started")
}

// prefetch asks for the next tile's C, whose sums wait for nothing else when they begin.
func (t *tile) prefetch(c reg.GPVirtual) {
	cs, row := param("cs"), GP64()
	IMUL3Q(Imm(uint64(t.rows)), cs, row)
	ADDQ(c, row)
	for i := range t.rows {
		for at := 0; at < t.bytes*t.vectors; at += 64 {
			PREFETCHT1(Mem{Base: row, Disp: at})
		}
		if i < t.rows-1 {
			ADDQ(cs, row)
		}
	}
}

func (t *tile) loadRow(i int, row reg.GPVirtual) {
	for j, r := range t.acc[i] {
		VMOVUPS(Mem{Base: row, Disp: t.bytes * j}, r)
	}
}

// pointA sets the pointers into A. Rows 0 to 2 hang on the first, 3 to 5 on the
// next, and so on: x86 addresses a base plus one or two times a stride. The
// transpose has all rows side by side and needs one.
func (t *tile) pointA(a reg.GPVirtual) {
	p := GP64()
	MOVQ(a, p)
	t.a = []reg.GPVirtual{p}
	for i := 3; i < t.rows && !t.transposed; i += 3 {
		next := GP64()
		LEAQ(Mem{Base: p, Index: t.as, Scale: 2}, next)
		ADDQ(t.as, next)
		t.a = append(t.a, next)
		p = next
	}
}

// multiply adds the products for the u-th l from here, u < 4.
func (t *tile) multiply(u int) {
	wide := make([]reg.VecVirtual, t.vectors)
	for j := range wide {
		m := strided(t.b, t.bs, t.bs3, u)
		m.Disp = t.bytes * j
		wide[j] = t.load(m)
	}
	for i, row := range t.acc {
		var m Mem
		if t.transposed {
			m = strided(t.a[0], t.as, t.as3, u)
			m.Disp = 4 * i
		} else {
			m = strided(t.a[i/3], t.as, nil, i%3)
			m.Disp = 4 * u
		}
		x := t.vec()
		VBROADCASTSS(m, x)
		for j := range wide {
			VFMADD231PS(wide[j], x, row[j])
		}
	}
}

// advance moves the pointers on by u, which is 1 or 4.
func (t *tile) advance(u int) {
	for _, p := range t.a {
		if t.transposed {
			LEAQ(Mem{Base: p, Index: t.as, Scale: uint8(u)}, p)
		} else {
			ADDQ(Imm(uint64(4*u)), p)
		}
	}
	LEAQ(Mem{Base: t.b, Index: t.bs, Scale: uint8(u)}, t.b)
}

// strided addresses base + times*stride, triple being three times the stride.
func strided(base, stride, triple reg.Register, times int) Mem {
	switch times {
	case 0:
		return Mem{Base: base}
	case 3:
		return Mem{Base: base, Index: triple, Scale: 1}
	}
	return Mem{Base: base, Index: stride, Scale: uint8(times)}
}

func triple(x reg.GPVirtual) reg.GPVirtual {
	r := GP64()
	LEAQ(Mem{Base: x, Index: x, Scale: 2}, r)
	return r
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
