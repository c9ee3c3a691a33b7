package audit_test

import (
	"testing"
	"time"

	"purr/audit"
	"purr/audit/reckoning"
	"purr/law"
	"purr/models"
	"purr/store"
)

// TestU2CreditThatARunMovedBeforeTheNoticeIsFreeNoMore has a customer who paid 501.00 too much on one invoice, and a notice on another one, of
// 499.00. Rows are made in the order of their IDs; those of a run on a clock that stands have one time.
func TestU2CreditThatARunMovedBeforeTheNoticeIsFreeNoMore(t *testing.T) {
	t.Parallel()
	run := time.Date(2026, 2, 9, 5, 0, 0, 0, time.UTC)
	figures, err := reckoning.New(law.Default().All())
	if err != nil {
		t.Fatal(err)
	}
	earlier, later := run.Add(-time.Hour), run.Add(time.Hour)
	type elsewhere struct {
		id     int64
		amount models.Amount
		at     time.Time
	}
	surplus := elsewhere{2, -501_00, earlier}
	for _, test := range []struct {
		what    string
		booked  []elsewhere
		deleted *store.DeletedEntry
		charges bool // the notice charges a fee: its entry is the tenth
		want    string
	}{
		{"the credit lay there", []elsewhere{surplus}, nil, true, "no"},
		{"a part of it was moved to a third invoice before", []elsewhere{surplus, {3, 3_00, earlier}}, nil, true, "yes"},
		{"the run moved it before it issued the notice", []elsewhere{surplus, {9, 501_00, run}}, nil, true, "yes"},
		{"it was moved in that moment, after the notice", []elsewhere{surplus, {12, 501_00, run}}, nil, true, "no"},
		{"it was moved later", []elsewhere{surplus, {12, 501_00, later}}, nil, true, "no"},
		{"it came in that moment, after the notice", []elsewhere{{12, -501_00, run}}, nil, true, "yes"},
		{"it came later", []elsewhere{{12, -501_00, later}}, nil, true, "yes"},
		{"it was moved in the moment of a notice without charges", []elsewhere{surplus, {9, 501_00, run}}, nil, false, "unknown"},
		{"it was moved before a notice without charges", []elsewhere{surplus, {9, 501_00, earlier}}, nil, false, "yes"},
		{"a payment that was deleted later was there", nil, &store.DeletedEntry{EntryID: 2, Amount: -501_00, CreatedAt: earlier, DeletedAt: later}, true, "no"},
		{"one that was deleted before was not", nil, &store.DeletedEntry{EntryID: 2, Amount: -501_00, CreatedAt: earlier, DeletedAt: earlier}, true, "yes"},
		{"one that was deleted in that moment may have been", nil, &store.DeletedEntry{EntryID: 2, Amount: -501_00, CreatedAt: earlier, DeletedAt: run}, true, "unknown"},
	} {
		t.Run(test.what, func(t *testing.T) {
			t.Parallel()
			other := models.Document{Kind: models.InvoiceDocument, ID: 8}
			c := &audit.Case{
				Of:        &audit.Creditor{Zone: time.UTC, Law: figures},
				Invoice:   models.Invoice{ID: 7, Gross: 499_00},
				Entries:   []models.Entry{{ID: 1, InvoiceID: 7, Type: models.EntryInvoice, Amount: 499_00, CreatedAt: earlier}},
				Notices:   []audit.Notice{{Notice: models.Notice{ID: 5, Sequence: 1, IssueDate: models.DateOf(run), CreatedAt: run, Gross: 499_00}}},
				Elsewhere: map[models.Document][]models.Entry{other: {}},
			}
			if test.charges {
				c.Entries = append(c.Entries, models.Entry{ID: 10, InvoiceID: 7, NoticeID: 5, Type: models.EntryOverdueCharge, Amount: 38_00, CreatedAt: run})
			}
			for _, e := range test.booked {
				c.Elsewhere[other] = append(c.Elsewhere[other], models.Entry{ID: e.id, InvoiceID: 8, Type: models.EntryPayment, Amount: e.amount, CreatedAt: e.at})
			}
			if test.deleted != nil {
				c.Gone = map[models.Document][]store.DeletedEntry{other: {*test.deleted}}
			}
			if got := answered(t, c, "credit_elsewhere"); got != test.want {
				t.Errorf("whether less than the claim was free elsewhere is answered with %s, want %s", got, test.want)
			}
		})
	}
}
