package tasks

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/hibiken/asynq"

	"purr/internal/clock"
	"purr/models"
)

// StalledAfter is how long a part may show no sign of work that it owes before it counts as stalled. Whoever asks for its
// health hears of it within 30 s (rule O6).
const StalledAfter = 20 * time.Second

// Pulse is when a part last showed that it works. It counts real time, also on a test clock.
type Pulse struct{ last atomic.Pointer[time.Time] }

// Beat shows that the part works.
func (p *Pulse) Beat() { p.BeatAt(clock.System{}.Now()) }

// BeatAt shows that the part worked at a moment.
func (p *Pulse) BeatAt(moment time.Time) { p.last.Store(&moment) }

// Quiet returns how long ago the last beat was. A part that has never begun is not quiet.
func (p *Pulse) Quiet() time.Duration {
	last := p.last.Load()
	if last == nil {
		return 0
	}
	return clock.System{}.Now().Sub(*last)
}

// places are the places for tasks of one queue in a server.
type places struct {
	queue string
	most  int32
	busy  atomic.Int32
	pulse Pulse // when a task last began or ended
}

// count notes the beginning and the end of each task.
func (h *places) count(next asynq.Handler) asynq.Handler {
	return asynq.HandlerFunc(func(ctx context.Context, t *asynq.Task) error {
		h.busy.Add(1)
		h.pulse.Beat()
		defer func() {
			h.busy.Add(-1)
			h.pulse.Beat()
		}()
		return next.ProcessTask(ctx, t)
	})
}

// Alive fails if tasks have waited for a while although the server has a place free for them. A server that is nil is alive.
func (s *Server) Alive(ctx context.Context) error {
	if s == nil {
		return nil
	}
	for _, h := range s.places {
		quiet := h.pulse.Quiet()
		if h.busy.Load() >= h.most || quiet <= StalledAfter {
			continue
		}
		waited, err := s.queue.longestWait(ctx, h.queue)
		if err != nil {
			return err
		}
		if waited > StalledAfter {
			return models.Unavailable("the worker", fmt.Errorf("tasks of %s have waited for %s, and it takes none", h.queue, waited.Round(time.Second)))
		}
	}
	return nil
}
