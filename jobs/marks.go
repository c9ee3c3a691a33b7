package jobs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"purr/models"
)

// mark says that a channel has accepted what a row owes, while the row does not say so yet.
type mark struct {
	Kind       string // of the work
	CreditorID int64
	ID         int64 // of the row
	Attempt    int
	State      models.HandOverState `json:",omitempty"` // of a hand-over when it was taken
	File       string               `json:",omitempty"` // that the collector has
	Receipt    string               `json:",omitempty"` // of a shipment's channel
	Pending    bool                 `json:",omitempty"` // the channel does not know yet what becomes of the shipment
	At         time.Time            `json:",omitzero"`  // when the channel accepted the shipment; zero in the mark of an older release
}

// marks is the file of one worker's marks (rule S6). The worker holds a lock on it as long as it lives, so the others on
// its machine see at once when it has died. The file has room from the beginning: a full disk keeps no mark out.
type marks struct {
	file *os.File
	mu   sync.Mutex
	used []bool // by slot
}

const (
	slotSize  = 2048 // bytes of a mark, with blanks and a line feed at its end; the longest receipt fits
	slotsMade = 64
	noSlot    = -1
)

// newMarks makes and locks the file.
func newMarks(path string) (*marks, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(bytes.Repeat(emptySlot, slotsMade))
	if err = errors.Join(err, syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), f.Sync(), syncFolder(filepath.Dir(path))); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	return &marks{file: f, used: make([]bool, slotsMade)}, nil
}

func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

var emptySlot = append(bytes.Repeat([]byte(" "), slotSize-1), '\n')

// set writes a mark, and returns its slot. A durable one outlives a power cut; any other outlives the process.
func (m *marks) set(accepted mark, durable bool) (slot int, err error) {
	text, err := json.Marshal(accepted)
	if err != nil {
		return noSlot, err
	}
	if len(text) >= slotSize {
		return noSlot, fmt.Errorf("the mark %s is too long", text)
	}
	m.mu.Lock()
	if slot = slices.Index(m.used, false); slot < 0 {
		slot, m.used = len(m.used), append(m.used, false)
	}
	m.used[slot] = true
	m.mu.Unlock()
	line := bytes.Clone(emptySlot)
	copy(line, text)
	if _, err := m.file.WriteAt(line, int64(slot)*slotSize); err != nil || !durable {
		return slot, err
	}
	return slot, m.file.Sync()
}

// clear takes a mark away, once its row says the same.
func (m *marks) clear(slot int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if slot == noSlot {
		return nil
	}
	m.used[slot] = false
	_, err := m.file.WriteAt(emptySlot, int64(slot)*slotSize)
	return err
}

// close gives up the lock. It removes the file unless it has marks.
func (m *marks) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var err error
	if !anyUsed(m.used) {
		err = os.Remove(m.file.Name())
	}
	return errors.Join(err, m.file.Close())
}

func anyUsed(slots []bool) bool {
	for _, used := range slots {
		if used {
			return true
		}
	}
	return false
}

// readMarks returns the marks in a file.
func readMarks(path string) ([]mark, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var found []mark
	for line := range bytes.Lines(content) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var m mark
		if err := json.Unmarshal(line, &m); err != nil {
			return nil, fmt.Errorf("read the marks in %s: %w", path, err)
		}
		found = append(found, m)
	}
	return found, nil
}

// lockState says what the lock on a worker's file tells about the worker.
type lockState int

const (
	lockUnknown lockState = iota // there is no such file in this folder
	lockHeld
	lockFree
)

// lockOf looks at the lock on a file of marks.
func lockOf(path string) (lockState, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return lockUnknown, nil
	}
	if err != nil {
		return lockUnknown, err
	}
	defer func() { _ = f.Close() }() // gives up the lock too
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return lockHeld, nil
	}
	return lockFree, err
}
