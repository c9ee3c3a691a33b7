package dispatch

import (
	"context"
	"fmt"
	"log/slog"

	"purr/dunning/collection"
	"purr/internal/remote"
	"purr/mailer"
	"purr/mailer/shipments"
	"purr/mailer/ways/own"
	"purr/models"
	"purr/store"
)

// Bundles sends what the debt collector gets. All fields must be set unless their comment says otherwise.
type Bundles struct {
	shipments.Part
	Look       shipments.SecondLook // before a bundle leaves
	Collection *collection.Store
	Collector  mailer.CollectorSender
	Own        *own.Ways // the creditors' own ways, before those above; nil if they have none
	Log        *slog.Logger
}

// waysOf returns the ways to the collector of a creditor.
func (s *Bundles) waysOf(ctx context.Context, from own.Reader, creditorID int64) (own.Out, error) {
	return s.Own.Of(ctx, from, creditorID, own.Installation{models.Bundles: {Kind: s.Ways.Of(models.Bundles), Collector: s.Collector}})
}

// collectorBy returns the collector that is on a way.
func collectorBy(out own.Out, id models.WayID) mailer.CollectorSender {
	way, known := out.By(models.Bundles, id)
	if !known {
		way = own.Gone(id)
	}
	return way.Collector
}

// Bundle is what the debt collector gets of a hand-over, as a worker has it in hand: the bundle, or the message that the hand-over is
// withdrawn.
type Bundle struct {
	models.HandOver
	File string // its name, once it is made
	of   *Bundles
	out  own.Out // the creditor's ways
}

// Take takes a hand-over for a worker, and reports false if nothing is due to the collector, or it may not leave.
func (s *Bundles) Take(ctx context.Context, tx *store.Tx, creditorID, handOverID int64, worker string) (b *Bundle, taken bool, err error) {
	b = &Bundle{of: s}
	if b.out, err = s.waysOf(ctx, tx, creditorID); err != nil {
		return b, false, err
	}
	b.HandOver, taken, err = s.takeHandOver(ctx, tx, b.out, creditorID, handOverID, worker)
	return b, taken, err
}

// Send makes the file and gives it to the collector, if stillOurs returns nil.
func (b *Bundle) Send(ctx context.Context, stillOurs func() error) error {
	content := b.of.Collection.Bundle
	if b.State == models.WithdrawalOwed {
		content = b.of.Collection.Withdrawal
	}
	file, err := content(ctx, b.HandOver)
	if err != nil {
		return err
	}
	b.File = file.Name
	if err := stillOurs(); err != nil {
		return err
	}
	return collectorBy(b.out, b.Way).SendToCollector(ctx, file.Name, file.Content)
}

// Record records the result of Send.
func (b *Bundle) Record(ctx context.Context, tx *store.Tx, failure error) error {
	if failure == nil && b.of.Ways.Real(models.Bundles) && !b.Way.Own() {
		if err := shipments.NoteLeft(ctx, tx, models.Bundles, b.of.Ways.Of(models.Bundles)); err != nil {
			return err
		}
	}
	return RecordBundle(ctx, tx, b.of.Log, b.HandOver, b.File, failure)
}

// takeHandOver takes a hand-over for a worker, and reports false if nothing is due to the collector, or the way there has gone
// missing (rule D105), or the creditor is not ready (rule D108). That a bundle is withdrawn is told in any case.
func (s *Bundles) takeHandOver(ctx context.Context, tx *store.Tx, out own.Out, creditorID, handOverID int64, worker string) (h models.HandOver, taken bool, err error) {
	part := s.Part
	part.Ways = out.Kinds(part.Ways)
	may, missing, err := shipments.FileWay(ctx, tx, part, models.Bundles)
	if err != nil {
		return models.HandOver{}, false, err
	}
	due := func() bool { return h.Owed() && h.TakenBy == "" && !h.NextAttempt.After(tx.Common) }
	if h, err = tx.HandOver(ctx, creditorID, handOverID); err != nil || !due() {
		return models.HandOver{}, false, err
	}
	ready := h.State == models.WithdrawalOwed
	if !ready {
		if ready, err = shipments.MayHandOver(ctx, tx, part, h); err != nil {
			return models.HandOver{}, false, err
		}
	}
	h, err = tx.LockHandOver(ctx, creditorID, handOverID)
	if err != nil || !due() {
		return models.HandOver{}, false, err
	}
	if missing {
		h.Failure, h.NextAttempt = models.KeptMissing, tx.Common.Add(shipments.MissingPause)
		return h, false, tx.UpdateHandOver(ctx, h)
	}
	if !may {
		return h, false, nil // another part may, and does
	}
	if !ready && h.State != models.WithdrawalOwed {
		h.Failure, h.NextAttempt = models.KeptNotReady, tx.Common.Add(shipments.MissingPause)
		return h, false, tx.UpdateHandOver(ctx, h)
	}
	if kept, err := s.keepDoubted(ctx, tx, &h); err != nil || kept {
		return h, false, err
	}
	h.Attempts++
	h.TakenBy = worker
	if h.Unsure++; h.Unsure == 1 && h.State == models.BundleOwed { // else it is where the bundle is, or may be
		h.Way = out.Now(models.Bundles).ID
	}
	return h, true, tx.UpdateHandOver(ctx, h)
}

// keepDoubted keeps a hand-over's bundle back that the audit disagrees with, and tells a person (rule U8). That a bundle is withdrawn is told in
// any case.
func (s *Bundles) keepDoubted(ctx context.Context, tx *store.Tx, h *models.HandOver) (kept bool, err error) {
	if h.State == models.WithdrawalOwed {
		return false, nil
	}
	doubt, err := s.Look.Bundle(ctx, tx, *h)
	if err != nil || len(doubt.Findings) == 0 {
		return false, err
	}
	if h.Failure != models.KeptAudit && (h.Attempts == 0 || !s.Look.OnlyWarn) {
		if err := tx.Log(ctx, s.Look.Event(doubt, h.ID)); err != nil {
			return false, err
		}
	}
	if s.Look.OnlyWarn {
		return false, nil
	}
	h.Failure, h.NextAttempt = models.KeptAudit, tx.Common.Add(shipments.MissingPause)
	return true, tx.UpdateHandOver(ctx, *h)
}

// unsure returns how many attempts may have reached the collector, after one that is over.
func unsure(n int, failure error) int {
	switch {
	case failure == nil:
		return 0
	case mailer.NotThere(failure), models.IsRefused(failure), remote.IsSetup(failure):
		return max(0, n-1)
	}
	return n
}

// RecordBundle records the result of a delivery to the collector, who has it under a name. If the hand-over was withdrawn meanwhile, the
// message about that is due next, even if the bundle failed.
func RecordBundle(ctx context.Context, tx *store.Tx, log *slog.Logger, taken models.HandOver, name string, failure error) error {
	h, err := tx.LockHandOver(ctx, taken.CreditorID, taken.ID)
	if err != nil {
		return err
	}
	if lost := h.TakenBy != taken.TakenBy || h.Attempts != taken.Attempts; lost && failure != nil {
		return nil //nolint:nilerr // the failure is that of a worker that no longer has it in hand
	}
	h.TakenBy, h.Unsure = "", unsure(h.Unsure, failure)
	if h.State != taken.State {
		return tx.UpdateHandOver(ctx, h)
	}
	if failure != nil {
		h.Failure, h.NextAttempt = failure.Error(), tx.Common.Add(models.RetryPause(h.Attempts))
		log.Warn("a delivery to the debt collector failed and will be tried again",
			"hand_over", h.ID, "attempt", h.Attempts, "next", h.NextAttempt, "error", failure)
		return tx.UpdateHandOver(ctx, h)
	}
	h.Failure = ""
	if h.State == models.WithdrawalOwed {
		h.State = models.HandOverEnded
		return tx.UpdateHandOver(ctx, h)
	}
	h.State, h.DeliveredAt = models.BundleDelivered, &tx.Now
	if err := tx.UpdateHandOver(ctx, h); err != nil {
		return err
	}
	log.Info("a collection bundle was delivered to the debt collector", "hand_over", h.ID, "creditor", h.CreditorID)
	invoice, err := tx.Invoice(ctx, h.CreditorID, h.InvoiceID)
	if err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: h.CreditorID, Type: models.EventBundleDelivered, InvoiceID: invoice.ID, CustomerID: invoice.CustomerID, SubjectID: h.ID,
		Facts: models.Facts{"invoice_number": invoice.Number, "name": name},
		Text:  fmt.Sprintf("The collection bundle of invoice %d is delivered as %s", invoice.Number, name),
	})
}
