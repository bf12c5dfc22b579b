//go:build !unix || solaris || aix

package lock

// Folder does nothing on systems without flock.
func Folder(string) (unlock func(), err error) { return func() {}, nil }
