package console

import (
	"context"
	"strconv"
	"strings"

	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
)

// certainPage is the payments whose best suggestion is certain, to be matched together.
type certainPage struct {
	view
	Rows  []certainRow
	After int64 // the payments after this one were looked at
}

// certainRow is a payment with its suggestion. Value is what its box sends.
type certainRow struct {
	models.UnmatchedPayment
	choice
}

// certainPage looks at as many payments as the queue shows on a page.
func (s *Server) certainPage(ctx context.Context, rq *request) (reply, error) {
	p := &certainPage{view: rq.view("certain.title")}
	after, err := rq.idOr("after", rq.form.Get("after"))
	if err != nil {
		return reply{}, err
	}
	p.After = after
	payments, err := s.db.PaymentsToMatch(ctx, rq.creditor.ID, after, perPage)
	if err != nil {
		return reply{}, err
	}
	err = s.db.View(ctx, func(v store.View) error {
		p.Rows, err = rq.certainRows(ctx, v, payments)
		return err
	})
	if err != nil {
		return reply{}, err
	}
	if len(p.Rows) > 0 {
		var sum models.Amount
		for _, row := range p.Rows {
			sum += row.UnmatchedPayment.Amount
		}
		p.Lead = rq.words.SayHTML("certain.lead", "n", len(p.Rows), "sum", sum)
	}
	return show("bank_certain", p)
}

// thingsOf returns payments as things that people act on.
func thingsOf(payments []models.UnmatchedPayment) []models.Thing {
	things := make([]models.Thing, len(payments))
	for n, u := range payments {
		things[n] = models.Thing{Kind: models.ThingPayment, ID: u.ID}
	}
	return things
}

// certainRows returns those of the payments of which it is certain what they are meant for.
func (rq *request) certainRows(ctx context.Context, v store.View, payments []models.UnmatchedPayment) (rows []certainRow, err error) {
	all, choices, err := unmatched.ChooseCertain(ctx, v, rq.creditor, payments, rq.today())
	if err != nil {
		return nil, err
	}
	seen, err := v.LastActs(ctx, rq.creditor.ID, thingsOf(payments)...)
	if err != nil {
		return nil, err
	}
	certain := map[int64]bool{}
	for _, c := range choices {
		certain[c.PaymentID] = true
	}
	for n, u := range payments {
		if certain[u.ID] {
			c := rq.choice(u, all[n][0])
			c.Value, c.Checked = toPath(u.ID)+":"+string(seen[models.Thing{Kind: models.ThingPayment, ID: u.ID}].Look())+" "+c.Value, true
			rows = append(rows, certainRow{u, c})
		}
	}
	return rows, nil
}

// choices returns the checked payments, each with what a person has seen of it.
func (rq *request) choices() (all []unmatched.Choice, err error) {
	for _, value := range rq.fields().all("payment") {
		payment, rest, _ := strings.Cut(value, " ")
		id, seen, _ := strings.Cut(payment, ":")
		paymentID, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			return nil, errBadForm()
		}
		c, err := choiceIn(paymentID, rest)
		if err != nil {
			return nil, err
		}
		c.Payment = models.Seen(seen)
		all = append(all, c)
	}
	switch n := len(all); {
	case n == 0:
		return nil, models.Invalid("nothing_chosen", "", "choose the payments to match")
	case n > perPage:
		return nil, errBadForm()
	}
	return all, nil
}

// matchCertain matches the checked payments, each in a transaction of its own. It says which were left out, and why.
func (s *Server) matchCertain(ctx context.Context, rq *request) (reply, error) {
	choices, err := rq.choices()
	if err != nil {
		return reply{}, err
	}
	return rq.actEach(ctx, func() (done, error) {
		matched, left, err := unmatched.MatchEach(ctx, s.db, rq.creditor, choices, rq.actor())
		if err != nil {
			return done{}, err
		}
		text := rq.words.Say("certain.matched", "n", len(matched))
		if len(left) > 0 {
			text += " " + rq.words.Say("certain.left_out", "n", len(left))
		}
		for _, l := range left {
			why, err := rq.whyLeftOut(ctx, l)
			if err != nil {
				return done{}, err
			}
			if text += " " + why; l.Why.Change != nil {
				text += " " + rq.told(*l.Why.Change)
			}
		}
		return done{to: rq.base + "/bank", message: message{Text: text}}, nil
	})
}

// whyLeftOut says what has become of a payment that was left out.
func (rq *request) whyLeftOut(ctx context.Context, l unmatched.LeftOut) (string, error) {
	u, err := rq.s.db.UnmatchedPayment(ctx, rq.creditor.ID, l.PaymentID)
	if err != nil {
		return "", err
	}
	values := []any{"amount", u.Amount, "payer", rq.payer(u)}
	switch u.Status {
	case models.PaymentMatched:
		of, err := rq.s.db.InvoicesPaidBy(ctx, rq.creditor.ID, u.EntryIDs())
		if err != nil {
			return "", err
		}
		numbers := inOrder(u, of)
		return rq.words.Say("certain.was_matched", append(values, "n", len(numbers), "numbers", rq.words.List(numbers))...), nil
	case models.PaymentDismissed:
		return rq.words.Say("certain.was_dismissed", values...), nil
	}
	return rq.words.Say("certain.has_changed", values...), nil
}
