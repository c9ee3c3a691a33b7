package billing_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"purr/billing"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// adoption returns a request to adopt an invoice of 1000.00, of which 700.00 is owed.
func adoption(number int64, change ...func(*billing.Adoption)) billing.Adoption {
	kid := models.NewKID(strings.Repeat("7", 8)+string(rune('0'+number%10)), models.Modulus10)
	a := billing.Adoption{
		NewCustomer: &models.Customer{Recipient: models.Recipient{
			Name1: "Ola Nordmann", Address1: "Storgata 1", PostalCode: "0155", PostalName: "Oslo", CountryCode: "NO",
		}},
		Number: number, IssueDate: rows.Today - 60, DueDate: rows.Today - 46, Gross: 1000_00, Balance: 700_00, KID: kid, Actor: "a person",
	}
	for _, f := range change {
		f(&a)
	}
	return a
}

// adopt adopts invoices, and returns what became of them.
func adopt(t *testing.T, db *store.DB, c models.Creditor, requests ...billing.Adoption) (adopted []billing.Adopted) {
	t.Helper()
	rows.Write(t, db, func(tx *store.Tx) (err error) {
		adopted, err = billing.Adopt(t.Context(), tx, c.ID, requests)
		return err
	})
	return adopted
}

// adopting is a creditor whose series begins at 1000.
func adopting(t *testing.T, db *store.DB) models.Creditor {
	return rows.Creditor(t, db, func(c *models.Creditor) { c.FirstNumber = 1000 })
}

// clean fails the test if the books do not agree.
func clean(t *testing.T, db *store.DB, c models.Creditor) {
	t.Helper()
	found, err := ledger.Verify(t.Context(), db, c)
	testkit.Must(t, err)
	for _, d := range found {
		t.Error(d)
	}
}

func TestL17AnAdoptedInvoiceStandsWhereItsSystemLeftIt(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := adopting(t, db)
		noticed := adoption(7, func(a *billing.Adoption) {
			a.Balance = 700_00 + 35_00 + 5_00
			a.Notices = []billing.AdoptedNotice{
				{IssueDate: rows.Today - 40, DueDate: rows.Today - 26, Charge: 35_00},
				{IssueDate: rows.Today - 20, DueDate: rows.Today - 6, Warning: true, Interest: 5_00},
			}
		})
		got := adopt(t, db, c, noticed, adoption(8))
		for _, a := range got {
			if a.Err != nil {
				t.Fatal(a.Err)
			}
		}
		i, err := db.Invoice(t.Context(), c.ID, got[0].Invoice.ID)
		testkit.Must(t, err)
		if !i.Adopted || i.Balance != 740_00 || i.Notices != 2 || !i.Warned || i.Deadline != rows.Today-6 || i.Number != 7 {
			t.Errorf("adopted as %+v", i)
		}
		entries, err := db.EntriesOfInvoice(t.Context(), i.ID)
		testkit.Must(t, err)
		var posted []string
		for _, e := range entries {
			posted = append(posted, string(e.Type)+" "+e.Amount.String())
			if e.TransactionDate != rows.Today || e.Comment != "adopted" || e.Adopted != models.Opening {
				t.Errorf("the opening entry is %+v", e)
			}
		}
		if want := []string{"INVOICE 1000.00", "OVERDUE_CHARGE 35.00", "INTEREST 5.00", "PAYMENT -300.00"}; !slices.Equal(posted, want) {
			t.Errorf("posted %v, want %v", posted, want)
		}
		found, err := db.ReferencesOf(t.Context(), c.ID, []string{i.KID})
		if err != nil || found[i.KID].InvoiceID != i.ID {
			t.Errorf("the KID leads to %v, %v", found, err)
		}
		shipments, err := db.ShipmentsOf(t.Context(), i.Document())
		if err != nil || len(shipments) != 0 {
			t.Errorf("sent %v, %v", shipments, err)
		}
		clean(t, db, c)
		if own := rows.Invoice(t, db, c); own.Number != 1000 {
			t.Errorf("the series begins at %d", own.Number)
		}
		clean(t, db, c)
	})
}

func TestL17WhatCannotBeAdopted(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := adopting(t, db)
		adopt(t, db, c, adoption(7))
		notice := billing.AdoptedNotice{IssueDate: rows.Today - 40, DueDate: rows.Today - 26}
		line := models.Line{Text: "Cat food", UnitPrice: 800_0000, NumItems: 1000, VAT: models.VATHigh}
		for _, tt := range []struct {
			change func(*billing.Adoption)
			want   string
		}{
			{func(*billing.Adoption) {}, "invoice_number number_taken; kid kid_taken"},
			{func(a *billing.Adoption) { a.Number = 1000 }, "invoice_number number_in_series; kid kid_taken"},
			{func(a *billing.Adoption) { a.Number = 0 }, "invoice_number out_of_range"},
			{func(a *billing.Adoption) { a.Number = models.MaxAdoptedNumber + 1 }, "invoice_number out_of_range"},
			{func(a *billing.Adoption) { a.IssueDate, a.DueDate = 0, 0 }, "issue_date required; due_date required"},
			{func(a *billing.Adoption) { a.IssueDate, a.DueDate = rows.Today+1, rows.Today+1 }, "issue_date date_in_future"},
			{func(a *billing.Adoption) { a.IssueDate, a.DueDate = rows.Day("1999-12-31"), rows.Day("2000-01-14") }, "issue_date out_of_range"},
			{func(a *billing.Adoption) { a.DueDate = a.IssueDate - 1 }, "due_date due_before_issue"},
			{func(a *billing.Adoption) { a.DueDate = a.IssueDate + 366 }, "due_date out_of_range"},
			{func(a *billing.Adoption) { a.Gross, a.Balance = 0, 0 }, "gross_amount amount_not_positive"},
			{func(a *billing.Adoption) { a.Gross = models.MaxAmount + 1 }, "gross_amount amount_too_large"},
			{func(a *billing.Adoption) { a.Balance = -1 }, "balance out_of_range"},
			{func(a *billing.Adoption) { a.Balance = 1000_01 }, "balance above_gross"},
			{func(a *billing.Adoption) { a.Currency = "EUR" }, "currency unsupported_currency"},
			{func(a *billing.Adoption) { a.KID = "1234" }, "kid invalid_kid"},
			{func(a *billing.Adoption) { a.KID = "" }, "kid invalid_kid"},
			{func(a *billing.Adoption) { a.BankAccount = "12345678901" }, "bank_account invalid_bank_account"},
			{func(a *billing.Adoption) { a.NewCustomer = &models.Customer{} }, "recipient/name1 required; recipient/postal_code required; recipient/postal_name required; recipient/country_code invalid_country"},
			{func(a *billing.Adoption) { a.Notices = []billing.AdoptedNotice{notice, notice, notice} }, "notices too_many_notices"},
			{func(a *billing.Adoption) { a.Notices = []billing.AdoptedNotice{{}} }, "notices/notice[1]/issue_date required; notices/notice[1]/due_date required"},
			{func(a *billing.Adoption) {
				a.Notices = []billing.AdoptedNotice{{IssueDate: a.IssueDate - 1, DueDate: a.IssueDate - 2, Charge: -1, Interest: -1}}
			}, "notices/notice[1]/issue_date out_of_range; notices/notice[1]/due_date due_before_issue; notices/notice[1]/charge out_of_range; notices/notice[1]/interest out_of_range"},
			{func(a *billing.Adoption) { a.Lines = []models.Line{line, line} }, "gross_amount differs"},
			{func(a *billing.Adoption) { a.Lines = []models.Line{{}} }, "lines/line[1]/line_text required; lines/line[1]/vat_rate invalid_vat_rate"},
			{func(a *billing.Adoption) { a.Number, a.KID, a.BankAccount = 9, "1230", "15030100007" }, "bank_account unknown_account"},
			{func(a *billing.Adoption) { a.Number, a.KID, a.CustomerID, a.NewCustomer = 9, "1230", 999, nil }, "recipient not_found"},
		} {
			got := adopt(t, db, c, adoption(7, tt.change))
			if faults := rows.Faults(got[0].Err); faults != tt.want {
				t.Errorf("got %s, want %s", faults, tt.want)
			}
		}
		clean(t, db, c)
	})
}

func TestL17WhatTheOtherSystemTellsIsBooked(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := adopting(t, db)
		adopt(t, db, c, adoption(7, func(a *billing.Adoption) { a.Balance = 1000_00 }))
		for _, tt := range []struct {
			told, owed models.Amount
			want       string // the entries that it books
			err        string
		}{
			{told: 1000_00, owed: 1000_00},
			{told: 600_00, owed: 600_00, want: "-400.00"},
			{told: 600_00, owed: 600_00},
			{told: 0, owed: 0, want: "-600.00"},
			{told: 700_00, owed: 700_00, want: "600.00 100.00"},
			{told: 1000_01, owed: 700_00, err: "balance above_gross"},
			{told: -1, owed: 700_00, err: "balance out_of_range"},
			{told: 1000_00, owed: 1000_00, want: "300.00"},
			{told: 250_00, owed: 250_00, want: "-750.00"},
		} {
			var before, after []models.Entry
			err := db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				i, err := tx.InvoiceByNumber(ctx, c.ID, 7)
				testkit.Must(t, err)
				before, err = tx.EntriesOfInvoice(ctx, i.ID)
				testkit.Must(t, err)
				if _, err := ledger.TellBalance(ctx, tx, c.ID, ledger.Told{Number: 7, Balance: tt.told, Actor: "a person"}); err != nil {
					return err
				}
				after, err = tx.EntriesOfInvoice(ctx, i.ID)
				return err
			})
			var booked []string
			if err == nil {
				for _, e := range after[len(before):] {
					booked = append(booked, e.Amount.String())
				}
			}
			i, errRead := db.InvoiceByNumber(t.Context(), c.ID, 7)
			testkit.Must(t, errRead)
			if rows.Faults(err) != tt.err || i.Balance != tt.owed || i.RepaymentOwed != 0 || strings.Join(booked, " ") != tt.want {
				t.Errorf("told %s: %v is booked, %s owed (%s repayment), %v, want %q and %s", tt.told, booked, i.Balance, i.RepaymentOwed, err, tt.want, tt.owed)
			}
			clean(t, db, c)
		}
	})
}

func TestL17MoneyFromTheBankIsNeverRaisedBack(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := adopting(t, db)
		i := adopt(t, db, c, adoption(7, func(a *billing.Adoption) { a.Balance = 1000_00 }))[0].Invoice
		tell := func(balance models.Amount) (change ledger.ToldChange) {
			rows.Write(t, db, func(tx *store.Tx) (err error) {
				change, err = ledger.TellBalance(t.Context(), tx, c.ID, ledger.Told{Number: 7, Balance: balance})
				return err
			})
			return change
		}
		tell(800_00)
		rows.Write(t, db, func(tx *store.Tx) error {
			_, err := ledger.RegisterOnInvoice(t.Context(), tx, c.ID, i.ID, ledger.Payment{Amount: -300_00, Date: rows.Today, Actor: "a person"}, rows.Today)
			return err
		})
		if change := tell(1000_00); change.Raised != 200_00 || change.Differs != 300_00 {
			t.Errorf("raised %+v", change)
		}
		if change := tell(1000_00); change.Raised != 0 || change.Differs != 300_00 {
			t.Errorf("raised again %+v", change)
		}
		now, err := db.InvoiceByNumber(t.Context(), c.ID, 7)
		if err != nil || now.Balance != 700_00 || now.RepaymentOwed != 0 {
			t.Errorf("%s is owed, %s as a repayment, %v", now.Balance, now.RepaymentOwed, err)
		}
		clean(t, db, c)
		err = db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			entries, err := tx.EntriesOfInvoice(ctx, i.ID)
			testkit.Must(t, err)
			return ledger.DeletePayment(ctx, tx, c.ID, entries[1].ID, rows.Today, "a person")
		})
		if rows.Faults(err) != "adopted_payment" {
			t.Errorf("a payment that was told is deleted: %v", err)
		}
	})
}

func TestL17CreditOfAnAdoptedInvoice(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := adopting(t, db)
		lines := []models.Line{{Text: "Cat food", UnitPrice: 800_0000, NumItems: 1000, VAT: models.VATHigh}}
		made := adopt(t, db, c, adoption(7), adoption(8, func(a *billing.Adoption) { a.Lines = lines }))
		credit := func(id int64) (note models.CreditNote, err error) {
			err = db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				note, err = billing.IssueCreditNote(ctx, tx, c, id, billing.CreditNoteRequest{Method: models.ByPaper})
				return err
			})
			return note, err
		}
		if _, err := credit(made[0].Invoice.ID); rows.Faults(err) != "lines_unknown" {
			t.Errorf("without lines: %v", err)
		}
		note, err := credit(made[1].Invoice.ID)
		if err != nil || note.Gross != 1000_00 || note.Net != 800_00 || note.Balance != -300_00 || note.Number != 1000 {
			t.Errorf("with lines: %+v, %v", note, err)
		}
		clean(t, db, c)
	})
}

func TestL17ADocumentFindsAnAdoptedKIDTaken(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := adopting(t, db)
		plain := models.NewKID("000001000", models.Modulus10)
		adopt(t, db, c, adoption(7, func(a *billing.Adoption) { a.KID = plain }))
		c, err := db.Creditor(t.Context(), c.ID)
		testkit.Must(t, err)
		if own := rows.Invoice(t, db, c); own.KID == plain || own.Number != 1000 {
			t.Errorf("number %d has the KID %s", own.Number, own.KID)
		}
		err = db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.SetFirstNumber(ctx, c.ID, 7) })
		if rows.Faults(err) != "first_number series_in_use" {
			t.Error(err)
		}
		clean(t, db, c)
	})
}
