package console

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"purr/dunning"
	"purr/models"
	"purr/store"
)

// holdPage asks why and until when dunning is put on hold: of one invoice, or of those selected in the list (rule E2).
type holdPage struct {
	view
	Numbers []string // of the invoices
	Old     models.Hold
}

func (s *Server) holdPage(ctx context.Context, rq *request) (reply, error) {
	i, err := s.invoice(ctx, rq, s.db)
	if err != nil {
		return reply{}, err
	}
	number := strconv.FormatInt(i.Number, 10)
	p := &holdPage{view: rq.view("hold.title", "number", number), Numbers: []string{number}}
	if i.Hold.Active(rq.today()) {
		p.Old = i.Hold
	}
	return show("hold", p)
}

// holdOf reads the form.
func (rq *request) holdOf() (models.Hold, error) {
	f := rq.fields()
	h := models.Hold{Until: f.date("until"), Comment: f.text("comment"), Reason: models.HoldOther}
	if f.has("disputed") {
		h.Reason = models.HoldDispute
	}
	return h, f.done(h.Validate(rq.today()))
}

func (s *Server) hold(ctx context.Context, rq *request) (reply, error) {
	h, err := rq.holdOf()
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		i, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		if _, err := dunning.HoldInvoice(ctx, tx, rq.creditor, i.ID, h, rq.actor()); err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.pathOf(i)), message: rq.undoable(rq.pathOf(i)+"/hold/release", "hold.done", "number", numberOf(i))}, nil
	})
}

func (s *Server) release(ctx context.Context, rq *request) (reply, error) {
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		i, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		if err := dunning.ReleaseInvoice(ctx, tx, rq.creditor, i.ID, rq.actor()); err != nil {
			return done{}, err
		}
		said := rq.said("hold.released", "number", numberOf(i))
		if i.Hold.Active(rq.today()) {
			said = rq.undoable(rq.pathOf(i)+"/hold", "hold.released", "number", numberOf(i))
			said.With = map[string]string{"comment": i.Hold.Comment, "until": i.Hold.Until.String()}
			if i.Hold.Reason == models.HoldDispute {
				said.With["disputed"] = "1"
			}
		}
		return done{to: rq.back(rq.pathOf(i)), message: said}, nil
	})
}

// selected returns the numbers of the invoices that were checked in the list, in order and each once.
func (rq *request) selected() ([]int64, error) {
	texts := rq.r.URL.Query()["number"]
	if rq.form != nil {
		texts = strings.Fields(rq.form.Get("numbers"))
	}
	var numbers []int64
	for _, text := range texts {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 {
			return nil, models.Malformed("invalid_number", "", "an invoice's number is not a number")
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	if numbers = slices.Compact(numbers); len(numbers) == 0 {
		return nil, models.Invalid("nothing_selected", "", "check the box of at least one invoice")
	}
	if len(numbers) > 2*perPage {
		return nil, models.Invalid("too_many", "", "select at most %d invoices", 2*perPage)
	}
	return numbers, nil
}

func (s *Server) selectedPage(ctx context.Context, rq *request) (reply, error) {
	numbers, err := rq.selected()
	if err != nil {
		return reply{}, err
	}
	invoices, err := s.selectedIn(ctx, rq, s.db, numbers)
	if err != nil {
		return reply{}, err
	}
	p := &holdPage{view: rq.view("hold.title_some", "n", len(invoices))}
	for _, i := range invoices {
		p.Numbers = append(p.Numbers, numberOf(i))
	}
	return show("hold", p)
}

// numbersReader is a database, or a transaction on one.
type numbersReader interface {
	InvoicesByNumber(ctx context.Context, creditorID int64, numbers []int64) ([]models.Invoice, error)
}

// selectedIn returns the selected invoices, in order of ID, in which acts lock them.
func (s *Server) selectedIn(ctx context.Context, rq *request, from numbersReader, numbers []int64) ([]models.Invoice, error) {
	invoices, err := from.InvoicesByNumber(ctx, rq.creditor.ID, numbers)
	if err == nil && len(invoices) < len(numbers) {
		err = models.NotFound("invoice")
	}
	return invoices, err
}

func (s *Server) holdSelected(ctx context.Context, rq *request) (reply, error) {
	numbers, err := rq.selected()
	if err != nil {
		return reply{}, err
	}
	h, err := rq.holdOf()
	if err != nil {
		return reply{}, err
	}
	return s.onSelected(ctx, rq, numbers, func(ctx context.Context, tx *store.Tx, i models.Invoice) error {
		_, err := dunning.HoldInvoice(ctx, tx, rq.creditor, i.ID, h, rq.actor())
		return err
	}, func() message {
		m := rq.undoable(rq.base+"/invoices/selected/release", "hold.done_some", "n", len(numbers))
		m.With = map[string]string{"numbers": rq.form.Get("numbers")}
		return m
	})
}

func (s *Server) releaseSelected(ctx context.Context, rq *request) (reply, error) {
	numbers, err := rq.selected()
	if err != nil {
		return reply{}, err
	}
	return s.onSelected(ctx, rq, numbers, func(ctx context.Context, tx *store.Tx, i models.Invoice) error {
		return dunning.ReleaseInvoice(ctx, tx, rq.creditor, i.ID, rq.actor())
	}, func() message { return rq.said("hold.released_some", "n", len(numbers)) })
}

// onSelected does an act with each of the selected invoices, in one transaction.
func (s *Server) onSelected(
	ctx context.Context, rq *request, numbers []int64, do func(context.Context, *store.Tx, models.Invoice) error, said func() message,
) (reply, error) {
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		invoices, err := s.selectedIn(ctx, rq, tx, numbers)
		if err != nil {
			return done{}, err
		}
		for _, i := range invoices {
			if err := do(ctx, tx, i); err != nil {
				return done{}, err
			}
		}
		return done{to: rq.back(rq.base + "/invoices"), message: said()}, nil
	})
}

// Disputed reports whether the hold that there is says that the claim is disputed.
func (p *holdPage) Disputed() bool { return p.Old.Reason == models.HoldDispute }
