//go:build !linux && !darwin

package queue

import "math"

// freeBytes does not know: whoever writes is told.
func freeBytes(string) int64 { return math.MaxInt64 }
