package tasks

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/hibiken/asynq"

	"purr/models"
)

// maxRetry is how often asynq repeats a task that failed unexpectedly. Then it archives the task, for a person to see. The
// sweep takes it up again while its row is owed.
// An expected failure, such as an unreachable mail server, is recorded on the row and has its own pauses (rule R5c).
const maxRetry = 25

// longestPause is the longest pause before asynq repeats a task. The database or Redis may be back at any moment, and what is
// owed must then go on soon (rule S6).
const longestPause = 10 * time.Second

const (
	// askAgain is asynq's pause before it asks for the next task again. The bell holds the question back.
	askAgain = time.Millisecond
	// forwardEvery is how often asynq looks for failed tasks whose pause is over. The pause is 5 seconds or more. It is asynq's
	// period for all else that it repeats, so that it wakes the program for everything at once.
	forwardEvery = 5 * time.Second
	// tidyEvery is how often asynq removes the tasks that were kept after their end. None is.
	tidyEvery = time.Hour
)

// MaxShown is how many characters of a task's own texts the log shows.
const MaxShown = 200

// Handler does a task. If it fails, the task is done again after a pause.
type Handler func(ctx context.Context, kind string, payload []byte) error

// Hands say how many tasks of a queue are done at once.
type Hands struct {
	Queue string
	Most  int
}

// Server does tasks of some queues.
type Server struct {
	queue  *Queue
	places []*places
	stops  []func()
}

// Serve begins to do tasks with the given hands. Stop ends it. It lets tasks in hand go on for the grace period, and then puts
// them back (rule R4).
func (q *Queue) Serve(all []Hands, grace time.Duration, do Handler) (*Server, error) {
	s := &Server{queue: q, stops: []func(){q.bell.listen(context.Background(), q.log)}}
	for _, hands := range all {
		server := q.server(hands, grace)
		own := &places{queue: hands.Queue, most: int32(hands.Most)}
		own.pulse.Beat()
		err := server.Start(own.count(asynq.HandlerFunc(func(ctx context.Context, t *asynq.Task) error { return do(ctx, t.Type(), t.Payload()) })))
		if err != nil {
			s.Stop()
			return nil, fmt.Errorf("start the worker of %s: %w", hands.Queue, err)
		}
		s.places = append(s.places, own)
		s.stops = append(s.stops, func() { q.bell.end(hands.Queue, server) })
	}
	return s, nil
}

// Stop takes no more tasks, and returns when none is in hand.
func (s *Server) Stop() {
	var all sync.WaitGroup
	for _, stop := range s.stops {
		all.Go(stop)
	}
	all.Wait()
}

func (q *Queue) server(hands Hands, grace time.Duration) *asynq.Server {
	return asynq.NewServerFromRedisClient(q.redis, asynq.Config{
		Concurrency:              hands.Most,
		Queues:                   map[string]int{hands.Queue: 1},
		TaskCheckInterval:        askAgain,
		DelayedTaskCheckInterval: forwardEvery,
		JanitorInterval:          tidyEvery,
		ShutdownTimeout:          grace,
		RetryDelayFunc:           func(n int, _ error, _ *asynq.Task) time.Duration { return min(models.RetryPause(n+1), longestPause) },
		ErrorHandler:             asynq.ErrorHandlerFunc(q.failed),
		Logger:                   libraryLog{q.log},
		LogLevel:                 asynq.WarnLevel,
	})
}

func (q *Queue) failed(ctx context.Context, t *asynq.Task, err error) {
	retried, _ := asynq.GetRetryCount(ctx)
	q.log.Error("a job failed", "kind", t.Type(), "payload", models.Shorten(string(t.Payload()), MaxShown), "attempt", retried+1, "error", err)
}

// libraryLog writes asynq's own messages to the program's log.
type libraryLog struct{ log *slog.Logger }

func (l libraryLog) Debug(args ...any) { l.log.Debug(fmt.Sprint(args...), "from", "asynq") }
func (l libraryLog) Info(args ...any)  { l.log.Info(fmt.Sprint(args...), "from", "asynq") }
func (l libraryLog) Warn(args ...any)  { l.log.Warn(fmt.Sprint(args...), "from", "asynq") }
func (l libraryLog) Error(args ...any) { l.log.Error(fmt.Sprint(args...), "from", "asynq") }

// Fatal logs without ending the process: only main may do that.
func (l libraryLog) Fatal(args ...any) { l.log.Error(fmt.Sprint(args...), "from", "asynq") }
