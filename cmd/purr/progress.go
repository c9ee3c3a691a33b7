package main

import (
	"fmt"
	"os"

	"golang.org/x/term"

	"purr/clock"
)

// progress says on a terminal, once a second, how far something has come that takes more than two seconds, and wipes
// it out at the end.
type progress struct {
	begun, told int64 // unix time, in milliseconds
	terminal    bool
}

func newProgress() progress {
	return progress{begun: milliseconds(), terminal: term.IsTerminal(int(os.Stderr.Fd()))}
}

func milliseconds() int64 { return clock.System{}.Now().UnixMilli() }

// say says how far it has come.
func (p *progress) say(format string, args ...any) {
	const patience, pause = 2000, 1000
	if !p.terminal {
		return
	}
	if now := milliseconds(); now-p.begun > patience && now-p.told > pause {
		p.told = now
		fmt.Fprintf(os.Stderr, "\r"+format+"\x1b[K", args...)
	}
}

// end wipes out what was said.
func (p *progress) end() {
	if p.told > 0 {
		p.told = 0
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
