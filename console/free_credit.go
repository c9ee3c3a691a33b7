package console

import (
	"context"
	"slices"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

func (s *Server) creditRoutes() []route {
	return []route{
		{path: "/c/{creditor}/money/credit", area: "money", get: s.freeCreditPage, csv: s.freeCreditCSV},
		{path: "/c/{creditor}/customers/{id}/repay", area: "customers", get: s.repayPage, post: s.repay, scope: models.ScopeWrite},
		{path: "/c/{creditor}/invoices/{number}/move-credit", area: "invoices", get: s.moveCreditPage, post: s.moveCredit, scope: models.ScopeWrite},
	}
}

// freeCreditPage lists the customers with free credit, who has most first (rule N12).
type freeCreditPage struct {
	view
	Rows  []store.CustomerCredit
	Pager pager
}

// HasNumbers reports whether a column of the customers' numbers says anything.
func (p *freeCreditPage) HasNumbers() bool {
	return len(p.Rows) == 0 || slices.ContainsFunc(p.Rows, func(c store.CustomerCredit) bool { return c.CustomerNumber != "" })
}

func (s *Server) freeCreditPage(ctx context.Context, rq *request) (reply, error) {
	p := &freeCreditPage{view: rq.view("free.title")}
	page := store.Page{Number: rq.pageNumber(), Size: perPage}
	found, all, err := s.db.CustomerCredits(ctx, rq.creditor.ID, page)
	if err != nil {
		return reply{}, err
	}
	p.Rows, p.Pager = found, p.pages(page, all.Customers)
	p.Lead = rq.words.SayHTML("free.lead", "n", all.Customers, "sum", all.Amount, "reserved", all.Reserved)
	return show("money_credit", p)
}

func (s *Server) freeCreditCSV(_ context.Context, rq *request) (reply, error) {
	header := rq.words.Header("customers.id", "customers.number", "customers.name", "customers.name2", "free.since", "free.amount", "free.reserved")
	return rq.csv("credit", header, func(write func(values ...any) error) error {
		for page := (store.Page{Number: 1, Size: csvBatch}); ; page.Number++ {
			found, all, err := s.db.CustomerCredits(rq.r.Context(), rq.creditor.ID, page)
			if err != nil {
				return err
			}
			for _, c := range found {
				if err := write(c.CustomerID, c.CustomerNumber, c.Name1, c.Name2, c.Since, c.Amount, c.Reserved); err != nil {
					return err
				}
			}
			if int64(page.Number) >= page.Pages(all.Customers) {
				return nil
			}
		}
	})
}

// repayPage asks how much of a customer's free credit is paid back, and to which account.
type repayPage struct {
	view
	Customer models.Customer
	Free     models.Amount // what is not reserved
	Seen     models.Seen
}

func (s *Server) repayPage(ctx context.Context, rq *request) (reply, error) {
	c, err := s.customerOf(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	p := &repayPage{view: rq.view("repay.title", "name", c.Recipient.Name1), Customer: c}
	err = s.db.View(ctx, func(v store.View) error {
		open, err := v.InvoicesWithBalance(ctx, rq.creditor.ID, c.ID)
		if err != nil {
			return err
		}
		notes, err := v.CreditNotesWithBalance(ctx, rq.creditor.ID, c.ID)
		if err != nil {
			return err
		}
		reserved, err := v.Reserved(ctx, rq.creditor.ID, c.ID)
		if err != nil {
			return err
		}
		p.Free, p.Seen = max(ledger.FreeCredit(open, notes)-reserved[c.ID], 0), ledger.LookAtCredit(open, notes, reserved[c.ID])
		return nil
	})
	if err != nil {
		return reply{}, err
	}
	p.Lead = rq.words.SayHTML("repay.lead", "sum", p.Free)
	return show("repay", p)
}

// repay orders that free credit is paid back. Its undo takes the order back.
func (s *Server) repay(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("id")
	if err != nil {
		return reply{}, err
	}
	f := rq.fields()
	o := ledger.RepaymentOrder{Amount: f.amount("amount"), Account: accountTyped(f.text("account")), Actor: rq.actor(), Seen: rq.surelySeen()}
	if err := f.done(o.Validate(rq.creditor)); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		r, err := ledger.OrderRepayment(ctx, tx, rq.creditor, id, o)
		if err != nil {
			return done{}, err
		}
		m := rq.undoable(rq.base+"/money/repayments/"+toPath(r.ID)+"/withdraw", "repay.done", "amount", r.Amount)
		return done{to: rq.back(rq.ofCustomer(id, "")), message: m.carrying("seen", string(r.State))}, nil
	})
}

// moveCreditPage asks to which invoice the free credit of an invoice is moved.
func (s *Server) moveCreditPage(ctx context.Context, rq *request) (reply, error) {
	p, err := s.actPage(ctx, rq, "move_credit.title")
	if err != nil {
		return reply{}, err
	}
	if p.Seen, err = s.db.LookAtPayments(ctx, p.Invoice); err != nil {
		return reply{}, err
	}
	return show("move_credit", p)
}

// moveCredit moves free credit to another invoice. Its undo deletes the payment there, and with it the move.
func (s *Server) moveCredit(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	t := ledger.Transfer{Amount: f.amount("amount"), Actor: rq.actor(), Seen: rq.surelySeen(), ToID: -1}
	number := f.number("invoice")
	if err := f.done(t.Validate()); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		from, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		to, err := tx.InvoiceByNumber(ctx, rq.creditor.ID, number)
		if models.KindOf(err) == models.KindNotFound {
			return done{}, models.Invalid("invoice_not_found", "invoice", "there is no such invoice")
		}
		if err != nil {
			return done{}, err
		}
		t.FromID, t.ToID = from.ID, to.ID
		came, err := ledger.TransferCredit(ctx, tx, rq.creditor.ID, t, rq.today())
		if err != nil {
			return done{}, err
		}
		m := rq.said("move_credit.done", "amount", t.Amount, "from", numberOf(from), "to", numberOf(to))
		if len(came) == 1 {
			if m, err = rq.deletable(ctx, tx, m, to.Number, came[0]); err != nil {
				return done{}, err
			}
		}
		return done{to: rq.back(rq.pathOf(from)), message: m}, nil
	})
}
