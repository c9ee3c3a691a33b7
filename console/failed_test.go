package console_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"purr/billing"
	"purr/ledger"
	"purr/mailer/shipments"
	"purr/models"
	"purr/register"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// failedTo issues an invoice to a customer by e-mail, whose mail the server refuses.
func (b *browser) failedTo(c models.Customer, words string, copies ...string) models.Shipment {
	b.t.Helper()
	invoice := rows.Invoice(b.t, b.db, b.creditor, rows.To(c), func(o *billing.InvoiceRequest) { o.Method, o.Copies = models.ByEmail, copies })
	of, err := b.db.ShipmentsOf(b.t.Context(), invoice.Document())
	must(b.t, err)
	for _, s := range of {
		b.refused(s.ID, words)
	}
	return of[len(of)-1]
}

// cardsIn returns the cards of a page, as their text.
func cardsIn(s *shown) (cards []string) {
	for _, card := range strings.Split(s.body, `<li class="card">`)[1:] {
		card, _, _ = strings.Cut(card, "</form>")
		cards = append(cards, card)
	}
	return cards
}

// TestN8OneCardForEachCustomerAndFault: all that failed for a customer goes again with one press, to the address that is typed, which is
// the customer's from then on.
func TestN8OneCardForEachCustomerAndFault(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b := openOn(t, databaseURL, models.ScopeWrite, nil)
		b.withAccount()
		kari := rows.Customer(t, b.db, b.creditor)
		ola := rows.Customer(t, b.db, b.creditor, func(c *models.Customer) { c.Recipient.Name1 = "Ola Hansen" })
		first, second := b.failedTo(kari, "550 5.1.1 no"), b.failedTo(kari, "550 5.1.1 nobody")
		b.failedTo(ola, "552 5.2.2 full")
		full := b.failedTo(kari, "552 5.2.2 full")
		beside := b.failedTo(ola, "550 5.7.1 spam", "regnskap@example.no")
		b.paysAll(first)

		page := b.get("letters?state=failed").is(http.StatusOK).says("Letters 6")
		want := []string{
			"Ola Hansen</a> · Refused as spam", // the copy beside, which is not the customer's
			"Ola Hansen</a> · Refused as spam", "Ola Hansen</a> · Mailbox full",
			"Kari Nordmann</a> · Mailbox full", "Kari Nordmann</a> · No such mailbox",
		}
		cards := cardsIn(page)
		if len(cards) != len(want) {
			t.Fatalf("there are %d cards, want %d:\n%s", len(cards), len(want), page.body)
		}
		for i, card := range cards {
			if !strings.Contains(card, want[i]) {
				t.Errorf("card %d is\n%s\nwant %s", i, card, want[i])
			}
		}
		if strings.Contains(cards[0], `name="save"`) || !strings.Contains(cards[0], "regnskap@example.no") || !strings.Contains(cards[1], `name="save"`) {
			t.Errorf("the copy beside is\n%s\nand the original\n%s", cards[0], cards[1])
		}
		if last := cards[4]; !strings.Contains(last, "Invoice 1") || !strings.Contains(last, "Invoice 2") || !strings.Contains(last, "invoice_paid") ||
			!strings.Contains(last, "Send the chosen again") || !strings.Contains(last, "(3)") || !strings.Contains(last, `<p class="bad" lang="en">`) || !strings.Contains(last, "<details>") {
			t.Errorf("the card of two is\n%s", last)
		}
		b.get("letters", "Accept-Language", "nb").says("Postkassen er full", "Avvist som søppelpost", "Serverens egne ord", "Bruk adressen for kunden heretter", "Send de valgte på nytt")
		b.get("letters", "Accept-Language", "nn").says("Postkassa er full", "Serveren sine eigne ord", "Send dei valde på nytt")

		form := []string{"back", b.base + "/letters?state=failed", "way", "EMAIL", "shipment", b.boxOf(second), "shipment", b.boxOf(first), "other", b.boxOf(full), "email", "ny@example.no", "save", "1"}
		path := fmt.Sprintf("letters/%d/again", second.ID)
		b.post(path, append(form, "once", "0")...).is(http.StatusConflict) // it does not say whom its reader has seen
		form = append(form, "seen", "0")
		b.post(path, append(form, "once", "1")...).is(http.StatusSeeOther)
		for _, s := range []models.Shipment{first, second} {
			if got := b.sendings(s); got != "EMAIL owed ny@example.no; " {
				t.Errorf("the mail is %s", got)
			}
		}
		b.get("letters?state=failed").says("2 documents are sent again to ny@example.no. The address is saved with the customer.", "Letters 4")
		if c, err := b.db.Customer(t.Context(), b.creditor.ID, kari.ID); err != nil || c.Recipient.Email != "ny@example.no" {
			t.Errorf("the customer has %s (%v)", c.Recipient.Email, err)
		}
		offered := cardsIn(b.get("letters?state=failed"))
		if last := offered[len(offered)-1]; !strings.Contains(last, `value="ny@example.no"`) {
			t.Errorf("the corrected address is not offered:\n%s", last)
		}
		b.post(fmt.Sprintf("letters/%d/again", full.ID), "once", "2", "seen", "0", "way", "EMAIL", "shipment", b.boxOf(full), "email", "ny@example.no").is(http.StatusConflict).tells("What was done last: ")
		b.post(fmt.Sprintf("letters/%d/again", full.ID), "once", "4", "seen", "1", "way", "EMAIL", "other", b.boxOf(full), "all", "1", "email", "ny@example.no").is(http.StatusSeeOther)
		b.post(fmt.Sprintf("letters/%d/again", beside.ID), "once", "3", "seen", "0", "way", "EMAIL", "shipment", b.boxOf(beside), "shipment", b.boxOf(first), "email", "ny@example.no").is(http.StatusUnprocessableEntity).says("of one customer")
	})
}

// paysAll has the invoice of a shipment paid.
func (b *browser) paysAll(s models.Shipment) {
	b.t.Helper()
	b.write(func(ctx context.Context, tx *store.Tx) error {
		i, err := tx.Invoice(ctx, b.creditor.ID, s.DocumentID)
		if err != nil {
			return err
		}
		_, err = ledger.RegisterOnInvoice(ctx, tx, b.creditor.ID, i.ID, ledger.Payment{Amount: -i.Balance, Date: rows.Today, Actor: "Kari"}, rows.Today)
		return err
	})
}

// TestN8ALetterThatCameBackWantsAnotherAddress: until the customer has one, its card has no button but those of other ways.
func TestN8ALetterThatCameBackWantsAnotherAddress(t *testing.T) {
	b := open(t, models.ScopeWrite, nil)
	b.withAccount()
	kari := rows.Customer(t, b.db, b.creditor)
	invoice := rows.Invoice(t, b.db, b.creditor, rows.To(kari))
	rows.Send(t, b.db, b.creditor)
	of, err := b.db.ShipmentsOf(t.Context(), invoice.Document())
	must(t, err)
	b.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := shipments.Report(ctx, tx, models.ShipmentReport{ShipmentID: of[0].ID, State: models.ShipmentReturned, At: tx.Now.Add(time.Second), Reason: "moved"}, "Posten")
		return err
	})
	page := b.get("letters").says("Address unknown", "moved", "the customer needs another address first", "Send by e-mail instead")
	if strings.Contains(page.text(), "Send again") {
		t.Error("it may be sent to the same address")
	}
	path := fmt.Sprintf("letters/%d/again", of[0].ID)
	b.post(path, "once", "1", "seen", "0", "way", "PAPER", "shipment", b.boxOf(of[0])).is(http.StatusConflict).says("from the address that the customer still has")
	b.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := register.ChangeCustomer(ctx, tx, b.creditor.ID, kari.ID, 0, "Kari", func(c *models.Customer) error {
			c.Recipient.Address1 = "Nyveien 7"
			return nil
		})
		return err
	})
	b.get("letters").says("Goes to Nyveien 7, 5003 Bergen", "Send again")
	b.post(path, "once", "2", "seen", "1", "way", "PAPER", "shipment", b.boxOf(of[0])).is(http.StatusSeeOther)
	b.get("letters").says("is sent again to Nyveien 7, 5003 Bergen.", "Everything has arrived.")
}
