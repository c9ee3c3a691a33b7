package console

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
)

func (s *Server) bankRoutes() []route {
	return []route{
		{path: "/c/{creditor}/bank", area: "bank", get: s.bankPage, csv: s.bankCSV},
		{path: "/c/{creditor}/bank/certain", area: "bank", get: s.certainPage, post: s.matchCertain, scope: models.ScopeWrite},
		{path: "/c/{creditor}/bank/payment/{payment}/match", area: "bank", post: s.matchPayment, again: s.bankPage, scope: models.ScopeWrite},
		{path: "/c/{creditor}/bank/payment/{payment}/choose", area: "bank", get: s.choosePage, post: s.choose, scope: models.ScopeWrite},
		{path: "/c/{creditor}/bank/payment/{payment}/not-payer", area: "bank", post: s.denyPayer, again: s.paymentPage, scope: models.ScopeWrite},
		{path: "/c/{creditor}/bank/payment/{payment}/payer", area: "bank", post: s.allowPayer, again: s.paymentPage, scope: models.ScopeWrite},
		{path: "/c/{creditor}/bank/payment/{payment}/unmatch", area: "bank", post: s.unmatchPayment, again: s.paymentPage, scope: models.ScopeWrite},
		{path: "/c/{creditor}/bank/payment/{payment}/dismiss", area: "bank", get: s.dismissPage, post: s.dismissPayment, scope: models.ScopeWrite},
		{path: "/c/{creditor}/bank/payment/{payment}/reopen", area: "bank", post: s.reopenPayment, again: s.paymentPage, scope: models.ScopeWrite},
	}
}

// BankTabs returns the tabs of the bank's pages.
func (v *view) BankTabs(present string) []link {
	return v.tabs(present, tab{"open", "bank", "bank.to_match"}, tab{"resolved", "bank?status=resolved", "bank.done"},
		tab{"files", "bank/files", "files.title"}, tab{"statement", "bank/statement", "statement_lines.title"})
}

// bankPage is the queue of unmatched payments. One of them is selected, with what it may be meant for.
type bankPage struct {
	view
	Payments []models.UnmatchedPayment
	Sum      store.ListSum           // of all that wait
	Selected models.UnmatchedPayment // without ID if there is none
	Before   string                  // the paths of the selected payment's neighbours in the list; empty for none
	After    string
	Choices  []choice
	NotOf    []models.Customer // of whom a person said that the selected payment is not theirs
	Certain  int               // how many of the payments have a certain suggestion
	Pager    pager
}

// choice is one suggestion for a payment, as the page shows it.
type choice struct {
	Value    string // what the form sends: the invoices, with what is owed on each
	Invoices []models.Invoice
	Names    string // "Invoice 4711", "Invoices 4690 and 4702"
	Customer int64
	Payer    string
	Owed     models.Amount
	Left     models.Amount // what is owed after it
	Over     models.Amount // what is paid too much; then Left is zero
	AtMost   bool          // less than Left may be owed, because a notice may have charged too much (rule L4)
	Hints    []string
	Key      string
	Checked  bool
}

func (s *Server) bankPage(ctx context.Context, rq *request) (reply, error) {
	switch rq.query("status") {
	case "", "open":
		return s.openPage(ctx, rq)
	case "resolved":
		return s.donePage(ctx, rq)
	}
	return reply{}, models.Malformed("unknown_status", "status", "must be open or resolved")
}

// openPage shows the payments from the oldest. ?payment=ID selects one, ?past=ID the one after it.
func (s *Server) openPage(ctx context.Context, rq *request) (reply, error) {
	p := &bankPage{view: rq.view("bank.title")}
	wanted, wrong1 := rq.idOr("payment", rq.r.PathValue("payment"))
	past, wrong2 := rq.idOr("past", "")
	after, wrong3 := rq.idOr("after", "")
	if err := cmp.Or(wrong1, wrong2, wrong3); err != nil {
		return reply{}, err
	}
	elsewhere, err := s.readQueue(ctx, rq, p, wanted, after)
	switch {
	case err != nil:
		return reply{}, err
	case elsewhere != "":
		return rq.to(elsewhere), nil
	case len(p.Payments) == 0:
		p.Lead = rq.words.SayHTML("bank.nothing")
		return show("bank", p)
	}
	waiting, err := rq.waiting(ctx)
	if err != nil {
		return reply{}, err
	}
	p.lead(waiting.Payments)
	if err := s.selectAt(ctx, rq, p, p.place(wanted, past)); err != nil {
		return reply{}, err
	}
	return show("bank", p)
}

// selectAt shows one payment of the page beside the list, with what may be meant.
func (s *Server) selectAt(ctx context.Context, rq *request, p *bankPage, at int) error {
	p.choose(at)
	if err := s.suggest(ctx, rq, p, at); err != nil {
		return err
	}
	return p.lookAt(ctx, s.db, models.Thing{Kind: models.ThingPayment, ID: p.Selected.ID})
}

// readQueue reads the page of the queue that begins after a payment; if the wanted payment is not on it, the page that begins with
// that. It returns where a wanted payment is shown that nobody need match any more.
func (s *Server) readQueue(ctx context.Context, rq *request, p *bankPage, wanted, after int64) (elsewhere string, err error) {
	if p.Payments, p.Sum, err = s.db.SummedPayments(ctx, rq.creditor.ID, after, perPage+1); err != nil {
		return "", err
	}
	here := slices.ContainsFunc(p.Payments, func(u models.UnmatchedPayment) bool { return u.ID == wanted })
	if wanted != 0 && !here {
		u, err := s.db.UnmatchedPayment(ctx, rq.creditor.ID, wanted)
		if err != nil {
			return "", err
		}
		switch open := u.Status == models.PaymentOpen; {
		case open:
			after = wanted - 1
			if p.Payments, p.Sum, err = s.db.SummedPayments(ctx, rq.creditor.ID, after, perPage+1); err != nil {
				return "", err
			}
		case rq.refused == nil:
			return rq.base + "/bank?status=resolved&payment=" + toPath(u.ID), nil
		}
	}
	p.Payments = onPage(p.Payments, &p.Pager, func(u models.UnmatchedPayment) string { return rq.base + "/bank?after=" + toPath(u.ID) })
	if after != 0 {
		p.Pager.Previous = rq.base + "/bank"
	}
	return "", nil
}

// lead says how many payments wait, and how much they are together; on the first page also since when.
func (p *bankPage) lead(waiting int64) {
	switch sum := p.Sum; {
	case !sum.Added:
		p.Lead = p.rq.words.SayHTML("bank.lead_many", "n", waiting)
	case p.Pager.Previous != "":
		p.Lead = p.rq.words.SayHTML("bank.lead_sum", "n", sum.Number, "amount", sum.Amount)
	default:
		p.Lead = p.rq.words.SayHTML("bank.lead", "n", sum.Number, "amount", sum.Amount, "oldest", p.Payments[0].TransactionDate)
	}
}

// choose shows the payment at a place in the list, and the ways to those beside it.
func (p *bankPage) choose(at int) {
	p.Selected = p.Payments[at]
	p.Here = p.Path(p.Selected.ID)
	if at > 0 {
		p.Before = p.Path(p.Payments[at-1].ID)
	}
	if at+1 < len(p.Payments) {
		p.After = p.Path(p.Payments[at+1].ID)
	}
}

// place returns the place in the list of the payment that is wanted, of the first one past another, or else of the last one.
func (p *bankPage) place(wanted, past int64) int {
	at := slices.IndexFunc(p.Payments, func(u models.UnmatchedPayment) bool { return u.ID == wanted || wanted == 0 && u.ID > past })
	if at < 0 {
		return len(p.Payments) - 1
	}
	return at
}

// suggest reads what the payments may be meant for.
func (s *Server) suggest(ctx context.Context, rq *request, p *bankPage, at int) error {
	return s.db.View(ctx, func(v store.View) error {
		all, certain, err := unmatched.ChooseCertain(ctx, v, rq.creditor, p.Payments, rq.today())
		if err != nil {
			return err
		}
		if p.Choices, err = rq.letterMeant(ctx, v, p.Selected); err != nil {
			return err
		}
		p.Certain = len(certain)
		for _, suggestion := range all[at] {
			p.Choices = append(p.Choices, rq.choice(p.Selected, suggestion))
		}
		for n := range p.Choices {
			c := &p.Choices[n]
			c.Key, c.Checked = strconv.Itoa(n+1), n == 0
			if typed := rq.form.Get("meant"); typed != "" {
				c.Checked = typed == c.Value
			}
		}
		p.NotOf = nil
		return p.notOf(ctx, v)
	})
}

// letterMeant begins the value of a choice that is a letter for several invoices; its ID follows.
const letterMeant = "letter:"

// letterMeant returns the letter with whose KID money went out, or a payment came that a person took off its invoices, as the first choice
// (rule L23).
func (rq *request) letterMeant(ctx context.Context, v store.View, u models.UnmatchedPayment) ([]choice, error) {
	if u.Amount >= 0 && u.Reason != models.ReasonLetter {
		return nil, nil
	}
	l, is, err := unmatched.LetterOf(ctx, v, rq.creditor.ID, u)
	if err != nil || !is {
		return nil, err
	}
	ids, err := v.InvoicesOfLetters(ctx, rq.creditor.ID, []int64{l.ID})
	if err != nil {
		return nil, err
	}
	invoices, err := v.InvoicesByID(ctx, rq.creditor.ID, ids)
	if err != nil || len(invoices) == 0 {
		return nil, err
	}
	c := rq.choice(u, unmatched.Suggestion{Reasons: []models.Hint{models.HintKID}, CustomerID: l.CustomerID, Invoices: invoices})
	c.Value, c.Names = letterMeant+strconv.FormatInt(l.ID, 10), rq.words.Say("letter_of.letter", "number", strconv.FormatInt(l.Number, 10))
	return []choice{c}, nil
}

// Path returns the path of the page with a payment selected.
func (p *bankPage) Path(id int64) string {
	return p.URL("bank") + "?payment=" + toPath(id) + p.after()
}

func (p *bankPage) after() string {
	if after := p.Asked("after"); after != "" {
		return "&after=" + toPath(after)
	}
	return ""
}

// Other reports whether the invoice was to be another one than those suggested.
func (p *bankPage) Other() bool {
	return len(p.Choices) == 0 || p.rq.form.Get("meant") == anotherInvoice
}

// Numbers returns the field for the numbers of other invoices.
func (p *bankPage) Numbers() input { return p.Input("invoice", "bank.numbers", "") }

// Payer returns the name of the payer, or else the account that the payment came from.
func (v *view) Payer(u models.UnmatchedPayment) string { return v.rq.payer(u) }

func (rq *request) payer(u models.UnmatchedPayment) string {
	switch {
	case u.PayerName != "":
		return u.PayerName
	case u.FromAccountNumber != "":
		return u.FromAccountNumber
	}
	return rq.words.Say("bank.nobody")
}

// choice shows a suggestion.
func (rq *request) choice(u models.UnmatchedPayment, s unmatched.Suggestion) choice {
	c := choice{Value: valueOf(unmatched.ChoiceOf(u.ID, s)), Invoices: s.Invoices, Customer: s.Invoices[0].CustomerID, Payer: s.Invoices[0].Recipient.Name1}
	for _, i := range s.Invoices {
		c.Owed += i.Balance
		c.AtMost = c.AtMost || i.Notices > 0 && u.Amount < i.Balance
	}
	c.Left, c.Over = max(0, c.Owed-u.Amount), max(0, u.Amount-c.Owed)
	var numbers []int64
	for _, i := range s.Invoices {
		numbers = append(numbers, i.Number)
	}
	c.Names = rq.words.Say("bank.invoice", "n", len(numbers), "numbers", rq.words.List(numbers))
	for _, h := range s.Reasons {
		c.Hints = append(c.Hints, rq.words.Say("hint."+string(h)))
	}
	return c
}
