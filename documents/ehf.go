package documents

import (
	"context"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
	"purr/store/archive"
)

// EHF returns a document as EHF, and makes it if it is not made yet, under the promise of PDF. An invoice and a credit note
// hold their PDF. It fails with a conflict not_expressible for each official rule that the document would break: then
// nothing is kept, and the document is tried anew the next time (rules H2, H2a).
func (s *Store) EHF(ctx context.Context, creditorID int64, d models.Document) ([]byte, error) {
	if !d.Kind.HasEHF() {
		return nil, models.NotFound("EHF")
	}
	sum, err := s.db.EHF(ctx, creditorID, d)
	if err != nil {
		return nil, err
	}
	if sum == "" {
		if err := s.refuseForgotten(ctx, d); err != nil {
			return nil, err
		}
	}
	var in ehfInput
	made := archive.File{What: "the EHF of " + d.String(), Sum: sum, Render: func(ctx context.Context, _ string) (_ []byte, err error) {
		if in, err = s.readEHF(ctx, creditorID, d); err != nil {
			return nil, fmt.Errorf("read %s: %w", d, err)
		}
		if err := refuseAdopted(in.Rows); err != nil {
			return nil, err
		}
		return s.express(ctx, in)
	}}
	return s.archive.Once(ctx, made, func(ctx context.Context, sum string) (kept string, err error) {
		err = s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			var fresh bool
			if err := keepSellers(ctx, tx, creditorID, map[models.Document]models.Seller{d: in.creditor.Seller()}); err != nil {
				return err
			}
			if kept, fresh, err = tx.SetEHF(ctx, creditorID, d, sum); err != nil || !fresh {
				return err
			}
			return warnOfVAT(ctx, tx, in)
		})
		return kept, err
	})
}

// ehfInput are the rows that an EHF is made of.
type ehfInput struct {
	Rows
	creditor    models.Creditor // as the document shows it
	lines       []models.Line
	noticeLines []models.NoticeLine // of a notice
	before      int                 // of a notice: ehf.ReminderInput.Before
}

func (s *Store) readEHF(ctx context.Context, creditorID int64, d models.Document) (in ehfInput, err error) {
	if in.Rows, err = Read(ctx, s.db, creditorID, d); err != nil {
		return ehfInput{}, err
	}
	now, err := s.db.Creditor(ctx, creditorID)
	if err != nil {
		return ehfInput{}, err
	}
	seller, err := s.sellerOf(ctx, now, in.Rows)
	if err != nil {
		return ehfInput{}, err
	}
	in.creditor = now.As(seller)
	if in.CreditNote.ID != 0 {
		in.lines, err = s.db.LinesOfCreditNote(ctx, in.CreditNote)
	} else {
		in.lines, err = s.db.InvoiceLines(ctx, in.Invoice.ID)
	}
	if err != nil {
		return ehfInput{}, err
	}
	if in.Notice.ID == 0 {
		return in, nil
	}
	if in.noticeLines, err = s.db.NoticeLines(ctx, in.Notice.ID); err != nil {
		return ehfInput{}, err
	}
	in.before, err = s.db.NoticesBefore(ctx, in.Notice)
	return in, err
}

// express makes the document. The PDF is made, and so kept, only of a document that breaks no rule without it: else what a
// person mends for the EHF's sake would be missing in the PDF for ever.
func (s *Store) express(ctx context.Context, in ehfInput) ([]byte, error) {
	d := in.Document
	as := kinds[d.Kind].ehf
	made, err := as.express(in, nil)
	if err != nil || !as.holdsPDF {
		return made, err
	}
	pdf := s.PDFs(ctx, in.creditor.ID, []models.Document{d}, d)[d]
	if pdf.Err != nil {
		return nil, pdf.Err
	}
	return as.express(in, pdf.Content)
}

// lowOfInterface is the percent of LOW in the interface's default set (rule D14). No rate in Norway is 8 %.
const lowOfInterface models.Percent = 8_00

// warnOfVAT tells that a document has lines at a rate that Norway does not have: it is valid, and its receiver will doubt it.
func warnOfVAT(ctx context.Context, tx *store.Tx, in ehfInput) error {
	if !slices.ContainsFunc(in.lines, func(l models.Line) bool { return l.VAT == models.VATLow && l.VATPercent == lowOfInterface }) {
		return nil
	}
	facts := models.Facts{"document": in.Document.Kind, "invoice_number": in.Invoice.Number, "percent": lowOfInterface.String()}
	if in.CreditNote.ID != 0 {
		facts["credit_note_number"] = in.CreditNote.Number
	}
	return tx.Log(ctx, models.Event{
		CreditorID: in.creditor.ID, Type: models.EventEHFVATRate, InvoiceID: in.Invoice.ID, CustomerID: in.Head.CustomerID, SubjectID: in.Document.ID,
		Text: fmt.Sprintf("The EHF of %s %d has VAT of %s %%, which is no rate in Norway: set LOW in the creditor's vat_rates",
			kinds[in.Document.Kind].ehf.named, in.Head.Number, lowOfInterface),
		Facts: facts,
	})
}
