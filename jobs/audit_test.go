package jobs

import (
	"context"
	"strings"
	"testing"
	"time"

	"purr/audit/asked"
	"purr/dunning/amends"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
	"purr/test/testkit/smtpserver"
)

// TestU5AnAuditThatIsAskedForIsDone has the books of a customer audited, by the worker and within seconds. What was charged too much is given
// back, and the customer hears of it by an e-mail.
func TestU5AnAuditThatIsAskedForIsDone(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		server := smtpserver.Start(t)
		o.mail(t, server)
		o.work(t, 2)
		c := o.dunned(t)
		customer := rows.Customer(t, o.db, c, func(c *models.Customer) {
			c.Recipient.Email, c.Recipient.Address1 = "kari@example.no", ""
		})
		invoice := rows.Invoice(t, o.db, c, rows.To(customer))
		rows.Send(t, o.db, c)
		o.sleepUntil(t, reminderDue)
		o.advance(t, time.Hour)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			return ledger.Post(t.Context(), tx, []models.Entry{{
				CreditorID: c.ID, CustomerID: customer.ID, InvoiceID: invoice.ID, Type: models.EntryOverdueCharge, Amount: 3_00, TransactionDate: rows.Today,
			}}, "Kari") // a charge of no notice
		})

		var a models.Audit
		must(t, o.db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) (err error) {
			a, err = asked.Start(ctx, tx, c.ID, asked.Request{Actor: "Kari"})
			return err
		}))
		o.advance(t, 5*time.Second)
		a, err := o.db.Audit(t.Context(), c.ID, a.ID)
		if must(t, err); a.State != models.AuditDone || a.Back != 3_00 {
			t.Fatalf("the audit is %+v", a)
		}
		before := len(server.Messages())
		must(t, amends.Repay(t.Context(), o.db, law.Default(), c, a.ID, "Kari", func(d amends.Done) {
			if d.Told != models.ByEmail || d.Back() != 3_00 {
				t.Errorf("%s is given back, and told %q", d.Back(), d.Told)
			}
		}))
		o.advance(t, time.Minute)
		got := server.Messages()
		if len(got) != before+1 || !strings.Contains(string(got[before].Data), "Retting: faktura") {
			t.Fatalf("the server got %d e-mails", len(got)-before)
		}
		o.prove(t, c)
	})
}
