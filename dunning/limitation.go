package dunning

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// lapsesTogether is of how many claims it is told with one transaction that they lapse.
const lapsesTogether = 100

// TellLapses tells, by a day, of each of the creditor's claims that lapses within models.LapseNoticeDays, or has lapsed (rule L26): once for each day of
// lapsing. A payment, a plan or a person's word moves that day, and then it is told again before the new one. It decides again on the locked
// rows, so several processes may tell at once, and a day on which nobody told is made up for by the next. Whatever was handed over is told
// too: the claim is the creditor's, who must see that somebody goes to court in time.
func TellLapses(ctx context.Context, db *store.DB, c models.Creditor, on models.Date) error {
	for more := true; more; {
		err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			more, err = tellLapses(ctx, tx, c, on+models.LapseNoticeDays)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tellLapses tells of some of the claims that lapse by a day, and reports whether there were any.
func tellLapses(ctx context.Context, tx *store.Tx, c models.Creditor, by models.Date) (bool, error) {
	ids, err := tx.UntoldLapses(ctx, c.ID, by, lapsesTogether)
	if err != nil || len(ids) == 0 {
		return false, err
	}
	if _, err := tx.LockInvoices(ctx, c.ID, ids); err != nil {
		return false, err
	}
	invoices, err := tx.InvoicesByID(ctx, c.ID, ids)
	if err != nil {
		return false, err
	}
	var told []int64
	var events []models.Event
	for _, i := range invoices {
		on := i.Lapses()
		if on == 0 || on > by || on == i.LapseTold {
			continue
		}
		told = append(told, i.ID)
		events = append(events, models.Event{
			CreditorID: c.ID, Type: models.EventInvoiceLapses, Actor: models.ActorProgram, InvoiceID: i.ID, CustomerID: i.CustomerID, SubjectID: i.ID,
			Text:  fmt.Sprintf("Invoice %d with %s owed lapses on %s", i.Number, i.Claimed(), on),
			Facts: models.Facts{"invoice_number": i.Number, "balance": i.Claimed(), "due_date": i.DueDate, "lapses_on": on},
		})
	}
	if len(told) == 0 {
		return false, nil
	}
	if err := tx.NoteLapsesTold(ctx, told); err != nil {
		return false, err
	}
	return true, tx.Log(ctx, events...)
}

// CanAcknowledge returns nil if a person may set the day on which the claim on an invoice was acknowledged. Otherwise it returns the conflict
// invoice_closed or invoice_paid. It does not matter whether it was handed over.
func CanAcknowledge(invoice models.Invoice) error {
	switch {
	case invoice.Closed != models.NotClosed:
		return errClosed()
	case invoice.Claimed() <= 0:
		return errPaid()
	}
	return nil
}

// AcknowledgeInvoice sets the day on which the claim on an invoice was acknowledged, or taken to court, as a person says (rule L26): it lapses three
// years after that, unless it was acknowledged later in another way. It takes the place of a day that was set before. It changes nothing if
// the day is the same. It fails with the conflicts of CanAcknowledge and with the faults of the day. seen is what the person saw of the day
// (store's Look), if he looked: if somebody has set or removed it since, AcknowledgeInvoice fails with the conflict changed_meanwhile (rule
// D115).
func AcknowledgeInvoice(
	ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, a models.Acknowledgement, actor string, seen ...models.Seen,
) (models.Invoice, error) {
	invoice, today, err := lockInvoice(ctx, tx, c, invoiceID)
	if err != nil {
		return models.Invoice{}, err
	}
	if err := tx.Unchanged(ctx, c.ID, models.Thing{Kind: models.ThingAcknowledged, ID: invoiceID}, seen...); err != nil {
		return models.Invoice{}, err
	}
	if err := CanAcknowledge(invoice); err != nil {
		return models.Invoice{}, err
	}
	if faults := a.ValidateFor(invoice, today); len(faults) > 0 {
		return models.Invoice{}, faults
	}
	return acknowledge(ctx, tx, invoice, a.Date, actor)
}

// RemoveAcknowledgement removes the day that a person has set on which the claim on an invoice was acknowledged, as it was seen (see
// AcknowledgeInvoice). It does nothing if none is set.
func RemoveAcknowledgement(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, actor string, seen ...models.Seen) error {
	invoice, err := tx.LockInvoice(ctx, c.ID, invoiceID)
	if err != nil {
		return err
	}
	if err := tx.Unchanged(ctx, c.ID, models.Thing{Kind: models.ThingAcknowledged, ID: invoiceID}, seen...); err != nil {
		return err
	}
	_, err = acknowledge(ctx, tx, invoice, 0, actor)
	return err
}

// acknowledge sets the day, or none, on a locked invoice, and logs it. It returns the invoice as it is then.
func acknowledge(ctx context.Context, tx *store.Tx, was models.Invoice, on models.Date, actor string) (models.Invoice, error) {
	if was.Acknowledged == on {
		return was, nil
	}
	if err := tx.Acknowledge(ctx, was.ID, on); err != nil {
		return models.Invoice{}, err
	}
	i, err := tx.LockInvoice(ctx, was.CreditorID, was.ID)
	if err != nil {
		return models.Invoice{}, err
	}
	e := models.Event{
		CreditorID: i.CreditorID, Type: models.EventInvoiceAcknowledged, InvoiceID: i.ID, CustomerID: i.CustomerID, SubjectID: i.ID,
		Text:  fmt.Sprintf("Invoice %d was acknowledged on %s, and lapses on %s", i.Number, on, i.LapsesOn),
		Facts: models.Facts{"invoice_number": i.Number, "balance": i.Balance, "lapses_on": i.LapsesOn},
	}
	if was.Acknowledged != 0 {
		e.Facts["was"] = was.Acknowledged
	}
	if on == 0 {
		e.Type, e.Text = models.EventAcknowledgementRemoved, fmt.Sprintf("The day on which invoice %d was acknowledged, %s, was removed: it lapses on %s", i.Number, was.Acknowledged, i.LapsesOn)
	} else {
		e.Facts["date"] = on
	}
	return i, act{Actor: actor}.log(ctx, tx, e)
}
