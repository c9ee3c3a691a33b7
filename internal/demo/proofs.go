package demo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"purr/models"
)

// prove shows that the books add up to the øre, and fails where they do not.
func (d *demo) prove(b books) error {
	d.out.chapter("Does it add up?")
	proofs := []func(books) (string, bool){
		d.filesAddUp, d.filesWerePosted, ledgerIsBalances, noticesAddUp, numbersHaveNoGap,
	}
	all := true
	for _, proof := range proofs {
		text, holds := proof(b)
		d.out.proof(holds, text)
		all = all && holds
	}
	text, holds, err := d.everythingLeft(b)
	if err != nil {
		return err
	}
	d.out.proof(holds, text)
	if !all || !holds {
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
			imported = imported.plus(whole)
		}
	}
	return fmt.Sprintf("every file = posted + not matched + duplicates + ignored = what the bank wrote, %s", imported), holds && imported == d.written
}

// filesWerePosted finds the money of the bank's files again.
func (d *demo) filesWerePosted(b books) (string, bool) {
	entries := b.posted(models.EntryOCR)
	entries.Amount = -entries.Amount
	waiting := b.waiting()
	return fmt.Sprintf("files %s = OCR entries %s + not matched %s", d.written, entries, waiting), d.written == entries.plus(waiting)
}

// ledgerIsBalances compares the sum of all entries with what the documents show as their balances.
func ledgerIsBalances(b books) (string, bool) {
	var balances models.Amount
	for _, doc := range b.documents() {
		balances += doc.Ledger.Balance
	}
	ledger := b.posted("").Amount
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
	for _, doc := range b.documents() {
		numbers = append(numbers, doc.Number)
	}
	slices.Sort(numbers)
	first, last := numbers[0], numbers[len(numbers)-1]
	text := fmt.Sprintf("invoices and credit notes are numbered %d to %d, without a gap or a duplicate", first, last)
	return text, len(slices.Compact(numbers)) == len(b.documents()) && last-first+1 == int64(len(b.documents()))
}

// everythingLeft counts what was sent, and, where the outbox is at hand, what lies in it. Notices are
// letters.
func (d *demo) everythingLeft(b books) (text string, holds bool, err error) {
	by := map[models.ShipmentMethod]int{models.ByEmail: 0, models.ByPaper: len(b.notices)}
	holds = true
	for _, doc := range b.documents() {
		for _, s := range doc.Shipments {
			by[s.Method]++
			holds = holds && s.SentAt != ""
		}
	}
	text = fmt.Sprintf("%d e-mails and %d letters have left", by[models.ByEmail], by[models.ByPaper])
	if d.data == "" {
		return text, holds, nil
	}
	outbox := filepath.Join(d.data, "outbox")
	for method, folder := range map[models.ShipmentMethod]string{models.ByEmail: "email", models.ByPaper: "paper"} {
		files, err := os.ReadDir(filepath.Join(outbox, folder))
		if err != nil {
			return "", false, err
		}
		holds = holds && len(files) == by[method]
	}
	return text + ", and lie in " + outbox, holds, nil
}

func (s sum) plus(t sum) sum { return sum{s.Transactions + t.Transactions, s.Amount + t.Amount} }

// String returns the amount and how many payments make it up.
func (s sum) String() string { return fmt.Sprintf("%s (%d)", kroner(s.Amount), s.Transactions) }
