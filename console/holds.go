package console

import (
	"cmp"
	"context"
	"encoding/json"
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
	Seen    string   // how often somebody has held or released them; of several with their numbers
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
	seen, err := s.db.Look(ctx, rq.creditor.ID, models.Thing{Kind: models.ThingHold, ID: i.ID})
	if err != nil {
		return reply{}, err
	}
	p.Seen = string(seen)
	return show("hold", p)
}

// holdOf reads the form.
func (rq *request) holdOf() (models.Hold, error) {
	f := rq.fields()
	h := models.Hold{Until: f.date("until"), Comment: f.text("comment"), Reason: cmp.Or(models.HoldReason(f.text("reason")), models.HoldOther)}
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
		if i, err = tx.LockInvoice(ctx, rq.creditor.ID, i.ID); err != nil {
			return done{}, err
		}
		held, err := dunning.HoldInvoice(ctx, tx, rq.creditor, i.ID, h, rq.actor(), rq.seen())
		if err != nil {
			return done{}, err
		}
		said := rq.undoable(rq.pathOf(i)+"/hold/release", "hold.done", "number", numberOf(i))
		if h.Reason == models.HoldPaid {
			said = rq.undoable(said.Undo, "hold.believed", "number", numberOf(i), "until", held.Hold.Until)
		}
		if i.Hold.Active(rq.today()) {
			said.Undo, said.With = rq.pathOf(i)+"/hold", typedHold(i.Hold)
		}
		if said, err = said.undoes(ctx, tx, rq.creditor.ID, models.ThingHold, i.ID); err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.pathOf(i)), message: said}, nil
	})
}

func (s *Server) release(ctx context.Context, rq *request) (reply, error) {
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		i, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		if i, err = tx.LockInvoice(ctx, rq.creditor.ID, i.ID); err != nil {
			return done{}, err
		}
		if err := dunning.ReleaseInvoice(ctx, tx, rq.creditor, i.ID, rq.actor(), rq.seen()); err != nil {
			return done{}, err
		}
		said := rq.said("hold.released", "number", numberOf(i))
		if !i.Hold.Active(rq.today()) {
			return done{to: rq.back(rq.pathOf(i)), message: said}, nil
		}
		said.Undo, said.With = rq.pathOf(i)+"/hold", typedHold(i.Hold)
		if said, err = said.undoes(ctx, tx, rq.creditor.ID, models.ThingHold, i.ID); err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.pathOf(i)), message: said}, nil
	})
}

// typedHold returns the form that puts an invoice on hold as it was.
func typedHold(h models.Hold) map[string]string {
	form := map[string]string{"comment": h.Comment, "until": h.Until.String()}
	switch h.Reason {
	case models.HoldDispute:
		form["disputed"] = "1"
	case models.HoldPaid:
		form["reason"] = string(h.Reason)
	case models.HoldOther, models.HoldCollector, models.HoldAudit: // nobody asks for the last two
	}
	return form
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
	if p.Seen, err = rq.seenHolds(ctx, s.db, invoices); err != nil {
		return reply{}, err
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

// seenHolds writes into a form how often somebody has held or released each of the invoices: 4711:2 4712:0.
func (rq *request) seenHolds(ctx context.Context, from actsReader, invoices []models.Invoice) (string, error) {
	things := make([]models.Thing, len(invoices))
	for n, i := range invoices {
		things[n] = models.Thing{Kind: models.ThingHold, ID: i.ID}
	}
	acts, err := from.LastActs(ctx, rq.creditor.ID, things...)
	if err != nil {
		return "", err
	}
	seen := make([]string, len(invoices))
	for n, i := range invoices {
		seen[n] = numberOf(i) + ":" + string(acts[things[n]].Look())
	}
	return strings.Join(seen, " "), nil
}

// seenHold reads what seenHolds wrote of one invoice. It is empty if the form does not say.
func (rq *request) seenHold(i models.Invoice) models.Seen {
	for of := range strings.FieldsSeq(rq.form.Get("seen")) {
		if seen, is := strings.CutPrefix(of, numberOf(i)+":"); is {
			return models.Seen(seen)
		}
	}
	return ""
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
		_, err := dunning.HoldInvoice(ctx, tx, rq.creditor, i.ID, h, rq.actor(), rq.seenHold(i))
		return err
	}, func(ctx context.Context, tx *store.Tx, was []models.Invoice) (message, error) {
		older := map[int64]models.Hold{}
		held := make([]string, len(was))
		for n, i := range was {
			if held[n] = numberOf(i); i.Hold.Active(rq.today()) {
				older[i.Number] = i.Hold
			}
		}
		kept, err := json.Marshal(older)
		if err != nil {
			return message{}, err
		}
		seen, err := rq.seenHolds(ctx, tx, was)
		if err != nil {
			return message{}, err
		}
		m := rq.undoable(rq.base+"/invoices/selected/release", "hold.done_some", "n", len(was))
		m.With = map[string]string{"numbers": strings.Join(held, " "), "older": string(kept), "seen": seen}
		return m, nil
	})
}

// releaseSelected takes the holds of the selected invoices away. An undo brings the holds that were there before, by the number
// of the invoice: these are put back.
func (s *Server) releaseSelected(ctx context.Context, rq *request) (reply, error) {
	numbers, err := rq.selected()
	if err != nil {
		return reply{}, err
	}
	var older map[int64]models.Hold
	if text := rq.form.Get("older"); text != "" && json.Unmarshal([]byte(text), &older) != nil {
		return reply{}, models.Malformed("malformed_form", "", "the form cannot be read")
	}
	return s.onSelected(ctx, rq, numbers, func(ctx context.Context, tx *store.Tx, i models.Invoice) error {
		if h := older[i.Number]; h.Active(rq.today()) {
			_, err := dunning.HoldInvoice(ctx, tx, rq.creditor, i.ID, h, rq.actor(), rq.seenHold(i))
			return err
		}
		return dunning.ReleaseInvoice(ctx, tx, rq.creditor, i.ID, rq.actor(), rq.seenHold(i))
	}, func(_ context.Context, _ *store.Tx, was []models.Invoice) (message, error) {
		if len(older) > 0 {
			return rq.said("hold.undone_some", "n", len(was)), nil
		}
		return rq.said("hold.released_some", "n", len(was)), nil
	})
}

// onSelected does an act with each of the selected invoices, in one transaction. It leaves out those on which somebody has acted
// since they were seen, and says so; if these are all, it fails as the act did. said gets the others as they were before.
func (s *Server) onSelected(
	ctx context.Context, rq *request, numbers []int64,
	do func(context.Context, *store.Tx, models.Invoice) error, said func(context.Context, *store.Tx, []models.Invoice) (message, error),
) (reply, error) {
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		invoices, err := s.selectedIn(ctx, rq, tx, numbers)
		if err != nil {
			return done{}, err
		}
		var was []models.Invoice
		var left []leftOut
		for _, i := range invoices {
			if i, err = tx.LockInvoice(ctx, rq.creditor.ID, i.ID); err != nil {
				return done{}, err
			}
			err := do(ctx, tx, i)
			switch conflict := changedMeanwhile(err); {
			case err == nil:
				was = append(was, i)
			case conflict == nil || len(left)+1 == len(invoices):
				return done{}, err
			default:
				left = append(left, leftOut{numberOf(i), conflict.Change})
			}
		}
		m, err := said(ctx, tx, was)
		if err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.base + "/invoices"), message: rq.sayLeftOut(m, left)}, nil
	})
}

// Disputed reports whether the hold that there is says that the claim is disputed.
func (p *holdPage) Disputed() bool { return p.Old.Reason == models.HoldDispute }

// Believed reports whether the hold that there is says that the customer has paid (rule N6).
func (p *holdPage) Believed() bool { return p.Old.Reason == models.HoldPaid }
