package testkit

import (
	"strings"
	"sync"
)

// Log is a log, or the output of a process, that several goroutines write and read. The zero value is empty.
type Log struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write appends to the log.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String returns the whole log.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Lines returns the lines that hold the text.
func (l *Log) Lines(text string) []string {
	var found []string
	for line := range strings.Lines(l.String()) {
		if strings.Contains(line, text) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// Tail returns the last eighty lines, without those of single requests.
func (l *Log) Tail() string {
	var kept []string
	for line := range strings.Lines(l.String()) {
		if !strings.Contains(line, "level=INFO msg=request") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept[max(0, len(kept)-80):], "")
}
