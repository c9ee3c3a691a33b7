package dunning

import (
	"context"

	"purr/law"
	"purr/models"
	"purr/store"
)

// Preview is a notice as it would be sent today. Nothing of it is written.
type Preview struct {
	Invoice models.Invoice
	Notice  models.Notice // with its sheet; without ID
	Lines   []models.NoticeLine
	Earlier []models.Notice // on the invoice
}

// PreviewOf returns the reminder, or the warning, that would be sent on an invoice today: with the fee if it may bear one, and with
// interest if the policy for the customer says so (rule L24). It fails as IssueNotice does where a person may not send it.
func PreviewOf(ctx context.Context, v store.View, r *law.Rules, c models.Creditor, invoiceID int64, warning bool, today models.Date) (Preview, error) {
	invoice, err := v.Invoice(ctx, c.ID, invoiceID)
	if err != nil {
		return Preview{}, err
	}
	customer, err := v.Customer(ctx, c.ID, invoice.CustomerID)
	if err != nil {
		return Preview{}, err
	}
	b, sent, err := readBasis(ctx, v, c, customer, invoice, today)
	if err != nil {
		return Preview{}, err
	}
	chargeable := Conditions(b.invoice, true, today) == nil && FeeAllowed(b.invoice, customer, today) == nil
	asked := Request{Warning: warning, AddFee: chargeable, AddInterest: b.policy.AddInterest, Actor: "preview"}
	if err := b.allows(r, asked, sent, today); err != nil {
		return Preview{}, err
	}
	n, lines, err := b.draft(r, b.requested(r, asked, today), today).complete()
	if err != nil {
		return Preview{}, err
	}
	return Preview{invoice, n, lines, b.notices}, nil
}
