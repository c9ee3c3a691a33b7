package shipments_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/billing"
	"purr/law"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// business is an office whose invoice goes by a method to a business with an e-mail address.
func (o *office) business(t *testing.T, method models.ShipmentMethod, own, theirs models.Fallback, copies ...string) models.Document {
	t.Helper()
	o.creditor = rows.Creditor(t, o.db, func(c *models.Creditor) { c.Fallback, c.EHFDefaultReference = own, "42" })
	customer := rows.Customer(t, o.db, o.creditor, func(c *models.Customer) {
		c.Recipient.OrganisationNumber, c.Fallback = "987654325", theirs
	})
	i := rows.Invoice(t, o.db, o.creditor, rows.To(customer), func(r *billing.InvoiceRequest) { r.Method, r.Copies = method, copies })
	found, err := o.db.ShipmentsOf(t.Context(), i.Document())
	testkit.Must(t, err)
	o.id = found[0].ID
	return i.Document()
}

// ways returns the document's shipments in words, such as "EHF failed".
func (o *office) ways(t *testing.T, d models.Document) string {
	t.Helper()
	all, err := o.db.ShipmentsOf(t.Context(), d)
	testkit.Must(t, err)
	var words []string
	for i, s := range all {
		word := fmt.Sprintf("%s %s", s.Method, s.State)
		if s.FallbackOf != 0 && s.FallbackOf != all[i-1].ID {
			word += " of another"
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

func TestS2WhatIsRefusedGoesByTheNextMethod(t *testing.T) {
	refused := models.Refuse(models.BlameRecipient, nil, "nobody there")
	setup := models.Refuse(models.BlameSettings, nil, "401")
	away := models.Unavailable("the channel", errors.New("away"))
	eachOffice(t, func(t *testing.T, o *office) {
		for _, tt := range []struct {
			name        string
			method      models.ShipmentMethod
			own, theirs models.Fallback
			failures    []error // of one shipment after the other
			want        string
		}{
			{"by default EHF falls back to e-mail", models.ByEHF, "", "", []error{refused}, "EHF failed, EMAIL owed"},
			{"and e-mail to nothing", models.ByEHF, "", "", []error{refused, refused}, "EHF failed, EMAIL failed"},
			{"to the end", models.ByEHF, "EHF>EMAIL>PAPER", "", []error{refused, refused, refused}, "EHF failed, EMAIL failed, PAPER failed"},
			{"the customer's counts", models.ByEmail, "EMAIL", "EMAIL>PAPER", []error{refused}, "EMAIL failed, PAPER owed"},
			{"the customer's counts where it is shorter", models.ByEmail, "EMAIL>PAPER", "EMAIL", []error{refused}, "EMAIL failed"},
			{"settings refuse every one (rule D107)", models.ByEHF, "EHF>EMAIL>PAPER", "", []error{setup}, "EHF owed"},
			{"a fault of ours is no refusal, whatever its kind", models.ByEHF, "EHF>EMAIL>PAPER", "", []error{models.Invalid("ours", "", "a bug")}, "EHF owed"},
			{"given up, and not refused", models.ByEHF, "EHF>EMAIL>PAPER", "", []error{away}, "EHF failed"},
		} {
			d := o.business(t, tt.method, tt.own, tt.theirs)
			for _, failure := range tt.failures {
				o.take(t, true)
				if errors.Is(failure, away) {
					o.record(t, away)
					o.giveUp(t)
				} else {
					o.record(t, failure)
				}
				all, err := o.db.ShipmentsOf(t.Context(), d)
				testkit.Must(t, err)
				o.id = all[len(all)-1].ID
			}
			if got := o.ways(t, d); got != tt.want {
				t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
			}
		}
	})
}

func TestS2ABounceFallsBackOnceAndThePersonIsRefusedTheOldOne(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		d := o.business(t, models.ByEmail, "EMAIL>PAPER", "")
		o.take(t, true)
		o.record(t, nil)
		o.later(time.Minute)
		first := o.clock.Now()
		o.tell(t, models.ShipmentFailed, first, "5.1.1")
		o.tell(t, models.ShipmentFailed, first, "5.1.1")
		o.tell(t, models.ShipmentSent, first.Add(time.Second), "")
		o.later(time.Hour)
		o.tell(t, models.ShipmentFailed, o.clock.Now(), "5.1.1 again")
		if got := o.ways(t, d); got != "EMAIL failed, PAPER owed" {
			t.Error(got)
		}
		err := o.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			_, err := shipments.Retry(t.Context(), tx, o.id, shipments.Again{}, "Kari")
			return err
		})
		if models.KindOf(err) != models.KindConflict {
			t.Errorf("the old one is sent again: %v", err)
		}
		testkit.Must(t, o.db.NumberEvents(t.Context()))
		events, err := o.db.Events(t.Context(), o.creditor.ID, 0, 100)
		testkit.Must(t, err)
		i := slices.IndexFunc(events, func(e models.Event) bool { return e.Type == models.EventShipmentFallback })
		if i < 0 {
			t.Fatal("no event tells of it")
		}
		e := events[i]
		if e.Text != "Invoice 1 on paper is sent in the place of one by e-mail, which failed: 5.1.1" || e.Actor != models.ActorProgram ||
			e.Data != `{"document":"invoice","instead_of":"EMAIL","invoice_number":1,"method":"PAPER","reason":"5.1.1"}` || e.SubjectID != o.id+1 {
			t.Errorf("the event is %+v", e)
		}
	})
}

func TestS2aCopiesDoNotFallBackAndAnImpossibleStepIsPassedOver(t *testing.T) {
	refused := models.Refuse(models.BlameRecipient, nil, "nobody there")
	eachOffice(t, func(t *testing.T, o *office) {
		d := o.business(t, models.ByPaper, "EHF>EMAIL>PAPER", "", "per@example.no")
		o.id++ // the copy
		o.take(t, true)
		o.record(t, refused)
		if got := o.ways(t, d); got != "PAPER owed, EMAIL failed" {
			t.Errorf("a copy: %s", got)
		}
		d = o.business(t, models.ByEHF, "EHF>EMAIL>PAPER", "")
		rows.Write(t, o.db, func(tx *store.Tx) error { // no address is left
			c, err := tx.CustomerOf(t.Context(), d)
			if err != nil {
				return err
			}
			c.Recipient.Email = ""
			s, err := tx.LockShipment(t.Context(), o.id)
			if err != nil {
				return err
			}
			s.Recipient.Email = ""
			return errors.Join(tx.UpdateCustomer(t.Context(), &c), tx.UpdateShipment(t.Context(), s))
		})
		o.take(t, true)
		o.record(t, refused)
		if got := o.ways(t, d); got != "EHF failed, PAPER owed" {
			t.Errorf("without an address: %s", got)
		}
	})
}

func TestL1AnInvoiceWhoseEHFFailedCountsAsSentByItsEmail(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		d := o.business(t, models.ByEHF, "", "")
		o.take(t, true)
		o.record(t, models.Refuse(models.BlameRecipient, nil, "not registered"))
		o.id++
		o.take(t, true)
		o.record(t, nil)
		left := func() bool {
			found, err := o.db.LettersOf(t.Context(), []int64{d.ID})
			testkit.Must(t, err)
			return slices.ContainsFunc(found[d.ID], func(l store.Letter) bool { return l.State.HasLeft() })
		}
		if got := o.ways(t, d); got != "EHF failed, EMAIL sent" || !left() {
			t.Error(got)
		}
	})
}

// What a channel has accepted without knowing what becomes of it is asked after, for a week, and never withdrawn or renewed.
func TestS1WhatIsAcceptedStaysOwedWithItsReceipt(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		accept := func() {
			rows.Write(t, o.db, func(tx *store.Tx) error {
				taken, err := tx.Shipment(t.Context(), o.id)
				if err != nil {
					return err
				}
				_, err = shipments.RecordAccepted(t.Context(), tx, taken, "job 7")
				return err
			})
		}
		o.take(t, true)
		accept()
		o.wants(t, models.ShipmentOwed, 1)
		o.take(t, false)
		o.later(models.RetryPause(1))
		o.take(t, true)
		o.record(t, models.Unavailable("the printer", errors.New("away")))
		o.later(models.RetryPause(2))
		o.take(t, true)
		accept()
		o.tryFor(t, 6*24*time.Hour, accept)
		s, err := o.db.Shipment(t.Context(), o.id)
		if err != nil || !s.Accepted() || s.Receipt != "job 7" || s.Reason != "" {
			t.Errorf("after six days it is %s with the receipt %q and the reason %q, %v", s.State, s.Receipt, s.Reason, err)
		}
		attempts, _ := o.tryFor(t, 2*24*time.Hour, accept)
		o.wants(t, models.ShipmentFailed, s.Attempts+attempts, "shipment.failed: Invoice 1 on paper failed: the channel accepted it, but has not told for too long what became of it")
		rows.Write(t, o.db, func(tx *store.Tx) error {
			_, err := shipments.Retry(t.Context(), tx, o.id, shipments.Again{}, "Kari")
			return err
		})
		rows.Write(t, o.db, func(tx *store.Tx) error {
			taken, err := shipments.TakeAll(t.Context(), tx, shipments.SecondLook{Rules: law.Default()}, []int64{o.id}, "a worker")
			if err == nil && (len(taken) == 0 || !taken[0].MayHaveArrived()) {
				t.Error("the channel is not asked before it is handed over again")
			}
			return err
		})
	})
}
