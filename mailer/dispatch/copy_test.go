package dispatch

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"purr/billing"
	"purr/documents"
	"purr/documents/pdf"
	"purr/internal/clock"
	"purr/law"
	"purr/mailer"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestN4ACopyIsMarkedWhereAFirstHasLeft: on paper by a sheet in front, by e-mail in its subject and text; the kept bytes stay what they
// are. Before the first has left it goes as the first would.
func TestN4ACopyIsMarkedWhereAFirstHasLeft(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := rows.Open(t, databaseURL).WithClock(clock.NewTest(rows.Start))
		c := rows.Creditor(t, db)
		kept, err := archive.Open(t.TempDir())
		testkit.Must(t, err)
		d := &Dispatcher{DB: db, Documents: documents.New(db, kept), Look: shipments.SecondLook{Rules: law.Default()}, Clock: clock.NewTest(rows.Start)}
		i := rows.Invoice(t, db, c, rows.To(rows.Customer(t, db, c)), func(r *billing.InvoiceRequest) { r.Method = models.ByEmail })
		original, err := d.Documents.PDF(t.Context(), c.ID, i.Document())
		testkit.Must(t, err)
		parcel := func(m models.ShipmentMethod) (p mailer.Parcel) {
			rows.Write(t, db, func(tx *store.Tx) error {
				s, err := shipments.SendCopy(t.Context(), tx, c.ID, i.Document(), shipments.CopyRequest{Method: m, Actor: "Kari"})
				p.ShipmentID = s.ID
				return err
			})
			s, err := db.Shipment(t.Context(), p.ShipmentID)
			testkit.Must(t, err)
			of, err := d.contentsOf(t.Context(), []models.Shipment{s})
			testkit.Must(t, err)
			p, err = d.parcel(t.Context(), s, of)
			testkit.Must(t, err)
			return p
		}
		if p := parcel(models.ByEmail); !bytes.Equal(p.PDF, original) || strings.Contains(p.Mail.Subject, "Kopi") {
			t.Errorf("before the first has left it goes as %q", p.Mail.Subject)
		}
		rows.Send(t, db, c)
		if p := parcel(models.ByEmail); !bytes.Equal(p.PDF, original) || !strings.HasPrefix(p.Mail.Subject, "Kopi: faktura") || !strings.Contains(p.Mail.Text, "ikke et nytt krav") {
			t.Errorf("it goes as %q:\n%s", p.Mail.Subject, p.Mail.Text)
		}
		if p := parcel(models.ByPaper); !bytes.HasPrefix(p.PDF, original) || pdf.Pages(p.PDF) != pdf.Pages(original)+1 {
			t.Errorf("on paper it has %d pages after %d", pdf.Pages(p.PDF), pdf.Pages(original))
		}
		testkit.Must(t, db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			now, err := tx.LockInvoice(ctx, c.ID, i.ID)
			if err == nil && (now.Balance != i.Balance || now.Deadline != i.Deadline) {
				t.Errorf("the invoice became %+v", now)
			}
			return err
		}))
		if again, err := d.Documents.PDF(t.Context(), c.ID, i.Document()); err != nil || !bytes.Equal(again, original) {
			t.Errorf("what is kept changed, %v", err)
		}
	})
}
