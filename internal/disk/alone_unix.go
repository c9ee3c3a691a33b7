//go:build unix

package disk

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Alone calls act while no other process, and no other call of this one, is in an Alone of the same folder. It waits for its turn, which
// ends with act or with the process.
func Alone(folder string, act func() error) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	for {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return errors.Join(fmt.Errorf("lock %s: %w", folder, err), f.Close())
	}
	return errors.Join(act(), f.Close())
}
