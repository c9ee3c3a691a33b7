package ledger_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"purr/internal/testkit"
	"purr/internal/testkit/rows"
	"purr/internal/testkit/servers"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// wantNoDifference checks that a creditor's books are right.
func wantNoDifference(t testing.TB, db *store.DB, c models.Creditor) {
	t.Helper()
	found, err := ledger.Verify(t.Context(), db, c)
	must(t, err)
	for _, d := range found {
		t.Errorf("the books are not right: %s", d)
	}
}

// damaged is a creditor with one of everything that is verified.
type damaged struct {
	creditor models.Creditor
	invoice  int64 // with a notice, and a payment out of the file
	credited int64
	note     int64
	notice   int64
	file     int64
	queued   int64 // an open payment out of the file
	shipment int64 // the invoice's
	refund   int64 // the credit note's entry that settles it
	kid      string
}

// TestVerifyFindsEachKindOfDamage damages right books directly in the database, each time those of another
// creditor. Verify must find exactly that damage. Names in braces stand for IDs.
func TestVerifyFindsEachKindOfDamage(t *testing.T) {
	t.Parallel()
	tests := []struct{ damage, want, why string }{
		{"", "", "none"},
		{
			"UPDATE invoices SET balance = balance + 1 WHERE id = {invoice}",
			"invoice with id {invoice} keeps the balance 900.01, its entries add up to 900.00", "an invoice's balance",
		},
		{
			"UPDATE entries SET amount = 999 WHERE invoice_id = {credited} AND credit_note_id = 0 AND type = 'INVOICE'",
			"invoice with id {credited} keeps the balance 0.00, its entries add up to -990.01; " +
				"invoice with id {credited} is of 1000.00, its INVOICE entry of 9.99", "an entry's amount",
		},
		{
			"DELETE FROM entries WHERE invoice_id = {credited} AND credit_note_id = 0",
			"invoice with id {credited} is of 1000.00, its INVOICE entry of 0.00", "entries that cancelled each other",
		},
		{
			"INSERT INTO list_days (creditor_id, list, day, type, items, amount, first_id, last_id) VALUES ({creditor}, 'entries', '2026-03-02', 'OCR', 2, 150, 0, 0)",
			"what is kept of the OCR entries of 2026-03-02 differs from them by 2 in number and by 1.50 in amount", "what a night has kept of the entries (L16)",
		},
		{
			"UPDATE credit_notes SET balance = -1 WHERE id = {note}",
			"credit note with id {note} keeps the balance -0.01, its entries add up to 0.00", "a credit note's balance",
		},
		{
			"DELETE FROM entries WHERE credit_note_id = {note} AND amount < 0",
			"credit note with id {note} keeps the balance 0.00, its entries add up to 1000.00; " +
				"credit note with id {note} is of 1000.00, its first CREDIT_NOTE entry of 0.00", "a credit note's entry",
		},
		{
			"UPDATE overdue_notices SET gross = 0 WHERE id = {notice}",
			"overdue notice with id {notice} is of 0.00, its lines add up to 1035.00", "a notice's amount",
		},
		{
			"DELETE FROM overdue_notice_lines WHERE notice_id = {notice} AND position = 2",
			"overdue notice with id {notice} is of 1035.00, its lines add up to 1000.00", "a notice's line",
		},
		{
			"UPDATE invoices SET number = 9 WHERE id = {invoice}",
			"the number series from 2 to 9, to start at 1, holds 3 documents", "a number, which leaves gaps (D18)",
		},
		{
			"UPDATE credit_notes SET number = 4 WHERE id = {note}",
			"the number series from 1 to 4, to start at 1, holds 3 documents", "a credit note's number",
		},
		{
			"UPDATE number_series SET next_number = 7 WHERE creditor_id = {creditor}",
			"the number series ends at 3 and goes on at 7", "where the series goes on",
		},
		{
			"UPDATE number_series SET next_number = 3 WHERE creditor_id = {creditor}",
			"the number series ends at 3 and goes on at 3", "where it would give a number twice",
		},
		{
			"UPDATE creditors SET first_number = 2 WHERE id = {creditor}",
			"the number series from 1 to 3, to start at 2, holds 3 documents", "where the series starts",
		},
		{
			"UPDATE payment_file_parts SET ignored = 1 WHERE payment_file_id = {file}",
			"payment file with id {file}: 2 transactions, but 3 of them are accounted for", "a file's count (E4)",
		},
		{
			"UPDATE payment_file_parts SET amount = 1 WHERE payment_file_id = {file}",
			"payment file with id {file}: 0.01 in all, but 150.00 of it is accounted for", "a file's amount",
		},
		{
			"DELETE FROM unmatched_payments WHERE payment_file_id = {file}",
			"payment file with id {file}: unmatched are 1 of 50.00, the queue has 0 of 0.00", "a payment in the queue",
		},
		{
			"UPDATE unmatched_payments SET amount = 4000 WHERE payment_file_id = {file}",
			"payment file with id {file}: unmatched are 1 of 50.00, the queue has 1 of 40.00", "its amount",
		},
		{
			"DELETE FROM entries WHERE payment_file_id = {file}",
			"invoice with id {invoice} keeps the balance 900.00, its entries add up to 1000.00; " +
				"payment file with id {file}: matched are 1 of 100.00, the ledger has 0 of 0.00", "a payment in the ledger, in both places",
		},
		{
			"UPDATE unmatched_payments SET status = 'matched' WHERE payment_file_id = {file}",
			"unmatched payment with id {queued} is matched with 50.00, its entries are of 0.00; " +
				"payment file with id {file}: persons have matched 50.00, the ledger has 0.00", "a payment matched by hand (E5)",
		},
		{
			"UPDATE unmatched_payments SET status = 'matched', entry_id = 4711, further_entries = '[4712]' WHERE payment_file_id = {file}",
			"unmatched payment with id {queued} is matched with 50.00, its entries are of 0.00; " +
				"payment file with id {file}: persons have matched 50.00, the ledger has 0.00", "a payment matched with several invoices",
		},
		{
			"UPDATE invoice_lines SET gross = gross - 1 WHERE invoice_id = {invoice}",
			"invoice with id {invoice} is of 1000.00, its lines add up to 999.99", "an invoice's line (D13)",
		},
		{
			"DELETE FROM invoice_lines WHERE invoice_id = {invoice}",
			"invoice with id {invoice} is of 1000.00, its lines add up to 0.00", "a line that is gone",
		},
		{
			"UPDATE invoices SET customer_id = 4711 WHERE id = {invoice}",
			"the row of invoices with id {invoice} names id 4711 of customers, which is not there", "an invoice's customer",
		},
		{
			"UPDATE entries SET credit_note_id = 4711 WHERE id = {refund}",
			"credit note with id {note} keeps the balance 0.00, its entries add up to -1000.00; " +
				"the row of entries with id {refund} names id 4711 of credit_notes, which is not there", "an entry's credit note",
		},
		{
			"UPDATE shipments SET document_id = 4711 WHERE document_kind = 'invoice' AND document_id = {invoice}",
			"the row of shipments with id {shipment} names id 4711 of invoices, which is not there", "a shipment's document",
		},
		{
			"DELETE FROM payment_references WHERE creditor_id = {creditor} AND invoice_id = {invoice}",
			"payments with KID {kid} do not find its document", "a KID (D20)",
		},
		{
			"UPDATE payment_references SET invoice_id = {credited} WHERE creditor_id = {creditor} AND invoice_id = {invoice}",
			"payments with KID {kid} do not find its document", "another document's KID",
		},
		{
			"DELETE FROM new_events WHERE creditor_id = {creditor} AND type = 'credit_note.created'",
			"1 were made of what credit_note.created tells of, the log tells of 0", "an event (E7)",
		},
		{
			"UPDATE payment_files SET state = 'importing' WHERE id = {file}",
			"", "a file that is not at its end is no matter yet",
		},
	}
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := rows.Open(t, databaseURL)
		raw := behind(t, databaseURL)
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				d := undamaged(t, db)
				exec(t, raw, d.name(tt.damage))
				found, err := ledger.Verify(t.Context(), db, d.creditor)
				must(t, err)
				var got []string
				for _, difference := range found {
					got = append(got, string(difference))
				}
				if strings.Join(got, "; ") != d.name(tt.want) {
					t.Errorf("found\n%s, want\n%s", strings.Join(got, "; "), d.name(tt.want))
				}
			})
		}
	})
}

// name puts IDs into a text.
func (d damaged) name(text string) string {
	return strings.NewReplacer(
		"{creditor}", fmt.Sprint(d.creditor.ID), "{invoice}", fmt.Sprint(d.invoice), "{credited}", fmt.Sprint(d.credited),
		"{note}", fmt.Sprint(d.note), "{notice}", fmt.Sprint(d.notice), "{file}", fmt.Sprint(d.file), "{queued}", fmt.Sprint(d.queued),
		"{shipment}", fmt.Sprint(d.shipment), "{refund}", fmt.Sprint(d.refund), "{kid}", d.kid,
	).Replace(text)
}

// undamaged gives a new creditor right books.
func undamaged(t *testing.T, db *store.DB) damaged {
	t.Helper()
	ctx := t.Context()
	c := rows.Creditor(t, db)
	invoice := rows.Invoice(t, db, c)
	credited := rows.Invoice(t, db, c)
	note := rows.CreditNote(t, db, c, credited)
	notices := []models.Notice{{CreditorID: c.ID, InvoiceID: invoice.ID, Sequence: 1, IssueDate: rows.Today, DueDate: rows.Today, Gross: 1035_00}}
	file, queued := models.PaymentFile{}, make([]models.UnmatchedPayment, 1)
	rows.Write(t, db, func(tx *store.Tx) error {
		must(t, tx.Log(ctx, models.Event{CreditorID: c.ID, Type: models.EventNoticeCreated, Facts: models.Facts{
			"invoice_number": 1, "sequence_number": 1, "is_incasso_notice": false, "overdue_charge": 35_00, "interest": 0, "gross_amount": 1035_00, "due_date": rows.Today,
		}}))
		must(t, tx.CreateNotices(ctx, notices, [][]models.NoticeLine{{{Position: 1, Gross: 1000_00}, {Position: 2, Gross: 35_00}}}))
		must(t, tx.CreatePaymentFile(ctx, &file))
		file.State = models.FileImported
		must(t, tx.UpdatePaymentFile(ctx, file))
		must(t, tx.SaveFilePart(ctx, &models.PaymentFilePart{
			PaymentFileID: file.ID, CreditorID: c.ID, Transactions: 2, Amount: 150_00, Matched: 1, MatchedAmount: 100_00, Unmatched: 1, UnmatchedAmount: 50_00,
		}))
		queued[0] = models.UnmatchedPayment{
			CreditorID: c.ID, PaymentFileID: file.ID, LineKey: make([]byte, 32), Amount: 50_00, TransactionDate: rows.Today, Status: models.PaymentOpen,
		}
		must(t, tx.CreateUnmatchedPayments(ctx, queued))
		_, err := tx.LockInvoice(ctx, c.ID, invoice.ID)
		must(t, err)
		return ledger.Post(ctx, tx, []models.Entry{{
			CreditorID: c.ID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Type: models.EntryOCR, Amount: -100_00,
			TransactionDate: rows.Today, PaymentFileID: file.ID, LineKey: slices.Repeat([]byte{1}, 32),
		}}, "")
	})
	sent, err := db.ShipmentsOf(ctx, invoice.Document())
	must(t, err)
	entries, err := db.EntriesOfCreditNote(ctx, note)
	must(t, err)
	last := entries[len(entries)-1]
	return damaged{c, invoice.ID, credited.ID, note.ID, notices[0].ID, file.ID, queued[0].ID, sent[0].ID, last.ID, invoice.KID}
}

// TestVerifyOfAnEmptySeriesD18 has a number series that has moved on without documents.
func TestVerifyOfAnEmptySeriesD18(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := rows.Open(t, databaseURL)
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.FirstNumber = 500 })
		wantNoDifference(t, db, c)
		exec(t, behind(t, databaseURL), fmt.Sprintf("UPDATE number_series SET next_number = 501 WHERE creditor_id = %d", c.ID))
		found, err := ledger.Verify(t.Context(), db, c)
		if want := "the number series is empty and goes on at 501 instead of 500"; err != nil || len(found) != 1 || string(found[0]) != want {
			t.Errorf("found %v, %v, want %s", found, err, want)
		}
	})
}

// TestVerifyFindsAWrongStageD26 makes the stage writable and writes a wrong one.
func TestVerifyFindsAWrongStageD26(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := rows.Open(t, databaseURL)
		c := rows.Creditor(t, db)
		invoice := rows.Invoice(t, db, c)
		raw := behind(t, databaseURL)
		if strings.HasPrefix(databaseURL, "mysql:") {
			exec(t, raw, "ALTER TABLE invoices MODIFY COLUMN stage VARCHAR(16) NOT NULL")
		} else {
			exec(t, raw, "DROP INDEX invoices_stage")
			exec(t, raw, "DROP INDEX invoices_list")
			exec(t, raw, "ALTER TABLE invoices DROP COLUMN stage")
			exec(t, raw, "ALTER TABLE invoices ADD COLUMN stage TEXT NOT NULL DEFAULT 'open'")
		}
		wantNoDifference(t, db, c)
		exec(t, raw, "UPDATE invoices SET stage = 'paid'")
		found, err := ledger.Verify(t.Context(), db, c)
		want := fmt.Sprintf("invoice with id %d has another stage than its fields give", invoice.ID)
		if err != nil || len(found) != 1 || string(found[0]) != want {
			t.Errorf("found %v, %v, want %s", found, err, want)
		}
	})
}

// behind opens a database directly, without the store.
func behind(t *testing.T, databaseURL string) *sql.DB {
	t.Helper()
	open := func() (*sql.DB, error) { return servers.OpenMySQL(databaseURL) }
	if path, ok := strings.CutPrefix(databaseURL, "sqlite://"); ok {
		open = func() (*sql.DB, error) { return sql.Open("sqlite", path+"?_pragma=busy_timeout(30000)") }
	}
	db, err := open()
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

func exec(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if statement == "" {
		return
	}
	_, err := db.ExecContext(t.Context(), statement)
	must(t, err)
}
