package ledger_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/servers"
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
	handOver int64
	sent     int64 // a statement that was sent
	plan     int64 // a payment plan of the invoice, which was broken
	refund   int64 // the credit note's entry that settles it
	kid      string
	noteKID  string

	// the shipments of each kind of document
	shipment, noteShipment, noticeShipment, statementShipment int64

	othersInvoice, othersShipment int64 // another creditor's
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
			"UPDATE invoices SET repayment_owed = 7 WHERE id = {invoice}",
			"invoice with id {invoice} keeps a repayment owed of 0.07, its entries give 0.00: the next entry on it sets that right", "a repayment",
		},
		{
			"UPDATE payment_plans SET state = 'running' WHERE id = {plan}",
			"payment plan with id {plan} runs, and its invoice with id {invoice} does not name it", "a plan that runs beside (L15)",
		},
		{
			"UPDATE invoices SET plan_id = {plan} WHERE id = {invoice}",
			"payment plan with id {plan}, which the invoice with id {invoice} names, does not run for it", "a plan that is over, and is named",
		},
		{
			"UPDATE payment_plans SET state = 'running', invoice_id = {credited} WHERE id = {plan}",
			"payment plan with id {plan} runs, and its invoice with id {credited} does not name it", "another invoice's plan",
		},
		{
			"UPDATE invoices SET lapses_on = '2030-01-01' WHERE id = {invoice}",
			`invoice with id {invoice} keeps that it lapses on "2030-01-01", what has acknowledged it gives 2029-03-16: the next entry on it sets that right`, "a day of lapsing (L26)",
		},
		{
			"UPDATE invoices SET lapses_on = NULL WHERE id = {invoice}",
			`invoice with id {invoice} keeps that it lapses on "", what has acknowledged it gives 2029-03-16: the next entry on it sets that right`, "a day of lapsing that is missing",
		},
		{
			"UPDATE invoices SET acknowledged = '2026-04-01' WHERE id = {invoice}",
			`invoice with id {invoice} keeps that it lapses on "2029-03-16", what has acknowledged it gives 2029-04-01: the next entry on it sets that right`, "a day of acknowledgement",
		},
		{
			"UPDATE invoices SET written_off = 7 WHERE id = {invoice}",
			"invoice with id {invoice} keeps 0.07 as written off by a run, and it may be 0.00: open it again, and close it by hand if it is to stay closed",
			"what is written off of an open invoice (L25)",
		},
		{
			"UPDATE invoices SET written_off = gross + 1, closed = 'other' WHERE id = {invoice}",
			"invoice with id {invoice} keeps 1000.01 as written off by a run, and it may be 0.00: open it again, and close it by hand if it is to stay closed",
			"more written off than it is of (L25)",
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
			`INSERT INTO claim_files (id, creditor_id, sender_id, number, day, claims, cancellations, amount, sha256, deliver_by, state, uncertain, attempts, next_attempt, taken_by, answer, failure, created_at)
				VALUES (3, {creditor}, '10101010', 1, '2026-03-02', 1, 0, 700, '', '2026-03-09', 'delivered', 0, 1, '2026-03-02 12:00:00', '', '', '', '2026-03-02 12:00:00')`,
			"file of AvtaleGiro with id 3 is of 7.00, its claims and cancellations of 0.00", "a file whose claims are lost (G3)",
		},
		{
			"INSERT INTO list_days (creditor_id, list, day, type, items, amount, first_id, last_id) VALUES ({creditor}, 'entries', '2026-03-02', 'OCR', 2, 150, 0, 0)",
			"what is kept of the OCR entries of 2026-03-02 differs from them by 2 in number and by 1.50 in amount", "what a night has kept of the entries (L16)",
		},
		{
			"INSERT INTO booked_days (creditor_id, day, movement, rate, first_id, last_id, items, amount, vat) VALUES ({creditor}, '2026-03-02', 'fee', -1, 0, 0, 2, 150, 0)",
			"what is kept of all that was booked differs from the entries and those that were deleted by 2 in number and by 1.50 in amount", "what the nights have kept of the bookings (N5)",
		},
		{
			"INSERT INTO invoice_texts (creditor_id, first_id, last_id, items, texts) VALUES ({creditor}, {invoice}, {invoice}, 1, 'kari')",
			"what searches read of the invoices from id {invoice} on is not what they say", "what a night has kept of the invoices' texts",
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
			"UPDATE credit_notes SET partial = TRUE WHERE id = {note}",
			"credit note with id {note} is of 1000.00, its lines add up to 0.00", "a partial credit note's lines (L27)",
		},
		{
			"UPDATE credit_notes SET gross = gross + 1 WHERE id = {note}",
			"credit note with id {note} is of 1000.01, its first CREDIT_NOTE entry of 1000.00; " +
				"invoice with id {credited} is of 1000.00, its credit notes credit 1000.01", "more credited than there is (L27)",
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
			"UPDATE credit_notes SET invoice_id = 4711 WHERE id = {note}",
			"credit note with id {note} is of 1000.00, its first CREDIT_NOTE entry of 0.00; " +
				"the row of credit_notes with id {note} names id 4711 of invoices, which is not there; " +
				"payments with KID {noteKID} do not find its document", "a credit note's invoice, which its entries and its KID name rightly",
		},
		{
			"UPDATE overdue_notices SET invoice_id = 4711 WHERE id = {notice}",
			"the row of overdue_notices with id {notice} names id 4711 of invoices, which is not there", "a notice's invoice",
		},
		{
			"UPDATE hand_overs SET invoice_id = 4711 WHERE id = {handOver}",
			"the row of hand_overs with id {handOver} names id 4711 of invoices, which is not there", "a hand-over's invoice",
		},
		{
			"UPDATE statements SET customer_id = 4711 WHERE id = {sent}",
			"the row of statements with id {sent} names id 4711 of customers, which is not there", "a statement's customer",
		},
		{
			"UPDATE entries SET invoice_id = 4711 WHERE id = {refund}",
			"credit note with id {note} keeps the balance 0.00, its entries add up to -1000.00; " +
				"the row of entries with id {refund} names id 4711 of invoices, which is not there", "an entry's invoice",
		},
		{
			"UPDATE entries SET credit_note_id = 4711 WHERE id = {refund}",
			"credit note with id {note} keeps the balance 0.00, its entries add up to -1000.00; " +
				"the row of entries with id {refund} names id 4711 of credit_notes, which is not there", "an entry's credit note",
		},
		{
			"UPDATE entries SET notice_id = 4711 WHERE id = {refund}",
			"the row of entries with id {refund} names id 4711 of overdue_notices, which is not there", "an entry's notice",
		},
		{
			"UPDATE shipments SET document_id = 4711 WHERE id = {shipment}",
			"the row of shipments with id {shipment} names id 4711 of invoices, which is not there", "the invoice of a shipment",
		},
		{
			"UPDATE shipments SET document_id = 4711 WHERE id = {noteShipment}",
			"the row of shipments with id {noteShipment} names id 4711 of credit_notes, which is not there", "the credit note of a shipment",
		},
		{
			"UPDATE shipments SET document_id = 4711 WHERE id = {noticeShipment}",
			"the row of shipments with id {noticeShipment} names id 4711 of overdue_notices, which is not there", "the notice of a shipment",
		},
		{
			"UPDATE shipments SET document_id = 4711 WHERE id = {statementShipment}",
			"the row of shipments with id {statementShipment} names id 4711 of statements, which is not there", "the statement of a shipment",
		},
		{
			"UPDATE shipments SET creditor_id = {creditor} WHERE id = {othersShipment}",
			"the row of shipments with id {othersShipment} names id {othersInvoice} of invoices, which is not there", "another creditor's document",
		},
		{
			"DELETE FROM payment_references WHERE creditor_id = {creditor} AND invoice_id = {invoice}",
			"payments with KID {kid} do not find its document", "a KID (D20)",
		},
		{
			"DELETE FROM payment_references WHERE creditor_id = {creditor} AND credit_note_id = {note}",
			"payments with KID {noteKID} do not find its document", "a credit note's KID",
		},
		{
			"UPDATE payment_references SET invoice_id = {credited} WHERE creditor_id = {creditor} AND invoice_id = {invoice}",
			"payments with KID {kid} do not find its document", "another document's KID",
		},
		{
			"DELETE FROM new_events WHERE creditor_id = {creditor} AND type = 'invoice.created' AND invoice_id = {invoice}",
			"the log has 1 events invoice.created, there are 2 such documents", "an invoice's event (E7)",
		},
		{
			"DELETE FROM new_events WHERE creditor_id = {creditor} AND type = 'credit_note.created'",
			"the log has 0 events credit_note.created, there are 1 such documents", "a credit note's event",
		},
		{
			"DELETE FROM new_events WHERE creditor_id = {creditor} AND type = 'overdue_notice.created'",
			"the log has 0 events overdue_notice.created, there are 1 such documents", "a notice's event",
		},
		{
			"UPDATE new_events SET type = 'invoice.created' WHERE creditor_id = {creditor} AND type = 'credit_note.created'",
			"the log has 3 events invoice.created, there are 2 such documents; the log has 0 events credit_note.created, there are 1 such documents",
			"an event that tells of something else",
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
		"{handOver}", fmt.Sprint(d.handOver), "{sent}", fmt.Sprint(d.sent), "{refund}", fmt.Sprint(d.refund), "{kid}", d.kid, "{noteKID}", d.noteKID,
		"{shipment}", fmt.Sprint(d.shipment), "{noteShipment}", fmt.Sprint(d.noteShipment), "{noticeShipment}", fmt.Sprint(d.noticeShipment),
		"{plan}", fmt.Sprint(d.plan), "{statementShipment}", fmt.Sprint(d.statementShipment), "{othersShipment}", fmt.Sprint(d.othersShipment), "{othersInvoice}", fmt.Sprint(d.othersInvoice),
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
	handOver := models.HandOver{CreditorID: c.ID, InvoiceID: invoice.ID, HandedOver: rows.Today}
	sent := models.SentStatement{CreditorID: c.ID, CustomerID: invoice.CustomerID, ToDate: rows.Today}
	plan := models.PaymentPlan{
		CreditorID: c.ID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Since: rows.Today, Sum: invoice.Gross, State: models.PlanBroken, EndedOn: rows.Today,
		Instalments: models.Instalments{{DueDate: rows.Today, Amount: invoice.Gross}},
	}
	added := make([]models.Shipment, 3) // of the credit note, the notice and the statement
	rows.Write(t, db, func(tx *store.Tx) error {
		must(t, tx.Log(ctx, models.Event{CreditorID: c.ID, Type: models.EventNoticeCreated, Facts: models.Facts{
			"invoice_number": 1, "sequence_number": 1, "is_incasso_notice": false, "overdue_charge": 35_00, "interest": 0, "gross_amount": 1035_00, "due_date": rows.Today,
		}}))
		must(t, tx.CreateNotices(ctx, notices, [][]models.NoticeLine{{{Position: 1, Gross: 1000_00}, {Position: 2, Gross: 35_00}}}))
		must(t, tx.CreateHandOver(ctx, &handOver))
		must(t, tx.CreateStatement(ctx, &sent))
		must(t, tx.CreatePlan(ctx, &plan))
		for i, doc := range []models.Document{note.Document(), notices[0].Document(), sent.Document()} {
			added[i] = models.Shipment{CreditorID: c.ID, DocumentKind: doc.Kind, DocumentID: doc.ID}
		}
		must(t, tx.CreateShipments(ctx, added))
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
	shipmentOf := func(doc models.Document) int64 {
		t.Helper()
		all, err := db.ShipmentsOf(ctx, doc)
		must(t, err)
		return all[0].ID
	}
	entries, err := db.EntriesOfCreditNote(ctx, note)
	must(t, err)
	other := rows.Invoice(t, db, rows.Creditor(t, db))
	return damaged{
		creditor: c, invoice: invoice.ID, credited: credited.ID, note: note.ID, notice: notices[0].ID, file: file.ID, queued: queued[0].ID,
		handOver: handOver.ID, sent: sent.ID, plan: plan.ID, refund: entries[len(entries)-1].ID, kid: invoice.KID, noteKID: note.KID,
		shipment: shipmentOf(invoice.Document()), noteShipment: added[0].ID, noticeShipment: added[1].ID, statementShipment: added[2].ID,
		othersInvoice: other.ID, othersShipment: shipmentOf(other.Document()),
	}
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
			exec(t, raw, "DROP INDEX invoices_lapse")
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
