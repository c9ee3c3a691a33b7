package audit

import (
	"slices"
	"strings"

	"purr/audit/reckoning"
	"purr/models"
)

// letter asks whether the letter went to the right person, arrived, and says what the rows say.
func (j *judge) letter() {
	n := j.notice
	j.backAll(j.ask(otherCustomer, n.CustomerID == j.Invoice.CustomerID && n.CreditorID == j.Invoice.CreditorID, n.CustomerID, j.Invoice.CustomerID))
	j.recipient()
	j.reached()
	j.ask(otherKID, n.KID == j.Invoice.KID, n.KID, j.Invoice.KID)
	sum := n.PDF
	if n.Letter != nil {
		sum = n.Letter.PDF
	}
	switch _, left := leftFirst(n.Sent); {
	case sum != "":
		j.ask(shaMalformed, len(sum) == 64 && strings.Trim(sum, "0123456789abcdef") == "", sum, "")
	case left && n.EHF == "":
		j.unknown(shaMalformed)
	}
	j.sums()
	if n.Letter != nil {
		j.joint()
	}
}

// address is what of a recipient a letter needs.
func address(r models.Recipient) string {
	return strings.Join([]string{r.Name1, r.Name2, r.Address1, r.Address2, r.PostalCode, r.PostalName, r.CountryCode, r.OrganisationNumber}, "\n")
}

// recipient asks whether the notice is to the customer as it was on its day, and its letter to the same address (rule L6).
func (j *judge) recipient() {
	n := j.notice
	to := address(n.Recipient)
	moved := slices.ContainsFunc(j.Moves, func(e models.Event) bool { return !surelyBefore(e.At, n.CreatedAt) })
	switch is := address(j.Customer.Recipient); {
	case to == is:
		j.ask(otherRecipient, true, "", "")
	case moved || j.Customer.ID == 0:
		j.unknown(otherRecipient)
	default:
		j.ask(otherRecipient, false, oneLine(n.Recipient), oneLine(j.Customer.Recipient), row("overdue_notices", n.ID), row("customers", n.CustomerID))
	}
	for _, s := range n.Sent {
		if s.RetriedAt != nil { // a person may have sent it elsewhere (rule N8)
			continue
		}
		// Shipments of earlier releases have no organisation number.
		a, b := s.Recipient, n.Recipient
		a.OrganisationNumber, b.OrganisationNumber = "", ""
		elsewhere := j.Customer.Recipient // a letter that came back goes to where the customer is by then (rule N8)
		elsewhere.OrganisationNumber = ""
		j.ask(otherAddress, address(a) == address(b) || s.FallbackOf != 0 && address(a) == address(elsewhere), oneLine(a), oneLine(b), row("overdue_notices", n.ID), row("shipments", s.ID))
	}
}

// oneLine writes a recipient on one line.
func oneLine(r models.Recipient) string {
	return strings.Join([]string{r.Name1, r.Address1, r.PostalCode, r.PostalName}, ", ")
}

// reached asks whether the letter of a notice in force has left, or still will (rule L2): a fee is for a letter that was sent
// (inkassoforskriften § 1-2).
func (j *judge) reached() {
	n := j.notice
	if !n.inForce() {
		return
	}
	owed, back := false, false
	_, left := leftFirst(n.Sent)
	for _, s := range n.Sent {
		owed = owed || s.State == models.ShipmentOwed
		back = back || s.State == models.ShipmentReturned
	}
	state := "no shipment"
	if len(n.Sent) > 0 {
		state = string(n.Sent[len(n.Sent)-1].State)
	}
	j.backFee(j.ask(neverLeft, left || owed || back, state, models.ShipmentSent), 0)
	if !left && !owed && back {
		j.ask(cameBack, false, state, models.ShipmentDelivered)
	}
}

// sums asks whether the letter's lines add up, and ask for what was owed (rule D28).
func (j *judge) sums() {
	n := j.notice
	sum, principal, typed := models.Amount(0), models.Amount(0), true
	missing := ""
	for _, l := range n.Lines {
		sum += l.Gross
		if l.Type == "" {
			typed = false
			continue
		}
		if l.Type != models.EntryOverdueCharge && l.Type != models.EntryInterest {
			principal += l.Gross
		}
		if !j.isBooked(l) {
			missing = string(l.Type) + " " + l.Gross.String() + " " + l.TransactionDate.String()
		}
	}
	j.ask(linesSum, sum == n.Gross, n.Gross, sum)
	if !typed || j.Invoice.Adopted {
		j.unknown(lineNotBooked)
	} else {
		j.ask(asksAboveGross, principal <= j.Invoice.Gross, principal, j.Invoice.Gross)
		j.ask(lineNotBooked, missing == "", missing, "")
	}
	booked, sure := j.bookedBefore(n)
	if !sure {
		j.unknown(asksTooMuch)
		return
	}
	owed := claimed(reckoning.Allocate(booked, 0)) + n.Fee + n.Interest
	j.ask(asksTooMuch, n.Gross <= owed, n.Gross, owed)
	j.ask(asksTooLittle, n.Gross >= owed, n.Gross, owed)
}

// isBooked reports whether a line of the notice is an entry of the invoice, or was one. Of what was paid out a line may show a part (rule D96).
func (j *judge) isBooked(l models.NoticeLine) bool {
	same := func(t models.EntryType, amount models.Amount, on models.Date) bool {
		part := l.Gross > 0 && amount >= l.Gross && t != models.EntryInvoice && t != models.EntryOverdueCharge && t != models.EntryInterest
		return t == l.Type && on == l.TransactionDate && (amount == l.Gross || part)
	}
	return slices.ContainsFunc(j.Entries, func(e models.Entry) bool { return same(e.Type, e.Amount, e.TransactionDate) }) ||
		len(j.Deleted) > 0 && slices.ContainsFunc(j.everBooked(j.notice.CreatedAt.Add(-clocksApart)), func(e models.Entry) bool { return same(e.Type, e.Amount, e.TransactionDate) })
}

// joint asks whether a letter that several invoices share says what their notices say (rule L23).
func (j *judge) joint() {
	n := j.notice
	sum, alike := models.Amount(0), true
	for _, o := range n.Sharing {
		sum += o.Gross
		alike = alike && o.CustomerID == n.CustomerID && o.IssueDate == n.Letter.IssueDate && o.DueDate == n.Letter.DueDate && o.Warning == n.Letter.Warning
	}
	rows := []named{row("overdue_notices", n.ID), row("letters", n.LetterID)}
	j.ask(jointSum, sum == n.Letter.Gross, n.Letter.Gross, sum, rows...)
	j.ask(jointUnlike, alike && len(n.Sharing) <= models.MostJoint, len(n.Sharing), models.MostJoint, rows...)
	j.ask(jointAddress, address(n.Letter.Recipient) == address(n.Recipient), oneLine(n.Letter.Recipient), oneLine(n.Recipient), rows...)
}
