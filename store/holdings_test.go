package store_test

import (
	"context"
	"testing"
	"time"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// hold gives a new creditor one of everything: an invoice with a notice, another that is credited, and so on.
func hold(t *testing.T, db *store.DB) holdings {
	t.Helper()
	ctx := t.Context()
	h := holdings{db: db, owner: rows.Creditor(t, db)}
	h.customer = rows.Customer(t, db, h.owner, func(c *models.Customer) { c.Policy.Enabled = new(true) })
	h.invoice = rows.Invoice(t, db, h.owner, rows.To(h.customer))
	h.note = rows.CreditNote(t, db, h.owner, rows.Invoice(t, db, h.owner, rows.To(h.customer)))
	h.notice = models.Notice{CreditorID: h.owner.ID, InvoiceID: h.invoice.ID, CustomerID: h.customer.ID, Sequence: 1, IssueDate: rows.Today, DueDate: rows.Today + 14}
	h.handOver = models.HandOver{CreditorID: h.owner.ID, InvoiceID: h.invoice.ID, HandedOver: rows.Today}
	h.key = models.Key{CreditorID: h.owner.ID, Name: "key", Scope: models.ScopeRead, Hash: "hash"}
	h.file = models.PaymentFile{Filename: "file", SHA256: "sum"}
	h.webhook = models.Webhook{CreditorID: h.owner.ID, URL: "https://example.no", Enabled: true}
	h.queued = models.UnmatchedPayment{CreditorID: h.owner.ID, LineKey: lineKey(1), Amount: 1, TransactionDate: rows.Today, Status: "open"}
	rows.Write(t, db, func(tx *store.Tx) error {
		must(t, tx.CreateWebhook(ctx, &h.webhook))
		must(t, tx.Log(ctx, models.Event{CreditorID: h.owner.ID, Type: models.EventHoldSet}))
		letters := []models.Letter{{CreditorID: h.owner.ID, CustomerID: h.customer.ID, Number: 7, IssueDate: rows.Today, DueDate: rows.Today + 14}}
		must(t, tx.CreateLetters(ctx, letters))
		h.letter, h.notice.LetterID = letters[0], letters[0].ID
		notices := []models.Notice{h.notice}
		must(t, tx.CreateNotices(ctx, notices, [][]models.NoticeLine{{{Position: 1}}}))
		h.notice = notices[0]
		must(t, tx.CreateHandOver(ctx, &h.handOver))
		must(t, tx.StandStill(ctx, &models.Standstill{CreditorID: h.owner.ID, CustomerID: h.customer.ID, InvoiceID: h.invoice.ID, Kind: models.StandsOnHold}))
		must(t, tx.CreateKey(ctx, &h.key))
		must(t, tx.CreatePaymentFile(ctx, &h.file))
		h.file.State = models.FileImported
		must(t, tx.UpdatePaymentFile(ctx, h.file))
		must(t, tx.SaveFilePart(ctx, &models.PaymentFilePart{PaymentFileID: h.file.ID, CreditorID: h.owner.ID, LatestDate: rows.Today}))
		queued := []models.UnmatchedPayment{h.queued}
		must(t, tx.CreateUnmatchedPayments(ctx, queued))
		h.queued = queued[0]
		for _, state := range []models.BatchState{models.BatchGathered, models.BatchAccepted} {
			must(t, tx.CreateBatch(ctx, &models.LetterBatch{CreditorID: h.owner.ID, State: state, BusinessDate: rows.Today, NextAttempt: rows.Start}))
		}
		h.statement = models.SentStatement{CreditorID: h.owner.ID, CustomerID: h.customer.ID, ToDate: rows.Today}
		must(t, tx.CreateStatement(ctx, &h.statement))
		h.plan = models.PaymentPlan{
			CreditorID: h.owner.ID, CustomerID: h.customer.ID, InvoiceID: h.invoice.ID, Since: rows.Today, Sum: 1, State: models.PlanRunning,
			Instalments: models.Instalments{{DueDate: rows.Today, Amount: 1}},
		}
		must(t, tx.CreatePlan(ctx, &h.plan))
		_, err := tx.KeepFault(ctx, h.owner.ID, models.WorkDays, "a zone that there is not")
		must(t, err)
		must(t, tx.TakeMailTurn(ctx, h.owner.ID, rows.Start.Add(time.Hour)))
		_, err = tx.ReserveKey(ctx, &store.Answer{CreditorID: h.owner.ID, IdempotencyKey: "key"})
		must(t, err)
		_, err = tx.BeginRun(ctx, &models.Run{CreditorID: h.owner.ID, Kind: models.RunDunning, BusinessDate: rows.Today})
		return err
	})
	entries, err := db.EntriesOfInvoice(ctx, h.invoice.ID)
	must(t, err)
	h.entry = entries[0]
	must(t, db.NumberEvents(ctx))
	owed, err := db.DueDeliveries(ctx, h.webhook.ID, rows.Start, 1)
	must(t, err)
	h.delivery = owed[0]
	return h
}

// fail has the letter of the invoice failed.
func (h holdings) fail(ctx context.Context, tx *store.Tx) error {
	of, err := tx.ShipmentsOf(ctx, h.invoice.Document())
	if err != nil {
		return err
	}
	of[0].State = models.ShipmentFailed
	return tx.UpdateShipment(ctx, of[0])
}

// credit gives the customer credit on its credit note.
func (h holdings) credit(ctx context.Context, tx *store.Tx) error {
	e := models.Entry{
		CreditorID: h.owner.ID, CustomerID: h.customer.ID, InvoiceID: h.note.InvoiceID, CreditNoteID: h.note.ID,
		Type: models.EntryCreditNote, Amount: -1, TransactionDate: rows.Today,
	}
	if err := tx.CreateEntries(ctx, []models.Entry{e}); err != nil {
		return err
	}
	return tx.RefreshCreditNoteBalances(ctx, h.note.ID)
}

// deletePayment registers a payment on the invoice, and deletes it.
func (h holdings) deletePayment(ctx context.Context, tx *store.Tx) error {
	e := []models.Entry{{
		CreditorID: h.owner.ID, CustomerID: h.customer.ID, InvoiceID: h.invoice.ID, Type: models.EntryPayment, Amount: -1, TransactionDate: rows.Today,
	}}
	if err := tx.CreateEntries(ctx, e); err != nil {
		return err
	}
	return tx.DeleteEntry(ctx, e[0])
}

// lineKey returns the identity of a line in a bank's file.
func lineKey(n byte) models.LineKey {
	key := make(models.LineKey, 32)
	key[0] = n
	return key
}

// freeStage makes the stage of invoices writable. Otherwise the database computes it from other columns.
func freeStage(t *testing.T, db *store.DB) {
	t.Helper()
	statements := []string{
		"DROP INDEX invoices_stage",
		"DROP INDEX invoices_lapse",
		"DROP INDEX invoices_list",
		"ALTER TABLE invoices DROP COLUMN stage",
		"ALTER TABLE invoices ADD COLUMN stage TEXT NOT NULL DEFAULT 'open'",
	}
	if db.IsMySQL() {
		statements = []string{"ALTER TABLE invoices MODIFY COLUMN stage VARCHAR(16) NOT NULL DEFAULT 'open'"}
	}
	if server, err := db.Server(t.Context()); err == nil && server.Kind == "tidb" { // which changes no generated column
		statements = []string{
			"ALTER TABLE invoices RENAME COLUMN stage TO generated_stage",
			"ALTER TABLE invoices ADD COLUMN stage VARCHAR(16) NOT NULL DEFAULT 'open'",
		}
	}
	for _, s := range statements {
		must(t, db.Exec(t.Context(), s))
	}
}
