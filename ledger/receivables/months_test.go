package receivables_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/ledger"
	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// journal is the test's own record of a creditor's ledger: what came, and what went, by comparing the rows after each act.
type journal struct {
	t          *testing.T
	db         *store.DB
	clock      *clock.Test
	random     *rand.Rand
	creditor   models.Creditor
	customers  []models.Customer
	invoices   []models.Invoice
	notes      []models.CreditNote
	queued     []int64
	repayments []int64
	files      []int64
	present    map[int64]models.Entry
	moves      map[models.Month]map[models.Movement]models.Amount
	vat        map[models.Month]map[models.Percent]models.Amount
	closed     map[models.Month]models.Amount // written off
	ends       map[models.Month]models.Amount // the sum of all balances at the end
	answers    map[models.Month]string
	lines      uint32
	start      models.Date
	days       *rand.Rand                              // chooses the days that are handed over to the accounts
	pause      time.Duration                           // the most time between two acts
	owed       map[models.Date]map[int64]models.Amount // what each customer owed when the last day of a month was over
	drawn      map[string]string                       // the SHA-256 of what was handed over, by days and form
	saft       []string                                // the files of SAF-T
}

// TestN5MonthsAddUp lets random things happen over five months: invoices, credit notes, payments of all kinds, deletions, matches whole and
// in parts that are undone (N7), moved credit, repayments by hand and by files (N12), notices, reversals, waived charges (N9), closings, and
// the nights' counts, invoices of another system and what that tells of them (L17), what the debt collector reports (C1), and hands the ledger
// over to the accounts (A1a). For each month opening + movements must be closing, and what the rows say; and a month that is over must stay as it was.
func TestN5MonthsAddUp(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		j := begin(t, db, 11, 11*time.Hour)
		j.live(5)
		j.check()
		j.checkLedger()
		for _, act := range []models.EventType{
			models.EventChargesWaived, models.EventChargesRestored, models.EventCreditTransferred, models.EventRepaymentOrdered,
			models.EventRepaymentWithdrawn, models.EventRepaymentFileMade, models.EventRepaymentFileWithdrawn, models.EventRepaymentFilePaid,
			models.EventRepaymentFileUnpaid, models.EventPaymentMatched, models.EventPaymentReopened, models.EventInvoiceAdopted, models.EventBalanceAdopted,
		} {
			events, err := j.db.NewestEvents(t.Context(), j.creditor.ID, store.EventFilter{Type: act}, 0, 1)
			if must(t, err); len(events) == 0 {
				t.Errorf("there was no %s in all those months", act)
			}
		}
		j.sawAll()
	})
}

// begin returns the record of a new creditor with three customers. Between two acts up to the given time passes.
func begin(t *testing.T, db *store.DB, seed uint64, pause time.Duration) *journal {
	t.Helper()
	now := clock.NewTest(rows.Start)
	j := &journal{
		t: t, db: db.WithClock(now), clock: now, random: rand.New(rand.NewPCG(seed, 2026)), pause: pause, present: map[int64]models.Entry{},
		creditor: rows.Creditor(t, db, func(c *models.Creditor) { c.Name, c.FirstNumber = "Katt & Hund AS", 100_000 }),
		moves:    map[models.Month]map[models.Movement]models.Amount{}, vat: map[models.Month]map[models.Percent]models.Amount{},
		closed: map[models.Month]models.Amount{}, ends: map[models.Month]models.Amount{}, answers: map[models.Month]string{},
		owed: map[models.Date]map[int64]models.Amount{}, drawn: map[string]string{},
	}
	j.start, j.days = j.today(), rand.New(rand.NewPCG(seed+1, 2026))
	rows.Invoice(t, db, rows.Creditor(t, db)) // another creditor's
	for range 3 {
		j.customers = append(j.customers, rows.Customer(t, db, j.creditor))
	}
	return j
}

// live lets some months go by, and hands them over to the accounts. Then the books must be right.
func (j *journal) live(months int) {
	for j.month() < models.MonthOf(rows.Today).Plus(months) {
		j.act()
		j.observe()
		j.pass()
	}
	j.handOver(j.today() - 1)
	j.checkHandedOver()
	differences, err := ledger.Verify(j.t.Context(), j.db, j.creditor)
	must(j.t, err)
	if len(differences) > 0 {
		j.t.Errorf("verify finds %v", differences)
	}
}

// sawAll fails unless everything has happened that can.
func (j *journal) sawAll() {
	j.t.Helper()
	for _, m := range models.Movements {
		seen := false
		for _, of := range j.moves {
			_, there := of[m]
			seen = seen || there
		}
		if !seen {
			j.t.Errorf("nothing was %s in all those months", m)
		}
	}
}

// month returns the month that it is for the creditor.
func (j *journal) month() models.Month {
	return models.MonthOf(j.creditor.BookingDay(j.clock.Now()))
}

// pass lets some hours go by. At the end of a month it keeps what all balances add up to, and sometimes the nights count.
func (j *journal) pass() {
	month := j.month()
	j.clock.Set(j.clock.Now().Add(time.Hour + time.Duration(j.random.Int64N(int64(j.pause))).Truncate(time.Second)))
	for ; month < j.month(); month++ {
		j.ends[month], j.owed[month.Last()] = j.balances()
		j.answers[month] = j.answer(month)
		if j.days.IntN(2) == 0 { // later deletions are later vouchers
			j.handOver(month.Last() - models.Date(j.days.IntN(2)*3))
		}
	}
	if j.random.IntN(4) == 0 {
		j.write(func(ctx context.Context, tx *store.Tx) error { return tx.CountLists(ctx, j.creditor.ID) })
	}
}

// write does something that may not be refused.
func (j *journal) write(do func(ctx context.Context, tx *store.Tx) error) {
	j.t.Helper()
	must(j.t, j.db.InTx(j.t.Context(), do))
}

// try does something that the domain may refuse.
func (j *journal) try(do func(ctx context.Context, tx *store.Tx) error) bool {
	j.t.Helper()
	err := j.db.InTx(j.t.Context(), do)
	if err != nil && models.KindOf(err) == models.KindInternal {
		j.t.Fatal(err)
	}
	return err == nil
}

func (j *journal) today() models.Date { return j.creditor.BookingDay(j.clock.Now()) }

func (j *journal) amount(most models.Amount) models.Amount {
	return models.Amount(1 + j.random.IntN(int(most)))
}

func pick[T any](j *journal, from []T) (one T) {
	if len(from) > 0 {
		one = from[j.random.IntN(len(from))]
	}
	return one
}

// observe compares the entries with those that there were before, and counts what came and went in the month that it is.
func (j *journal) observe() {
	entries, _, err := j.db.Entries(j.t.Context(), j.creditor.ID, store.EntryFilter{}, store.Page{Number: 1, Size: 100_000})
	must(j.t, err)
	now := map[int64]models.Entry{}
	for _, e := range entries {
		now[e.ID] = e
	}
	for id, e := range now {
		if _, known := j.present[id]; !known {
			j.count(e, now, 1)
		}
	}
	for id, e := range j.present {
		if _, there := now[id]; !there {
			j.count(e, j.present, -1)
		}
	}
	j.present = now
}

// count adds an entry to the month that it is.
func (j *journal) count(e models.Entry, among map[int64]models.Entry, sign models.Amount) {
	month := j.month()
	if j.moves[month] == nil {
		j.moves[month], j.vat[month] = map[models.Movement]models.Amount{}, map[models.Percent]models.Amount{}
	}
	movement := models.MovementPaidByHand
	switch e.Adopted {
	case models.Opening:
		movement = models.MovementAdopted
	case models.NotAdopted:
		movement = j.movementOf(e, among, month)
	case models.Told:
	}
	j.moves[month][movement] += sign * e.Amount
}

// movementOf returns what an entry of purr's own is, and counts the VAT of an invoice.
func (j *journal) movementOf(e models.Entry, among map[int64]models.Entry, month models.Month) models.Movement {
	movement := models.MovementPaidByHand
	switch e.Type {
	case models.EntryInvoice:
		movement = models.MovementInvoiced
		lines, err := j.db.InvoiceLines(j.t.Context(), e.InvoiceID)
		must(j.t, err)
		for _, l := range lines {
			j.vat[month][l.VATPercent] += l.Gross - l.Net
		}
	case models.EntryCreditNote:
		movement = models.MovementMoved
		if e.CreditNoteID != 0 && e.Amount < 0 {
			movement = models.MovementCredited
		}
	case models.EntryOverdueCharge, models.EntryInterest:
		movement = map[models.EntryType]models.Movement{models.EntryOverdueCharge: models.MovementFee, models.EntryInterest: models.MovementInterest}[e.Type]
		if e.Amount < 0 {
			movement = models.MovementReversal
		}
	case models.EntryRepayment:
		movement = models.MovementPaidBack
	case models.EntryOCR:
		movement = models.MovementPaidBank
	case models.EntryPayment:
		halves := func(o models.Entry) bool { return o.MovedFrom == e.ID }
		moved := e.MovedFrom != 0
		for _, o := range among {
			moved = moved || halves(o)
		}
		switch {
		case moved:
			movement = models.MovementMoved
		case e.HandOverID != 0:
			movement = models.MovementCollector
		case e.Amount > 0:
			movement = models.MovementPaidBack
		}
	}
	return movement
}

// balances returns the sum of the balances of all documents, and that of each customer's.
func (j *journal) balances() (sum models.Amount, all map[int64]models.Amount) {
	ids := make([]int64, len(j.customers))
	for n, c := range j.customers {
		ids[n] = c.ID
	}
	must(j.t, j.db.View(j.t.Context(), func(v store.View) (err error) {
		all, err = v.Balances(j.t.Context(), j.creditor.ID, ids)
		return err
	}))
	for _, b := range all {
		sum += b
	}
	return sum, all
}

func (j *journal) report(month models.Month) (r receivables.MonthReport) {
	must(j.t, j.db.View(j.t.Context(), func(v store.View) (err error) {
		r, err = receivables.ReadMonth(j.t.Context(), v, j.creditor, month)
		return err
	}))
	return r
}

func (j *journal) answer(month models.Month) string { return fmt.Sprintf("%+v", j.report(month)) }

// check compares the report of each month with the journal, and with what it was when the month had ended.
func (j *journal) check() {
	opening := models.Amount(0)
	for month := models.MonthOf(rows.Today); month < j.month(); month = month.Plus(1) {
		r := j.report(month)
		if r.Opening != opening || r.Opening+r.Movements() != r.Closing || r.Closing != j.ends[month] {
			j.t.Errorf("%s goes from %s by %s to %s; the balances were %s, then %s", month, r.Opening, r.Movements(), r.Closing, opening, j.ends[month])
		}
		for _, m := range models.Movements {
			if got := r.Of(m).Amount; got != j.moves[month][m] {
				j.t.Errorf("in %s %s was %s, the rows say %s", month, got, m, j.moves[month][m])
			}
		}
		if r.WrittenOff != j.closed[month] {
			j.t.Errorf("in %s %s was written off, want %s", month, r.WrittenOff, j.closed[month])
		}
		vat := models.Amount(0)
		for _, v := range r.Invoiced.VAT {
			vat += v.Amount
			if v.Amount != j.vat[month][v.Rate] {
				j.t.Errorf("in %s the VAT at %s is %s, the lines say %s", month, v.Rate, v.Amount, j.vat[month][v.Rate])
			}
		}
		if r.Invoiced.Net+vat != r.Invoiced.Gross {
			j.t.Errorf("in %s net and VAT are not gross: %+v", month, r.Invoiced)
		}
		if now := j.answer(month); now != j.answers[month] {
			j.t.Errorf("%s has changed since it was over:\n%s\nwas\n%s", month, now, j.answers[month])
		}
		opening = r.Closing
	}
}

// checkLedger compares the rows of the ledger with the figures of each month.
func (j *journal) checkLedger() {
	for month := models.MonthOf(rows.Today); month < j.month(); month = month.Plus(1) {
		r, n, end := j.report(month), 0, models.Amount(0)
		of := map[models.Movement]receivables.Moved{}
		read := func(m models.Movement) {
			must(j.t, receivables.EachInLedger(j.t.Context(), j.db, j.creditor, store.Dates{From: month.First(), To: month.Last()}, m, func(row receivables.LedgerRow) error {
				if booked := models.MonthOf(j.creditor.BookingDay(row.BookedAt)); booked != month || row.InvoiceNumber == 0 || row.CustomerName == "" || row.KID == "" {
					j.t.Errorf("%s has %+v", month, row)
				}
				sum := of[row.Movement]
				of[row.Movement] = receivables.Moved{Items: sum.Items + 1, Amount: sum.Amount + row.Amount}
				n, end = n+1, row.Balance
				return nil
			}))
		}
		read("")
		if n != r.Items() || n > 0 && end != r.Closing {
			j.t.Errorf("the ledger of %s has %d rows and ends with %s, the report %d and %s", month, n, end, r.Items(), r.Closing)
		}
		for _, m := range models.Movements {
			if of[m] != r.Of(m) {
				j.t.Errorf("the ledger of %s has %s %v, the report %v", month, m, of[m], r.Of(m))
			}
		}
		of = map[models.Movement]receivables.Moved{}
		for _, m := range models.Movements {
			read(m)
			if of[m] != r.Of(m) {
				j.t.Errorf("the list of %s in %s has %v, the report %v", m, month, of[m], r.Of(m))
			}
		}
	}
}
