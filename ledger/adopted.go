package ledger

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// Told is what the system that issued an adopted invoice says is owed of it now (rule L17).
type Told struct {
	Number  int64
	Balance models.Amount
	Actor   string
	Seen    models.Seen // the invoice, as the person saw it who tells (rule D115); may be empty
}

// ToldChange is what came of it. Amounts are above zero, or zero.
type ToldChange struct {
	Was     models.Amount // what was owed by purr's books, without its own charges
	Paid    models.Amount // booked as a payment
	Raised  models.Amount // taken back of earlier adopted payments
	Differs models.Amount // what is said to be owed beyond all that can be taken back: money that came to purr and not to the other system
}

// Change returns what the other system's word would come to, given how the invoice stands with its entries. It fails with above_gross if
// more is said to be owed than was ever asked for.
func (t Told) Change(i store.AdoptedInvoice, entries []models.Entry) (ToldChange, error) {
	if t.Balance < 0 {
		return ToldChange{}, models.Invalid("out_of_range", "balance", "must not be below zero")
	}
	if t.Balance > i.Most() {
		return ToldChange{}, models.Invalid("above_gross", "balance", "must be at most the gross amount with what was charged, %s", i.Most())
	}
	c := ToldChange{Was: i.Owed()}
	if less := c.Was - t.Balance; less >= 0 {
		c.Paid = min(less, max(i.Claimed()-i.WrittenOff, 0)) // what a run has written off is paid to nobody here (rule L25)
		return c, nil
	}
	more := t.Balance - c.Was
	for _, standing := range standingPayments(entries) {
		c.Raised += min(standing, more-c.Raised)
	}
	c.Differs = more - c.Raised
	return c, nil
}

// standingPayments returns how much of each adopted payment was not taken back, oldest first. What is taken back is the newest first.
func standingPayments(entries []models.Entry) (standing []models.Amount) {
	for _, e := range entries {
		if e.Type != models.EntryPayment || e.Adopted == models.NotAdopted {
			continue
		}
		if e.Amount < 0 {
			standing = append(standing, -e.Amount)
			continue
		}
		for back, n := e.Amount, len(standing)-1; n >= 0 && back > 0; n-- {
			part := min(standing[n], back)
			standing[n], back = standing[n]-part, back-part
		}
	}
	return standing
}

// TellBalance books what the system that issued an adopted invoice says is owed of it now (rule L17). A lower balance is a payment, never
// of more than is owed. A higher one takes earlier adopted payments back, the newest first, as far as there are any: a PAYMENT of the
// opposite sign for each. What purr has charged itself is not compared. To tell the same again changes nothing.
// If the invoice has changed since a person looked, it fails with the conflict changed_meanwhile.
func TellBalance(ctx context.Context, tx *store.Tx, creditorID int64, t Told) (ToldChange, error) {
	found, err := tx.InvoiceByNumber(ctx, creditorID, t.Number)
	if err != nil {
		return ToldChange{}, err
	}
	locked, err := tx.LockInvoice(ctx, creditorID, found.ID)
	if err != nil {
		return ToldChange{}, err
	}
	if err := tx.SameInvoice(ctx, locked, t.Seen); err != nil {
		return ToldChange{}, err
	}
	adopted, err := tx.AdoptedInvoices(ctx, creditorID, []int64{t.Number}) // read under the lock
	if err != nil {
		return ToldChange{}, err
	}
	i, is := adopted[t.Number]
	if !is {
		return ToldChange{}, models.NotFound("adopted invoice")
	}
	entries, err := tx.EntriesOfInvoice(ctx, i.ID)
	if err != nil {
		return ToldChange{}, err
	}
	change, err := t.Change(i, entries)
	if err != nil {
		return ToldChange{}, err
	}
	creditor, err := tx.Creditor(ctx, creditorID)
	if err != nil {
		return ToldChange{}, err
	}
	booked := change.entries(i.Invoice, entries, creditor.BookingDay(tx.Now))
	if len(booked) == 0 {
		return change, nil
	}
	if err := Post(ctx, tx, booked, t.Actor); err != nil {
		return ToldChange{}, err
	}
	return change, logTold(ctx, tx, i.Invoice, t, change)
}

// entries returns the entries that a change books, given those of the invoice before.
func (c ToldChange) entries(i models.Invoice, before []models.Entry, today models.Date) (booked []models.Entry) {
	add := func(amount models.Amount) {
		booked = append(booked, models.Entry{
			CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID, Type: models.EntryPayment, Amount: amount, TransactionDate: today,
			Comment: models.AdoptedComment, Adopted: models.Told,
		})
	}
	if c.Paid > 0 {
		add(-c.Paid)
	}
	standing, left := standingPayments(before), c.Raised
	for n := len(standing) - 1; n >= 0 && left > 0; n-- {
		if part := min(standing[n], left); part > 0 {
			add(part)
			left -= part
		}
	}
	return booked
}

func logTold(ctx context.Context, tx *store.Tx, i models.Invoice, t Told, c ToldChange) error {
	now := c.Was - c.Paid + c.Raised
	return tx.Log(ctx, models.Event{
		CreditorID: i.CreditorID, Type: models.EventBalanceAdopted, Actor: t.Actor, InvoiceID: i.ID, CustomerID: i.CustomerID, SubjectID: i.ID,
		Text:  fmt.Sprintf("Invoice %d: %s is owed by its own system, where it was %s", i.Number, now, c.Was),
		Facts: models.Facts{"invoice_number": i.Number, "balance_before": c.Was, "balance": now},
	})
}

// Refusal returns the conflict differs if more is said to be owed than could be taken back: a person must look.
func (c ToldChange) Refusal() error {
	if c.Differs == 0 {
		return nil
	}
	return models.Conflict("differs", "%s was owed, and payments that came to purr are never raised back: %s is left that differs", c.Was, c.Differs).Under(models.At("balance"))
}
