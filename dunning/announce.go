package dunning

import "purr/models"

// announces reports whether the notice that is ordered is a reminder in the place of the policy's debt-collection
// warning, which the law leaves to agencies on the day (LOV-2026-05-22-19 § 20). A creditor may still tell that the
// claim can go to one.
func announces(r *Rules, invoice models.Invoice, o order) bool {
	return !o.warning && !r.OwnWarning(o.today) && o.policy.WarningIs(invoice.Notices+1)
}
