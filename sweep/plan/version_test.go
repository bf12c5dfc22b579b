package plan

import (
	"testing"

	"quotient/f32"
)

// What rounds differently has another version, and what rounds alike the same.
func TestVersions(t *testing.T) {
	of := map[string]bool{}
	for _, isa := range []f32.ISA{f32.AVX2, f32.Plain} {
		for _, fused := range []bool{false, true} {
			of[version(isa, fused)] = true
		}
	}
	if len(of) != 4 {
		t.Errorf("%d versions, want 4: %v", len(of), of)
	}
	if version(f32.AVX2, false) != version(f32.AVX512, false) {
		t.Error("AVX2 and AVX-512 round alike, and have two versions")
	}
	if Version() != version(f32.Using(), f32.Fused()) {
		t.Error(Version())
	}
}
