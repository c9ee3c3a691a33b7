package api

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// The bounds of work in the background: how many pieces of it at once, and how long each may take.
const (
	backgroundMost    = 64
	backgroundTimeout = 10 * time.Second
)

// background does work that requests start. So a slow disk or queue delays no answer.
type background struct {
	log     *slog.Logger
	slots   chan struct{}
	running sync.WaitGroup
}

func newBackground(log *slog.Logger) *background {
	return &background{log: log, slots: make(chan struct{}, backgroundMost)}
}

// start begins some work and returns at once. It drops the work if too much is running. The log names the work by
// what.
func (b *background) start(ctx context.Context, what string, do func(ctx context.Context) error) {
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
				b.log.Error(what+" failed", "panic", saying(p))
			}
		}()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), backgroundTimeout)
		defer cancel()
		if err := do(ctx); err != nil {
			b.log.Warn(what+" failed", "error", err)
		}
	})
}

// wait returns when all work that was started has ended.
func (b *background) wait() { b.running.Wait() }
