package console

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"purr/api"
	"purr/console/locale"
	"purr/models"
	"purr/register/privacy"
	"purr/store"
)

// forgetPage shows what would go and what would stay if a customer were forgotten, and asks whether to do it (rule O14a).
type forgetPage struct {
	view
	Preview privacy.Preview
}

// Goes returns what would go.
func (p *forgetPage) Goes() []privacy.Item { return p.items(false) }

// Stays returns what would stay.
func (p *forgetPage) Stays() []privacy.Item { return p.items(true) }

func (p *forgetPage) items(stay bool) (some []privacy.Item) {
	for _, i := range p.Preview.Items {
		if i.Stays == stay {
			some = append(some, i)
		}
	}
	return some
}

// Refused returns why the customer cannot be forgotten, as a code; empty if it can.
func (p *forgetPage) Refused() string {
	switch a := p.Preview.Affairs; {
	case p.Preview.Refusal == nil:
		return ""
	case len(a.Open) > 0:
		return "documents_open"
	}
	return "bookkeeping"
}

// Until returns until when the newest document or entry must be kept.
func (p *forgetPage) Until() models.Date { return models.KeptUntil(p.Preview.Affairs.Newest) }

func (s *Server) forgetForm(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("id")
	if err != nil {
		return reply{}, err
	}
	p := &forgetPage{}
	err = s.db.View(ctx, func(v store.View) error {
		p.Preview, err = privacy.Look(ctx, v, rq.creditor, id, models.Forgetting{}, rq.today())
		return err
	})
	if err != nil {
		return reply{}, err
	}
	p.view = rq.view("forget.title", "name", nameOrNumber(rq, p.Preview.Customer))
	return show("customer_forget", p)
}

// nameOrNumber returns a customer's name, or what it is called by its number once it was forgotten.
func nameOrNumber(rq *request, c models.Customer) string {
	return called(rq.words, c.Recipient.Name1, c.ID)
}

// called returns a name, or what its customer is called by its number once it was forgotten and has none.
func called(w *locale.Words, name string, customer int64) string {
	if name != "" {
		return name
	}
	return w.Say("forget.nameless", "number", fmt.Sprint(customer))
}

// forgetCustomer forgets a customer. Nothing takes that back.
func (s *Server) forgetCustomer(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("id")
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		if _, err := privacy.Forget(ctx, tx, rq.creditor, id, models.Forgetting{}, rq.actor()); err != nil {
			return done{}, err
		}
		return done{to: rq.ofCustomer(id, ""), message: rq.said("forget.done", "number", fmt.Sprint(id))}, nil
	})
}

// exportCustomer gives all that is known of a customer as a zip.
func (s *Server) exportCustomer(ctx context.Context, rq *request) (reply, error) {
	c, err := s.customerOf(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	if !rq.key.Scope.Allows(models.ScopeAdmin) {
		return reply{}, &models.Error{Kind: models.KindForbidden, Code: "scope_insufficient", Msg: "this needs a key of scope admin"}
	}
	from, to := io.Pipe()
	going := rq.r.Context()
	go func() {
		defer func() {
			if p := recover(); p != nil {
				to.CloseWithError(fmt.Errorf("panic: %v", p))
			}
		}()
		err := s.cfg.Export(going, to, rq.creditor, c.ID)
		if err != nil {
			s.cfg.Log.Warn("an export of a customer broke off", "id", rq.id, "customer", c.ID, "error", err)
		}
		to.CloseWithError(err)
	}()
	a := reply{status: http.StatusOK, contentType: "application/zip", file: from}
	a.set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s"`, api.ExportName(c.ID)))
	return a, nil
}
