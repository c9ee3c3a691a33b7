package demo

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"purr/models"
)

// tellEvents tells what has happened since its last call: events of one type together, in the order in which the types
// first came.
func (d *demo) tellEvents(ctx context.Context) error {
	var events []event
	if err := list(ctx, &d.api, fmt.Sprintf("/events?after=%d&", d.lastEvent), &events); err != nil {
		return err
	}
	var types []models.EventType
	byType := make(map[models.EventType][]event)
	for _, e := range events {
		if byType[e.Type] == nil {
			types = append(types, e.Type)
		}
		byType[e.Type] = append(byType[e.Type], e)
		d.lastEvent = e.ID
	}
	for _, t := range types {
		if err := d.tell(ctx, t, byType); err != nil {
			return err
		}
	}
	return d.out.err
}

// tell tells events of one type, most of them in the API's own words.
func (d *demo) tell(ctx context.Context, t models.EventType, byType map[models.EventType][]event) error {
	if t == models.EventFileImported && byType[models.EventMandatesRead] != nil {
		return nil // the file told of mandates alone
	}
	d.introduce(t)
	events := byType[t]
	switch t {
	case models.EventInvoiceCreated:
		return d.tellTogether(ctx, "Sent", events)
	case models.EventInvoiceOverdue:
		return d.tellTogether(ctx, "Overdue", events)
	case models.EventNoticeOverdue:
		return d.tellTogether(ctx, "Notice overdue", events)
	case models.EventNoticeCreated:
		return d.tellNotices(ctx, events)
	case models.EventFileImported:
		return d.tellFile(ctx, events[0], byType[models.EventPaymentUnmatched])
	case models.EventFileDuplicate:
		d.out.happened("The bank delivers the same file again. It is recognised: nothing is posted.")
	case models.EventCreditorCreated, models.EventCreditorChanged, models.EventKeyCreated, models.EventCustomerCreated, // told at the beginning
		models.EventInvoiceChargeable, // the reminder comes the same day
		models.EventPaymentUnmatched,  // told with its file
		models.EventClaimFileMade,     // it is sent at once
		models.EventShipmentSent,      // proven at the end
		models.EventBankFilesLate:     // this bank delivers on three days, and dunning does not wait for more
	default:
		for _, e := range events {
			d.out.happened("%s", e.Text)
		}
	}
	return nil
}

// introduce writes the next chapter of the plan for an event of the type, if there is one.
func (d *demo) introduce(t models.EventType) {
	next := slices.IndexFunc(d.plan.Chapters, func(c chapter) bool { return c.Before == t })
	if next >= 0 {
		d.out.chapter(strings.TrimSpace(d.plan.Chapters[next].Text))
		d.plan.Chapters = slices.Delete(d.plan.Chapters, next, next+1)
	}
}

// tellTogether tells in one line what happened to several invoices, and what is owed on them.
func (d *demo) tellTogether(ctx context.Context, what string, events []event) error {
	var owed models.Amount
	invoices := make([]document, len(events))
	for i, e := range events {
		if err := d.api.get(ctx, e.Invoice.URI, &invoices[i]); err != nil {
			return err
		}
		owed += invoices[i].Ledger.Balance
	}
	d.out.happenedTo(owed, "%s: %s", what, named(invoices))
	return nil
}

// tellNotices tells whom each notice goes to, what it asks for, and which fee and interest came with it. The event says
// "Reminder 1 on invoice 3: 10875.15 owed, of that fee 38.00 and interest 49.65, due 2026-02-12".
func (d *demo) tellNotices(ctx context.Context, events []event) error {
	for _, e := range events {
		var n document
		if err := d.api.get(ctx, fmt.Sprintf("/overdue_notice/%d", e.Subject), &n); err != nil {
			return err
		}
		title, rest, _ := strings.Cut(e.Text, ":")
		_, rest, _ = strings.Cut(rest, ", of that ")
		charges, _, _ := strings.Cut(rest, ", due ")
		d.out.happenedTo(n.Gross, "%s, %s: %s", strings.Replace(title, " on ", ", ", 1), n.Name, strings.Replace(charges, " and ", ", ", 1))
	}
	return nil
}

// tellFile tells what became of the payments in a file of the bank.
func (d *demo) tellFile(ctx context.Context, imported event, unmatched []event) error {
	var file paymentFile
	if err := d.api.get(ctx, fmt.Sprintf("/payment_file/%d", imported.Subject), &file); err != nil {
		return err
	}
	d.out.happenedTo(file.Amount, "Bank file %s: %d transactions, %d posted, %d not matched",
		file.Filename, file.Transactions, file.Matched.Transactions, file.Unmatched.Transactions)
	if err := d.tellPosted(ctx); err != nil {
		return err
	}
	for _, e := range unmatched {
		d.out.happened("  %s", e.Text)
	}
	return nil
}

// posted is what a file has paid on one document.
type posted struct {
	document document // as it is now
	payments sum      // negative for what was paid out
}

// outcome says what the payments did. It is empty if one payment has settled the invoice.
func (p posted) outcome() string {
	number, left := p.document.Number, p.document.Ledger.Balance
	switch {
	case p.payments.Amount < 0:
		return fmt.Sprintf("paid out: credit note %d", number)
	case left > 0:
		return fmt.Sprintf("in part: invoice %d, %s still owed", number, kroner(left))
	case p.payments.Transactions > 1:
		return fmt.Sprintf("twice: invoice %d, %s too much", number, kroner(-left))
	case left < 0:
		return fmt.Sprintf("too much: invoice %d, of which %s stays the customer's", number, kroner(-left))
	}
	return ""
}

// tellPosted tells what the new OCR entries have done: first the invoices that one payment has settled, then the others.
func (d *demo) tellPosted(ctx context.Context) error {
	all, err := d.newlyPosted(ctx)
	if err != nil {
		return err
	}
	var full []document
	var paid models.Amount
	for _, p := range all {
		if p.outcome() == "" {
			full = append(full, p.document)
			paid += p.payments.Amount
		}
	}
	if len(full) > 0 {
		d.out.happenedTo(paid, "  in full: %s", named(full))
	}
	for _, p := range all {
		if outcome := p.outcome(); outcome != "" {
			d.out.happenedTo(p.payments.Amount, "  %s", outcome)
		}
	}
	return nil
}

// newlyPosted reads the OCR entries that were not told yet, by document.
func (d *demo) newlyPosted(ctx context.Context) ([]posted, error) {
	var entries []entry
	if err := list(ctx, &d.api, "/ar_transactions?transaction_type="+string(models.EntryOCR)+"&", &entries); err != nil {
		return nil, err
	}
	var all []posted
	for _, e := range entries[d.bankEntries:] {
		on := cmp.Or(e.CreditNote.URI, e.Invoice.URI)
		i := slices.IndexFunc(all, func(p posted) bool { return p.document.URI == on })
		if i < 0 {
			i, all = len(all), append(all, posted{})
			if err := d.api.get(ctx, on, &all[i].document); err != nil {
				return nil, err
			}
		}
		all[i].payments.add(-e.Amount)
	}
	d.bankEntries = len(entries)
	return all, nil
}

// named names invoices by their numbers, a row of three or more by its ends.
func named(invoices []document) string {
	invoices = slices.SortedFunc(slices.Values(invoices), func(a, b document) int { return cmp.Compare(a.Number, b.Number) })
	texts := make([]string, len(invoices))
	for i, invoice := range invoices {
		texts[i] = fmt.Sprint(invoice.Number)
	}
	last := len(texts) - 1
	switch {
	case last == 0:
		return "invoice " + texts[0]
	case last > 1 && invoices[last].Number-invoices[0].Number == int64(last):
		return "invoices " + texts[0] + " to " + texts[last]
	}
	return "invoices " + strings.Join(texts[:last], ", ") + " and " + texts[last]
}
