package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"

	"purr/clock"
)

// progress shows on a terminal, once a second, how far work has come that takes more than two seconds. It wipes that
// out at the end.
type progress struct {
	begun, told time.Time // told is zero while nothing is shown
	terminal    bool
}

func newProgress() progress {
	return progress{begun: clock.System{}.Now(), terminal: term.IsTerminal(int(os.Stderr.Fd()))}
}

// say shows how far the work has come.
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

// end wipes out what is shown.
func (p *progress) end() {
	if !p.told.IsZero() {
		p.told = time.Time{}
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
