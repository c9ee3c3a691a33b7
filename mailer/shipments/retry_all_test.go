package shipments_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"purr/billing"
	"purr/mailer/shipments"
	"purr/models"
	"purr/register"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// refused issues an invoice to a customer by e-mail, which the mail server refuses.
func (o *office) refused(t *testing.T, c models.Customer, copies ...string) shipments.Failed {
	t.Helper()
	i := rows.Invoice(t, o.db, o.creditor, rows.To(c), func(r *billing.InvoiceRequest) { r.Method, r.Copies = models.ByEmail, copies })
	o.id = o.shipmentOf(t, i.Document())
	o.take(t, true)
	o.record(t, models.Refuse(models.BlameRecipient, nil, "550 5.1.1 nobody there"))
	return o.seen(t, o.id)
}

// returned issues three invoices to a customer on paper, whose letters come back.
func (o *office) returned(t *testing.T, c models.Customer) (back []shipments.Failed) {
	t.Helper()
	for range 3 {
		i := rows.Invoice(t, o.db, o.creditor, rows.To(c))
		o.id = o.shipmentOf(t, i.Document())
		o.take(t, true)
		o.record(t, nil)
		back = append(back, shipments.Failed{ID: o.id})
	}
	for n := range back {
		o.id = back[n].ID
		o.tell(t, models.ShipmentReturned, o.clock.Now(), "moved")
		back[n] = o.seen(t, o.id)
	}
	return back
}

// seen returns a shipment as a person sees it.
func (o *office) seen(t *testing.T, id int64) shipments.Failed {
	t.Helper()
	s, err := o.db.Shipment(t.Context(), id)
	testkit.Must(t, err)
	return shipments.Failed{ID: id, Seen: shipments.LookAt(s)}
}

func (o *office) again(t *testing.T, r shipments.TogetherAgain) (sent []models.Shipment, err error) {
	t.Helper()
	r.Actor = "Kari"
	err = o.db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) (err error) {
		sent, err = shipments.RetryAll(ctx, tx, o.creditor.ID, r)
		return err
	})
	return sent, err
}

// moves gives a customer another address.
func (o *office) moves(t *testing.T, c models.Customer, street string) {
	t.Helper()
	rows.Write(t, o.db, func(tx *store.Tx) error {
		_, err := register.ChangeCustomer(t.Context(), tx, o.creditor.ID, c.ID, 0, "Kari", func(c *models.Customer) error {
			c.Recipient.Address1 = street
			return nil
		})
		return err
	})
}

// said says what became of shipments.
func said(ss []models.Shipment) string {
	var all []string
	for _, s := range ss {
		all = append(all, fmt.Sprintf("%s %s to %s of %d", s.Method, s.State, s.Method.Address(s.To()), s.FallbackOf))
	}
	return strings.Join(all, "; ")
}

// TestN8AllThatFailedGoesAgainTogether to the corrected address, which becomes the customer's on wish. All or nothing.
func TestN8AllThatFailedGoesAgainTogether(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Customer(t, o.db, o.creditor)
		first, second, third := o.refused(t, c), o.refused(t, c), o.refused(t, c)
		stranger := o.refused(t, rows.Customer(t, o.db, o.creditor))
		all := []shipments.Failed{second, first, first}

		for _, wrong := range []struct {
			r    shipments.TogetherAgain
			want string
		}{
			{shipments.TogetherAgain{}, "nothing_chosen"},
			{shipments.TogetherAgain{Failed: make([]shipments.Failed, 101)}, "out_of_range"},
			{shipments.TogetherAgain{Failed: all, Save: true}, "email email_required"},
			{shipments.TogetherAgain{Failed: all, Email: "kari@", Method: models.ByPaper}, "shipment_method invalid_shipment_method; email invalid_email"},
			{shipments.TogetherAgain{Failed: all, Method: models.Auto}, "shipment_method invalid_shipment_method"},
			{shipments.TogetherAgain{Failed: append(all, stranger)}, "several_customers"},
		} {
			if _, err := o.again(t, wrong.r); rows.Faults(err) != wrong.want {
				t.Errorf("%+v: %v, want %q", wrong.r, err, wrong.want)
			}
		}
		if _, err := o.again(t, shipments.TogetherAgain{Failed: append(all, shipments.Failed{ID: 9999})}); models.KindOf(err) != models.KindNotFound {
			t.Errorf("one that is not there: %v", err)
		}

		sent, err := o.again(t, shipments.TogetherAgain{Failed: all, Email: "ny@example.no", Save: true})
		if got := said(sent); err != nil || got != "EMAIL owed to ny@example.no of 0; EMAIL owed to ny@example.no of 0" {
			t.Fatalf("they are %s (%v)", got, err)
		}
		if now, err := o.db.Customer(t.Context(), o.creditor.ID, c.ID); err != nil || now.Recipient.Email != "ny@example.no" {
			t.Errorf("the customer has %s (%v)", now.Recipient.Email, err)
		}
		if got := o.events(t); strings.Count(got, "shipment.retried: ") != 2 || strings.Count(got, "customer.changed: ") != 1 {
			t.Errorf("the events are\n%s", got)
		}
		_, err = o.again(t, shipments.TogetherAgain{Failed: []shipments.Failed{third, first}})
		if models.KindOf(err) != models.KindConflict || !strings.Contains(err.Error(), "by Kari") {
			t.Errorf("one that was sent again meanwhile: %v", err)
		}
		if s, err := o.db.Shipment(t.Context(), third.ID); err != nil || s.State != models.ShipmentFailed {
			t.Errorf("the other one is %s (%v)", s.State, err)
		}
		sent, err = o.again(t, shipments.TogetherAgain{Failed: []shipments.Failed{third}, Method: models.ByPaper})
		if got := said(sent); err != nil || !strings.HasPrefix(got, "PAPER owed to ") || !strings.HasSuffix(got, fmt.Sprintf(" of %d", third.ID)) {
			t.Errorf("on paper it is %s (%v)", got, err)
		}
		if got := o.verified(t); got != "" {
			t.Errorf("verify finds %s", got)
		}
	})
}

// TestN8AnotherCreditorsShipmentIsNotThere although its ID is known.
func TestN8AnotherCreditorsShipmentIsNotThere(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		theirs := o.refused(t, rows.Customer(t, o.db, o.creditor))
		o.creditor = rows.Creditor(t, o.db)
		if _, err := o.again(t, shipments.TogetherAgain{Failed: []shipments.Failed{theirs}}); models.KindOf(err) != models.KindNotFound {
			t.Errorf("it is sent again: %v", err)
		}
	})
}

// TestN8ALetterThatCameBackGoesToAnotherAddress, and not again to the same. It goes by e-mail wherever the customer lives.
func TestN8ALetterThatCameBackGoesToAnotherAddress(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Customer(t, o.db, o.creditor)
		back := o.returned(t, c)
		both := back[:2]
		_, err := o.again(t, shipments.TogetherAgain{Failed: both})
		if rows.Faults(err) != "same_address" {
			t.Fatalf("to the same address: %v", err)
		}
		one := func(how shipments.Again) (s models.Shipment, err error) { // by itself it is no different
			err = o.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
				s, err = shipments.RetryOf(t.Context(), tx, o.creditor.ID, back[2].ID, how, "Kari")
				return err
			})
			return s, err
		}
		for _, how := range []shipments.Again{{}, {Method: models.ByPaper}} {
			if s, err := one(how); rows.Faults(err) != "same_address" {
				t.Fatalf("one to the same address, asked for as %+v: %+v, %v", how, s, err)
			}
		}
		o.moves(t, c, "Nyveien 7")
		sent, err := o.again(t, shipments.TogetherAgain{Failed: both})
		want := fmt.Sprintf("PAPER owed to Nyveien 7, 5003 Bergen of %d; PAPER owed to Nyveien 7, 5003 Bergen of %d", back[0].ID, back[1].ID)
		if got := said(sent); err != nil || got != want {
			t.Fatalf("they are %s (%v), want %s", got, err, want)
		}
		if got := o.events(t); strings.Count(got, "is sent to another address, in the place of one that came back, by Kari") != 2 {
			t.Errorf("the events are\n%s", got)
		}
		if _, err := o.again(t, shipments.TogetherAgain{Failed: both}); models.KindOf(err) != models.KindConflict {
			t.Errorf("once more: %v", err)
		}
		o.id = sent[0].ID
		o.take(t, true)
		o.record(t, nil)
		o.wants(t, models.ShipmentSent, 1, "shipment.retried: Invoice 2 on paper is sent to another address, in the place of one that came back, by Kari", "shipment.sent: Invoice 2 on paper sent")
		sent, err = o.again(t, shipments.TogetherAgain{Failed: back[2:], Method: models.ByEmail})
		if got := said(sent); err != nil || !strings.HasPrefix(got, "EMAIL owed to kari@example.no") {
			t.Errorf("by e-mail it is %s (%v)", got, err)
		}
		if got := o.verified(t); got != "" {
			t.Errorf("verify finds %s", got)
		}
	})
}

// TestN8TheLetterOfANoticeThatCameBackGoesToAnotherAddress: on the same day as it is, and later as the notice of that day.
func TestN8TheLetterOfANoticeThatCameBackGoesToAnotherAddress(t *testing.T) {
	for _, days := range []int{0, 3} {
		t.Run(strconv.Itoa(days), func(t *testing.T) { noticeToAnotherAddress(t, days) })
	}
}

// noticeToAnotherAddress sends the letter of a notice again some days later.
func noticeToAnotherAddress(t *testing.T, days int) {
	t.Helper()
	eachOffice(t, func(t *testing.T, o *office) {
		_, n := o.dunned(t, 30)
		o.tell(t, models.ShipmentReturned, o.clock.Now(), "moved")
		back := o.seen(t, o.id)
		c, err := o.db.CustomerOf(t.Context(), n.Document())
		testkit.Must(t, err)
		o.moves(t, c, "Nyveien 7")
		o.clock.Set(o.clock.Now().AddDate(0, 0, days))
		sent, err := o.again(t, shipments.TogetherAgain{Failed: []shipments.Failed{back}})
		if err != nil {
			t.Fatal(err)
		}
		o.takeAll(t)
		s, err := o.db.Shipment(t.Context(), sent[0].ID)
		testkit.Must(t, err)
		want := models.ShipmentSent
		if days > 0 {
			want = models.ShipmentWithdrawn // the notice is issued anew
		}
		if s.State != want {
			t.Errorf("after %d days the letter is %s, want %s", days, s.State, want)
		}
		left, err := o.db.NewestShipments(t.Context(), o.creditor.ID, store.ShipmentFilter{States: []models.ShipmentState{models.ShipmentSent}, Method: models.ByPaper}, 1)
		testkit.Must(t, err)
		if got := said(left); !strings.HasPrefix(got, "PAPER sent to Nyveien 7") || left[0].DocumentKind != models.NoticeDocument {
			t.Errorf("after %d days what left is %s", days, got)
		}
		if got := o.verified(t); got != "" {
			t.Errorf("after %d days verify finds %s", days, got)
		}
	})
}
