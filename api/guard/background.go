package guard

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// The bounds of work in the background: how many pieces of it at once, and how long each may take.
const (
	backgroundMost    = 64
	backgroundTimeout = 10 * time.Second
)

// Background does work that requests start. So a slow disk or queue delays no answer. It is safe for concurrent use.
type Background struct {
	log     *slog.Logger
	slots   chan struct{}
	running sync.WaitGroup
}

// NewBackground returns a Background that does nothing yet.
func NewBackground(log *slog.Logger) *Background {
	return &Background{log: log, slots: make(chan struct{}, backgroundMost)}
}

// Start begins some work and returns at once. It drops the work if too much is running. The log names the work by
// what.
func (b *Background) Start(ctx context.Context, what string, do func(ctx context.Context) error) {
	select {
	case b.slots <- struct{}{}:
	default:
		b.log.Warn(what + " was left: too much is being done")
		return
	}
	b.running.Go(func() {
		defer func() {
			<-b.slots
			if p := recover(); p != nil {
				b.log.Error(what+" failed", "panic", Saying(p))
			}
		}()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), backgroundTimeout)
		defer cancel()
		if err := do(ctx); err != nil {
			b.log.Warn(what+" failed", "error", err)
		}
	})
}

// Wait returns when all work that was started has ended.
func (b *Background) Wait() { b.running.Wait() }

// Saying returns the text of a panic for the log. If the value is no text, it returns only its type: the value may hold
// personal data.
func Saying(panicked any) string {
	switch p := panicked.(type) {
	case error:
		return p.Error()
	case string:
		return p
	}
	return fmt.Sprintf("a %T", panicked)
}
