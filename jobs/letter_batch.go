package jobs

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"purr/jobs/tasks"
	"purr/mailer/letters"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

const kindBatch = "batch"

func batchKind() kind {
	return kind{
		name: kindBatch, queue: lettersQueue, within: time.Hour, owes: store.LeasedBatches.Due().Or(store.BatchesToSettle), rows: &store.LeasedBatches,
		do:       func(w *Worker) handler { return handle(untilTheSweep(w, w.batch)) },
		lanes:    func(int) int { return 1 },
		due:      func(s *Scheduler, is owing) []owed { return when(is.there(kindBatch) || s.Shop != nil, s.owedBatches) },
		accepted: batchAccepted,
	}
}

// batchAccepted notes that the print shop has a dead worker's batch.
func batchAccepted(ctx context.Context, tx *store.Tx, _ *slog.Logger, worker string, m mark) error {
	taken := models.LetterBatch{ID: m.ID, Attempts: m.Attempt, TakenBy: worker}
	if !m.At.IsZero() {
		taken.HandedOverAt = &m.At
	}
	_, err := shipments.RecordBatch(ctx, tx, taken, nil)
	return err
}

// batchPayload names the creditor whose letters go to the print shop.
type batchPayload struct{ CreditorID int64 }

func batchTask(creditorID int64) tasks.Task {
	return batchKind().task(strconv.FormatInt(creditorID, 10), batchPayload{creditorID})
}

const (
	// gatheredAtOnce is how many letters one transaction takes into a batch.
	gatheredAtOnce = 50
	// carriers is how many letters of a batch are brought at the same time, over one connection: each takes a dozen answers
	// of the server.
	carriers = 8
	// batchTurns is the most batches that a creditor sends before the sweep must ask again.
	batchTurns = 20
)

// batch sends a creditor's due letters to the print shop, in batches. If the shop is away, the sweep tries it again, with
// growing pauses (rules S4a, R5c). A creditor with many letters takes one of the queue's places, so that nobody's letters
// wait for another's (rule S5).
//
// queued by: the sweep.
func (w *Worker) batch(ctx context.Context, p batchPayload) error {
	leave, entered := w.turns.enter(kindBatch, p.CreditorID)
	if !entered {
		return nil // the sweep queues it again
	}
	defer leave()
	for range batchTurns {
		if err := w.settleBatches(ctx, p.CreditorID); err != nil || w.turns.over() {
			return err
		}
		sent, err := w.sendBatch(ctx, p.CreditorID)
		if err != nil {
			return err
		}
		if !sent {
			break
		}
	}
	return w.settleBatches(ctx, p.CreditorID)
}

// settleBatches tells the letters of the creditor's batches what became of them.
func (w *Worker) settleBatches(ctx context.Context, creditorID int64) error {
	batches, err := w.DB.UnsettledBatches(ctx, creditorID)
	if err != nil {
		return err
	}
	for _, b := range batches {
		if err := shipments.Settle(ctx, w.DB, b); err != nil {
			return err
		}
	}
	return nil
}

// sendBatch sends one batch of the creditor, and reports whether the print shop has it.
func (w *Worker) sendBatch(ctx context.Context, creditorID int64) (sent bool, err error) {
	var b models.LetterBatch
	_, err = w.underLease(ctx, leased{
		take: func(ctx context.Context, tx *store.Tx, worker string) (taken bool, err error) {
			b, taken, err = shipments.TakeBatch(ctx, tx, w.part(), creditorID, worker)
			return taken, err
		},
		do: func(ctx context.Context, stillOurs func() error) (err error) {
			if w.Shop == nil {
				return models.Unavailable("the print shop", fmt.Errorf("no letters-url names it, and %s may have begun to leave", b.Name()))
			}
			b, err = w.bring(ctx, b, stillOurs)
			return err
		},
		accepted: func() (mark, bool) {
			at := w.Runs.Clock.Now()
			b.HandedOverAt = &at
			return mark{Kind: kindBatch, CreditorID: b.CreditorID, ID: b.ID, Attempt: b.Attempts, At: at}, true
		},
		record: func(ctx context.Context, tx *store.Tx, failure error) error {
			now, err := shipments.RecordBatch(ctx, tx, b, failure)
			if err != nil {
				return err
			}
			if sent = failure == nil && now.State == models.BatchAccepted; !sent && failure != nil {
				w.Log.Warn("a batch of letters failed and will be tried again", "batch", now.Name(), "state", now.State, "attempt", now.Attempts, "error", failure)
			}
			return nil
		},
	})
	return sent, err
}

// bring gathers the letters of a new batch, brings them to the print shop, seals the batch and brings its manifest. A batch
// that is sealed already is brought once more, unless its manifest lies there, or receipts tell of all its letters: the same letters,
// names and bytes. It returns the batch as it is then.
func (w *Worker) bring(ctx context.Context, b models.LetterBatch, stillOurs func() error) (models.LetterBatch, error) {
	if b.State == models.BatchGathered {
		if err := w.gather(ctx, b); err != nil {
			return b, err
		}
	}
	if b.State == models.BatchSealed {
		if told, err := w.toldOf(ctx, b); err != nil || told {
			return b, err
		}
	}
	visit, err := w.Shop.Open(ctx)
	if err != nil {
		return b, err
	}
	defer visit.Close()
	if b.State == models.BatchSealed {
		if there, err := visit.Has(b.Name(), []byte(b.Manifest)); err != nil || there {
			return b, err
		}
	}
	lines, err := w.carry(ctx, visit, b)
	if err != nil {
		return b, err
	}
	if b.State == models.BatchGathered {
		sealed := b
		err = w.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			sealed, err = shipments.Seal(ctx, tx, b, func(in []models.Shipment) (string, error) { return manifestOf(b.Name(), in, lines) })
			return err
		})
		if err != nil || sealed.State != models.BatchSealed { // no letter is left
			return b, err
		}
		b = sealed
	}
	if err := stillOurs(); err != nil {
		return b, err
	}
	return b, visit.HandOver(b.Name(), []byte(b.Manifest))
}

// toldOf reports whether no letter of a sealed batch is owed any more: the shop's receipts have told of them all, so it has the batch
// (rule D121).
func (w *Worker) toldOf(ctx context.Context, b models.LetterBatch) (bool, error) {
	in, err := w.DB.LettersOfBatch(ctx, b.ID, models.MaxBatch)
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(in, func(s models.Shipment) bool { return s.State == models.ShipmentOwed }), nil
}

// gather fills a new batch with the letters that are due. A batch that was gathered before stays as it is.
func (w *Worker) gather(ctx context.Context, b models.LetterBatch) error {
	if b.Attempts > 1 {
		return nil
	}
	for taken := 0; taken < models.MaxBatch; taken += gatheredAtOnce {
		due := 0
		err := w.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			due, err = shipments.Gather(ctx, tx, w.part(), w.Runs.Rules, b, gatheredAtOnce)
			return err
		})
		if err != nil || due == 0 {
			return err
		}
	}
	return nil
}

// manifestOf returns the manifest of the letters in a batch.
func manifestOf(batch string, in []models.Shipment, lines map[int64]letters.Line) (string, error) {
	var named []letters.Line
	for _, s := range in {
		line, brought := lines[s.ID]
		if !brought {
			return "", fmt.Errorf("letter %d of %s was not brought", s.ID, batch)
		}
		named = append(named, line)
	}
	manifest, err := letters.Manifest(batch, named)
	return string(manifest), err
}

// carried is a letter of a batch, with what it is made of.
type carried struct {
	models.Shipment
	of contents
}

// carry brings the letters of a batch to the print shop, and returns how its manifest names them, by the shipment's ID. A
// letter that cannot be made is taken out of a batch that is not sealed.
func (w *Worker) carry(ctx context.Context, visit *letters.Visit, b models.LetterBatch) (map[int64]letters.Line, error) {
	in, err := w.DB.LettersOfBatch(ctx, b.ID, models.MaxBatch)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var mu sync.Mutex
	var failure error
	lines := map[int64]letters.Line{}
	next := make(chan carried)
	var carrying sync.WaitGroup
	for range min(carriers, len(in)) {
		carrying.Go(func() {
			for s := range next {
				line, brought, err := w.carryOne(ctx, visit, b, s)
				mu.Lock()
				if err != nil && failure == nil {
					failure = err
					stop() // the others need not try
				}
				if brought {
					lines[s.ID] = line
				}
				mu.Unlock()
			}
		})
	}
	var unread error
	for some := range slices.Chunk(in, shipLoad) {
		if ctx.Err() != nil {
			break
		}
		var of contents
		if of, unread = w.contentsOf(ctx, some); unread != nil {
			break
		}
		for _, s := range some {
			if ctx.Err() == nil {
				next <- carried{s, of}
			}
		}
	}
	close(next)
	carrying.Wait()
	failure = cmp.Or(failure, unread)
	if failure == nil && ctx.Err() != nil {
		failure = models.Unavailable("the print shop", context.Cause(ctx))
	}
	return lines, failure
}

// carryOne brings one letter. It reports false for one that was taken out of the batch.
func (w *Worker) carryOne(ctx context.Context, visit *letters.Visit, b models.LetterBatch, c carried) (letters.Line, bool, error) {
	s := c.Shipment
	p, err := w.parcel(ctx, s, c.of)
	if err != nil && b.State == models.BatchGathered && ctx.Err() == nil {
		w.Log.Warn("a letter goes with no batch yet", "shipment", s.ID, "error", err)
		return letters.Line{}, false, w.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return shipments.TakeOut(ctx, tx, b, s, err) })
	}
	if err != nil {
		return letters.Line{}, false, err
	}
	letter := letters.Letter{Name: p.Name, Creditor: p.Creditor, Recipient: p.Recipient, PDF: p.PDF}
	if err := visit.Put(letter); err != nil {
		return letters.Line{}, false, err
	}
	return letter.Line(), true, nil
}

// owedBatches returns a task for each creditor with letters for the print shop, or with a batch that has not come to its end.
func (s *Scheduler) owedBatches(ctx context.Context) ([]tasks.Task, error) {
	begun, err := s.DB.CreditorsWithBatches(ctx, s.DB.Common())
	if err != nil {
		return nil, err
	}
	var due []int64
	if s.Shop != nil {
		if due, err = s.DB.CreditorsWithLetters(ctx, s.DB.Common()); err != nil {
			return nil, err
		}
	}
	var all []tasks.Task
	for _, creditorID := range append(begun, due...) {
		all = append(all, batchTask(creditorID)) // one that is named twice is queued once
	}
	return all, nil
}
