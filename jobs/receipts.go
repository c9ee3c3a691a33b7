package jobs

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"purr/clock"
	"purr/letters"
	"purr/models"
	"purr/remote"
	"purr/shipments"
	"purr/store"
)

const kindReceipts = "receipts"

// receiptsPayload names the print shop's folder.
type receiptsPayload struct{ Remote string }

func receiptsTask(remote string) task {
	return task{kind: kindReceipts, key: remote, payload: receiptsPayload{remote}, timeout: time.Hour}
}

const (
	// receiptsDueSetting is the setting with the moment from which the print shop's receipts are read next.
	receiptsDueSetting = "letter_receipts_due"
	// stillFor is how long a receipt that cannot be read must stay as it is to be rejected: the shop may be writing it.
	stillFor = 2 * time.Second
)

// receipts reads what the print shop tells of its letters (rule S4a). If the shop is away, they are
// read the next time.
//
// queued by: the sweep.
func (w *Worker) receipts(ctx context.Context, p receiptsPayload) error {
	if w.Shop == nil || w.Shop.Name() != p.Remote {
		w.Log.Warn("the print shop's receipts are left to other workers: give all of them the same letters-url", "folder", p.Remote)
		return nil
	}
	due := false
	if err := w.DB.InTx(ctx, func(tx *store.Tx) error {
		if err := tx.RefuseIfHeld(ctx); err != nil {
			return err
		}
		at, err := receiptsDue(ctx, tx)
		if due = err == nil && !at.After(tx.Now); !due {
			return err
		}
		return tx.SetSetting(ctx, receiptsDueSetting, tx.Now.Add(w.LettersEvery).UTC().Format(time.RFC3339Nano))
	}); err != nil || !due {
		return err
	}
	if failure := w.readReceipts(ctx); failure != nil {
		w.Log.Warn("the print shop's receipts could not be read; they are read the next time", "folder", p.Remote, "error", failure)
	}
	return nil
}

// settings is a database, or a transaction on one.
type settings interface {
	Setting(ctx context.Context, key string) (string, error)
}

// receiptsDue returns from when on the receipts are to be read: zero if they never were.
func receiptsDue(ctx context.Context, from settings) (time.Time, error) {
	value, err := from.Setting(ctx, receiptsDueSetting)
	if err != nil || value == "" {
		return time.Time{}, err
	}
	return time.Parse(time.RFC3339Nano, value)
}

// readReceipts applies all receipts that lie in the print shop's folder.
func (w *Worker) readReceipts(ctx context.Context) error {
	folder, err := w.Shop.OpenReceipts(ctx)
	if err != nil || folder == nil {
		return err
	}
	defer folder.Close()
	files, err := folder.List()
	if err != nil {
		return err
	}
	unreadable := map[remote.File]error{}
	for _, f := range files {
		fault, err := w.readReceipt(ctx, folder, f)
		if err != nil {
			return err
		}
		if fault != nil {
			unreadable[f] = fault
		}
	}
	if len(unreadable) == 0 {
		return nil
	}
	if err := pauseUntil(ctx, clock.System{}.Now().Add(stillFor)); err != nil {
		return err
	}
	for f, fault := range unreadable {
		still, err := folder.Unchanged(f)
		if err != nil {
			return err
		}
		if !still {
			return models.Unavailable("a receipt", fmt.Errorf("%s is being written", f.Name))
		}
		w.Log.Error("a receipt of the print shop is rejected", "file", f.Name, "error", fault)
		if err := folder.Move(f, "rejected"); err != nil {
			return err
		}
	}
	return nil
}

// readReceipt applies one receipt, and moves it away. Its fault says why the receipt cannot be read. Reports are kept once,
// so a receipt that could not be moved is read again without harm.
func (w *Worker) readReceipt(ctx context.Context, folder *letters.Receipts, f remote.File) (fault, err error) {
	content, err := folder.Read(f.Name, shipments.MaxReportFile)
	if err != nil {
		return nil, err
	}
	if _, fault := shipments.ReadReports(bytes.NewReader(content)); fault != nil {
		return fault, nil
	}
	kept, unknown, err := shipments.ReportFile(ctx, w.DB, bytes.NewReader(content), models.ActorProgram)
	if err != nil {
		return nil, err
	}
	for _, what := range unknown {
		w.Log.Warn("a receipt of the print shop tells of something else", "file", f.Name, "what", what)
	}
	w.Log.Info("a receipt of the print shop was read", "file", f.Name, "reports", kept)
	return nil, folder.Move(f, "done")
}

// owedReceipts returns the reading of the print shop's receipts, if it is due.
func (s *Scheduler) owedReceipts(ctx context.Context) ([]task, error) {
	due, found, err := s.nextReceipts(ctx)
	if err != nil || !found || due.After(s.Clock.Now()) {
		return nil, err
	}
	return []task{receiptsTask(s.Shop.Name())}, nil
}

// nextReceipts returns when the receipts are read next, and false if there is no print shop.
func (s *Scheduler) nextReceipts(ctx context.Context) (time.Time, bool, error) {
	if s.Shop == nil {
		return time.Time{}, false, nil
	}
	due, err := receiptsDue(ctx, s.DB)
	return due, err == nil, err
}
