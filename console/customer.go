package console

import (
	"context"
	"html/template"
	"strconv"

	"purr/console/locale"
	"purr/dunning"
	"purr/ledger"
	"purr/ledger/receivables"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/register"
	"purr/store"
)

// customerPage shows a customer: what it owes, how it pays, and what was sent to it.
type customerPage struct {
	view
	Customer models.Customer
	Today    models.Date
	Balance  models.Amount
	Owed     models.Amount // on open invoices
	Overdue  models.Amount
	Credit   models.Amount // free credit, which can be moved to open invoices or paid back
	Reserved models.Amount // how much of it is reserved for repayments
	Overpaid int64         // the number of the last invoice with free credit, or zero
	Habit    receivables.Habit
	Perhaps  perhapsPart
	Holds    int // held invoices of those that are open
	Tabs     []link
	Tab      string
	Invoices []models.Invoice
	Payments []store.StatementEntry
	Letters  []store.SentLetter
	Rows     template.HTML // the number of the tab's rows, and their sum
	Older    string        // the path of the older rows; empty if there are none

	SeenCredit models.Seen // the credit, and what it can be moved to
}

func (s *Server) customerPage(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("id")
	if err != nil {
		return reply{}, err
	}
	p := &customerPage{Today: rq.today(), Tab: "invoices"}
	err = s.db.View(ctx, func(v store.View) error {
		if p.Customer, err = v.Customer(ctx, rq.creditor.ID, id); err != nil {
			return err
		}
		p.view = rq.view("customer.title", "name", nameOrNumber(rq, p.Customer))
		if err := p.readDebt(ctx, v); err != nil {
			return err
		}
		if p.Customer.Hold.Active(p.Today) { // only its release is a form of this page
			if err := p.lookAt(ctx, v, models.Thing{Kind: models.ThingCustomerHold, ID: id}); err != nil {
				return err
			}
		}
		if err := p.readQueue(ctx, v); err != nil {
			return err
		}
		return p.readTab(ctx, v)
	})
	if err != nil {
		return reply{}, err
	}
	return show("customer", p)
}

// readDebt reads what the customer owes, and how it pays.
func (p *customerPage) readDebt(ctx context.Context, v store.View) error {
	of, id := p.Creditor.ID, p.Customer.ID
	open, err := v.InvoicesWithBalance(ctx, of, id)
	if err != nil {
		return err
	}
	if p.Habit, err = receivables.HabitOfCustomer(ctx, v, of, id); err != nil {
		return err
	}
	notes, err := v.CreditNotesWithBalance(ctx, of, id)
	if err != nil {
		return err
	}
	reserved, err := v.Reserved(ctx, of, id)
	if err != nil {
		return err
	}
	p.Reserved = reserved[id]
	for _, n := range notes {
		p.Balance += n.Balance
	}
	p.Credit, p.SeenCredit = ledger.FreeCredit(open, notes), ledger.LookAtCredit(open, notes, p.Reserved)
	for _, i := range open {
		if p.Balance += i.Balance; i.Free() > 0 {
			p.Overpaid = i.Number
		}
		if i.Balance <= 0 || i.Closed != models.NotClosed {
			continue
		}
		p.Owed += i.Balance
		if i.DueDate < p.Today {
			p.Overdue += i.Claimed() // a repayment is due when it is asked for (rule D96)
		}
		if i.Hold.Active(p.Today) {
			p.Holds++
		}
	}
	return nil
}

// readQueue reads which payments in the queue may be the customer's, if any wait.
func (p *customerPage) readQueue(ctx context.Context, v store.View) error {
	waiting, err := p.rq.waiting(ctx)
	if err != nil || waiting.Payments == 0 {
		return err
	}
	queue, err := unmatched.PaymentsPerhapsOf(ctx, v, p.Creditor, p.Customer.ID, mostPerhaps)
	if err != nil {
		return err
	}
	p.Perhaps = p.perhaps(queue, p.Customer, nil)
	return nil
}

// HeldSince returns since when letters to the customer are held.
func (p *customerPage) HeldSince() template.HTML {
	return locale.Moment(*p.Customer.LettersHeld.Since, p.rq.zone)
}

// Early returns for how many days the customer usually pays too early.
func (p *customerPage) Early() int { return -p.Habit.DaysLate }

// customerHoldPage asks why and until when a customer is put on hold.
type customerHoldPage struct {
	view
	Customer models.Customer
	Hold     models.Hold // what stops dunning now, if anything does
	Seen     models.Seen // how often somebody has held or released the customer
}

func (s *Server) customerHoldForm(ctx context.Context, rq *request) (reply, error) {
	c, err := s.customerOf(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	p := &customerHoldPage{view: rq.view("customer.hold_title", "name", c.Recipient.Name1), Customer: c}
	if c.Hold.Active(rq.today()) {
		p.Hold = c.Hold
	}
	if p.Seen, err = s.db.Look(ctx, rq.creditor.ID, models.Thing{Kind: models.ThingCustomerHold, ID: c.ID}); err != nil {
		return reply{}, err
	}
	return show("customer_hold", p)
}

// customerOf reads the customer in the path.
func (s *Server) customerOf(ctx context.Context, rq *request) (models.Customer, error) {
	id, err := rq.pathID("id")
	if err != nil {
		return models.Customer{}, err
	}
	return s.db.Customer(ctx, rq.creditor.ID, id)
}

// ofCustomer returns the path of a page of the customer.
func (rq *request) ofCustomer(id int64, page string) string {
	return rq.base + "/customers/" + strconv.FormatInt(id, 10) + page
}

func (s *Server) holdCustomer(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("id")
	if err != nil {
		return reply{}, err
	}
	f := rq.fields()
	h := models.Hold{Until: f.date("until"), Reason: models.HoldReason(f.text("reason")), Comment: f.text("comment")}
	if err := f.done(h.Validate(rq.today())); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		c, err := tx.LockCustomer(ctx, rq.creditor.ID, id)
		if err != nil {
			return done{}, err
		}
		if _, err := dunning.HoldCustomer(ctx, tx, rq.creditor, id, h, rq.actor(), rq.seen()); err != nil {
			return done{}, err
		}
		said := rq.undoable(rq.ofCustomer(id, "/release"), "customer.held", "name", c.Recipient.Name1)
		if c.Hold.Active(rq.today()) {
			said.Undo, said.With = rq.ofCustomer(id, "/hold"), typedCustomerHold(c.Hold)
		}
		if said, err = said.undoes(ctx, tx, rq.creditor.ID, models.ThingCustomerHold, id); err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.ofCustomer(id, "")), message: said}, nil
	})
}

// releaseCustomer ends a hold. Its undo is a hold like the one that was.
func (s *Server) releaseCustomer(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("id")
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		c, err := tx.LockCustomer(ctx, rq.creditor.ID, id)
		if err != nil {
			return done{}, err
		}
		if err := dunning.ReleaseCustomer(ctx, tx, rq.creditor, id, rq.actor(), rq.seen()); err != nil {
			return done{}, err
		}
		said := rq.said("customer.released", "name", c.Recipient.Name1)
		if !c.Hold.Active(rq.today()) {
			return done{to: rq.back(rq.ofCustomer(id, "")), message: said}, nil
		}
		said.Undo, said.With = rq.ofCustomer(id, "/hold"), typedCustomerHold(c.Hold)
		if said, err = said.undoes(ctx, tx, rq.creditor.ID, models.ThingCustomerHold, id); err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.ofCustomer(id, "")), message: said}, nil
	})
}

// typedCustomerHold returns the form that puts a customer on hold as it was.
func typedCustomerHold(h models.Hold) map[string]string {
	return map[string]string{"until": h.Until.String(), "reason": string(h.Reason), "comment": h.Comment}
}

// releaseLetters lets letters go to the customer again.
func (s *Server) releaseLetters(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("id")
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		if err := register.ReleaseLetters(ctx, tx, rq.creditor.ID, id, rq.actor(), rq.seen()); err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.ofCustomer(id, "")), message: rq.said("customer.letters_released")}, nil
	})
}

// settleCustomer moves the customer's free credit to its open invoices.
func (s *Server) settleCustomer(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("id")
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		if _, err := tx.Customer(ctx, rq.creditor.ID, id); err != nil {
			return done{}, err
		}
		moves, err := ledger.MoveCredit(ctx, tx, rq.creditor.ID, id, rq.today(), rq.actor(), nil, rq.seen())
		if err != nil {
			return done{}, err
		}
		var sum models.Amount
		for _, m := range moves {
			sum += m.Amount
		}
		return done{to: rq.back(rq.ofCustomer(id, "")), message: rq.said("customer.settled", "sum", sum)}, nil
	})
}

// SeenLetters returns since when letters to the customer are held, for the form that releases them.
func (p *customerPage) SeenLetters() models.Seen { return register.LookAtLetters(p.Customer) }
