package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// expNegative replaces x <= 0 by exp(x): 2^n times a polynomial in what is left.
func (v isa) expNegative(x reg.VecVirtual) {
	lo := v.splat(-87)
	VMAXPS(x, lo, x)
	n, whole := v.vec(), v.vec()
	v.scale(n, x, 1.44269504)
	VCVTPS2DQ(n, whole)
	VCVTDQ2PS(whole, n)
	// ln 2 in two pieces, the first with few enough bits to be exact times n.
	VFNMADD231PS(v.splat(0.693359375), n, x)
	VFNMADD231PS(v.splat(-2.12194440e-4), n, x)
	p := v.splat(1.0 / 720)
	for _, c := range []float32{1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1, 1} {
		v.horner(p, x, c)
	}
	bias := v.vec()
	VPBROADCASTD(bits(127), bias)
	VPADDD(bias, whole, whole)
	VPSLLD(Imm(23), whole, whole)
	VMULPS(whole, p, x)
}

func (v isa) logistic() {
	function("logistic"+v.name, "func(dx, loss, x, sign *float32, scale float32, n int)")
	Doc("logistic" + v.name + " is Logistic on n bytes of floats.")
	dx, loss, px, sign, n := param("dx"), param("loss"), param("x"), param("sign"), param("n")
	x4, scale := XMM(), v.vec()
	Load(Param("scale"), x4)
	VBROADCASTSS(x4, scale)
	zero, one := v.zero(), v.splat(1)
	loop("lane", n, v.bytes, func(i reg.GPVirtual) {
		s := v.load(at(sign, i))
		z := v.vec()
		VMULPS(at(px, i), s, z)
		VSUBPS(z, zero, z) // z = -s x: how wrong the logit is
		e := v.vec()
		VSUBPS(z, zero, e)
		VMINPS(e, z, e) // -|z|
		v.expNegative(e)

		// wrong = 1/(1+e) if z > 0, e/(1+e) otherwise.
		sum, mask, num := v.vec(), v.vec(), v.vec()
		v.offset(sum, e, 1)
		VPSRAD(Imm(31), z, mask)
		VANDPS(e, mask, num)
		VANDNPS(one, mask, mask)
		VORPS(mask, num, num)
		VDIVPS(sum, num, num)
		VMULPS(s, num, num)
		VMULPS(scale, num, num)
		VSUBPS(num, zero, num)
		VMOVUPS(num, at(dx, i))

		// softplus z = max(z, 0) + log(1+e); log(1+e) = 2 atanh(e/(2+e)).
		v.offset(sum, e, 2)
		q, y := v.vec(), v.vec()
		VDIVPS(sum, e, q)
		VMULPS(q, q, y)
		p := v.splat(2.0 / 13)
		for _, c := range []float32{2.0 / 11, 2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3, 2} {
			v.horner(p, y, c)
		}
		VMAXPS(z, zero, z)
		VFMADD231PS(q, p, z)
		VMULPS(s, z, z)
		VMULPS(s, z, z) // no loss where the sign is 0
		VMOVUPS(z, at(loss, i))
	})
	VZEROUPPER()
	RET()
}

// adamw reads its eight numbers from k in the order of the struct that package
// f32 makes of them.
func (v isa) adamw() {
	function("adamw"+v.name, "func(p, grad, m, s, k *float32, n int)")
	Doc("adamw" + v.name + " is AdamW.Update on n bytes of floats.")
	p, g, m, s, k, n := param("p"), param("grad"), param("m"), param("s"), param("k"), param("n")
	var c [7]reg.VecVirtual
	for i := range c {
		c[i] = v.vec()
		VBROADCASTSS(Mem{Base: k, Disp: 4 * i}, c[i])
	}
	decay, rate1, beta2, rate2, unbias2, eps, step := c[0], c[1], c[2], c[3], c[4], c[5], c[6]
	loop("lane", n, v.bytes, func(i reg.GPVirtual) {
		grad, mean := v.load(at(g, i)), v.load(at(m, i))
		d := v.vec()
		VSUBPS(mean, grad, d)
		VFMADD231PS(d, rate1, mean)
		VMOVUPS(mean, at(m, i))
		square := v.vec()
		VMULPS(at(s, i), beta2, square)
		VMULPS(grad, grad, d)
		VFMADD231PS(d, rate2, square)
		VMOVUPS(square, at(s, i))
		VSQRTPS(square, square)
		VFMADD213PS(eps, unbias2, square) // sqrt(s)*unbias2 + eps
		VDIVPS(square, mean, mean)
		x := v.vec()
		VMULPS(at(p, i), decay, x)
		VFNMADD231PS(mean, step, x)
		VMOVUPS(x, at(p, i))
	})
	VZEROUPPER()
	RET()
}

// dots takes four rows at a time, so that their sums do not wait for each
// other. Sixteen running sums a row are added up as a tree, the same for both
// instruction sets.
func (v isa) dots() {
	for _, rows := range []int{4, 1} {
		name := map[int]string{4: "dots4", 1: "dots1"}[rows] + v.name
		function(name, "func(dst, a *float32, ai int, x *float32, w, n int)")
		Doc(name + " is Dots on rows of w bytes, n times.")
		dst, a, ai, x := param("dst"), param("a"), param("ai"), param("x")
		w, n := param("w"), param("n")
		Label("row")
		vectors := 64 / v.bytes
		at4 := []reg.GPVirtual{a}
		for r := 1; r < rows; r++ {
			p := GP64()
			LEAQ(at(at4[r-1], ai), p)
			at4 = append(at4, p)
		}
		var acc [4][2]reg.VecVirtual
		for r := range rows {
			for j := range vectors {
				acc[r][j] = v.zero()
			}
		}
		loop("lane", w, 64, func(i reg.GPVirtual) {
			for j := range vectors {
				mem := at(x, i)
				mem.Disp = j * v.bytes
				y := v.load(mem)
				for r := range rows {
					mem := at(at4[r], i)
					mem.Disp = j * v.bytes
					VFMADD231PS(mem, y, acc[r][j])
				}
			}
		})
		for r := range rows {
			sum := YMM()
			if v.bytes == 64 {
				hi := YMM()
				VEXTRACTF64X4(Imm(1), acc[r][0], hi)
				VADDPS(acc[r][0].AsY(), hi, sum)
			} else {
				VADDPS(acc[r][0], acc[r][1], sum)
			}
			half := XMM()
			VEXTRACTF128(Imm(1), sum, half)
			VADDPS(sum.AsX(), half, half)
			t := XMM()
			VPERMILPS(Imm(0b1110), half, t)
			VADDPS(half, t, half)
			VPERMILPS(Imm(0b01), half, t)
			VADDSS(half, t, half)
			VMOVSS(half, Mem{Base: dst, Disp: 4 * r})
		}
		ADDQ(Imm(uint64(4*rows)), dst)
		for range rows {
			ADDQ(ai, a)
		}
		DECQ(n)
		JNZ(LabelRef("row"))
		VZEROUPPER()
		RET()
	}
}

func (v isa) axpy() {
	function("axpy"+v.name, "func(dst *float32, alpha float32, x *float32, n int)")
	Doc("axpy" + v.name + " is Axpy on n bytes of floats.")
	dst, x, n := param("dst"), param("x"), param("n")
	x4, alpha := XMM(), v.vec()
	Load(Param("alpha"), x4)
	VBROADCASTSS(x4, alpha)
	loop("lane", n, v.bytes, func(i reg.GPVirtual) {
		y := v.load(at(dst, i))
		VFMADD231PS(at(x, i), alpha, y)
		VMOVUPS(y, at(dst, i))
	})
	VZEROUPPER()
	RET()
}

func (v isa) scatter() {
	function("scatter"+v.name, "func(table *float32, index *int32, rows *float32, w, n int)")
	Doc("scatter" + v.name + " is ScatterAdd on rows of w bytes.")
	table, index, rows, w, n := param("table"), param("index"), param("rows"), param("w"), param("n")
	Label("row")
	to := GP64()
	MOVLQSX(Mem{Base: index}, to)
	IMULQ(w, to)
	ADDQ(table, to)
	loop("lane", w, v.bytes, func(i reg.GPVirtual) {
		x := v.load(at(to, i))
		VADDPS(at(rows, i), x, x)
		VMOVUPS(x, at(to, i))
	})
	ADDQ(w, rows)
	ADDQ(Imm(4), index)
	DECQ(n)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}
