package jobs

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
	"purr/test/testkit/smtpserver"
)

// TestL16AStatementIsSentOnce has a statement sent through a mail server that is busy at first and hangs up then. It arrives
// once, with the PDF that is kept, which shows what was booked when it was made.
func TestL16AStatementIsSentOnce(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		server := smtpserver.Start(t)
		server.Reject(smtpserver.Rcpt, 451, "greylisted", 1)
		server.HangUp(smtpserver.Content, 1)
		o.mail(t, server)
		o.work(t, 4)
		c := rows.Creditor(t, o.db)
		i := rows.Invoice(t, o.db, c)
		var s models.Shipment
		send := func(customerID int64) error {
			return o.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
				s, err = receivables.Send(t.Context(), tx, c, customerID, store.Dates{From: rows.Today - 30}, "regnskap@example.no", "Kari")
				return err
			})
		}
		must(t, send(i.CustomerID))
		o.queue.DocumentMade(t.Context(), c.ID, s.Document())
		o.settle(t)
		o.advance(t, 5*time.Second)
		o.advance(t, time.Hour)
		got := server.Messages()
		if len(got) != 1 || len(got[0].To) != 1 || got[0].To[0] != "regnskap@example.no" {
			t.Fatalf("the server got %d e-mails", len(got))
		}
		if mail := string(got[0].Data); !strings.Contains(mail, "Kontoutdrag fra") || !strings.Contains(mail, "kontoutdrag-02.03.2026.pdf") {
			t.Errorf("the e-mail is\n%.900s", mail)
		}
		kept, err := o.worker.Dispatch.Documents.PDF(t.Context(), c.ID, s.Document())
		must(t, err)
		rows.Invoice(t, o.db, c, rows.To(models.Customer{ID: i.CustomerID, CreditorID: c.ID}))
		again, err := o.worker.Dispatch.Documents.PDF(t.Context(), c.ID, s.Document())
		if must(t, err); !bytes.Equal(kept, again) {
			t.Error("what was sent has changed")
		}
		wantLines(t, o.events(t, c, models.EventStatementCreated, models.EventShipmentSent),
			"03-02 11:00:00 statement.created Statement from 2026-01-31 until 2026-03-02 is sent to the customer by e-mail, by Kari",
			"03-02 11:00:00 shipment.sent Invoice 1 on paper sent", "03-02 11:00:15 shipment.sent Statement of customer 1 by e-mail sent")
		lone := rows.Customer(t, o.db, c)
		if err := send(lone.ID); models.KindOf(err) != models.KindConflict {
			t.Errorf("a customer without an invoice gets a statement: %v", err)
		}
		var files []store.KeptFile
		must(t, o.db.EachKeptFile(t.Context(), func(f store.KeptFile) error {
			if f.Kind == store.KeptKind(models.StatementDocument) {
				files = append(files, f)
			}
			return context.Cause(t.Context())
		}))
		if len(files) != 1 || files[0].Number != i.CustomerID || files[0].CreditorID != c.ID {
			t.Errorf("kept are %+v", files)
		}
	})
}
