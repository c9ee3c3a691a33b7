package demo

import (
	"context"
	"fmt"
	"net/url"

	"purr/models"
)

func tellDuplicate(_ context.Context, d *demo, _ []event) error {
	d.out.happened("The bank delivers the same file again. It is recognised: nothing is posted.")
	return nil
}

// fileChapters are what the bank's files are introduced with.
var fileChapters = []string{
	"The bank's first file, in OCR giro format: exact, partial, over- and double payments, and one that nobody knows.",
	"The bank's second file: payments with and without the reminder's fee, the credit paid out by a “-” line, and strays.",
}

// tellFile tells of an imported bank file and what its payments did.
func tellFile(ctx context.Context, d *demo, events []event) error {
	d.begin(fileChapters[len(d.files)-1])
	for _, e := range events {
		var file paymentFile
		if err := d.api.get(ctx, fmt.Sprintf("/payment_file/%d", e.Subject), &file); err != nil {
			return err
		}
		d.out.happenedTo(file.Amount, "Bank file %s: %d transactions, %d posted, %d not matched",
			file.Filename, file.Transactions, file.Matched.Transactions, file.Unmatched.Transactions)
		if err := d.tellPosted(ctx); err != nil {
			return err
		}
		if err := d.tellUnmatched(ctx, file); err != nil {
			return err
		}
	}
	return nil
}

// posted is what a file has paid on one document.
type posted struct {
	document document
	payments int
	amount   models.Amount // paid in; negative for what was paid out
}

// tellPosted tells what the OCR entries that are new have done.
func (d *demo) tellPosted(ctx context.Context) error {
	all, err := d.newlyPosted(ctx)
	if err != nil {
		return err
	}
	var full []document
	var paid models.Amount
	for _, p := range all {
		if p.payments == 1 && p.amount > 0 && p.document.Ledger.Balance == 0 {
			full = append(full, p.document)
			paid += p.amount
		}
	}
	if len(full) > 0 {
		d.out.happenedTo(paid, "  in full: %s", named(full))
	}
	for _, p := range all {
		number, left := p.document.Number, p.document.Ledger.Balance
		switch {
		case p.amount < 0:
			d.out.happenedTo(p.amount, "  paid out: credit note %d", number)
		case left > 0:
			d.out.happenedTo(p.amount, "  in part: invoice %d, %s still owed", number, kroner(left))
		case p.payments > 1:
			d.out.happenedTo(p.amount, "  twice: invoice %d, %s too much", number, kroner(-left))
		case left < 0:
			d.out.happenedTo(p.amount, "  too much: invoice %d, of which %s stays the customer's", number, kroner(-left))
		}
	}
	return nil
}

// newlyPosted reads the OCR entries that have not been told of, by the document they are on.
func (d *demo) newlyPosted(ctx context.Context) ([]*posted, error) {
	entries, err := list[entry](ctx, &d.api, "/ar_transactions", url.Values{"transaction_type": {string(models.EntryOCR)}})
	if err != nil {
		return nil, err
	}
	var all []*posted
	byURI := map[string]*posted{}
	for _, e := range entries[d.bankEntries:] {
		on := e.Invoice.URI
		if e.CreditNote != nil {
			on = e.CreditNote.URI
		}
		if byURI[on] == nil {
			byURI[on] = &posted{}
			all = append(all, byURI[on])
			if err := d.api.get(ctx, on, &byURI[on].document); err != nil {
				return nil, err
			}
		}
		byURI[on].payments++
		byURI[on].amount -= e.Amount
	}
	d.bankEntries = len(entries)
	return all, nil
}

// tellUnmatched tells of the payments in a file that wait for a person.
func (d *demo) tellUnmatched(ctx context.Context, file paymentFile) error {
	waiting, err := list[unmatchedPayment](ctx, &d.api, "/unmatched_payments", url.Values{"status": {"open"}})
	if err != nil {
		return err
	}
	for _, u := range waiting {
		if u.File.URI != file.URI {
			continue
		}
		said := "KID " + u.KID
		if u.KID == "" {
			said = fmt.Sprintf("“%s”", u.Text)
		}
		d.out.happenedTo(u.Amount, "  not matched: %s (%s)", said, u.Reason)
	}
	return nil
}
