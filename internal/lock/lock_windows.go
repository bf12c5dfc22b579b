package lock

import (
	"errors"
	"os"
	"syscall"
)

// Folder keeps other processes from locking the folder until the returned
// function is called or the process ends, however it ends. The folder itself is
// opened as by somebody who adds files and lets nobody else do so: files can be
// made and removed in it all the same, for that opens no folder.
func Folder(path string) (unlock func(), err error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	const sharingViolation syscall.Errno = 32
	h, err := syscall.CreateFile(name, syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ|syscall.FILE_SHARE_DELETE, nil,
		syscall.OPEN_EXISTING, syscall.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if errors.Is(err, sharingViolation) {
		return nil, ErrHeld
	}
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return func() { syscall.CloseHandle(h) }, nil
}
