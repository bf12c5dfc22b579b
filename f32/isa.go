package f32

import (
	"fmt"
	"os"
	"slices"
)

// An ISA names the instruction set that kernels use.
type ISA string

const (
	Plain  ISA = "plain"  // Go, on every machine
	AVX2   ISA = "avx2"   // AVX2 and FMA
	AVX512 ISA = "avx512" // AVX-512 F, BW, DQ and VL
)

// isa is what kernels use now.
var isa = choose(os.Getenv("QUOTIENT_ISA"))

// Using returns the instruction set in use: the best that this machine has, or
// what the environment variable QUOTIENT_ISA or [Use] said.
func Using() ISA { return isa }

// Use makes kernels use the given instruction set, for tests and comparisons. It
// panics if the machine lacks it, and must not be called while kernels run.
func Use(i ISA) { isa = choose(string(i)) }

func choose(name string) ISA {
	have := Supported()
	if name == "" {
		return have[0]
	}
	if !slices.Contains(have, ISA(name)) {
		panic(fmt.Sprintf("f32: instruction set %q is not one of %q", name, have))
	}
	return ISA(name)
}

// Fused reports whether the compiler made one instruction, with one rounding, of products that are
// added to something in Go: it does so for arm64 and others, and for amd64 from GOAMD64=v3 on. So
// the plain kernels, and whatever else is computed in Go, round in one of two ways.
func Fused() bool {
	const x = 1 + 0x1p-12 // whose square has a bit more than a float32 holds
	return multiplyAdd(x, x, -(1+0x1p-11)) != 0
}

//go:noinline
func multiplyAdd(x, y, z float32) float32 { return x*y + z }
