package api

import (
	"context"

	"purr/api/form"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
)

// matchPayment posts the unmatched payment in the path on one invoice, on several that together owe its amount (rule E5), or on
// several with a part for each (rule N7).
func matchPayment(rq *request, id int64, body form.Body) (act, error) {
	f, err := form.Parse(body, "match")
	if err != nil {
		return nil, err
	}
	if letters := f.Each("letter"); len(letters) > 0 {
		return rq.matchLetter(f, id, letters)
	}
	uris, parts := matched(f)
	if err := f.Done(nil); err != nil {
		return nil, err
	}
	invoiceIDs := make([]int64, len(uris))
	for n, uri := range uris {
		id, found := rq.idIn(uri, "invoice")
		if !found {
			return nil, models.NotFound("invoice")
		}
		if invoiceIDs[n] = id; len(parts) > 0 {
			parts[n].InvoiceID = id
		}
	}
	return rq.onPayment(func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
		if len(parts) > 0 {
			return unmatched.MatchParts(ctx, tx, rq.creditor, id, parts, rq.actor())
		}
		return unmatched.Match(ctx, tx, rq.creditor, id, invoiceIDs, rq.actor())
	}), nil
}

// matchLetter posts the unmatched payment on the invoices of a letter (rule L23).
func (rq *request) matchLetter(f *form.Form, paymentID int64, letters []*form.Element) (act, error) {
	uri, sent := letters[0].Attr("uri")
	if !sent {
		letters[0].Fault("", "required", "is required: the uri of a letter")
	}
	if len(letters) > 1 {
		f.Fault("letter", "duplicate_element", "must be there once")
	}
	if err := f.Done(nil); err != nil {
		return nil, err
	}
	letterID, found := rq.idIn(uri, "letter")
	if !found {
		return nil, models.NotFound("letter")
	}
	return rq.onPayment(func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
		return unmatched.MatchLetter(ctx, tx, rq.creditor, paymentID, letterID, rq.actor())
	}), nil
}

// maxMatched is the most invoices that one payment can be matched with.
const maxMatched = 100

// matched reads the URIs of the invoices to match a payment with, and the part of each if they have any. At least one invoice is
// required. All have a part, or none.
func matched(f *form.Form) (uris []string, parts []unmatched.Part) {
	invoices := f.Each("invoice")
	for _, invoice := range invoices {
		uri, sent := invoice.Attr("uri")
		if !sent && len(invoices) > 1 {
			invoice.Fault("", "required", "is required: the uri of an invoice")
		}
		if sent {
			uris = append(uris, uri)
		}
		if part, divided := partOf(invoice); divided {
			parts = append(parts, part)
		}
	}
	switch {
	case len(uris) == 0 && len(invoices) < 2:
		f.Fault("invoice", "required", "is required: the uri of an invoice")
	case len(uris) > maxMatched:
		f.Fault("invoice", "out_of_range", "must be at most %d", maxMatched)
	case len(parts) > 0 && len(parts) < len(invoices):
		f.Fault("invoice", "required", "needs an amount, as the others have")
	}
	return uris, parts
}

// partOf returns what of a payment an invoice gets, and false if the request does not say it.
func partOf(invoice *form.Element) (unmatched.Part, bool) {
	text, sent := invoice.Attr("amount")
	if !sent {
		return unmatched.Part{}, false
	}
	amount, err := models.ParseAmount(text)
	switch {
	case err != nil:
		invoice.Fault("", "invalid_amount", "has an amount that is none: it must be a number of kroner with two decimals")
	case amount <= 0:
		invoice.Fault("", "not_positive", "has an amount that is not above zero")
	}
	return unmatched.Part{Amount: amount}, true
}
