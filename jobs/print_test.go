package jobs

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	ippprinter "purr/internal/testkit/printer"
	"purr/internal/testkit/rows"
	"purr/letters"
	"purr/models"
	"purr/rest"
)

// printed returns a creditor's invoice on its way to a printer.
func (o *office) printed(t *testing.T) (*ippprinter.Printer, models.Creditor, models.Invoice) {
	t.Helper()
	p := ippprinter.Start(t)
	c, err := letters.NewPrinter(p.URL, "")
	must(t, err)
	o.worker.Channels[models.ByPaper] = c
	creditor := rows.Creditor(t, o.db)
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
		channel := o.worker.Channels[models.ByPaper]
		p.Fail(func(operation uint16) ippprinter.Fault {
			if operation == ippprinter.Print {
				killed.Do(o.holder.die) // it notes nothing of what follows: others bury it meanwhile
				o.worker.Holder = o.join(t)
			}
			return ippprinter.Fault{}
		})
		ship()
		p.Fail(nil)
		o.worker.Channels[models.ByPaper] = channel
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
		template, err := rest.Parse(server.URL+"/{{name}}", []byte(`{"method":"POST","headers":{"Content-Type":"application/json"},"body":"[\"{{sha256}}\",{{pages}}]","receipt":"json:id"}`), "")
		must(t, err)
		o.worker.Channels[models.ByPaper] = letters.NewPrintHouse(rest.NewService(template))
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
