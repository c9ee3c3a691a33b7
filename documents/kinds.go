package documents

import (
	"context"
	"fmt"

	"purr/documents/ehf"
	"purr/models"
	"purr/store"
)

// kind is how documents of a kind are read, drawn and expressed.
type kind struct {
	// read adds what the kind's own table holds of those with the IDs that exist, and the ID of the invoice that each is about.
	read func(ctx context.Context, from Reader, creditorID int64, ids []int64, add func(Rows)) error
	head func(Rows) Head
	draw func(ctx context.Context, db *store.DB, in drawing) ([]byte, error)
	// texts returns what others have written of what it prints, without the parties.
	texts func(sources, Rows) []string
	// named returns what an event calls the document, and adds to the facts which one it is.
	named func(Rows, models.Facts) string
	ehf   *expression // nil of a kind without EHF (models.DocumentKind.HasEHF)
}

// expression is how documents of a kind are expressed as EHF.
type expression struct {
	named    string // what an event calls it before its number
	holdsPDF bool
	express  func(in ehfInput, pdf []byte) ([]byte, error)
}

// kinds has all kinds.
var kinds = map[models.DocumentKind]kind{
	models.InvoiceDocument: {
		read: readInvoices, draw: drawInvoice, texts: textsOfInvoice, ehf: &expression{"invoice", true, expressInvoice},
		head: func(r Rows) Head {
			i := r.Invoice
			return Head{i.Number, i.CustomerID, i.Recipient, i.Gross, i.Language, i.SellerID, i.PDF, i.EHF, i.CreatedAt}
		},
		named: func(r Rows, _ models.Facts) string { return fmt.Sprintf("Invoice %d", r.Invoice.Number) },
	},
	models.CreditNoteDocument: {
		read: readCreditNotes, draw: drawCreditNote, texts: textsOfCreditNote, ehf: &expression{"credit note", true, expressCreditNote},
		head: func(r Rows) Head {
			n := r.CreditNote
			return Head{n.Number, r.Invoice.CustomerID, n.Recipient, n.Gross, n.Language, n.SellerID, n.PDF, n.EHF, n.CreatedAt}
		},
		named: func(r Rows, facts models.Facts) string {
			facts["credit_note_number"] = r.CreditNote.Number
			return fmt.Sprintf("Credit note %d", r.CreditNote.Number)
		},
	},
	models.NoticeDocument: {
		read: readNotices, draw: drawNotice, texts: textsOfNotice, ehf: &expression{"notice on invoice", false, expressNotice},
		head: func(r Rows) Head {
			n := r.Notice
			return Head{r.Invoice.Number, r.Invoice.CustomerID, n.Recipient, n.Gross, n.Language, n.SellerID, n.PDF, n.EHF, n.CreatedAt}
		},
		named: func(r Rows, facts models.Facts) string {
			facts["sequence_number"] = r.Notice.Sequence
			return fmt.Sprintf("Notice %d on invoice %d", r.Notice.Sequence, r.Invoice.Number)
		},
	},
	models.LetterDocument: {
		read: readLetters, draw: drawLetter, texts: textsOfLetter,
		head: func(r Rows) Head {
			l := r.Letter
			return Head{l.Number, l.CustomerID, l.Recipient, l.Gross, l.Language, l.SellerID, l.PDF, "", l.CreatedAt}
		},
		named: func(r Rows, _ models.Facts) string {
			return fmt.Sprintf("Letter %d for %d invoices", r.Letter.Number, len(r.Parts))
		},
	},
	models.StatementDocument: {
		read: readStatements, draw: drawStatement, texts: textsOfStatement,
		head: func(r Rows) Head {
			s := r.Statement
			return Head{Number: s.CustomerID, CustomerID: s.CustomerID, SellerID: s.SellerID, PDF: s.PDF, CreatedAt: s.CreatedAt}
		},
		named: func(Rows, models.Facts) string { return "A statement" },
	},
	models.PlanDocument: {
		read: readPlans, draw: drawPlan, texts: textsOfPlan,
		head: func(r Rows) Head {
			p := r.Plan
			return Head{
				Number: r.Invoice.Number, CustomerID: p.CustomerID, Recipient: p.Recipient, Gross: p.Sum, Language: p.Language, SellerID: p.SellerID,
				PDF: p.PDF, CreatedAt: p.CreatedAt,
			}
		},
		named: func(r Rows, _ models.Facts) string {
			return fmt.Sprintf("The payment plan for invoice %d", r.Invoice.Number)
		},
	},
}

// readInvoices reads nothing: ReadAll reads the invoices of all kinds together.
func readInvoices(_ context.Context, _ Reader, _ int64, ids []int64, add func(Rows)) error {
	for _, id := range ids {
		i := models.Invoice{ID: id}
		add(Rows{Document: i.Document(), Invoice: i})
	}
	return nil
}

func readCreditNotes(ctx context.Context, from Reader, creditorID int64, ids []int64, add func(Rows)) error {
	found, err := from.CreditNotesByID(ctx, creditorID, ids)
	if err != nil {
		return err
	}
	for _, n := range found {
		add(Rows{Document: n.Document(), CreditNote: n, Invoice: models.Invoice{ID: n.InvoiceID}})
	}
	return nil
}

func readNotices(ctx context.Context, from Reader, creditorID int64, ids []int64, add func(Rows)) error {
	found, err := from.NoticesByID(ctx, creditorID, ids)
	if err != nil {
		return err
	}
	var shared []int64
	for _, n := range found {
		if n.LetterID != 0 {
			shared = append(shared, n.LetterID)
		}
	}
	letters, err := lettersWithParts(ctx, from, creditorID, shared)
	if err != nil {
		return err
	}
	for _, n := range found {
		letter := letters[n.LetterID]
		add(Rows{Document: n.Document(), Notice: n, Invoice: models.Invoice{ID: n.InvoiceID}, Letter: letter.Letter, Parts: letter.Parts})
	}
	return nil
}

func readLetters(ctx context.Context, from Reader, creditorID int64, ids []int64, add func(Rows)) error {
	letters, err := lettersWithParts(ctx, from, creditorID, ids)
	if err != nil {
		return err
	}
	for _, l := range letters {
		add(l)
	}
	return nil
}

// lettersWithParts returns the rows of the creditor's letters with the IDs, by ID (rule L23).
func lettersWithParts(ctx context.Context, from Reader, creditorID int64, ids []int64) (map[int64]Rows, error) {
	if len(ids) == 0 {
		return nil, nil //nolint:nilnil // a nil map has none
	}
	found, err := from.LettersByID(ctx, creditorID, ids)
	if err != nil {
		return nil, err
	}
	notices, err := from.NoticesOfLetters(ctx, creditorID, ids)
	if err != nil {
		return nil, err
	}
	var about []int64
	for _, of := range notices {
		for _, n := range of {
			about = append(about, n.InvoiceID)
		}
	}
	all, err := from.InvoicesByID(ctx, creditorID, about)
	if err != nil {
		return nil, err
	}
	invoices := make(map[int64]models.Invoice, len(all))
	for _, i := range all {
		invoices[i.ID] = i
	}
	letters := make(map[int64]Rows, len(found))
	for id, l := range found {
		r := Rows{Document: l.Document(), Letter: l}
		for _, n := range notices[id] {
			r.Parts = append(r.Parts, Part{n, invoices[n.InvoiceID]})
		}
		letters[id] = r
	}
	return letters, nil
}

func readStatements(ctx context.Context, from Reader, creditorID int64, ids []int64, add func(Rows)) error {
	found, err := from.SentStatementsByID(ctx, creditorID, ids)
	if err != nil {
		return err
	}
	for _, s := range found {
		add(Rows{Document: s.Document(), Statement: s})
	}
	return nil
}

func textsOfInvoice(src sources, r Rows) []string {
	return append([]string{r.Invoice.Note, r.Invoice.Order.DeliveryPlace}, textsOfLines(src.lines[r.Invoice.ID])...)
}

func textsOfCreditNote(src sources, r Rows) []string {
	return append([]string{r.CreditNote.Comment, r.Invoice.Order.DeliveryPlace}, textsOfLines(src.linesOf(r))...)
}

func textsOfNotice(src sources, r Rows) []string {
	if r.Letter.ID != 0 {
		return textsOfLetter(src, r)
	}
	all := []string{r.Notice.Comment}
	for _, l := range src.noticeLines[r.Notice.ID] {
		all = append(all, l.Text)
	}
	lines := src.lines[r.Invoice.ID]
	return append(all, textsOfLines(lines[:min(len(lines), 1)])...) // it says what the claim is for
}

func readPlans(ctx context.Context, from Reader, creditorID int64, ids []int64, add func(Rows)) error {
	found, err := from.PaymentPlansByID(ctx, creditorID, ids)
	if err != nil {
		return err
	}
	for _, p := range found {
		add(Rows{Document: p.Document(), Plan: p, Invoice: models.Invoice{ID: p.InvoiceID}})
	}
	return nil
}

func textsOfPlan(sources, Rows) []string { return nil }

func textsOfLetter(src sources, r Rows) (all []string) {
	for _, p := range r.Parts {
		lines := src.lines[p.Invoice.ID]
		all = append(append(all, p.Invoice.Note), textsOfLines(lines[:min(len(lines), 1)])...)
	}
	return all
}

func textsOfStatement(sources, Rows) []string { return nil }

func textsOfLines(lines []models.Line) (texts []string) {
	for _, l := range lines {
		texts = append(texts, l.Text)
	}
	return texts
}

func expressInvoice(in ehfInput, pdf []byte) ([]byte, error) {
	return ehf.Invoice(ehf.InvoiceInput{Creditor: in.creditor, Invoice: in.Invoice, Lines: in.lines, PDF: pdf})
}

func expressCreditNote(in ehfInput, pdf []byte) ([]byte, error) {
	return ehf.CreditNote(ehf.CreditNoteInput{Creditor: in.creditor, CreditNote: in.CreditNote, Invoice: in.Invoice, Lines: in.lines, PDF: pdf})
}

func expressNotice(in ehfInput, _ []byte) ([]byte, error) {
	return ehf.Reminder(ehf.ReminderInput{
		Creditor: in.creditor, Notice: in.Notice, NoticeLines: in.noticeLines, Invoice: in.Invoice, Lines: in.lines, Before: in.before,
	})
}
