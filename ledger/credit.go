package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
)

// Move moves free credit from a document of a customer to one of the customer's open invoices (rule L5).
type Move struct {
	From   Credit
	To     models.Invoice // before the move
	Amount models.Amount  // positive
}

// Credit is the free credit on one document: an overpaid invoice, one that a run has written off and that was paid on since (rule L25), or
// a credit note outstanding.
type Credit struct {
	InvoiceID    int64 // the overpaid invoice, or the one that the credit note credits
	CreditNoteID int64 // zero for an overpaid invoice
	Number       int64 // the document's
	Amount       models.Amount
}

// String names the document, such as "invoice 17".
func (c Credit) String() string {
	if c.CreditNoteID != 0 {
		return fmt.Sprintf("credit note %d", c.Number)
	}
	return fmt.Sprintf("invoice %d", c.Number)
}

// Moves returns how a run moves a customer's free credit to its open invoices, given all its invoices and credit notes that
// have a balance (rule L5). It covers what is claimed on them, and no repayment, which is due only when it is asked for (rule D96).
// The invoice that fell due first gets credit first. Credit is taken from invoices first, then from credit notes, in order of ID.
// Closed invoices, and those that were handed over to debt collection, give credit and get none: what is owed on them is no longer
// asked for by the creditor. What is reserved for repayments does not move (rule N12).
func Moves(invoices []models.Invoice, notes []models.CreditNote, reserved models.Amount) []Move {
	free, open := freeAndOpen(invoices, notes, reserved)
	moves, _ := cover(free, open, models.Invoice.Claimed)
	return moves
}

// MovesByHand returns how a person moves the credit: as Moves says, and what is left then to the repayments that are owed on the
// open invoices, in the same order (rule D96).
func MovesByHand(invoices []models.Invoice, notes []models.CreditNote, reserved models.Amount) []Move {
	free, open := freeAndOpen(invoices, notes, reserved)
	claims, free := cover(free, open, models.Invoice.Claimed)
	repayments, _ := cover(free, open, func(i models.Invoice) models.Amount { return i.Balance })
	return append(claims, repayments...)
}

// freeAndOpen returns a customer's credit in the order in which it is taken, without what is reserved of the last of it, and its open
// invoices in the order in which they get it.
func freeAndOpen(invoices []models.Invoice, notes []models.CreditNote, reserved models.Amount) (free []Credit, open []models.Invoice) {
	for _, i := range invoices {
		if i.Balance > 0 && i.Closed == models.NotClosed && i.HandedOver == 0 {
			open = append(open, i)
		}
	}
	slices.SortFunc(open, func(a, b models.Invoice) int {
		return cmp.Or(cmp.Compare(a.DueDate, b.DueDate), cmp.Compare(a.ID, b.ID))
	})
	free = credits(invoices, notes)
	for n := len(free) - 1; n >= 0 && reserved > 0; n-- {
		kept := min(free[n].Amount, reserved)
		free[n].Amount, reserved = free[n].Amount-kept, reserved-kept
	}
	return slices.DeleteFunc(free, func(c Credit) bool { return c.Amount == 0 }), open
}

// credits returns a customer's credit in the order in which it is taken.
func credits(invoices []models.Invoice, notes []models.CreditNote) (free []Credit) {
	for _, i := range invoices {
		if amount := i.Free(); amount > 0 {
			free = append(free, Credit{InvoiceID: i.ID, Number: i.Number, Amount: amount})
		}
	}
	for _, n := range notes {
		if n.Balance < 0 {
			free = append(free, Credit{InvoiceID: n.InvoiceID, CreditNoteID: n.ID, Number: n.Number, Amount: -n.Balance})
		}
	}
	slices.SortFunc(free, func(a, b Credit) int {
		return cmp.Or(cmp.Compare(a.CreditNoteID, b.CreditNoteID), cmp.Compare(a.InvoiceID, b.InvoiceID))
	})
	return free
}

// cover moves credit to the open invoices until nothing is owed on them, of what owed says, or no credit is left, which it returns.
// It lowers the balances of the open invoices.
func cover(free []Credit, open []models.Invoice, owed func(models.Invoice) models.Amount) (moves []Move, left []Credit) {
	left = slices.Clone(free)
	for n := range open {
		to := &open[n]
		for len(left) > 0 && owed(*to) > 0 {
			from := &left[0]
			m := Move{From: *from, To: *to, Amount: min(from.Amount, owed(*to))}
			moves = append(moves, m)
			to.Balance -= m.Amount
			if from.Amount -= m.Amount; from.Amount == 0 {
				left = left[1:]
			}
		}
	}
	return moves, left
}

// Entries returns the pair of entries of the move on a day: what leaves the document with the credit, and what comes to the
// open invoice. Each has a comment that names the other document.
func (m Move) Entries(today models.Date) (away, here models.Entry) {
	away = models.Entry{
		CreditorID: m.To.CreditorID, CustomerID: m.To.CustomerID, InvoiceID: m.From.InvoiceID, CreditNoteID: m.From.CreditNoteID,
		Type: models.EntryPayment, Amount: m.Amount, TransactionDate: today, Comment: fmt.Sprintf("moved to invoice %d", m.To.Number),
	}
	if m.From.CreditNoteID != 0 {
		away.Type = models.EntryCreditNote
	}
	here = away
	here.InvoiceID, here.CreditNoteID, here.Amount, here.Comment = m.To.ID, 0, -m.Amount, fmt.Sprintf("moved from %s", m.From)
	return away, here
}

// MoveCredit moves a customer's free credit to its open invoices, and returns the moves. gets says which of the open invoices get
// credit of a run, as Moves says; with nil a person moves it, as MovesByHand says, to all of them. It writes one event, and nothing
// if there is nothing to move (rule L5).
// Money is only moved: the customer's balance stays as it is. today is the date of the entries. seen is what the person saw of
// the credit (LookAtCredit), if he looked: if it is not so any more, MoveCredit fails with the conflict changed_meanwhile (rule D115).
func MoveCredit(
	ctx context.Context, tx *store.Tx, creditorID, customerID int64, today models.Date, actor string, gets func(models.Invoice) bool, seen ...models.Seen,
) ([]Move, error) {
	invoices, notes, reserved, err := lockCredit(ctx, tx, creditorID, customerID)
	if err != nil {
		return nil, err
	}
	for _, s := range seen {
		if err := tx.Same(ctx, creditorID, models.Thing{Kind: models.ThingCredit, ID: customerID}, s, LookAtCredit(invoices, notes, reserved)); err != nil {
			return nil, err
		}
	}
	movesOf := MovesByHand
	if gets != nil {
		movesOf = Moves
		invoices = slices.DeleteFunc(invoices, func(i models.Invoice) bool { return i.Free() == 0 && !gets(i) })
	}
	moves := movesOf(invoices, notes, reserved)
	if len(moves) == 0 {
		return nil, nil
	}
	away, here := make([]models.Entry, len(moves)), make([]models.Entry, len(moves))
	for i, m := range moves {
		away[i], here[i] = m.Entries(today)
	}
	if err := postPairs(ctx, tx, away, here, actor); err != nil {
		return nil, err
	}
	return moves, logMoves(ctx, tx, moves, actor)
}

// LookAtCredit returns what a person sees before he moves a customer's credit, or orders a repayment of it: how much is neither used
// nor reserved, and how much is owed on open invoices. It takes the invoices and credit notes that have a balance.
func LookAtCredit(invoices []models.Invoice, notes []models.CreditNote, reserved models.Amount) models.Seen {
	var owed models.Amount
	for _, i := range invoices {
		if i.Closed == models.NotClosed {
			owed += max(i.Balance, 0)
		}
	}
	return models.Seen((FreeCredit(invoices, notes) - reserved).String() + " " + owed.String())
}

// FreeCredit returns a customer's free credit, in øre above zero, given all its invoices and credit notes that have a balance, or free
// credit (rules L5, L25).
func FreeCredit(invoices []models.Invoice, notes []models.CreditNote) (free models.Amount) {
	for _, i := range invoices {
		free += i.Free()
	}
	for _, n := range notes {
		free -= min(n.Balance, 0)
	}
	return free
}

// lockCredit locks a customer's invoices and credit notes that have a balance or free credit, and the customer, and returns them with what is reserved
// of the credit on them. See lockBalances.
func lockCredit(ctx context.Context, tx *store.Tx, creditorID, customerID int64) ([]models.Invoice, []models.CreditNote, models.Amount, error) {
	invoices, notes, err := lockBalances(ctx, tx, creditorID, nil, customerID)
	if err != nil {
		return nil, nil, 0, err
	}
	reserved, err := tx.Reserved(ctx, creditorID, customerID)
	if err != nil {
		return nil, nil, 0, err
	}
	return invoices, notes, reserved[customerID], nil
}

// lockBalances locks the invoices and credit notes of customers that have a balance or free credit, other invoices, and the customers: who uses free
// credit waits here for who reserves it. It returns the documents, in order of ID. Invoices are locked before customers, and these
// before credit notes, each in order of ID.
func lockBalances(ctx context.Context, tx *store.Tx, creditorID int64, others []int64, customerIDs ...int64) ([]models.Invoice, []models.CreditNote, error) {
	invoices, err := tx.InvoicesWithBalance(ctx, creditorID, customerIDs...)
	if err != nil {
		return nil, nil, err
	}
	ids := slices.Clone(others)
	for _, i := range invoices {
		ids = append(ids, i.ID)
	}
	if _, err := tx.LockInvoices(ctx, creditorID, ids); err != nil {
		return nil, nil, err
	}
	if invoices, err = tx.InvoicesByID(ctx, creditorID, ids); err != nil {
		return nil, nil, err
	}
	if _, err := tx.LockCustomers(ctx, creditorID, customerIDs); err != nil {
		return nil, nil, err
	}
	notes, err := tx.CreditNotesWithBalance(ctx, creditorID, customerIDs...)
	if err != nil {
		return nil, nil, err
	}
	for i, n := range notes { // in order of ID
		if notes[i], err = tx.LockCreditNote(ctx, creditorID, n.ID); err != nil {
			return nil, nil, err
		}
	}
	return invoices, notes, nil
}

// moved is one move in the data of an event.
type moved struct {
	From   string `json:"from"` // the document
	To     string `json:"to"`
	Amount string `json:"amount"`
}

func logMoves(ctx context.Context, tx *store.Tx, moves []Move, actor string) error {
	var total models.Amount
	all, to := make([]moved, len(moves)), map[int64]bool{}
	for i, m := range moves {
		total += m.Amount
		to[m.To.ID] = true
		all[i] = moved{m.From.String(), fmt.Sprintf("invoice %d", m.To.Number), m.Amount.String()}
	}
	first := moves[0].To
	text := fmt.Sprintf("%s of the customer's credit moved to invoice %d", total, first.Number)
	if len(to) > 1 {
		text = fmt.Sprintf("%s of the customer's credit moved to %d invoices", total, len(to))
	}
	return tx.Log(ctx, models.Event{
		CreditorID: first.CreditorID, Type: models.EventCreditMoved, Actor: actor, CustomerID: first.CustomerID, SubjectID: first.CustomerID,
		Text: text, Facts: models.Facts{"amount": total, "moves": all},
	})
}
