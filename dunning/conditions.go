package dunning

import (
	"purr/law"
	"purr/models"
)

// maxNotices is the most notices an invoice gets (inkassoforskriften § 1-3).
const maxNotices = 2

// Conditions checks whether a person may have a notice sent on an invoice (rule D27). It returns nil, or
// models.Errors of KindConflict with every condition that does not hold. invoice_closed and invoice_handed_over
// come alone. The others come in this order: not_overdue or, for a notice with a fee, too_early_for_charge;
// debt_collection_notice_sent; too_many_notices.
func Conditions(invoice models.Invoice, withFee bool, today models.Date) error {
	switch {
	case invoice.Closed != models.NotClosed:
		return errClosed()
	case invoice.HandedOver != 0:
		return errHandedOver(invoice)
	}
	var unmet models.Errors
	switch {
	case invoice.Claimed() <= 0:
		unmet = append(unmet, models.Conflict("not_overdue", "nothing is owed on the invoice"))
	case today <= invoice.DueDate:
		unmet = append(unmet, errNotOverdue(invoice))
	case withFee && !law.Chargeable(invoice.Deadline, today):
		unmet = append(unmet, models.Conflict("too_early_for_charge", "a fee may be charged from %s on, %d days after the last due date",
			invoice.Deadline+models.ChargeableDays, models.ChargeableDays))
	}
	if invoice.Warned {
		unmet = append(unmet, models.Conflict("debt_collection_notice_sent", "a debt-collection warning has been sent"))
	}
	if invoice.Notices >= maxNotices {
		unmet = append(unmet, models.Conflict("too_many_notices", "%d notices have been sent, the most there may be", invoice.Notices))
	}
	return unmet.ErrorOrNil()
}

func errClosed() *models.Error { return models.Conflict("invoice_closed", "the invoice is closed") }

func errPaid() *models.Error {
	return models.Conflict("invoice_paid", "nothing is owed on the invoice")
}

func errHandedOver(invoice models.Invoice) *models.Error {
	return models.Conflict("invoice_handed_over", "the invoice went to debt collection on %s", invoice.HandedOver)
}

func errNotOverdue(invoice models.Invoice) *models.Error {
	return models.Conflict("not_overdue", "the invoice is not overdue before %s", invoice.DueDate+1)
}

// WarningAllowed fails with the conflict debt_collection_notice_not_allowed if, by the law in force today, only
// licensed agencies may send debt-collection warnings (LOV-2026-05-22-19 § 20).
func WarningAllowed(r *law.Rules, today models.Date) error {
	if r.OwnWarning(today) {
		return nil
	}
	return models.Conflict("debt_collection_notice_not_allowed",
		"only a licensed agency may send a debt-collection warning (LOV-2026-05-22-19 § 20)")
}
