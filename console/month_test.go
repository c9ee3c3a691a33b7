package console_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"purr/billing"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestN5TheMonth holds the page of a month, which leads from each figure to its list, and from there to its CSV file.
func TestN5TheMonth(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeRead, nil)
	today := models.DateOf(start)
	month := models.MonthOf(today)
	b.get("money/month").is(http.StatusOK).says("the month is not over yet", "Opening balance 0,00", "Closing balance 0 0,00", "Nothing was invoiced or credited")
	kari := rows.Customer(t, b.db, b.creditor, func(c *models.Customer) { c.Recipient.Name1, c.Recipient.CustomerNumber = "=Kari", "K1" })
	before := rows.On(b.db, month.First()-3)
	i := rows.Invoice(t, before, b.creditor, rows.To(kari), func(o *billing.InvoiceRequest) {
		o.Lines = []models.Line{{Text: "Cat", UnitPrice: 1000_00_00, NumItems: 1000, VAT: models.VATHigh}}
	})
	var e models.Entry
	rows.Write(t, before, func(tx *store.Tx) (err error) {
		e, err = ledger.RegisterOnInvoice(t.Context(), tx, b.creditor.ID, i.ID, ledger.Payment{Amount: -400_00, Date: month.First() - 3, Actor: "Ola", Comment: "=cash"}, month.First()-3)
		return err
	})
	b.write(func(ctx context.Context, tx *store.Tx) error {
		return ledger.DeletePayment(ctx, tx, b.creditor.ID, e.ID, today, "Kari")
	})
	rows.CreditNote(t, b.db, b.creditor, rows.Invoice(t, b.db, b.creditor, rows.To(kari), rows.Of(60_00)))
	page := b.get("money/month").is(http.StatusOK).says("Opening balance 850,00", "Invoiced 1 60,00", "Credited 1 −60,00", "Paid, registered by hand 1 400,00",
		"Moved between documents 2 0,00", "Closing balance 5 1\u00a0250,00", "Written off : 0,00", "0\u00a0% 60,00 0,00 −60,00 0,00")
	for _, m := range models.Movements {
		if m == models.MovementAdopted || m == models.MovementCollector {
			continue // nothing was
		}
		if link := fmt.Sprintf(`href="%s/money/ledger?month=%s&amp;kind=%s"`, b.base, month, m); !strings.Contains(page.body, link) {
			t.Errorf("the page has no %s", link)
		}
	}
	b.get("money/month?month="+month.Plus(-1).String()).is(http.StatusOK).says("its figures change no more", "Invoiced 1 1\u00a0250,00", "Paid, registered by hand 1 −400,00",
		"Closing balance 2 850,00", "25\u00a0% 1\u00a0000,00 250,00 0,00 0,00")
	typed := fmt.Sprintf("money/ledger?month=%s&kind=paid_by_hand", month.First().Time().Format("1.2006"))
	b.get(typed).is(http.StatusOK).says("1 booking, 400,00 in all", "Paid, registered by hand: deleted", "Invoice 1", "=Kari", "400,00", "Kari", "=cash")
	b.get("money/ledger").is(http.StatusOK).says("5 bookings, 400,00 in all", "Credit note 3")
	for path, want := range map[string][]string{
		"money/ledger.csv?format=en&kind=paid_by_hand": {"Sum so far", ",Paid, registered by hand: deleted", ",'=Kari,K1,", ",400.00,400.00,Kari,'=cash\n"},
		"money/ledger.csv?format=en":                   {"Receivables after", ",400.00,1250.00,Kari,'=cash\n"},
		"money/ledger.csv":                             {"\uFEFF", ";400,00;1250,00;Kari;'=cash\n"},
		"money/month.csv?format=en":                    {"Opening balance,,850.00\n", "Credited,1,-60.00\n", "Closing balance,,1250.00\n"},
		"credit-notes.csv?format=en":                   {"3,2,'=Kari,K1,", ",Settled,60.00,0.00,60.00,0.00\n"},
		"invoices.csv?format=en":                       {"Net 0\u00a0%,VAT 0\u00a0%,Net 25\u00a0%,VAT 25\u00a0%\n", ",1250.00,1250.00,K1,", ",1000.00,250.00,0.00,0.00,1000.00,250.00\n"},
		"money/open.csv?format=en":                     {",K1,'=Kari,1250.00,1,"},
	} {
		for _, part := range want {
			if got := b.get(path).is(http.StatusOK); !strings.Contains(strings.ReplaceAll(got.body, `"`, ""), part) {
				t.Errorf("%s has no %q:\n%s", path, part, got.body)
			}
		}
	}
	b.get("credit-notes").is(http.StatusOK).says("1 credit note of 60,00, of which 0,00 is outstanding", "Settled")
	b.get("money/open").is(http.StatusOK).says("1 customer owes 1\u00a0250,00", "=Kari")
	b.get("money/open?as_of="+(month.First()-10).String()).is(http.StatusOK).says("0 customers owe 0,00", "Nobody owes anything")
	for _, wrong := range []string{"money/month?month=13.2026", "money/ledger?kind=x", "money/ledger?month=x", "money/ledger?after=x", "money/open?as_of=x", "credit-notes?after=x", "money/month.csv?month=x", "money/ledger.csv?kind=x"} {
		b.get(wrong).is(http.StatusBadRequest)
	}
	for _, language := range []string{"nb", "nn"} {
		for _, path := range []string{"money/month", "money/ledger", "money/open", "credit-notes"} {
			b.get(path, "Accept-Language", language).is(http.StatusOK)
		}
	}
	b.signIn(b.newKey(b.newCreditor("Andre"), models.ScopeRead))
	b.get("/c/1/money/ledger.csv").is(http.StatusNotFound)
}

// TestN5TheLedgerHasPages pages through more bookings than a page has.
func TestN5TheLedgerHasPages(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeRead, nil)
	kari := rows.Customer(t, b.db, b.creditor)
	today := models.DateOf(start)
	for range 60 {
		i := rows.Invoice(t, b.db, b.creditor, rows.To(kari))
		b.write(func(ctx context.Context, tx *store.Tx) error {
			e, err := ledger.RegisterOnInvoice(ctx, tx, b.creditor.ID, i.ID, ledger.Payment{Amount: -1_00, Date: today, Actor: "Ola"}, today)
			if err != nil {
				return err
			}
			return ledger.DeletePayment(ctx, tx, b.creditor.ID, e.ID, today, "Kari")
		})
	}
	seen, path := 0, b.base+"/money/ledger"
	for path != "" {
		page := b.get(path).is(http.StatusOK).says("180 bookings, 60\u00a0000,00 in all")
		seen += strings.Count(page.body, "/customers/")
		_, rest, more := strings.Cut(page.body, `<a href="`+b.base+`/money/ledger?after=`)
		path = ""
		if after, _, _ := strings.Cut(rest, `"`); more {
			path = b.base + "/money/ledger?after=" + after
		}
	}
	if seen != 180 {
		t.Errorf("the pages have %d bookings, want 180", seen)
	}
}
