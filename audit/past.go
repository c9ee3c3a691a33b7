package audit

import (
	"slices"
	"time"

	"purr/audit/reckoning"
	"purr/models"
)

// isCharge reports whether an entry is a fee, compensation or interest, or takes one back.
func isCharge(e models.Entry) bool {
	return e.Type == models.EntryOverdueCharge || e.Type == models.EntryInterest
}

// everBooked returns the entries as they were at a moment, in the order of booking: those that were deleted since are among them.
func (c *Case) everBooked(at time.Time) []models.Entry {
	if len(c.Deleted) == 0 {
		return c.Entries
	}
	all := slices.Clone(c.Entries)
	for _, d := range c.Deleted {
		if d.DeletedAt.Before(at) {
			continue
		}
		all = append(all, models.Entry{
			ID: d.EntryID, CreditorID: c.Invoice.CreditorID, CustomerID: d.CustomerID, InvoiceID: d.InvoiceID, CreditNoteID: d.CreditNoteID, Type: d.Type,
			Amount: d.Amount, TransactionDate: d.TransactionDate, CreatedAt: d.CreatedAt,
		})
	}
	slices.SortFunc(all, func(a, b models.Entry) int { return int(a.ID - b.ID) })
	return all
}

// claimed returns what documents may ask for.
func claimed(s reckoning.Standing) models.Amount {
	return s.Principal + s.Interest + s.Fees - s.Overpaid
}

// knownBefore returns what was owed on the invoice when a notice was issued, by what is known now: what was booked by then, and money that came
// before the notice and was booked later. Of earlier charges counts what still stands, and no more than was booked by then.
func (c *Case) knownBefore(n *Notice) reckoning.Standing {
	money, then, now := c.known(n)
	return reckoning.Allocate(append(money,
		models.Entry{Type: models.EntryOverdueCharge, Amount: max(0, min(then.Fee, now.Fee))},
		models.Entry{Type: models.EntryInterest, Amount: max(0, min(then.Interest, now.Interest))}), 0)
}

// known returns what knownBefore is made of: the money, and what the notices before have charged by what was booked then, and of what stands now.
func (c *Case) known(n *Notice) (money []models.Entry, then, now Charges) {
	booked, _ := c.bookedBefore(n)
	had := make(map[int64]bool, len(booked))
	money = make([]models.Entry, 0, len(c.Entries)+2)
	for _, e := range booked {
		had[e.ID] = true
	}
	for _, e := range c.Entries {
		switch {
		case e.CreditNoteID == 0 && isCharge(e):
			if now.add(e, e.Amount); had[e.ID] {
				then.add(e, e.Amount)
			}
			if e.NoticeID == n.ID || e.NoticeID > n.ID {
				now.add(e, -e.Amount)
			}
		case had[e.ID], e.TransactionDate < n.IssueDate:
			money = append(money, e)
		}
	}
	return money, then, now
}

// add adds an amount to the part that an entry is of.
func (c *Charges) add(e models.Entry, amount models.Amount) {
	if e.Type == models.EntryInterest {
		c.Interest += amount
	} else {
		c.Fee += amount
	}
}

// net returns what stands of a notice's charges: what names it, less what reverses it and names it.
func (c *Case) net(n *Notice) (net Charges) {
	for _, e := range c.Entries {
		if e.NoticeID == n.ID && e.CreditNoteID == 0 && isCharge(e) {
			net.add(e, e.Amount)
		}
	}
	return net
}

// booked returns what a notice posted first: the positive entries that name it.
func (c *Case) booked(n *Notice) (sum Charges) {
	for _, e := range c.Entries {
		if e.NoticeID == n.ID && e.CreditNoteID == 0 && isCharge(e) && e.Amount > 0 {
			sum.add(e, e.Amount)
		}
	}
	return sum
}

// unnamed returns the charges that name no notice: below zero what a person or a credit note reversed and did not restore (rules E3, D21,
// N9). What another system charged is left out (rule L17).
func (c *Case) unnamed() (sum Charges) {
	for _, e := range c.Entries {
		if e.NoticeID == 0 && e.CreditNoteID == 0 && isCharge(e) && e.Adopted == models.NotAdopted {
			sum.add(e, e.Amount)
		}
	}
	return sum
}

// before returns the notices that stood when a notice was issued: those of earlier steps that were not withdrawn by then.
func (c *Case) before(n *Notice) (stood []*Notice) {
	for i := range c.Notices {
		o := &c.Notices[i]
		if o.ID < n.ID && (o.Withdrawn == 0 || o.Withdrawn > n.IssueDate) {
			stood = append(stood, o)
		}
	}
	return stood
}
