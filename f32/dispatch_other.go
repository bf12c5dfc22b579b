//go:build !amd64

package f32

// Supported returns the instruction sets of this machine, the best first.
func Supported() []ISA { return []ISA{Plain} }

// A fast kernel returns how much it has done: here nothing.

func mulAddFast(c, a *Matrix, transposed bool, b *Matrix, from *Lookup) int { return 0 }
func fullRows(n int) int                                                    { return n }
func narrowFast(c, a, b *Matrix, from *Lookup) bool                         { return false }
func axpyFast(dst []float32, alpha float32, x []float32) int                { return 0 }
func dotsFast(dst []float32, a Matrix, x []float32) int                     { return 0 }
func scatterFast(table, src Matrix, index []int32) bool                     { return false }
func tanhFast(dst, src []float32) int                                       { return 0 }
func sigmoidFast(dst, src []float32) int                                    { return 0 }
func elmanBackwardFast(dz, dh, h Matrix, dy, head []float32) bool           { return false }
func gruForwardFast(g, h, prev Matrix) bool                                 { return false }
func gruBackwardFast(g, dh, prev Matrix, dy, head []float32) bool           { return false }
func lstmForwardFast(g, h, c, tc, prev Matrix) bool                         { return false }
func lstmBackwardFast(g, dh, dc, tc, prev Matrix, dy, head []float32) bool  { return false }
func logisticFast(dx, loss, x, sign []float32, scale float32) int           { return 0 }
func adamwFast(p, g, m, s []float32, k *[7]float32) int                     { return 0 }
func peakRounds() []func() float64                                          { return []func() float64{peakPlain} }
func leastFast(at []int32, first, second []float32, a *Matrix) bool         { return false }
func prefetchFast(x []float32)                                              {}
