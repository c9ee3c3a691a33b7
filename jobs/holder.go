package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"purr/internal/clock"
	"purr/models"
	"purr/store"
)

const (
	beatEvery = 2 * time.Second // a beat may take as long
	// beatAlone is the same on an SQLite file, whose workers are all on one machine. There the locks on their files tell who lives.
	// A beat asks only whether the database answers, and writes nothing.
	beatAlone = 5 * time.Second
	// unsureAfter is after how many beats in a row that failed a worker lets nothing more leave. Others may soon think
	// that it is dead.
	unsureAfter = 4
	// leaveWithin is how long a worker that ends waits for what it still has in hand.
	leaveWithin = 2 * time.Second
)

// Holder holds the leases of this process (rules S6, O16). A lease has no time in it: it lasts as long as the worker
// lives that has taken it. Every worker beats in the database. A worker is dead when the lock on its file is free, or on
// another machine when its beats stand still while this one's go on. So no clock is compared with another one, and no
// outage of the database ends a lease.
//
// The worker that finds another one dead buries it. What a channel has accepted from the dead worker is noted as sent,
// from its marks. All else that it had in hand is free again.
type Holder struct {
	db     *store.DB
	queue  *Queue
	folder string
	ways   models.Ways
	log    *slog.Logger
	stop   func()
	inHand sync.WaitGroup

	mu     sync.Mutex
	self   *tenancy
	missed int      // beats in a row that failed
	late   []result // that are not noted yet
	looks  map[string]look
	free   int   // in how many of the next looks what is taken by nobody is freed
	deaths int64 // that this process knows of
}

// tenancy is this process as a worker. If others have buried it, it begins a new one.
type tenancy struct {
	worker string
	marks  *marks
	copies *copies // of the marks
}

// end gives up the marks, once nothing is in hand under the tenancy.
func (t *tenancy) end(ctx context.Context) error {
	t.copies.drop(ctx)
	return t.marks.close()
}

// result is what came of work, to be noted on its row.
type result struct {
	note  func(ctx context.Context, tx *store.Tx) error
	done  func()
	parts []result // the results of several rows that note writes together, or nil
}

// isBarred reports whether one of the results that are noted together keeps the others from being noted, so that each must
// be noted alone. If the database is away, it keeps all of them.
func (r result) isBarred(err error) bool {
	return len(r.parts) > 1 && models.KindOf(err) != models.KindUnavailable
}

// Join makes this process a worker, and buries the dead ones of this machine: what they had in hand goes on at once. The
// folder holds the workers' marks; all workers share it. The ways are those by which this one hands over. Leave ends it.
func Join(ctx context.Context, db *store.DB, queue *Queue, folder string, ways models.Ways, log *slog.Logger) (*Holder, error) {
	h := &Holder{db: db, queue: queue, folder: folder, ways: ways, log: log, looks: map[string]look{}}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the workers: %w", err)
	}
	if err := h.enter(ctx); err != nil {
		return nil, err
	}
	h.lookAround(ctx)
	beating, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.beatOn(beating)
	}()
	h.stop = func() { cancel(); <-ended }
	return h, nil
}

// enter begins a tenancy.
func (h *Holder) enter(ctx context.Context) error {
	id := strings.ToLower(rand.Text())
	kept, err := newMarks(h.path(id))
	if err != nil {
		return fmt.Errorf("make the file of the worker's marks: %w", err)
	}
	err = h.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.AddWorker(ctx, &store.Worker{ID: id, Machine: machine(), Ways: h.ways.String()})
	})
	if err != nil {
		return errors.Join(err, kept.close())
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.self, h.missed = &tenancy{id, kept, &copies{queue: h.queue, worker: id}}, 0
	return nil
}

func (h *Holder) path(worker string) string { return filepath.Join(h.folder, worker) }

// machine names the running kernel, on which the locks of all processes are seen, or else the host.
func machine() string {
	if id, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		return strings.TrimSpace(string(id))
	}
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}

// begin returns the tenancy under which work may be taken. The caller calls end when the work is over.
func (h *Holder) begin() (t *tenancy, end func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.missed >= unsureAfter {
		return nil, nil, errUnsure
	}
	h.inHand.Add(1)
	return h.self, h.inHand.Done, nil
}

var errUnsure = models.Unavailable("the database", errors.New("it has not answered for some seconds, so nothing is taken or sent"))

// stillOurs fails if others may have taken what was taken under the tenancy.
func (h *Holder) stillOurs(t *tenancy) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.self != t || h.missed >= unsureAfter {
		return errUnsure
	}
	return nil
}

// later notes a result as soon as the database takes it.
func (h *Holder) later(r result) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.late = append(h.late, r)
}

// beatOn beats until the context ends.
func (h *Holder) beatOn(ctx context.Context) {
	every := beatEvery
	if h.db.IsSQLite() {
		every = beatAlone
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(clock.Multiples(every).Until()):
			h.beat(ctx)
		}
	}
}

// beat says that this worker lives, notes what is late, and looks after the others.
func (h *Holder) beat(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, beatEvery)
	defer cancel()
	h.mu.Lock()
	self := h.self
	h.mu.Unlock()
	alive, err := h.isThere(ctx, self.worker)
	if err != nil {
		h.mu.Lock()
		h.missed++
		clear(h.looks) // the others may not reach the database either
		h.mu.Unlock()
		return
	}
	if !alive {
		h.log.Warn("others have taken this worker for dead; it begins anew", "worker", self.worker)
		if err := errors.Join(h.enter(ctx), self.marks.close()); err != nil {
			h.log.Error("the worker could not begin anew", "error", err)
			return
		}
	}
	h.mu.Lock()
	h.missed = 0
	h.mu.Unlock()
	h.noteLate(ctx)
	h.lookAround(ctx)
}

// isThere says in the database that this worker lives, where others hear of it only so. It reports false if the worker was buried.
func (h *Holder) isThere(ctx context.Context, worker string) (there bool, err error) {
	if h.db.IsSQLite() { // so an idle program writes nothing
		return h.db.HasWorker(ctx, worker)
	}
	err = h.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		there, err = tx.Beat(ctx, worker)
		return err
	})
	return there, err
}

// noteLate notes the results that could not be noted before.
func (h *Holder) noteLate(ctx context.Context) {
	h.mu.Lock()
	late := h.late
	h.late = nil
	h.mu.Unlock()
	for _, r := range late {
		if err := h.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return r.note(ctx, tx) }); err != nil {
			h.log.Error("what became of a job could not be noted yet", "error", err)
			again := []result{r}
			if r.isBarred(err) {
				again = r.parts
			}
			for _, r := range again {
				h.later(r)
			}
			continue
		}
		r.done()
	}
}

// Leave ends the worker. What is then still in hand, or not noted, is left to the next worker that looks.
func (h *Holder) Leave(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, leaveWithin)
	defer cancel()
	idle := make(chan struct{})
	go func() {
		h.inHand.Wait()
		close(idle)
	}()
	over := false
	select {
	case <-idle:
		over = true
	case <-ctx.Done():
	}
	h.stop()
	if over {
		h.noteLate(ctx)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !over || len(h.late) > 0 {
		return nil // the end of the process frees the lock
	}
	err := h.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.RemoveWorker(ctx, h.self.worker) })
	return errors.Join(err, h.self.end(ctx))
}
