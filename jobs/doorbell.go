package jobs

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

// doorbell lets a worker rest while its queue is empty. asynq asks Redis for the next task again and again. The doorbell is a
// hook of the Redis client: after an answer that there is none, it holds the next question back until a task is queued, here
// or by another process, or until the worker has rested for long enough. So a task starts at once, and an idle program does
// next to nothing.
type doorbell struct {
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

// newDoorbell returns the doorbell of the client, whose hook it becomes.
func newDoorbell(r redis.UniversalClient) *doorbell {
	d := &doorbell{redis: r, name: rand.Text(), longest: emptyRest, rests: map[string]time.Duration{}, ends: map[string]int{}, rung: map[string]chan struct{}{}, empty: map[string]time.Time{}}
	for _, queue := range queues {
		d.rung[queue] = make(chan struct{}, 1)
	}
	r.AddHook(d)
	return d
}

// ring wakes the worker of a queue in this process.
func (d *doorbell) ring(queue string) {
	select {
	case d.rung[queue] <- struct{}{}:
	default: // it rings already, or the queue is of another program
	}
}

// end ends a worker of a queue. Meanwhile no worker of the queue rests.
func (d *doorbell) end(queue string, server *asynq.Server) {
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
func (d *doorbell) rest(queue string) bool {
	d.mu.Lock()
	pause, ending := d.rests[queue], d.ends[queue] > 0
	d.mu.Unlock()
	if pause == 0 || ending {
		return true
	}
	over := time.NewTimer(untilNext(pause))
	defer over.Stop()
	select {
	case <-d.rung[queue]:
		return true
	case <-over.C:
		return false
	}
}

// answered notes how long the queue's worker rests, by what Redis has answered.
func (d *doorbell) answered(queue string, err error) {
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
func (d *doorbell) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
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
func (d *doorbell) isEmpty(ctx context.Context, set string) bool {
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
func (d *doorbell) notice(keys []string) {
	for _, key := range keys {
		if strings.HasPrefix(key, "asynq:{") && isWaitingSet(key) {
			d.mu.Lock()
			delete(d.empty, key)
			d.named++
			d.mu.Unlock()
		}
	}
}

// isWaitingSet reports whether a key is a set of tasks that wait for their time.
func isWaitingSet(key string) bool {
	return strings.HasSuffix(key, "}:completed") || strings.HasSuffix(key, "}:scheduled") || strings.HasSuffix(key, "}:retry")
}

// DialHook changes nothing.
func (d *doorbell) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessPipelineHook changes nothing.
func (d *doorbell) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// saysWhoWorks reports whether a command notes that a worker lives, for others to see. asynq does it every five seconds for each
// queue, by a script.
func saysWhoWorks(cmd redis.Cmder, keys []string) bool {
	if len(keys) > 0 {
		return strings.HasPrefix(keys[0], "asynq:servers:")
	}
	if name := cmd.Name(); name != "zadd" && name != "zrem" {
		return false
	}
	return cmd.Args()[1] == "asynq:servers" || cmd.Args()[1] == "asynq:workers"
}

// keysOf returns the keys of a script, and none for any other command.
func keysOf(cmd redis.Cmder) (keys []string) {
	args := cmd.Args()
	if name := cmd.Name(); (name != "evalsha" && name != "eval") || len(args) < 3 {
		return nil
	}
	n, _ := args[2].(int)
	for _, arg := range args[3:min(3+n, len(args))] {
		key, is := arg.(string)
		if !is {
			return nil
		}
		keys = append(keys, key)
	}
	return keys
}

// pendingOf returns the queue whose list of tasks that are ready a script of asynq uses, empty for any other script.
func pendingOf(keys []string) string {
	for _, key := range keys {
		if queue, found := strings.CutSuffix(key, "}:pending"); found {
			return strings.TrimPrefix(queue, "asynq:{")
		}
	}
	return ""
}

// asksForTask reports whether a script takes the next task off the list: it names the list, whether the queue is paused,
// and where the task and its lease go.
func asksForTask(keys []string) bool {
	return len(keys) == 4 && strings.HasSuffix(keys[0], "}:pending") && strings.HasSuffix(keys[1], "}:paused")
}

// clearsSet reports whether a script moves the tasks whose time has come from a set to the list, or deletes those that are kept
// no longer. It does nothing while the set is empty.
func clearsSet(keys []string) bool {
	switch len(keys) {
	case 1:
		return strings.HasSuffix(keys[0], "}:completed")
	case 2:
		return strings.HasSuffix(keys[0], "}:scheduled") || strings.HasSuffix(keys[0], "}:retry")
	}
	return false
}

// bellChannel is where the processes tell each other of tasks that are ready.
const bellChannel = "purr:tasks"

// tell tells the other processes of a task. Without it they ask again within emptyRest.
func (d *doorbell) tell(ctx context.Context, queue string) {
	if !d.private {
		_ = d.redis.Publish(ctx, bellChannel, d.name+" "+queue).Err()
	}
}

// listen rings for the tasks that other processes queue, until stop is called. The client connects again by itself; then it rings
// for all queues, since it may have missed a task.
func (d *doorbell) listen(ctx context.Context, log *slog.Logger) (stop func()) {
	if d.private {
		return func() {}
	}
	heard := d.redis.Subscribe(ctx, bellChannel)
	var listening sync.WaitGroup
	listening.Go(func() {
		for message := range heard.ChannelWithSubscriptions() {
			switch message := message.(type) {
			case *redis.Subscription:
				for _, queue := range queues {
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
