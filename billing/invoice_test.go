package billing_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"purr/billing"
	"purr/internal/clock"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestIssueWritesAllThatHangsOnAnInvoice(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db)
		customer := rows.Customer(t, db, c, func(c *models.Customer) { c.Recipient.CustomerNumber = "K-1" })
		half := models.Percent(50_00)
		lines := []models.Line{
			line("Kattemat\nmed laks", "99.90", "3", models.VATMedium), line("Frakt", "80", "0.5", models.VATHigh), line("Rabatt", "-20", "1", models.VATNone),
		}
		lines[1].Discount = &half
		ordered := billing.InvoiceRequest{
			CustomerID: customer.ID, NumDueDays: 21, Note: "Takk for handelen", Lines: lines, Method: models.ByEmail,
			Copies: []string{"ola@example.no", "per@example.no"},
		}
		invoice, err := rows.TryIssue(t, db, c, ordered)
		must(t, err)

		kept, err := db.Invoice(ctx, c.ID, invoice.ID)
		must(t, err)
		want := models.Invoice{
			ID: invoice.ID, CreditorID: c.ID, CustomerID: customer.ID, Number: 1, IssueDate: rows.Today, DueDate: rows.Today + 21, NumDueDays: 21,
			Gross: 344_66 + 25_00 - 20_00, Net: 299_70 + 20_00 - 20_00, Note: "Takk for handelen", KID: "0000000018", BankAccount: c.BankAccount,
			Recipient: customer.Recipient, Search: "kari nordmann\n", Balance: 349_66, Deadline: rows.Today + 21, CreatedAt: rows.Start,
			SellerID: kept.SellerID, Language: "nb", LapsesOn: rows.Day("2029-03-23"),
		}
		if !reflect.DeepEqual(kept, want) || !reflect.DeepEqual(kept, invoice) {
			t.Errorf("kept is\n%+v, returned\n%+v, want\n%+v", kept, invoice, want)
		}
		keptLines, err := db.InvoiceLines(ctx, invoice.ID)
		must(t, err)
		for i, want := range []struct {
			net, gross models.Amount
			percent    models.Percent
		}{{299_70, 344_66, 15_00}, {20_00, 25_00, 25_00}, {-20_00, -20_00, 0}} {
			l := keptLines[i]
			if l.Position != i+1 || l.Text != lines[i].Text || l.Net != want.net || l.Gross != want.gross || l.VATPercent != want.percent {
				t.Errorf("line %d is kept as %+v", i+1, l)
			}
		}
		if lines[0].ID != 0 || lines[0].Net != 0 {
			t.Error("the order was changed")
		}

		entries, err := db.EntriesOfInvoice(ctx, invoice.ID)
		if err != nil || len(entries) != 1 || entries[0].Type != models.EntryInvoice || entries[0].Amount != want.Gross ||
			entries[0].TransactionDate != rows.Today || entries[0].CustomerID != customer.ID {
			t.Errorf("the entries are %+v, %v", entries, err)
		}
		refs, err := db.ReferencesOf(ctx, c.ID, []string{invoice.KID})
		if err != nil || refs[invoice.KID].InvoiceID != invoice.ID || refs[invoice.KID].CreditNoteID != 0 {
			t.Errorf("the KID leads to %+v, %v", refs, err)
		}
		shipments, err := db.ShipmentsOf(ctx, invoice.Document())
		must(t, err)
		if len(shipments) != 3 || shipments[0].Role() != models.Original || shipments[0].Recipient != customer.Recipient || shipments[0].Method != models.ByEmail {
			t.Fatalf("the shipments are %+v", shipments)
		}
		for i, copied := range shipments[1:] {
			if copied.Role() != models.Copy || copied.Method != models.ByEmail || copied.Recipient != (models.Recipient{Email: ordered.Copies[i]}) || copied.CreditorID != c.ID {
				t.Errorf("copy %d is %+v", i+1, copied)
			}
		}
		events, err := db.Events(ctx, c.ID, 0, 10)
		if err != nil || len(events) != 1 || events[0].Type != models.EventInvoiceCreated || events[0].SubjectID != invoice.ID ||
			!strings.Contains(events[0].Text, "349.66") {
			t.Errorf("the events are %+v, %v", events, err)
		}
	})
}

func TestIssueToANewCustomer(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		taken := rows.Customer(t, db, c, func(c *models.Customer) { c.Recipient.CustomerNumber = "K-1" })
		fresh := models.Customer{Recipient: models.Recipient{
			Name1: "Ola Nordmann", Address1: "Storgata 3", PostalCode: "0155", PostalName: "Oslo", CountryCode: "NO", CustomerNumber: "K-1",
		}}
		o := billing.InvoiceRequest{NewCustomer: &fresh, Lines: []models.Line{line("Melk", "10", "1", models.VATNone)}, Method: models.ByPaper}
		_, err := rows.TryIssue(t, db, c, o)
		if rows.Faults(err) != "recipient/customer_number customer_number_in_use" || models.KindOf(err) != models.KindConflict {
			t.Errorf("a customer number that is another's: %v", err)
		}
		fresh.Recipient.CustomerNumber = "K-2"
		invoice, err := rows.TryIssue(t, db, c, o)
		must(t, err)
		kept, err := db.Customer(t.Context(), c.ID, invoice.CustomerID)
		if err != nil || kept.Recipient != fresh.Recipient || kept.ID == taken.ID || invoice.Recipient != fresh.Recipient || invoice.Number != 1 {
			t.Errorf("the new customer is %+v, %v", kept, err)
		}
		events, err := db.Events(t.Context(), c.ID, 0, 10)
		if err != nil || len(events) != 2 || events[0].Type != models.EventCustomerCreated || events[0].CustomerID != kept.ID {
			t.Errorf("the events are %+v, %v", events, err)
		}
	})
}

// TestIssueRefuses has requests that are valid alone, but not for their customer or amounts. No row of them may be
// left, and no number used.
func TestIssueRefuses(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c, stranger := rows.Creditor(t, db), rows.Creditor(t, db)
		unmailed := rows.Customer(t, db, c, func(c *models.Customer) { c.Recipient.Email = "" })
		strange := rows.Customer(t, db, stranger)
		fresh := models.Customer{Recipient: models.Recipient{Name1: "Ola", PostalCode: "0155", PostalName: "Oslo", CountryCode: "NO"}}
		lines := func(ls ...models.Line) func(*billing.InvoiceRequest) {
			return func(o *billing.InvoiceRequest) { o.Lines = ls }
		}
		tests := []struct {
			change func(*billing.InvoiceRequest)
			want   string
			why    string
		}{
			{func(o *billing.InvoiceRequest) { o.Method = models.ByEmail }, "recipient email_required", "by e-mail to a customer without an address"},
			{
				func(o *billing.InvoiceRequest) { o.Method, o.NewCustomer = models.ByEmail, &fresh },
				"recipient/email email_required", "by e-mail to a new customer without one",
			},
			{lines(line("a", "10", "1", models.VATNone), line("b", "-10", "1", models.VATNone)), "lines amount_not_positive", "of nothing (D13)"},
			{lines(line("a", "-10", "1", models.VATHigh)), "lines amount_not_positive", "of less than nothing"},
			{
				lines(line("a", "10", "1", models.VATNone), line("b", "9999999999", "2", models.VATNone), line("c", "8000000001", "1", models.VATHigh)),
				"lines/line[2] amount_too_large; lines/line[3] amount_too_large", "of lines that are too large",
			},
			{
				lines(line("a", "9000000000", "1", models.VATNone), line("b", "9000000000", "1", models.VATNone)),
				"lines amount_too_large", "of a total that is too large",
			},
		}
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				o := billing.InvoiceRequest{CustomerID: unmailed.ID, Lines: []models.Line{line("Melk", "10", "1", models.VATNone)}, Method: models.ByPaper}
				tt.change(&o)
				_, err := rows.TryIssue(t, db, c, o)
				if got := rows.Faults(err); got != tt.want || models.KindOf(err) != models.KindInvalid {
					t.Errorf("refused as %q of kind %d, want %q", got, models.KindOf(err), tt.want)
				}
			})
		}
		for _, to := range []int64{strange.ID, 1 << 40} {
			_, err := rows.TryIssue(t, db, c, billing.InvoiceRequest{CustomerID: to, Lines: []models.Line{line("Melk", "10", "1", models.VATNone)}, Method: models.ByPaper})
			if got := rows.Faults(err); got != "recipient not_found" || models.KindOf(err) != models.KindNotFound {
				t.Errorf("to customer %d, who is not the creditor's (D2): refused as %q of kind %d", to, got, models.KindOf(err))
			}
		}
		_, customers, err := db.Customers(t.Context(), c.ID, "", store.Page{Number: 1, Size: 10})
		must(t, err)
		events, err := db.Events(t.Context(), c.ID, 0, 10)
		must(t, err)
		series, err := db.Series(t.Context(), c.ID)
		must(t, err)
		if customers != 1 || len(events) != 0 || series.Next != 1 {
			t.Errorf("left are %d customers, %d events and the next number %d", customers, len(events), series.Next)
		}
	})
}

func TestAnInvoiceKeepsItsRecipientD17(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		customer := rows.Customer(t, db, c)
		before := rows.Invoice(t, db, c, rows.To(customer))
		moved := customer
		moved.Recipient.Name1, moved.Recipient.Address1, moved.Recipient.Email = "Kari Hansen", "Ny gate 5", ""
		rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateCustomer(t.Context(), &moved) })
		after := rows.Invoice(t, db, c, rows.To(customer))
		for _, tt := range []struct {
			invoice models.Invoice
			want    models.Recipient
		}{{before, customer.Recipient}, {after, moved.Recipient}} {
			kept, err := db.Invoice(t.Context(), c.ID, tt.invoice.ID)
			must(t, err)
			shipments, err := db.ShipmentsOf(t.Context(), kept.Document())
			must(t, err)
			if kept.Recipient != tt.want || shipments[0].Recipient != tt.want {
				t.Errorf("invoice %d is for %+v, sent to %+v, want %+v", kept.Number, kept.Recipient, shipments[0].Recipient, tt.want)
			}
		}
	})
}

func TestVATPercentsAreThoseOfTheIssueDateD14(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		c.VATRates = models.VATRates{{Name: models.VATLow, Percent: 12_00, FromDate: rows.Today}}
		low := func(o *billing.InvoiceRequest) { o.Lines = []models.Line{line("Billett", "100", "1", models.VATLow)} }
		yesterday := rows.Invoice(t, rows.On(db, rows.Today-1), c, low)
		today := rows.Invoice(t, db, c, low)
		c.VATRates = nil
		for invoice, want := range map[*models.Invoice]string{&yesterday: "108.00 at 8", &today: "112.00 at 12"} {
			lines, err := db.InvoiceLines(t.Context(), invoice.ID)
			must(t, err)
			if got := invoice.Gross.String() + " at " + lines[0].VATPercent.String(); got != want {
				t.Errorf("of %s it is %s, want %s", invoice.IssueDate, got, want)
			}
		}
	})
}

func TestIssueDateIsTheCreditorsTodayD15(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		night := db.WithClock(clock.NewTest(time.Date(2026, time.June, 30, 22, 30, 0, 0, time.UTC)))
		for zone, want := range map[string]string{"Europe/Oslo": "2026-07-01", "America/New_York": "2026-06-30"} {
			c := rows.Creditor(t, db, func(c *models.Creditor) { c.TimeZone = zone })
			invoice := rows.Invoice(t, night, c, rows.DueIn(0))
			if invoice.IssueDate != day(want) || invoice.DueDate != day(want) {
				t.Errorf("in %s it is issued on %s and due on %s, want %s", zone, invoice.IssueDate, invoice.DueDate, want)
			}
		}
	})
}

// TestIssueCanBeMadeAgain has the database ask once for the transaction to be repeated.
func TestIssueCanBeMadeAgain(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		fresh := rows.Customer(t, db, c)
		fresh.ID = 0
		o := billing.InvoiceRequest{NewCustomer: &fresh, Lines: []models.Line{line("Melk", "10", "2", models.VATHigh)}, Method: models.ByPaper}
		attempts := 0
		var issued []billing.Issued
		rows.Write(t, db, func(tx *store.Tx) (err error) {
			if issued, err = billing.Issue(t.Context(), tx, c, []billing.InvoiceRequest{o}); err != nil {
				return err
			}
			if attempts++; attempts == 1 {
				return &mysql.MySQLError{Number: 1213, Message: "deadlock"}
			}
			return nil
		})
		invoice := issued[0].Invoice
		lines, err := db.InvoiceLines(t.Context(), invoice.ID)
		must(t, err)
		_, invoices, err := db.Invoices(t.Context(), c.ID, store.InvoiceFilter{}, store.Page{Number: 1, Size: 10})
		must(t, err)
		if attempts != 2 || invoice.Number != 1 || len(lines) != 1 || invoices != 1 {
			t.Errorf("after %d attempts there are %d invoices, the last %d with %d lines", attempts, invoices, invoice.Number, len(lines))
		}
		differences, err := ledger.Verify(t.Context(), db, c)
		if err != nil || len(differences) > 0 {
			t.Errorf("the books are not right: %v, %v", differences, err)
		}
	})
}

func TestIssueWithoutAZoneFails(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.TimeZone = "Norway/Oslo" })
		o := billing.InvoiceRequest{CustomerID: rows.Customer(t, db, c).ID, Lines: []models.Line{line("Melk", "10", "1", models.VATNone)}, Method: models.ByPaper}
		var fault *models.Error
		if _, err := rows.TryIssue(t, db, c, o); !errors.As(err, &fault) || fault.Code != "invalid_time_zone" {
			t.Errorf("got %v", err)
		}
	})
}

// TestAnInvoiceCostsFewStatements counts what an invoice asks of the database: its customer, its number, and an INSERT for
// each of six tables. A single client waits for each answer.
func TestAnInvoiceCostsFewStatements(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		rows.Invoice(t, db, c) // the first document notes that it names the account (rule D101)
		c, err := db.Creditor(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		order := orderTo(rows.Customer(t, db, c))
		for range 2 { // what its documents show of the creditor is written with the first, and known from the second on (D112)
			_, err := rows.TryIssue(t, db, c, order)
			must(t, err)
		}
		var asked store.Queries
		ctx := asked.Counting(t.Context())
		err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			_, err := billing.Issue(ctx, tx, c, []billing.InvoiceRequest{order})
			return err
		})
		if n, most := asked.Count(), int64(8); err != nil || n > most || n == 0 {
			t.Errorf("an invoice took %d statements, want at most %d: %v", n, most, err)
		}
	})
}
