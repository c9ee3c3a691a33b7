package documents

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"purr/documents/pdf"
	"purr/law"
	"purr/models"
	"purr/store"
)

// sources are what the PDFs of some documents of a creditor are drawn from.
type sources struct {
	rows        map[models.Document]Rows
	creditor    models.Creditor // as it is now
	sellers     sellers
	logo        func(models.Seller) (*pdf.Logo, error)
	customers   map[int64]models.Customer
	lines       map[int64][]models.Line       // by invoice
	creditLines map[int64][]models.Line       // of partial credit notes, by credit note
	noticeLines map[int64][]models.NoticeLine // by notice
	notices     map[int64][]models.Notice     // of invoices that have more than one, by invoice
}

// readSources reads what the documents show of their creditor, and what the fresh ones of them are drawn from, with one statement for
// each kind of row.
func (s *Store) readSources(ctx context.Context, creditorID int64, rows map[models.Document]Rows, fresh []models.Document) (src sources, err error) {
	db := s.db
	src.rows, src.logo = rows, s.DrawnLogo
	if src.creditor, err = db.Creditor(ctx, creditorID); err != nil {
		return sources{}, err
	}
	if src.sellers, err = readSellers(ctx, db, src.creditor, rows); err != nil || len(fresh) == 0 {
		return src, err
	}
	invoices, customers := map[int64]bool{}, map[int64]bool{}
	for _, d := range fresh {
		invoices[rows[d].Invoice.ID], customers[rows[d].Head.CustomerID] = true, true
		for _, i := range rows[d].Invoices() {
			invoices[i.ID] = true
		}
	}
	if src.customers, err = db.CustomersByID(ctx, creditorID, slices.Collect(maps.Keys(customers))); err != nil {
		return sources{}, err
	}
	if src.lines, err = db.LinesOfInvoices(ctx, slices.Collect(maps.Keys(invoices))); err != nil {
		return sources{}, err
	}
	if err := src.readCreditLines(ctx, db, fresh); err != nil {
		return sources{}, err
	}
	return src, src.readNotices(ctx, db, fresh)
}

// readCreditLines reads the lines of the partial credit notes among the documents.
func (src *sources) readCreditLines(ctx context.Context, db *store.DB, fresh []models.Document) error {
	src.creditLines = map[int64][]models.Line{}
	for _, d := range fresh {
		note := src.rows[d].CreditNote
		if !note.Partial {
			continue
		}
		lines, err := db.LinesOfCreditNote(ctx, note)
		if err != nil {
			return err
		}
		src.creditLines[note.ID] = lines
	}
	return nil
}

// readNotices reads the lines of the notices among the documents, and all notices of invoices that have more than one.
func (src *sources) readNotices(ctx context.Context, db *store.DB, fresh []models.Document) (err error) {
	var noticeIDs, dunned []int64
	for _, d := range fresh {
		r := src.rows[d]
		if r.Notice.ID != 0 {
			noticeIDs = append(noticeIDs, r.Notice.ID)
		}
		if r.Notice.Sequence > 1 {
			dunned = append(dunned, r.Invoice.ID)
		}
		for _, p := range r.Parts {
			noticeIDs = append(noticeIDs, p.Notice.ID)
			if p.Notice.Sequence > 1 {
				dunned = append(dunned, p.Invoice.ID)
			}
		}
	}
	if len(noticeIDs) == 0 {
		return nil
	}
	if src.noticeLines, err = db.LinesOfNotices(ctx, noticeIDs); err != nil {
		return err
	}
	if len(dunned) > 0 {
		src.notices, err = db.NoticesOfInvoices(ctx, dunned)
	}
	return err
}

// linesOf returns the lines of a document: a partial credit note's own, else those of its invoice.
func (src sources) linesOf(r Rows) []models.Line {
	if r.CreditNote.Partial {
		return src.creditLines[r.CreditNote.ID]
	}
	return src.lines[r.Invoice.ID]
}

// drawing is what a document is drawn from.
type drawing struct {
	Rows
	sources  sources
	seller   models.Seller
	creditor models.Creditor // as the seller
	logo     *pdf.Logo       // of the seller; nil if he has none
	lines    []models.Line   // of the invoice, or of a partial credit note
	language string
	preview  bool // it was not issued
}

// render draws a document that shows the seller.
func (src sources) render(ctx context.Context, db *store.DB, r Rows, seller models.Seller) (pdf []byte, err error) {
	customer, there := src.customers[r.Head.CustomerID]
	if !there {
		return nil, fmt.Errorf("render %s: %w", r.Document, models.NotFound("customer"))
	}
	logo, err := src.logo(seller)
	if err != nil {
		return nil, fmt.Errorf("render %s: its logo: %w", r.Document, err)
	}
	pdf, err = kinds[r.Document.Kind].draw(ctx, db, drawing{
		Rows: r, sources: src, seller: seller, creditor: src.creditor.As(seller), logo: logo,
		lines: src.linesOf(r), language: r.LanguageFor(src.creditor, customer),
	})
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", r.Document, err)
	}
	return pdf, nil
}

func drawInvoice(_ context.Context, _ *store.DB, in drawing) ([]byte, error) {
	return pdf.Invoice(pdf.InvoiceInput{Creditor: in.creditor, Logo: in.logo, Invoice: in.Invoice, Lines: in.lines, Language: in.language})
}

func drawCreditNote(ctx context.Context, db *store.DB, in drawing) ([]byte, error) {
	free, err := freeOf(ctx, db, in.CreditNote)
	if err != nil {
		return nil, err
	}
	return pdf.CreditNote(pdf.CreditNoteInput{
		Creditor: in.creditor, Logo: in.logo, CreditNote: in.CreditNote, Invoice: in.Invoice, Lines: in.lines, Free: free, Language: in.language,
	})
}

func drawNotice(ctx context.Context, db *store.DB, in drawing) ([]byte, error) {
	if in.Letter.ID != 0 { // it was sent as that letter
		return drawLetter(ctx, db, in)
	}
	src, lines := in.sources, in.sources.noticeLines[in.Notice.ID]
	sheet, err := law.ReadSheet(in.Notice.Sheet)
	if err != nil {
		return nil, err
	}
	owed := owed(lines)
	issued := src.sellers.issuedBy(in.Invoice.SellerID, in.Invoice.CreatedAt) // whose account the invoice names
	return pdf.Notice(pdf.NoticeInput{
		Creditor: src.creditor.As(in.seller.WithAccount(in.Invoice.BankAccount, issued)),
		Logo:     in.logo, Notice: in.Notice, Lines: lines, Invoice: in.Invoice, Claim: in.lines, Owed: owed, Language: in.language, Preview: in.preview,
		Compensated: compensatedBy(src.notices[in.Invoice.ID], in.Notice),
		Interest:    interestPeriods(sheet.Interest), Ahead: interestAhead(sheet.Interest, owed.Principal, in.Notice.IssueDate+1),
	})
}

func drawPlan(_ context.Context, _ *store.DB, in drawing) ([]byte, error) {
	issued := in.sources.sellers.issuedBy(in.Invoice.SellerID, in.Invoice.CreatedAt) // whose account the invoice names
	return pdf.PaymentPlan(pdf.PaymentPlanInput{
		Creditor: in.sources.creditor.As(in.seller.WithAccount(in.Invoice.BankAccount, issued)), Logo: in.logo, Plan: in.Plan, Invoice: in.Invoice, Language: in.language,
	})
}

// drawLetter draws a letter for several invoices (rule L23).
func drawLetter(_ context.Context, _ *store.DB, in drawing) ([]byte, error) {
	if len(in.Parts) == 0 {
		return nil, models.NotFound("notice")
	}
	src, first := in.sources, in.Parts[0].Invoice
	issued := src.sellers.issuedBy(first.SellerID, first.CreatedAt)
	letter := pdf.LetterInput{Creditor: src.creditor.As(in.seller.WithAccount(first.BankAccount, issued)), Logo: in.logo, Letter: in.Letter, Language: in.language}
	for _, p := range in.Parts {
		sheet, err := law.ReadSheet(p.Notice.Sheet)
		if err != nil {
			return nil, err
		}
		owed := owed(src.noticeLines[p.Notice.ID])
		ahead := interestAhead(sheet.Interest, owed.Principal, p.Notice.IssueDate+1)
		letter.Ahead.From, letter.Ahead.Rate = max(letter.Ahead.From, ahead.From), max(letter.Ahead.Rate, ahead.Rate)
		letter.Ahead.PerDay += ahead.PerDay
		letter.Compensated = letter.Compensated || compensatedBy(src.notices[p.Invoice.ID], p.Notice)
		letter.Parts = append(letter.Parts, pdf.LetterPart{Invoice: p.Invoice, Notice: p.Notice, Claim: src.lines[p.Invoice.ID], Owed: owed})
	}
	return pdf.Letter(letter)
}

// freeOf returns how much of a credit note was the customer's when it was made: what was not set off against the
// invoice in the same transaction. What became of it later does not change the PDF.
func freeOf(ctx context.Context, db *store.DB, note models.CreditNote) (models.Amount, error) {
	entries, err := db.EntriesOfCreditNote(ctx, note)
	if err != nil {
		return 0, err
	}
	var free models.Amount
	for _, e := range entries {
		if e.CreatedAt.Equal(note.CreatedAt) {
			free -= e.Amount
		}
	}
	return free, nil
}

// compensatedBy reports whether the notice or one before it charged standard compensation. notices are the invoice's.
func compensatedBy(notices []models.Notice, n models.Notice) bool {
	return n.Compensation || slices.ContainsFunc(notices, func(o models.Notice) bool { return o.Sequence < n.Sequence && o.Compensation })
}

// owed returns what is owed of each kind by a notice's lines, or nothing if the kind of a line is not known.
func owed(lines []models.NoticeLine) pdf.Owed {
	entries := make([]models.Entry, len(lines))
	for i, l := range lines {
		if l.Type == "" {
			return pdf.Owed{}
		}
		entries[i] = models.Entry{Type: l.Type, Amount: l.Gross}
	}
	a := law.Allocate(entries)
	return pdf.Owed{Principal: a.Principal, Interest: a.Interest, Fees: a.Fees}
}

// interestPeriods returns the rates and days of a notice's interest.
func interestPeriods(i law.Interest) []pdf.InterestPeriod {
	periods := make([]pdf.InterestPeriod, len(i.Segments))
	for n, s := range i.Segments {
		periods[n] = pdf.InterestPeriod{From: s.From, To: s.To, Rate: s.Rate}
	}
	return periods
}

// interestAhead returns what a principal bears each day from a day on, at the rate of a notice's last day of interest. It
// is zero if the notice charges none.
func interestAhead(i law.Interest, principal models.Amount, from models.Date) pdf.InterestAhead {
	if len(i.Segments) == 0 {
		return pdf.InterestAhead{}
	}
	rate := i.Segments[len(i.Segments)-1].Rate
	return pdf.InterestAhead{From: from, Rate: rate, PerDay: models.MulDiv(principal, int64(rate), 100*100*int64(from.DaysInYear()))}
}
