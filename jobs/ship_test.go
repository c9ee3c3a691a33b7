package jobs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"purr/billing"
	"purr/law"
	"purr/mailer"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/smtpserver"
)

func byEmail(copies ...string) func(*billing.InvoiceRequest) {
	return func(o *billing.InvoiceRequest) { o.Method, o.Copies = models.ByEmail, copies }
}

func TestADocumentIsRenderedAndSentByItsChannels(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 4)
		c := rows.Creditor(t, o.db)
		mailed := rows.Invoice(t, o.db, c, byEmail("per@example.no", "pål@example.no"))
		printed := rows.Invoice(t, o.db, c)
		note := rows.CreditNote(t, o.db, c, mailed)
		for _, d := range []models.Document{mailed.Document(), printed.Document(), note.Document()} {
			o.queue.DocumentMade(t.Context(), c.ID, d)
		}
		_, err := o.queue.WaitIdle(t.Context())
		must(t, err)

		wantLines(t, o.sent(t),
			"email/invoice-1-shipment-1.eml", "email/invoice-1-shipment-2.eml", "email/invoice-1-shipment-3.eml",
			"paper/credit-note-3-shipment-5.pdf", "paper/invoice-2-shipment-4.pdf")
		wantLines(t, sorted(o.events(t, c, models.EventShipmentSent)),
			"03-02 11:00:00 shipment.sent Credit note 3 on paper sent",
			"03-02 11:00:00 shipment.sent Invoice 1 as a copy by e-mail sent",
			"03-02 11:00:00 shipment.sent Invoice 1 as a copy by e-mail sent",
			"03-02 11:00:00 shipment.sent Invoice 1 by e-mail sent",
			"03-02 11:00:00 shipment.sent Invoice 2 on paper sent")
		for _, s := range o.shipments(t, mailed.Document()) {
			if s.State != models.ShipmentSent || s.Attempts != 1 || s.SentAt == nil || !s.SentAt.Equal(rows.Start) {
				t.Errorf("shipment %d is %s after %d attempts, sent at %v", s.ID, s.State, s.Attempts, s.SentAt)
			}
		}
		letter, err := os.ReadFile(filepath.Join(o.outbox, "paper/invoice-2-shipment-4.pdf"))
		must(t, err)
		kept, err := o.worker.Dispatch.Documents.PDF(t.Context(), c.ID, printed.Document())
		must(t, err)
		if string(letter) != string(kept) {
			t.Error("the letter is not the document that is kept (rule D35)")
		}
	})
}

func TestACreditorWithoutAnAddressSendsFromOneThatTakesNoAnswers(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		server := smtpserver.Start(t)
		o.mail(t, server)
		o.work(t, 2)
		c := rows.Creditor(t, o.db, func(c *models.Creditor) { c.Email = "" })
		invoice := rows.Invoice(t, o.db, c, byEmail())
		note := models.CreditNote{}
		rows.Write(t, o.db, func(tx *store.Tx) (err error) {
			note, err = billing.IssueCreditNote(t.Context(), tx, c, invoice.ID, billing.CreditNoteRequest{Method: models.ByEmail})
			return err
		})
		o.settle(t)
		for _, m := range server.Wait(2) {
			if m.From != "no-reply@purr.invalid" || m.To[0] != invoice.Recipient.Email {
				t.Errorf("a mail went from %s to %s", m.From, m.To)
			}
		}
		if s := o.shipments(t, note.Document())[0]; s.State != models.ShipmentSent {
			t.Errorf("the credit note is %s", s.State)
		}
	})
}

// Redis holds a task once, but Redis may forget it: the row alone must ensure that a shipment leaves once.
func TestAShipmentLeavesOnceHoweverOftenItsTaskRuns(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		const workers = 6
		c := rows.Creditor(t, o.db)
		rows.Invoice(t, o.db, c, byEmail())
		others := make(chan struct{}, workers)
		mail := &channel{take: func(context.Context, string) error {
			for range workers - 1 { // the others come while it is being dispatched
				<-others
			}
			return nil
		}}
		o.worker.Dispatch.Channels[models.ByEmail] = mail
		ship := func() error {
			err := o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID})
			others <- struct{}{}
			return err
		}
		testkit.AtOnce(t, ship, ship, ship, ship, ship, ship)
		must(t, o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID}))
		if got := mail.all(); len(got) != 1 {
			t.Errorf("it left as %q", got)
		}
	})
}

func TestR5cATemporaryFailureIsTriedAgainWithGrowingPauses(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		server := smtpserver.Start(t)
		server.Reject(smtpserver.Rcpt, 451, "greylisted", 2)
		server.HangUp(smtpserver.Content, 1)
		o.mail(t, server)
		o.work(t, 4)
		c := rows.Creditor(t, o.db)
		invoice := rows.Invoice(t, o.db, c, byEmail())

		for _, step := range []struct {
			after    time.Duration // since the attempt before
			attempts int
			next     time.Duration
		}{{0, 1, 5 * time.Second}, {5 * time.Second, 2, 10 * time.Second}, {10 * time.Second, 3, 20 * time.Second}} {
			o.advance(t, step.after-min(step.after, time.Millisecond))
			o.advance(t, min(step.after, time.Millisecond))
			s := o.shipments(t, invoice.Document())[0]
			if s.State != models.ShipmentOwed || s.Attempts != step.attempts || s.Reason == "" || !s.NextAttempt.Equal(o.clock.Now().Add(step.next)) {
				t.Fatalf("%s later it is %s after %d attempts, the next at %s: %s", step.after, s.State, s.Attempts, s.NextAttempt, s.Reason)
			}
		}
		if len(server.Messages()) != 0 || len(o.events(t, c, models.EventShipmentSent, models.EventShipmentFailed)) != 0 {
			t.Error("it is said to have been sent")
		}
		o.advance(t, time.Hour)
		s := o.shipments(t, invoice.Document())[0]
		if at := rows.Start.Add(35 * time.Second); s.State != models.ShipmentSent || s.Attempts != 4 || !s.SentAt.Equal(at) || s.Reason != "" {
			t.Errorf("an hour later it is %s at %s after %d attempts: %s", s.State, s.SentAt, s.Attempts, s.Reason)
		}
		if got := server.Messages(); len(got) != 1 || got[0].From != c.Email || got[0].To[0] != invoice.Recipient.Email {
			t.Errorf("the server got %d e-mails", len(got))
		}
		wantLines(t, o.events(t, c, models.EventShipmentSent), "03-02 11:00:35 shipment.sent Invoice 1 by e-mail sent")
	})
}

// mail has e-mails sent to the server.
func (o *office) mail(t *testing.T, server *smtpserver.Server) {
	t.Helper()
	smtp, err := mailer.NewSMTP(server.URL(), false)
	must(t, err)
	o.worker.Dispatch.Channels[models.ByEmail] = smtp
}

func TestR5cAfter24HoursItIsGivenUp(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		server := smtpserver.Start(t)
		o.mail(t, server)
		server.Down()
		o.work(t, 4)
		c := rows.Creditor(t, o.db)
		invoice := rows.Invoice(t, o.db, c, byEmail())
		o.settle(t)
		o.advance(t, 24*time.Hour-time.Second)
		if s := o.shipments(t, invoice.Document())[0]; s.State != models.ShipmentOwed {
			t.Errorf("before 24 hours are over it is %s", s.State)
		}
		o.advance(t, time.Hour)
		s := o.shipments(t, invoice.Document())[0]
		if s.State != models.ShipmentFailed || s.Reason == "" || s.SentAt != nil {
			t.Errorf("after 24 hours it is %s: %q", s.State, s.Reason)
		}
		server.Up()
		o.advance(t, 2*time.Hour)
		if len(server.Messages()) != 0 {
			t.Error("it was sent after it had been given up")
		}
		if again := o.shipments(t, invoice.Document())[0]; again.Attempts != s.Attempts {
			t.Errorf("after %d attempts it was tried %d times more", s.Attempts, again.Attempts-s.Attempts)
		}
		if got := o.events(t, c, models.EventShipmentFailed); len(got) != 1 || !strings.Contains(got[0], "Invoice 1 by e-mail failed: ") {
			t.Errorf("the events are %q", got)
		}
		if failed, err := o.db.FailedShipments(t.Context(), c.ID); err != nil || len(failed) != 1 {
			t.Errorf("%d shipments wait for a person, %v", len(failed), err)
		}
	})
}

func TestR5cA5xxFailsAtOnceAndOnlyThatShipment(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		server := smtpserver.Start(t)
		server.Reject(smtpserver.Rcpt, 550, "no such mailbox", 1)
		o.mail(t, server)
		o.work(t, 1)
		c := rows.Creditor(t, o.db)
		invoice := rows.Invoice(t, o.db, c, byEmail("per@example.no"))
		o.settle(t)
		states := o.shipments(t, invoice.Document())
		if states[0].State != models.ShipmentFailed || states[0].Attempts != 1 || states[1].State != models.ShipmentSent {
			t.Errorf("they are %s after %d attempts, and %s", states[0].State, states[0].Attempts, states[1].State)
		}
		if got := o.events(t, c, models.EventShipmentFailed); len(got) != 1 || !strings.Contains(got[0], "no such mailbox") {
			t.Errorf("the events are %q", got)
		}
		o.advance(t, 2*time.Hour)
		if got := server.Messages(); len(got) != 1 {
			t.Errorf("the server got %d e-mails", len(got))
		}
	})
}

func TestS6AWorkerThatDiesWhileItDispatchesLeavesTheShipmentToOthers(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		invoice := rows.Invoice(t, o.db, c)
		id := o.shipments(t, invoice.Document())[0].ID
		dying := o.join(t)
		o.take(t, func(tx *store.Tx) (bool, error) {
			taken, err := shipments.TakeAll(t.Context(), tx, shipments.SecondLook{Rules: law.Default()}, []int64{id}, dying.self.worker)
			return len(taken) == 1, err
		})
		letters := &channel{}
		o.worker.Dispatch.Channels[models.ByPaper] = letters
		o.work(t, 4)
		o.advance(t, 24*time.Hour)
		o.holder.lookAround(t.Context())
		if got := letters.all(); len(got) != 0 {
			t.Errorf("while the worker lives it left as %q", got)
		}
		dying.die()
		o.holder.lookAround(t.Context())
		o.settle(t)
		if got := letters.all(); len(got) != 1 {
			t.Errorf("when the worker was dead it left as %q", got)
		}
	})
}

// R4: a worker that is told to stop finishes what it has begun.
func TestR4StoppingAWorkerLetsADispatchFinish(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		invoice := rows.Invoice(t, o.db, c)
		begun, goOn := make(chan struct{}), make(chan struct{})
		letters := &channel{take: func(context.Context, string) error {
			close(begun)
			<-goOn
			return nil
		}}
		o.worker.Dispatch.Channels[models.ByPaper] = letters
		stop, err := o.worker.Start(2, patience)
		must(t, err)
		_, err = o.scheduler.Sweep(t.Context())
		must(t, err)
		<-begun
		stopped := make(chan struct{})
		go func() {
			stop()
			close(stopped)
		}()
		close(goOn)
		<-stopped
		if s := o.shipments(t, invoice.Document())[0]; s.State != models.ShipmentSent {
			t.Errorf("it is %s", s.State)
		}
	})
}

// R4: what is not finished in time is put back, and the lease on its row goes on.
func TestR4AJobThatDoesNotFinishIsPutBack(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		invoice := rows.Invoice(t, o.db, c)
		begun, goOn := make(chan struct{}), make(chan struct{})
		o.worker.Dispatch.Channels[models.ByPaper] = &channel{take: func(context.Context, string) error {
			close(begun)
			<-goOn
			return errors.New("too late")
		}}
		stop, err := o.worker.Start(2, time.Millisecond)
		must(t, err)
		_, err = o.queue.Add(t.Context(), shipTask(shipPayload{CreditorID: c.ID}))
		must(t, err)
		<-begun
		stop()
		depth, err := o.queue.Depth(t.Context())
		must(t, err)
		if depth.Waiting != 1 || depth.Active != 0 {
			t.Errorf("the queue is %+v", depth)
		}
		if s := o.shipments(t, invoice.Document())[0]; s.State != models.ShipmentOwed || s.TakenBy != o.holder.self.worker {
			t.Errorf("it is %s in the hand of %q", s.State, s.TakenBy)
		}
		close(goOn)
		waitFor(t, "the old job to end", func() bool {
			return o.shipments(t, invoice.Document())[0].Reason != ""
		})
	})
}

// R5c: what a channel has accepted is never sent again, even if the database is away at that moment.
func TestR5cWhatWasAcceptedIsRecordedOnceTheDatabaseIsBack(t *testing.T) {
	t.Parallel()
	gate := openGate(t, testkit.MySQL(t))
	o := openOffice(t, gate.url, redisInside(t))
	c := rows.Creditor(t, o.db)
	invoice := rows.Invoice(t, o.db, c, byEmail())
	mail := &channel{take: func(context.Context, string) error {
		gate.shut(3)
		return nil
	}}
	o.worker.Dispatch.Channels[models.ByEmail] = mail
	if err := o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID}); err != nil {
		t.Errorf("it failed: %v", err)
	}
	if gate.refused() == 0 {
		t.Error("the database was never away")
	}
	o.work(t, 2)
	o.advance(t, time.Hour)
	if got := mail.all(); len(got) != 1 || o.shipments(t, invoice.Document())[0].State != models.ShipmentSent {
		t.Errorf("it was sent as %q", got)
	}
}

// TestS1bHeldLettersHoldUpNobody: more letters are held than a lane looks at together, and another customer's letter comes
// after them.
func TestS1bHeldLettersHoldUpNobody(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		customer := rows.Customer(t, o.db, c)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			customer.LettersHeld.Since = &tx.Now
			return tx.UpdateCustomer(t.Context(), &customer)
		})
		for range 3 * shipLanes {
			rows.Invoice(t, o.db, c, rows.To(customer))
		}
		other := rows.Invoice(t, o.db, c)
		o.work(t, 1)
		o.settle(t)
		if s := o.shipments(t, other.Document())[0]; s.State != models.ShipmentSent || s.Receipt != s.Name(other.Number)+".pdf" {
			t.Errorf("the other customer's letter is %s with the receipt %q", s.State, s.Receipt)
		}
		if sent := o.sent(t); len(sent) != 1 {
			t.Errorf("sent are %v", sent)
		}
		again, err := o.db.CreditorsToShip(t.Context(), o.clock.Now().Add(time.Hour), models.OneByOne(false)...)
		must(t, err)
		if len(again) != 0 {
			t.Error("held letters are tried again within the hour")
		}
	})
}
