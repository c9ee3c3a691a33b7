package documents

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"purr/dunning"
	"purr/law"
	"purr/ledger/receivables"
	"purr/models"
	"purr/register"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit/rows"
)

// change changes a creditor as the interface does.
func change(t *testing.T, db *store.DB, c models.Creditor, to func(*models.Creditor)) models.Creditor {
	t.Helper()
	rows.Write(t, db, func(tx *store.Tx) (err error) {
		c, err = register.ChangeCreditor(t.Context(), tx, c.ID, 38_00, "a test", func(c *models.Creditor) error { to(c); return nil })
		return err
	})
	return c
}

// moved lets a creditor be another one in all that documents show.
func moved(c *models.Creditor) {
	c.Name, c.OrganisationNumber, c.Address1, c.PostalCode, c.PostalName = "Tyttebær AS", "987654325", "Nyveien 2", "5003", "Bergen"
	c.VATRegistered, c.VATExemption, c.BankAccount, c.Email, c.Phone = false, models.VATExempt, "86011117947", "ny@example.no", "55 00 00 00"
}

// author returns the name of the seller in a PDF's properties.
func author(pdf []byte) string {
	_, after, _ := bytes.Cut(pdf, []byte("/Author (\xFE\xFF"))
	name, _, _ := bytes.Cut(after, []byte(")"))
	units := make([]uint16, len(name)/2)
	for i := range units {
		units[i] = uint16(name[2*i])<<8 | uint16(name[2*i+1])
	}
	return string(utf16.Decode(units))
}

// TestD112EveryDocumentShowsTheSellerOfItsDay issues one document of each kind, changes the creditor in all that documents show,
// and draws them for the first time, and again after they are lost.
func TestD112EveryDocumentShowsTheSellerOfItsDay(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		dir := t.TempDir()
		kept, err := archive.Open(dir)
		must(t, err)
		c := rows.Creditor(t, db, func(c *models.Creditor) {
			c.Name, c.Policy.Enabled, c.EHFDefaultReference, c.VATRegistered, c.VATKnown = "Blåbær "+c.Name, true, "Innkjøp", true, true
		})
		customer := business(t, db, c)
		made, invoice, other := New(db, kept), rows.Invoice(t, db, c, rows.To(customer)), rows.Invoice(t, db, c, rows.To(customer))
		rows.Send(t, db, c)
		snapshot, err := dunning.TakeSnapshot(t.Context(), rows.On(db, rows.Today+28), law.Default(), c, rows.Today+28)
		must(t, err)
		_, err = snapshot.Run(t.Context(), func() {})
		must(t, err)
		notices, err := db.NoticesOf(t.Context(), invoice.ID)
		must(t, err)
		var statement models.Shipment
		rows.Write(t, db, func(tx *store.Tx) error {
			statement, err = receivables.Send(t.Context(), tx, c, customer.ID, store.Dates{}, "kunde@example.no", "a test")
			return err
		})
		now := change(t, db, c, moved)
		for _, d := range []models.Document{
			invoice.Document(), rows.CreditNote(t, db, c, other).Document(), notices[0].Document(), statement.Document(),
		} {
			first, err := made.PDF(t.Context(), c.ID, d)
			must(t, err)
			if got := author(first); got != c.Name {
				t.Errorf("%s is by %q, want %q", d, got, c.Name)
			}
			if !bytes.Equal(first, drawnAs(t, db, c, d)) || bytes.Equal(first, drawnAs(t, db, now, d)) {
				t.Errorf("%s does not show all of the seller of its day", d)
			}
			must(t, os.Remove(filepath.Join(dir, archive.Sum(first)[:2], archive.Sum(first))))
			if again, err := made.PDF(t.Context(), c.ID, d); err != nil || !bytes.Equal(again, first) {
				t.Errorf("%s, lost and drawn again: other bytes, %v", d, err)
			}
			if d.Kind == models.StatementDocument {
				continue
			}
			ehf, err := made.EHF(t.Context(), c.ID, d)
			if err != nil || !strings.Contains(string(ehf), c.OrganisationNumber+"MVA") || strings.Contains(string(ehf), now.OrganisationNumber+"MVA") || strings.Contains(string(ehf), now.Name) {
				t.Errorf("the EHF of %s shows another seller, %v:\n%s", d, err, ehf)
			}
		}
		if seller, err := made.Seller(t.Context(), now, rows.Invoice(t, db, now).Document()); err != nil || seller != now.Seller() {
			t.Errorf("an invoice of after the change is by %+v, %v", seller, err)
		}
	})
}

// drawnAs returns what a document would look like by a creditor.
func drawnAs(t *testing.T, db *store.DB, c models.Creditor, d models.Document) []byte {
	t.Helper()
	r, err := Read(t.Context(), db, c.ID, d)
	must(t, err)
	src, err := New(db, nil).readSources(t.Context(), c.ID, map[models.Document]Rows{d: r}, []models.Document{d})
	must(t, err)
	src.creditor = c
	pdf, err := src.render(t.Context(), db, r, c.Seller())
	must(t, err)
	return pdf
}

// TestD112WhatAReleaseOfBeforeHasIssued: a document without a kept seller shows the creditor as it was on its day, as far as that is known,
// whether it was drawn before or not; what nobody knows any more is not put back.
func TestD112WhatAReleaseOfBeforeHasIssued(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		dir := t.TempDir()
		kept, err := archive.Open(dir)
		must(t, err)
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.EHFDefaultReference, c.VATRegistered = "Innkjøp", true })
		customer := business(t, db, c)
		old := make([]models.Invoice, 3)
		for i := range old {
			old[i] = models.Invoice{
				CreditorID: c.ID, CustomerID: customer.ID, Number: int64(900 + i), IssueDate: rows.Today, DueDate: rows.Today + 14, Deadline: rows.Today + 14,
				Gross: 125_00, Net: 100_00, Balance: 125_00, BankAccount: c.BankAccount, Recipient: customer.Recipient,
			}
		}
		old[2].PDF = archive.Sum([]byte("drawn by nobody knows whom"))
		old[2].EHF = old[2].PDF
		line := models.Line{Position: 1, Text: "Blåbær", UnitPrice: 100_0000, NumItems: 1000, VAT: models.VATHigh, VATPercent: 25_00, Net: 100_00, Gross: 125_00}
		rows.Write(t, db, func(tx *store.Tx) error {
			return tx.CreateInvoices(t.Context(), old, [][]models.Line{{line}, {line}, {line}})
		})
		made := New(db, kept)
		first := drawnAs(t, db, c, old[0].Document())
		sum, _, err := kept.Put(t.Context(), bytes.NewReader(first))
		must(t, err)
		rows.Write(t, db, func(tx *store.Tx) error { // as the release of before has left it
			_, err := tx.SetPDFs(t.Context(), c.ID, map[models.Document]string{old[0].Document(): sum})
			return err
		})
		later := rows.On(db, rows.Today+1)
		now := change(t, later, c, moved)
		after := slices.Clone(old[1:2])
		after[0].ID, after[0].Number = 0, 903
		rows.Write(t, later, func(tx *store.Tx) error { // by a part of the release of before, which still runs
			return tx.CreateInvoices(t.Context(), after, [][]models.Line{{line}})
		})
		if pdf, err := made.PDF(t.Context(), c.ID, after[0].Document()); err != nil || author(pdf) != now.Name {
			t.Errorf("one of after the change is by %q, %v", author(pdf), err)
		}
		must(t, os.Remove(filepath.Join(dir, sum[:2], sum)))
		if again, err := made.PDF(t.Context(), c.ID, old[0].Document()); err != nil || !bytes.Equal(again, first) {
			t.Errorf("a drawn one, lost and drawn again: other bytes, %v", err)
		}
		second, err := made.PDF(t.Context(), c.ID, old[1].Document())
		if err != nil || author(second) != c.Name {
			t.Errorf("an undrawn one is by %q, %v", author(second), err)
		}
		for _, d := range old[:2] {
			ehf, err := made.EHF(t.Context(), c.ID, d.Document())
			if err != nil || !strings.Contains(string(ehf), c.Name) || strings.Contains(string(ehf), now.Name) {
				t.Errorf("the EHF of invoice %d shows another seller, %v", d.Number, err)
			}
		}
		if pdf, err := made.PDF(t.Context(), c.ID, old[2].Document()); models.KindOf(err) != models.KindInternal || pdf != nil {
			t.Errorf("one that cannot be drawn again: %d bytes, %v", len(pdf), err)
		}
		if ehf, err := made.EHF(t.Context(), c.ID, old[2].Document()); models.KindOf(err) != models.KindInternal || ehf != nil {
			t.Errorf("one that cannot be expressed again: %d bytes, %v", len(ehf), err)
		}
	})
}

// TestD112AnUnnamedCreditorMayStillGetItsName: nobody has seen the document before it is drawn.
func TestD112AnUnnamedCreditorMayStillGetItsName(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		kept, err := archive.Open(t.TempDir())
		must(t, err)
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.Name, c.OrganisationNumber = models.UnnamedCreditor, "" })
		made, seen, unseen := New(db, kept), rows.Invoice(t, db, c), rows.Invoice(t, db, c)
		pdf := func(ctx context.Context, i models.Invoice) string {
			content, err := made.PDF(ctx, c.ID, i.Document())
			must(t, err)
			return author(content)
		}
		if got := pdf(t.Context(), seen); got != models.UnnamedCreditor {
			t.Errorf("drawn at once it is by %q", got)
		}
		for _, name := range []string{"Blåbær AS", "Tyttebær AS"} {
			c = change(t, db, c, func(c *models.Creditor) { c.Name, c.OrganisationNumber = name, "974760673" })
			if a, b := pdf(t.Context(), seen), pdf(t.Context(), unseen); a != models.UnnamedCreditor || b != "Blåbær AS" {
				t.Errorf("called %s, it has invoices by %q and %q", name, a, b)
			}
		}
	})
}

// TestD112WhatIsSaidLaterChangesNothingIssued: an invoice of a creditor of whom nobody had said whether it is registered for VAT, and that
// had neither number nor address. It registers and gets both before the PDF is drawn: that shows the creditor as it was. Another document
// goes as EHF, which cannot do without number and address: it shows them and the registration, and so does the PDF in it.
func TestD112WhatIsSaidLaterChangesNothingIssued(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		kept, err := archive.Open(t.TempDir())
		must(t, err)
		c := rows.Creditor(t, db, func(c *models.Creditor) {
			c.OrganisationNumber, c.VATRegistered, c.VATKnown, c.Address1, c.PostalCode, c.PostalName = "", false, false, "", "", ""
		})
		customer := business(t, db, c)
		invoice, by := rows.Invoice(t, db, c, rows.To(customer)), rows.Invoice(t, db, c, rows.To(customer))
		now := change(t, db, c, func(c *models.Creditor) {
			c.OrganisationNumber, c.VATRegistered, c.VATKnown, c.EHFDefaultReference = "974760673", true, true, "Innkjøp"
			c.Address1, c.PostalCode, c.PostalName = "Storgata 1", "0155", "Oslo"
		})
		made := New(db, kept)
		drawn, err := made.PDF(t.Context(), c.ID, invoice.Document())
		must(t, err)
		if !bytes.Equal(drawn, drawnAs(t, db, c, invoice.Document())) {
			t.Error("the PDF does not show the seller of the day on which the invoice was issued")
		}
		shown := made.PDFs(t.Context(), c.ID, []models.Document{by.Document()}, by.Document())[by.Document()]
		must(t, shown.Err)
		want := c.Seller().Expressible(now.Seller())
		if shown.Seller != want || !want.VATRegistered || want.Address1 != "Storgata 1" || !bytes.Equal(shown.Content, drawnAs(t, db, now.As(want), by.Document())) {
			t.Errorf("what goes as EHF is by %+v, want %+v", shown.Seller, want)
		}
		if seller, err := made.Seller(t.Context(), now, by.Document()); err != nil || seller != want {
			t.Errorf("its EHF is by %+v, %v", seller, err)
		}
	})
}
