package billing_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"purr/billing"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestIssueCreditWritesAllThatHangsOnACreditNoteD21(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db)
		customer := rows.Customer(t, db, c)
		invoice := rows.Invoice(t, db, c, rows.To(customer), func(o *billing.InvoiceRequest) { o.Lines = []models.Line{line("Melk", "100", "1", models.VATHigh)} })
		moved := customer
		moved.Recipient.Address1 = "Ny gate 5"
		rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateCustomer(ctx, &moved) })

		later := rows.On(db, rows.Today+3)
		note, err := tryCredit(t, later, c, invoice.ID, billing.CreditNoteRequest{Method: models.ByEmail, Comment: "Feil vare"})
		must(t, err)
		kept, err := db.CreditNote(ctx, c.ID, note.ID)
		must(t, err)
		want := models.CreditNote{
			ID: note.ID, CreditorID: c.ID, CustomerID: customer.ID, InvoiceID: invoice.ID, Number: 2, IssueDate: rows.Today + 3,
			Gross: 125_00, Net: 100_00, Comment: "Feil vare", KID: "0000000026", BankAccount: c.BankAccount, Recipient: moved.Recipient,
			SellerID: kept.SellerID, Language: "nb", Search: "kari nordmann\n", Balance: 0, CreatedAt: rows.Start.AddDate(0, 0, 3),
		}
		if kept != want || note != want {
			t.Errorf("kept is\n%+v, returned\n%+v, want\n%+v", kept, note, want)
		}

		entries, err := db.EntriesOfCreditNote(ctx, note)
		must(t, err)
		if len(entries) != 2 || entries[0].Amount != -125_00 || entries[1].Amount != 125_00 || entries[0].TransactionDate != rows.Today+3 {
			t.Errorf("the credit note's entries are %+v", entries)
		}
		if i, err := db.Invoice(ctx, c.ID, invoice.ID); err != nil || i.Balance != 0 || i.Recipient != customer.Recipient {
			t.Errorf("the invoice is %+v, %v", i, err)
		}
		refs, err := db.ReferencesOf(ctx, c.ID, []string{note.KID})
		if err != nil || refs[note.KID].CreditNoteID != note.ID || refs[note.KID].InvoiceID != invoice.ID {
			t.Errorf("the KID leads to %+v, %v", refs, err)
		}
		shipments, err := db.ShipmentsOf(ctx, note.Document())
		if err != nil || len(shipments) != 1 || shipments[0].Method != models.ByEmail || shipments[0].Recipient != moved.Recipient {
			t.Errorf("the shipments are %+v, %v", shipments, err)
		}
		events, err := db.Events(ctx, c.ID, 0, 10)
		must(t, err)
		if last := events[len(events)-1]; last.Type != models.EventCreditNoteCreated || last.SubjectID != note.ID || last.InvoiceID != invoice.ID {
			t.Errorf("the last event is %+v", last)
		}
	})
}

func TestIssueCreditRefuses(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c, stranger := rows.Creditor(t, db), rows.Creditor(t, db)
		invoice := rows.Invoice(t, db, c, rows.To(rows.Customer(t, db, c, func(c *models.Customer) { c.Recipient.Email = "" })))
		tests := []struct {
			creditor models.Creditor
			invoice  int64
			credit   billing.CreditNoteRequest
			want     string
			kind     models.Kind
			why      string
		}{
			{
				c, invoice.ID,
				billing.CreditNoteRequest{Method: models.ByEmail},
				"shipments/shipment[1]/shipment_method email_required", models.KindInvalid, "by e-mail to a customer without an address",
			},
			{
				c, invoice.ID,
				billing.CreditNoteRequest{Comment: "\x00"},
				"shipments/shipment[1]/shipment_method invalid_shipment_method; comment control_character", models.KindInvalid, "what is wrong in itself",
			},
			{stranger, invoice.ID, billing.CreditNoteRequest{Method: models.ByPaper}, "not_found", models.KindNotFound, "of another creditor's invoice (D2)"},
			{c, 1 << 40, billing.CreditNoteRequest{Method: models.ByPaper}, "not_found", models.KindNotFound, "of no invoice"},
		}
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				_, err := tryCredit(t, db, tt.creditor, tt.invoice, tt.credit)
				if got := rows.Faults(err); got != tt.want || models.KindOf(err) != tt.kind {
					t.Errorf("refused as %q of kind %d, want %q", got, models.KindOf(err), tt.want)
				}
			})
		}
		if s, err := db.Series(t.Context(), c.ID); err != nil || s.Next != 2 {
			t.Errorf("the next number is %d, %v", s.Next, err)
		}
		rows.CreditNote(t, db, c, invoice)
		_, err := tryCredit(t, db, c, invoice.ID, billing.CreditNoteRequest{Method: models.ByPaper})
		if rows.Faults(err) != "already_credited" || models.KindOf(err) != models.KindConflict {
			t.Errorf("the second time: %v", err)
		}
	})
}

func TestAnInvoiceIsCreditedOnceD21(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		invoice := rows.Invoice(t, db, c)
		var credited atomic.Int32
		var clients sync.WaitGroup
		for range 8 {
			clients.Go(func() {
				switch _, err := tryCredit(t, db, c, invoice.ID, billing.CreditNoteRequest{Method: models.ByPaper}); rows.Faults(err) {
				case "":
					credited.Add(1)
				case "already_credited":
				default:
					t.Error(err)
				}
			})
		}
		clients.Wait()
		notes, total, err := db.CreditNotes(t.Context(), c.ID, store.CreditNoteFilter{}, store.Page{Number: 1, Size: 10})
		if err != nil || credited.Load() != 1 || total != 1 || notes[0].Number != 2 || notes[0].Balance != 0 {
			t.Errorf("credited %d times: %+v, %v", credited.Load(), notes, err)
		}
		differences, err := ledger.Verify(t.Context(), db, c)
		if err != nil || len(differences) > 0 {
			t.Errorf("the books are not right: %v, %v", differences, err)
		}
	})
}
