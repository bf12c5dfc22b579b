package queue

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"syscall"

	"github.com/nats-io/nats.go/jetstream"
)

// A FullError says that a disk has no room left. It is no failure of a task: the sweep ends, and goes on
// when there is room.
type FullError struct{ Err error }

func (e *FullError) Error() string {
	return fmt.Sprintf("the disk is full: %v; when there is room, the same command goes on from there", e.Err)
}

func (e *FullError) Unwrap() error { return e.Err }

const (
	insufficientResources = 10023
	storeFailed           = 10077
	diskFull              = syscall.Errno(112) // as Windows has it
)

// isFull reports whether an error is that a disk is full, here or at a server.
func isFull(err error) bool {
	var api *jetstream.APIError
	switch {
	case err == nil:
		return false
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), runtime.GOOS == "windows" && errors.Is(err, diskFull):
		return true
	case errors.As(err, &api):
		return api.ErrorCode == insufficientResources || api.ErrorCode == storeFailed && strings.Contains(api.Description, "no space left")
	}
	return false
}

// saying returns an error, as a [FullError] if it is that.
func saying(err error) error {
	if said := (*FullError)(nil); isFull(err) && !errors.As(err, &said) {
		return &FullError{err}
	}
	return err
}
