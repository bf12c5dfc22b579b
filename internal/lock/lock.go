// Package lock keeps two processes out of one folder.
package lock

import "errors"

// ErrHeld says that another process holds the lock.
var ErrHeld = errors.New("another process has it open")
