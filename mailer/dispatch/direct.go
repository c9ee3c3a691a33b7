package dispatch

import (
	"context"
	"log/slog"

	"purr/dunning/collection"
	"purr/mailer"
	"purr/mailer/shipments"
	"purr/mailer/ways/own"
	"purr/models"
	"purr/store"
)

// CollectorFile is a file that tells the debt collector what came without it, as a worker has it in hand (rule C2).
type CollectorFile struct {
	models.CollectorFile
	of  *Bundles
	out own.Out // the creditor's ways
}

// TellDirect makes the file that tells a collector of the creditor what came without it, as collection.TellDirect does.
func (s *Bundles) TellDirect(ctx context.Context, tx *store.Tx, creditorID int64) error {
	out, err := s.waysOf(ctx, tx, creditorID)
	if err != nil {
		return err
	}
	_, _, err = collection.TellDirect(ctx, tx, creditorID, func(h models.HandOver) models.WayID {
		if h.State == models.BundleOwed && h.Unsure == 0 { // it has not left
			return out.Now(models.Bundles).ID
		}
		return out.Reached(models.Bundles, h.Way)
	})
	return err
}

// TakeFile takes a file for the collector for a worker, and reports false if it is not due, or may not leave: it goes by the way of the
// bundles (rule D105).
func (s *Bundles) TakeFile(ctx context.Context, tx *store.Tx, creditorID, fileID int64, worker string) (f *CollectorFile, taken bool, err error) {
	f = &CollectorFile{of: s}
	if f.out, err = s.waysOf(ctx, tx, creditorID); err != nil {
		return f, false, err
	}
	part := s.Part
	part.Ways = f.out.Kinds(part.Ways)
	may, missing, err := shipments.FileWay(ctx, tx, part, models.Bundles)
	if err != nil {
		return f, false, err
	}
	f.CollectorFile, err = tx.LockCollectorFile(ctx, creditorID, fileID)
	if err != nil || f.State != models.CollectorFileOwed || f.TakenBy != "" || f.NextAttempt.After(tx.Common) {
		return f, false, err
	}
	if missing {
		f.Failure, f.NextAttempt = models.KeptMissing, tx.Common.Add(shipments.MissingPause)
		return f, false, tx.UpdateCollectorFile(ctx, f.CollectorFile)
	}
	if !may {
		return f, false, nil // another part may, and does
	}
	f.Attempts++
	f.TakenBy = worker
	f.Unsure++
	return f, true, tx.UpdateCollectorFile(ctx, f.CollectorFile)
}

// Send makes the file in both of its forms and gives them to the collector, if stillOurs returns nil.
func (f *CollectorFile) Send(ctx context.Context, stillOurs func() error) error {
	files, err := f.of.Collection.DirectFiles(ctx, f.CollectorFile)
	if err != nil {
		return err
	}
	if err := stillOurs(); err != nil {
		return err
	}
	return sendAll(ctx, collectorBy(f.out, f.Way), files)
}

func sendAll(ctx context.Context, to mailer.CollectorSender, files []collection.File) error {
	for _, file := range files {
		if err := to.SendToCollector(ctx, file.Name, file.Content); err != nil {
			return err
		}
	}
	return nil
}

// Record records the result of Send.
func (f *CollectorFile) Record(ctx context.Context, tx *store.Tx, failure error) error {
	if failure == nil && f.of.Ways.Real(models.Bundles) && !f.Way.Own() {
		if err := shipments.NoteLeft(ctx, tx, models.Bundles, f.of.Ways.Of(models.Bundles)); err != nil {
			return err
		}
	}
	return RecordCollectorFile(ctx, tx, f.of.Log, f.CollectorFile, failure)
}

// RecordCollectorFile records the result of the delivery of a file to the collector.
func RecordCollectorFile(ctx context.Context, tx *store.Tx, log *slog.Logger, taken models.CollectorFile, failure error) error {
	f, err := tx.LockCollectorFile(ctx, taken.CreditorID, taken.ID)
	if err != nil {
		return err
	}
	if lost := f.TakenBy != taken.TakenBy || f.Attempts != taken.Attempts; lost && failure != nil {
		return nil //nolint:nilerr // the failure is that of a worker that no longer has it in hand
	}
	f.TakenBy, f.Unsure = "", unsure(f.Unsure, failure)
	if failure != nil && f.State == models.CollectorFileOwed {
		f.Failure, f.NextAttempt = failure.Error(), tx.Common.Add(models.RetryPause(f.Attempts))
		log.Warn("a file for the debt collector could not be delivered and will be tried again",
			"file", f.Number, "attempt", f.Attempts, "next", f.NextAttempt, "error", failure)
		return tx.UpdateCollectorFile(ctx, f)
	}
	if failure == nil && f.State == models.CollectorFileOwed {
		f.State, f.Failure, f.DeliveredAt = models.CollectorFileDelivered, "", &tx.Now
		log.Info("the debt collector was told what came without it", "file", f.Number, "creditor", f.CreditorID)
	}
	return tx.UpdateCollectorFile(ctx, f)
}
