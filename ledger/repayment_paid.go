package ledger

import (
	"context"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
)

// RepaymentComment is the comment of the entry of a repayment that was paid by a file.
func RepaymentComment(repayment, file int64) string {
	return fmt.Sprintf("repayment %d, file %d", repayment, file)
}

// PayRepaymentFile posts that the bank has paid a file of repayments on a day, as a person says: each is an entry of type REPAYMENT on
// the documents with its customer's free credit (rule N12). What free credit does not cover any more, because money was taken back
// after the file was made, is paid out on the invoice that the repayment names, which owes it (rule D96).
func PayRepaymentFile(ctx context.Context, tx *store.Tx, creditorID, fileID int64, paidOn, today models.Date, actor string, seen ...models.Seen) (models.RepaymentFile, error) {
	f, rs, err := lockRepaymentFile(ctx, tx, creditorID, fileID, models.RepaymentFileMade, seen)
	if err != nil {
		return f, err
	}
	if paidOn > today {
		return f, models.Invalid("date_in_future", "paid_on", "must not be after today, %s", today)
	}
	invoices, notes, err := lockBalances(ctx, tx, creditorID, invoicesOf(rs), customersOf(rs)...)
	if err != nil {
		return f, err
	}
	entries, of := payouts(rs, invoices, notes, f.Number, paidOn)
	for n := range rs {
		rs[n].State, rs[n].PaidOn, rs[n].PaidAt = models.RepaymentPaid, paidOn, &tx.Now
	}
	f.State, f.PaidOn = models.RepaymentFilePaid, paidOn
	if err := updateFile(ctx, tx, f, rs); err != nil {
		return f, err
	}
	if err := Post(ctx, tx, entries, actor); err != nil {
		return f, err
	}
	links := make([]models.RepaymentEntry, len(entries))
	for n, e := range entries {
		links[n] = models.RepaymentEntry{EntryID: e.ID, RepaymentID: of[n], CreditorID: creditorID}
	}
	if err := tx.CreateRepaymentEntries(ctx, links); err != nil {
		return f, err
	}
	return f, logRepaymentsOf(ctx, tx, f, rs, models.EventRepaymentPaid, models.EventRepaymentFilePaid, actor, "paid")
}

// payouts returns the entries that pay repayments, and of each entry the ID of its repayment. invoices and notes are all with a balance of
// their customers.
func payouts(rs []models.Repayment, invoices []models.Invoice, notes []models.CreditNote, number int64, on models.Date) (entries []models.Entry, of []int64) {
	free := map[int64][]Credit{} // by customer
	for _, id := range customersOf(rs) {
		own := slices.DeleteFunc(slices.Clone(invoices), func(i models.Invoice) bool { return i.CustomerID != id })
		ownNotes := slices.DeleteFunc(slices.Clone(notes), func(n models.CreditNote) bool { return n.CustomerID != id })
		free[id] = credits(own, ownNotes)
	}
	for _, r := range rs {
		pay := func(invoiceID, noteID int64, amount models.Amount) {
			entries = append(entries, models.Entry{
				CreditorID: r.CreditorID, CustomerID: r.CustomerID, InvoiceID: invoiceID, CreditNoteID: noteID, Type: models.EntryRepayment, Amount: amount,
				TransactionDate: on, Comment: RepaymentComment(r.ID, number),
			})
			of = append(of, r.ID)
		}
		left, from := r.Amount, free[r.CustomerID]
		for left > 0 && len(from) > 0 {
			c := &from[0]
			taken := min(c.Amount, left)
			pay(c.InvoiceID, c.CreditNoteID, taken)
			if left, c.Amount = left-taken, c.Amount-taken; c.Amount == 0 {
				from = from[1:]
			}
		}
		if free[r.CustomerID] = from; left > 0 {
			pay(r.InvoiceID, 0, left)
		}
	}
	return entries, of
}

// UnpayRepaymentFile takes back that the bank has paid a file: the entries of its repayments are deleted, and their credit is reserved
// again.
func UnpayRepaymentFile(ctx context.Context, tx *store.Tx, creditorID, fileID int64, today models.Date, actor string, seen ...models.Seen) (models.RepaymentFile, error) {
	f, rs, err := lockRepaymentFile(ctx, tx, creditorID, fileID, models.RepaymentFilePaid, seen)
	if err != nil {
		return f, err
	}
	entries, _, err := tx.EntriesOfRepayments(ctx, creditorID, repaymentIDs(rs))
	if err != nil {
		return f, err
	}
	touched := map[int64]bool{}
	for _, e := range entries {
		touched[e.InvoiceID] = true
	}
	if _, _, err := lockBalances(ctx, tx, creditorID, keys(touched), customersOf(rs)...); err != nil {
		return f, err
	}
	for n := range rs {
		rs[n].State, rs[n].PaidOn, rs[n].PaidAt = models.RepaymentInFile, 0, nil
	}
	f.State, f.PaidOn = models.RepaymentFileMade, 0
	if err := updateFile(ctx, tx, f, rs); err != nil {
		return f, err
	}
	if err := deletePayouts(ctx, tx, creditorID, entries, rs); err != nil {
		return f, err
	}
	undone := slices.Clone(entries) // as DeletePayment does: money that comes on its day
	for n := range undone {
		undone[n].Amount = -undone[n].Amount
	}
	reversals, err := recalculate(ctx, tx, undone, actor, nil)
	if err != nil {
		return f, err
	}
	if err := tellCollector(ctx, tx, entries, nil, true, reversals...); err != nil {
		return f, err
	}
	if err := takeBack(ctx, tx, creditorID, keys(touched), today, actor); err != nil {
		return f, err
	}
	return f, logRepaymentsOf(ctx, tx, f, rs, models.EventRepaymentUnpaid, models.EventRepaymentFileUnpaid, actor, "not paid")
}

// deletePayouts deletes the entries of repayments, and brings the balances up to date.
func deletePayouts(ctx context.Context, tx *store.Tx, creditorID int64, entries []models.Entry, rs []models.Repayment) error {
	for _, e := range entries {
		if err := tx.DeleteEntry(ctx, e); err != nil {
			return err
		}
	}
	if err := tx.DeleteRepaymentEntries(ctx, creditorID, repaymentIDs(rs)); err != nil {
		return err
	}
	return refresh(ctx, tx, entries, nil)
}
