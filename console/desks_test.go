package console_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"purr/billing"
	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/mailer/shipments"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/register"
	"purr/store"
	"purr/test/testkit/rows"
)

const ola = "API key 9 (Ola)"

// olaShown is ola as pages show him.
const olaShown = "Ola (API)"

// today is the day of the desks: 30 March.
var today = rows.Today + 28

// desks are those of a creditor that two people work for. Kari is at the console.
type desks struct {
	*browser
	made *int // payments
}

// ola has Ola act, who is not at this console.
func (d *desks) ola(do func(ctx context.Context, tx *store.Tx) error) { d.t.Helper(); d.write(do) }

// invoice returns an invoice that is overdue.
func (d *desks) invoice() models.Invoice {
	d.t.Helper()
	d.clock.Set(start)
	i := d.owing(14)
	d.clock.Set(start.AddDate(0, 0, 28))
	return i
}

func (d *desks) holds(i models.Invoice) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.HoldInvoice(ctx, tx, d.creditor, i.ID, models.Hold{}, ola)
		return err
	})
}

func (d *desks) givesTime(i models.Invoice, until string) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.GiveMoreTime(ctx, tx, d.creditor, i.ID, models.MoreTimeRequest{Until: rows.Day(until)}, ola)
		return err
	})
}

// acknowledges has Ola set the day on which the invoice was issued as that of its acknowledgement, and forgets has him remove it.
func (d *desks) acknowledges(i models.Invoice) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.AcknowledgeInvoice(ctx, tx, d.creditor, i.ID, models.Acknowledgement{Date: i.IssueDate}, ola)
		return err
	})
}

func (d *desks) forgets(i models.Invoice) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		return dunning.RemoveAcknowledgement(ctx, tx, d.creditor, i.ID, ola)
	})
}

// planForm returns the form that makes a plan of two instalments.
func (d *desks) planForm(i models.Invoice) form {
	d.t.Helper()
	page := fmt.Sprintf("invoices/%d/payment-plan", i.Number)
	return d.formAt(page+"?first=15.04.2026&months=2", page)
}

func (d *desks) releases(i models.Invoice) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		return dunning.ReleaseInvoice(ctx, tx, d.creditor, i.ID, ola)
	})
}

func (d *desks) pays(i models.Invoice) (e models.Entry) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) (err error) {
		e, err = ledger.RegisterOnInvoice(ctx, tx, d.creditor.ID, i.ID, ledger.Payment{Amount: -100_00, Date: today, Actor: ola}, today)
		return err
	})
	return e
}

func (d *desks) closes(i models.Invoice) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.CloseInvoice(ctx, tx, d.creditor, i.ID, dunning.Closing{Reason: models.ClosedLost, Actor: ola})
		return err
	})
}

func (d *desks) reopens(i models.Invoice) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.ReopenInvoice(ctx, tx, d.creditor, i.ID, ola)
		return err
	})
}

func (d *desks) resolves(u models.UnmatchedPayment, again bool) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := unmatched.Dismiss(ctx, tx, d.creditor, u.ID, "sent back", ola)
		if err == nil && again {
			_, err = unmatched.Reopen(ctx, tx, d.creditor, u.ID, ola)
		}
		return err
	})
}

func (d *desks) changes(change func(*models.Creditor)) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := register.ChangeCreditor(ctx, tx, d.creditor.ID, 38_00, ola, func(c *models.Creditor) error { change(c); return nil })
		return err
	})
}

func (d *desks) changesCustomer(id int64, change func(*models.Customer)) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := register.ChangeCustomer(ctx, tx, d.creditor.ID, id, 38_00, ola, func(c *models.Customer) error { change(c); return nil })
		return err
	})
}

func (d *desks) holdsCustomer(id int64) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.HoldCustomer(ctx, tx, d.creditor, id, models.Hold{}, ola)
		return err
	})
}

func (d *desks) webhook() (w models.Webhook) {
	d.t.Helper()
	w = models.Webhook{CreditorID: d.creditor.ID, Enabled: true, URL: "https://shop.example.no/purr"}
	d.ola(func(ctx context.Context, tx *store.Tx) error { return register.CreateWebhook(ctx, tx, &w, ola) })
	return w
}

func (d *desks) changesWebhook(w models.Webhook) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := register.ChangeWebhook(ctx, tx, d.creditor.ID, w.ID, ola, func(w *models.Webhook) error { w.Description = "the shop's"; return nil })
		return err
	})
}

func parse(t testing.TB, s *shown) *html.Node {
	t.Helper()
	page, err := html.Parse(strings.NewReader(s.is(http.StatusOK).body))
	must(t, err)
	return page
}

// note returns a credit note of which all is outstanding.
func (d *desks) note() models.CreditNote {
	d.t.Helper()
	i := d.invoice()
	for range 10 {
		d.pays(i)
	}
	return rows.CreditNote(d.t, d.db, d.creditor, i)
}

func (d *desks) paysOut(n models.CreditNote) (e models.Entry) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) (err error) {
		e, err = ledger.RegisterOnCreditNote(ctx, tx, d.creditor.ID, n.ID, ledger.Payment{Amount: 100_00, Date: today, Actor: ola}, today)
		return err
	})
	return e
}

// payment returns a payment that waits.
func (d *desks) payment() models.UnmatchedPayment {
	d.t.Helper()
	*d.made++
	waiting := d.queue(models.Amount(700_00 + *d.made))
	return waiting[len(waiting)-1]
}

// suggested returns a payment that waits, and the one invoice that owes just as much.
func (d *desks) suggested() (models.UnmatchedPayment, models.Invoice) {
	d.t.Helper()
	u := d.payment()
	return u, rows.Invoice(d.t, d.db, d.creditor, rows.Of(u.Amount))
}

// reminds sends a notice on an invoice that is overdue.
func (d *desks) reminds(i models.Invoice) (n models.Notice) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) (err error) {
		n, err = dunning.IssueNotice(ctx, tx, law.Default(), d.creditor, i.ID, dunning.Request{Actor: ola})
		return err
	})
	rows.Send(d.t, d.db, d.creditor)
	return n
}

// copies has a copy of a document sent.
func (d *desks) copies(of models.Document) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := shipments.SendCopy(ctx, tx, d.creditor.ID, of, shipments.CopyRequest{Method: models.ByEmail, Actor: ola})
		return err
	})
}

// refusedForASetting returns an e-mail that waits until a setting is right.
func (d *desks) refusedForASetting() models.Shipment {
	d.t.Helper()
	invoice := rows.Invoice(d.t, d.db, d.creditor, func(o *billing.InvoiceRequest) { o.Method = models.ByEmail })
	of, err := d.db.ShipmentsOf(d.t.Context(), invoice.Document())
	must(d.t, err)
	d.write(func(ctx context.Context, tx *store.Tx) error {
		of[0].NextAttempt, of[0].KeptBack, of[0].Reason = tx.Common.Add(time.Hour), models.KeptRefused, "550 5.7.1 spam"
		return tx.UpdateShipment(ctx, of[0])
	})
	return of[0]
}

func (d *desks) hasLogo(sum string) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := register.SetLogo(ctx, tx, d.creditor.ID, strings.Repeat(sum, 64), ola)
		return err
	})
}
