package operator

import (
	"context"
	"slices"

	"purr/app/backup"
	"purr/documents"
	"purr/mailer"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

// Accepted is what a person has accepted of a held installation.
type Accepted struct {
	Creditors []models.Creditor
	Waiting   []models.Creditor // who are still held
	Last      int64             // the number after which the series goes on; zero if it goes on as it is
}

// AcceptRestore lets the creditor with the name or number go on, or all creditors if the name is empty. last is the
// last invoice number that left before the restore, for one creditor. An only creditor's numbers on the files that left count
// too, and a shipment that is owed and whose file left is noted as sent (rule O3). Until the first number is given, another call
// corrects the last number (rule D109).
func (o *Operator) AcceptRestore(ctx context.Context, creditor string, last backup.Last, left []mailer.SentFile) (a Accepted, err error) {
	if a.Creditors, err = o.DB.Creditors(ctx); err != nil {
		return Accepted{}, err
	}
	only := len(a.Creditors) == 1
	if creditor != "" || last.Number != 0 {
		one, err := o.OneCreditor(ctx, creditor)
		if err != nil {
			return Accepted{}, err
		}
		a.Creditors = []models.Creditor{one}
	}
	if only {
		if last.Shown, err = o.lastShown(ctx, a.Creditors[0].ID, last.Shown, left); err != nil {
			return Accepted{}, err
		}
	}
	a.Last = max(last.Number, last.Shown)
	err = o.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		waiting, err := backup.Accept(ctx, tx, a.Creditors, last, o.Actor)
		if err != nil {
			return err
		}
		a.Waiting = waiting
		for _, f := range left {
			if err := noteSent(ctx, tx, a.Creditors, f); err != nil {
				return err
			}
		}
		return nil
	})
	return a, err
}

// lastShown returns the highest number that a file shows which left and which the creditor has not given since, or the one given.
func (o *Operator) lastShown(ctx context.Context, creditorID, shown int64, left []mailer.SentFile) (int64, error) {
	next, err := o.nextToAccept(ctx, creditorID)
	if err != nil {
		return 0, err
	}
	for _, f := range left {
		if f.Number >= next {
			shown = max(shown, f.Number)
		}
	}
	return shown, nil
}

// nextToAccept returns the number from which on the creditor's numbers may be lost: the next one, or that of the series before
// an acceptance that can still be corrected.
func (o *Operator) nextToAccept(ctx context.Context, creditorID int64) (int64, error) {
	first, open, err := o.DB.AcceptedSeries(ctx, creditorID)
	if err != nil || open {
		return first, err
	}
	series, err := o.DB.Series(ctx, creditorID)
	if err != nil {
		return 0, err
	}
	return series.Next, nil
}

// noteSent notes that a shipment is sent whose file left, if the database owes just that shipment. Otherwise it would go
// out a second time once the installation goes on.
func noteSent(ctx context.Context, tx *store.Tx, creditors []models.Creditor, f mailer.SentFile) error {
	s, err := tx.Shipment(ctx, f.ShipmentID)
	if err != nil {
		return models.IgnoreNotFound(err)
	}
	if !slices.ContainsFunc(creditors, func(c models.Creditor) bool { return c.ID == s.CreditorID }) {
		return nil
	}
	of, err := documents.Read(ctx, tx, s.CreditorID, s.Document())
	if err != nil {
		return err
	}
	if s.DocumentKind != f.Kind || of.Head.Number != f.Number {
		return nil
	}
	_, err = shipments.RecordSent(ctx, tx, s, f.Name, f.At)
	return err
}
