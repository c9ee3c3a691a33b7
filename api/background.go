package api

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// What is left to be done beside the requests is bounded in number and time.
const (
	backgroundMost    = 64
	backgroundTimeout = 10 * time.Second
)

// background does what requests leave to be done beside them, so that a slow disk or queue holds up no
// answer.
type background struct {
	log     *slog.Logger
	slots   chan struct{}
	running sync.WaitGroup
}

func newBackground(log *slog.Logger) *background {
	return &background{log: log, slots: make(chan struct{}, backgroundMost)}
}

// start does something on its own, or leaves it when too much is being done already.
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

// wait returns when all that was started is done.
func (b *background) wait() { b.running.Wait() }
