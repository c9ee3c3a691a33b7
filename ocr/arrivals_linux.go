package ocr

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// arrivals tells which files were renamed into a folder, and so are complete. It is told by the kernel (inotify(7)),
// which tells nothing of what other machines do in a folder that they share.
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

func (a *arrivals) close() error { return a.events.Close() }

// since returns the names of the files that were renamed in since it was asked last.
func (a *arrivals) since() ([]string, error) {
	conn, err := a.events.SyscallConn()
	if err != nil {
		return nil, err
	}
	var names []string
	buffer := make([]byte, 64<<10)
	for {
		var n int
		var readErr error
		if err := conn.Read(func(fd uintptr) bool {
			n, readErr = syscall.Read(int(fd), buffer) //nolint:gosec // a descriptor is small
			return true                                // where there is nothing to read it is not waited for
		}); err != nil {
			return names, err
		}
		if errors.Is(readErr, syscall.EAGAIN) || n <= 0 {
			return names, nil
		}
		names = append(names, namesIn(buffer[:n])...)
	}
}

// namesIn returns the names in inotify's events, each of which has its length at its 12th byte.
func namesIn(events []byte) []string {
	var names []string
	for len(events) >= syscall.SizeofInotifyEvent {
		end := syscall.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(events[12:]))
		name, _, _ := bytes.Cut(events[syscall.SizeofInotifyEvent:end], []byte{0})
		names = append(names, string(name))
		events = events[end:]
	}
	return names
}
