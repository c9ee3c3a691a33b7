package ledger

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// Transfer is what a person asks for who moves free credit from an invoice to another one, perhaps another customer's (rule N12).
type Transfer struct {
	FromID int64 // the invoice that was overpaid, or whose credit note has credit outstanding
	ToID   int64
	Amount models.Amount
	Actor  string
	Seen   models.Seen // the first invoice, as the person saw it (store's LookAtPayments); may be empty
}

// Validate returns the faults of a transfer that can be found without its invoices.
func (t Transfer) Validate() (faults models.Errors) {
	if t.Amount <= 0 {
		faults.Add("amount_not_positive", "amount", "must be above zero")
	}
	if t.FromID == t.ToID {
		faults.Add("same_invoice", "invoice", "must be another invoice")
	}
	return faults
}

// TransferCredit moves free credit from one invoice of a creditor to another (rule N12). First goes what was overpaid on the invoice,
// then what is outstanding on its credit note. The moves are pairs of entries as MoveCredit makes them, and are taken back as those are:
// with the payment that one of the pair is, or with the money that they were made of (rule D96). today is the date of the entries. It
// returns those that came to the other invoice. It
// fails with the conflict not_enough_credit if the invoice has less free credit, or its customer has less that is not reserved.
func TransferCredit(ctx context.Context, tx *store.Tx, creditorID int64, t Transfer, today models.Date) ([]models.Entry, error) {
	from, to, free, err := lockTransfer(ctx, tx, creditorID, t)
	if err != nil {
		return nil, err
	}
	moves, err := transferMoves(t, from, to, free)
	if err != nil {
		return nil, err
	}
	away, here := make([]models.Entry, len(moves)), make([]models.Entry, len(moves))
	for n, m := range moves {
		away[n], here[n] = m.Entries(today)
		if away[n].CustomerID = from.CustomerID; from.CustomerID != to.CustomerID {
			away[n].MovedTo = to.CustomerID
		}
	}
	if err := postPairs(ctx, tx, away, here, t.Actor); err != nil {
		return nil, err
	}
	return here, logTransfer(ctx, tx, t, from, to)
}

// freeOn is what is free of one invoice and of its credit note.
type freeOn struct {
	credits   []Credit
	available models.Amount // of the customer: what is not reserved
}

// lockTransfer locks what a transfer is of, and returns both invoices and the free credit of the first.
func lockTransfer(ctx context.Context, tx *store.Tx, creditorID int64, t Transfer) (from, to models.Invoice, free freeOn, err error) {
	if from, err = tx.Invoice(ctx, creditorID, t.FromID); err != nil {
		return from, to, free, err
	}
	if to, err = tx.Invoice(ctx, creditorID, t.ToID); err != nil {
		return from, to, free, err
	}
	if faults := t.Validate(); len(faults) > 0 {
		return from, to, free, faults
	}
	invoices, notes, err := lockBalances(ctx, tx, creditorID, []int64{from.ID, to.ID}, from.CustomerID)
	if err != nil {
		return from, to, free, err
	}
	var own []models.Invoice
	for _, i := range invoices {
		if i.ID == from.ID {
			from = i
		}
		if i.ID == to.ID {
			to = i
		}
		if i.CustomerID == from.CustomerID {
			own = append(own, i)
		}
	}
	if err := tx.SamePayments(ctx, from, t.Seen); err != nil {
		return from, to, free, err
	}
	reserved, err := tx.Reserved(ctx, creditorID, from.CustomerID)
	if err != nil {
		return from, to, free, err
	}
	free.available = FreeCredit(own, notes) - reserved[from.CustomerID]
	for _, c := range credits(own, notes) {
		if c.InvoiceID == from.ID {
			free.credits = append(free.credits, c)
		}
	}
	return from, to, free, nil
}

// transferMoves returns the moves of a transfer, or why it cannot be.
func transferMoves(t Transfer, from, to models.Invoice, free freeOn) (moves []Move, err error) {
	var on models.Amount
	for _, c := range free.credits {
		on += c.Amount
	}
	if most := max(min(on, free.available), 0); t.Amount > most {
		return nil, models.Conflict("not_enough_credit", "%s of free credit on invoice %d can be moved: what is reserved for repayments cannot", most, from.Number)
	}
	if owed := max(to.Balance-to.WrittenOff, 0); t.Amount > owed {
		return nil, models.Invalid("amount_too_large", "amount", "%s is owed on invoice %d", owed, to.Number)
	}
	left := t.Amount
	for _, c := range free.credits {
		if m := (Move{From: c, To: to, Amount: min(c.Amount, left)}); m.Amount > 0 {
			moves, left = append(moves, m), left-m.Amount
		}
	}
	return moves, nil
}

// postPairs posts the entries of moves: what leaves the documents with the credit, and what comes to the others.
func postPairs(ctx context.Context, tx *store.Tx, away, here []models.Entry, actor string) error {
	if err := Post(ctx, tx, away, actor); err != nil {
		return err
	}
	for n := range here {
		here[n].MovedFrom = away[n].ID
	}
	return Post(ctx, tx, here, actor)
}

// logTransfer writes an event for each of the two invoices.
func logTransfer(ctx context.Context, tx *store.Tx, t Transfer, from, to models.Invoice) error {
	for _, side := range []models.Invoice{from, to} {
		err := tx.Log(ctx, models.Event{
			CreditorID: side.CreditorID, Type: models.EventCreditTransferred, Actor: t.Actor, InvoiceID: side.ID, CustomerID: side.CustomerID, SubjectID: side.CustomerID,
			Text:  fmt.Sprintf("%s of free credit moved from invoice %d to invoice %d", t.Amount, from.Number, to.Number),
			Facts: models.Facts{"amount": t.Amount, "from_number": from.Number, "to_number": to.Number},
		})
		if err != nil {
			return err
		}
	}
	return nil
}
