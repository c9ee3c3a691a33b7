package documents

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"purr/models"
	"purr/store"
)

// mostSigns is how many signs an event names.
const mostSigns = 20

// leftOut returns, of documents that are drawn, the signs that the drawing leaves out because the fonts lack them.
func (src sources) leftOut(ds []models.Document) map[models.Document][]string {
	left := map[models.Document][]string{}
	for _, d := range ds {
		if signs := models.LeftOut(src.texts(d)...); len(signs) > 0 {
			left[d] = signs[:min(len(signs), mostSigns)]
		}
	}
	return left
}

// texts returns what others have written of what a document prints.
func (src sources) texts(d models.Document) []string {
	r, s := src.rows[d], src.sellers.of(d, src.rows[d])
	to, order := r.Invoice.Recipient, r.Invoice.Order
	all := []string{s.Name, s.Address1, s.Address2, s.PostalCode, s.PostalName, s.Email, s.Phone, s.Website, order.YourReference, order.OrderNumber}
	lines := src.lines[r.Invoice.ID]
	switch d.Kind {
	case models.StatementDocument:
		to = src.customers[r.Statement.CustomerID].Recipient
	case models.NoticeDocument:
		to, lines = r.Notice.Recipient, lines[:min(len(lines), 1)] // it says what the claim is for
		all = append(all, r.Notice.Comment)
		for _, l := range src.noticeLines[r.Notice.ID] {
			all = append(all, l.Text)
		}
	case models.CreditNoteDocument:
		to = r.CreditNote.Recipient
		all = append(all, r.CreditNote.Comment, order.DeliveryPlace)
	case models.InvoiceDocument:
		all = append(all, r.Invoice.Note, order.DeliveryPlace)
	}
	for _, l := range lines {
		all = append(all, l.Text)
	}
	return append(all, to.Name1, to.Name2, to.Address1, to.Address2, to.PostalCode, to.PostalName, to.CustomerNumber)
}

// tellOfSigns tells of documents that are drawn for the first time, and what was left out of them (rule D111).
func tellOfSigns(ctx context.Context, tx *store.Tx, creditorID int64, left map[models.Document][]string, rows map[models.Document]PDF) error {
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
			events = append(events, signsEvent(creditorID, d, rows[d].Rows, left[d]))
		}
	}
	return tx.Log(ctx, events...)
}

func signsEvent(creditorID int64, d models.Document, r Rows, signs []string) models.Event {
	facts := models.Facts{"document": d.Kind, "signs": signs}
	what := fmt.Sprintf("Invoice %d", r.Invoice.Number)
	if r.Invoice.ID != 0 {
		facts["invoice_number"] = r.Invoice.Number
	}
	switch d.Kind {
	case models.CreditNoteDocument:
		what, facts["credit_note_number"] = fmt.Sprintf("Credit note %d", r.CreditNote.Number), r.CreditNote.Number
	case models.NoticeDocument:
		what, facts["sequence_number"] = fmt.Sprintf("Notice %d on invoice %d", r.Notice.Sequence, r.Invoice.Number), r.Notice.Sequence
	case models.StatementDocument:
		what = "A statement"
	case models.InvoiceDocument:
	}
	return models.Event{
		CreditorID: creditorID, Type: models.EventSignsLeftOut, InvoiceID: r.Invoice.ID, CustomerID: r.CustomerID(), SubjectID: d.ID,
		Text: what + " is printed without what its fonts lack: " + strings.Join(signs, " "), Facts: facts,
	}
}
