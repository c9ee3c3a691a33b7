package shipments_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/billing"
	"purr/mailer/bounce"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// eachMailRoom has an invoice that is to be sent by e-mail.
func eachMailRoom(t *testing.T, test func(t *testing.T, o *office)) {
	t.Helper()
	eachOffice(t, func(t *testing.T, o *office) {
		o.id = o.mail(t)
		test(t, o)
	})
}

// mail returns the shipment of a new invoice that is to be sent by e-mail.
func (o *office) mail(t *testing.T) int64 {
	t.Helper()
	to := rows.Customer(t, o.db, o.creditor, func(c *models.Customer) { c.Recipient.Email = "kari@kunde.example" })
	byEmail := func(r *billing.InvoiceRequest) { r.Method = models.ByEmail }
	return o.shipmentOf(t, rows.Invoice(t, o.db, o.creditor, rows.To(to), byEmail).Document())
}

func (o *office) tag(t *testing.T) string {
	t.Helper()
	key, err := o.db.BounceKey(t.Context())
	testkit.Must(t, err)
	s, err := o.db.Shipment(t.Context(), o.id)
	testkit.Must(t, err)
	return shipments.Tag(key, s)
}

// failedAt is a report of a moment that names the shipment's tag.
func failedAt(at time.Time, tags ...string) bounce.Report {
	return bounce.Report{Tags: tags, Recipients: []bounce.Recipient{{Action: "failed", Status: "5.1.1", Diagnostic: "550 no such user", Attempted: at}}}
}

// hear takes a report in, and returns what it told.
func (o *office) hear(t *testing.T, r bounce.Report) string {
	t.Helper()
	told, err := shipments.Bounce(t.Context(), o.db, r, "Kari")
	testkit.Must(t, err)
	lines := make([]string, len(told))
	for i, b := range told {
		lines[i] = strings.Replace(b.String(), fmt.Sprintf("shipment %d:", o.id), "shipment N:", 1)
	}
	return strings.Join(lines, "\n")
}

func (o *office) reports(t *testing.T) []models.ShipmentReport {
	t.Helper()
	reports, err := o.db.ShipmentReports(t.Context(), o.id)
	testkit.Must(t, err)
	return reports
}

const (
	mailSent   = "shipment.sent: Invoice 2 by e-mail sent"
	mailFailed = "shipment.failed: Invoice 2 by e-mail failed, as is reported: 5.1.1 550 no such user"
)

func TestS3aAReportFailsTheShipmentOnce(t *testing.T) {
	eachMailRoom(t, func(t *testing.T, o *office) {
		o.send(t)
		at, tag := o.clock.Now().Add(3*time.Second), o.tag(t)
		o.later(time.Hour)
		var both sync.WaitGroup
		for range 4 {
			both.Go(func() {
				if said := o.hear(t, failedAt(at, "1-forgedforged", tag)); said != "shipment N: failed 5.1.1 550 no such user" {
					t.Errorf("it says %q", said)
				}
			})
		}
		both.Wait()
		o.wants(t, models.ShipmentFailed, 1, mailSent, mailFailed)
		if kept := o.reports(t); len(kept) != 1 || !kept[0].At.Equal(at) || kept[0].Reason != "5.1.1 550 no such user" {
			t.Errorf("the reports are %+v", kept)
		}
	})
}

func TestS3aWhatOnlyANoteIs(t *testing.T) {
	eachMailRoom(t, func(t *testing.T, o *office) {
		o.send(t)
		r := bounce.Report{Tags: []string{o.tag(t)}, Recipients: []bounce.Recipient{
			{Action: "delayed", Status: "4.4.1", Diagnostic: "connection\r\ntimed out", Attempted: rows.Start.Add(time.Hour)},
			{Action: "relayed", Attempted: rows.Start.Add(2 * time.Hour)},
		}}
		if said, want := o.hear(t, r), "shipment N: delayed 4.4.1 connection timed out\nshipment N: relayed"; said != want {
			t.Errorf("it says %q, want %q", said, want)
		}
		o.wants(t, models.ShipmentSent, 1, mailSent)
		kept := o.reports(t)
		if len(kept) != 2 || kept[0].State != models.ReportedDelayed || kept[0].Reason != "delayed 4.4.1 connection timed out" {
			t.Errorf("the reports are %+v", kept)
		}
	})
}

func TestS3aAnythingElseChangesNothing(t *testing.T) {
	eachMailRoom(t, func(t *testing.T, o *office) {
		o.send(t)
		tag := o.tag(t)
		letter := *o
		letter.id = o.shipmentOf(t, rows.Invoice(t, o.db, o.creditor).Document())
		for name, r := range map[string]bounce.Report{
			"no tag":                failedAt(o.clock.Now()),
			"a forged token":        failedAt(o.clock.Now(), tag[:len(tag)-1]+"0"),
			"another's token":       failedAt(o.clock.Now(), strings.Replace(tag, fmt.Sprint(o.id), fmt.Sprint(o.id-1), 1)),
			"an unknown shipment":   failedAt(o.clock.Now(), strings.Replace(tag, fmt.Sprint(o.id), "999999999999999999", 1)),
			"an impossible ID":      failedAt(o.clock.Now(), "0-abcdefgh", "999999999999999999999-abcdefgh", "-"),
			"the token of a letter": failedAt(o.clock.Now(), letter.tag(t)),
		} {
			if said := o.hear(t, r); said != "ignored: it has no shipment's tag: failed 5.1.1 550 no such user" {
				t.Errorf("%s: it says %q", name, said)
			}
		}
		if said := o.hear(t, bounce.Report{Tags: []string{tag}}); said != "ignored: this is no delivery report" {
			t.Errorf("it says %q", said)
		}
		o.wants(t, models.ShipmentSent, 1, mailSent)
		if kept := append(o.reports(t), letter.reports(t)...); len(kept) != 0 {
			t.Errorf("there are the reports %+v", kept)
		}
	})
}

// TestS3aAReportThatIsFasterThanTheNote tells of an e-mail that the worker has not noted yet as sent.
func TestS3aAReportThatIsFasterThanTheNote(t *testing.T) {
	eachMailRoom(t, func(t *testing.T, o *office) {
		o.take(t, true)
		o.hear(t, failedAt(o.clock.Now(), o.tag(t)))
		o.record(t, nil)
		o.wants(t, models.ShipmentFailed, 1, mailFailed)
		s, err := o.db.Shipment(t.Context(), o.id)
		if err != nil || s.TakenBy != "" || s.Receipt != "a receipt" {
			t.Errorf("it is in the hand of %q with the receipt %q, %v", s.TakenBy, s.Receipt, err)
		}
	})
}

// TestS3aWhatIsToldOfTheEarlierSendingSaysNothingOfTheLater has an e-mail sent again, to another address, while the first
// server still tries.
func TestS3aWhatIsToldOfTheEarlierSendingSaysNothingOfTheLater(t *testing.T) {
	eachMailRoom(t, func(t *testing.T, o *office) {
		o.send(t)
		first := o.tag(t)
		o.hear(t, failedAt(o.clock.Now(), first))
		o.later(time.Minute)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			_, err := shipments.Retry(t.Context(), tx, o.id, shipments.Again{Email: "ola@kunde.example"}, "Kari")
			return err
		})
		o.send(t)
		o.later(5 * 24 * time.Hour)
		if said := o.hear(t, failedAt(o.clock.Now(), first)); !strings.HasPrefix(said, "ignored: ") {
			t.Errorf("it says %q", said)
		}
		retried := "shipment.retried: Invoice 2 by e-mail is tried again, by Kari"
		o.wants(t, models.ShipmentSent, 1, mailSent, mailFailed, retried, mailSent)
		if said := o.hear(t, failedAt(o.clock.Now(), o.tag(t))); said != "shipment N: failed 5.1.1 550 no such user" {
			t.Errorf("it says %q", said)
		}
		o.wants(t, models.ShipmentFailed, 1, mailSent, mailFailed, retried, mailSent, mailFailed)
	})
}

// TestS3aTheMomentOfAReport has a row for each date that a report may have.
func TestS3aTheMomentOfAReport(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		t.Parallel()
		o := &office{}
		o.db = rows.Open(t, databaseURL)
		o.creditor = rows.Creditor(t, o.db)
		after := func(h int) time.Time { return rows.Start.Add(time.Duration(h) * time.Hour) }
		for name, tt := range map[string]struct {
			attempted, sent, arrived, want time.Time
		}{
			"the last attempt counts":               {after(3), after(4), after(1), after(3)},
			"then the report's date":                {time.Time{}, after(4), after(1), after(4)},
			"then the e-mail's arrival":             {time.Time{}, time.Time{}, after(1), after(1)},
			"and without dates that it left":        {time.Time{}, time.Time{}, time.Time{}, rows.Start},
			"no clock is believed that it was not":  {after(-50), after(4), after(1), rows.Start},
			"one that is ahead is kept as it says":  {after(9999), after(4), after(1), after(9999)},
			"one of the last century is not either": {time.Unix(0, 0), after(4), after(1), rows.Start},
		} {
			o.id = o.mail(t)
			o.send(t)
			r := failedAt(tt.attempted, o.tag(t))
			r.Sent, r.Arrived = tt.sent, tt.arrived
			for range 2 {
				o.hear(t, r)
			}
			if kept := o.reports(t); len(kept) != 1 || !kept[0].At.Equal(tt.want) {
				t.Errorf("%s: the reports are %+v, want one of %s", name, kept, tt.want)
			}
			if s, err := o.db.Shipment(t.Context(), o.id); err != nil || s.State != models.ShipmentFailed {
				t.Errorf("%s: it is %s, %v", name, s.State, err)
			}
		}
	})
}

// TestS3aNothingIsHalfTold breaks a report off.
func TestS3aNothingIsHalfTold(t *testing.T) {
	eachMailRoom(t, func(t *testing.T, o *office) {
		o.send(t)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if told, err := shipments.Bounce(ended, o.db, failedAt(o.clock.Now(), o.tag(t)), "Kari"); err == nil || slices.ContainsFunc(told, func(b shipments.Bounced) bool { return b.ShipmentID != 0 }) {
			t.Errorf("it says %v, %v", told, err)
		}
		o.wants(t, models.ShipmentSent, 1, mailSent)
	})
}

// TestD107ABounceThatIsTheSettingsFaultMakesNoLetter: what the receiving server refuses for the sender's domain waits for a person.
func TestD107ABounceThatIsTheSettingsFaultMakesNoLetter(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		for _, tt := range []struct{ status, said, want string }{
			{"5.7.26", "550 5.7.26 unauthenticated by DMARC", "EMAIL owed"},
			{"5.0.0", "550 5.7.1 not authorised to send", "EMAIL owed"},
			{"5.3.0", "", "EMAIL owed"},
			{"4.7.1", "451 4.7.1 blocked for too long", "EMAIL owed"},
			{"5.1.8", "553 5.1.8 sender domain not found", "EMAIL owed"},
			{"5.0.0", "550 sender rejected: SPF", "EMAIL owed"},
			{"5.1.1", "550 no such user", "EMAIL failed, PAPER owed"},
			{"5.2.2", "552 mailbox full", "EMAIL failed, PAPER owed"},
			{"5.0.0", "550 rejected", "EMAIL failed, PAPER owed"},
		} {
			d := o.business(t, models.ByEmail, "EMAIL>PAPER", "")
			o.send(t)
			o.later(time.Minute)
			for range 2 {
				o.hear(t, bounce.Report{Tags: []string{o.tag(t)}, Recipients: []bounce.Recipient{{Action: "failed", Status: tt.status, Diagnostic: tt.said, Attempted: o.clock.Now()}}})
			}
			what := tt.status + " " + tt.said
			if got := o.ways(t, d); got != tt.want {
				t.Errorf("after %s: %s, want %s", what, got, tt.want)
			}
			told := len(o.told(t, models.EventWayRefused))
			if settings := tt.want == "EMAIL owed"; told > 1 || settings != (told == 1) {
				t.Errorf("after %s a person is told %d times", what, told)
			}
		}
	})
}

// TestD107AMailThatBouncedIsOwedAgain: it is kept back as refused, is tried once a day without end, or at once where a person wants it, and
// has not left meanwhile. A report that is faster than the note of its sending counts too.
func TestD107AMailThatBouncedIsOwedAgain(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		bounced := func() {
			o.hear(t, bounce.Report{Tags: []string{o.tag(t)}, Recipients: []bounce.Recipient{{Action: "failed", Status: "5.7.26", Diagnostic: "550 5.7.26 DMARC", Attempted: o.clock.Now()}}})
		}
		waits := func(most time.Duration) {
			t.Helper()
			s, err := o.db.Shipment(t.Context(), o.id)
			testkit.Must(t, err)
			wait := s.NextAttempt.Sub(o.clock.Now())
			if s.State != models.ShipmentOwed || s.KeptBack != models.KeptRefused || s.SentAt != nil || s.Receipt != "" || s.InHand() || wait > most || wait < most-time.Minute {
				t.Errorf("it is %s, kept back as %q, sent at %v with the receipt %q, and waits for %s", s.State, s.KeptBack, s.SentAt, s.Receipt, wait)
			}
			if s.PutOff(o.clock.Now()) {
				t.Error("it counts as put off by a clock")
			}
		}
		d := o.business(t, models.ByEmail, "EMAIL>PAPER", "")
		o.take(t, true)
		bounced()
		o.record(t, nil) // its worker notes only now that it left
		waits(24 * time.Hour)
		o.later(time.Hour)
		o.take(t, false)
		for range 3 {
			o.later(24 * time.Hour)
			o.send(t)
			o.later(time.Minute)
			bounced()
			waits(24 * time.Hour)
		}
		retry := func() error {
			return o.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
				_, err := shipments.Retry(t.Context(), tx, o.id, shipments.Again{}, "Kari")
				return err
			})
		}
		testkit.Must(t, retry())
		o.send(t)
		o.later(time.Minute)
		if s, err := o.db.Shipment(t.Context(), o.id); err != nil || s.State != models.ShipmentSent {
			t.Errorf("it is %s in the end, %v", s.State, err)
		}
		if got := o.ways(t, d); got != "EMAIL sent" {
			t.Error(got)
		}
	})
}

// TestD98AnInvoiceThatBouncedForASettingHadNotLeft: the notice that was taken meanwhile is withdrawn with its fee, as if the mail had failed.
func TestD98AnInvoiceThatBouncedForASettingHadNotLeft(t *testing.T) {
	eachMailRoom(t, func(t *testing.T, o *office) {
		mail := o.id
		i, n := o.dunned(t, 0)
		o.id = mail
		o.later(time.Hour)
		o.hear(t, bounce.Report{Tags: []string{o.tag(t)}, Recipients: []bounce.Recipient{{Action: "failed", Status: "5.7.26", Diagnostic: "550 5.7.26 DMARC", Attempted: o.clock.Now()}}})
		n, err := o.db.Notice(t.Context(), o.creditor.ID, n.ID)
		testkit.Must(t, err)
		now, err := o.db.Invoice(t.Context(), o.creditor.ID, i.ID)
		if err != nil || n.Withdrawn == 0 || now.Balance != now.Gross {
			t.Errorf("the notice is withdrawn %d, and %s of %s are owed (%v)", n.Withdrawn, now.Balance, now.Gross, err)
		}
	})
}
