package documents

import (
	"context"
	"slices"
	"strings"

	"purr/models"
	"purr/store"
)

// mostSigns is how many signs an event names.
const mostSigns = 20

// leftOut returns, of documents that are drawn, the signs that the drawing leaves out because the fonts lack them.
func (src sources) leftOut(drawn map[models.Document]string) map[models.Document][]string {
	left := map[models.Document][]string{}
	for d := range drawn {
		if signs := models.LeftOut(src.texts(src.rows[d])...); len(signs) > 0 {
			left[d] = signs[:min(len(signs), mostSigns)]
		}
	}
	return left
}

// texts returns what others have written of what a document prints.
func (src sources) texts(r Rows) []string {
	s, order, to := src.sellers.of(r), r.Invoice.Order, r.Head.Recipient
	if r.Document.Kind.OfAccount() {
		to = src.customers[r.Head.CustomerID].Recipient
	}
	all := []string{s.Name, s.Address1, s.Address2, s.PostalCode, s.PostalName, s.Email, s.Phone, s.Website, s.FooterText, order.YourReference, order.OrderNumber}
	all = append(all, kinds[r.Document.Kind].texts(src, r)...)
	return append(all, to.Name1, to.Name2, to.Address1, to.Address2, to.PostalCode, to.PostalName, to.CustomerNumber)
}

// tellOfSigns tells of documents that are drawn for the first time, and what was left out of them (rule D111).
func tellOfSigns(ctx context.Context, tx *store.Tx, creditorID int64, left map[models.Document][]string, rows map[models.Document]Rows) error {
	ids := map[models.DocumentKind][]int64{} //nolint:exhaustive // it is filled with the kinds that are drawn
	for d := range left {
		ids[d.Kind] = append(ids[d.Kind], d.ID)
	}
	var events []models.Event
	for kind, some := range ids {
		slices.Sort(some)
		undrawn, err := tx.LockUndrawn(ctx, creditorID, kind, some)
		if err != nil {
			return err
		}
		for _, id := range undrawn {
			d := models.Document{Kind: kind, ID: id}
			events = append(events, signsEvent(creditorID, rows[d], left[d]))
		}
	}
	return tx.Log(ctx, events...)
}

func signsEvent(creditorID int64, r Rows, signs []string) models.Event {
	facts := models.Facts{"document": r.Document.Kind, "signs": signs}
	if r.Invoice.ID != 0 {
		facts["invoice_number"] = r.Invoice.Number
	}
	return models.Event{
		CreditorID: creditorID, Type: models.EventSignsLeftOut, InvoiceID: r.Invoice.ID, CustomerID: r.Head.CustomerID, SubjectID: r.Document.ID,
		Text:  kinds[r.Document.Kind].named(r, facts) + " is printed without what its fonts lack: " + strings.Join(signs, " "),
		Facts: facts,
	}
}
