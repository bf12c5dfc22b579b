//go:build !linux

package processor

import "time"

// Thread returns what [Time] does, as the system does not tell of threads.
func Thread() time.Duration { return Time() }
