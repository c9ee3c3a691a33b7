package dispatch

import (
	"bytes"
	"strings"
	"testing"

	"purr/billing"
	"purr/documents"
	"purr/documents/pdf"
	"purr/dunning"
	"purr/internal/clock"
	"purr/law"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestN11ALetterOfMoreTimeGoesWithTheInvoice: on paper before it, by e-mail around it. What is kept of the invoice stays what it is.
func TestN11ALetterOfMoreTimeGoesWithTheInvoice(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := rows.Open(t, databaseURL).WithClock(clock.NewTest(rows.Start))
		c := rows.Creditor(t, db)
		kept, err := archive.Open(t.TempDir())
		testkit.Must(t, err)
		d := &Dispatcher{DB: db, Documents: documents.New(db, kept), Look: shipments.SecondLook{Rules: law.Default()}, Clock: clock.NewTest(rows.Start)}
		i := rows.Invoice(t, db, c, rows.To(rows.Customer(t, db, c)), func(r *billing.InvoiceRequest) { r.Method = models.ByEmail })
		rows.Send(t, db, c)
		original, err := d.Documents.PDF(t.Context(), c.ID, i.Document())
		testkit.Must(t, err)
		for n, m := range models.DuplicateMethods {
			rows.Write(t, db, func(tx *store.Tx) error {
				r := models.MoreTimeRequest{Until: rows.Today + 21 + models.Date(n), WaiveInterest: true, Method: m}
				_, err := dunning.GiveMoreTime(t.Context(), tx, c, i.ID, r, "Kari")
				return err
			})
			all, err := db.ShipmentsOf(t.Context(), i.Document())
			testkit.Must(t, err)
			s := all[len(all)-1]
			of, err := d.contentsOf(t.Context(), []models.Shipment{s})
			testkit.Must(t, err)
			p, err := d.parcel(t.Context(), s, of)
			testkit.Must(t, err)
			switch m { //nolint:exhaustive // there are two
			case models.ByEmail:
				says := "til og med " + s.MoreTime.Until.Time().Format("02.01.2006") + ". Vi sender ingen flere krav"
				if !bytes.Equal(p.PDF, original) || !strings.HasPrefix(p.Mail.Subject, "Utsatt betaling: faktura") || !strings.Contains(p.Mail.Text, says) {
					t.Errorf("it goes as %q:\n%s", p.Mail.Subject, p.Mail.Text)
				}
			case models.ByPaper:
				if !bytes.HasPrefix(p.PDF, original) || pdf.Pages(p.PDF) != pdf.Pages(original)+1 {
					t.Errorf("on paper it has %d pages after %d", pdf.Pages(p.PDF), pdf.Pages(original))
				}
			}
		}
	})
}
