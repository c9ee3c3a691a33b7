package ledger

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// exportProof proves a creditor's exports to the accounts one after the other, in the order in which they were made.
type exportProof struct {
	creditor models.Creditor
	next     map[int]int64 // the next number of a voucher, by year
	found    []Difference
}

// verifyExports proves that the vouchers of each export to the accounts still follow from the ledger (rule A1a): they balance, their numbers
// have no gap, each period begins with what the one before it ended with, and the balances at its ends are the ledger's. That its files are
// there is proved with all other files.
func verifyExports(ctx context.Context, db *store.DB, c models.Creditor) ([]Difference, error) {
	all, err := db.AllAccountExports(ctx, c.ID)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	ids := make([]int64, len(all))
	for n, e := range all {
		ids[n] = e.ID
	}
	files, err := db.AccountExportFiles(ctx, c.ID, ids)
	if err != nil {
		return nil, err
	}
	p := exportProof{creditor: c, next: map[int]int64{}}
	for n, e := range all {
		if int64(n)+1 != e.Number {
			p.tell(e, "it is the export %d that was made", n+1)
		}
		if len(files[e.ID]) == 0 {
			p.tell(e, "it has no file")
		}
		p.sums(e)
		p.numbers(e)
		for _, other := range all[:n] {
			p.beside(e, other)
		}
		if err := p.ledger(ctx, db, e); err != nil {
			return nil, err
		}
	}
	return p.found, nil
}

// tell notes what is wrong with an export.
func (p *exportProof) tell(e models.AccountExport, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	p.found = append(p.found, Difference(fmt.Sprintf("export %d to the accounts, of %s to %s: %s", e.Number, e.From, e.To, what)))
}

// sums proves that what an export books on the accounts balances, and is what it says of all vouchers.
func (p *exportProof) sums(e models.AccountExport) {
	var debit, credit models.Amount
	for _, s := range e.Sums {
		debit, credit = debit+s.Debit, credit+s.Credit
	}
	if debit != credit || debit != e.Debit {
		p.tell(e, "its accounts have %s debit and %s credit, its vouchers %s", debit, credit, e.Debit)
	}
}

// numbers proves that the numbers of an export's vouchers go on where those before it ended, and are as many as the vouchers.
func (p *exportProof) numbers(e models.AccountExport) {
	given := int64(0)
	for _, s := range e.Series {
		if want := max(p.next[s.Year], 1); s.First != want {
			p.tell(e, "its vouchers of %d begin with number %d, want %d", s.Year, s.First, want)
		}
		given += s.Last - s.First + 1
		p.next[s.Year] = s.Last + 1
	}
	if given != int64(e.Vouchers) {
		p.tell(e, "it has %d vouchers, and %d numbers", e.Vouchers, given)
	}
}

// beside proves that an export shares no day with an earlier one, and goes on with its balance where it follows it, or it this.
func (p *exportProof) beside(e, other models.AccountExport) {
	if e.From <= other.To && other.From <= e.To {
		p.tell(e, "it shares days with export %d", other.Number)
	}
	before, after := other, e
	if e.To < other.From {
		before, after = e, other
	}
	if before.To+1 == after.From && before.Closing != after.Opening {
		p.tell(e, "export %d ends with %s, and export %d begins with %s", before.Number, before.Closing, after.Number, after.Opening)
	}
}

// ledger proves that the balances at the ends of an export are the ledger's. The days are those of the zone that the creditor had then: after
// a change of the zone what the nights have kept by days is of other days, and says nothing.
func (p *exportProof) ledger(ctx context.Context, db *store.DB, e models.AccountExport) error {
	if e.TimeZone != p.creditor.TimeZone {
		return nil
	}
	booked, err := db.Booked(ctx, p.creditor.ID, store.Dates{From: e.From, To: e.To}, p.creditor.DisplayZone())
	if err != nil {
		return err
	}
	var opening, moved models.Amount
	items := 0
	for _, s := range booked {
		switch {
		case s.OfRate():
		case s.Before:
			opening += s.Amount
		default:
			moved, items = moved+s.Amount, items+s.Items
		}
	}
	if opening != e.Opening || opening+moved != e.Closing {
		p.tell(e, "it goes from %s to %s, the ledger from %s to %s", e.Opening, e.Closing, opening, opening+moved)
	}
	if e.Vouchers > items {
		p.tell(e, "it has %d vouchers, and the ledger booked %d times", e.Vouchers, items)
	}
	return nil
}
