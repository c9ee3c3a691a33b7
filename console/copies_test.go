package console_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestN4ACopyFromTheConsole: of an invoice, a notice and a credit note, by e-mail and on paper; a press twice sends one, and what is wrong
// shows the form again.
func TestN4ACopyFromTheConsole(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		d := &desks{openOn(t, databaseURL, models.ScopeAdmin, nil), new(int)}
		i := d.invoice()
		n := d.reminds(i)
		note := d.note()
		d.on("2026-03-30")
		page := fmt.Sprintf("invoices/%d", i.Number)
		d.get(page).tells("The invoice as PDF", "Send a copy", "Lines")
		f := d.formAt(page + "/copy")
		d.get(page+"/copy").tells("Send a copy: Invoice", "It gives no new deadline", "On paper it goes to Kari <b>Nordmann</b>, Lillegata 2, 5003 Bergen")
		d.send(f.typing("email", "no address", "save", "1")).is(http.StatusUnprocessableEntity).tells("not a valid e-mail address")
		d.send(f.typing("email", "")).is(http.StatusUnprocessableEntity)
		f = f.typing("email", "ny@example.no", "save", "1")
		for range 2 { // the second press does nothing
			d.get(d.send(f).is(http.StatusSeeOther).location)
		}
		sent := d.copiesOf(i.Document())
		if c, err := d.db.Customer(t.Context(), d.creditor.ID, i.CustomerID); len(sent) != 1 || sent[0].Recipient.Email != "ny@example.no" || err != nil || c.Recipient.Email != "ny@example.no" {
			t.Errorf("sent were %+v to %s, %v", sent, c.Recipient.Email, err)
		}
		f = d.formAt(fmt.Sprintf("invoices/%d/notices/%d/copy", i.Number, n.ID)).typing("shipment_method", "PAPER", "email", "what stands there")
		d.get(d.send(f).is(http.StatusSeeOther).location).tells("A copy is sent on paper to Lillegata 2, 5003 Bergen.", "Copy is sent on paper")
		d.get(d.send(d.formAt(fmt.Sprintf("credit-notes/%d/copy", note.Number))).is(http.StatusSeeOther).location).tells("A copy is sent to kari@example.no.")
		for _, of := range []models.Document{n.Document(), note.Document()} {
			if sent := d.copiesOf(of); len(sent) != 1 {
				t.Errorf("of %s there are the copies %+v", of, sent)
			}
		}
		rows.Write(t, d.db, func(tx *store.Tx) error { return tx.WithdrawNotice(t.Context(), n, today) })
		d.get(fmt.Sprintf("invoices/%d/notices/%d/copy", i.Number, n.ID)).tells("The notice is withdrawn, and claims nothing any more.")
		d.get(fmt.Sprintf("invoices/%d/notices/%d/copy", i.Number, n.ID+99)).is(http.StatusNotFound)
	})
}

// copiesOf returns the copies of a document that were asked for.
func (d *desks) copiesOf(of models.Document) []models.Shipment {
	d.t.Helper()
	all, err := d.db.ShipmentsOf(d.t.Context(), of)
	must(d.t, err)
	return slices.DeleteFunc(all, func(s models.Shipment) bool { return s.Role() != models.Duplicate })
}
