package ledger_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

var (
	day  = rows.Day
	must = testkit.Must
)

// account is an invoice with its entries.
type account struct {
	t        testing.TB
	db       *store.DB
	creditor models.Creditor
	id       int64 // the invoice's
	note     int64 // its credit note's, zero while there is none
}

// open issues an invoice of 1000.00 kroner.
func open(t testing.TB, db *store.DB, c models.Creditor) *account {
	t.Helper()
	return &account{t: t, db: db, creditor: c, id: rows.Invoice(t, db, c).ID}
}

// register registers a payment, a repayment or a reversal on the invoice.
func (a *account) register(p ledger.Payment) (e models.Entry, err error) {
	err = a.db.InTx(a.t.Context(), func(_ context.Context, tx *store.Tx) error {
		e, err = ledger.RegisterOnInvoice(a.t.Context(), tx, a.creditor.ID, a.id, p, rows.Today)
		return err
	})
	return e, err
}

// registerOnNote registers a payout on the credit note.
func (a *account) registerOnNote(p ledger.Payment) (e models.Entry, err error) {
	err = a.db.InTx(a.t.Context(), func(_ context.Context, tx *store.Tx) error {
		e, err = ledger.RegisterOnCreditNote(a.t.Context(), tx, a.creditor.ID, a.note, p, rows.Today)
		return err
	})
	return e, err
}

// remove deletes a payment.
func (a *account) remove(entryID int64) error {
	return a.db.InTx(a.t.Context(), func(_ context.Context, tx *store.Tx) error {
		return ledger.DeletePayment(a.t.Context(), tx, a.creditor.ID, entryID, rows.Today, "key 7")
	})
}

// charge posts a fee or interest, as dunning does.
func (a *account) charge(kind models.EntryType, amount models.Amount) {
	a.t.Helper()
	rows.Write(a.t, a.db, func(tx *store.Tx) error {
		invoice, err := tx.LockInvoice(a.t.Context(), a.creditor.ID, a.id)
		must(a.t, err)
		return ledger.Post(a.t.Context(), tx, []models.Entry{{
			CreditorID: invoice.CreditorID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID,
			Type: kind, Amount: amount, TransactionDate: rows.Today,
		}}, "")
	})
}

// writeOff closes the invoice for what is left of its principal, as a run does.
func (a *account) writeOff() {
	a.t.Helper()
	rows.Write(a.t, a.db, func(tx *store.Tx) error {
		invoice, err := tx.LockInvoice(a.t.Context(), a.creditor.ID, a.id)
		must(a.t, err)
		invoice, _, err = ledger.WriteOff(a.t.Context(), tx, invoice, rows.Today)
		must(a.t, err)
		return tx.UpdateInvoice(a.t.Context(), invoice)
	})
}

// claimAgain opens the invoice again, as a person does.
func (a *account) claimAgain() {
	a.t.Helper()
	rows.Write(a.t, a.db, func(tx *store.Tx) error {
		invoice, err := tx.LockInvoice(a.t.Context(), a.creditor.ID, a.id)
		must(a.t, err)
		invoice, err = ledger.ClaimAgain(a.t.Context(), tx, invoice, rows.Today, "key 7")
		must(a.t, err)
		invoice.Closed = models.NotClosed
		return tx.UpdateInvoice(a.t.Context(), invoice)
	})
}

// credit issues the credit note.
func (a *account) credit() {
	a.t.Helper()
	a.note = rows.CreditNote(a.t, a.db, a.creditor, models.Invoice{ID: a.id}).ID
}

// do makes the acts of a test's table: "pay 400", "repay 200", "fee 35", "interest 10", "reverse 35" (a fee),
// "credit", "pay out 300", "undo" (deletes the first remaining payment), joined by commas.
func (a *account) do(story string) {
	a.t.Helper()
	for event := range strings.SplitSeq(story, ", ") {
		what, amount := event, models.Amount(0)
		if i := strings.LastIndexByte(event, ' '); i > 0 {
			var err error
			what = event[:i]
			amount, err = models.ParseAmount(event[i+1:])
			must(a.t, err)
		}
		must(a.t, a.play(what, amount))
	}
}

func (a *account) play(what string, amount models.Amount) (err error) {
	switch what {
	case "":
	case "pay":
		_, err = a.register(ledger.Payment{Amount: -amount, Date: rows.Today})
	case "repay":
		_, err = a.register(ledger.Payment{Amount: amount, Date: rows.Today})
	case "reverse":
		_, err = a.register(ledger.Payment{Amount: -amount, Date: rows.Today, Type: models.EntryOverdueCharge})
	case "fee":
		a.charge(models.EntryOverdueCharge, amount)
	case "interest":
		a.charge(models.EntryInterest, amount)
	case "credit":
		a.credit()
	case "pay out":
		_, err = a.registerOnNote(ledger.Payment{Amount: amount, Date: rows.Today})
	case "undo":
		payments, _, listErr := a.db.Entries(a.t.Context(), a.creditor.ID, store.EntryFilter{Type: models.EntryPayment}, store.Page{Number: 1, Size: 1})
		must(a.t, listErr)
		err = a.remove(payments[0].ID)
	default:
		err = fmt.Errorf("the test knows no %q", what)
	}
	return err
}

// books returns the entries of invoice and credit note, in short, and their balances.
func (a *account) books() string {
	a.t.Helper()
	invoice, err := a.db.Invoice(a.t.Context(), a.creditor.ID, a.id)
	must(a.t, err)
	onInvoice, err := a.db.EntriesOfInvoice(a.t.Context(), a.id)
	must(a.t, err)
	text := fmt.Sprintf("invoice%s = %s", short(onInvoice), kroner(invoice.Balance))
	if a.note == 0 {
		return text
	}
	note, err := a.db.CreditNote(a.t.Context(), a.creditor.ID, a.note)
	must(a.t, err)
	onNote, err := a.db.EntriesOfCreditNote(a.t.Context(), note)
	must(a.t, err)
	return text + fmt.Sprintf(", note%s = %s", short(onNote), kroner(note.Balance))
}

func short(entries []models.Entry) string {
	names := map[models.EntryType]string{
		models.EntryInvoice: "invoiced", models.EntryCreditNote: "credited", models.EntryOverdueCharge: "fee", models.EntryInterest: "interest",
		models.EntryPayment: "paid", models.EntryOCR: "OCR",
	}
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, " %s %s", names[e.Type], kroner(e.Amount))
	}
	return b.String()
}

func kroner(a models.Amount) string { return strings.TrimSuffix(a.String(), ".00") }
