package receivables_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"purr/billing"
	"purr/dunning"
	"purr/internal/clock"
	"purr/law"
	"purr/ledger"
	"purr/ledger/receivables"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
	"purr/test/testkit/rows"
)

// journal is the test's own record of a creditor's ledger: what came, and what went, by comparing the rows after each act.
type journal struct {
	t         *testing.T
	db        *store.DB
	clock     *clock.Test
	random    *rand.Rand
	creditor  models.Creditor
	customers []models.Customer
	invoices  []models.Invoice
	notes     []models.CreditNote
	queued    []int64
	present   map[int64]models.Entry
	moves     map[models.Month]map[models.Movement]models.Amount
	vat       map[models.Month]map[models.Percent]models.Amount
	closed    map[models.Month]models.Amount // written off
	ends      map[models.Month]models.Amount // the sum of all balances at the end
	answers   map[models.Month]string
	lines     byte
}

// TestN5MonthsAddUp lets random things happen over five months: invoices, credit notes, payments of all kinds, deletions, matches that
// are undone, moved credit, repayments, notices, reversals, closings, and the nights' counts. For each month opening + movements must be
// closing, and what the rows say; and a month that is over must stay as it was.
func TestN5MonthsAddUp(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		now := clock.NewTest(rows.Start)
		j := &journal{
			t: t, db: db.WithClock(now), clock: now, random: rand.New(rand.NewPCG(5, 2026)), creditor: rows.Creditor(t, db), present: map[int64]models.Entry{},
			moves: map[models.Month]map[models.Movement]models.Amount{}, vat: map[models.Month]map[models.Percent]models.Amount{},
			closed: map[models.Month]models.Amount{}, ends: map[models.Month]models.Amount{}, answers: map[models.Month]string{},
		}
		rows.Invoice(t, db, rows.Creditor(t, db)) // another creditor's
		for range 3 {
			j.customers = append(j.customers, rows.Customer(t, db, j.creditor))
		}
		for j.month() < models.MonthOf(rows.Today).Plus(5) {
			j.act()
			j.observe()
			j.pass()
		}
		j.check()
		j.checkLedger()
		differences, err := ledger.Verify(t.Context(), j.db, j.creditor)
		must(t, err)
		if len(differences) > 0 {
			t.Errorf("verify finds %v", differences)
		}
		for _, m := range models.Movements {
			seen := false
			for _, of := range j.moves {
				_, there := of[m]
				seen = seen || there
			}
			if !seen {
				t.Errorf("nothing was %s in all those months", m)
			}
		}
	})
}

// month returns the month that it is for the creditor.
func (j *journal) month() models.Month {
	return models.MonthOf(j.creditor.BookingDay(j.clock.Now()))
}

// pass lets some hours go by. At the end of a month it keeps what all balances add up to, and sometimes the nights count.
func (j *journal) pass() {
	month := j.month()
	j.clock.Set(j.clock.Now().Add(time.Duration(1+j.random.IntN(22))*time.Hour + time.Duration(j.random.IntN(3600))*time.Second))
	if j.month() != month {
		j.ends[month] = j.balances()
		j.answers[month] = j.answer(month)
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

// act lets one thing happen.
func (j *journal) act() {
	of, invoice, today := j.creditor.ID, pick(j, j.invoices), j.today()
	switch j.random.IntN(14) {
	case 0, 1, 2:
		j.issue()
	case 3:
		j.try(func(ctx context.Context, tx *store.Tx) error {
			n, err := billing.IssueCreditNote(ctx, tx, j.creditor, invoice.ID, billing.CreditNoteRequest{Method: models.ByPaper})
			if err == nil {
				j.notes = append(j.notes, n)
			}
			return err
		})
	case 4, 5, 6: // part, whole or too much, of a day that may lie in an earlier month
		amount := pick(j, []models.Amount{invoice.Gross, invoice.Gross/2 + 1, invoice.Gross + j.amount(300_00)})
		j.register(invoice.ID, ledger.Payment{Amount: -amount, Date: today - models.Date(j.random.IntN(20))})
	case 7:
		j.register(invoice.ID, ledger.Payment{Amount: j.amount(200_00), Date: today})
		note := pick(j, j.notes)
		j.try(func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.RegisterOnCreditNote(ctx, tx, of, note.ID, ledger.Payment{Amount: j.amount(200_00), Date: today}, today)
			return err
		})
	case 8:
		kind := pick(j, []models.EntryType{models.EntryOverdueCharge, models.EntryInterest})
		j.register(invoice.ID, ledger.Payment{Amount: -1 - models.Amount(j.random.IntN(100)), Date: today, Type: kind})
	case 9:
		j.remove()
	case 10:
		j.bank(invoice)
	case 11:
		j.try(func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.MoveCredit(ctx, tx, of, pick(j, j.customers).ID, today, "a person", nil)
			return err
		})
	case 12:
		rows.Send(j.t, j.db, j.creditor)
		for n := range j.invoices {
			id := j.invoices[n].ID
			j.try(func(ctx context.Context, tx *store.Tx) error {
				_, err := dunning.IssueNotice(ctx, tx, law.Default(), j.creditor, id, dunning.Request{AddFee: true, AddInterest: true, Actor: "a person"})
				return err
			})
		}
	case 13:
		j.close(invoice.ID)
	}
}

// issue issues an invoice with lines of several VAT rates.
func (j *journal) issue() {
	line := func(vat models.VATName) models.Line {
		return models.Line{Text: "Cat food", UnitPrice: models.Price(j.amount(300_00)) * 100, NumItems: 1000, VAT: vat}
	}
	lines := []models.Line{line(models.VATHigh), line(pick(j, []models.VATName{models.VATMedium, models.VATNone, models.VATLow, models.VATHigh}))}
	i := rows.Invoice(j.t, j.db, j.creditor, rows.To(pick(j, j.customers)), func(o *billing.InvoiceRequest) { o.Lines = lines })
	j.invoices = append(j.invoices, i)
}

func (j *journal) register(invoiceID int64, p ledger.Payment) {
	p.Actor = "a person"
	j.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.RegisterOnInvoice(ctx, tx, j.creditor.ID, invoiceID, p, j.today())
		return err
	})
}

// remove deletes a payment that a person registered, or half a move.
func (j *journal) remove() {
	var ids []int64
	for id, e := range j.present {
		if e.Type == models.EntryPayment {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	id := pick(j, ids)
	j.try(func(ctx context.Context, tx *store.Tx) error {
		return ledger.DeletePayment(ctx, tx, j.creditor.ID, id, j.today(), "a person")
	})
}

// bank has a payment come without KID, or a person match one, or undo that.
func (j *journal) bank(invoice models.Invoice) {
	j.lines++
	key := make([]byte, 32)
	key[0] = j.lines
	waits := []models.UnmatchedPayment{{CreditorID: j.creditor.ID, LineKey: key, Amount: invoice.Gross + 1, TransactionDate: j.today() - 3, Status: "open", Reason: models.ReasonNoKID}}
	j.write(func(ctx context.Context, tx *store.Tx) error { return tx.CreateUnmatchedPayments(ctx, waits) })
	j.queued = append(j.queued, waits[0].ID)
	for _, id := range []int64{waits[0].ID, pick(j, j.queued)} {
		matched := j.try(func(ctx context.Context, tx *store.Tx) error {
			_, err := unmatched.Match(ctx, tx, j.creditor, id, []int64{invoice.ID}, "a person")
			return err
		})
		if !matched {
			j.try(func(ctx context.Context, tx *store.Tx) error {
				_, err := unmatched.Unmatch(ctx, tx, j.creditor, id, "a person")
				return err
			})
		}
	}
}

// close closes an invoice, or opens it again.
func (j *journal) close(id int64) {
	var before, after models.Invoice
	read := func(ctx context.Context, tx *store.Tx) (i models.Invoice, err error) {
		if i, err = tx.Invoice(ctx, j.creditor.ID, id); models.KindOf(err) == models.KindNotFound {
			err = nil
		}
		return i, err
	}
	j.write(func(ctx context.Context, tx *store.Tx) (err error) { before, err = read(ctx, tx); return err })
	j.try(func(ctx context.Context, tx *store.Tx) error {
		var err error
		if before.Closed == models.NotClosed {
			_, err = dunning.CloseInvoice(ctx, tx, j.creditor, id, dunning.Closing{Reason: models.ClosedLost, Actor: "a person"})
		} else {
			_, err = dunning.ReopenInvoice(ctx, tx, j.creditor, id, "a person")
		}
		return err
	})
	j.write(func(ctx context.Context, tx *store.Tx) (err error) { after, err = read(ctx, tx); return err })
	switch {
	case before.Closed == after.Closed:
	case after.Closed != models.NotClosed:
		j.closed[j.month()] += after.Balance
	default:
		j.closed[j.month()] -= after.Balance
	}
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
	case models.EntryOCR:
		movement = models.MovementPaidBank
	case models.EntryPayment:
		halves := func(o models.Entry) bool { return o.MovedFrom == e.ID }
		moved := e.MovedFrom != 0
		for _, o := range among {
			moved = moved || halves(o)
		}
		if moved {
			movement = models.MovementMoved
		} else if e.Amount > 0 {
			movement = models.MovementPaidBack
		}
	}
	j.moves[month][movement] += sign * e.Amount
}

// balances returns the sum of the balances of all documents.
func (j *journal) balances() (sum models.Amount) {
	ids := make([]int64, len(j.customers))
	for n, c := range j.customers {
		ids[n] = c.ID
	}
	must(j.t, j.db.View(j.t.Context(), func(v store.View) error {
		all, err := v.Balances(j.t.Context(), j.creditor.ID, ids)
		for _, b := range all {
			sum += b
		}
		return err
	}))
	return sum
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
