package accounts_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/billing"
	"purr/internal/clock"
	"purr/ledger"
	"purr/ledger/accounts"
	"purr/models"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

var must = testkit.Must

// life is a creditor with a bit of everything, on the days from rows.Today on.
type life struct {
	t        *testing.T
	db       *store.DB
	clock    *clock.Test
	creditor models.Creditor
	customer models.Customer
	kept     *archive.Archive
	accounts *accounts.Store
}

func live(t *testing.T, db *store.DB, change ...func(*models.Creditor)) *life {
	t.Helper()
	now := clock.NewTest(rows.Start)
	l := &life{t: t, db: db.WithClock(now), clock: now}
	l.creditor = rows.Creditor(t, l.db, append(change, func(c *models.Creditor) { c.Name = "Katt & Hund AS" })...)
	l.customer = rows.Customer(t, l.db, l.creditor)
	var err error
	l.kept, err = archive.Open(t.TempDir())
	must(t, err)
	l.accounts = accounts.New(l.db, l.kept, "v1.2.3")
	return l
}

// change changes the creditor.
func (l *life) change(how func(*models.Creditor)) {
	l.t.Helper()
	how(&l.creditor)
	rows.Write(l.t, l.db, func(tx *store.Tx) error { return tx.UpdateCreditor(l.t.Context(), &l.creditor) })
}

func (l *life) pass(days int) { l.clock.Set(l.clock.Now().Add(time.Duration(days) * 24 * time.Hour)) }

func (l *life) today() models.Date { return l.creditor.BookingDay(l.clock.Now()) }

// invoice issues an invoice with a line of each class of VAT.
func (l *life) invoice() models.Invoice {
	line := func(vat models.VATName, price models.Price, exemption models.VATExemption) models.Line {
		return models.Line{Text: "Cat food", UnitPrice: price * 100, NumItems: 1000, VAT: vat, VATExemption: exemption}
	}
	return rows.Invoice(l.t, l.db, l.creditor, rows.To(l.customer), func(o *billing.InvoiceRequest) {
		o.Lines = []models.Line{
			line(models.VATHigh, 100_01, ""), line(models.VATLow, 33_33, ""), line(models.VATHigh, 200_00, ""), line(models.VATMedium, 10_00, ""),
			line(models.VATNone, 50_00, models.VATZero), line(models.VATNone, 7_00, ""),
		}
	})
}

func (l *life) register(i models.Invoice, amount models.Amount, kind models.EntryType, on models.Date) (e models.Entry) {
	l.t.Helper()
	rows.Write(l.t, l.db, func(tx *store.Tx) (err error) {
		e, err = ledger.RegisterOnInvoice(l.t.Context(), tx, l.creditor.ID, i.ID, ledger.Payment{Amount: amount, Date: on, Type: kind, Actor: "a person"}, l.today())
		return err
	})
	return e
}

func (l *life) charge(i models.Invoice, kind models.EntryType, amount models.Amount) {
	l.t.Helper()
	rows.Write(l.t, l.db, func(tx *store.Tx) error {
		_, err := tx.LockInvoice(l.t.Context(), l.creditor.ID, i.ID)
		must(l.t, err)
		return ledger.Post(l.t.Context(), tx, []models.Entry{{
			CreditorID: l.creditor.ID, CustomerID: i.CustomerID, InvoiceID: i.ID, Type: kind, Amount: amount, TransactionDate: l.today(),
		}}, "")
	})
}

func (l *life) credit(i models.Invoice, lines ...billing.CreditLine) {
	l.t.Helper()
	rows.Write(l.t, l.db, func(tx *store.Tx) error {
		_, err := billing.IssueCreditNote(l.t.Context(), tx, l.creditor, i.ID, billing.CreditNoteRequest{Method: models.ByPaper, Lines: lines})
		return err
	})
}

// months lets two months go by, and returns the payment of the first that may be deleted later.
func (l *life) months() models.Entry {
	first, second := l.invoice(), l.invoice()
	l.pass(3)
	l.charge(first, models.EntryOverdueCharge, 35_00)
	l.charge(first, models.EntryInterest, 4_56)
	paid := l.register(first, -400_00, "", l.today()-1)
	l.register(first, -5_00, models.EntryOverdueCharge, l.today())
	l.credit(second, billing.CreditLine{Text: "Spoilt", Net: 50_00, VAT: models.VATHigh}, billing.CreditLine{Text: "Spoilt", Net: 7_00, VAT: models.VATNone})
	l.pass(30)
	l.credit(second) // what is left
	l.register(first, -100_00, "", l.today()-10)
	return paid
}

func (l *life) make(from, to models.Date, form models.AccountForm) accounts.Export {
	l.t.Helper()
	made, err := l.accounts.Make(l.t.Context(), l.creditor, accounts.Request{From: from, To: to, Form: form}, "a person")
	must(l.t, err)
	return made
}

func (l *life) content(made accounts.Export) []byte {
	l.t.Helper()
	content, err := l.kept.Read(made.File.SHA256)
	must(l.t, err)
	return content
}

// golden compares a file with the one in testdata, or writes it anew with PURR_UPDATE_GOLDEN.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("PURR_UPDATE_GOLDEN") != "" {
		must(t, os.WriteFile(path, got, 0o644)) //nolint:gosec // a golden file is for all
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if string(got) != string(want) {
		t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
	}
}

// TestA1aTheJournalOfAPeriodIsTheSameForEver hands two months over in each form, and deletes a payment of the first after that.
func TestA1aTheJournalOfAPeriodIsTheSameForEver(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		l := live(t, db)
		start := l.today()
		paid := l.months()
		l.pass(1)
		for _, form := range models.AccountForms {
			golden(t, "first."+string(form), l.content(l.make(start, start+29, form)))
		}
		rows.Write(t, l.db, func(tx *store.Tx) error {
			return ledger.DeletePayment(t.Context(), tx, l.creditor.ID, paid.ID, l.today(), "a person")
		})
		l.pass(2)
		for _, form := range models.AccountForms {
			golden(t, "first."+string(form), l.content(l.make(start, start+29, form)))
			golden(t, "second."+string(form), l.content(l.make(start+30, l.today()-1, form)))
		}
	})
}

// TestA1aNoDayIsHandedOverTwice asks for days that are not over, the wrong way round, or shared with another export.
func TestA1aNoDayIsHandedOverTwice(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		l := live(t, db)
		start := l.today()
		l.months()
		l.make(start, start+9, models.FormCSV)
		for _, c := range []struct {
			from, to models.Date
			want     string
		}{
			{start + 10, l.today(), "to period_not_over"},
			{start + 10, start + 9, "to invalid_period"},
			{0, start + 9, "from required"},
			{start - 5, start, "period_exported"},
			{start, start + 8, "period_exported"},
		} {
			_, err := l.accounts.Make(t.Context(), l.creditor, accounts.Request{From: c.from, To: c.to, Form: models.FormCSV}, "a person")
			if got := rows.Faults(err); got != c.want {
				t.Errorf("%s to %s: %q (%v), want %q", c.from, c.to, got, err, c.want)
			}
		}
		other := rows.Creditor(t, l.db)
		made, err := l.accounts.Make(t.Context(), other, accounts.Request{From: start, To: start + 5, Form: models.FormCSV}, "a person")
		if must(t, err); made.Export.Vouchers != 0 || made.Export.Number != 1 {
			t.Errorf("another creditor's export is %+v", made.Export)
		}
	})
}

// TestA1aOfSeveralAtOnceOneIsMade asks for the same period, and for the next one, from several sides at the same moment.
func TestA1aOfSeveralAtOnceOneIsMade(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		l := live(t, db)
		start := l.today()
		l.months()
		var all sync.WaitGroup
		made := make([]accounts.Export, 4)
		for n := range made {
			all.Go(func() {
				from := start + models.Date(n%2)*10
				var err error
				made[n], err = l.accounts.Make(context.WithoutCancel(t.Context()), l.creditor, accounts.Request{From: from, To: from + 9, Form: models.FormCSV}, "a person")
				if err != nil {
					t.Errorf("%d: %v", n, err)
				}
			})
		}
		all.Wait()
		if made[0].File.ID != made[2].File.ID || made[1].File.ID != made[3].File.ID || made[0].Export.ID == made[1].Export.ID {
			t.Errorf("the exports are %+v", made)
		}
		exports, err := l.db.AllAccountExports(t.Context(), l.creditor.ID)
		if must(t, err); len(exports) != 2 {
			t.Errorf("there are %d exports, want 2", len(exports))
		}
		events, err := l.db.NewestEvents(t.Context(), l.creditor.ID, store.EventFilter{Type: models.EventAccountsExported}, 0, 10)
		if must(t, err); len(events) != 2 || events[0].Actor != "a person" {
			t.Errorf("the events are %+v, want 2", events)
		}
	})
}

// TestA1bEachVoucherOfGBAT10IsNothingNetAndGross adds up the two columns of amounts by voucher.
func TestA1bEachVoucherOfGBAT10IsNothingNetAndGross(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"first.gbat10", "second.gbat10", "rare.gbat10"} {
		content, err := os.ReadFile(filepath.Join("testdata", name))
		must(t, err)
		net, gross := map[string]models.Amount{}, map[string]models.Amount{}
		for line := range strings.Lines(string(content)) {
			columns := strings.Split(strings.TrimSuffix(line, "\r\n"), ";")
			if len(columns) != 30 || !strings.HasSuffix(line, "\r\n") {
				t.Fatalf("%s: %q has %d columns", name, line, len(columns))
			}
			for sums, column := range map[*map[string]models.Amount]int{&net: 8, &gross: 27} {
				amount, err := models.ParseAmount(columns[column])
				must(t, err)
				(*sums)[columns[1]] += amount
			}
		}
		for voucher := range net {
			if net[voucher] != 0 || gross[voucher] != 0 {
				t.Errorf("%s: voucher %s is %s net and %s gross", name, voucher, net[voucher], gross[voucher])
			}
		}
	}
}
