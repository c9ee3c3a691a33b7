package receivables

import (
	"cmp"
	"context"
	"slices"
	"time"

	"purr/models"
	"purr/store"
)

// MonthReport is what moved a creditor's receivables in a month (rule N5). Each entry counts in the month in which it was booked, and
// with the sign turned in the month in which it was deleted. So a month that is over stays as it is. All amounts say by how much
// customers owe more: payments are below zero.
type MonthReport struct {
	Month      models.Month
	Opening    models.Amount // what customers owed, less their credit, when the month began
	Closing    models.Amount // and when it ended: Opening and all of Moved
	Invoiced   Taxed
	Credited   Taxed
	moved      map[models.Movement]Moved
	WrittenOff models.Amount // owed on the invoices that were closed, less those that were opened again; the balances stay, so it moves nothing
}

// Moved is what was booked of one movement, with what of it was deleted.
type Moved struct {
	Items  int // bookings and deletions
	Amount models.Amount
}

// Taxed is an amount with its VAT.
type Taxed struct {
	Net, Gross models.Amount
	VAT        []VATSum // by rate, the highest first
}

// VATSum is what was invoiced or credited at one VAT rate.
type VATSum struct {
	Rate        models.Percent
	Net, Amount models.Amount
}

// Of returns what was booked of a movement.
func (m MonthReport) Of(movement models.Movement) Moved { return m.moved[movement] }

// Movements returns the sum of all movements: by how much customers owe more at the end of the month than at its beginning.
func (m MonthReport) Movements() (sum models.Amount) {
	for _, moved := range m.moved {
		sum += moved.Amount
	}
	return sum
}

// Kinds returns the movements that a report shows: that of invoices of other systems only where one was adopted, and that of the debt
// collector only where it has paid.
func (m MonthReport) Kinds() []models.Movement {
	return slices.DeleteFunc(slices.Clone(models.Movements), func(k models.Movement) bool {
		return (k == models.MovementAdopted || k == models.MovementCollector) && m.moved[k].Items == 0
	})
}

// Items returns how many bookings and deletions the month has.
func (m MonthReport) Items() (n int) {
	for _, moved := range m.moved {
		n += moved.Items
	}
	return n
}

// MonthReportOf adds up what was booked before a month and in it.
func MonthReportOf(month models.Month, sums []store.BookedSum) MonthReport {
	r := MonthReport{Month: month, moved: make(map[models.Movement]Moved, len(models.Movements))}
	for _, s := range sums {
		switch {
		case s.Before && !s.OfRate():
			r.Opening += s.Amount
		case s.Before:
		case s.OfRate() && s.Movement == models.MovementInvoiced:
			r.Invoiced.add(s)
		case s.OfRate():
			r.Credited.add(s)
		default:
			moved := r.moved[s.Movement]
			r.moved[s.Movement] = Moved{moved.Items + s.Items, moved.Amount + s.Amount}
		}
	}
	r.Invoiced.end(r.moved[models.MovementInvoiced])
	r.Credited.end(r.moved[models.MovementCredited])
	r.Closing = r.Opening + r.Movements()
	return r
}

// add adds what was invoiced or credited at one rate.
func (t *Taxed) add(s store.BookedSum) {
	n := slices.IndexFunc(t.VAT, func(v VATSum) bool { return v.Rate == s.Rate })
	if n < 0 {
		n, t.VAT = len(t.VAT), append(t.VAT, VATSum{Rate: s.Rate})
	}
	t.VAT[n].Net += s.Amount
	t.VAT[n].Amount += s.VAT
}

// end sets the sums of what was added.
func (t *Taxed) end(of Moved) {
	slices.SortFunc(t.VAT, func(a, b VATSum) int { return cmp.Compare(b.Rate, a.Rate) })
	t.Gross, t.Net = of.Amount, of.Amount
	for _, v := range t.VAT {
		t.Net -= v.Amount
	}
}

// ReadMonth returns the report of a month. Its days are in the creditor's time zone.
func ReadMonth(ctx context.Context, v store.View, c models.Creditor, month models.Month) (MonthReport, error) {
	days := store.Dates{From: month.First(), To: month.Last()}
	sums, err := v.Booked(ctx, c.ID, days, c.DisplayZone())
	if err != nil {
		return MonthReport{}, err
	}
	r := MonthReportOf(month, sums)
	r.WrittenOff, err = v.WrittenOff(ctx, c.ID, days, c.DisplayZone())
	return r, err
}

// LedgerRow is what was booked, or deleted, with what all customers owe after it.
type LedgerRow struct {
	store.BookedEntry
	Balance models.Amount
}

// ledgerBatch is how many rows of the ledger are read at a time.
const ledgerBatch = 500

// EachInLedger calls do with all that was booked for a creditor on some days, in the order of booking, until do fails. It reads some
// rows at a time, so that memory stays flat. An open end of the days is the beginning, or now. With a movement it takes no other, and the
// balance is the sum of what it took.
func EachInLedger(ctx context.Context, db *store.DB, c models.Creditor, d store.Dates, movement models.Movement, do func(LedgerRow) error) error {
	var balance models.Amount
	if movement == "" {
		opening, err := openingOf(ctx, db, c, d, c.DisplayZone())
		if err != nil {
			return err
		}
		balance = opening
	}
	f, after := store.BookedFilter{Dates: d, Zone: c.DisplayZone(), Movement: movement}, store.BookedMark{}
	for {
		found, err := db.BookedEntries(ctx, c.ID, f, after, ledgerBatch)
		if err != nil || len(found) == 0 {
			return err
		}
		if err := db.ActorsOfBooked(ctx, c.ID, found); err != nil {
			return err
		}
		for _, e := range found {
			after, balance = e.Mark(after), balance+e.Amount
			if err := do(LedgerRow{e, balance}); err != nil {
				return err
			}
		}
	}
}

// openingOf returns what customers owed before some days.
func openingOf(ctx context.Context, db *store.DB, c models.Creditor, d store.Dates, zone *time.Location) (opening models.Amount, err error) {
	if d.From == 0 {
		return 0, nil
	}
	sums, err := db.Booked(ctx, c.ID, d, zone)
	if err != nil {
		return 0, err
	}
	return MonthReportOf(models.Month(0), sums).Opening, nil
}
