package dunning

import (
	"context"
	"fmt"
	"slices"

	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// basis is what a notice is reckoned from.
type basis struct {
	invoice  models.Invoice
	customer models.Customer
	policy   models.Policy // for the customer (rule E6e)
	language string        // of documents to the customer (rule L24)
	letters  Letters
	entries  []models.Entry  // of the invoice and its credit notes, oldest first
	notices  []models.Notice // on the invoice, oldest first
}

// readBasis reads the basis of a notice that a person asks for, and what becomes of the invoice's letters.
func readBasis(ctx context.Context, v store.View, c models.Creditor, customer models.Customer, invoice models.Invoice, today models.Date) (basis, post, error) {
	sent, err := readPostOf(ctx, v, c, invoice, today)
	if err != nil {
		return basis{}, post{}, err
	}
	invoice.Deadline = sent.runsUntil(invoice)
	b := basis{invoice: invoice, letters: sent.Letters, customer: customer, policy: customer.Policy.Apply(c.Policy), language: c.LanguageOf(customer)}
	if b.entries, err = v.EntriesOfInvoiceAndCreditNote(ctx, invoice.ID); err != nil {
		return basis{}, post{}, err
	}
	b.notices, err = v.NoticesOf(ctx, invoice.ID)
	return b, sent, err
}

// tooLate returns the notice whose letter left too late to bear another step, and false if there is none or nothing is owed (rule D94).
func (b basis) tooLate(sent post) (models.Notice, bool) {
	i := slices.IndexFunc(b.notices, func(n models.Notice) bool { return n.ID == sent.tooLate })
	if i < 0 || b.invoice.Closed != models.NotClosed || b.invoice.HandedOver != 0 || b.invoice.Claimed() <= 0 {
		return models.Notice{}, false
	}
	return b.notices[i], true
}

// takeBack takes a notice back, as withdraw does, and returns its fee and interest that were left.
func (b *basis) takeBack(n models.Notice) models.Amount {
	charged := chargedBy(b.entries, n)
	n.Fee, n.Interest = -charged.Fees, -charged.Interest
	b.entries = slices.Concat(b.entries, chargesOf(n))
	b.notices = slices.DeleteFunc(slices.Clone(b.notices), func(o models.Notice) bool { return o.ID == n.ID })
	b.invoice = before(b.invoice, b.notices)
	b.invoice.Balance -= charged.Fees + charged.Interest
	b.letters.NoticeUntil = 0
	return charged.Fees + charged.Interest
}

// order says which notice is to be made.
type order struct {
	warning     bool
	fee         law.Charge
	free        bool // neither fee nor compensation is wanted
	addInterest bool
	method      models.ShipmentMethod // of automatic dunning; empty is on paper
	asked       Request               // what a person asks for; zero for automatic dunning
}

// decided returns the order of automatic dunning, which decides on a reminder or a warning.
func decided(d Decision) order {
	return order{warning: d.Action == Warn, fee: d.Fee, addInterest: d.AddInterest, method: d.Method}
}

// requested returns the order of a person. The fee counts from the deadline as it is, not moved off weekends (rule E6d).
func (b basis) requested(r *law.Rules, req Request, on models.Date) order {
	o := order{warning: req.Warning, free: !req.AddFee, addInterest: req.AddInterest, asked: req}
	if req.AddFee {
		o.fee = r.Fee(b.policy, b.invoice.DueDate, b.invoice.Deadline, on)
	}
	return o
}

// draft is a notice before it is written. The run and a person's request write it, plan, forecast, course and preview show it.
type draft struct {
	basis
	method models.ShipmentMethod // by which it goes (rule L22)
	notice models.Notice         // without its ID, seller and sheet; its Gross is what the invoice claims with it
	sheet  law.Sheet             // behind its amounts
	joint  *joint                // the letter that it shares, or nil (rule L23)
}

// draft makes the draft of the ordered notice, issued on a day.
func (b basis) draft(r *law.Rules, o order, on models.Date) draft {
	sheet := law.Sheet{OverdueCharge: b.charge(r, o, on)}
	if o.asked.Actor == "" {
		sheet.Floor = law.FloorOf(b.policy)
	}
	if o.addInterest {
		sheet.Interest = r.Interest(law.NewClaim(b.invoice, b.letters.InvoiceLate, b.entries, b.notices, b.customer, b.policy), on)
	}
	fee, interest := sheet.OverdueCharge.Amount, sheet.Interest.Amount
	return draft{basis: b, sheet: sheet, method: b.way(o), notice: models.Notice{
		CreditorID: b.invoice.CreditorID, CustomerID: b.invoice.CustomerID, InvoiceID: b.invoice.ID, Sequence: b.invoice.Notices + 1,
		IssueDate: on, DueDate: NoticeDueDate(b.policy, on), Warning: o.warning, Announces: b.announces(r, o, on),
		Fee: fee, Compensation: sheet.OverdueCharge.Compensation, Interest: interest, Gross: b.invoice.Claimed() + fee + interest,
		KID: b.invoice.KID, Recipient: b.customer.Recipient, Language: b.language, Comment: o.asked.Comment,
		AskedBy: o.asked.Actor, AskedFee: o.asked.AddFee, AskedInterest: o.asked.AddInterest, AskedMethod: o.asked.Method,
	}}
}

// charge returns what the notice charges besides interest: its fee, or standard compensation if the policy says so
// and the customer is a business (forsinkelsesrenteloven § 3a). Compensation is charged once for an invoice, with
// the first notice, and needs no wait of 14 days. Fees and compensation are set off against each other
// (inkassoforskriften § 1-5). Compensation is the larger, so earlier fees are deducted from it, and later notices
// charge no fee. A notice that a person asks for must also meet condition 2 of rule D27.
func (b basis) charge(r *law.Rules, o order, on models.Date) law.Charge {
	switch {
	case o.free:
		return law.Charge{}
	case slices.ContainsFunc(b.notices, func(n models.Notice) bool { return n.Compensation }):
		return law.Charge{Rule: "inkassoforskriften § 1-5: fees are set off against the standard compensation that was charged before"}
	case !b.policy.Compensation || b.customer.Recipient.OrganisationNumber == "":
		return o.fee
	}
	if c := r.Compensation(b.invoice.DueDate+models.Date(b.letters.InvoiceLate), on, ledger.TotalsOf(b.entries).Fees); c.Compensation {
		return c
	}
	return o.fee
}

// announces reports whether the notice is a reminder that replaces the policy's debt-collection warning. By law
// only agencies may send the warning on that day (LOV-2026-05-22-19 § 20). The reminder may still say that the
// claim can go to an agency.
func (b basis) announces(r *law.Rules, o order, on models.Date) bool {
	return !o.warning && !r.OwnWarning(on) && b.policy.WarningIs(b.invoice.Notices+1)
}

// complete returns the notice with its sheet, and its lines. Its Gross is their sum.
func (d draft) complete() (models.Notice, []models.NoticeLine, error) {
	sheet, err := d.sheet.JSON()
	if err != nil {
		return models.Notice{}, nil, err
	}
	n := d.notice
	n.Sheet = sheet
	lines := ledger.NoticeLines(slices.Concat(d.entries, chargesOf(n)), slices.Concat(d.notices, []models.Notice{n}), d.language)
	n.Gross = 0
	for _, l := range lines {
		n.Gross += l.Gross
	}
	return n, lines, nil
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

// created returns the event of a new notice on an invoice, and of the letter that it shares, if any.
func created(n models.Notice, invoice models.Invoice, letter *joint) models.Event {
	e := models.Event{
		CreditorID: n.CreditorID, Type: models.EventNoticeCreated, Actor: n.AskedBy, InvoiceID: n.InvoiceID, CustomerID: n.CustomerID, SubjectID: n.ID,
		Text: fmt.Sprintf("%s %d on invoice %d: %s owed, of that fee %s and interest %s, due %s",
			Title(n), n.Sequence, invoice.Number, n.Gross, n.Fee, n.Interest, n.DueDate),
		Facts: models.Facts{
			"invoice_number": invoice.Number, "sequence_number": n.Sequence, "is_incasso_notice": n.Warning,
			"overdue_charge": n.Fee, "interest": n.Interest, "gross_amount": n.Gross, "due_date": n.DueDate,
		},
	}
	if letter != nil {
		e.Facts["letter_number"] = letter.letter.Number
	}
	return e
}

// Title returns the name of a notice in events and logs.
func Title(n models.Notice) string {
	if n.Warning {
		return "Debt-collection warning"
	}
	return "Reminder"
}
