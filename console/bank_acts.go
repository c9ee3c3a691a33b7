package console

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
)

// anotherInvoice is what the form sends if a person names the invoices.
const anotherInvoice = "another"

// valueOf writes what a person has seen into a form: 17=1250.00 18=99.00.
func valueOf(c unmatched.Choice) string {
	seen := make([]string, len(c.Invoices))
	for i, s := range c.Invoices {
		seen[i] = fmt.Sprintf("%d=%s", s.InvoiceID, s.Balance)
	}
	return strings.Join(seen, " ")
}

// choiceIn reads what valueOf wrote.
func choiceIn(paymentID int64, value string) (c unmatched.Choice, err error) {
	c.PaymentID = paymentID
	for text := range strings.FieldsSeq(value) {
		id, balance, _ := strings.Cut(text, "=")
		var seen unmatched.Seen
		if seen.InvoiceID, err = strconv.ParseInt(id, 10, 64); err != nil {
			return c, errBadForm()
		}
		if seen.Balance, err = models.ParseAmount(balance); err != nil {
			return c, errBadForm()
		}
		c.Invoices = append(c.Invoices, seen)
	}
	return c, nil
}

func errBadForm() error { return models.Malformed("malformed_form", "", "the form cannot be read") }

// idOr returns the ID in a parameter of the URL, or else the one in text. An empty one is zero.
func (rq *request) idOr(name, text string) (int64, error) {
	if asked := rq.query(name); asked != "" {
		text = asked
	}
	if text == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		return 0, models.NotFound("page")
	}
	return id, nil
}

// matchPayment matches the payment in the path with the invoices of the checked suggestion, or with those that were named.
func (s *Server) matchPayment(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("payment")
	if err != nil {
		return reply{}, err
	}
	meant, named, err := rq.meant()
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		u, err := rq.matchMeant(ctx, tx, id, meant, named)
		if err != nil {
			return done{}, err
		}
		return rq.matched(ctx, tx, u)
	})
}

// matched says that a payment was matched, and with which invoices. Undo takes the match back. It leads to the page that the form was
// opened from, or else to the next payment.
func (rq *request) matched(ctx context.Context, tx *store.Tx, u models.UnmatchedPayment) (done, error) {
	numbers, err := numbersOf(ctx, tx, u)
	if err != nil {
		return done{}, err
	}
	said := rq.undoable(rq.paymentPath(u.ID, "unmatch"), "bank.matched", "n", len(numbers), "amount", u.Amount, "payer", rq.payer(u), "numbers", rq.words.List(numbers))
	seen, err := tx.LookAtMatches(ctx, rq.creditor.ID, u)
	if err != nil {
		return done{}, err
	}
	return done{to: rq.back(rq.pathPast(u.ID)), message: said.carrying("seen", string(seen[u.ID]))}, nil
}

// pathPast returns where the queue goes on after a payment.
func (rq *request) pathPast(payment int64) string {
	to := rq.base + "/bank?past=" + toPath(payment)
	if after := rq.form.Get("after"); after != "" {
		to += "&after=" + toPath(after)
	}
	return to
}

func (rq *request) paymentPath(id int64, act string) string {
	return rq.base + "/bank/payment/" + toPath(id) + "/" + act
}

// numbersOf returns the numbers of the invoices that a payment is matched with, in the order of its entries.
func numbersOf(ctx context.Context, tx *store.Tx, u models.UnmatchedPayment) ([]int64, error) {
	of, err := tx.InvoicesPaidBy(ctx, u.CreditorID, u.EntryIDs())
	if err != nil {
		return nil, err
	}
	return inOrder(u, of), nil
}

func inOrder(u models.UnmatchedPayment, of map[int64]int64) (numbers []int64) {
	for _, id := range u.EntryIDs() {
		numbers = append(numbers, of[id])
	}
	return numbers
}

// meant returns what a payment is meant for: a suggestion as valueOf wrote it, or anotherInvoice with what names the invoices.
func (rq *request) meant() (meant string, named []string, err error) {
	f := rq.fields()
	meant, named = f.text("meant"), strings.Fields(strings.NewReplacer(",", " ", ";", " ").Replace(f.text("invoice")))
	switch {
	case meant == "":
		return "", nil, models.Invalid("nothing_chosen", "", "choose what the payment is meant for")
	case meant == anotherInvoice && len(named) == 0:
		return "", nil, models.Invalid("required", "invoice", "is required")
	case meant != anotherInvoice && len(named) > 0:
		return "", nil, models.Invalid("chosen_twice", "invoice", "choose Another invoice, or leave this empty")
	}
	return meant, named, nil
}

func (rq *request) matchMeant(ctx context.Context, tx *store.Tx, payment int64, meant string, named []string) (models.UnmatchedPayment, error) {
	if meant == anotherInvoice {
		ids, err := rq.named(ctx, tx, named)
		if err != nil {
			return models.UnmatchedPayment{}, err
		}
		return unmatched.Match(ctx, tx, rq.creditor, payment, ids, rq.actor(), rq.seen())
	}
	if letter, is := strings.CutPrefix(meant, letterMeant); is {
		id, err := strconv.ParseInt(letter, 10, 64)
		if err != nil {
			return models.UnmatchedPayment{}, models.NotFound("letter")
		}
		return unmatched.MatchLetter(ctx, tx, rq.creditor, payment, id, rq.actor(), rq.seen())
	}
	chosen, err := choiceIn(payment, meant)
	if err != nil {
		return models.UnmatchedPayment{}, err
	}
	chosen.Payment = rq.seen()
	return unmatched.MatchChosen(ctx, tx, rq.creditor, chosen, rq.actor())
}

// named returns the IDs of the invoices whose numbers or KIDs a person has typed.
func (rq *request) named(ctx context.Context, tx *store.Tx, texts []string) ([]int64, error) {
	var faults models.Errors
	var ids, numbers []int64
	for _, text := range texts {
		n, err := strconv.ParseInt(text, 10, 64)
		if err == nil {
			numbers = append(numbers, n)
		}
	}
	byNumber, err := tx.InvoicesByNumber(ctx, rq.creditor.ID, numbers)
	if err != nil {
		return nil, err
	}
	byKID, err := tx.InvoicesByKID(ctx, rq.creditor.ID, texts)
	if err != nil {
		return nil, err
	}
	for _, text := range texts {
		at := slices.IndexFunc(byNumber, func(i models.Invoice) bool { return strconv.FormatInt(i.Number, 10) == text })
		switch sent, known := byKID[text]; {
		case at >= 0:
			ids = append(ids, byNumber[at].ID)
		case known:
			ids = append(ids, sent.ID)
		default:
			faults.Add("no_such_invoice", "invoice", "there is no invoice %s", models.Shorten(text, 40))
		}
	}
	return ids, faults.ErrorOrNil()
}

// unmatchPayment takes a match back. The payment is then selected.
func (s *Server) unmatchPayment(ctx context.Context, rq *request) (reply, error) {
	return rq.onPayment(ctx, func(ctx context.Context, tx *store.Tx, id int64) (models.UnmatchedPayment, error) {
		return unmatched.Unmatch(ctx, tx, rq.creditor, id, rq.actor(), rq.seen())
	})
}

// reopenPayment takes a dismissal back. The payment is then selected.
func (s *Server) reopenPayment(ctx context.Context, rq *request) (reply, error) {
	return rq.onPayment(ctx, func(ctx context.Context, tx *store.Tx, id int64) (models.UnmatchedPayment, error) {
		return unmatched.Reopen(ctx, tx, rq.creditor, id, rq.actor(), rq.seen())
	})
}

// paymentPage shows the payment in the path as it is now: among those that wait, or among those that are done.
func (s *Server) paymentPage(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("payment")
	if err != nil {
		return reply{}, err
	}
	u, err := s.db.UnmatchedPayment(ctx, rq.creditor.ID, id)
	if err != nil {
		return reply{}, err
	}
	if u.Status == models.PaymentOpen {
		return s.bankPage(ctx, rq)
	}
	return s.donePage(ctx, rq)
}

// onPayment opens the payment in the path again.
func (rq *request) onPayment(ctx context.Context, do func(ctx context.Context, tx *store.Tx, id int64) (models.UnmatchedPayment, error)) (reply, error) {
	id, err := rq.pathID("payment")
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		u, err := do(ctx, tx, id)
		if err != nil {
			return done{}, err
		}
		return done{to: rq.base + "/bank?payment=" + toPath(id), message: rq.said("bank.open_again", "amount", u.Amount, "payer", rq.payer(u))}, nil
	})
}

// dismissPage asks why a payment is not ours.
type dismissPage struct {
	view
	Payment models.UnmatchedPayment
}

func (s *Server) dismissPage(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("payment")
	if err != nil {
		return reply{}, err
	}
	p := &dismissPage{view: rq.view("bank.not_ours_title")}
	if p.Payment, err = s.db.UnmatchedPayment(ctx, rq.creditor.ID, id); err != nil {
		return reply{}, err
	}
	if err := p.lookAt(ctx, s.db, models.Thing{Kind: models.ThingPayment, ID: id}); err != nil {
		return reply{}, err
	}
	p.Lead = rq.words.SayHTML("bank.not_ours_lead", "amount", p.Payment.Amount, "payer", rq.payer(p.Payment), "day", p.Payment.TransactionDate)
	return show("dismiss", p)
}

func (s *Server) dismissPayment(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("payment")
	if err != nil {
		return reply{}, err
	}
	comment := rq.form.Get("comment")
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		u, err := unmatched.Dismiss(ctx, tx, rq.creditor, id, models.OneLine(comment), rq.actor(), rq.seen())
		if err != nil {
			return done{}, err
		}
		said := rq.undoable(rq.paymentPath(id, "reopen"), "bank.dismissed", "amount", u.Amount, "payer", rq.payer(u))
		if said, err = said.undoes(ctx, tx, rq.creditor.ID, models.ThingPayment, id); err != nil {
			return done{}, err
		}
		return done{to: rq.base + "/bank?past=" + toPath(id), message: said}, nil
	})
}
