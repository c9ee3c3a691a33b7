package dunning

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"purr/law"
	"purr/models"
	"purr/store"
)

// joint is a letter for several invoices before it is written (rule L23). Its drafts name it.
type joint struct{ letter models.Letter }

// alike is what notices have in common that share a letter.
type alike struct {
	customer           int64
	warning, announces bool
	issued, due        models.Date
	method             models.ShipmentMethod
	bounced            int64 // the e-mail in whose place the letter goes
	account, language  string
	recipient          models.Recipient
}

func (d draft) alike() alike {
	a := alike{
		customer: d.notice.CustomerID, warning: d.notice.Warning, announces: d.notice.Announces, issued: d.notice.IssueDate, due: d.notice.DueDate,
		method: d.method, account: d.invoice.BankAccount, language: d.notice.Language, recipient: d.notice.Recipient,
	}
	if d.insteadOfMail() {
		a.bounced = d.letters.Bounced
	}
	return a
}

// joins reports whether the policy lets the notice share a letter (rule L23). What goes by EHF besides is of one invoice, and so is its letter.
func (d draft) joins() bool {
	ehf := d.policy.EHFReminder && d.customer.Recipient.OrganisationNumber != ""
	return d.policy.JointLetters && !ehf && d.asked().Actor == "" && d.invoice.BankAccount != ""
}

// asked returns who asked for the notice, if a person did.
func (d draft) asked() Request { return Request{Actor: d.notice.AskedBy} }

// join lets the notices of each customer share letters that take the same kind of step, with the same days to pay, by the same way: up to
// models.MostJoint of them, the invoice that has been due the longest first. One fee is charged for a letter, on the first invoice that
// bears one. Notices that share no letter stay as they are, and where they are.
func join(drafts []draft) []draft {
	return joinIf(drafts, 2, draft.joins)
}

// joinAgain does what join does with the notices that take the place of a letter, whatever the policy says by now. One alone is a letter too.
func joinAgain(drafts []draft) []draft {
	return joinIf(drafts, 1, func(draft) bool { return true })
}

func joinIf(drafts []draft, least int, joins func(draft) bool) []draft {
	groups := map[alike][]draft{}
	for _, d := range drafts {
		if joins(d) {
			groups[d.alike()] = append(groups[d.alike()], d)
		}
	}
	if len(groups) == 0 {
		return drafts
	}
	all := make([]draft, 0, len(drafts))
	for _, d := range drafts {
		if !joins(d) {
			all = append(all, d)
			continue
		}
		all = append(all, shared(groups[d.alike()], least)...)
		groups[d.alike()] = nil
	}
	return all
}

// shared returns notices that are alike in their letters.
func shared(group []draft, least int) []draft {
	slices.SortFunc(group, func(a, b draft) int {
		return cmp.Or(cmp.Compare(a.invoice.DueDate, b.invoice.DueDate), cmp.Compare(a.invoice.ID, b.invoice.ID))
	})
	for some := range slices.Chunk(group, models.MostJoint) {
		if len(some) < least {
			continue
		}
		letter := &joint{letterOf(some[0].notice)}
		bearer := slices.IndexFunc(some, func(d draft) bool { return d.notice.Fee > 0 })
		for i := range some {
			some[i].joint = letter
			if i != bearer && some[i].notice.Fee > 0 {
				some[i].bearNoFee(some[bearer].invoice)
			}
		}
	}
	return group
}

// letterOf returns the letter of a notice, without its ID, number, KID and sum.
func letterOf(n models.Notice) models.Letter {
	return models.Letter{
		CreditorID: n.CreditorID, CustomerID: n.CustomerID, Warning: n.Warning, IssueDate: n.IssueDate, DueDate: n.DueDate, DaysToPay: int(n.DueDate - n.IssueDate),
		Recipient: n.Recipient, Language: n.Language,
	}
}

// bearNoFee takes the fee off a notice, since the letter's one is charged on another invoice.
func (d *draft) bearNoFee(bearer models.Invoice) {
	d.notice.Gross -= d.notice.Fee
	d.notice.Fee, d.notice.Compensation = 0, false
	d.sheet.OverdueCharge = law.Charge{Rule: fmt.Sprintf("one fee for a letter for several invoices: it is charged on invoice %d", bearer.Number)}
}

// createLetters writes the letters of the drafts, whose notices are complete but not written, and names them on the notices.
func createLetters(ctx context.Context, tx *store.Tx, drafts []draft, notices []models.Notice) error {
	var all []*joint
	for i, d := range drafts {
		if d.joint == nil {
			continue
		}
		if !slices.Contains(all, d.joint) {
			all = append(all, d.joint)
			d.joint.letter.Gross, d.joint.letter.SellerID = 0, notices[i].SellerID
		}
		d.joint.letter.Gross += notices[i].Gross
	}
	if len(all) == 0 {
		return nil
	}
	if err := numberLetters(ctx, tx, all); err != nil {
		return err
	}
	letters := make([]models.Letter, len(all))
	for i, j := range all {
		letters[i] = j.letter
	}
	if err := tx.CreateLetters(ctx, letters); err != nil {
		return err
	}
	var kids []store.Reference
	for i, j := range all {
		if j.letter = letters[i]; j.letter.KID != "" {
			kids = append(kids, store.Reference{CreditorID: j.letter.CreditorID, KID: j.letter.KID, LetterID: j.letter.ID})
		}
	}
	for i, d := range drafts {
		if d.joint != nil {
			notices[i].LetterID = d.joint.letter.ID
		}
	}
	if len(kids) == 0 {
		return nil
	}
	return tx.CreateReferences(ctx, kids)
}

// kidsTogether is how many KIDs of letters are looked up at once, and mostTakenKIDs how many may be taken before a letter has none.
const (
	kidsTogether  = 50
	mostTakenKIDs = 20 * kidsTogether
)

// numberLetters gives letters their numbers and KIDs: the next of the creditor's series of letters whose KID no invoice, credit note or letter
// has (rules D20, L23). Where none is left the letter has a number alone.
func numberLetters(ctx context.Context, tx *store.Tx, all []*joint) error {
	creditorID := all[0].letter.CreditorID
	c, err := tx.Creditor(ctx, creditorID)
	if err != nil {
		return err
	}
	next, err := tx.NextLetterNumber(ctx, creditorID)
	if err != nil {
		return err
	}
	for _, j := range all {
		number, kid, err := freeLetterKID(ctx, tx, c, next)
		if err != nil {
			return err
		}
		j.letter.Number, j.letter.KID, next = number, kid, number+1
	}
	return tx.SetNextLetterNumber(ctx, creditorID, next)
}

// freeLetterKID returns the first number from one on whose KID is free, with it; the number alone if there is none.
func freeLetterKID(ctx context.Context, tx *store.Tx, c models.Creditor, from int64) (int64, string, error) {
	for number := from; number < from+mostTakenKIDs; number += kidsTogether {
		var kids []string
		numbers := map[string]int64{}
		for n := number; n < number+kidsTogether; n++ {
			if kid, is := models.LetterKID(n, c.KIDLength, c.KIDModulus); is {
				kids, numbers[kid] = append(kids, kid), n
			}
		}
		if len(kids) == 0 {
			break
		}
		taken, err := tx.ReferencesOf(ctx, c.ID, kids)
		if err != nil {
			return 0, "", err
		}
		for _, kid := range kids {
			if _, is := taken[kid]; !is {
				return numbers[kid], kid, nil
			}
		}
	}
	return from, "", nil
}

// event returns the event of a new letter for some invoices.
func (j *joint) event(numbers []int64) models.Event {
	l := j.letter
	return models.Event{
		CreditorID: l.CreditorID, Type: models.EventLetterCreated, CustomerID: l.CustomerID, SubjectID: l.ID,
		Text: fmt.Sprintf("Letter %d for %d invoices of one customer: %s owed, due %s", l.Number, len(numbers), l.Gross, l.DueDate),
		Facts: models.Facts{
			"letter_number": l.Number, "is_incasso_notice": l.Warning, "gross_amount": l.Gross, "due_date": l.DueDate, "invoices": numbers,
		},
	}
}
