package demo

import (
	"context"
	"fmt"

	"purr/models"
)

// books is all that the API holds at the end.
type books struct {
	invoices    []document
	creditNotes []document
	notices     []notice
	entries     []entry
	files       []paymentFile
	unmatched   []unmatchedPayment
}

func (d *demo) readBooks(ctx context.Context) (b books, err error) {
	if b.invoices, err = details[document](ctx, &d.api, "/invoices"); err != nil {
		return b, err
	}
	if b.creditNotes, err = details[document](ctx, &d.api, "/credit_notes"); err != nil {
		return b, err
	}
	if b.notices, err = details[notice](ctx, &d.api, "/overdue_notices"); err != nil {
		return b, err
	}
	if b.entries, err = list[entry](ctx, &d.api, "/ar_transactions", nil); err != nil {
		return b, err
	}
	if b.files, err = list[paymentFile](ctx, &d.api, "/payment_files", nil); err != nil {
		return b, err
	}
	b.unmatched, err = list[unmatchedPayment](ctx, &d.api, "/unmatched_payments", nil)
	return b, err
}

// details reads the detail of every item of a list.
func details[T any](ctx context.Context, c *client, path string) ([]T, error) {
	items, err := list[link](ctx, c, path, nil)
	if err != nil {
		return nil, err
	}
	all := make([]T, len(items))
	for i, item := range items {
		if err := c.get(ctx, item.URI, &all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// documents returns the invoices and the credit notes: all that has a balance.
func (b books) documents() []document {
	return append(b.invoices[:len(b.invoices):len(b.invoices)], b.creditNotes...)
}

// posted returns the number and sum of the entries of a type, or of all where it is empty.
func (b books) posted(t models.EntryType) (s sum) {
	for _, e := range b.entries {
		if t == "" || e.Type == t {
			s.Transactions++
			s.Amount += e.Amount
		}
	}
	return s
}

// waiting returns the number and sum of the payments in the queue.
func (b books) waiting() (s sum) {
	for _, u := range b.unmatched {
		s.Transactions++
		s.Amount += u.Amount
	}
	return s
}

// statusNames are the statuses in the order of the closing table.
var statusNames = []struct {
	status models.Status
	name   string
}{
	{models.InvoicePaid, "paid or credited"},
	{models.InvoiceSent, "not due yet"},
	{models.InvoiceOverdue, "overdue"},
	{models.InvoiceOverdueChargeable, "overdue, fee possible"},
	{models.OverdueNoticeSent, "reminded"},
	{models.OverdueNoticeOverdue, "reminded, overdue again"},
	{models.DebtCollectionNoticeSent, "warned of debt collection"},
	{models.DebtCollectionNoticeOverdue, "warned, overdue again"},
}

// entryNames are the types of entries in the order of the closing table.
var entryNames = []struct {
	kind models.EntryType
	name string
}{
	{models.EntryInvoice, "invoices"},
	{models.EntryCreditNote, "credit notes, and what they settled"},
	{models.EntryOverdueCharge, "fees"},
	{models.EntryInterest, "interest"},
	{models.EntryOCR, "payments from the bank's files"},
	{models.EntryPayment, "payments registered by hand"},
}

// close tells how things stand at the end, and proves that they add up.
func (d *demo) close(ctx context.Context) error {
	b, err := d.readBooks(ctx)
	if err != nil {
		return err
	}
	d.out.chapter("After ten weeks, on %s.", longDay(d.today))
	t := d.out.figures("number", "amount", "still owed")
	t.row("Invoices sent", b.ofStatus("")...)
	for _, s := range statusNames {
		if cells := b.ofStatus(s.status); cells[0] != "0" {
			t.row("  "+s.name, cells...)
		}
	}
	t.row("Ledger entries", b.posted("").cells()...)
	for _, e := range entryNames {
		t.row("  "+e.name, b.posted(e.kind).cells()...)
	}
	for _, f := range b.files {
		t.row(fmt.Sprintf("Bank file %s, %s", f.Filename, f.Status), sum{f.Transactions, f.Amount}.cells()...)
	}
	t.row("Payments not matched, waiting for a person", b.waiting().cells()...)
	if err := t.flush(); err != nil {
		return err
	}
	return d.prove(b)
}

// ofStatus returns the number of invoices with a status, or of all where it is empty, their sum, and what
// is owed on them.
func (b books) ofStatus(status models.Status) []string {
	var gross sum
	var owed models.Amount
	for _, i := range b.invoices {
		if status == "" || i.Status == status {
			gross.Transactions++
			gross.Amount += i.Gross
			owed += i.Ledger.Balance
		}
	}
	return append(gross.cells(), kroner(owed))
}

func (s sum) cells() []string { return []string{fmt.Sprint(s.Transactions), kroner(s.Amount)} }
