//go:build unix

package backup

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the lock of a file, and makes the file if it is missing. The lock ends with unlock or with the process. It fails with
// errLocked if another process has the lock.
func lock(path string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errLocked
		}
		return nil, errors.Join(err, f.Close())
	}
	return f.Close, nil
}
