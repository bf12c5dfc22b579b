// Command asm writes the assembly of package f32 with avo.
//
// Every kernel is described once and emitted twice, for AVX2 with FMA and for
// AVX-512, with the same operations in the same order on every element, so that
// both give the same bits. Only VEX and EVEX encodings are used, and every
// kernel ends with VZEROUPPER: one legacy SSE instruction in between costs
// dozens of cycles.
package main

import (
	"math"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// An isa is an instruction set: its name, and the bytes in a vector.
type isa struct {
	name  string
	bytes int
}

var isas = []isa{{"AVX2", 32}, {"AVX512", 64}}

func main() {
	ConstraintExpr("amd64")
	for _, v := range isas {
		v.tiles()
		v.peak()
		v.tanh()
		v.sigmoid()
		v.elmanBackward()
		v.gruForward()
		v.gruBackward()
		v.lstmForward()
		v.lstmBackward()
		v.logistic()
		v.adamw()
		v.dots()
		v.narrow()
		v.axpy()
		v.scatter()
		v.least()
		v.prefetch()
	}
	emitConstants()
	Generate()
}

// vec returns a fresh vector register.
func (v isa) vec() reg.VecVirtual {
	if v.bytes == 64 {
		return ZMM()
	}
	return YMM()
}

// zero returns a vector of zeros.
func (v isa) zero() reg.VecVirtual {
	r := v.vec()
	v.clear(r)
	return r
}

func (v isa) clear(r reg.VecVirtual) {
	if v.bytes == 64 {
		VPXORD(r, r, r)
	} else {
		VXORPS(r, r, r)
	}
}

// load returns a register that holds the vector at m.
func (v isa) load(m Op) reg.VecVirtual {
	r := v.vec()
	VMOVUPS(m, r)
	return r
}

// Constants live in read-only memory, eight copies of each: AVX2 reads all of
// them, AVX-512 broadcasts the first as part of the instruction that uses it.
var constants []uint32

func constant(x float32) Mem { return bits(math.Float32bits(x)) }

func bits(b uint32) Mem {
	at := len(constants)
	for i, c := range constants {
		if c == b {
			at = i
		}
	}
	if at == len(constants) {
		constants = append(constants, b)
	}
	return NewDataAddr(Symbol{Name: "constants", Static: true}, 32*at)
}

func emitConstants() {
	GLOBL("constants", attr.RODATA|attr.NOPTR)
	for i, c := range constants {
		for lane := range 8 {
			DATA(32*i+4*lane, U32(c))
		}
	}
}

// splat returns a register whose every lane is x.
func (v isa) splat(x float32) reg.VecVirtual {
	r := v.vec()
	VBROADCASTSS(constant(x), r)
	return r
}

// horner emits acc = acc*x + c.
func (v isa) horner(acc, x reg.VecVirtual, c float32) {
	if v.bytes == 64 {
		VFMADD213PS_BCST(constant(c), x, acc)
	} else {
		VFMADD213PS(constant(c), x, acc)
	}
}

// scale emits dst = x*c.
func (v isa) scale(dst, x reg.VecVirtual, c float32) {
	if v.bytes == 64 {
		VMULPS_BCST(constant(c), x, dst)
	} else {
		VMULPS(constant(c), x, dst)
	}
}

// offset emits dst = x+c.
func (v isa) offset(dst, x reg.VecVirtual, c float32) {
	if v.bytes == 64 {
		VADDPS_BCST(constant(c), x, dst)
	} else {
		VADDPS(constant(c), x, dst)
	}
}

// function begins a function. Its pointers do not escape.
func function(name, signature string) {
	TEXT(name, attr.NOSPLIT, signature)
	Pragma("noescape")
}

// param loads the parameter called name into a general register.
func param(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// loop emits body for i = 0, step, 2*step, ... while i < n.
func loop(label string, n reg.Register, step int, body func(i reg.GPVirtual)) {
	i := GP64()
	XORQ(i, i)
	JMP(LabelRef(label + "_test"))
	Label(label + "_body")
	body(i)
	ADDQ(Imm(uint64(step)), i)
	Label(label + "_test")
	CMPQ(i, n)
	JLT(LabelRef(label + "_body"))
}

// at addresses base+index.
func at(base, index reg.Register) Mem {
	return Mem{Base: base, Index: index, Scale: 1}
}
