package store_test

import (
	"math"
	"slices"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestPagesD10(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		var want []int64
		for n := range 7 {
			rows.Write(t, db, func(tx *store.Tx) error {
				i := models.Invoice{IssueDate: rows.Today - models.Date(n)} // later ones have earlier dates
				err := addInvoice(t, tx, c, &i)
				want = append(want, i.ID)
				return err
			})
		}
		tests := []struct {
			page store.Page
			want []int64
			why  string
		}{
			{store.Page{Number: 1, Size: 3}, want[0:3], "the oldest first, by creation"},
			{store.Page{Number: 2, Size: 3}, want[3:6], "then the next"},
			{store.Page{Number: 3, Size: 3}, want[6:7], "the last page may be short"},
			{store.Page{Number: 4, Size: 3}, nil, "past the end is nothing"},
			{store.Page{Number: 1, Size: 7}, want, "one page of all"},
			{store.Page{Number: 2, Size: 7}, nil, "and nothing after it"},
			{store.Page{Number: 1, Size: 1000}, want, "more than there is"},
			{store.Page{Number: math.MaxInt, Size: 1000}, nil, "further past the end than can be counted"},
			{store.Page{Number: math.MaxInt/100 + 2, Size: 100}, nil, "where counting would come round to the start"},
		}
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				found, total, err := db.Invoices(t.Context(), c.ID, store.InvoiceFilter{}, tt.page)
				if got := summaryIDs(found); err != nil || !slices.Equal(got, tt.want) || total != 7 {
					t.Errorf("%+v is %v of %d, %v, want %v of 7", tt.page, got, total, err, tt.want)
				}
			})
		}
	})
}

func TestDatesAreInclusiveD10(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		for _, d := range []string{"2026-03-01", "2026-03-02", "2026-03-03"} {
			rows.Write(t, db, func(tx *store.Tx) error {
				must(t, addInvoice(t, tx, c, &models.Invoice{IssueDate: day(d)}))
				must(t, addCreditNote(t, tx, c, &models.CreditNote{IssueDate: day(d)}))
				must(t, tx.CreateNotices(t.Context(), []models.Notice{{
					CreditorID: c.ID, InvoiceID: int64(day(d)), Sequence: 1, IssueDate: day(d), DueDate: day(d),
				}}, [][]models.NoticeLine{{{Position: 1}}}))
				return tx.CreateEntries(t.Context(), []models.Entry{{CreditorID: c.ID, Type: models.EntryPayment, TransactionDate: day(d)}})
			})
		}
		lists := map[string]func(store.Dates) (int64, error){
			"invoices": func(d store.Dates) (int64, error) {
				_, n, err := db.Invoices(t.Context(), c.ID, store.InvoiceFilter{Issued: d}, everything)
				return n, err
			},
			"credit notes": func(d store.Dates) (int64, error) {
				_, n, err := db.CreditNotes(t.Context(), c.ID, store.CreditNoteFilter{Issued: d}, everything)
				return n, err
			},
			"notices": func(d store.Dates) (int64, error) {
				_, n, err := db.Notices(t.Context(), c.ID, store.NoticeFilter{Issued: d}, everything)
				return n, err
			},
			"entries": func(d store.Dates) (int64, error) {
				_, n, err := db.Entries(t.Context(), c.ID, store.EntryFilter{Dates: d}, everything)
				return n, err
			},
		}
		tests := []struct {
			from, to string
			want     int64
			why      string
		}{
			{"", "", 3, "no dates are all"},
			{"2026-03-02", "", 2, "from a day, it included"},
			{"", "2026-03-02", 2, "to a day, it included"},
			{"2026-03-02", "2026-03-02", 1, "one day"},
			{"2026-02-01", "2026-04-01", 3, "more days than there are"},
			{"2026-03-03", "2026-03-01", 0, "from after to is nothing"},
			{"2026-03-04", "", 0, "after the last"},
		}
		for name, list := range lists {
			for _, tt := range tests {
				if got, err := list(store.Dates{From: day(tt.from), To: day(tt.to)}); got != tt.want || err != nil {
					t.Errorf("%s, %s: found %d, %v, want %d", name, tt.why, got, err, tt.want)
				}
			}
		}
	})
}

func TestListsNarrow(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db)
		kari, ola := rows.Customer(t, db, c), rows.Customer(t, db, c)
		invoice := rows.Invoice(t, db, c, rows.To(kari))
		rows.Invoice(t, db, c, rows.To(ola))
		note := rows.CreditNote(t, db, c, invoice)
		paidOut := rows.CreditNote(t, db, c, rows.Invoice(t, db, c, rows.To(ola)))

		// Lists of a customer: its invoice, the invoice's entries, and the entries of the credit note.
		if is, n, err := db.Invoices(ctx, c.ID, store.InvoiceFilter{CustomerID: kari.ID}, everything); err != nil || n != 1 || is[0].ID != invoice.ID {
			t.Errorf("invoices of the customer: %v, %v", summaryIDs(is), err)
		}
		if _, n, err := db.Entries(ctx, c.ID, store.EntryFilter{CustomerID: kari.ID}, everything); err != nil || n != 4 {
			t.Errorf("entries of the customer: %d, %v", n, err)
		}
		if es, n, err := db.Entries(ctx, c.ID, store.EntryFilter{CustomerID: kari.ID, Type: models.EntryInvoice}, everything); err != nil || n != 1 || es[0].Amount != invoice.Gross {
			t.Errorf("INVOICE entries of the customer: %v, %v", es, err)
		}
		if es, err := db.EntriesOfInvoice(ctx, invoice.ID); err != nil || len(es) != 2 {
			t.Errorf("entries of the invoice: %v, %v", es, err)
		}
		if es, err := db.EntriesOfCreditNote(ctx, note); err != nil || len(es) != 2 || es[0].Amount != -note.Gross || es[1].Amount != note.Gross {
			t.Errorf("entries of the credit note: %v, %v", es, err)
		}
		if found, err := db.CreditNotesOf(ctx, invoice.ID); err != nil || len(found) != 1 || found[0].ID != note.ID {
			t.Errorf("the invoice's credit notes: %+v, %v", found, err)
		}
		if found, err := db.CreditNotesOf(ctx, 0); err != nil || len(found) != 0 {
			t.Errorf("no invoice's credit notes: %+v, %v", found, err)
		}

		must(t, db.Exec(ctx, "UPDATE credit_notes SET balance = -1 WHERE id = ?", note.ID))
		for filter, want := range map[string][]int64{
			"all": {note.ID, paidOut.ID}, "paid": {paidOut.ID}, "not_paid": {note.ID}, "overdue": nil, // D22
		} {
			f, _ := models.ParseCreditNoteStatuses([]string{filter})
			found, n, err := db.CreditNotes(ctx, c.ID, store.CreditNoteFilter{Status: &f}, everything)
			var got []int64
			for _, note := range found {
				got = append(got, note.ID)
			}
			if err != nil || !slices.Equal(got, want) || n != int64(len(want)) {
				t.Errorf("credit notes that are %s: %v, %v, want %v", filter, got, err, want)
			}
		}
	})
}
