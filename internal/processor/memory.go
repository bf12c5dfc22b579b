package processor

import (
	"bytes"
	"math"
	"os"
	"strconv"
	"strings"
)

// Memory returns how many bytes of memory the program can still get, by what the system and its
// control group say; [math.MaxInt] where neither tells.
func Memory() int {
	free := math.MaxInt
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		for line := range bytes.Lines(text) {
			if f := strings.Fields(string(line)); len(f) > 1 && f[0] == "MemAvailable:" {
				if kilobytes, err := strconv.Atoi(f[1]); err == nil {
					free = kilobytes << 10
				}
			}
		}
	}
	most, used := number("/sys/fs/cgroup/memory.max"), number("/sys/fs/cgroup/memory.current")
	if most >= 0 && used >= 0 {
		free = min(free, max(0, most-used))
	}
	return free
}

// number returns the number in a file, or -1 if there is none.
func number(file string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		return -1
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return -1
	}
	return n
}

// Peak returns how many bytes of memory the program has had at most, or 0 where the system does not tell.
func Peak() int {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		if f := strings.Fields(string(line)); len(f) > 1 && f[0] == "VmHWM:" {
			if kilobytes, err := strconv.Atoi(f[1]); err == nil {
				return kilobytes << 10
			}
		}
	}
	return 0
}
