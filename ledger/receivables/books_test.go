package receivables_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"purr/billing"
	"purr/dunning"
	"purr/ledger"
	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

var must = testkit.Must

// books are a creditor's, with all its invoices and entries read whole.
type books struct {
	t         *testing.T
	db        *store.DB
	creditor  models.Creditor
	customers []models.Customer
	invoices  map[int64]models.Invoice
	entries   []models.Entry
}

// TestL16ReceivablesAgreeWithTheBalances lets random things happen to the invoices of three customers: payments of any day,
// credit notes, closings, deletions, and counts of a night between. Then what the package reads must be what all entries add up
// to, to the øre: on each day, by age, by customer, on statements, and by the day of the money.
func TestL16ReceivablesAgreeWithTheBalances(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		random := rand.New(rand.NewPCG(16, 2026))
		b := &books{t: t, db: db, creditor: rows.Creditor(t, db)}
		for range 3 {
			b.customers = append(b.customers, rows.Customer(t, db, b.creditor))
		}
		other := rows.Creditor(t, db)
		for range 3 {
			rows.Invoice(t, db, other)
			for range 4 {
				b.happen(random)
			}
			rows.Write(t, db, func(tx *store.Tx) error {
				later := *tx
				later.Now = tx.Now.Add(time.Duration(random.IntN(3)) * time.Hour)
				return later.CountLists(t.Context(), b.creditor.ID)
			})
			for range 3 {
				b.happen(random)
			}
			b.read()
			b.check()
		}
	})
}

// happen lets one thing happen.
func (b *books) happen(random *rand.Rand) {
	ctx, of, today := b.t.Context(), b.creditor.ID, rows.Today
	customer := b.customers[random.IntN(len(b.customers))]
	issued := today - models.Date(random.IntN(120))
	made := rows.Invoice(b.t, rows.On(b.db, issued), b.creditor, rows.To(customer), rows.Of(models.Amount(1+random.IntN(1_000_00))), rows.DueIn(random.IntN(40)))
	pay := func(amount models.Amount, day models.Date) (e models.Entry) {
		rows.Write(b.t, b.db, func(tx *store.Tx) (err error) {
			e, err = ledger.RegisterOnInvoice(ctx, tx, of, made.ID, ledger.Payment{Amount: amount, Date: day}, today)
			return err
		})
		return e
	}
	day := issued + models.Date(random.IntN(int(today-issued)+1))
	switch random.IntN(6) {
	case 0:
		pay(-made.Gross, day)
	case 1:
		pay(-made.Gross/2-1, day)
	case 2: // too much
		pay(-made.Gross-models.Amount(random.IntN(100_00)), day)
	case 3:
		pay(-made.Gross/2-1, day)
		rows.CreditNote(b.t, b.db, b.creditor, made)
	case 4:
		rows.Write(b.t, b.db, func(tx *store.Tx) error {
			_, err := dunning.CloseInvoice(ctx, tx, b.creditor, made.ID, dunning.Closing{Reason: models.ClosedLost})
			return err
		})
	case 5:
		e := pay(-made.Gross, day)
		rows.Write(b.t, b.db, func(tx *store.Tx) error { return ledger.DeletePayment(ctx, tx, of, e.ID, today, "a test") })
	}
}

// read reads all invoices and entries of the creditor, each by itself.
func (b *books) read() {
	whole := store.Page{Number: 1, Size: 10_000}
	listed, _, err := b.db.Invoices(b.t.Context(), b.creditor.ID, store.InvoiceFilter{}, whole)
	must(b.t, err)
	b.invoices = map[int64]models.Invoice{}
	for _, i := range listed {
		b.invoices[i.ID], err = b.db.Invoice(b.t.Context(), b.creditor.ID, i.ID)
		must(b.t, err)
	}
	b.entries, _, err = b.db.Entries(b.t.Context(), b.creditor.ID, store.EntryFilter{}, whole)
	must(b.t, err)
}

// balances returns the sum of the entries of each invoice itself, and of each customer, up to the end of a day.
func (b *books) balances(day models.Date) (invoices, customers map[int64]models.Amount) {
	invoices, customers = map[int64]models.Amount{}, map[int64]models.Amount{}
	for _, e := range b.entries {
		if e.TransactionDate > day {
			continue
		}
		customers[e.CustomerID] += e.Amount
		if e.CreditNoteID == 0 {
			invoices[e.InvoiceID] += e.Amount
		}
	}
	return invoices, customers
}

func (b *books) check() {
	for _, day := range []models.Date{rows.Today - 100, rows.Today - 40, rows.Today - 1, rows.Today, rows.Today + 30} {
		b.view(func(v store.View) { b.checkDay(v, day) })
	}
	b.view(b.checkMoney)
	wrong, err := b.db.DayMismatches(b.t.Context(), b.creditor.ID)
	must(b.t, err)
	if len(wrong) > 0 {
		b.t.Errorf("verify finds %v", wrong)
	}
}

func (b *books) view(read func(v store.View)) {
	must(b.t, b.db.View(b.t.Context(), func(v store.View) error {
		read(v)
		return nil
	}))
}

// checkDay compares the report of a day, and the statements up to it, with the entries.
func (b *books) checkDay(v store.View, day models.Date) {
	b.t.Helper()
	balances, accounts := b.balances(day)
	var ages [6]receivables.Part
	debts, all := map[int64]models.Amount{}, receivables.Part{}
	for id, balance := range balances {
		i := b.invoices[id]
		if balance <= 0 || i.Closed != models.NotClosed {
			continue
		}
		age := receivables.AgeOf(i.DueDate, day)
		ages[age] = receivables.Part{Invoices: ages[age].Invoices + 1, Amount: ages[age].Amount + balance}
		all = receivables.Part{Invoices: all.Invoices + 1, Amount: all.Amount + balance}
		debts[i.CustomerID] += balance
	}
	got, err := receivables.Read(b.t.Context(), v, b.creditor.ID, day, rows.Today)
	must(b.t, err)
	if got.Part != all || got.By != ages {
		b.t.Errorf("on %s %v is owed, by age %v; the entries say %v, %v", day, got.Part, got.By, all, ages)
	}
	found := map[int64]models.Amount{}
	for _, d := range got.Debtors {
		found[d.CustomerID] = d.Amount
	}
	if !maps.Equal(found, debts) {
		b.t.Errorf("on %s the customers owe %v, the entries say %v", day, found, debts)
	}
	if !slices.IsSortedFunc(got.Debtors, func(a, b *receivables.Debtor) int { return int(b.Amount - a.Amount) }) {
		b.t.Errorf("who owes most is not first: %v", got.Debtors)
	}
	for _, c := range b.customers {
		s, err := receivables.ReadStatement(b.t.Context(), v, b.creditor.ID, c.ID, store.Dates{From: day - 20, To: day}, rows.Today)
		must(b.t, err)
		owed, credit := s.Owed()
		_, before := b.balances(day - 21)
		if s.Opening != before[c.ID] || s.Closing != accounts[c.ID] || owed-credit != s.Closing {
			b.t.Errorf("the statement to %s goes from %s to %s with %s open and %s of credit; the entries say from %s to %s",
				day, s.Opening, s.Closing, owed, credit, before[c.ID], accounts[c.ID])
		}
	}
}

// checkMoney compares the balances of the customers, and the money by day, with the entries.
func (b *books) checkMoney(v store.View) {
	b.t.Helper()
	_, accounts := b.balances(rows.Today)
	var ids []int64
	for _, c := range b.customers {
		ids = append(ids, c.ID)
	}
	got, err := v.Balances(b.t.Context(), b.creditor.ID, ids)
	must(b.t, err)
	if !maps.Equal(got, accounts) {
		b.t.Errorf("the balances are %v, the entries say %v", got, accounts)
	}
	period := store.Dates{From: rows.Today - 60, To: rows.Today - 5}
	type key struct {
		day  models.Date
		kind models.EntryType
	}
	want, money := map[key]models.Amount{}, map[key]models.Amount{}
	for _, e := range b.entries {
		if e.TransactionDate >= period.From && e.TransactionDate <= period.To {
			want[key{e.TransactionDate, e.Type}] += e.Amount
		}
	}
	days, err := v.MoneyByDay(b.t.Context(), b.creditor.ID, period)
	must(b.t, err)
	for _, d := range days {
		money[key{d.Day, d.Type}] = d.Amount
	}
	none := func(_ key, sum models.Amount) bool { return sum == 0 }
	maps.DeleteFunc(want, none)
	maps.DeleteFunc(money, none)
	if !maps.Equal(money, want) {
		b.t.Errorf("the money by day is %v, the entries say %v", money, want)
	}
}

// TestL27AMonthHasTheVATOfAPartCredited credits a tenth of an invoice, and then a half: the month has the net of what was credited, before
// a night has counted and after it (rules L27, N5).
func TestL27AMonthHasTheVATOfAPartCredited(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		creditor := rows.Creditor(t, db)
		invoice := rows.Invoice(t, db, creditor, rows.Of(1000_00))
		want := models.Amount(0)
		for _, net := range []models.Amount{100_00, 500_00} {
			want -= net
			rows.Write(t, db, func(tx *store.Tx) error {
				_, err := billing.IssueCreditNote(t.Context(), tx, creditor, invoice.ID, billing.CreditNoteRequest{
					Method: models.ByPaper, Lines: []billing.CreditLine{{Text: "Avslag", Net: net, VAT: models.VATNone}},
				})
				return err
			})
			var r receivables.MonthReport
			must(t, db.View(t.Context(), func(v store.View) (err error) {
				r, err = receivables.ReadMonth(t.Context(), v, creditor, models.MonthOf(rows.Today))
				return err
			}))
			if len(r.Credited.VAT) != 1 || r.Credited.VAT[0].Net != want || r.Credited.Net != want {
				t.Errorf("the month has %+v credited, want %s", r.Credited, want)
			}
			rows.Write(t, db, func(tx *store.Tx) error {
				night := *tx
				night.Now = tx.Now.Add(4 * time.Hour)
				return night.CountLists(t.Context(), creditor.ID)
			})
		}
	})
}
