package backup

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"purr/mailer"
	"purr/models"
	"purr/store"
)

// Accept lets creditors of a held installation go on. The next invoice number of a creditor is the one after last, if
// last is not zero: the numbers up to it left with documents that the database does not hold. Accept ends the hold, and
// returns true, once every creditor is accepted. It fails with the conflict not_held if the installation is not held
// (rule O3).
func Accept(ctx context.Context, tx *store.Tx, creditors []models.Creditor, last int64, actor string) (ended bool, err error) {
	hold, held, err := tx.Hold(ctx)
	if err != nil {
		return false, err
	}
	if !held {
		return false, models.Conflict("not_held", "this installation is not held")
	}
	waiting, err := tx.Unaccepted(ctx)
	if err != nil {
		return false, err
	}
	if len(waiting) == 0 { // an installation without a creditor
		return true, tx.EndHold(ctx)
	}
	for _, c := range creditors {
		if !slices.ContainsFunc(waiting, func(w models.Creditor) bool { return w.ID == c.ID }) {
			continue
		}
		if ended, err = accept(ctx, tx, c, last, hold, actor); err != nil {
			return false, err
		}
	}
	return ended, nil
}

func accept(ctx context.Context, tx *store.Tx, c models.Creditor, last int64, hold store.Hold, actor string) (ended bool, err error) {
	text := fmt.Sprintf("Accepted by %s: %s", actor, hold.Reason)
	data := map[string]any{"reason": hold.Reason, "held_since": hold.Since}
	if last != 0 {
		next, err := tx.LoseNumbers(ctx, c.ID, last)
		if err != nil {
			return false, err
		}
		text += fmt.Sprintf("; the next invoice number is %d", next)
		data["next_number"] = next
	}
	raw, err := json.Marshal(data)
	if err != nil {
		return false, err
	}
	if ended, err = tx.Accept(ctx, c.ID); err != nil {
		return false, err
	}
	return ended, tx.Log(ctx, models.Event{
		CreditorID: c.ID, Type: models.EventHeldAccepted, Actor: actor, SubjectID: c.ID, Text: text, Data: string(raw),
	})
}

// Left returns the files in an outbox folder of which the database does not know that they left, the newest first: it
// has no such shipment, or has never tried to send it. A database that has not lost anything knows every one, because
// the attempt is on the disk before the file is. At most that many files are looked at; zero looks at all.
func Left(ctx context.Context, db *store.DB, outbox string, most int) ([]mailer.SentFile, error) {
	files, err := mailer.SentFiles(outbox) // before the database is asked, which may know more than the folder, never less
	if err != nil {
		return nil, err
	}
	if most > 0 {
		files = files[:min(most, len(files))]
	}
	var left []mailer.SentFile
	for some := range slices.Chunk(files, 500) {
		ids := make([]int64, len(some))
		for i, f := range some {
			ids[i] = f.ShipmentID
		}
		known, err := db.ShipmentsByID(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, f := range some {
			s, found := known[f.ShipmentID]
			untried := s.State == models.ShipmentOwed && s.Attempts == 0 && s.Failure == ""
			if !found || s.DocumentKind != f.Kind || untried {
				left = append(left, f)
			}
		}
	}
	return left, nil
}
