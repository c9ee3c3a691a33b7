package models_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
)

func TestStatusD26(t *testing.T) {
	due := day("2026-03-16")
	owing := models.Invoice{Balance: 100_00, DueDate: due, Deadline: due}
	with := func(change func(*models.Invoice)) models.Invoice {
		i := owing
		change(&i)
		return i
	}
	reminded := with(func(i *models.Invoice) { i.Notices, i.Deadline = 1, day("2026-04-20") })
	warned := with(func(i *models.Invoice) { i.Notices, i.Warned, i.Deadline = 2, true, day("2026-05-25") })
	tests := []struct {
		invoice models.Invoice
		today   string
		want    models.Status
		why     string
	}{
		{owing, "2026-03-02", models.InvoiceSent, "sent"},
		{owing, "2026-03-16", models.InvoiceSent, "on its due date not yet overdue"},
		{owing, "2026-03-17", models.InvoiceOverdue, "overdue from the day after"},
		{owing, "2026-03-29", models.InvoiceOverdue, "overdue on the 13th day"},
		{owing, "2026-03-30", models.InvoiceOverdueChargeable, "chargeable from the 14th day"},
		{owing, "2036-03-30", models.InvoiceOverdueChargeable, "chargeable after years"},
		{reminded, "2026-04-20", models.OverdueNoticeSent, "reminded, until the reminder's due date"},
		{reminded, "2026-04-21", models.OverdueNoticeOverdue, "the reminder overdue from the day after"},
		{warned, "2026-05-25", models.DebtCollectionNoticeSent, "warned, until the warning's due date"},
		{warned, "2026-05-26", models.DebtCollectionNoticeOverdue, "the warning overdue from the day after"},
		{
			with(func(i *models.Invoice) { i.Notices, i.Warned, i.Deadline = 1, true, day("2026-04-20") }),
			"2026-04-20", models.DebtCollectionNoticeSent, "the warning may be the first notice",
		},
		{with(func(i *models.Invoice) { i.Balance = 0 }), "2026-04-30", models.InvoicePaid, "paid"},
		{with(func(i *models.Invoice) { i.Balance = -1 }), "2026-04-30", models.InvoicePaid, "overpaid is paid"},
		{with(func(i *models.Invoice) { i.Balance = 1 }), "2026-04-30", models.InvoiceOverdueChargeable, "an øre short is not paid"},
		{with(func(i *models.Invoice) { i.Balance, i.Notices, i.Warned = 0, 2, true }), "2026-06-30", models.InvoicePaid, "paid after a warning"},
		{with(func(i *models.Invoice) { i.HandedOver = day("2026-06-10") }), "2026-06-30", models.DebtCollection, "handed over"},
		{
			with(func(i *models.Invoice) { i.HandedOver, i.Balance = day("2026-06-10"), 0 }),
			"2026-06-30", models.DebtCollection, "paid to the agency is still handed over",
		},
		{with(func(i *models.Invoice) { i.Closed = models.ClosedLost }), "2026-06-30", models.StatusClosedLost, "closed as lost"},
		{
			with(func(i *models.Invoice) { i.Closed, i.HandedOver, i.Balance = models.ClosedOther, day("2026-06-10"), 0 }),
			"2026-06-30", models.StatusClosedOther, "closed goes before handed over and paid",
		},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			if got := tt.invoice.Status(day(tt.today)); got != tt.want {
				t.Errorf("on %s it is %s, want %s", tt.today, got, tt.want)
			}
		})
	}
}

// TestEveryInvoiceHasOneStatus checks that every invoice lies in the window of exactly one status. So lists
// filtered by each status in turn show each invoice once.
func TestEveryInvoiceHasOneStatus(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		today := day("2026-03-16")
		i := models.Invoice{
			Balance:    models.Amount(rapid.Int64Range(-1, 1).Draw(t, "balance")),
			Notices:    rapid.IntRange(0, 2).Draw(t, "notices"),
			Closed:     rapid.SampledFrom([]models.Closing{models.NotClosed, models.ClosedLost, models.ClosedOther}).Draw(t, "closed"),
			HandedOver: models.Date(rapid.Int32Range(0, 1).Draw(t, "handed over")),
			Deadline:   today + models.Date(rapid.Int32Range(-30, 30).Draw(t, "deadline")),
		}
		i.Warned = i.Notices > 0 && rapid.Bool().Draw(t, "warned")
		var in []models.Status
		for _, s := range models.Statuses {
			if w := s.Window(today); w.Stage == i.Stage() && (w.From == 0 || w.From <= i.Deadline) && (w.To == 0 || i.Deadline <= w.To) {
				in = append(in, s)
			}
		}
		if got := i.Status(today); len(in) != 1 || in[0] != got {
			t.Errorf("%+v is %s and in the windows of %v", i, got, in)
		}
	})
}

func TestParseStatusesD23(t *testing.T) {
	tests := []struct{ filter, want, why string }{
		{"invoice_sent", "invoice_sent", "one status"},
		{"invoice_sent|closed_lost", "invoice_sent closed_lost", "several combined"},
		{"paid", "invoice_paid", "the older name"},
		{"waiting", "invoice_sent overdue_notice_sent debt_collection_notice_sent", "what is not due yet"},
		{
			"overdue", "invoice_overdue invoice_overdue_chargeable overdue_notice_overdue debt_collection_notice_overdue",
			"what is overdue",
		},
		{"all", "all", "every invoice"},
		{"invoice_sent|all", "all", "every invoice, whatever else is named"},
		{"debt_collection|bogus", "unknown", "a value that there is not, beside one that there is"},
		{"all|bogus", "unknown", "or beside all"},
		{"Invoice_Sent", "unknown", "capitals"},
		{"", "unknown", "nothing"},
		{"not_paid", "unknown", "a value of credit notes alone"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			statuses, known := models.ParseStatuses(strings.Split(tt.filter, "|"))
			var got []string
			for _, s := range statuses {
				got = append(got, string(s))
			}
			switch {
			case !known:
				got = []string{"unknown"}
			case statuses == nil:
				got = []string{"all"}
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("%q is %v, want %s", tt.filter, got, tt.want)
			}
		})
	}
	for _, s := range models.Statuses {
		if got, known := models.ParseStatuses([]string{string(s)}); !known || !slices.Equal(got, []models.Status{s}) {
			t.Errorf("%s is read as %v", s, got)
		}
	}
}

func TestCreditNoteStatusD22(t *testing.T) {
	if got := (models.CreditNote{Balance: -1}).Status(); got != "not_paid" {
		t.Errorf("with an øre outstanding it is %s", got)
	}
	if got := (models.CreditNote{}).Status(); got != "paid" {
		t.Errorf("with nothing outstanding it is %s", got)
	}
	tests := []struct {
		filter string
		want   models.CreditNoteFilter
		known  bool
		why    string
	}{
		{"all", models.CreditNoteFilter{Paid: true, NotPaid: true}, true, "every one"},
		{"paid", models.CreditNoteFilter{Paid: true}, true, "paid out"},
		{"credit_note_paid", models.CreditNoteFilter{Paid: true}, true, "by its other name"},
		{"not_paid", models.CreditNoteFilter{NotPaid: true}, true, "outstanding"},
		{"waiting", models.CreditNoteFilter{NotPaid: true}, true, "waiting is outstanding"},
		{"credit_note_sent", models.CreditNoteFilter{NotPaid: true}, true, "sent is outstanding"},
		{"overdue", models.CreditNoteFilter{}, true, "none is ever overdue"},
		{"overdue|paid", models.CreditNoteFilter{Paid: true}, true, "combined with one that is"},
		{"paid|not_paid", models.CreditNoteFilter{Paid: true, NotPaid: true}, true, "both"},
		{"invoice_paid", models.CreditNoteFilter{}, false, "a value of invoices"},
		{"paid|", models.CreditNoteFilter{}, false, "nothing beside one"},
	}
	for _, tt := range tests {
		if got, known := models.ParseCreditNoteStatuses(strings.Split(tt.filter, "|")); got != tt.want || known != tt.known {
			t.Errorf("%s: %q is %+v, %t", tt.why, tt.filter, got, known)
		}
	}
}
