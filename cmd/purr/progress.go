package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"

	"purr/internal/clock"
)

// progress shows the progress of work on a terminal, once a second, if the work takes more than two seconds. It clears
// the line at the end.
type progress struct {
	begun, told time.Time // told is zero while nothing is shown
	terminal    bool
}

func newProgress() progress {
	return progress{begun: clock.System{}.Now(), terminal: term.IsTerminal(int(os.Stderr.Fd()))}
}

// say shows the progress.
func (p *progress) say(format string, args ...any) {
	const patience, pause = 2 * time.Second, time.Second
	if !p.terminal {
		return
	}
	if now := (clock.System{}).Now(); now.Sub(p.begun) > patience && now.Sub(p.told) > pause {
		p.told = now
		fmt.Fprintf(os.Stderr, "\r"+format+"\x1b[K", args...)
	}
}

// end clears the line.
func (p *progress) end() {
	if !p.told.IsZero() {
		p.told = time.Time{}
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
