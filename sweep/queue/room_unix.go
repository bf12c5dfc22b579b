//go:build linux || darwin

package queue

import (
	"math"
	"syscall"
)

// freeBytes returns how much the disk of a folder has room for, as far as the system tells.
func freeBytes(folder string) int64 {
	var s syscall.Statfs_t
	if syscall.Statfs(folder, &s) != nil || s.Blocks == 0 {
		return math.MaxInt64
	}
	return int64(s.Bavail) * int64(s.Bsize)
}
