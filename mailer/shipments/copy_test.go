package shipments_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"purr/billing"
	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// copyOf has a copy of a document sent, and makes it the office's shipment.
func (o *office) copyOf(t *testing.T, d models.Document, r shipments.CopyRequest) error {
	t.Helper()
	r.Actor = "Kari"
	return o.db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		sent, err := shipments.SendCopy(ctx, tx, o.creditor.ID, d, r)
		if err == nil {
			o.id = sent.ID
		}
		return err
	})
}

// mailed issues an invoice that goes by e-mail to a customer, and sends it.
func (o *office) mailed(t *testing.T) (models.Customer, models.Invoice) {
	t.Helper()
	c := rows.Customer(t, o.db, o.creditor)
	i := rows.Invoice(t, o.db, o.creditor, rows.To(c), func(r *billing.InvoiceRequest) { r.Method = models.ByEmail })
	o.id = o.shipmentOf(t, i.Document())
	o.take(t, true)
	o.record(t, nil)
	return c, i
}

func (o *office) events(t *testing.T) string {
	t.Helper()
	testkit.Must(t, o.db.NumberEvents(t.Context()))
	all, err := o.db.Events(t.Context(), o.creditor.ID, 0, 1000)
	testkit.Must(t, err)
	var b strings.Builder
	for _, e := range all {
		b.WriteString(string(e.Type) + ": " + e.Text + " " + e.Data + "\n")
	}
	return b.String()
}

// TestN4ACopyIsAnActThatMovesNothing: whatever becomes of it, the original counts as sent, nothing falls back, and the invoice stays as
// it is.
func TestN4ACopyIsAnActThatMovesNothing(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.creditor = rows.Creditor(t, o.db, func(c *models.Creditor) { c.Fallback = "EMAIL>PAPER" })
		_, i := o.mailed(t)
		letters := func() []store.Letter {
			found, err := o.db.LettersOf(t.Context(), []int64{i.ID})
			testkit.Must(t, err)
			return found[i.ID]
		}
		before := letters()
		for _, failure := range []error{nil, models.Refuse(models.BlameRecipient, nil, "550 5.1.1 nobody there")} {
			testkit.Must(t, o.copyOf(t, i.Document(), shipments.CopyRequest{Method: models.ByEmail, Email: "regnskap@example.no"}))
			o.take(t, true)
			o.record(t, failure)
		}
		if got := o.ways(t, i.Document()); got != "EMAIL sent, EMAIL sent, EMAIL failed" {
			t.Errorf("it went %s", got)
		}
		if after := letters(); len(after) != 1 || after[0].State != before[0].State || !after[0].SentAt.Equal(*before[0].SentAt) {
			t.Errorf("dunning sees %+v, before %+v", after, before)
		}
		o.later(time.Minute)
		o.tell(t, models.ShipmentFailed, o.clock.Now(), "5.1.1")
		after, err := o.db.Invoice(t.Context(), o.creditor.ID, i.ID)
		if err != nil || after.Deadline != i.Deadline || after.Balance != i.Balance || after.Notices != 0 {
			t.Errorf("the invoice became %+v", after)
		}
		if told := o.events(t); !strings.Contains(told, `copy.sent: Invoice 1 as a copy by e-mail is sent, by Kari {"copy":true,"document":"invoice","invoice_number":1,"method":"EMAIL"}`) ||
			strings.Contains(told, "customer.changed") {
			t.Errorf("the events are\n%s", told)
		}
		rows.Write(t, o.db, func(tx *store.Tx) error { // to the address where the original went, too
			_, err := shipments.Retry(t.Context(), tx, o.id, shipments.Again{Email: "kari@example.no"}, "Kari")
			return err
		})
		if s, err := o.db.Shipment(t.Context(), o.id); err != nil || s.Role() != models.Duplicate || s.State != models.ShipmentOwed || s.Recipient.Email != "kari@example.no" {
			t.Errorf("the copy that is sent again is %+v, %v", s, err)
		}
		if differences, err := ledger.Verify(t.Context(), o.db, o.creditor); err != nil || len(differences) > 0 {
			t.Errorf("the books: %v, %v", differences, err)
		}
	})
}

// TestN4TheAddressIsForThisTimeOrForGood: with save the customer has it from now on, by an act of its own.
func TestN4TheAddressIsForThisTimeOrForGood(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c, i := o.mailed(t)
		testkit.Must(t, o.copyOf(t, i.Document(), shipments.CopyRequest{Method: models.ByEmail, Email: "ny@example.no", Save: true}))
		after, err := o.db.Customer(t.Context(), o.creditor.ID, c.ID)
		if told := o.events(t); err != nil || after.Recipient.Email != "ny@example.no" || !strings.Contains(told, "customer.changed: Customer changed by Kari") {
			t.Errorf("the customer has %s, %v, told was\n%s", after.Recipient.Email, err, told)
		}
		testkit.Must(t, o.copyOf(t, i.Document(), shipments.CopyRequest{Method: models.ByEmail}))
		if s, err := o.db.Shipment(t.Context(), o.id); err != nil || s.Recipient.Email != "ny@example.no" {
			t.Errorf("it goes to %s, %v", s.Recipient.Email, err)
		}
		testkit.Must(t, o.copyOf(t, i.Document(), shipments.CopyRequest{Method: models.ByPaper}))
		if s, err := o.db.Shipment(t.Context(), o.id); err != nil || s.Method != models.ByPaper || s.Recipient.Address() != after.Recipient.Address() {
			t.Errorf("on paper it goes to %+v, %v", s.Recipient, err)
		}
	})
}

// TestN4WhatIsRefused is refused with all faults at once, and changes nothing.
func TestN4WhatIsRefused(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c, i := o.mailed(t)
		bare := rows.Customer(t, o.db, o.creditor, func(c *models.Customer) { c.Recipient.Email, c.Recipient.Address1 = "", "" })
		other := rows.Invoice(t, o.db, o.creditor, rows.To(bare), func(r *billing.InvoiceRequest) { r.Method = models.ByPaper })
		stranger := rows.Invoice(t, o.db, rows.Creditor(t, o.db))
		seen, err := shipments.LookAtCopies(t.Context(), o.db, o.creditor.ID, i.ID, c.ID)
		testkit.Must(t, err)
		testkit.Must(t, o.copyOf(t, i.Document(), shipments.CopyRequest{Method: models.ByEmail, Seen: seen}))
		before := o.events(t)
		for _, tt := range []struct {
			why  string
			d    models.Document
			r    shipments.CopyRequest
			want string
		}{
			{"a press on an old form", i.Document(), shipments.CopyRequest{Method: models.ByEmail, Seen: seen}, "copy.sent by Kari"},
			{"by EHF", i.Document(), shipments.CopyRequest{Method: models.ByEHF}, "must be PAPER or EMAIL"},
			{"two faults", i.Document(), shipments.CopyRequest{Method: models.ByPaper, Email: "no address"}, "only EMAIL goes to an e-mail address; email: is not a valid e-mail address"},
			{"save without an address", i.Document(), shipments.CopyRequest{Method: models.ByEmail, Save: true}, "email: is the address to save"},
			{"no e-mail address", other.Document(), shipments.CopyRequest{Method: models.ByEmail}, "the customer has no e-mail address"},
			{"no address", other.Document(), shipments.CopyRequest{Method: models.ByPaper}, "needs a customer with an address"},
			{"another creditor's", stranger.Document(), shipments.CopyRequest{Method: models.ByPaper}, "no such invoice"},
			{"none", models.Document{Kind: models.CreditNoteDocument, ID: 99}, shipments.CopyRequest{Method: models.ByPaper}, "no such credit note"},
		} {
			if err := o.copyOf(t, tt.d, tt.r); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %q", tt.why, err, tt.want)
			}
		}
		if after := o.events(t); after != before {
			t.Errorf("something happened:\n%s", strings.TrimPrefix(after, before))
		}
	})
}

// TestN4ACopyOfANotice comes after its letter alone, by e-mail too; a copy that fails leaves the notice as it is, and is none of a notice
// that claims nothing any more.
func TestN4ACopyOfANotice(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		i, n := o.dunned(t, 7)
		before := o.stand(t, i)
		for _, m := range models.DuplicateMethods {
			testkit.Must(t, o.copyOf(t, n.Document(), shipments.CopyRequest{Method: m, Email: map[models.ShipmentMethod]string{models.ByEmail: "ny@example.no"}[m]}))
			o.take(t, true)
			o.record(t, models.Refuse(models.BlameRecipient, nil, "550 5.1.1 nobody there"))
			if after := o.stand(t, i); after != before {
				t.Errorf("after a copy that failed: %s, before %s", after, before)
			}
		}
		failed, err := o.db.FailedLetters(t.Context(), o.creditor.ID)
		if err != nil || len(failed) > 0 {
			t.Errorf("failed are the letters %+v, %v", failed, err)
		}
		testkit.Must(t, o.copyOf(t, n.Document(), shipments.CopyRequest{Method: models.ByPaper})) // owed, as the notice is withdrawn
		rows.Write(t, o.db, func(tx *store.Tx) error { return tx.WithdrawCopies(t.Context(), n.ID) })
		rows.Write(t, o.db, func(tx *store.Tx) error { return tx.WithdrawNotice(t.Context(), n, rows.Day("2026-04-01")) })
		if s, err := o.db.Shipment(t.Context(), o.id); err != nil || s.State != models.ShipmentWithdrawn {
			t.Errorf("a copy of what is withdrawn is %s, %v", s.State, err)
		}
		if err := o.copyOf(t, n.Document(), shipments.CopyRequest{Method: models.ByPaper}); err == nil || !strings.Contains(err.Error(), "claims nothing any more") {
			t.Errorf("a copy of a notice that is withdrawn: %v", err)
		}
	})
}

// TestN4NoCopyComesBeforeTheNoticesLetter that it is a copy of.
func TestN4NoCopyComesBeforeTheNoticesLetter(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.send(t)
		s, err := o.db.Shipment(t.Context(), o.id)
		testkit.Must(t, err)
		o.clock.Set(oslo(1, 12, 0))
		rows.Write(t, o.db, func(tx *store.Tx) error {
			n, err := dunning.IssueNotice(t.Context(), tx, law.Default(), o.creditor, s.DocumentID, dunning.Request{Actor: "Kari"})
			if err != nil {
				return err
			}
			if _, err := shipments.SendCopy(t.Context(), tx, o.creditor.ID, n.Document(), shipments.CopyRequest{Method: models.ByPaper}); err == nil || !strings.Contains(err.Error(), "has not left yet") {
				t.Errorf("a copy before the letter: %v", err)
			}
			return nil
		})
	})
}
