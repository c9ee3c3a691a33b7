package backup

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"purr/clock"
	"purr/mailer"
	"purr/models"
	"purr/store"
)

// ErrNotHeld is returned where there is no hold to end.
var ErrNotHeld = errors.New("this installation is not held")

// Accept lets creditors of a held installation go on. If last is not zero, the next invoice number of each is the one
// after it: the numbers up to it left with documents that the database does not hold. Accept ends the hold once every
// creditor is accepted, and returns those who are still held. It fails with ErrNotHeld if the installation is not held
// (rule O3).
func Accept(ctx context.Context, tx *store.Tx, creditors []models.Creditor, last int64, actor string) (waiting []models.Creditor, err error) {
	hold, held, err := tx.Hold(ctx)
	if err != nil {
		return nil, err
	}
	if !held {
		return nil, ErrNotHeld
	}
	if waiting, err = tx.Unaccepted(ctx); err != nil {
		return nil, err
	}
	accepted := make(map[int64]bool, len(waiting))
	for _, c := range waiting {
		accepted[c.ID] = false
	}
	for _, c := range creditors {
		if done, waits := accepted[c.ID]; done || !waits {
			continue
		}
		if err := accept(ctx, tx, c, last, hold, actor); err != nil {
			return nil, err
		}
		accepted[c.ID] = true
	}
	waiting = slices.DeleteFunc(waiting, func(c models.Creditor) bool { return accepted[c.ID] })
	if len(waiting) > 0 {
		return waiting, nil
	}
	return nil, endHold(ctx, tx)
}

func accept(ctx context.Context, tx *store.Tx, c models.Creditor, last int64, hold store.Hold, actor string) error {
	text := fmt.Sprintf("Accepted by %s: %s", actor, hold.Reason)
	facts := models.Facts{"reason": hold.Reason, "held_since": hold.Since}
	if last != 0 {
		next, err := tx.LoseNumbers(ctx, c.ID, last)
		if err != nil {
			return err
		}
		text += fmt.Sprintf("; the next invoice number is %d", next)
		facts["next_number"] = next
	}
	if err := tx.Accept(ctx, c); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: c.ID, Type: models.EventHeldAccepted, Actor: actor, SubjectID: c.ID, Text: text, Facts: facts,
	})
}

// endHold ends the hold. The next start notes anew which file the database is.
func endHold(ctx context.Context, tx *store.Tx) error {
	if err := tx.EndHold(ctx); err != nil {
		return err
	}
	if err := tx.SetSetting(ctx, homeSetting, ""); err != nil {
		return err
	}
	return tx.SetSetting(ctx, acceptedSetting, clock.System{}.Now().UTC().Format(time.RFC3339)) // the clock that dates the outbox's files
}

// Left returns the files in an outbox folder of which the database does not know that they left, the newest first: it
// has no such shipment, or owes it still. It leaves out what a person had sent again, or a channel is asked about: the file is
// an earlier one's.
func Left(ctx context.Context, db *store.DB, outbox string) ([]mailer.SentFile, error) {
	return leftFiles(ctx, db, outbox, math.MaxInt, func(s models.Shipment) bool {
		return s.State == models.ShipmentOwed && s.RetriedAt == nil && !s.Accepted()
	})
}

// leftFiles returns files in an outbox folder, the newest first, whose shipment the database does not have, or has not sent
// as unsent says. At most that many of the newest files are looked at.
func leftFiles(ctx context.Context, db *store.DB, outbox string, most int, unsent func(models.Shipment) bool) ([]mailer.SentFile, error) {
	files, err := mailer.SentFiles(outbox) // before the database is asked: what it knows then is never less
	if err != nil {
		return nil, err
	}
	var left []mailer.SentFile
	for some := range slices.Chunk(files[:min(most, len(files))], 500) {
		ids := make([]int64, len(some))
		for i, f := range some {
			ids[i] = f.ShipmentID
		}
		known, err := db.ShipmentsByID(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, f := range some {
			if s, found := known[f.ShipmentID]; !found || s.DocumentKind != f.Kind || unsent(s) {
				left = append(left, f)
			}
		}
	}
	return left, nil
}
