package inbound

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// arrivals reports the files that were renamed into a folder, which are therefore complete. The kernel reports them
// (inotify(7)). It does not report renames by other machines in a shared folder.
type arrivals struct {
	events *os.File
	fd     int           // of events
	buffer []byte        // of renamed
	came   chan struct{} // has a value when there may be names
	ended  chan struct{}
}

func watchArrivals(dir string) (*arrivals, error) {
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		return nil, fmt.Errorf("watch the inbox: %w", err)
	}
	a := &arrivals{
		events: os.NewFile(uintptr(fd), "inotify"), fd: fd, buffer: make([]byte, 4<<10), came: make(chan struct{}, 1), ended: make(chan struct{}),
	}
	_, err = syscall.InotifyAddWatch(fd, dir, syscall.IN_MOVED_TO)
	var conn syscall.RawConn
	if err == nil {
		conn, err = a.events.SyscallConn()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("watch the inbox: %w", err), a.events.Close())
	}
	go a.wait(conn)
	return a, nil
}

// wait tells of each moment at which there are new names, until the watch is closed. It leaves them to renamed.
func (a *arrivals) wait(conn syscall.RawConn) {
	defer close(a.ended)
	_ = conn.Read(func(uintptr) bool { // it fails when the watch is closed
		a.tell()
		return false // go on waiting
	})
}

func (a *arrivals) tell() {
	select {
	case a.came <- struct{}{}:
	default: // nobody has looked since
	}
}

// tellAfter tells once more after a while, although there may be no new names. It does nothing for a nil watch.
func (a *arrivals) tellAfter(pause time.Duration) {
	if a != nil {
		time.AfterFunc(pause, a.tell)
	}
}

// close ends the watch. It does nothing for a nil watch.
func (a *arrivals) close() error {
	if a == nil {
		return nil
	}
	err := a.events.Close()
	<-a.ended
	return err
}

// woken returns a channel that has a value when files may have come. It is nil if a is nil.
func (a *arrivals) woken() <-chan struct{} {
	if a == nil {
		return nil
	}
	return a.came
}

// renamed returns the names of the files that were renamed into the folder since the last call. It returns none if a
// is nil.
func (a *arrivals) renamed() (map[string]bool, error) {
	if a == nil {
		return nil, nil
	}
	names := map[string]bool{}
	for {
		n, err := syscall.Read(a.fd, a.buffer)
		if errors.Is(err, syscall.EAGAIN) || err == nil && n == 0 {
			return names, nil
		}
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return names, fmt.Errorf("watch the inbox: %w", err)
		}
		addNames(names, a.buffer[:n])
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
