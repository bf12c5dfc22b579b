//go:build (!unix && !windows) || solaris || aix

package lock

// Folder does nothing on systems without locks.
func Folder(string) (unlock func(), err error) { return func() {}, nil }
