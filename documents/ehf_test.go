package documents

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/billing"
	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit/rows"
)

// business is a customer that gets EHF.
func business(t *testing.T, db *store.DB, c models.Creditor) models.Customer {
	t.Helper()
	return rows.Customer(t, db, c, func(c *models.Customer) { c.Recipient.OrganisationNumber = "987654325" })
}

// TestH2AnEHFIsMadeOnceAndKept makes the EHF of each kind of document, several at once, and mends it where it is lost.
func TestH2AnEHFIsMadeOnceAndKept(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		dir := t.TempDir()
		kept, err := archive.Open(dir)
		must(t, err)
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.Policy.Enabled, c.EHFDefaultReference = true, "Innkjøp" })
		customer := business(t, db, c)
		made, invoice, other := New(db, kept), rows.Invoice(t, db, c, rows.To(customer)), rows.Invoice(t, db, c, rows.To(customer))
		rows.Send(t, db, c)
		snapshot, err := dunning.TakeSnapshot(t.Context(), rows.On(db, rows.Today+28), law.Default(), c, rows.Today+28)
		must(t, err)
		_, err = snapshot.Run(t.Context(), func() {})
		must(t, err)
		notices, err := db.NoticesOf(t.Context(), invoice.ID)
		must(t, err)
		for _, d := range []models.Document{invoice.Document(), rows.CreditNote(t, db, c, other).Document(), notices[0].Document()} {
			atOnce := make(chan []byte, 4)
			for range cap(atOnce) {
				go func() {
					got, err := made.EHF(t.Context(), c.ID, d)
					if err != nil {
						t.Error(err)
					}
					atOnce <- got
				}()
			}
			first := <-atOnce
			for range cap(atOnce) - 1 {
				if !bytes.Equal(<-atOnce, first) {
					t.Errorf("the EHF of %s is not made once", d)
				}
			}
			if d.Kind != models.NoticeDocument {
				pdf, err := made.PDF(t.Context(), c.ID, d)
				must(t, err)
				if !bytes.Contains(first, []byte(">"+base64.StdEncoding.EncodeToString(pdf)+"<")) {
					t.Errorf("the EHF of %s has another PDF inside than is kept", d)
				}
			}
			must(t, os.Remove(filepath.Join(dir, archive.Sum(first)[:2], archive.Sum(first))))
			if again, err := made.EHF(t.Context(), c.ID, d); err != nil || !bytes.Equal(first, again) || kept.Check(archive.Sum(first), -1, true) != nil {
				t.Errorf("a lost EHF of %s: %d bytes, %v", d, len(again), err)
			}
			if _, err := made.EHF(t.Context(), c.ID+1, d); models.KindOf(err) != models.KindNotFound {
				t.Errorf("the EHF of another creditor's %s: %v", d, err)
			}
		}
		first, err := made.EHF(t.Context(), c.ID, invoice.Document())
		must(t, err)
		rows.Write(t, db, func(tx *store.Tx) error {
			c.Name = "Another name"
			return tx.UpdateCreditor(t.Context(), &c)
		})
		if again, err := made.EHF(t.Context(), c.ID, invoice.Document()); err != nil || !bytes.Equal(first, again) {
			t.Errorf("after the creditor has another name: %v", err)
		}
		rows.Write(t, db, func(tx *store.Tx) error {
			c.EHFDefaultReference = "Another reference"
			return tx.UpdateCreditor(t.Context(), &c)
		})
		must(t, os.Remove(filepath.Join(dir, archive.Sum(first)[:2], archive.Sum(first))))
		if again, err := made.EHF(t.Context(), c.ID, invoice.Document()); err != nil || !bytes.Equal(first, again) {
			t.Errorf("lost after the creditor has another reference: %v", err)
		}
	})
}

// TestH2aWhatIsNotExpressibleIsNotKept asks for a document whose creditor lacks its organisation number, and then has it.
func TestH2aWhatIsNotExpressibleIsNotKept(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		kept, err := archive.Open(t.TempDir())
		must(t, err)
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.OrganisationNumber = "" })
		made, invoice := New(db, kept), rows.Invoice(t, db, c, rows.To(business(t, db, c)))
		_, err = made.EHF(t.Context(), c.ID, invoice.Document())
		var faults models.Errors
		if !errors.As(err, &faults) || len(faults) != 4 || models.KindOf(err) != models.KindConflict || !strings.HasPrefix(faults[0].Msg, "PEPPOL-EN16931-R003: ") {
			t.Errorf("it is refused with %v", err)
		}
		after, err := db.Invoice(t.Context(), c.ID, invoice.ID)
		if err != nil || after.EHF != "" || after.PDF != "" {
			t.Errorf("kept are the EHF %q and the PDF %q, %v", after.EHF, after.PDF, err)
		}
		rows.Write(t, db, func(tx *store.Tx) error {
			c.OrganisationNumber, c.EHFDefaultReference = "974760673", "Innkjøp"
			return tx.UpdateCreditor(t.Context(), &c)
		})
		if _, err := made.EHF(t.Context(), c.ID, invoice.Document()); err != nil {
			t.Errorf("once it is mended: %v", err)
		}
	})
}

// TestH2aLowAtEightPercentIsToldOf makes documents with LOW at 8 % and at 12 %, and each twice.
func TestH2aLowAtEightPercentIsToldOf(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		kept, err := archive.Open(t.TempDir())
		must(t, err)
		made := New(db, kept)
		for percent, want := range map[models.Percent]int{8_00: 1, 12_00: 0} {
			c := rows.Creditor(t, db, func(c *models.Creditor) {
				c.EHFDefaultReference, c.VATRates = "x", models.VATRates{{Name: models.VATLow, Percent: percent, FromDate: rows.Today}}
			})
			invoice := rows.Invoice(t, db, c, rows.To(business(t, db, c)), func(o *billing.InvoiceRequest) { o.Lines[0].VAT = models.VATLow })
			for range 2 {
				_, err := made.EHF(t.Context(), c.ID, invoice.Document())
				must(t, err)
			}
			events, err := db.NewestEvents(t.Context(), c.ID, store.EventFilter{Type: models.EventEHFVATRate}, 0, 100)
			must(t, err)
			var told []string
			for _, e := range events {
				told = append(told, fmt.Sprint(e.InvoiceID == invoice.ID, e.Text))
			}
			if len(told) != want {
				t.Errorf("at %s %% the events are %q", percent, told)
			}
		}
	})
}
