package store

import (
	"cmp"
	"context"
	"slices"

	"gorm.io/gorm"

	"purr/models"
)

// repaymentOwed returns how much of an invoice's balance is a repayment owed, as SQL over the columns of invoices (rule D96). It
// is the least of what documents must not ask for: of the payments that went out what no surplus covers, and what is above the
// gross amount, less what was credited, with the charges. What a run has written off counts as paid (rule L25). law.Allocate says the
// same of entries.
func repaymentOwed(d dialect) string {
	least, greatest := "LEAST", "GREATEST"
	if d == dialectSQLite {
		least, greatest = "MIN", "MAX"
	}
	sum := func(amount, of string) string { // a query each, since TiDB takes no column of invoices beside a sum of entries
		return "(SELECT COALESCE(SUM(" + amount + "), 0) FROM entries e WHERE e.invoice_id = invoices.id AND " + of + ")"
	}
	repaid := sum("e.amount", "e.credit_note_id = 0 AND e.type IN ('PAYMENT', 'REPAYMENT') AND e.amount > 0 AND e.adopted = 0")
	charged := sum("e.amount", "e.credit_note_id = 0 AND e.type IN ('OVERDUE_CHARGE', 'INTEREST')")
	credited := sum("-e.amount", "e.credit_note_id <> 0 AND e.type = 'CREDIT_NOTE' AND e.amount < 0")
	owed := "invoices.balance - invoices.written_off"
	return "CASE WHEN invoices.balance <= invoices.written_off THEN 0 ELSE " + greatest + "(" + least + "(" + repaid + ", " + owed + "), " + owed + " - " +
		greatest + "(invoices.gross - " + credited + ", 0) - " + greatest + "(" + charged + ", 0), 0) END"
}

// RefreshRepayments sets how much of the balance of each invoice is a repayment owed (rule D96). The caller has locked the
// invoices and refreshed their balances.
func (tx *Tx) RefreshRepayments(ctx context.Context, invoiceIDs ...int64) error {
	return classify(tx.with(ctx).Exec("UPDATE invoices SET repayment_owed = "+repaymentOwed(dialect(tx.db.Name()))+
		" WHERE id IN ? AND (balance > 0 OR repayment_owed <> 0)", invoiceIDs).Error, "")
}

// repaymentsReckoned is the setting that says that reckonRepayments has run.
const repaymentsReckoned = "repayments_reckoned"

// reckonRepayments sets, once in an installation, what invoices owe as a repayment that were there before the program asked.
func (db *DB) reckonRepayments(ctx context.Context) error {
	if done, err := db.Setting(ctx, repaymentsReckoned); err != nil || done != "" {
		return err
	}
	if _, there, err := db.NewestEntry(ctx); err != nil || !there {
		return err
	}
	return db.InTx(ctx, func(ctx context.Context, tx *Tx) error {
		err := tx.with(ctx).Exec("UPDATE invoices SET repayment_owed = " + repaymentOwed(db.dialect) +
			" WHERE balance > 0 AND (balance > gross OR id IN (SELECT invoice_id FROM entries WHERE type = 'PAYMENT' AND amount > 0 AND adopted = 0))").Error
		if err != nil {
			return classify(err, "")
		}
		return tx.SetSetting(ctx, repaymentsReckoned, "1")
	})
}

// OwingInvoices returns those of the creditor's invoices with the IDs on which something is owed, beyond what a run has written off, in
// order of ID.
func (r reads) OwingInvoices(ctx context.Context, creditorID int64, ids []int64) ([]models.Invoice, error) {
	return readAll[models.Invoice](r.with(ctx).Where("creditor_id = ? AND id IN ? AND balance > written_off", creditorID, ids).Order("id"))
}

// MovedCredit is a pair of entries that moved credit from one document of a customer to another (rule L5).
type MovedCredit struct {
	Away models.Entry // from the document that had the credit
	Here models.Entry // to the invoice that got it
}

// MovedCredits returns the moves of credit from and to documents of the creditor's customer, newest first.
func (r reads) MovedCredits(ctx context.Context, creditorID, customerID int64) ([]MovedCredit, error) {
	own := func() *gorm.DB {
		return r.from(ctx, "entries", "entries_customer").Where("customer_id = ? AND creditor_id = ?", customerID, creditorID)
	}
	here, err := readAll[models.Entry](own().Where("moved_from <> 0").Order("moved_from DESC"))
	if err != nil {
		return nil, err
	}
	given, err := readAll[models.Entry](own().Where("moved_to <> 0"))
	if err != nil {
		return nil, err
	}
	for _, e := range given {
		there, moved, err := r.MovedTo(ctx, e)
		if err != nil {
			return nil, err
		}
		if moved {
			here = append(here, there)
		}
	}
	if len(here) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(here, func(a, b models.Entry) int { return cmp.Compare(b.MovedFrom, a.MovedFrom) })
	ids := make([]int64, len(here))
	for n, e := range here {
		ids[n] = e.MovedFrom
	}
	away, err := readBy(r.with(ctx).Model(&models.Entry{}).Where("creditor_id = ? AND id IN ?", creditorID, ids), func(e models.Entry) int64 { return e.ID })
	if err != nil {
		return nil, err
	}
	moves := make([]MovedCredit, 0, len(here))
	for _, e := range here {
		if from, there := away[e.MovedFrom]; there {
			moves = append(moves, MovedCredit{from, e})
		}
	}
	return moves, nil
}

// LostMove is a move of credit that is no longer covered: the invoice whose surplus was moved owes it again (rule D96).
type LostMove struct {
	InvoiceNumber int64
	ToNumber      int64
	EntryID       int64         // of the entry that took the credit away
	Amount        models.Amount // of the move
	Owed          models.Amount // on the invoice, as a repayment
	InAll         int           // how many such moves there are in all
}

// LostMoves returns up to 100 moves of the creditor's customers whose credit is no longer there: programs before rule D96 left
// such pairs.
func (r reads) LostMoves(ctx context.Context, creditorID int64) ([]LostMove, error) {
	return scan[[]LostMove](r.with(ctx).Raw(`SELECT i.number AS invoice_number, t.number AS to_number, away.id AS entry_id, away.amount, i.balance AS owed, COUNT(*) OVER () AS in_all
		FROM entries here JOIN entries away ON away.id = here.moved_from JOIN invoices i ON i.id = away.invoice_id JOIN invoices t ON t.id = here.invoice_id
		WHERE here.creditor_id = ? AND here.moved_from <> 0 AND i.balance > i.written_off ORDER BY away.id LIMIT 100`, creditorID))
}

// DoubtedInvoices returns those of the creditor's invoices whose notices earlier releases may have left with charges that are too
// much: where money was paid out, or a credit note was made (rule D96), or a notice was reckoned again (rule D97). It takes those
// alone whose notices have charged something.
func (r reads) DoubtedInvoices(ctx context.Context, creditorID int64) ([]models.Invoice, error) {
	return readAll[models.Invoice](r.with(ctx).Where(`creditor_id = ? AND id IN (SELECT n.invoice_id FROM overdue_notices n
		WHERE n.creditor_id = ? AND n.withdrawn IS NULL AND (n.fee > 0 OR n.interest > 0) AND (
			EXISTS (SELECT 1 FROM entries e WHERE e.invoice_id = n.invoice_id AND e.credit_note_id = 0 AND e.type IN ? AND e.amount > 0 AND e.adopted = 0)
			OR EXISTS (SELECT 1 FROM credit_notes c WHERE c.invoice_id = n.invoice_id)
			OR EXISTS (SELECT 1 FROM notice_recalculations c WHERE c.notice_id = n.id)))`, creditorID, creditorID, []models.EntryType{models.EntryPayment, models.EntryRepayment}).Order("id"))
}
