package ledger

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
)

// takeBack takes back what was made of money that is no longer there (rule D96). The entries of some of a creditor's invoices
// were deleted or taken back, and are written; the caller has locked the invoices. On each of them that now owes something,
// takeBack first settles what a credit note credits (D21). Then it takes back the moves of credit from the invoice and its credit
// note, newest first, and no more of them than the invoice owes. What an invoice loses so may have been moved on: then that is
// taken back too. What was paid out stays owed, as a repayment. Of the repayments that wait it stops those that are no longer covered
// (rule N12). What a run has closed for a small remainder, and on which more is owed now, it opens again (rule L25). today is the date of the entries that settling posts, zero for the
// creditor's own. actor is the person who took the money back, empty for the program.
//
// All that takes money from an invoice comes here: by Post and DeletePayment.
func takeBack(ctx context.Context, tx *store.Tx, creditorID int64, invoiceIDs []int64, today models.Date, actor string) error {
	if len(invoiceIDs) == 0 {
		return nil
	}
	lost, err := takeMovesBack(ctx, tx, creditorID, invoiceIDs, today, actor)
	if err != nil {
		return err
	}
	all := slices.Concat(lost, invoiceIDs)
	if err := reopenOwing(ctx, tx, creditorID, all); err != nil {
		return err
	}
	return stopUncovered(ctx, tx, creditorID, all)
}

// takeMovesBack settles and takes back moves as takeBack says. It returns the invoices that lost credit by it.
func takeMovesBack(ctx context.Context, tx *store.Tx, creditorID int64, invoiceIDs []int64, today models.Date, actor string) (all []int64, err error) {
	owing, err := tx.OwingInvoices(ctx, creditorID, invoiceIDs)
	if err != nil || len(owing) == 0 {
		return nil, err
	}
	if today, err = dayOrToday(ctx, tx, creditorID, today); err != nil {
		return nil, err
	}
	back := takingBack{tx: tx, creditorID: creditorID, today: today}
	for len(owing) > 0 {
		lost, err := back.from(ctx, owing[0])
		if err != nil {
			return nil, err
		}
		further, err := tx.OwingInvoices(ctx, creditorID, lost)
		if err != nil {
			return nil, err
		}
		all, owing = append(all, lost...), append(owing[1:], further...)
	}
	return all, back.log(ctx, actor)
}

// dayOrToday returns the day, and for zero the creditor's own.
func dayOrToday(ctx context.Context, tx *store.Tx, creditorID int64, day models.Date) (models.Date, error) {
	if day != 0 {
		return day, nil
	}
	creditor, err := tx.Creditor(ctx, creditorID)
	if err != nil {
		return 0, err
	}
	return creditor.BookingDay(tx.Now), nil
}

// takingBack is one taking back of what was made of money.
type takingBack struct {
	tx         *store.Tx
	creditorID int64
	today      models.Date
	taken      []takenBack
}

// takenBack is a move of credit of which an amount was taken back.
type takenBack struct {
	store.MovedCredit
	amount models.Amount
}

// from takes back what was made of the money of one invoice that owes something. It returns the invoices that lost credit by it.
func (b *takingBack) from(ctx context.Context, invoice models.Invoice) (lost []int64, err error) {
	notes, err := b.settle(ctx, invoice.ID)
	if err != nil {
		return nil, err
	}
	moves, err := b.lockMoves(ctx, invoice)
	if err != nil {
		return nil, err
	}
	for _, m := range moves {
		left, err := b.tx.OwingInvoices(ctx, b.creditorID, []int64{invoice.ID})
		if err != nil || len(left) == 0 {
			return lost, err
		}
		if err := b.take(ctx, takenBack{m, min(m.Away.Amount, left[0].Balance-left[0].WrittenOff)}); err != nil {
			return nil, err
		}
		lost = append(lost, m.Here.InvoiceID)
		if n := slices.IndexFunc(notes, func(n models.CreditNote) bool { return n.ID == m.Away.CreditNoteID }); n >= 0 {
			if err := Settle(ctx, b.tx, notes[n], b.today); err != nil {
				return nil, err
			}
		}
	}
	return lost, nil
}

// settle settles a locked invoice that owes something against its credit notes, oldest first. It returns them, locked.
func (b *takingBack) settle(ctx context.Context, invoiceID int64) ([]models.CreditNote, error) {
	notes, err := b.tx.CreditNotesOf(ctx, invoiceID)
	if err != nil {
		return nil, err
	}
	for i, n := range notes {
		if notes[i], err = b.tx.LockCreditNote(ctx, b.creditorID, n.ID); err != nil {
			return nil, err
		}
		if err := Settle(ctx, b.tx, notes[i], b.today); err != nil {
			return nil, err
		}
	}
	return notes, nil
}

// lockMoves returns the moves of credit from an invoice and its credit note, newest first. It locks the invoices that got the
// credit, in order of ID.
func (b *takingBack) lockMoves(ctx context.Context, invoice models.Invoice) ([]store.MovedCredit, error) {
	read := func() ([]store.MovedCredit, error) {
		all, err := b.tx.MovedCredits(ctx, b.creditorID, invoice.CustomerID)
		if err != nil {
			return nil, err
		}
		return slices.DeleteFunc(all, func(m store.MovedCredit) bool { return m.Away.InvoiceID != invoice.ID }), nil
	}
	moves, err := read()
	if err != nil || len(moves) == 0 {
		return nil, err
	}
	ids := make([]int64, len(moves))
	for n, m := range moves {
		ids[n] = m.Here.InvoiceID
	}
	if _, err := b.tx.LockInvoices(ctx, b.creditorID, ids); err != nil {
		return nil, err
	}
	return read() // under the locks: somebody else may have taken one back
}

// take takes an amount of a move back: both entries go, as with any deletion of half a move, and what is left of the move takes
// their place, with their dates.
func (b *takingBack) take(ctx context.Context, t takenBack) error {
	pair := []models.Entry{t.Away, t.Here}
	for _, e := range pair {
		if err := b.tx.DeleteEntry(ctx, e); err != nil {
			return err
		}
	}
	if left := t.Away.Amount - t.amount; left > 0 {
		if err := b.moveAgain(ctx, t.MovedCredit, left); err != nil {
			return err
		}
	}
	if err := refresh(ctx, b.tx, pair, nil); err != nil {
		return err
	}
	b.taken = append(b.taken, t)
	pair[0].Amount, pair[1].Amount = t.amount, -t.amount
	return tellCollector(ctx, b.tx, pair, nil, true)
}

// moveAgain writes a move again with a smaller amount.
func (b *takingBack) moveAgain(ctx context.Context, m store.MovedCredit, amount models.Amount) error {
	away, here := []models.Entry{m.Away}, []models.Entry{m.Here}
	away[0].ID, away[0].Amount = 0, amount
	if err := b.tx.CreateEntries(ctx, away); err != nil {
		return err
	}
	here[0].ID, here[0].Amount, here[0].MovedFrom = 0, -amount, away[0].ID
	return b.tx.CreateEntries(ctx, here)
}

// movedBack is one move in the data of an event. It keeps what the entries were (rule D31).
type movedBack struct {
	moved
	Of      string      `json:"of"` // the amount of the whole move
	On      models.Date `json:"on"` // when the credit was moved
	Entries [2]int64    `json:"entries"`
}

// log writes one event for each customer whose moves were taken back.
func (b *takingBack) log(ctx context.Context, actor string) error {
	if len(b.taken) == 0 {
		return nil
	}
	numbers, err := b.numbers(ctx)
	if err != nil {
		return err
	}
	byCustomer := map[int64][]takenBack{} // of both sides: the credit may have been moved to another customer's invoice
	for _, t := range b.taken {
		byCustomer[t.Away.CustomerID] = append(byCustomer[t.Away.CustomerID], t)
		if t.Here.CustomerID != t.Away.CustomerID {
			byCustomer[t.Here.CustomerID] = append(byCustomer[t.Here.CustomerID], t)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(byCustomer)) {
		if err := b.logOf(ctx, id, byCustomer[id], numbers, actor); err != nil {
			return err
		}
	}
	return nil
}

// numbers returns the names of the documents of what was taken back, by the IDs of invoice and credit note.
func (b *takingBack) numbers(ctx context.Context) (map[[2]int64]string, error) {
	names := map[[2]int64]string{}
	var ids []int64
	for _, t := range b.taken {
		ids = append(ids, t.Away.InvoiceID, t.Here.InvoiceID)
	}
	invoices, err := b.tx.InvoicesByID(ctx, b.creditorID, ids)
	if err != nil {
		return nil, err
	}
	for _, i := range invoices {
		names[[2]int64{i.ID, 0}] = fmt.Sprintf("invoice %d", i.Number)
	}
	for _, t := range b.taken {
		if t.Away.CreditNoteID == 0 {
			continue
		}
		note, err := b.tx.CreditNote(ctx, b.creditorID, t.Away.CreditNoteID)
		if err != nil {
			return nil, err
		}
		names[[2]int64{t.Away.InvoiceID, note.ID}] = fmt.Sprintf("credit note %d", note.Number)
	}
	return names, nil
}

func (b *takingBack) logOf(ctx context.Context, customerID int64, taken []takenBack, names map[[2]int64]string, actor string) error {
	var total models.Amount
	all := make([]movedBack, len(taken))
	for n, t := range taken {
		total += t.amount
		all[n] = movedBack{
			moved{names[[2]int64{t.Here.InvoiceID, 0}], names[[2]int64{t.Away.InvoiceID, t.Away.CreditNoteID}], t.amount.String()},
			t.Away.Amount.String(), t.Away.TransactionDate,
			[2]int64{t.Away.ID, t.Here.ID},
		}
	}
	return b.tx.Log(ctx, models.Event{
		CreditorID: b.creditorID, Type: models.EventCreditMovedBack, Actor: actor, CustomerID: customerID, SubjectID: customerID,
		Text:  fmt.Sprintf("%s of the customer's credit moved back to %s: the money that it was made of was taken back", total, all[0].To),
		Facts: models.Facts{"amount": total, "moves": all},
	})
}
