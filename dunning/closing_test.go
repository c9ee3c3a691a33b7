package dunning_test

import (
	"testing"

	"purr/dunning"
	"purr/models"
)

// TestWhatMayBeDoneToAnInvoiceE2 shows, for each state of an invoice that fell due on 2 November, what a person
// may do to it.
func TestWhatMayBeDoneToAnInvoiceE2(t *testing.T) {
	t.Parallel()
	with := func(changes ...func(*models.Invoice)) models.Invoice {
		invoice := unreminded("2026-11-02")
		for _, change := range changes {
			change(&invoice)
		}
		return invoice
	}
	paid := func(i *models.Invoice) { i.Balance = 0 }
	overpaid := func(i *models.Invoice) { i.Balance = -1 }
	lost := func(i *models.Invoice) { i.Closed = models.ClosedLost }
	settled := func(i *models.Invoice) { i.Closed = models.ClosedOther }
	handedOver := func(i *models.Invoice) { i.HandedOver = day("2026-11-10") }
	warnedToday := func(i *models.Invoice) { i.Notices, i.Warned, i.Deadline = 1, true, day("2026-12-04") }
	const may = ""
	tests := []struct {
		why                      string
		invoice                  models.Invoice
		today                    string
		closing, reopen, handing string
	}{
		{"on its due date", with(), "2026-11-02", may, "invoice_open", "not_overdue"},
		{"overdue", with(), "2026-11-03", may, "invoice_open", may},
		{"warned, with the deadline running", with(warnedToday), "2026-11-20", may, "invoice_open", may},
		{"paid", with(paid), "2026-11-20", "invoice_paid", "invoice_open", "invoice_paid"},
		{"overpaid", with(overpaid), "2026-11-20", "invoice_paid", "invoice_open", "invoice_paid"},
		{"paid before its due date", with(paid), "2026-11-01", "invoice_paid", "invoice_open", "invoice_paid"},
		{"handed over", with(handedOver), "2026-11-20", may, may, "invoice_handed_over"},
		{"handed over and paid", with(handedOver, paid), "2026-11-20", "invoice_paid", may, "invoice_handed_over"},
		{"closed as lost", with(lost), "2026-11-20", "invoice_closed", may, "invoice_closed"},
		{"closed otherwise", with(settled), "2026-11-20", "invoice_closed", may, "invoice_closed"},
		{"closed and paid", with(settled, paid), "2026-11-20", "invoice_closed", may, "invoice_closed"},
		{"lost at the agency", with(handedOver, lost), "2026-11-20", "invoice_closed", may, "invoice_closed"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			for _, act := range []struct {
				name string
				err  error
				want string
			}{
				{"closing", dunning.CanClose(tt.invoice), tt.closing},
				{"reopening", dunning.CanReopen(tt.invoice), tt.reopen},
				{"handing over", dunning.CanHandOver(tt.invoice, day(tt.today)), tt.handing},
			} {
				if got := codes(act.err); got != act.want {
					t.Errorf("%s is refused for %q, want %q", act.name, got, act.want)
				}
				if act.err != nil && models.KindOf(act.err) != models.KindConflict {
					t.Errorf("%v is not a conflict", act.err)
				}
			}
		})
	}
}
