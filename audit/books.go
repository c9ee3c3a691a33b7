package audit

import (
	"slices"

	"purr/audit/reckoning"
	"purr/models"
)

// books asks whether the invoice's rows agree with its ledger, and its charges with its notices.
func (j *judge) books() {
	i := j.Invoice
	rows := []named{row("invoices", i.ID)}
	sum, invoiced, principal := models.Amount(0), models.Amount(0), models.Amount(0)
	var strange named
	for _, e := range j.Entries {
		if e.CreditNoteID != 0 {
			continue
		}
		sum += e.Amount
		if e.Type == models.EntryInvoice {
			invoiced += e.Amount
		}
		if !isCharge(e) {
			principal += e.Amount
		}
	}
	for _, e := range j.Entries {
		if e.CustomerID != i.CustomerID || e.CreditorID != i.CreditorID {
			strange = row("entries", e.ID)
		}
	}
	j.ask(balanceWrong, sum == i.Balance, i.Balance, sum, rows...)
	j.ask(entryOwner, strange == (named{}), strange, "", rows...)
	j.credits(rows)
	if !i.Adopted {
		j.ask(invoiceEntry, invoiced == i.Gross, invoiced, i.Gross, rows...)
		most := i.Gross
		for _, c := range j.Credits {
			most -= c.Gross
		}
		j.ask(principalAboveGross, principal-i.RepaymentOwed <= max(0, most), principal-i.RepaymentOwed, max(0, most), rows...)
	}
	owed := reckoning.Allocate(j.Entries, i.WrittenOff).Repayment
	j.ask(repaymentOwed, owed == i.RepaymentOwed, i.RepaymentOwed, owed, rows...)
	j.moves()
	j.charges(rows)
	j.counts(rows)
}

// credits asks whether each credit note agrees with its entries, and whether no more is credited than was invoiced.
func (j *judge) credits(rows []named) {
	credited := models.Amount(0)
	for _, c := range j.Credits {
		sum := models.Amount(0)
		for _, e := range j.Entries {
			if e.CreditNoteID == c.ID {
				sum += e.Amount
			}
		}
		credited += c.Gross
		j.ask(creditBalance, sum == c.Balance, c.Balance, sum, row("credit_notes", c.ID))
	}
	if len(j.Credits) > 0 {
		j.ask(creditedTooMuch, credited <= j.Invoice.Gross, credited, j.Invoice.Gross, rows...)
	}
}

// moves asks whether each credit that was moved to the invoice was taken away elsewhere (rule L5): each øre has one owner. Where the money of
// which the credit was is taken back, so is the move (rule D96): no principal is owed on the invoice from which it came, beyond what a run wrote off.
func (j *judge) moves() {
	for _, e := range j.Entries {
		if e.MovedFrom == 0 {
			continue
		}
		away := j.Sources[e.MovedFrom]
		rows := []named{row("entries", e.ID), row("entries", e.MovedFrom)}
		j.ask(movePair, away.Amount == -e.Amount, away.Amount, -e.Amount, rows...)
		giver, there := j.Givers[away.InvoiceID]
		from := j.Elsewhere[giver.Document()]
		if !there || away.CreditNoteID != 0 || len(from) == 0 {
			continue
		}
		owes := -giver.WrittenOff
		for _, e := range from {
			if !isCharge(e) {
				owes += e.Amount
			}
		}
		j.ask(moveUncovered, owes <= 0, -e.Amount, owes, rows...)
	}
}

// charges asks whether what is charged is what the notices say, less what was reversed (rules L2, L4, E6c).
func (j *judge) charges(rows []named) {
	named := map[int64]bool{0: true}
	for i := range j.Notices {
		n := &j.Notices[i]
		named[n.ID] = true
		if n.Adopted || n.sheet.Adopted {
			continue
		}
		j.notice = n
		net := j.net(n)
		switch {
		case !n.inForce():
			j.backAll(j.ask(withdrawnStands, net.Fee <= 0 && net.Interest <= 0, net.Sum(), models.Amount(0)).stands())
		case !n.plain:
			j.unknown(chargesNotAsSheet)
		default:
			right := Charges{n.last.Charge.Amount, n.last.Interest.Amount}
			j.ask(chargesNotAsSheet, net == right, net.Sum(), right.Sum()).back(net, right)
		}
		j.notice = nil
	}
	var others Charges
	for _, e := range j.Entries {
		if isCharge(e) && e.CreditNoteID == 0 && !named[e.NoticeID] {
			others.add(e, e.Amount)
		}
	}
	f := j.ask(chargeOfOther, others == Charges{}, others.Sum(), models.Amount(0), rows...)
	f.back(others, Charges{})
	loose := j.unnamed()
	f = j.ask(chargeWithoutNotice, loose.Fee <= 0 && loose.Interest <= 0, max(0, loose.Fee)+max(0, loose.Interest), models.Amount(0), rows...)
	f.back(loose, Charges{})
	var all Charges
	for _, e := range j.Entries {
		if isCharge(e) && e.CreditNoteID == 0 {
			all.add(e, e.Amount)
		}
	}
	j.ask(takenBackTooMuch, all.Fee >= 0 && all.Interest >= 0, min(all.Fee, all.Interest), models.Amount(0), rows...)
}

// counts asks whether the invoice's row says of its notices what they are.
func (j *judge) counts(rows []named) {
	i := j.Invoice
	var last *Notice
	steps := map[int]bool{}
	for k := range j.Notices {
		if n := &j.Notices[k]; n.inForce() {
			if last == nil || n.Sequence > last.Sequence {
				last = n
			}
			steps[n.Sequence] = true
		}
	}
	count, warned, deadline := 0, false, i.DueDate
	if last != nil {
		count, warned, deadline = last.Sequence, last.Warning, max(last.DueDate, last.CountsUntil)
	}
	j.ask(invoiceSteps, i.Notices == count && i.Warned == warned, i.Notices, count, rows...)
	j.ask(invoiceDeadline, i.Deadline == deadline, i.Deadline, deadline, rows...)
	gap := 0
	for step := range steps {
		skipped := step > 1 && !steps[step-1] && !slices.ContainsFunc(j.Notices, func(n Notice) bool { return n.Sequence == step-1 })
		if skipped {
			gap = step - 1
		}
	}
	j.ask(stepSkipped, gap == 0, gap, "", rows...)
}
