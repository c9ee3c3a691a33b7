package dunning

import (
	"slices"

	"purr/law"
	"purr/ledger"
	"purr/models"
)

// basis is what a notice's amounts are calculated from.
type basis struct {
	invoice models.Invoice
	entries []models.Entry  // of the invoice itself, oldest first
	notices []models.Notice // on the invoice, oldest first
	letters Letters
}

// draft is a notice that will be sent, before its amounts are calculated.
type draft struct {
	basis
	customer    models.Customer
	policy      models.Policy // for the customer (rule E6e)
	warning     bool
	fee         law.Charge
	free        bool // the request wants neither fee nor compensation
	addInterest bool
	asked       Request // what a person asks for; zero for automatic dunning
	today       models.Date
}

// notice returns the notice of the draft and the sheet behind its amounts. It writes nothing. The caller sets the
// notice's Gross and Sheet.
func (d draft) notice(r *law.Rules) (models.Notice, law.Sheet) {
	sheet := law.Sheet{OverdueCharge: d.charge(r)}
	if d.asked.Actor == "" {
		sheet.Floor = law.FloorOf(d.policy)
	}
	if d.addInterest {
		sheet.Interest = r.Interest(law.NewClaim(d.invoice, d.letters.InvoiceLate, d.entries, d.notices, d.customer, d.policy), d.today)
	}
	return models.Notice{
		CreditorID: d.invoice.CreditorID, CustomerID: d.invoice.CustomerID, InvoiceID: d.invoice.ID, Sequence: d.invoice.Notices + 1,
		IssueDate: d.today, DueDate: NoticeDueDate(d.policy, d.today), Warning: d.warning, Announces: d.announces(r),
		Fee: sheet.OverdueCharge.Amount, Compensation: sheet.OverdueCharge.Compensation, Interest: sheet.Interest.Amount, Comment: d.asked.Comment,
		KID: d.invoice.KID, Recipient: d.customer.Recipient, Language: d.customer.DocumentLanguage(), AskedBy: d.asked.Actor, AskedFee: d.asked.AddFee, AskedInterest: d.asked.AddInterest,
	}, sheet
}

// charge returns what the notice charges besides interest: its fee, or standard compensation if the policy says so
// and the customer is a business (forsinkelsesrenteloven § 3a). Compensation is charged once for an invoice, with
// the first notice, and needs no wait of 14 days. Fees and compensation are set off against each other
// (inkassoforskriften § 1-5). Compensation is the larger, so earlier fees are deducted from it, and later notices
// charge no fee. A notice that a person asks for must also meet condition 2 of rule D27.
func (d draft) charge(r *law.Rules) law.Charge {
	switch {
	case d.free:
		return law.Charge{}
	case slices.ContainsFunc(d.notices, func(n models.Notice) bool { return n.Compensation }):
		return law.Charge{Rule: "inkassoforskriften § 1-5: fees are set off against the standard compensation that was charged before"}
	case !d.policy.Compensation || d.customer.Recipient.OrganisationNumber == "":
		return d.fee
	}
	if c := r.Compensation(d.invoice.DueDate+models.Date(d.letters.InvoiceLate), d.today, ledger.TotalsOf(d.entries).Fees); c.Compensation {
		return c
	}
	return d.fee
}

// announces reports whether the notice is a reminder that replaces the policy's debt-collection warning. By law
// only agencies may send the warning on that day (LOV-2026-05-22-19 § 20). The reminder may still say that the
// claim can go to an agency.
func (d draft) announces(r *law.Rules) bool {
	return !d.warning && !r.OwnWarning(d.today) && d.policy.WarningIs(d.invoice.Notices+1)
}

// write returns the complete notice of the draft, with its sheet and gross, and its lines. It writes nothing to
// the database.
func (d draft) write(r *law.Rules) (models.Notice, []models.NoticeLine, error) {
	notice, sheet := d.notice(r)
	var err error
	if notice.Sheet, err = sheet.JSON(); err != nil {
		return models.Notice{}, nil, err
	}
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
