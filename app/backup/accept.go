package backup

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"purr/internal/clock"
	"purr/internal/storage"
	"purr/ledger/avtalegiro"
	"purr/mailer"
	"purr/models"
	"purr/store"
)

// ErrNotHeld is returned where there is no hold to end.
var ErrNotHeld = errors.New("this installation is not held")

// Last is what left last before a restore: the last invoice number, and whether claims may have. A number is zero if none is known.
type Last struct {
	Number int64 // as a person gave it
	Shown  int64 // the highest one that the files which left show; by itself it ends no hold and corrects nothing (rule D109)
	Force  bool  // a person insists on a number that looks wrong

	NoClaims bool // a person knows that no file of AvtaleGiro left after the backup
}

// known returns last with the higher of its two numbers as its number.
func (l Last) known() Last {
	l.Number = max(l.Number, l.Shown)
	return l
}

// mostLost is how many numbers may be lost before a person must insist (rule D109).
const mostLost = 10_000

// check fails if the number looks wrong: it is far above first-1, the last that the database has given, or no KID is left
// for the next one.
func (l Last) check(c models.Creditor, first int64) error {
	most := models.HighestNumber(c.KIDLength)
	switch {
	case l.Number >= models.HighestNumber(models.MaxKIDLength):
		return fmt.Errorf("--last-number %d: no number is left after it", l.Number)
	case l.Force:
		return nil
	case l.Number-(first-1) > mostLost:
		return fmt.Errorf("--last-number %d is %d above %d, the last number that this database has given: if it is right, give --force too", l.Number, l.Number-(first-1), first-1)
	case l.Number >= most:
		return fmt.Errorf("--last-number %d: KIDs of %d characters carry numbers up to %d, so none is left; if it is right, give --force too, and agree a longer KID with the bank",
			l.Number, c.KIDLength, most)
	}
	return nil
}

// Accept lets creditors of a held installation go on. If last has a number, the next invoice number of each is the one
// after it: the numbers up to it left with documents that the database does not hold. Until a creditor is given its first
// number, another call with a person's number corrects the last one, also when nothing is held any more (rule D109). Accept ends the hold once every
// creditor is accepted, and returns those who are still held. It fails if the number looks wrong and nobody insists. It fails with
// ErrNotHeld if the installation is not held, and there is nothing to correct (rule O3).
func Accept(ctx context.Context, tx *store.Tx, creditors []models.Creditor, last Last, actor string) (waiting []models.Creditor, err error) {
	hold, held, err := tx.Hold(ctx)
	if err != nil {
		return nil, err
	}
	if !held && last.Number == 0 {
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
		done, waits := accepted[c.ID]
		if !waits {
			if err := correct(ctx, tx, c, last, actor); err != nil {
				return nil, err
			}
		}
		if done || !waits {
			continue
		}
		if err := accept(ctx, tx, c, last, hold, actor); err != nil {
			return nil, err
		}
		accepted[c.ID] = true
	}
	waiting = slices.DeleteFunc(waiting, func(c models.Creditor) bool { return accepted[c.ID] })
	if len(waiting) > 0 || !held {
		return waiting, nil
	}
	return nil, endHold(ctx, tx)
}

// correct puts the last number of a creditor right that was accepted before, if a person gave one.
func correct(ctx context.Context, tx *store.Tx, c models.Creditor, last Last, actor string) error {
	if last.Number == 0 {
		return nil
	}
	last = last.known()
	resumed, err := tx.ResumeSeries(ctx, c.ID)
	if err != nil {
		return err
	}
	if !resumed {
		return fmt.Errorf("creditor %d, %s, is not held, and has been given numbers since: %w", c.ID, c.Name, ErrNotHeld)
	}
	next, err := lose(ctx, tx, c, last)
	if err != nil {
		return err
	}
	reason := fmt.Sprintf("the last number is corrected to %d", last.Number)
	return tx.Log(ctx, models.Event{
		CreditorID: c.ID, Type: models.EventHeldAccepted, Actor: actor, SubjectID: c.ID, Text: fmt.Sprintf("%s by %s; the next invoice number is %d", reason, actor, next),
		Facts: models.Facts{"reason": reason, "held_since": tx.Now, "next_number": next},
	})
}

// lose notes the numbers up to the last one as lost, and returns the next number.
func lose(ctx context.Context, tx *store.Tx, c models.Creditor, last Last) (next int64, err error) {
	first, _, err := tx.AcceptedSeries(ctx, c.ID)
	if err != nil {
		return 0, err
	}
	if err := last.check(c, first); err != nil {
		return 0, err
	}
	return tx.LoseNumbers(ctx, c.ID, last.Number)
}

func accept(ctx context.Context, tx *store.Tx, c models.Creditor, last Last, hold store.Hold, actor string) error {
	if err := tx.NoteAcceptedSeries(ctx, c.ID); err != nil {
		return err
	}
	text := fmt.Sprintf("Accepted by %s: %s", actor, hold.Reason)
	facts := models.Facts{"reason": hold.Reason, "held_since": hold.Since}
	if last = last.known(); last.Number != 0 {
		next, err := lose(ctx, tx, c, last)
		if err != nil {
			return err
		}
		text += fmt.Sprintf("; the next invoice number is %d", next)
		facts["next_number"] = next
	}
	if err := loseLetters(ctx, tx, c); err != nil {
		return err
	}
	if !last.NoClaims {
		claims, err := avtalegiro.AfterRestore(ctx, tx, c.ID)
		if err != nil {
			return err
		}
		if claims > 0 {
			text += fmt.Sprintf("; the bank may have %d claims of AvtaleGiro, which are taken back", claims)
			facts["claims"] = claims
		}
	}
	if err := tx.Accept(ctx, c); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: c.ID, Type: models.EventHeldAccepted, Actor: actor, SubjectID: c.ID, Text: text, Facts: facts,
	})
}

// loseLetters passes over the numbers of letters for several invoices that may have left with letters which the database does not hold: a
// KID that was given twice would spread a payment over the wrong invoices (rule L23). No person knows these numbers. Where KIDs are too
// short for so many, later letters have none, and list those of their invoices.
func loseLetters(ctx context.Context, tx *store.Tx, c models.Creditor) error {
	next, err := tx.NextLetterNumber(ctx, c.ID)
	if err != nil {
		return err
	}
	return tx.SetNextLetterNumber(ctx, c.ID, next+mostLost)
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

// Left returns the files in an outbox of which the database does not know that they left, the newest first: it
// has no such shipment, or owes it still. It leaves out what a person had sent again, or a channel is asked about: the file is
// an earlier one's.
func Left(ctx context.Context, db *store.DB, outbox storage.Place) ([]mailer.SentFile, error) {
	return leftFiles(ctx, db, outbox, math.MaxInt, func(s models.Shipment) bool {
		return s.State == models.ShipmentOwed && s.RetriedAt == nil && !s.Accepted()
	})
}

// leftFiles returns files in an outbox folder, the newest first, whose shipment the database does not have, or has not sent
// as unsent says. At most that many of the newest files are looked at.
func leftFiles(ctx context.Context, db *store.DB, outbox storage.Place, most int, unsent func(models.Shipment) bool) ([]mailer.SentFile, error) {
	files, err := mailer.SentFiles(ctx, outbox) // before the database is asked: what it knows then is never less
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
