package dunning

import (
	"context"
	"fmt"

	"purr/calendar"
	"purr/models"
	"purr/store"
)

// Result is what a run did.
type Result struct {
	Documents []models.Document // the notices
	HandOvers int
	HeldBack  bool // something waits for a bank file that is late (rule E6b)
}

// Steps returns how many invoices the run took a step further.
func (r Result) Steps() int { return len(r.Documents) + r.HandOvers }

// pageSize is how many invoices a run reads at once.
const pageSize = 500

// Run takes every invoice of a creditor that is due for a step one step further (rules E6a, E6f): each in
// a transaction of its own, decided on what is locked there. A run that is broken off and made again, or
// made by two at once, takes no step twice. On any day but its own it does nothing: what it left is the
// next day's.
func Run(ctx context.Context, db *store.DB, rules *Rules, c models.Creditor, date models.Date) (Result, error) {
	var result Result
	found, err := look(ctx, db, c, date)
	if err != nil {
		return result, err
	}
	p, err := readPolicies(ctx, db, c)
	if err != nil {
		return result, err
	}
	for _, w := range p.windows(date) {
		var last models.Invoice
		for {
			page, err := db.InvoicesIn(ctx, c.ID, w, last, pageSize)
			if err != nil {
				return result, err
			}
			for _, invoice := range page {
				if p.foundElsewhere(w, invoice) {
					continue
				}
				if err := result.take(ctx, db, rules, c, p.of(invoice.CustomerID), invoice, found, date); err != nil {
					return result, fmt.Errorf("dun invoice %d: %w", invoice.Number, err)
				}
			}
			if len(page) < pageSize {
				break
			}
			last = page[len(page)-1]
		}
	}
	return result, nil
}

// circumstances are what holds for all of a run's invoices.
type circumstances struct {
	filesLate bool
	shielded  shielded
}

func look(ctx context.Context, db *store.DB, c models.Creditor, date models.Date) (found circumstances, err error) {
	if found.filesLate, err = FilesLate(ctx, db, c.ID, date); err != nil {
		return found, err
	}
	found.shielded, err = readShielded(ctx, db, c, date)
	return found, err
}

// state returns what is decided on for one of the invoices.
func (c circumstances) state(invoice models.Invoice, customerHold models.Hold) State {
	return State{
		Invoice: invoice, CustomerHold: customerHold, PaymentInQueue: c.shielded[invoice.CustomerID], FilesLate: c.filesLate,
	}
}

// take takes one invoice a step further, if one is due. What needs no lock to be left alone is. The policy is
// the customer's as it was seen; what is done is done by the one that stands then.
func (r *Result) take(
	ctx context.Context, db *store.DB, rules *Rules, c models.Creditor, p models.Policy, seen models.Invoice, found circumstances, date models.Date,
) error {
	if d := Decide(found.state(seen, models.Hold{}), p, rules, date); d.Action == Nothing {
		r.HeldBack = r.HeldBack || d.Reason == PaymentFileLate
		return nil
	}
	var step Action
	var notice models.Notice
	err := db.InTx(ctx, func(tx *store.Tx) error {
		step = Nothing
		today, err := c.Today(tx.Now)
		if err != nil || today != date {
			return err
		}
		invoice, err := tx.LockInvoice(ctx, c.ID, seen.ID)
		if err != nil {
			return err
		}
		customer, err := tx.Customer(ctx, c.ID, invoice.CustomerID)
		if err != nil {
			return err
		}
		p := customer.Policy.Apply(c.Policy)
		d := Decide(found.state(invoice, customer.Hold), p, rules, date)
		switch step = d.Action; step {
		case Remind, Warn:
			o := order{customer: customer, policy: p, warning: step == Warn, fee: d.Fee, addInterest: d.AddInterest, today: date}
			notice, err = issue(ctx, tx, rules, invoice, o)
		case HandOver:
			_, err = handOver(ctx, tx, invoice, date, "")
		case Nothing:
		}
		return err
	})
	if err != nil {
		return err
	}
	switch step {
	case Remind, Warn:
		r.Documents = append(r.Documents, notice.Document())
	case HandOver:
		r.HandOvers++
	case Nothing:
	}
	return nil
}

// FilesLate reports whether the bank's files are late for a run on a date: the creditor has had one, and
// none reaches the last bank day before the date (rule E6b).
func FilesLate(ctx context.Context, db *store.DB, creditorID int64, date models.Date) (bool, error) {
	latest, err := db.LatestBankDate(ctx, creditorID)
	return err == nil && latest != 0 && latest < calendar.LastBankDayBefore(date), err
}
