package api

import (
	"context"
	"encoding/xml"
	"strings"

	"purr/api/form"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
)

// unmatchedPaymentXML is an unmatched payment, open or resolved (rule E5).
type unmatchedPaymentXML struct {
	XMLName     xml.Name               `xml:"unmatched_payment"`
	URI         string                 `xml:"uri,attr"`
	Status      string                 `xml:"status,attr"`
	Amount      models.Amount          `xml:"amount"`
	Date        models.Date            `xml:"transaction_date"`
	KID         string                 `xml:"kid"`
	FromAccount string                 `xml:"from_account_number"`
	PayerName   string                 `xml:"payer_name,omitempty"`
	Ultimate    string                 `xml:"ultimate_payer_name,omitempty"`
	Text        string                 `xml:"text"`
	PaymentFile link                   `xml:"payment_file"`
	Reason      models.UnmatchedReason `xml:"reason"`
	Entries     []link                 `xml:"ar_transaction"`
	Comment     string                 `xml:"comment,omitempty"`
	Suggestions *suggestionsXML        `xml:"suggestions"`
}

// suggestionsXML are the invoices that an open payment may be for. Only the detail shows them.
type suggestionsXML struct {
	Suggestions []suggestionXML `xml:"suggestion"`
}

type suggestionXML struct {
	Rank     int    `xml:"rank,attr"`   // from 1, the best
	Reason   string `xml:"reason,attr"` // separated by blanks, the strongest first
	Letter   *link  `xml:"letter"`      // whose KID it came with (rule L23)
	Customer link   `xml:"customer"`
	Invoices []link `xml:"invoice"`
}

func (rq *request) unmatchedPayment(u models.UnmatchedPayment) unmatchedPaymentXML {
	x := unmatchedPaymentXML{
		URI: rq.uri("unmatched_payment", u.ID), Status: u.Status, Amount: u.Amount, Date: u.TransactionDate, KID: u.KID,
		FromAccount: u.FromAccountNumber, PayerName: u.PayerName, Ultimate: u.UltimatePayer, Text: u.Text, PaymentFile: link{rq.uri("payment_file", u.PaymentFileID)}, Reason: u.Reason,
		Comment: u.Comment,
	}
	for _, id := range u.EntryIDs() {
		x.Entries = append(x.Entries, link{rq.uri("ar_transaction", id)})
	}
	return x
}

// listUnmatchedPayments lists the unmatched payments, open and resolved.
func (s *Server) listUnmatchedPayments(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	open, resolved := true, true
	switch status, sent := q.text("status"); {
	case !sent || status == "all":
	case status == "open":
		resolved = false
	case status == "resolved":
		open = false
	default:
		q.fault("unknown_status", "status", "must be open, resolved or all")
	}
	return listed("unmatched_payments", q, rq.unmatchedPayment, func(p store.Page) ([]models.UnmatchedPayment, int64, error) {
		return s.db.UnmatchedPayments(ctx, rq.creditor.ID, open, resolved, p)
	})
}

// unmatchedPaymentDetail shows an unmatched payment, with suggestions while it is open.
func (rq *request) unmatchedPaymentDetail(ctx context.Context, v store.View, u models.UnmatchedPayment) (unmatchedPaymentXML, error) {
	x := rq.unmatchedPayment(u)
	if u.Status != models.PaymentOpen {
		return x, nil
	}
	found, err := unmatched.Suggest(ctx, v, rq.creditor, u)
	if err != nil {
		return unmatchedPaymentXML{}, err
	}
	x.Suggestions = &suggestionsXML{}
	if err := rq.suggestLetter(ctx, v, u, x.Suggestions); err != nil {
		return unmatchedPaymentXML{}, err
	}
	for _, s := range found[:min(len(found), mostSuggested-len(x.Suggestions.Suggestions))] {
		shown := suggestionXML{Rank: len(x.Suggestions.Suggestions) + 1, Customer: link{rq.uri("customer", s.CustomerID)}}
		for _, hint := range s.Reasons {
			shown.Reason = strings.TrimSpace(shown.Reason + " " + string(hint))
		}
		for _, i := range s.Invoices {
			shown.Invoices = append(shown.Invoices, link{rq.uri("invoice", i.ID)})
		}
		x.Suggestions.Suggestions = append(x.Suggestions.Suggestions, shown)
	}
	return x, nil
}

// mostSuggested is the most suggestions that are shown.
const mostSuggested = 5

// suggestLetter suggests the letter with whose KID a payment came, first of all (rule L23).
func (rq *request) suggestLetter(ctx context.Context, v store.View, u models.UnmatchedPayment, to *suggestionsXML) error {
	l, is, err := unmatched.LetterOf(ctx, v, rq.creditor.ID, u)
	if err != nil || !is {
		return err
	}
	shown := suggestionXML{Rank: 1, Reason: string(models.HintKID), Letter: &link{rq.uri("letter", l.ID)}, Customer: link{rq.uri("customer", l.CustomerID)}}
	ids, err := v.InvoicesOfLetters(ctx, rq.creditor.ID, []int64{l.ID})
	if err != nil {
		return err
	}
	for _, id := range ids {
		shown.Invoices = append(shown.Invoices, link{rq.uri("invoice", id)})
	}
	to.Suggestions = append(to.Suggestions, shown)
	return nil
}

// unmatchPayment withdraws a manual match of the payment in the path.
func unmatchPayment(rq *request, id int64, body form.Body) (act, error) {
	if err := form.ParseEmpty(body, "unmatch"); err != nil {
		return nil, err
	}
	return rq.onPayment(func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
		return unmatched.Unmatch(ctx, tx, rq.creditor, id, rq.actor())
	}), nil
}

// dismissPayment resolves the unmatched payment in the path without posting it (rule E5).
func dismissPayment(rq *request, id int64, body form.Body) (act, error) {
	f, err := form.Parse(body, "dismiss")
	if err != nil {
		return nil, err
	}
	comment, _ := f.Text("comment")
	if err := f.Done(unmatched.ValidateDismissal(comment)); err != nil {
		return nil, err
	}
	return rq.onPayment(func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
		return unmatched.Dismiss(ctx, tx, rq.creditor, id, comment, rq.actor())
	}), nil
}

// reopenPayment takes the dismissal of the payment in the path back.
func reopenPayment(rq *request, id int64, body form.Body) (act, error) {
	if err := form.ParseEmpty(body, "reopen"); err != nil {
		return nil, err
	}
	return rq.onPayment(func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
		return unmatched.Reopen(ctx, tx, rq.creditor, id, rq.actor())
	}), nil
}

// onPayment does an act on an unmatched payment and answers with the payment's detail.
func (rq *request) onPayment(do func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error)) act {
	return func(ctx context.Context, tx *store.Tx) (any, error) {
		u, err := do(ctx, tx)
		if err != nil {
			return nil, err
		}
		return rq.unmatchedPaymentDetail(ctx, tx.View(), u)
	}
}
