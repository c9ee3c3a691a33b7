package tasks

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// farewell is a hook of the Redis client that ends all its waiting once the program ends and Redis does not answer. The client
// and asynq try each question again and again, one after the other where Sentinels must be asked first: without an end to that a
// program whose Redis is gone would outlive the patience of who stops it (rule D90). Nothing is lost by it: what is owed stands on
// rows, and what a worker has in hand is noted there.
type farewell struct {
	over context.Context //nolint:containedctx // of the client, which outlives every call
	cut  context.CancelFunc
}

func newFarewell(r redis.UniversalClient) *farewell {
	f := &farewell{}
	f.over, f.cut = context.WithCancel(context.Background())
	r.AddHook(f)
	return f
}

// How long Redis may take to answer once the program ends, and the pause before it is asked again.
const (
	lastAnswer = 5 * time.Second
	askedAgain = time.Second
)

// watch asks Redis until stop is called, and ends all waiting for it at the first question that stays without an answer.
func (f *farewell) watch(ask func(context.Context) error) (stop func()) {
	stopped := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for f.answers(ask, stopped) {
			select {
			case <-stopped:
				return
			case <-time.After(askedAgain):
			}
		}
	})
	return func() {
		close(stopped)
		watching.Wait()
	}
}

// answers asks once, and reports whether Redis has answered.
func (f *farewell) answers(ask func(context.Context) error, stopped <-chan struct{}) bool {
	ctx, cancel := context.WithTimeout(context.Background(), lastAnswer)
	defer cancel()
	answer := make(chan error, 1)
	go func() { answer <- ask(ctx) }() // the client may wait for longer than the context
	select {
	case <-stopped:
		return false
	case err := <-answer:
		if err == nil {
			return true
		}
	case <-ctx.Done():
	}
	f.cut()
	return false
}

// until returns a context that ends with the client's waiting too.
func (f *farewell) until(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Done() == nil {
		return f.over, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(f.over, cancel)
	return ctx, func() { stop(); cancel() }
}

// DialHook ends the making of connections, and the questions to the Sentinels before them.
func (f *farewell) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		ctx, done := f.until(ctx)
		defer done()
		return next(ctx, network, addr)
	}
}

// ProcessHook ends the tries of a command.
func (f *farewell) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		ctx, done := f.until(ctx)
		defer done()
		return next(ctx, cmd)
	}
}

// ProcessPipelineHook ends the tries of several commands.
func (f *farewell) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		ctx, done := f.until(ctx)
		defer done()
		return next(ctx, cmds)
	}
}
