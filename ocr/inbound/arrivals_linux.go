package inbound

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// arrivals reports the files that were renamed into a folder, which are therefore complete. The kernel reports them
// (inotify(7)). It does not report renames by other machines in a shared folder.
type arrivals struct{ events *os.File }

func watchArrivals(dir string) (*arrivals, error) {
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		return nil, fmt.Errorf("watch the inbox: %w", err)
	}
	a := &arrivals{os.NewFile(uintptr(fd), "inotify")}
	if _, err := syscall.InotifyAddWatch(fd, dir, syscall.IN_MOVED_TO); err != nil {
		return nil, errors.Join(fmt.Errorf("watch the inbox: %w", err), a.close())
	}
	return a, nil
}

// close ends the watch. It does nothing for a nil watch.
func (a *arrivals) close() error {
	if a == nil {
		return nil
	}
	return a.events.Close()
}

// renamed returns the names of the files that were renamed into the folder since the last call. It returns none if a
// is nil.
func (a *arrivals) renamed() (map[string]bool, error) {
	if a == nil {
		return nil, nil
	}
	conn, err := a.events.SyscallConn()
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	buffer := make([]byte, 64<<10)
	for {
		var n int
		var readErr error
		if err := conn.Read(func(fd uintptr) bool {
			n, readErr = syscall.Read(int(fd), buffer) //nolint:gosec // a descriptor is small
			return true                                // do not wait for more
		}); err != nil {
			return names, err
		}
		if errors.Is(readErr, syscall.EAGAIN) || n <= 0 {
			return names, nil
		}
		addNames(names, buffer[:n])
	}
}

// addNames adds the names in inotify's events. The length of a name is in the four bytes from the 12th of its event.
func addNames(names map[string]bool, events []byte) {
	for len(events) >= syscall.SizeofInotifyEvent {
		end := syscall.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(events[12:]))
		name, _, _ := bytes.Cut(events[syscall.SizeofInotifyEvent:end], []byte{0})
		names[string(name)] = true
		events = events[end:]
	}
}
