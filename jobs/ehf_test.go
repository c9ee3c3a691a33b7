package jobs

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/miekg/dns"

	"purr/billing"
	"purr/internal/storage"
	"purr/mailer"
	"purr/mailer/peppol"
	"purr/mailer/shipments"
	"purr/mailer/shipments/receipts"
	"purr/models"
	"purr/store"
	"purr/test/testkit/peppolnet"
	"purr/test/testkit/rows"
)

// desk is a channel that can be asked. It does as it is told, and remembers what it did.
type desk struct {
	mu    sync.Mutex
	takes mailer.Answer
	tells func(p mailer.Parcel) (mailer.Answer, error)
	did   []string
}

func (d *desk) HandOver(_ context.Context, p mailer.Parcel) (mailer.Answer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.did = append(d.did, fmt.Sprintf("%s handed over at attempt %d with %d bytes", p.Name, p.Attempt, len(p.EHF.UBL)))
	return d.takes, nil
}

func (d *desk) Ask(_ context.Context, p mailer.Parcel) (mailer.Answer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.did = append(d.did, fmt.Sprintf("%s asked after at attempt %d with the receipt %q", p.Name, p.Attempt, p.Receipt))
	return d.tells(p)
}

func (d *desk) tell(tells func(mailer.Parcel) (mailer.Answer, error)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tells = tells
}

func knowsNothing(mailer.Parcel) (mailer.Answer, error) {
	return mailer.Answer{}, models.NotFound("job")
}

func hasSent(mailer.Parcel) (mailer.Answer, error) { return mailer.Answer{Receipt: "job 7"}, nil }

func isBusy(mailer.Parcel) (mailer.Answer, error) {
	return mailer.Answer{Receipt: "job 7", Pending: true}, nil
}

func hasFailed(mailer.Parcel) (mailer.Answer, error) {
	return mailer.Answer{}, models.Refuse(models.BlameRecipient, nil, "no such receiver")
}

// ehf gives the office a desk for EHF, and a creditor whose invoices may go by it.
func (o *office) ehf(t *testing.T) (*desk, models.Creditor) {
	t.Helper()
	d := &desk{takes: mailer.Answer{Receipt: "job 7"}, tells: knowsNothing}
	o.worker.Dispatch.Channels[models.ByEHF] = d
	o.worker.Dispatch.EHF = func(context.Context, int64, models.Document) ([]byte, error) { return []byte("<Invoice/>"), nil }
	return d, rows.Creditor(t, o.db, func(c *models.Creditor) { c.EHFDefaultReference = "42" })
}

const business = "987654325"

// toBusiness sends an invoice by a method to a business.
func toBusiness(t *testing.T, o *office, c models.Creditor, m models.ShipmentMethod, change ...func(*models.Customer)) models.Invoice {
	t.Helper()
	customer := rows.Customer(t, o.db, c, append([]func(*models.Customer){func(c *models.Customer) { c.Recipient.OrganisationNumber = business }}, change...)...)
	return rows.Invoice(t, o.db, c, rows.To(customer), func(r *billing.InvoiceRequest) { r.Method = m })
}

func (o *office) wantShipment(t *testing.T, i models.Invoice, at int, method models.ShipmentMethod, state models.ShipmentState, receipt string) models.Shipment {
	t.Helper()
	all := o.shipments(t, i.Document())
	if at >= len(all) {
		t.Fatalf("invoice %d has %d shipments", i.Number, len(all))
	}
	s := all[at]
	if s.Method != method || s.State != state || s.Receipt != receipt || s.TakenBy != "" {
		t.Errorf("shipment %d is by %s, %s, receipt %q, in the hand of %q: %s", s.ID, s.Method, s.State, s.Receipt, s.TakenBy, s.Reason)
	}
	return s
}

func TestS6AnAttemptThatMayHaveArrivedIsAskedAfterFirst(t *testing.T) {
	for _, tt := range []struct {
		name   string
		tells  func(mailer.Parcel) (mailer.Answer, error)
		marked *mark // what the dying worker had put down
		state  models.ShipmentState
		did    []string
	}{
		{"the channel has sent it", hasSent, nil, models.ShipmentSent, []string{`invoice-1-shipment-1 asked after at attempt 2 with the receipt ""`}},
		{"the channel never got it", knowsNothing, nil, models.ShipmentSent, []string{
			`invoice-1-shipment-1 asked after at attempt 2 with the receipt ""`, "invoice-1-shipment-1 handed over at attempt 2 with 10 bytes",
		}},
		{"the channel has refused it", hasFailed, nil, models.ShipmentFailed, []string{`invoice-1-shipment-1 asked after at attempt 2 with the receipt ""`}},
		{"a mark says that it was sent", hasFailed, &mark{Receipt: "job 7"}, models.ShipmentSent, nil},
		{"a mark says that it was accepted", hasSent, &mark{Receipt: "job 7", Pending: true}, models.ShipmentSent, []string{`invoice-1-shipment-1 asked after at attempt 2 with the receipt "job 7"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eachOffice(t, func(t *testing.T, o *office) {
				d, c := o.ehf(t)
				d.tells = tt.tells
				i := toBusiness(t, o, c, models.ByEHF)
				dying := o.join(t)
				s := o.takeFor(t, dying, o.shipments(t, i.Document())[0].ID)
				if tt.marked != nil {
					m := *tt.marked
					m.Kind, m.CreditorID, m.ID, m.Attempt = kindShip, c.ID, s.ID, s.Attempts
					_, err := dying.self.marks.set(m, true)
					must(t, err)
				}
				o.work(t, 2)
				dying.die()
				o.holder.lookAround(t.Context())
				o.settle(t)
				o.advance(t, models.RetryPause(1))
				o.advance(t, models.RetryPause(2))
				if got := o.shipments(t, i.Document())[0]; got.State != tt.state || got.TakenBy != "" {
					t.Errorf("it is %s in the hand of %q: %s", got.State, got.TakenBy, got.Reason)
				}
				wantLines(t, d.did, tt.did...)
			})
		})
	}
}

func TestS1WhatAChannelDoesNotKnowYetIsAskedWithGrowingPauses(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		d, c := o.ehf(t)
		d.takes = mailer.Answer{Receipt: "job 7", Pending: true}
		d.tells = isBusy
		o.work(t, 2)
		i := toBusiness(t, o, c, models.ByEHF)
		o.settle(t)
		for attempt := 1; attempt <= 3; attempt++ {
			s := o.wantShipment(t, i, 0, models.ByEHF, models.ShipmentOwed, "job 7")
			if s.Attempts != attempt || !s.NextAttempt.Equal(o.clock.Now().Add(models.RetryPause(attempt))) || s.Reason != "" {
				t.Fatalf("after attempt %d the next one is at %s: %s", s.Attempts, s.NextAttempt, s.Reason)
			}
			o.advance(t, models.RetryPause(attempt))
		}
		d.tell(func(mailer.Parcel) (mailer.Answer, error) { // an answer that nobody understands
			return mailer.Answer{}, models.Unavailable("the channel", context.DeadlineExceeded)
		})
		o.advance(t, models.RetryPause(4))
		o.wantShipment(t, i, 0, models.ByEHF, models.ShipmentOwed, "job 7")
		d.tell(hasFailed)
		o.advance(t, models.RetryPause(5))
		o.wantShipment(t, i, 0, models.ByEHF, models.ShipmentFailed, "job 7")
		o.wantShipment(t, i, 1, models.ByEmail, models.ShipmentSent, fmt.Sprintf("invoice-1-shipment-%d.eml", o.shipments(t, i.Document())[1].ID))
	})
}

// The channel has accepted it, and then knows nothing of it; and somebody has put another channel into its place.
func TestS1WhatAChannelHasLostIsHandedOverAgain(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		d, c := o.ehf(t)
		d.takes = mailer.Answer{Receipt: "job 7", Pending: true}
		o.work(t, 2)
		i := toBusiness(t, o, c, models.ByEHF)
		o.settle(t)
		other := &channel{}
		o.worker.Dispatch.Channels[models.ByEHF] = other
		o.advance(t, models.RetryPause(1))
		if s := o.wantShipment(t, i, 0, models.ByEHF, models.ShipmentOwed, "job 7"); len(other.all()) != 0 || s.Reason == "" {
			t.Errorf("the other channel got %q", other.all())
		}
		o.worker.Dispatch.Channels[models.ByEHF] = d
		o.advance(t, models.RetryPause(2))
		o.wantShipment(t, i, 0, models.ByEHF, models.ShipmentOwed, "")
		d.takes = mailer.Answer{Receipt: "job 8"}
		o.advance(t, models.RetryPause(3))
		o.wantShipment(t, i, 0, models.ByEHF, models.ShipmentSent, "job 8")
	})
}

func TestH2WhatIsNotExpressibleIsNotHandedOverAndFallsBack(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		d, c := o.ehf(t)
		o.worker.Dispatch.EHF = func(context.Context, int64, models.Document) ([]byte, error) {
			return nil, models.Conflict("not_expressible", "BR-27: the price is negative")
		}
		o.work(t, 2)
		i := toBusiness(t, o, c, models.ByEHF)
		o.settle(t)
		o.wantShipment(t, i, 0, models.ByEHF, models.ShipmentFailed, "")
		if all := o.shipments(t, i.Document()); len(all) != 2 || all[1].Method != models.ByEmail || len(d.did) != 0 {
			t.Errorf("%+v, %q", all, d.did)
		}
	})
}

// network lets the office's worker ask a network on loopback.
func (o *office) network(t *testing.T) *peppolnet.Net {
	t.Helper()
	n := peppolnet.Start(t)
	look, err := peppol.NewDNS(peppolnet.Zone, n.DNS)
	must(t, err)
	o.worker.Dispatch.Lookup = look
	return n
}

func TestH4AUTOTakesTheWayThatSuits(t *testing.T) {
	noNumber := func(c *models.Customer) { c.Recipient.OrganisationNumber = "" }
	noEmail := func(c *models.Customer) { c.Recipient.Email = "" }
	eachOffice(t, func(t *testing.T, o *office) {
		_, c := o.ehf(t)
		n := o.network(t)
		o.work(t, 2)
		another := func(c *models.Customer) { c.Recipient.OrganisationNumber = "974760673" }
		bare := rows.Creditor(t, o.db) // without a reference
		n.Register(business, models.InvoiceDocument)
		n.Register("974760673", models.CreditNoteDocument)
		for _, tt := range []struct {
			name     string
			creditor models.Creditor
			change   []func(*models.Customer)
			want     models.ShipmentMethod
		}{
			{"who receives it", c, nil, models.ByEHF},
			{"who receives it, without an address", c, []func(*models.Customer){noEmail}, models.ByEHF},
			{"who receives other documents", c, []func(*models.Customer){another}, models.ByEmail},
			{"who receives other documents, without an address", c, []func(*models.Customer){another, noEmail}, models.ByPaper},
			{"no business", c, []func(*models.Customer){noNumber}, models.ByEmail},
			{"no business, without an address", c, []func(*models.Customer){noNumber, noEmail}, models.ByPaper},
			{"without a reference", bare, nil, models.ByEmail},
		} {
			i := toBusiness(t, o, tt.creditor, models.Auto, tt.change...)
			if s := o.shipments(t, i.Document())[0]; s.Method != models.Auto {
				t.Errorf("%s: undecided it is by %s", tt.name, s.Method)
			}
			o.settle(t)
			if s := o.shipments(t, i.Document()); len(s) != 1 || s[0].Method != tt.want || s[0].State != models.ShipmentSent || s[0].Attempts != 1 {
				t.Errorf("%s: %+v", tt.name, s)
			}
		}
		o.worker.Dispatch.Lookup = nil
		i := toBusiness(t, o, c, models.Auto)
		o.settle(t)
		if s := o.shipments(t, i.Document())[0]; s.Method != models.ByEmail || s.State != models.ShipmentSent {
			t.Errorf("with the look-up off it is %s by %s", s.State, s.Method)
		}
	})
}

func TestH4AnUnknownIsAskedAgainAndAnAnswerIsKeptForADay(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		_, c := o.ehf(t)
		n := o.network(t)
		o.work(t, 2)
		n.Register(business, models.InvoiceDocument)
		n.Fail(business, dns.RcodeServerFailure)
		i := toBusiness(t, o, c, models.Auto)
		o.settle(t)
		s := o.wantShipment(t, i, 0, models.Auto, models.ShipmentOwed, "")
		if pause := s.NextAttempt.Sub(o.clock.Now()); pause > 10*time.Second || s.Reason == "" {
			t.Errorf("it is asked again in %s: %q", pause, s.Reason)
		}
		customer, err := o.db.Customer(t.Context(), c.ID, i.CustomerID)
		if err != nil || customer.Reception.Invoice != models.ReceivesUnknown {
			t.Errorf("the customer shows %+v, %v", customer.Reception, err)
		}
		o.advance(t, models.RetryPause(1))
		o.wantShipment(t, i, 0, models.Auto, models.ShipmentOwed, "")
		n.Recover()
		o.advance(t, models.RetryPause(2))
		o.wantShipment(t, i, 0, models.ByEHF, models.ShipmentSent, "job 7")

		asked := n.Asked()
		next := func() models.Invoice {
			i := rows.Invoice(t, o.db, c, func(r *billing.InvoiceRequest) { r.Method, r.CustomerID = models.Auto, i.CustomerID })
			o.settle(t)
			return i
		}
		o.wantShipment(t, next(), 0, models.ByEHF, models.ShipmentSent, "job 7")
		if n.Asked() != asked {
			t.Error("the network was asked again within the day")
		}
		o.pass(t, 1)
		n.Answer(func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) })
		o.wantShipment(t, next(), 0, models.ByEmail, models.ShipmentSent, "invoice-3-shipment-3.eml")
		if n.Asked() == asked {
			t.Error("the network was not asked a day later")
		}
	})
}

// A notice goes by EHF once its letter has left, and never in the letter's place: what becomes of the EHF changes nothing.
func TestH1ANoticeGoesByEHFBesidesPaper(t *testing.T) {
	for _, tt := range []struct {
		name     string
		receives []models.DocumentKind
		tells    bool // the access point takes it
		want     string
	}{
		{"who receives reminders", []models.DocumentKind{models.InvoiceDocument, models.NoticeDocument}, true, "PAPER sent, copy EHF sent"},
		{"who receives invoices alone", []models.DocumentKind{models.InvoiceDocument}, true, "PAPER sent, copy EHF withdrawn"},
		{"whose access point refuses", []models.DocumentKind{models.NoticeDocument}, false, "PAPER sent, copy EHF failed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eachOffice(t, func(t *testing.T, o *office) {
				d, _ := o.ehf(t)
				if !tt.tells {
					o.worker.Dispatch.Channels[models.ByEHF] = &channel{take: func(context.Context, string) error { return models.Refuse(models.BlameRecipient, nil, "no") }}
				}
				n := o.network(t)
				letters := newPrinter()
				o.worker.Dispatch.Channels[models.ByPaper] = letters
				o.work(t, 2)
				c := rows.Creditor(t, o.db, func(c *models.Creditor) {
					c.Policy.Enabled, c.Policy.EHFReminder, c.EHFDefaultReference = true, true, "42"
				})
				n.Register(business, tt.receives...)
				i := toBusiness(t, o, c, models.ByPaper)
				o.settle(t)
				letters.empty.Store(true)
				o.sleepUntil(t, reminderDue)
				notices := o.notices(t, i)
				if len(notices) != 1 {
					t.Fatalf("there are %d notices", len(notices))
				}
				if all := o.shipments(t, notices[0].Document()); len(all) != 1 {
					t.Errorf("before the letter has left there is %+v", all)
				}
				letters.empty.Store(false)
				o.advance(t, time.Minute)
				got := ""
				for _, s := range o.shipments(t, notices[0].Document()) {
					if s.Beside {
						got += ", copy "
					}
					got += string(s.Method) + " " + string(s.State)
				}
				if got != tt.want {
					t.Errorf("the notice has %s; the desk %q", got, d.did)
				}
				if n := o.notices(t, i); len(n) != 1 || n[0].ID != notices[0].ID {
					t.Errorf("the notice is withdrawn: %+v", n)
				}
			})
		})
	}
}

// TestH2TwoEHFsNeverHaveOneNumber: a print shop tells that a letter failed after it had left, so that the notice's EHF is at the
// customer's when the notice is withdrawn. The notice that takes its place has a number of its own. An EHF that had not left is
// withdrawn with its notice.
func TestH2TwoEHFsNeverHaveOneNumber(t *testing.T) {
	for _, tt := range []struct{ name, before, after string }{
		{"the EHF had left", "PAPER sent, EHF sent", "PAPER withdrawn, EHF sent"},
		{"the EHF waited", "PAPER sent, AUTO owed", "PAPER withdrawn, AUTO withdrawn"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eachOffice(t, func(t *testing.T, o *office) {
				o.ehf(t)
				o.worker.Dispatch.EHF = o.worker.Dispatch.Documents.EHF
				n := o.network(t)
				o.work(t, 2)
				c := rows.Creditor(t, o.db, func(c *models.Creditor) {
					c.Policy.Enabled, c.Policy.EHFReminder, c.EHFDefaultReference = true, true, "42"
				})
				n.Register(business, models.NoticeDocument)
				if tt.after != "PAPER withdrawn, EHF sent" {
					n.Fail(business, dns.RcodeServerFailure)
				}
				i := toBusiness(t, o, c, models.ByPaper)
				o.settle(t)
				o.sleepUntil(t, reminderDue)
				first := o.notices(t, i)[0]
				became := func(n models.Notice) string {
					var words []string
					for _, s := range o.shipments(t, n.Document()) {
						words = append(words, fmt.Sprintf("%s %s", s.Method, s.State))
					}
					return strings.Join(words, ", ")
				}
				if got := became(first); got != tt.before {
					t.Errorf("first it is %q", got)
				}
				letter := o.shipments(t, first.Document())[0]
				_, err := shipments.Tell(t.Context(), o.db, shipments.Told{Shipment: fmt.Sprint(letter.ID), State: "failed", At: o.clock.Now()}, "the shop")
				must(t, err)
				n.Recover()
				rows.Write(t, o.db, func(tx *store.Tx) error {
					_, err := shipments.Retry(t.Context(), tx, letter.ID, shipments.Again{}, "Kari")
					return err
				})
				o.settle(t)
				o.advance(t, time.Minute)
				second := o.notices(t, i)[0]
				if got := became(first); got != tt.after || second.ID == first.ID || became(second) != "PAPER sent, EHF sent" {
					t.Errorf("the withdrawn notice is %q, the next one, %d, %q", got, second.ID, became(second))
				}
				for n, want := range map[int64]string{first.ID: "1-1", second.ID: "1-1-2"} {
					document, err := o.worker.Dispatch.EHF(t.Context(), c.ID, models.Document{Kind: models.NoticeDocument, ID: n})
					if err != nil || !strings.Contains(string(document), "<cbc:ID>"+want+"</cbc:ID>") {
						t.Errorf("notice %d is not numbered %s: %v", n, want, err)
					}
				}
			})
		})
	}
}

// TestS2TheNetworksAnswerComesAsAReceipt: the access point's program writes beside the e-invoices what became of them. They
// are looked for again and again, by any worker, once there is a folder for them.
func TestS2TheNetworksAnswerComesAsAReceipt(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		_, c := o.ehf(t)
		out := t.TempDir()
		folder, err := peppol.NewFolder(storage.Folder(out), false)
		must(t, err)
		o.worker.Dispatch.Channels[models.ByEHF] = folder
		o.worker.Receipts = []*receipts.Way{receipts.FromFolder(models.ByEHF, storage.Folder(out), 15*time.Minute)}
		o.scheduler.Receipts = o.worker.Receipts
		o.work(t, 2)
		i := toBusiness(t, o, c, models.ByEHF)
		o.settle(t)
		s := o.wantShipment(t, i, 0, models.ByEHF, models.ShipmentSent, "invoice-1-shipment-1.xml")
		if _, found, err := o.scheduler.nextReceipts(t.Context()); err != nil || found {
			t.Errorf("without a folder receipts are looked for: %v", err)
		}
		must(t, os.Mkdir(filepath.Join(out, "receipts"), 0o700))
		if _, found, err := o.scheduler.nextReceipts(t.Context()); err != nil || found {
			t.Errorf("in an empty folder receipts are looked for: %v", err)
		}
		must(t, os.WriteFile(filepath.Join(out, "receipts", "0.xml"), []byte("<reports>"), 0o600)) // it is still being written
		o.settle(t)
		answer := fmt.Sprintf(`<reports><report shipment="%s" state="failed" at="%s" reason="the receiver's access point refuses it"/></reports>`, s.Name(i.Number), o.clock.Now().Format(time.RFC3339))
		must(t, os.WriteFile(filepath.Join(out, "receipts", "1.xml"), []byte(answer), 0o600))
		o.settle(t)
		o.wantShipment(t, i, 0, models.ByEHF, models.ShipmentSent, s.Receipt) // they were looked for a moment ago
		o.advance(t, 15*time.Minute)
		if failed := o.wantShipment(t, i, 0, models.ByEHF, models.ShipmentFailed, s.Receipt); failed.Reason != "the receiver's access point refuses it" {
			t.Errorf("it failed because of %q", failed.Reason)
		}
		if all := o.shipments(t, i.Document()); len(all) != 2 || all[1].Method != models.ByEmail || all[1].State != models.ShipmentSent {
			t.Errorf("the invoice has %+v", all)
		}
		_, err = os.Stat(filepath.Join(out, "receipts", "done", "1.xml"))
		must(t, err)
		other := *o.worker
		other.Receipts = nil // another worker has other settings
		must(t, other.receipts(t.Context(), receiptsPayload{models.ByEHF}))
	})
}

// point is a phoss-ap that takes documents and breaks off before its answer as often as it is told.
type point struct {
	mu        sync.Mutex
	breaks    int  // how many answers do not come
	keeps     bool // a document whose answer does not come is sent nevertheless
	refuses   bool
	submitted []string        // the instance IDs
	known     map[string]bool // the instance IDs of what was sent
}

func (a *point) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.Method == http.MethodGet {
		if !a.known[path.Base(r.URL.Path)] {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = io.WriteString(w, `{"status":"sent"}`)
		return
	}
	id := r.URL.Query().Get("sbdhInstanceID")
	a.submitted = append(a.submitted, id)
	if a.refuses {
		w.WriteHeader(http.StatusUnprocessableEntity)
		return
	}
	breaks := a.breaks > 0
	if a.breaks--; breaks {
		a.known[id] = a.keeps
		panic(http.ErrAbortHandler)
	}
	a.known[id] = true
}

func TestH3ADocumentReachesTheAccessPointOnceWhateverBreaks(t *testing.T) {
	for _, tt := range []struct {
		name      string
		breaks    int
		keeps     bool
		refuses   bool
		submitted int
		want      string
	}{
		{"it answers", 0, false, false, 1, "EHF sent"},
		{"its answer is lost, and the document is sent", 1, true, false, 1, "EHF sent"},
		{"its answer is lost, and so is the document, twice", 2, false, false, 3, "EHF sent"},
		{"it refuses", 0, false, true, 1, "EHF failed, EMAIL sent"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eachOffice(t, func(t *testing.T, o *office) {
				_, c := o.ehf(t)
				a := &point{breaks: tt.breaks, keeps: tt.keeps, refuses: tt.refuses, known: map[string]bool{}}
				server := httptest.NewServer(a)
				t.Cleanup(server.Close)
				channel, err := peppol.NewAccessPoint("phoss-ap+"+server.URL, "hemmelig", false)
				must(t, err)
				o.worker.Dispatch.Channels[models.ByEHF] = channel
				o.work(t, 2)
				i := toBusiness(t, o, c, models.ByEHF)
				o.settle(t)
				o.advance(t, time.Minute)
				var got []string
				for _, s := range o.shipments(t, i.Document()) {
					got = append(got, fmt.Sprintf("%s %s", s.Method, s.State))
				}
				if strings.Join(got, ", ") != tt.want {
					t.Errorf("it is %q", got)
				}
				if ids := slices.Compact(slices.Clone(a.submitted)); len(a.submitted) != tt.submitted || len(ids) != 1 {
					t.Errorf("submitted were %q", a.submitted)
				}
			})
		})
	}
}
