package audit_test

import (
	"slices"
	"testing"
	"time"

	"purr/audit"
	"purr/audit/reckoning"
	"purr/law"
	"purr/models"
	"purr/store"
)

// TestU8ClocksOfMachinesAreApart has a notice written by a machine whose clock differs by five minutes from that of the machine that wrote what
// else is there. The entries of an invoice are booked in the order of their IDs; what else came first about that time nobody can say. Chaos
// found a lawful letter that was held back, since a payment before it had a later time.
func TestU8ClocksOfMachinesAreApart(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 2, 9, 5, 0, 0, 0, time.UTC)
	figures, err := reckoning.New(law.Default().All())
	if err != nil {
		t.Fatal(err)
	}
	payment := func(id int64, at time.Time) models.Entry {
		return models.Entry{ID: id, InvoiceID: 7, Type: models.EntryPayment, Amount: -100_00, CreatedAt: at}
	}
	const little, hour = 5 * time.Minute, time.Hour
	for _, test := range []struct {
		what string
		asks models.Amount // besides the fee of 38.00
		free bool          // the notice has no fee
		has  func(c *audit.Case)
		code string
		want string
	}{
		{"a payment before the notice has a later time", 399_00, false, func(c *audit.Case) { c.Entries = slices.Insert(c.Entries, 1, payment(2, at.Add(little))) }, "asks_too_little", "yes"},
		{"and the letter may not ask for it", 499_00, false, func(c *audit.Case) { c.Entries = slices.Insert(c.Entries, 1, payment(2, at.Add(little))) }, "asks_too_much", "no"},
		{"a payment after the notice has an earlier time", 499_00, false, func(c *audit.Case) { c.Entries = append(c.Entries, payment(11, at.Add(-little))) }, "asks_too_much", "yes"},
		{"a notice without a fee says itself what came before it", 399_00, true, func(c *audit.Case) { c.Entries = append(c.Entries, payment(11, at.Add(little))) }, "asks_too_much", "yes"},
		{"and what came after it", 499_00, true, func(c *audit.Case) { c.Entries = append(c.Entries, payment(11, at.Add(-little))) }, "asks_too_much", "yes"},
		{"but it must ask for one of the two", 450_00, true, func(c *audit.Case) { c.Entries = append(c.Entries, payment(11, at.Add(-little))) }, "asks_too_much", "unknown"},
		{"a payment an hour before counts", 499_00, true, func(c *audit.Case) { c.Entries = append(c.Entries, payment(11, at.Add(-hour))) }, "asks_too_much", "no"},
		{"a payment was deleted about that time", 499_00, false, func(c *audit.Case) {
			c.Deleted = []store.DeletedEntry{{EntryID: 2, InvoiceID: 7, Type: models.EntryPayment, Amount: -100_00, CreatedAt: at.Add(-hour), DeletedAt: at.Add(little)}}
		}, "asks_too_much", "unknown"},
		{"it was handed over about that time", 499_00, false, handedOver(at.Add(-little)), "after_hand_over", "yes"},
		{"it was handed over before", 499_00, false, handedOver(at.Add(-hour)), "after_hand_over", "no"},
		{"it was closed about that time", 499_00, false, closed(at.Add(-little)), "after_closing", "yes"},
		{"it was closed before", 499_00, false, closed(at.Add(-hour)), "after_closing", "no"},
	} {
		t.Run(test.what, func(t *testing.T) {
			t.Parallel()
			n := audit.Notice{Notice: models.Notice{ID: 5, Sequence: 1, IssueDate: models.DateOf(at), CreatedAt: at, Gross: test.asks}}
			c := &audit.Case{
				Of:      &audit.Creditor{Zone: time.UTC, Law: figures},
				Invoice: models.Invoice{ID: 7, Gross: 499_00},
				Entries: []models.Entry{{ID: 1, InvoiceID: 7, Type: models.EntryInvoice, Amount: 499_00, CreatedAt: at.Add(-24 * hour)}},
			}
			if !test.free {
				n.Gross, n.Fee = n.Gross+38_00, 38_00
				c.Entries = append(c.Entries, models.Entry{ID: 10, InvoiceID: 7, NoticeID: 5, Type: models.EntryOverdueCharge, Amount: 38_00, CreatedAt: at})
			}
			c.Notices = []audit.Notice{n}
			test.has(c)
			if got := answered(t, c, test.code); got != test.want {
				t.Errorf("%s is answered with %s, want %s", test.code, got, test.want)
			}
		})
	}
}

func handedOver(at time.Time) func(c *audit.Case) {
	return func(c *audit.Case) {
		c.HandOvers = []models.HandOver{{ID: 3, InvoiceID: 7, HandedOver: models.DateOf(at), CreatedAt: at}}
	}
}

func closed(at time.Time) func(c *audit.Case) {
	return func(c *audit.Case) {
		c.Events = []models.Event{{ID: 4, InvoiceID: 7, Type: models.EventInvoiceClosed, At: at}}
	}
}

// answered returns whether a question of notice 5 is answered with yes, no or unknown.
func answered(t *testing.T, c *audit.Case, code string) string {
	t.Helper()
	var v audit.Verdict
	v.Judge(c, audit.Options{Explain: true, Notice: 5})
	n := slices.IndexFunc(v.Answers, func(a audit.Answer) bool { return a.Code.String() == code })
	switch {
	case n < 0:
		t.Fatal("it was not asked")
	case v.Answers[n].Unknown:
		return "unknown"
	case v.Answers[n].Holds:
		return "yes"
	}
	return "no"
}
