package f32

import (
	"runtime"
	"time"
)

// Peak measures for about the given time how many floating-point operations a
// second one core does at most with the instruction sets in use: independent
// fused multiply-adds on registers, two operations each, the best of many short
// rounds. With AVX-512 in use, AVX2 counts too where it is faster.
func Peak(d time.Duration) float64 {
	best := 0.0
	for start := time.Now(); best == 0 || time.Since(start) < d; {
		for _, round := range peakRounds() {
			best = max(best, pace(round))
		}
	}
	return best
}

// pace repeats a round until the clock has moved, from a moment at which it does: that of Windows may stand
// still for many rounds.
func pace(round func() float64) float64 {
	now := time.Now()
	begin := now
	for !begin.After(now) {
		begin = time.Now()
	}
	for flops := round(); ; flops += round() {
		if took := time.Since(begin); took > 0 {
			return flops / took.Seconds()
		}
	}
}

// peakPlain does what the compiler makes of eight independent sums.
func peakPlain() float64 {
	const n = 20000
	var a, b, c, d, e, f, g, h float32
	x := float32(0.5)
	for range n {
		a += x * x
		b += x * x
		c += x * x
		d += x * x
		e += x * x
		f += x * x
		g += x * x
		h += x * x
		x = -x
	}
	runtime.KeepAlive(a + b + c + d + e + f + g + h)
	return 16 * n
}
