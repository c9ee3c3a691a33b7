package jobs

import (
	"context"
	"errors"
	"os"

	"purr/models"
	"purr/store"
)

const (
	// deadAfter is how many looks in a row must find the same beats of a worker on another machine, until it is dead.
	deadAfter = 10
	// strangerDeadAfter is the same for a worker whose marks lie on a disk that others do not see, because it has a data folder of its
	// own. Its next start takes them up. If it stays away for long, others go by the copies in Redis (rule K2a).
	strangerDeadAfter = 300
	// freeFor is in how many looks after a death what is taken by nobody is freed again: a transaction that the dead worker had sent
	// may be slow on its way, and take something for it after its burial.
	freeFor = 60
)

// look is what was seen of another worker's beats.
type look struct {
	beats int64
	times int // in a row
}

// lookAround looks at the other workers and buries the dead.
func (h *Holder) lookAround(ctx context.Context) {
	if err := h.buryTheDead(ctx); err != nil && !errors.Is(err, context.Canceled) { // it is told to leave
		h.log.Error("the other workers could not be looked after", "error", err)
	}
}

func (h *Holder) buryTheDead(ctx context.Context) error {
	workers, err := h.db.Workers(ctx)
	if err != nil {
		return err
	}
	for _, w := range workers {
		dead, err := h.isDead(w)
		if err != nil {
			return err
		}
		if !dead {
			continue
		}
		if err := h.bury(ctx, w); err != nil {
			return err
		}
	}
	deaths, err := h.db.WorkerDeaths(ctx)
	if err != nil {
		return err
	}
	h.queue.SetGeneration(deaths)
	return h.freeLate(ctx, deaths)
}

// freeLate frees what is taken by nobody who lives, in some looks after each death, and after this process began where any worker had
// died.
func (h *Holder) freeLate(ctx context.Context, deaths int64) error {
	h.mu.Lock()
	if h.deaths != deaths {
		h.deaths, h.free = deaths, freeFor
	}
	frees := h.free > 0
	h.free = max(0, h.free-1)
	h.mu.Unlock()
	if !frees {
		return nil
	}
	if late, err := h.db.TakenByNobody(ctx, leasedRows()); err != nil || !late {
		return err
	}
	return h.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.FreeOfNobody(ctx, leasedRows()) })
}

// isDead reports whether another worker is dead, as far as is known.
func (h *Holder) isDead(w store.Worker) (bool, error) {
	lock, err := lockOf(h.path(w.ID))
	if err != nil {
		return false, err
	}
	if lock != lockUnknown && w.Machine == machine() {
		return lock == lockFree, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	seen := h.looks[w.ID]
	if seen.beats != w.Beats {
		seen = look{beats: w.Beats}
	}
	seen.times++
	h.looks[w.ID] = seen
	if lock == lockUnknown {
		return seen.times > strangerDeadAfter, nil
	}
	return seen.times > deadAfter, nil
}

// bury notes what a dead worker's channels have accepted, and frees the rest of what it had in hand.
func (h *Holder) bury(ctx context.Context, w store.Worker) error {
	accepted, err := h.marksOf(ctx, w.ID)
	if err != nil {
		return err
	}
	for _, m := range accepted {
		if err := h.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return h.noteAccepted(ctx, tx, w.ID, m) }); err != nil {
			return err
		}
	}
	buried := false
	err = h.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		buried, err = tx.Bury(ctx, w, leasedRows())
		return err
	})
	if err != nil || !buried {
		return err
	}
	h.log.Warn("a worker has died; what it had in hand goes on", "worker", w.ID, "accepted", len(accepted))
	(&copies{queue: h.queue, worker: w.ID}).drop(ctx)
	if err := os.Remove(h.path(w.ID)); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// noteAccepted notes what a channel has accepted from a worker that is dead, if that worker still has it in hand.
func (h *Holder) noteAccepted(ctx context.Context, tx *store.Tx, worker string, m mark) error {
	k, known := kindOf(m.Kind)
	if !known || k.accepted == nil {
		h.log.Error("a dead worker's mark is of no known kind", "worker", worker, "kind", m.Kind, "row", m.ID)
		return nil
	}
	return models.IgnoreNotFound(k.accepted(ctx, tx, h.log, worker, m))
}
