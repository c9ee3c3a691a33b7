package dunning

import (
	"context"
	"fmt"
	"slices"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// principal returns how much of the invoice's principal is left.
func (s State) principal() models.Amount { return s.Invoice.Claimed() - s.Charges }

// overdueFrom returns the first day on which the invoice is overdue, by the day on which it left (rule L1).
func (s State) overdueFrom() models.Date {
	return s.Invoice.DueDate + models.Date(s.Letters.InvoiceLate) + 1
}

// small decides on an invoice of which less principal is left than the policy asks for: a run closes it once it is overdue (rule L25). It
// reports false for all others. reason is why no step of the ladder is taken: what is on hold, may be paid already or was due before the
// policy began stays as it is.
func small(s State, p models.Policy, reason Reason, needs Needs, on models.Date) (d Decision, is bool) {
	if !slices.Contains([]Reason{"", BelowMinimum, LastNoticeSent, NotSent}, reason) || !mayClose(s, p) {
		return Decision{}, false
	}
	d = Decision{Action: Nothing, Needs: needs}
	switch {
	case s.Letters.InvoiceUnsent:
		d.Reason = NotSent
	case on < s.overdueFrom():
		d.Reason = TooEarly
	case p.RequirePaymentFile && s.FilesLate:
		d.Reason = PaymentFileLate
	default:
		d.Action, d.Left = Close, s.principal()
	}
	return d, true
}

// mayClose reports whether so little is left of an invoice that a run closes it: not if the customer's free credit would pay it, a repayment
// is owed on it, or a person opened it again.
func mayClose(s State, p models.Policy) bool {
	left := s.principal()
	return 0 < left && left < p.CloseBelow && s.FreeCredit < left && !s.Invoice.KeptOpen && s.Invoice.RepaymentOwed == 0
}

// closingWindows returns the windows of the invoices that a run may close for a small remainder on a day, under a policy (rule L25).
func closingWindows(on models.Date, p models.Policy) []models.Window {
	if !p.Enabled || p.CloseBelow == 0 {
		return nil
	}
	return []models.Window{
		{Stage: models.StageOpen, From: firstDue(p), To: on - 1, Below: p.CloseBelow},
		{Stage: models.StageReminded, Below: p.CloseBelow},
		{Stage: models.StageWarned, Below: p.CloseBelow},
	}
}

// closesSome reports whether runs close small remainders under any of the policies.
func (p policies) closesSome() bool {
	return len(p.windows(func(one models.Policy) []models.Window { return closingWindows(0, one) })) > 0
}

// closeSmall closes a locked invoice for the small remainder of its principal (rule L25). It withdraws notices whose letters were not sent,
// as CloseInvoice does, and reverses the charges that are left.
func closeSmall(ctx context.Context, tx *store.Tx, invoice models.Invoice, today models.Date) error {
	invoice, err := withdrawUnsent(ctx, tx, invoice, today)
	if err != nil {
		return err
	}
	invoice, reversed, err := ledger.WriteOff(ctx, tx, invoice, today)
	if err != nil {
		return err
	}
	if err := tx.UpdateInvoice(ctx, invoice); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: invoice.CreditorID, Type: models.EventInvoiceClosed, InvoiceID: invoice.ID, CustomerID: invoice.CustomerID, SubjectID: invoice.ID,
		Text: fmt.Sprintf("Invoice %d closed (%s): no more than %s of its principal is left; fees of %s and interest of %s reversed",
			invoice.Number, invoice.Closed, invoice.WrittenOff, reversed.Fees, reversed.Interest),
		Facts: models.Facts{
			"invoice_number": invoice.Number, "balance": invoice.Balance, "reason": string(invoice.Closed), "written_off": invoice.WrittenOff,
			"overdue_charge": reversed.Fees, "interest": reversed.Interest,
		},
	})
}
