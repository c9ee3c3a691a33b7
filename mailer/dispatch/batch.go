package dispatch

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"purr/mailer/letters"
	"purr/mailer/shipments"
	"purr/mailer/ways/own"
	"purr/models"
	"purr/store"
)

const (
	// gatheredAtOnce is how many letters one transaction takes into a batch.
	gatheredAtOnce = 50
	// carriers is how many letters of a batch are brought at the same time, over one connection: each takes a dozen answers
	// of the server.
	carriers = 8
	// readAtOnce is how many letters of a batch are read and drawn together.
	readAtOnce = 32
)

// Batch is letters of a creditor for the print shop, as a worker has it in hand.
type Batch struct {
	models.LetterBatch
	d   *Dispatcher
	out own.Out // the creditor's ways
}

// TakeBatch takes what a creditor has for the print shop, for a worker (see shipments.TakeBatch). It reports false if there is nothing to
// send.
func (d *Dispatcher) TakeBatch(ctx context.Context, tx *store.Tx, creditorID int64, worker string) (b *Batch, taken bool, err error) {
	b = &Batch{d: d}
	if b.out, err = d.waysOf(ctx, tx, creditorID); err != nil {
		return nil, false, err
	}
	b.LetterBatch, taken, err = shipments.TakeBatch(ctx, tx, partOf(d.Part, b.out), creditorID, worker)
	return b, taken, err
}

// SettleBatches tells the letters of the creditor's batches what became of them.
func (d *Dispatcher) SettleBatches(ctx context.Context, creditorID int64) error {
	batches, err := d.DB.UnsettledBatches(ctx, creditorID)
	if err != nil {
		return err
	}
	for _, b := range batches {
		if err := shipments.Settle(ctx, d.DB, b); err != nil {
			return err
		}
	}
	return nil
}

// Record writes the result of bringing the batch, and reports whether the print shop has it.
func (b *Batch) Record(ctx context.Context, tx *store.Tx, failure error) (sent bool, err error) {
	now, err := shipments.RecordBatch(ctx, tx, b.LetterBatch, failure)
	if err != nil {
		return false, err
	}
	if failure != nil {
		b.d.Log.Warn("a batch of letters failed and will be tried again", "batch", now.Name(), "state", now.State, "attempt", now.Attempts, "error", failure)
	}
	return failure == nil && now.State == models.BatchAccepted, nil
}

// Bring gathers the letters of a new batch, brings them to the print shop, seals the batch and brings its manifest. A batch
// that is sealed already is brought once more, unless its manifest lies there, or receipts tell of all its letters: the same letters,
// names and bytes. The manifest leaves only if stillOurs returns nil.
func (b *Batch) Bring(ctx context.Context, stillOurs func() error) error {
	way, known := b.out.By(models.ByPaper, b.Way)
	if !known || way.Shop == nil {
		return models.Unavailable("the print shop", fmt.Errorf("no letters-url names it, and %s may have begun to leave", b.Name()))
	}
	if err := b.gather(ctx); err != nil {
		return err
	}
	if told, err := b.isTold(ctx); err != nil || told {
		return err
	}
	visit, err := way.Shop.Open(ctx)
	if err != nil {
		return err
	}
	defer visit.Close()
	if b.State == models.BatchSealed {
		if there, err := visit.Has(b.Name(), []byte(b.Manifest)); err != nil || there {
			return err
		}
	}
	lines, err := b.carry(ctx, visit)
	if err != nil {
		return err
	}
	if err := b.seal(ctx, lines); err != nil || b.State != models.BatchSealed { // no letter is left
		return err
	}
	if err := stillOurs(); err != nil {
		return err
	}
	return visit.HandOver(b.Name(), []byte(b.Manifest))
}

// isTold reports whether the batch is sealed and no letter of it is owed any more: the shop's receipts have told of them all, so it has
// the batch (rule D121).
func (b *Batch) isTold(ctx context.Context) (bool, error) {
	if b.State != models.BatchSealed {
		return false, nil
	}
	in, err := b.d.DB.LettersOfBatch(ctx, b.ID, models.MaxBatch)
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(in, func(s models.Shipment) bool { return s.State == models.ShipmentOwed }), nil
}

// gather fills a new batch with the letters that are due. A batch that was gathered or sealed before stays as it is.
func (b *Batch) gather(ctx context.Context) error {
	if b.State != models.BatchGathered || b.Attempts > 1 {
		return nil
	}
	for taken := 0; taken < models.MaxBatch; taken += gatheredAtOnce {
		due := 0
		err := b.d.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			due, err = shipments.Gather(ctx, tx, partOf(b.d.Part, b.out), b.d.Look, b.LetterBatch, gatheredAtOnce)
			return err
		})
		if err != nil || due == 0 {
			return err
		}
	}
	return nil
}

// seal writes the manifest of a gathered batch, which may leave from now on.
func (b *Batch) seal(ctx context.Context, lines map[int64]letters.Line) error {
	if b.State != models.BatchGathered {
		return nil
	}
	sealed := b.LetterBatch
	err := b.d.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		sealed, err = shipments.Seal(ctx, tx, b.LetterBatch, func(in []models.Shipment) (string, error) { return manifestOf(b.Name(), in, lines) })
		return err
	})
	if err == nil && sealed.State == models.BatchSealed {
		b.LetterBatch = sealed
	}
	return err
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
func (b *Batch) carry(ctx context.Context, visit *letters.Visit) (map[int64]letters.Line, error) {
	in, err := b.d.DB.LettersOfBatch(ctx, b.ID, models.MaxBatch)
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
				line, brought, err := b.carryOne(ctx, visit, s)
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
	for some := range slices.Chunk(in, readAtOnce) {
		if ctx.Err() != nil {
			break
		}
		var of contents
		if of, unread = b.d.contentsOf(ctx, some); unread != nil {
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
func (b *Batch) carryOne(ctx context.Context, visit *letters.Visit, c carried) (letters.Line, bool, error) {
	s := c.Shipment
	p, err := b.d.parcel(ctx, s, c.of)
	if err != nil && b.State == models.BatchGathered && ctx.Err() == nil {
		b.d.Log.Warn("a letter goes with no batch yet", "shipment", s.ID, "error", err)
		return letters.Line{}, false, b.d.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			return shipments.TakeOut(ctx, tx, b.LetterBatch, s, err)
		})
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
