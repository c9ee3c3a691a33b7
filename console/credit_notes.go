package console

import (
	"context"

	"purr/models"
	"purr/store"
)

// creditNotesPage lists the creditor's credit notes, the newest first (rule N5).
type creditNotesPage struct {
	view
	Notes    []models.CreditNote
	Invoices map[int64]models.Invoice // the credited ones, by ID
	Pager    pager
}

func (s *Server) creditNotesPage(ctx context.Context, rq *request) (reply, error) {
	p := &creditNotesPage{view: rq.view("notes.title")}
	before, err := afterIn(rq, false)
	if err != nil {
		return reply{}, err
	}
	err = s.db.View(ctx, func(v store.View) error {
		n, gross, outstanding, err := v.CreditNoteSums(ctx, rq.creditor.ID)
		if err != nil {
			return err
		}
		p.Lead = rq.words.SayHTML("notes.lead", "n", n, "sum", gross, "left", outstanding)
		if p.Notes, err = v.NewestCreditNotes(ctx, rq.creditor.ID, before.ID, perPage+1); err != nil {
			return err
		}
		p.Notes = onPage(p.Notes, &p.Pager, func(last models.CreditNote) string { return p.With("after", toPath(last.ID)) })
		p.Invoices, err = credited(ctx, v, rq.creditor.ID, p.Notes)
		return err
	})
	if err != nil {
		return reply{}, err
	}
	return show("credit_notes", p)
}

// credited returns the invoices that some credit notes credit, by ID.
func credited(ctx context.Context, v store.View, creditorID int64, notes []models.CreditNote) (map[int64]models.Invoice, error) {
	ids := make([]int64, len(notes))
	for n, note := range notes {
		ids[n] = note.InvoiceID
	}
	invoices, err := v.InvoicesByID(ctx, creditorID, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]models.Invoice, len(invoices))
	for _, i := range invoices {
		byID[i.ID] = i
	}
	return byID, nil
}

// State returns what is to be said of a credit note's state.
func (p *creditNotesPage) State(n models.CreditNote) string { return p.rq.stateOfNote(n) }

func (rq *request) stateOfNote(n models.CreditNote) string {
	if n.Balance < 0 {
		return rq.words.Say("notes.outstanding")
	}
	return rq.words.Say("notes.settled")
}

// Left returns how much credit is outstanding on a credit note.
func (p *creditNotesPage) Left(n models.CreditNote) models.Amount { return -n.Balance }

func (s *Server) creditNotesCSV(ctx context.Context, rq *request) (reply, error) {
	header := rq.words.Header("notes.number", "notes.invoice", "invoices.customer", "customers.number", "notes.issued", "month.kid", "invoices.state", "month.net", "month.vat",
		"invoices.gross", "notes.left")
	return rq.csv("credit-notes", header, func(write func(...any) error) error {
		for before := int64(0); ; {
			var found []models.CreditNote
			var invoices map[int64]models.Invoice
			err := s.db.View(ctx, func(v store.View) (err error) {
				if found, err = v.NewestCreditNotes(ctx, rq.creditor.ID, before, csvBatch); err != nil {
					return err
				}
				invoices, err = credited(ctx, v, rq.creditor.ID, found)
				return err
			})
			if err != nil || len(found) == 0 {
				return err
			}
			for _, n := range found {
				err := write(n.Number, invoices[n.InvoiceID].Number, n.Recipient.Name1, n.Recipient.CustomerNumber, n.IssueDate, n.KID, rq.stateOfNote(n),
					n.Net, n.Gross-n.Net, n.Gross, -n.Balance)
				if err != nil {
					return err
				}
				before = n.ID
			}
		}
	})
}
