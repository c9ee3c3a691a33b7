package shipments_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"purr/dunning"
	"purr/law"
	"purr/mailer/shipments"
	"purr/models"
	"purr/register"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// tell reports on o's shipment.
func (o *office) tell(t *testing.T, state models.ShipmentState, at time.Time, reason string) {
	t.Helper()
	_, err := shipments.Tell(t.Context(), o.db, shipments.Told{Shipment: fmt.Sprint(o.id), State: string(state), At: at, Reason: reason}, "Kari")
	testkit.Must(t, err)
}

func (o *office) send(t *testing.T) {
	t.Helper()
	o.take(t, true)
	o.record(t, nil)
}

func (o *office) customer(t *testing.T) models.Customer {
	t.Helper()
	s, err := o.db.Shipment(t.Context(), o.id)
	testkit.Must(t, err)
	c, err := o.db.CustomerOf(t.Context(), s.Document())
	testkit.Must(t, err)
	return c
}

const sent = "shipment.sent: Invoice 1 on paper sent"

func TestS1TheSameReportFromTwoProcessesIsKeptOnce(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.send(t)
		o.later(time.Hour)
		var both sync.WaitGroup
		for range 4 {
			both.Go(func() { o.tell(t, models.ShipmentReturned, o.clock.Now(), "moved") })
		}
		both.Wait()
		o.wants(t, models.ShipmentReturned, 1, sent, "shipment.returned: Invoice 1 on paper came back: moved")
		reports, err := o.db.ShipmentReports(t.Context(), o.id)
		if err != nil || len(reports) != 1 || reports[0].Reason != "moved" {
			t.Errorf("the reports are %+v, %v", reports, err)
		}
	})
}

func TestS1AReportWhileAWorkerHasItInHandIsBelieved(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.take(t, true)
		o.tell(t, models.ShipmentDelivered, o.clock.Now(), "")
		o.record(t, nil)
		o.wants(t, models.ShipmentDelivered, 1, "shipment.delivered: Invoice 1 on paper has arrived, as is reported")
		s, err := o.db.Shipment(t.Context(), o.id)
		if err != nil || s.TakenBy != "" || s.Receipt != "a receipt" {
			t.Errorf("it is in the hand of %q with the receipt %q, %v", s.TakenBy, s.Receipt, err)
		}
	})
}

func TestS1AMomentToComeCountsAsNow(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.send(t)
		o.tell(t, models.ShipmentDelivered, o.clock.Now().AddDate(1, 0, 0), "")
		o.later(24 * time.Hour)
		o.tell(t, models.ShipmentReturned, o.clock.Now(), "unknown")
		s, err := o.db.Shipment(t.Context(), o.id)
		if err != nil || s.State != models.ShipmentReturned || !s.DeliveredAt.Equal(rows.Start) {
			t.Errorf("it is %s, delivered at %v, %v", s.State, s.DeliveredAt, err)
		}
	})
}

func TestS1AnOldReportDoesNotUndoTheRetry(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.send(t)
		first := o.clock.Now()
		o.later(time.Hour)
		o.tell(t, models.ShipmentFailed, o.clock.Now(), "no such address")
		o.later(time.Hour)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			s, err := shipments.Retry(t.Context(), tx, o.id, shipments.Again{}, "Kari")
			if err == nil && (s.SentAt != nil || s.Reason != "" || s.Receipt != "") {
				t.Errorf("it begins anew with %+v", s)
			}
			return err
		})
		o.tell(t, models.ShipmentReturned, first, "of the first attempt")
		o.send(t)
		o.tell(t, models.ShipmentFailed, first.Add(time.Minute), "of the first attempt")
		o.wants(t, models.ShipmentSent, 1, sent, "shipment.failed: Invoice 1 on paper failed, as is reported: no such address",
			"shipment.retried: Invoice 1 on paper is tried again, by Kari", sent)
		if held := o.customer(t).LettersHeld; held.Since != nil {
			t.Errorf("letters are held: %+v", held)
		}
	})
}

// TestS1bReturnedMailHoldsFurtherLetters lets a letter come back, and looks at what becomes of the next one.
func TestS1bAFailureNeedsNoReason(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.send(t)
		o.tell(t, models.ShipmentFailed, o.clock.Now(), "")
		o.wants(t, models.ShipmentFailed, 1, sent, "shipment.failed: Invoice 1 on paper failed, as is reported")
	})
}

func TestS1bReturnedMailHoldsFurtherLetters(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.send(t)
		o.tell(t, models.ShipmentReturned, o.clock.Now(), "moved")
		customer := o.customer(t)
		if held := customer.LettersHeld; held.Since == nil || !held.Since.Equal(rows.Start) || held.Reason != "moved" {
			t.Fatalf("letters are held %+v", held)
		}
		next := rows.Invoice(t, o.db, o.creditor, rows.To(customer))
		other := rows.Invoice(t, o.db, o.creditor)
		held := o.shipmentOf(t, next.Document())
		o.id = held
		o.take(t, false)
		s, err := o.db.Shipment(t.Context(), held)
		if err != nil || s.State != models.ShipmentOwed || s.Reason != "letters_held" || s.Attempts != 0 || s.TakenBy != "" {
			t.Errorf("the next letter is %+v, %v", s, err)
		}
		due, err := o.db.DueShipments(t.Context(), o.creditor.ID, o.clock.Now(), 10, models.ByPaper)
		if err != nil || len(due) != 1 || due[0].DocumentID != other.ID {
			t.Errorf("due are %d shipments (%v), want the other customer's alone", len(due), err)
		}
		release := func(change func(c *models.Customer) error) {
			rows.Write(t, o.db, func(tx *store.Tx) error {
				_, err := register.ChangeCustomer(t.Context(), tx, o.creditor.ID, customer.ID, 3500, "Kari", change)
				return err
			})
		}
		release(func(c *models.Customer) error { c.Recipient.Email = "new@example.no"; return nil })
		o.later(25 * time.Hour)
		o.take(t, false) // an e-mail address is no address for letters
		release(func(c *models.Customer) error { c.Recipient.Address1 = "Nygata 2"; return nil })
		if held := o.customer(t).LettersHeld; held != (models.LettersHeld{}) {
			t.Errorf("at the new address letters are held: %+v", held)
		}
		o.send(t)
		s, err = o.db.Shipment(t.Context(), held)
		if err != nil || s.State != models.ShipmentSent || s.Reason != "" || s.HeldFor != 0 {
			t.Errorf("at the new address the letter is %+v, %v", s, err)
		}
		// It still had the old address. That it comes back says nothing of the new one.
		o.later(time.Hour)
		o.tell(t, models.ShipmentReturned, o.clock.Now(), "moved")
		if held := o.customer(t).LettersHeld; held.Since != nil {
			t.Errorf("letters to the new address are held: %+v", held)
		}
	})
}

func TestS1bAPersonReleasesLetters(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.send(t)
		o.tell(t, models.ShipmentReturned, o.clock.Now(), "moved")
		customer := o.customer(t)
		o.id = o.shipmentOf(t, rows.Invoice(t, o.db, o.creditor, rows.To(customer)).Document())
		o.take(t, false)
		for range 2 { // the second time there is nothing to do
			rows.Write(t, o.db, func(tx *store.Tx) error {
				return register.ReleaseLetters(t.Context(), tx, o.creditor.ID, customer.ID, "Kari")
			})
		}
		o.send(t)
		events, err := o.db.Events(t.Context(), o.creditor.ID, 0, 100)
		testkit.Must(t, err)
		released := 0
		for _, e := range events {
			if e.Type == models.EventLettersReleased {
				released++
			}
		}
		if released != 1 {
			t.Errorf("%d events tell of the release", released)
		}
	})
}

func TestS1bAFileOfReports(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.send(t)
		at := o.clock.Now().Add(time.Hour).Format(time.RFC3339)
		o.later(2 * time.Hour)
		name := models.Shipment{ID: o.id, DocumentKind: models.InvoiceDocument}.Name(1)
		file := "<reports>\n<report shipment=\"4711\" state=\"sent\" at=\"" + at + "\"/>\n<report shipment=\"" + name + "\" state=\"delivered\" at=\"" + at +
			"\" reason=\"\"/>\n<report shipment=\"invoice-2-shipment-" + fmt.Sprint(o.id) + "\" state=\"failed\" at=\"" + at + "\"/>\n</reports>"
		for range 2 {
			kept, unknown, err := shipments.ReportFile(t.Context(), o.db, strings.NewReader(file), "Kari")
			want := "line 2: there is no shipment 4711\nline 4: there is no shipment invoice-2-shipment-" + fmt.Sprint(o.id)
			if err != nil || kept != 1 || strings.Join(unknown, "\n") != want {
				t.Errorf("%d are kept, and it says %q, %v", kept, unknown, err)
			}
		}
		o.wants(t, models.ShipmentDelivered, 1, sent, "shipment.delivered: Invoice 1 on paper has arrived, as is reported")
	})
}

func TestS1bGarbageIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"":                   "line 1: the file ends too early, or is empty",
		"hello":              "line 1: there must be no text",
		"%PDF-1.4\n\x00\xff": "line ",
		"<reports>":          "line 1: the file is no XML: unexpected EOF",
		"<reports>\n<report shipment='1' state='sent'":      "line 2: the file is no XML: unexpected EOF",
		"<reports/><reports/>":                              "line 1: the element reports must not be here",
		"<shipments/>":                                      "line 1: the element shipments must not be here",
		"<reports>\n<report><report/></report></reports>":   "line 2: the element report must not be here",
		"<!DOCTYPE r [<!ENTITY a 'b'>]><reports/>":          "line 1: the file must have no document type",
		"<reports>&a;</reports>":                            "line 1: the file is no XML: invalid character entity &a;",
		"<?xml version='1.0' encoding='latin1'?><reports/>": "the file must be in UTF-8, and not in latin1",
		"<reports>\n<report/></reports>":                    "line 2: the attribute shipment is missing\nline 2: the attribute state is missing\nline 2: the attribute at is missing",
		"<reports><report shipment='1' state='lost' at='2026-11-22T09:30:00Z'/></reports>":                                   `line 1: state: "lost" is no state of a report`,
		"<reports><report shipment='x' state='sent' at='2026-11-22T09:30:00Z'/></reports>":                                   `line 1: shipment: "x" is neither the ID of a shipment nor its name`,
		"<reports><report shipment='1' state='sent' at='22.11.2026'/></reports>":                                             `line 1: at must be like 2026-11-22T09:30:00+01:00, and not "22.11.2026"`,
		"<reports><report shipment='1' state='sent' at='0001-01-01T00:00:00Z'/></reports>":                                   "line 1: at: must be a moment since the year 2000",
		"<reports><report shipment='1' state='sent' at='2026-11-22T09:30:00Z' who='me'/></reports>":                          "line 1: there is no attribute who",
		"<reports><report shipment='1' shipment='2' state='sent' at='2026-11-22T09:30:00Z'/></reports>":                      "line 1: the attribute shipment occurs twice",
		"<reports>" + strings.Repeat(" ", 16<<20) + "</reports>":                                                             "the file is larger than 16 MiB",
		"<reports>" + strings.Repeat("<report shipment='1' state='sent' at='2026-11-22T09:30:00Z'/>", 50_001) + "</reports>": "line 1: the file has more than 50000 reports",
	} {
		reports, err := shipments.ReadReports(strings.NewReader(file))
		if err == nil || !strings.HasPrefix(err.Error(), want) && !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q gives %d reports and says %v, want %s", file, len(reports), err, want)
		}
	}
	reports, err := shipments.ReadReports(strings.NewReader("\ufeff<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Monday's -->\n<reports/>\n"))
	if err != nil || len(reports) != 0 {
		t.Errorf("a file without reports gives %v, %v", reports, err)
	}
}

// TestS1aTwoPeopleWhoRetryAtOnce has a failed letter sent again by two people, as before and by e-mail.
func TestS1aTwoPeopleWhoRetryAtOnce(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]shipments.Again{"as before": {}, "by e-mail": {Email: "kari@example.no"}} {
		t.Run(name, func(t *testing.T) {
			eachOffice(t, func(t *testing.T, o *office) {
				o.take(t, true)
				o.record(t, models.Refuse(models.BlameRecipient, nil, "out of paper"))
				results := make([]error, 4)
				var all sync.WaitGroup
				for i := range results {
					all.Go(func() {
						results[i] = o.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
							_, err := shipments.Retry(t.Context(), tx, o.id, how, "Kari")
							return err
						})
					})
				}
				all.Wait()
				succeeded := 0
				for _, err := range results {
					if err == nil {
						succeeded++
					} else if models.KindOf(err) != models.KindConflict {
						t.Errorf("it says %v", err)
					}
				}
				if succeeded != 1 {
					t.Errorf("%d succeeded", succeeded)
				}
			})
		})
	}
}

func TestS1aWhatARetryRefuses(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.take(t, true)
		o.record(t, models.Refuse(models.BlameRecipient, nil, "out of paper"))
		retry := func(id int64, how shipments.Again) (s models.Shipment, err error) {
			err = o.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
				s, err = shipments.Retry(t.Context(), tx, id, how, "Kari")
				return err
			})
			return s, err
		}
		refused := func(how shipments.Again, want string) {
			t.Helper()
			if _, err := retry(o.id, how); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: it says %v, want %s", how, err, want)
			}
		}
		refused(shipments.Again{Method: models.ByPaper, Email: "kari@example.no"}, "only EMAIL goes to an e-mail address")
		refused(shipments.Again{Email: "kari"}, "not a valid e-mail address")
		mail, err := retry(o.id, shipments.Again{Email: "kari@example.no"})
		if err != nil || mail.FallbackOf != o.id || mail.Method != models.ByEmail || mail.State != models.ShipmentOwed || mail.Recipient.Email != "kari@example.no" {
			t.Fatalf("by e-mail it is %+v, %v", mail, err)
		}
		refused(shipments.Again{}, fmt.Sprintf("shipment %d has taken the place", mail.ID))
		if n, err := shipments.RetryFailed(t.Context(), o.db, o.creditor.ID, "Kari"); n != 0 || err != nil {
			t.Errorf("%d that are replaced are sent again, %v", n, err)
		}
		waiting, err := o.db.WaitingForPerson(t.Context())
		if err != nil || waiting["failed_shipments"] != 0 {
			t.Errorf("%d wait for a person, %v", waiting["failed_shipments"], err)
		}
	})
}

// A letter that came back is not sent again months later with its old deadline: not while the debt collector has the claim,
// and not when a later notice has overtaken it.
func TestL2ALetterWhoseDayIsOverIsNotSentAgain(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.send(t)
		original, err := o.db.Shipment(t.Context(), o.id)
		testkit.Must(t, err)
		do := func(act func(tx *store.Tx) error) { t.Helper(); rows.Write(t, o.db, act) }
		remind := func() (letter int64) {
			var n models.Notice
			o.later(30 * 24 * time.Hour)
			do(func(tx *store.Tx) (err error) {
				n, err = dunning.IssueNotice(t.Context(), tx, law.Default(), o.creditor, original.DocumentID, dunning.Request{})
				return err
			})
			o.id = o.shipmentOf(t, n.Document())
			o.send(t)
			return o.id
		}
		retry := func(letter int64, want string) {
			t.Helper()
			err := o.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
				_, err := shipments.Retry(t.Context(), tx, letter, shipments.Again{}, "Kari")
				return err
			})
			if refusal, is := errors.AsType[*models.Error](err); is != (want != "") || is && refusal.Code != want {
				t.Errorf("letter %d: it says %v, want %q", letter, err, want)
			}
		}
		first, second := remind(), remind()
		do(func(tx *store.Tx) error {
			_, err := dunning.HandOverInvoice(t.Context(), tx, o.creditor, original.DocumentID, "Kari")
			return err
		})
		for _, o.id = range []int64{first, second} {
			o.tell(t, models.ShipmentReturned, o.clock.Now(), "unknown at the address")
			retry(o.id, "invoice_handed_over")
		}
		do(func(tx *store.Tx) error {
			_, err := dunning.ReopenInvoice(t.Context(), tx, o.creditor, original.DocumentID, "Kari")
			return err
		})
		retry(first, "not_failed")
		retry(second, "same_address")
		o.moves(t, o.customer(t), "Nyveien 7")
		retry(second, "")
	})
}

// FuzzReadReports: whatever a file is, reading it ends, every report that it gives can be kept, and what is said of its faults
// can be shown.
func FuzzReadReports(f *testing.F) {
	for _, file := range []string{
		`<reports><report shipment="17" state="delivered" at="2026-11-22T09:30:00+01:00"/></reports>`,
		"\ufeff" + `<?xml version="1.0" encoding="UTF-8"?><reports><report shipment="a-shipment-9" state="returned" at="2026-11-22T09:30:00Z" reason="moved"/></reports>`,
		`<!DOCTYPE a><reports/>`, `<reports>text</reports>`, `<reports><report><x/></report></reports>`, `<reports/><reports/>`,
		`<?xml version="1.0" encoding="UTF-16"?><reports/>`, `<reports><report state="lost" state="x" y=""/></reports>`,
	} {
		f.Add([]byte(file))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		reports, err := shipments.ReadReports(bytes.NewReader(file))
		if err != nil && (!utf8.ValidString(err.Error()) || reports != nil) {
			t.Errorf("%d reports, and %q", len(reports), err)
		}
		for _, r := range reports {
			if r.Line < 1 || r.Shipment == "" || r.At.IsZero() || !utf8.ValidString(r.Reason) || !slices.Contains(models.ReportedStates, models.ShipmentState(r.State)) {
				t.Errorf("it tells %+v", r)
			}
		}
	})
}
