package dunning

import (
	"encoding/json"
	"fmt"
	"slices"

	"purr/dunning/law"
	"purr/ledger"
	"purr/models"
)

// basis is what a notice's amounts are calculated from.
type basis struct {
	invoice models.Invoice
	entries []models.Entry  // of the invoice itself, oldest first
	notices []models.Notice // on it, oldest first
}

// draft is a notice that was decided on.
type draft struct {
	basis
	customer    models.Customer
	policy      models.Policy // for the customer (rule E6e)
	warning     bool
	fee         law.Charge
	free        bool // neither fee nor compensation is wanted
	addInterest bool
	comment     string
	actor       string // who asks for it; empty if the policy does
	today       models.Date
}

// notice returns the notice of the draft and the sheet behind its amounts. It writes nothing. The notice's Gross and
// Sheet are left to the caller.
func (d draft) notice(r *law.Rules) (models.Notice, law.Sheet) {
	sheet := law.Sheet{OverdueCharge: d.charge(r)}
	if d.addInterest {
		sheet.Interest = r.Interest(law.NewClaim(d.invoice, d.entries, d.notices, d.customer, d.policy), d.today)
	}
	return models.Notice{
		CreditorID: d.invoice.CreditorID, CustomerID: d.invoice.CustomerID, InvoiceID: d.invoice.ID, Sequence: d.invoice.Notices + 1,
		IssueDate: d.today, DueDate: NoticeDueDate(d.policy, d.today), Warning: d.warning, Announces: d.announces(r),
		Fee: sheet.OverdueCharge.Amount, Compensation: sheet.OverdueCharge.Compensation, Interest: sheet.Interest.Amount, Comment: d.comment,
		KID: d.invoice.KID, Recipient: d.invoice.Recipient,
	}, sheet
}

// charge returns what the notice charges besides interest: its fee, or the standard compensation of a business whose
// policy says so (forsinkelsesrenteloven § 3a). Compensation is charged once for an invoice, with the first notice, and
// without the 14 days that a fee waits for. It and the fees are set off against each other (inkassoforskriften § 1-5): it
// is the larger, so fees that were charged before it are deducted, and after it there are none. A notice that is asked
// for still keeps to condition 2 of rule D27.
func (d draft) charge(r *law.Rules) law.Charge {
	switch {
	case d.free:
		return law.Charge{}
	case slices.ContainsFunc(d.notices, func(n models.Notice) bool { return n.Compensation }):
		return law.Charge{Rule: "inkassoforskriften § 1-5: fees are set off against the standard compensation that was charged before"}
	case !d.policy.Compensation || d.customer.OrganisationNumber == "":
		return d.fee
	}
	if c := r.Compensation(d.invoice.DueDate, d.today, ledger.TotalsOf(d.entries).Fees); c.Compensation {
		return c
	}
	return d.fee
}

// announces reports whether the notice is a reminder that replaces the policy's debt-collection warning, which the law
// leaves to agencies on the day (LOV-2026-05-22-19 § 20). A creditor may still say that the claim can go to one.
func (d draft) announces(r *law.Rules) bool {
	return !d.warning && !r.OwnWarning(d.today) && d.policy.WarningIs(d.invoice.Notices+1)
}

// write returns the notice of the draft with its sheet, its gross and its lines.
func (d draft) write(r *law.Rules) (models.Notice, []models.NoticeLine, error) {
	notice, sheet := d.notice(r)
	kept, err := json.Marshal(sheet)
	if err != nil {
		return models.Notice{}, nil, fmt.Errorf("keep the calculation of a notice: %w", err)
	}
	notice.Sheet = string(kept)
	notices := slices.Concat(d.notices, []models.Notice{notice})
	lines := NoticeLines(slices.Concat(d.entries, chargesOf(notice)), notices, d.customer.Language)
	for _, l := range lines {
		notice.Gross += l.Gross
	}
	return notice, lines, nil
}

// chargesOf returns the entries that a notice posts.
func chargesOf(n models.Notice) []models.Entry {
	fee := models.Entry{
		CreditorID: n.CreditorID, CustomerID: n.CustomerID, InvoiceID: n.InvoiceID, NoticeID: n.ID,
		Type: models.EntryOverdueCharge, Amount: n.Fee, TransactionDate: n.IssueDate,
	}
	interest := fee
	interest.Type, interest.Amount = models.EntryInterest, n.Interest
	return slices.DeleteFunc([]models.Entry{fee, interest}, func(e models.Entry) bool { return e.Amount == 0 })
}
