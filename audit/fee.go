package audit

import (
	"purr/audit/reckoning"
	"purr/models"
)

// fee asks whether the notice may charge what it charges besides interest.
func (j *judge) fee() {
	n := j.notice
	j.ask(feeAsSheet, !n.plain || n.Fee == n.sheet.Charge.Amount, n.Fee, n.sheet.Charge.Amount)
	j.ask(feeBooked, j.booked(n).Fee == n.Fee, j.booked(n).Fee, n.Fee)
	charged := j.charged(n)
	if charged <= 0 {
		j.ask(feeBelowZero, n.Fee == 0, n.Fee, models.Amount(0))
		return
	}
	j.ask(feeNotAsked, n.automatic() || n.AskedFee, charged, models.Amount(0))
	j.jointFee(charged)
	most := j.most(n, false)
	if n.Compensation {
		j.compensation(charged, most)
		return
	}
	highest := j.Of.Law.FeeCap(j.Invoice.DueDate, n.IssueDate, n.kind())
	j.backFee(j.ask(feeAboveCap, charged <= highest.Most, charged, highest.Most), highest.Most)
	if n.plain && highest.Known && highest.Rule == reckoning.FeeCap {
		j.ask(sheetMaximum, n.sheet.Charge.Maximum == highest.Most || n.sheet.Charge.Maximum == 0, n.sheet.Charge.Maximum, highest.Most)
	}
	for _, r := range []struct {
		code Code
		rule reckoning.FeeRule
	}{
		{feeTooEarly, reckoning.FeeTooEarly},
		{thirdFee, reckoning.FeeThird},
		{secondWarningFee, reckoning.FeeSecondWarning},
		{feeNoDeadline, reckoning.FeeNoDeadline},
		{feeDeadlineRuns, reckoning.FeeDeadlineRuns},
		{feeBesideCompensation, reckoning.FeeCompensated},
		{feeInDispute, reckoning.FeeDisputed},
	} {
		j.backFee(j.ask(r.code, most.Rule != r.rule, charged, models.Amount(0)), 0)
	}
	if most.Rule == reckoning.FeeCap {
		day := j.feeDay(n, false)
		j.backFee(j.ask(secondFeeTooEarly, n.IssueDate >= day, n.IssueDate, day), 0)
	}
	if n.inForce() && most.Rule == reckoning.FeeCap {
		now := j.most(n, true)
		j.backFee(j.ask(feeNow, now.Rule == reckoning.FeeCap, now.Rule, reckoning.FeeCap).stands(), 0)
		day := j.feeDay(n, true)
		j.backFee(j.ask(feeTooEarlyNow, n.IssueDate >= day, n.IssueDate, day).stands(), 0)
	}
	if p, sure := j.policyAt(n.CreatedAt); sure && p.Fee != nil {
		j.backFee(j.ask(feeAbovePolicy, charged <= *p.Fee, charged, *p.Fee), *p.Fee)
	}
}

// charged returns the most that anything says of what a notice charges besides interest: its row, its first calculation, or the books.
func (c *Case) charged(n *Notice) models.Amount {
	most := max(n.Fee, c.booked(n).Fee)
	if n.plain {
		most = max(most, n.sheet.Charge.Amount)
	}
	return most
}

// feeDay returns the first day on which a notice may bear a fee by rules D27 and E6d: 14 days after the last document's deadline, as was known
// then or is known now.
func (j *judge) feeDay(n *Notice, now bool) models.Date {
	last := j.Invoice.DueDate
	if n.automatic() {
		if last += lateThen(j.Originals, j.Invoice.IssueDate, n.CreatedAt); now {
			last = j.Invoice.DueDate + j.lateFor(n)
		}
	}
	for _, o := range j.before(n) {
		switch {
		case now && !o.inForce():
		case now:
			last = max(last, runsNow(o))
		default:
			last = max(last, j.runsThen(o, n))
		}
	}
	if n.automatic() {
		last = reckoning.Shift(last)
	}
	return reckoning.FirstFeeDay(last)
}

// most returns the most that a notice's fee may be by the act, as was known when it was issued, or as is known now.
func (j *judge) most(n *Notice, now bool) reckoning.Cap {
	claim := reckoning.FeeClaim{Due: j.Invoice.DueDate}
	if n.automatic() {
		claim.Due = j.dueThen(n)
		if now {
			claim.Due = reckoning.Shift(j.Invoice.DueDate + j.lateFor(n))
		}
	}
	for _, s := range j.Stops {
		claim.Disputed = claim.Disputed || s.Kind == models.StandsDisputed && stopped(s, n)
	}
	var letters []reckoning.Letter
	for _, o := range j.before(n) {
		if now && !o.inForce() {
			continue
		}
		claim.Compensation = claim.Compensation || o.Compensation && o.Fee > 0
		l := reckoning.Letter{Kind: o.kind(), Left: o.IssueDate, Deadline: o.DueDate, Fee: o.Fee}
		if o.Compensation {
			l.Fee = 0
		}
		if now {
			l.Left += lateNow(o.Sent, o.IssueDate)
		}
		letters = append(letters, l)
	}
	return j.Of.Law.Fee(claim, letters, n.kind(), n.IssueDate)
}

// compensation asks for a standard compensation that is charged, given what a fee in its place might have been (forsinkelsesrenteloven § 3a).
func (j *judge) compensation(charged models.Amount, fee reckoning.Cap) {
	n := j.notice
	inItsPlace := models.Amount(0)
	if fee.Rule == reckoning.FeeCap {
		inItsPlace = fee.Most
	}
	j.backFee(j.ask(compensationToPerson, n.business(), charged, inItsPlace), min(charged, inItsPlace))
	twice := false
	for _, o := range j.before(n) {
		twice = twice || o.Compensation && o.Fee > 0
	}
	j.backFee(j.ask(compensationTwice, !twice, charged, models.Amount(0)), 0)
	figure := j.Of.Law.Compensation(reckoning.Shift(j.Invoice.DueDate+lateThen(j.Originals, j.Invoice.IssueDate, n.CreatedAt))+1, n.IssueDate)
	booked, sure := j.bookedBefore(n)
	if !sure || !figure.Known {
		j.unknown(compensationAbove)
		return
	}
	fees := models.Amount(0)
	for _, e := range booked {
		if e.Type == models.EntryOverdueCharge && e.CreditNoteID == 0 {
			fees += e.Amount
		}
	}
	most, safe := reckoning.SetOff(figure.Most, fees), reckoning.SetOff(figure.Safe, fees)
	j.backFee(j.ask(compensationAbove, charged <= most, charged, safe), safe)
	if charged <= most {
		j.ask(compensationDoubt, charged <= safe, charged, safe)
	}
}

// jointFee asks for the one fee of a letter that several invoices share (rule L23).
func (j *judge) jointFee(charged models.Amount) {
	n := j.notice
	if n.Letter == nil {
		return
	}
	first := n.ID
	for _, o := range n.Sharing {
		if o.Fee > 0 {
			first = min(first, o.ID)
		}
	}
	j.backFee(j.ask(jointFeeTwice, first == n.ID, charged, models.Amount(0), row("overdue_notices", n.ID), row("letters", n.LetterID)), 0)
}
