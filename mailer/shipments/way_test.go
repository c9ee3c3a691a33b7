package shipments_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// mailTo returns the shipment of a new invoice that goes by e-mail to an address, and may fall back to a letter.
func (o *office) mailTo(t *testing.T, address string) int64 {
	t.Helper()
	id := o.mail(t)
	rows.Write(t, o.db, func(tx *store.Tx) error {
		s, err := tx.LockShipment(t.Context(), id)
		if err != nil {
			return err
		}
		s.Recipient.Email = address
		return tx.UpdateShipment(t.Context(), s)
	})
	return id
}

// TestD107TwoDomainsRefusedAlikeStayOwedWithoutEnd: a server that refuses all with words that say nothing makes no letters, however long
// that lasts. A person is told, and what is refused goes on once the server takes it.
func TestD107TwoDomainsRefusedAlikeStayOwedWithoutEnd(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.creditor.Fallback = "EMAIL>PAPER"
		rows.Write(t, o.db, func(tx *store.Tx) error { return tx.UpdateCreditor(t.Context(), &o.creditor) })
		ids := []int64{o.mailTo(t, "kari@one.example"), o.mailTo(t, "ola@two.example")}
		each := func(do func()) {
			for _, o.id = range ids {
				do()
			}
		}
		refused := models.Refuse(models.BlameUnclear, nil, "the mail server refused the e-mail: 550 requested action not taken")
		for hour := range 27 {
			each(func() {
				o.take(t, true)
				o.record(t, refused)
			})
			if told := len(o.told(t, models.EventWayRefused)); told != 1+hour/24 {
				t.Fatalf("in hour %d a person is told %d times", hour, told)
			}
			o.later(time.Hour + time.Second)
		}
		each(func() {
			s, err := o.db.Shipment(t.Context(), o.id)
			testkit.Must(t, err)
			if got := o.ways(t, s.Document()); got != "EMAIL owed" || s.KeptBack != models.KeptRefused {
				t.Errorf("after 27 hours: %s, kept back as %q", got, s.KeptBack)
			}
		})
		away := models.Unavailable("the mail server", errors.New("away"))
		each(func() { // that it was refused for a day is no reason to give it up
			o.take(t, true)
			o.record(t, away)
		})
		o.later(time.Hour + time.Second)
		each(func() {
			o.take(t, true)
			o.record(t, nil)
			s, err := o.db.Shipment(t.Context(), o.id)
			if err != nil || s.State != models.ShipmentSent {
				t.Errorf("it is %s in the end, %v", s.State, err)
			}
		})
		if n := len(o.told(t, models.EventShipmentFallback)); n != 0 {
			t.Errorf("%d fell back", n)
		}
	})
}

// TestD108WhatLeftToTheFolderNamesTheAccountByARealWay: an invoice that was sent to the folder without an account, and is sent again by a
// real way, waits until the creditor has one, and names that.
func TestD108WhatLeftToTheFolderNamesTheAccountByARealWay(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		const account = "12345678903"
		o.creditor = rows.Creditor(t, o.db, func(c *models.Creditor) { c.BankAccount = "" })
		o.id = o.mail(t)
		o.send(t)
		o.hear(t, failedAt(o.clock.Now(), o.tag(t)))
		o.later(time.Minute)
		testkit.Must(t, o.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			original, err := tx.Shipment(t.Context(), o.id)
			if err != nil {
				return err
			}
			again := []models.Shipment{{
				CreditorID: o.creditor.ID, DocumentKind: original.DocumentKind, DocumentID: original.DocumentID, Method: models.ByEmail, Recipient: original.Recipient,
			}}
			original.State = models.ShipmentSent
			if err := tx.UpdateShipment(t.Context(), original); err != nil {
				return err
			}
			err = tx.CreateShipments(t.Context(), again)
			o.id = again[0].ID
			return err
		}))
		pass := func() (passed []int64) {
			rows.Write(t, o.db, func(tx *store.Tx) error {
				part := shipments.Part{Ways: models.Ways{models.ByEmail: models.WaySMTP}}
				g, err := shipments.OpenGate(t.Context(), tx, part, o.creditor.ID, []models.ShipmentMethod{models.ByEmail})
				if err == nil {
					passed, err = g.Pass(t.Context(), tx, []int64{o.id})
				}
				return err
			})
			return passed
		}
		if got := pass(); len(got) != 0 {
			t.Error("it leaves though nobody can pay it")
		}
		o.creditor.BankAccount = account
		rows.Write(t, o.db, func(tx *store.Tx) error { return tx.UpdateCreditor(t.Context(), &o.creditor) })
		o.later(time.Hour)
		if got := pass(); len(got) != 1 {
			t.Error("it waits though the creditor has an account")
		}
		s, err := o.db.Shipment(t.Context(), o.id)
		testkit.Must(t, err)
		if i, err := o.db.Invoice(t.Context(), o.creditor.ID, s.DocumentID); err != nil || i.BankAccount != account {
			t.Errorf("it names the account %q, want %q (%v)", i.BankAccount, account, err)
		}
	})
}
