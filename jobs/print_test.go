package jobs

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/mailer/letters"
	"purr/mailer/rest"
	"purr/models"
	ippprinter "purr/test/testkit/printer"
	"purr/test/testkit/rows"
)

// printed returns a creditor's invoice on its way to a printer.
func (o *office) printed(t *testing.T, changes ...func(*models.Creditor)) (*ippprinter.Printer, models.Creditor, models.Invoice) {
	t.Helper()
	p := ippprinter.Start(t)
	c, err := letters.NewPrinter(p.URL, "")
	must(t, err)
	o.worker.Dispatch.Channels[models.ByPaper] = c
	creditor := rows.Creditor(t, o.db, changes...)
	return p, creditor, rows.Invoice(t, o.db, creditor)
}

func (o *office) wantLetter(t *testing.T, i models.Invoice, state models.ShipmentState, receipt string) models.Shipment {
	t.Helper()
	s := o.shipments(t, i.Document())[0]
	if s.State != state || s.Receipt != receipt || s.TakenBy != "" {
		t.Errorf("the letter is %s with the receipt %q in the hand of %q: %s", s.State, s.Receipt, s.TakenBy, s.Reason)
	}
	return s
}

// TestS4bAnAcceptedLetterIsOwedUntilItIsPrinted also lets the printer cancel a job, and a person have the letter sent again.
func TestS4bAnAcceptedLetterIsOwedUntilItIsPrinted(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		p, c, invoice := o.printed(t)
		o.work(t, 2)
		o.settle(t)
		if s := o.wantLetter(t, invoice, models.ShipmentOwed, "job 1"); s.NextAttempt.Sub(o.clock.Now()) > 10*time.Second {
			t.Errorf("it is asked after at %s", s.NextAttempt)
		}
		p.Finish(ippprinter.Completed)
		o.advance(t, time.Minute)
		o.wantLetter(t, invoice, models.ShipmentSent, "job 1")
		second := rows.Invoice(t, o.db, c)
		p.Finish(ippprinter.Canceled)
		o.advance(t, time.Minute)
		o.wantLetter(t, second, models.ShipmentFailed, "job 2")
		if n := len(p.Jobs()); n != 2 {
			t.Errorf("%d letters were printed", n)
		}
	})
}

// TestS6ALetterIsPrintedOnce lets the printer be silent in every way, and kills the worker after the printer has the job.
func TestS6ALetterIsPrintedOnce(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		p, c, invoice := o.printed(t)
		ship := func() { must(t, o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID})) }
		again := func() {
			o.clock.Set(o.clock.Now().Add(time.Hour))
			ship()
		}
		p.Fail(func(uint16) ippprinter.Fault { return ippprinter.Fault{Silent: true, Taken: true} })
		ship() // the printer has it, and says nothing
		o.wantLetter(t, invoice, models.ShipmentOwed, "")
		again() // the queue says nothing either
		p.Fail(nil)
		again()
		o.wantLetter(t, invoice, models.ShipmentOwed, "job 1")
		p.Finish(ippprinter.Completed)
		again()
		o.wantLetter(t, invoice, models.ShipmentSent, "job 1")

		second := rows.Invoice(t, o.db, c)
		var killed sync.Once
		channel := o.worker.Dispatch.Channels[models.ByPaper]
		p.Fail(func(operation uint16) ippprinter.Fault {
			if operation == ippprinter.Print {
				killed.Do(o.holder.die) // it notes nothing of what follows: others bury it meanwhile
				o.worker.Holder = o.join(t)
			}
			return ippprinter.Fault{}
		})
		ship()
		p.Fail(nil)
		o.worker.Dispatch.Channels[models.ByPaper] = channel
		again()
		again()
		if s := o.shipments(t, second.Document())[0]; s.State != models.ShipmentSent {
			t.Errorf("the letter of the killed worker is %s: %s", s.State, s.Reason)
		}
		if n := len(p.Jobs()); n != 2 {
			t.Errorf("%d letters were printed", n)
		}
	})
}

// TestS4cALetterGoesToAPrintHouse is refused at first for a while, with the same texts each time, and then taken.
func TestS4cALetterGoesToAPrintHouse(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		var mu sync.Mutex
		var sent []string
		answers := []int{503, 429, 201, 422}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, r.URL.Path+string(body))
			w.WriteHeader(answers[min(len(sent), len(answers))-1])
			_, _ = w.Write([]byte(`{"id":4711}`))
		}))
		t.Cleanup(server.Close)
		template, err := rest.Parse(server.URL+"/{{name}}", []byte(`{"method":"POST","headers":{"Content-Type":"application/json"},"body":"[\"{{sha256}}\",{{pages}}]","receipt":"json:id"}`), "", rest.Form{})
		must(t, err)
		o.worker.Dispatch.Channels[models.ByPaper] = letters.NewPrintHouse(rest.NewService(template))
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		invoice := rows.Invoice(t, o.db, c)
		o.advance(t, time.Minute)
		o.wantLetter(t, invoice, models.ShipmentSent, "4711")
		second := rows.Invoice(t, o.db, c)
		o.settle(t)
		o.wantLetter(t, second, models.ShipmentFailed, "")
		if len(sent) != 4 || sent[0] != sent[1] || sent[1] != sent[2] {
			t.Errorf("it was sent %q", sent)
		}
	})
}

// TestD94ALetterIsNotPrintedAfterItsDay has the reminder of 30 March, which its printer has accepted, wait there until the day
// ends. It is canceled, and issued anew on the 31st. What the printer has done by then counts, also when it is heard of later.
func TestD94ALetterIsNotPrintedAfterItsDay(t *testing.T) {
	const old, anew = "2026-03-30 due 2026-04-13", "2026-03-31 due 2026-04-14"
	on := func(operation uint16, f ippprinter.Fault) func(uint16) ippprinter.Fault {
		return func(o uint16) ippprinter.Fault {
			if o == operation {
				return f
			}
			return ippprinter.Fault{}
		}
	}
	for _, tt := range []struct {
		why      string
		midnight func(uint16) ippprinter.Fault // what is wrong then
		later    func(p *ippprinter.Printer)   // what happens in the ten minutes that follow
		balance  string
		notice   string
		left     string // the moment, in Greenwich, at which the first letter left
		jobs     int
	}{
		{"it waits at midnight", nil, nil, "1042.93", anew, "", 3},
		{"it is done in the last minute, and the cancel comes too late", on(ippprinter.Cancel, ippprinter.Fault{State: ippprinter.Completed}), nil, "1042.60", old, "03-30 21:5", 2},
		{"it was done at the end of the day, and the printer does not tell when", on(ippprinter.AskJob, ippprinter.Fault{State: ippprinter.Completed, Untold: true}), nil, "1042.60", old, "03-30 21:59:59", 2},
		{"the answer that it is canceled is lost", on(ippprinter.Cancel, ippprinter.Fault{Silent: true, Taken: true}), nil, "1042.93", anew, "", 3},
		{"the printer lets nobody cancel", on(ippprinter.Cancel, ippprinter.Fault{Status: 0x0403}), nil, "1042.60", old, "", 2},
		{"it is away at midnight, and has printed it before", on(ippprinter.AskJob, ippprinter.Fault{Silent: true}), func(p *ippprinter.Printer) {
			p.Finish(ippprinter.Completed)
			p.Age(20 * time.Minute)
		}, "1042.60", old, "03-30 21:4", 2},
		{"it is away at midnight, and prints it after", on(ippprinter.AskJob, ippprinter.Fault{Silent: true}), func(p *ippprinter.Printer) {
			p.Finish(ippprinter.Completed)
			p.Age(2 * time.Minute)
		}, "1042.93", anew, "03-30 22:0", 3},
	} {
		t.Run(tt.why, func(t *testing.T) {
			eachOffice(t, func(t *testing.T, o *office) {
				p, c, invoice := o.printed(t, func(c *models.Creditor) { c.Policy.Enabled = true })
				p.Finish(ippprinter.Completed)
				o.work(t, 2)
				o.advance(t, time.Minute)
				p.Take(ippprinter.Processing)
				o.sleepUntil(t, reminderDue)
				first := o.notices(t, invoice)[0]
				o.advance(t, 17*time.Hour+50*time.Minute) // ten to midnight
				o.stands(t, c, invoice, "1042.60", old)
				if s := o.shipments(t, first.Document())[0]; s.State != models.ShipmentOwed || s.Receipt != "job 2" {
					t.Errorf("the letter is %s with the receipt %q", s.State, s.Receipt)
				}
				p.Fail(tt.midnight)
				o.advance(t, 10*time.Minute+time.Second)
				if tt.later != nil {
					tt.later(p)
				}
				if tt.why != "the printer lets nobody cancel" {
					p.Fail(nil)
				}
				o.advance(t, 10*time.Minute)
				o.stands(t, c, invoice, tt.balance, tt.notice)
				if n := len(p.Jobs()); n != tt.jobs {
					t.Errorf("the printer got %d jobs, want %d", n, tt.jobs)
				}
				s := o.shipments(t, first.Document())[0]
				if s.SentAt == nil != (tt.left == "") || s.SentAt != nil && !strings.HasPrefix(s.SentAt.UTC().Format("01-02 15:04:05"), tt.left) {
					t.Errorf("the first letter is %s, sent at %v, want %q", s.State, s.SentAt, tt.left)
				}
				o.prove(t, c)
			})
		})
	}
}
