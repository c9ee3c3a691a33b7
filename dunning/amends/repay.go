package amends

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// Done is what was put right on one invoice.
type Done struct {
	Amend

	Entries []models.Entry        // that were booked
	Told    models.ShipmentMethod // how the customer hears of it; empty if he does not
}

// errNotDone is the conflict of an audit that is not done: what it has still to find would not be put right.
func errNotDone(a models.Audit) error {
	return models.Conflict("audit_running", "audit %d is not done: wait until it is", a.ID)
}

// Preview calls do with what there is to put right of what an audit found, invoice by invoice, by what the rows say now. It changes nothing. It
// fails with the conflict audit_running if the audit is not done, and with not found if there is none.
func Preview(ctx context.Context, db *store.DB, base *law.Rules, c models.Creditor, auditID int64, do func(Amend) error) error {
	if err := mayRepay(ctx, db, c, auditID); err != nil {
		return err
	}
	waiting := map[int64][]models.AuditFinding{}
	flush := func() error {
		amends, err := of(ctx, db, base, c, waiting)
		if err != nil {
			return err
		}
		for _, id := range slices.Sorted(maps.Keys(amends)) {
			if a := amends[id]; !a.None() {
				if err := do(a); err != nil {
					return err
				}
			}
		}
		clear(waiting)
		return nil
	}
	err := eachInvoice(ctx, db, c, auditID, func(id int64, kept []models.AuditFinding) error {
		waiting[id] = kept
		if len(waiting) < previewed {
			return nil
		}
		return flush()
	})
	if err != nil || len(waiting) == 0 {
		return err
	}
	return flush()
}

// Repay puts right what an audit found (rule U6), one transaction an invoice: it withdraws the debt-collection warnings that were unlawful and
// takes the claim back from the debt collector, takes off the invoice what was charged too much, and owes the customer a letter that says so. It
// calls did with each invoice. What was put right is not put right again: the second time nothing is booked. If it is broken off, the next time
// goes on. Its errors are those of Preview. actor is the person who asks for it.
func Repay(ctx context.Context, db *store.DB, base *law.Rules, c models.Creditor, auditID int64, actor string, did func(Done)) error {
	if err := mayRepay(ctx, db, c, auditID); err != nil {
		return err
	}
	return eachInvoice(ctx, db, c, auditID, func(id int64, kept []models.AuditFinding) error {
		var done Done
		err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			done, err = repay(ctx, tx, base, c, id, kept, actor)
			return err
		})
		if err != nil || done.None() {
			return err
		}
		did(done)
		return nil
	})
}

func mayRepay(ctx context.Context, db *store.DB, c models.Creditor, auditID int64) error {
	a, err := db.Audit(ctx, c.ID, auditID)
	if err == nil && a.State == models.AuditRunning {
		return errNotDone(a)
	}
	return err
}

// How many findings, and how many invoices for a preview, are read at once.
const batch, previewed = 1000, 100

// eachInvoice calls do with the invoices on which an audit found something, and with what it found.
func eachInvoice(ctx context.Context, db *store.DB, c models.Creditor, auditID int64, do func(id int64, kept []models.AuditFinding) error) error {
	var kept []models.AuditFinding
	flush := func() error {
		if len(kept) == 0 {
			return nil
		}
		id, all := kept[0].InvoiceID, kept
		kept = nil
		return do(id, all)
	}
	for last := int64(0); ; {
		some, err := db.AuditFindingsAfter(ctx, c.ID, auditID, last, batch)
		if err != nil {
			return err
		}
		for _, f := range some {
			if len(kept) > 0 && kept[0].InvoiceID != f.InvoiceID {
				if err := flush(); err != nil {
					return err
				}
			}
			kept, last = append(kept, f), f.ID
		}
		if len(some) < batch {
			return flush()
		}
	}
}

// repay puts right what an audit found on one invoice.
func repay(
	ctx context.Context, tx *store.Tx, base *law.Rules, c models.Creditor, invoiceID int64, kept []models.AuditFinding, actor string,
) (done Done, err error) {
	if done.Invoice, err = tx.LockInvoice(ctx, c.ID, invoiceID); err != nil {
		return done, err
	}
	today, err := c.Today(tx.Now)
	if err != nil {
		return done, err
	}
	mine := map[int64][]models.AuditFinding{invoiceID: kept}
	amends, err := of(ctx, tx, base, c, mine)
	if err != nil || amends[invoiceID].None() {
		return done, err
	}
	done.Amend = amends[invoiceID]
	before, err := tx.EntriesOfInvoice(ctx, invoiceID)
	if err != nil {
		return done, err
	}
	rest := done.Amend
	if len(done.Warnings) > 0 || done.HandOver {
		if done.Invoice, done.HandOver, err = dunning.EndUnlawful(ctx, tx, c, invoiceID, done.Warnings, done.HandOver, actor); err != nil {
			return done, err
		}
		if amends, err = of(ctx, tx, base, c, mine); err != nil { // what a warning charged is taken back with it
			return done, err
		}
		rest = amends[invoiceID]
	}
	comment := fmt.Sprintf("audit %d", kept[0].AuditID)
	if err := ledger.TakeChargesBack(ctx, tx, done.Invoice, rest.Fee, rest.Interest, today, comment, actor); err != nil {
		return done, err
	}
	after, err := tx.EntriesOfInvoice(ctx, invoiceID)
	if err != nil {
		return done, err
	}
	done.Entries = after[len(before):]
	done.Fee, done.Interest = taken(done.Entries)
	if done.Invoice, err = tx.Invoice(ctx, c.ID, invoiceID); err != nil {
		return done, err
	}
	if err := tx.CreateAuditRepayments(ctx, repayments(kept[0].AuditID, done)); err != nil {
		return done, err
	}
	if done.Told, err = tell(ctx, tx, done, today); err != nil {
		return done, err
	}
	return done, tx.Log(ctx, event(kept[0].AuditID, done, actor))
}

// taken returns what entries take off fees and off interest.
func taken(entries []models.Entry) (fee, interest models.Amount) {
	for _, e := range entries {
		switch e.Type { //nolint:exhaustive // the others are no charges
		case models.EntryOverdueCharge:
			fee -= e.Amount
		case models.EntryInterest:
			interest -= e.Amount
		}
	}
	return fee, interest
}

func repayments(auditID int64, d Done) []models.AuditRepayment {
	all := make([]models.AuditRepayment, len(d.Wrongs))
	for i, w := range d.Wrongs {
		all[i] = models.AuditRepayment{
			AuditID: auditID, CreditorID: d.Invoice.CreditorID, CustomerID: d.Invoice.CustomerID, InvoiceID: d.Invoice.ID, NoticeID: w.Finding.NoticeID,
			Code: w.Finding.Code.String(), Expected: w.Finding.Expected, Found: w.Finding.Found, Fee: w.Fee, Interest: w.Interest,
		}
	}
	return all
}

// event tells what was put right.
func event(auditID int64, d Done, actor string) models.Event {
	var codes []string
	for _, w := range d.Wrongs {
		codes = append(codes, w.Finding.Code.String())
	}
	text := fmt.Sprintf("Fees of %s and interest of %s given back on invoice %d", d.Fee, d.Interest, d.Invoice.Number)
	facts := models.Facts{
		"invoice_number": d.Invoice.Number, "overdue_charge": d.Fee, "interest": d.Interest, "findings": strings.Join(codes, " "), "balance": d.Invoice.Balance,
	}
	if len(d.Warnings) > 0 {
		facts["sequence_number"] = d.Warnings[len(d.Warnings)-1].Sequence
		text += ", its debt-collection warning withdrawn"
	}
	if d.HandOver {
		facts["was"] = "handed_over"
		text += ", taken back from the debt collector"
	}
	if d.Told != "" {
		facts["method"] = d.Told
		text += ", with a letter " + d.Told.InWords()
	}
	return models.Event{
		CreditorID: d.Invoice.CreditorID, Type: models.EventAuditRepaid, Actor: actor, InvoiceID: d.Invoice.ID, CustomerID: d.Invoice.CustomerID, SubjectID: auditID,
		Text: text + ", by " + actor, Facts: facts,
	}
}
