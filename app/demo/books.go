package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"purr/models"
)

// books is all that the API holds at the end.
type books struct {
	invoices    []document
	creditNotes []document
	notices     []document
	entries     []entry
	files       []paymentFile
	unmatched   []entry
}

// closeBooks tells how things stand at the end, and proves that they add up.
func (d *demo) closeBooks(ctx context.Context) error {
	var b books
	err := errors.Join(
		d.api.documents(ctx, "/invoices?", &b.invoices),
		d.api.documents(ctx, "/credit_notes?", &b.creditNotes),
		d.api.documents(ctx, "/overdue_notices?", &b.notices),
		list(ctx, &d.api, "/ar_transactions?", &b.entries),
		list(ctx, &d.api, "/payment_files?", &b.files),
		list(ctx, &d.api, "/unmatched_payments?", &b.unmatched),
	)
	if err != nil {
		return err
	}
	d.tellStanding(b.invoices)
	return d.prove(b)
}

// standings are the rows of the closing table.
var standings = []struct {
	status models.Status // empty for all invoices
	name   string
}{
	{"", "Invoices sent"},
	{models.InvoicePaid, "  paid or credited"},
	{models.InvoiceSent, "  not due yet"},
	{models.InvoiceOverdue, "  overdue"},
	{models.InvoiceOverdueChargeable, "  overdue, fee possible"},
	{models.OverdueNoticeSent, "  reminded"},
	{models.OverdueNoticeOverdue, "  reminded, overdue again"},
	{models.DebtCollectionNoticeSent, "  warned of debt collection"},
	{models.DebtCollectionNoticeOverdue, "  warned, overdue again"},
}

// tellStanding writes the closing table.
func (d *demo) tellStanding(invoices []document) {
	d.out.chapter(fmt.Sprintf("After ten weeks, on %s.", longDay(d.today)))
	d.out.row("", "number", "amount", "still owed")
	for _, s := range standings {
		var gross sum
		var owed models.Amount
		for _, i := range invoices {
			if s.status == "" || i.Status == s.status {
				gross.add(i.Gross)
				owed += i.Ledger.Balance
			}
		}
		if gross.Transactions > 0 {
			d.out.row(s.name, fmt.Sprint(gross.Transactions), kroner(gross.Amount), kroner(owed))
		}
	}
}

// prove shows that the books add up to the øre, and fails where they do not.
func (d *demo) prove(b books) error {
	d.out.chapter("Does it add up?")
	all := true
	for _, proof := range []func(books) (string, bool){
		d.filesAddUp, d.filesWerePosted, ledgerIsBalances, noticesAddUp, numbersHaveNoGap, d.everythingLeft,
	} {
		text, holds := proof(b)
		d.out.proof(holds, text)
		all = all && holds
	}
	if !all {
		return errors.New("the books do not add up")
	}
	return nil
}

// filesAddUp compares each file's totals with what became of it, and with what the bank wrote.
func (d *demo) filesAddUp(b books) (string, bool) {
	var imported sum
	holds := true
	for _, f := range b.files {
		whole := sum{f.Transactions, f.Amount}
		holds = holds && whole == f.Matched.plus(f.Unmatched).plus(f.Duplicates).plus(f.Ignored)
		if f.Status == models.FileImported {
			imported = imported.plus(whole).minus(f.Ignored) // mandates are ignored: they are no payments
		}
	}
	return fmt.Sprintf("every file = posted + not matched + duplicates + ignored = what the bank wrote, %s", imported), holds && imported == d.written
}

// filesWerePosted finds the money of the bank's files again, in the ledger or in the queue of unmatched payments.
func (d *demo) filesWerePosted(b books) (string, bool) {
	var posted, waiting sum
	for _, e := range b.entries {
		if e.Type == models.EntryOCR {
			posted.add(-e.Amount)
		}
	}
	for _, u := range b.unmatched {
		waiting.add(u.Amount)
	}
	return fmt.Sprintf("files %s = OCR entries %s + not matched %s", d.written, posted, waiting), d.written == posted.plus(waiting)
}

// ledgerIsBalances compares the sum of all entries with the balances of the documents.
func ledgerIsBalances(b books) (string, bool) {
	var ledger, balances models.Amount
	for _, e := range b.entries {
		ledger += e.Amount
	}
	for _, doc := range slices.Concat(b.invoices, b.creditNotes) {
		balances += doc.Ledger.Balance
	}
	return fmt.Sprintf("ledger %s = balances of %d invoices and %d credit note", kroner(ledger), len(b.invoices), len(b.creditNotes)), ledger == balances
}

// noticesAddUp compares the lines of each notice with its amount.
func noticesAddUp(b books) (string, bool) {
	holds := true
	for _, n := range b.notices {
		var lines models.Amount
		for _, l := range n.Lines {
			lines += l.Gross
		}
		holds = holds && lines == n.Gross
	}
	return fmt.Sprintf("the lines of each of the %d notices add up to what it asks for", len(b.notices)), holds
}

// numbersHaveNoGap looks at the number series that invoices and credit notes share.
func numbersHaveNoGap(b books) (string, bool) {
	var numbers []int64
	for _, doc := range slices.Concat(b.invoices, b.creditNotes) {
		numbers = append(numbers, doc.Number)
	}
	slices.Sort(numbers)
	count, first, last := int64(len(numbers)), numbers[0], numbers[len(numbers)-1]
	text := fmt.Sprintf("invoices and credit notes are numbered %d to %d, without a gap or a duplicate", first, last)
	return text, int64(len(slices.Compact(numbers))) == count && last-first+1 == count
}

// everythingLeft counts the shipments that were sent, and the files in the outbox if it is at hand. Notices are letters.
func (d *demo) everythingLeft(b books) (text string, holds bool) {
	by := make(map[models.ShipmentMethod]int)
	by[models.ByPaper] = len(b.notices)
	holds = true
	for _, doc := range slices.Concat(b.invoices, b.creditNotes) {
		for _, s := range doc.Shipments {
			by[s.Method]++
			holds = holds && s.SentAt != ""
		}
	}
	text = fmt.Sprintf("%d e-mails and %d letters have left", by[models.ByEmail], by[models.ByPaper])
	if d.data == "" {
		return text, holds
	}
	outbox := filepath.Join(d.data, "outbox")
	emails, err := os.ReadDir(filepath.Join(outbox, "email"))
	holds = holds && err == nil && len(emails) == by[models.ByEmail]
	letters, err := os.ReadDir(filepath.Join(outbox, "paper"))
	holds = holds && err == nil && len(letters) == by[models.ByPaper]
	return text + ", and lie in " + outbox, holds
}
