package console

import (
	"context"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

func (s *Server) creditNoteRoutes() []route {
	const one = "/c/{creditor}/credit-notes/{number}"
	return []route{
		{path: "/c/{creditor}/credit-notes", area: "invoices", get: s.creditNotesPage, csv: s.creditNotesCSV},
		{path: one, area: "invoices", get: s.creditNotePage, post: s.payOut, scope: models.ScopeWrite},
		{path: one + "/pdf", get: s.creditNotePDF},
		{path: one + "/ehf", get: s.creditNoteEHF},
		{path: one + "/payments/{entry}/delete", area: "invoices", post: s.deletePayout, again: s.creditNotePage, scope: models.ScopeWrite},
	}
}

// creditNotePage shows a credit note, and registers what is paid out of it (rules D21, D32).
type creditNotePage struct {
	view
	Today   models.Date
	Note    models.CreditNote
	Invoice models.Invoice
	Left    models.Amount // the customer's credit that is outstanding
	Entries []models.Entry
	Seen    models.Seen // the credit note, as the page shows it
}

// creditNotes are what the console reads a credit note by its number from.
type creditNotes interface {
	CreditNoteByNumber(ctx context.Context, creditorID, number int64) (models.CreditNote, error)
}

// creditNote returns the credit note in the path.
func (s *Server) creditNote(ctx context.Context, rq *request, from creditNotes) (models.CreditNote, error) {
	n, err := rq.pathID("number")
	if err != nil {
		return models.CreditNote{}, err
	}
	return from.CreditNoteByNumber(ctx, rq.creditor.ID, n)
}

func (rq *request) pathOfNote(n models.CreditNote) string {
	return rq.base + "/credit-notes/" + toPath(n.Number)
}

func (s *Server) creditNotePage(ctx context.Context, rq *request) (reply, error) {
	p := &creditNotePage{Today: rq.today()}
	err := s.db.View(ctx, func(v store.View) (err error) {
		if p.Note, err = s.creditNote(ctx, rq, v); err != nil {
			return err
		}
		if p.Invoice, err = v.Invoice(ctx, rq.creditor.ID, p.Note.InvoiceID); err != nil {
			return err
		}
		if p.Entries, err = v.EntriesOfCreditNote(ctx, p.Note); err != nil {
			return err
		}
		p.Seen, err = v.LookAtNote(ctx, p.Note)
		return err
	})
	if err != nil {
		return reply{}, err
	}
	p.view, p.Left = rq.view("note.title", "number", toPath(p.Note.Number)), -p.Note.Balance
	p.Lead = rq.words.SayHTML("note.lead", "gross", p.Note.Gross, "number", numberOf(p.Invoice), "issued", p.Note.IssueDate)
	return show("credit_note", p)
}

func (s *Server) creditNotePDF(ctx context.Context, rq *request) (reply, error) {
	n, err := s.creditNote(ctx, rq, s.db)
	if err != nil {
		return reply{}, err
	}
	return s.pdf(ctx, rq, n.Document(), n.Number)
}

func (s *Server) creditNoteEHF(ctx context.Context, rq *request) (reply, error) {
	n, err := s.creditNote(ctx, rq, s.db)
	if err != nil {
		return reply{}, err
	}
	return s.ehf(ctx, rq, n.Document(), n.Number)
}

// payOut registers that credit was paid back to the customer.
func (s *Server) payOut(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	p := ledger.Payment{Amount: f.amount("amount"), Date: f.date("transaction_date"), Comment: f.text("comment"), Actor: rq.actor(), Seen: rq.surelySeen()}
	if err := f.done(p.ValidatePayout(rq.today())); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		n, err := s.creditNote(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		e, err := ledger.RegisterOnCreditNote(ctx, tx, rq.creditor.ID, n.ID, p, rq.today())
		if err != nil {
			return done{}, err
		}
		after, err := s.creditNote(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		seen, err := tx.LookAtNote(ctx, after)
		if err != nil {
			return done{}, err
		}
		m := rq.undoable(rq.pathOfNote(n)+"/payments/"+toPath(e.ID)+"/delete", "note.done", "amount", p.Amount)
		return done{to: rq.pathOfNote(n), message: m.carrying("seen", string(seen))}, nil
	})
}

// deletePayout deletes a payout. Undo registers it again.
func (s *Server) deletePayout(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("entry")
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		n, err := s.creditNote(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		e, err := ledger.SeenEntry(ctx, tx, rq.creditor.ID, id)
		if err != nil {
			return done{}, err
		}
		if e.CreditNoteID != n.ID {
			return done{}, models.NotFound("payment")
		}
		if err := ledger.DeletePayment(ctx, tx, rq.creditor.ID, id, rq.today(), rq.actor(), rq.surelySeen()); err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.pathOfNote(n)), message: rq.said("pay.deleted", "amount", max(e.Amount, -e.Amount), "date", e.TransactionDate)}, nil
	})
}

// EntryName returns what an entry is, in words.
func (p *creditNotePage) EntryName(e models.Entry) string {
	return p.rq.words.Say("entry." + string(e.Type))
}

// Deletable reports whether a person may delete the entry (rule D31).
func (p *creditNotePage) Deletable(e models.Entry) bool { return e.Type == models.EntryPayment }

// Delete returns the label of the button that deletes a payout.
func (p *creditNotePage) Delete(e models.Entry) string {
	return p.rq.words.Say("invoice.delete", "amount", max(e.Amount, -e.Amount))
}
