package tasks

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"purr/internal/clock"
)

// bell lets a worker rest while its queue is empty. asynq asks Redis for the next task again and again. The bell is a
// hook of the Redis client: after an answer that there is none, it holds the next question back until a task is queued, here
// or by another process, or until the worker has rested for long enough. So a task starts at once, and an idle program does
// next to nothing.
type bell struct {
	redis redis.UniversalClient
	name  string // of this process, in what it tells the others

	longest time.Duration // that a worker rests
	private bool          // no other process sees this Redis: nobody else queues tasks, or asks who works

	mu    sync.Mutex
	rests map[string]time.Duration // by queue: how long its worker rests before it asks again
	ends  map[string]int           // by queue: how many of its workers are ending; then none rests
	rung  map[string]chan struct{} // by queue
	empty map[string]time.Time     // when a set was found empty that scripts move tasks from, unless one has named it since
	named int                      // scripts so far that may have put something into such a set
}

// How long a worker rests at most after the answer that there is no task, and after a question that failed.
const (
	emptyRest  = 10 * time.Second // a worker that missed the bell asks again
	failedRest = 200 * time.Millisecond
	// A set that was found empty counts as empty for so long, unless this process puts something into it. What another process
	// puts into it, that one moves too, if it lives.
	emptyFor = 10 * time.Second
)

// newBell returns the bell of the client, whose hook it becomes.
func newBell(r redis.UniversalClient, queues []string) *bell {
	d := &bell{redis: r, name: rand.Text(), longest: emptyRest, rests: map[string]time.Duration{}, ends: map[string]int{}, rung: map[string]chan struct{}{}, empty: map[string]time.Time{}}
	for _, queue := range queues {
		d.rung[queue] = make(chan struct{}, 1)
	}
	r.AddHook(d)
	return d
}

// ring wakes the worker of a queue in this process.
func (d *bell) ring(queue string) {
	select {
	case d.rung[queue] <- struct{}{}:
	default: // it rings already, or the queue is of another program
	}
}

// end ends a worker of a queue. Meanwhile no worker of the queue rests.
func (d *bell) end(queue string, server *asynq.Server) {
	count := func(n int) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.ends[queue] += n
	}
	count(1)
	defer count(-1)
	d.ring(queue)
	server.Stop()
	server.Shutdown()
}

// rest returns when the queue's worker may ask again: at once after a task, else when the bell rings or the rest is over. It
// reports whether the bell rang, or the worker did not rest.
func (d *bell) rest(queue string) bool {
	d.mu.Lock()
	pause, ending := d.rests[queue], d.ends[queue] > 0
	d.mu.Unlock()
	if pause == 0 || ending {
		return true
	}
	over := time.NewTimer(clock.Multiples(pause).Until())
	defer over.Stop()
	select {
	case <-d.rung[queue]:
		return true
	case <-over.C:
		return false
	}
}

// answered notes how long the queue's worker rests, by what Redis has answered.
func (d *bell) answered(queue string, err error) {
	pause := time.Duration(0)
	switch {
	case errors.Is(err, redis.Nil):
		pause = d.longest
	case err != nil && !redis.HasErrorPrefix(err, "NOSCRIPT"): // then asynq sends the script itself
		pause = failedRest
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rests[queue] = pause
}

// ProcessHook holds back asynq's questions for a task, and rings when a script has made a task ready. Where there is nothing
// to take or to move, it does not run the script at all: a script costs far more than the question whether it is needed.
func (d *bell) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		script, is := cmd.(*redis.Cmd)
		keys := keysOf(cmd)
		if d.private && saysWhoWorks(cmd, keys) {
			return nil
		}
		if is && clearsSet(keys) && d.isEmpty(ctx, keys[0]) {
			script.SetVal(int64(0))
			return nil
		}
		defer d.notice(keys)
		queue := pendingOf(keys)
		if !is || d.rung[queue] == nil {
			return next(ctx, cmd)
		}
		if asksForTask(keys) {
			if !d.rest(queue) && d.redis.LLen(ctx, keys[0]).Val() == 0 {
				script.SetErr(redis.Nil)
				return redis.Nil
			}
			err := next(ctx, cmd)
			d.answered(queue, err)
			return err
		}
		err := next(ctx, cmd)
		if err == nil && script.Val() != int64(0) {
			d.ring(queue)
			d.tell(ctx, queue)
		}
		return err
	}
}

// isEmpty reports whether a set holds nothing, as far as is known.
func (d *bell) isEmpty(ctx context.Context, set string) bool {
	d.mu.Lock()
	found, known := d.empty[set]
	named := d.named
	d.mu.Unlock()
	now := clock.System{}.Now()
	if known && (d.private || now.Sub(found) < emptyFor) {
		return true
	}
	if n, err := d.redis.ZCard(ctx, set).Result(); err != nil || n > 0 {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.named == named { // else the answer may be older than what was put into it
		d.empty[set] = now
	}
	return true
}

// notice forgets that sets were empty, of the keys that a script has named.
func (d *bell) notice(keys []string) {
	for _, key := range keys {
		if isWaitingSet(key) {
			d.mu.Lock()
			delete(d.empty, key)
			d.named++
			d.mu.Unlock()
		}
	}
}

// DialHook changes nothing.
func (d *bell) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessPipelineHook changes nothing.
func (d *bell) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// bellChannel is where the processes tell each other of tasks that are ready.
const bellChannel = "purr:tasks"

// tell tells the other processes of a task. Without it they ask again within emptyRest.
func (d *bell) tell(ctx context.Context, queue string) {
	if !d.private {
		_ = d.redis.Publish(ctx, bellChannel, d.name+" "+queue).Err()
	}
}

// listen rings for the tasks that other processes queue, until stop is called. The client connects again by itself; then it rings
// for all queues, since it may have missed a task.
func (d *bell) listen(ctx context.Context, log *slog.Logger) (stop func()) {
	if d.private {
		return func() {}
	}
	heard := d.redis.Subscribe(ctx, bellChannel)
	var listening sync.WaitGroup
	listening.Go(func() {
		for message := range heard.ChannelWithSubscriptions() {
			switch message := message.(type) {
			case *redis.Subscription:
				for queue := range d.rung {
					d.ring(queue)
				}
			case *redis.Message:
				if from, queue, _ := strings.Cut(message.Payload, " "); from != d.name {
					d.ring(queue)
				}
			}
		}
	})
	return func() {
		if err := heard.Close(); err != nil {
			log.Warn("listening for tasks did not end well", "error", err)
		}
		listening.Wait()
	}
}
