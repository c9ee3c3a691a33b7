package collection

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
)

// claim is a claim that was handed over, with all its documents and entries.
type claim struct {
	handOver     models.HandOver
	creditor     models.Creditor // as it was when it handed the claim over
	zone         *time.Location  // the creditor's
	customer     models.Customer
	invoice      models.Invoice
	lines        []models.Line
	entries      []models.Entry // of the invoice and its credit note, until the hand-over
	notices      []models.Notice
	calculations []Calculation // one for each notice
	owed         law.Allocation
	interest     law.InterestAhead
	documents    []document
}

// document is a document that was sent, with its name in the bundle and its shipments.
type document struct {
	name      string
	document  models.Document
	shipments []models.Shipment
	sentAs    models.Document // of a notice that shares a letter (rule L23); else zero, or the same
}

// read reads the claim as it was when it was handed over.
func (s *Store) read(ctx context.Context, v store.View, h models.HandOver) (claim, error) {
	c := claim{handOver: h}
	if err := c.readParties(ctx, v); err != nil {
		return claim{}, err
	}
	if err := c.readLedger(ctx, v); err != nil {
		return claim{}, err
	}
	if err := c.readNotices(ctx, v); err != nil {
		return claim{}, err
	}
	if err := c.readDocuments(ctx, v); err != nil {
		return claim{}, err
	}
	rules, err := dunning.RulesFor(ctx, s.rules, v, h.CreditorID)
	if err != nil {
		return claim{}, err
	}
	late, err := dunning.InvoiceLate(ctx, v, c.creditor, c.invoice)
	if err != nil {
		return claim{}, err
	}
	owed := law.NewClaim(c.invoice, late, c.entries, c.notices, c.customer, c.customer.Policy.Apply(c.creditor.Policy))
	c.interest = rules.InterestAhead(owed, h.HandedOver)
	return c, nil
}

// readParties reads the invoice, the creditor and the customer.
func (c *claim) readParties(ctx context.Context, v store.View) (err error) {
	h := c.handOver
	if c.creditor, err = creditorOf(ctx, v, h); err != nil {
		return err
	}
	if c.zone, err = c.creditor.Location(); err != nil {
		return err
	}
	if c.invoice, err = v.Invoice(ctx, h.CreditorID, h.InvoiceID); err != nil {
		return err
	}
	if c.customer, err = v.Customer(ctx, h.CreditorID, c.invoice.CustomerID); err != nil {
		return err
	}
	c.lines, err = v.InvoiceLines(ctx, c.invoice.ID)
	return err
}

func (c *claim) readLedger(ctx context.Context, v store.View) error {
	entries, err := v.EntriesOfInvoiceAndCreditNote(ctx, c.invoice.ID)
	if err != nil {
		return err
	}
	c.entries = slices.DeleteFunc(entries, func(e models.Entry) bool { return e.ID > c.handOver.LastEntryID })
	c.owed = law.Allocate(c.entries)
	return nil
}

func (c *claim) readNotices(ctx context.Context, v store.View) (err error) {
	if c.notices, err = v.NoticesOf(ctx, c.invoice.ID); err != nil {
		return err
	}
	noticeIDs := make([]int64, len(c.notices))
	for i, n := range c.notices {
		noticeIDs[i] = n.ID
	}
	recalculations, err := v.RecalculationsOf(ctx, noticeIDs...)
	if err != nil {
		return err
	}
	recalculations = slices.DeleteFunc(recalculations, func(r models.Recalculation) bool { return r.EntryID > c.handOver.LastEntryID })
	c.calculations = make([]Calculation, len(c.notices))
	for i, n := range c.notices {
		if c.calculations[i], err = CalculationOf(n, recalculations, c.zone); err != nil {
			return err
		}
	}
	return nil
}

// readDocuments reads the shipments of the invoice, the credit notes on it, and its notices.
func (c *claim) readDocuments(ctx context.Context, v store.View) error {
	c.documents = []document{{name: fmt.Sprintf("invoice-%d.pdf", c.invoice.Number), document: c.invoice.Document()}}
	notes, err := v.CreditNotesOf(ctx, c.invoice.ID)
	if err != nil {
		return err
	}
	for _, note := range notes {
		if slices.ContainsFunc(c.entries, func(e models.Entry) bool { return e.CreditNoteID == note.ID }) {
			c.documents = append(c.documents, document{name: fmt.Sprintf("credit-note-%d.pdf", note.Number), document: note.Document()})
		}
	}
	for _, n := range c.notices {
		kind := "reminder"
		if n.Warning {
			kind = "debt-collection-warning"
		}
		c.documents = append(c.documents, document{name: fmt.Sprintf("notice-%d-%s.pdf", n.Sequence, kind), document: n.Document(), sentAs: n.SentAs()})
	}
	for i, d := range c.documents {
		if c.documents[i].shipments, err = v.ShipmentsOf(ctx, cmp.Or(d.sentAs, d.document)); err != nil {
			return err
		}
	}
	return nil
}

// total returns what was owed when the invoice was handed over.
func (c *claim) total() models.Amount {
	return c.owed.Principal + c.owed.Interest + c.owed.Fees - c.owed.Overpaid
}

// disputed returns the hold that made the claim disputed when it was handed over, and false if it was not
// disputed.
func (c *claim) disputed() (models.Hold, bool) {
	for _, h := range []models.Hold{c.invoice.Hold, c.customer.Hold} {
		if h.Disputed(c.handOver.HandedOver) {
			return h, true
		}
	}
	return models.Hold{}, false
}
