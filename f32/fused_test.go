package f32

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// Whether products and sums are fused is up to the compiler, and is told of as it is.
func TestFused(t *testing.T) {
	want := runtime.GOARCH != "amd64" && runtime.GOARCH != "386"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			want = want || s.Key == "GOAMD64" && s.Value >= "v3"
		}
	}
	if runtime.GOARCH == "arm" || runtime.GOARCH == "wasm" {
		t.Skip("not known here")
	}
	if Fused() != want {
		t.Errorf("fused: %v, want %v", Fused(), want)
	}
}
