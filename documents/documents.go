// Package documents makes each document's PDF and EHF once and keeps them, so that later readings and shipments have the
// same bytes (rules D35, H2). It knows neither who asks nor how documents are sent.
package documents

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"purr/models"
	"purr/store"
	"purr/store/archive"
)

// Store makes and keeps PDFs and EHF documents. It is safe for concurrent use, also by several processes.
type Store struct {
	db      *store.DB
	archive *archive.Archive
}

// New returns the store of the PDFs and the EHF documents of the database's documents. It keeps them in the archive.
func New(db *store.DB, a *archive.Archive) *Store { return &Store{db, a} }

// PDF returns a document's PDF, and makes it if it is not made yet. If several callers make it at once, all get
// the bytes of the first. A PDF that the archive has lost or damaged is made again and put back, if that gives the same
// bytes. If not, the error is a *archive.Fault: the creditor or the customer may have changed since (rule O7).
func (s *Store) PDF(ctx context.Context, creditorID int64, d models.Document) ([]byte, error) {
	sum, err := s.db.PDF(ctx, creditorID, d)
	if err != nil {
		return nil, err
	}
	if sum != "" {
		return s.keptPDF(ctx, creditorID, d, sum)
	}
	pdf := s.PDFs(ctx, creditorID, []models.Document{d})[d]
	return pdf.Content, pdf.Err
}

// PDF is a document's PDF with the rows that the database holds of the document, or why there is none.
type PDF struct {
	Rows
	Seller  models.Seller // what it shows of its creditor (rule D112)
	Content []byte
	Err     error
}

func (r Rows) with(content []byte, err error) PDF { return PDF{Rows: r, Content: content, Err: err} }

// PDFs does for several documents of a creditor what PDF does for one. It reads, keeps and notes them together, and the
// error of one leaves the others alone. It returns a PDF or an error for each document. What is drawn for the first time of those that
// are about to go as EHF, which stands under ehf too, shows what an EHF cannot do without.
func (s *Store) PDFs(ctx context.Context, creditorID int64, ds []models.Document, ehf ...models.Document) map[models.Document]PDF {
	pdfs, err := s.pdfs(ctx, creditorID, ds, ehf)
	if err != nil {
		pdfs = make(map[models.Document]PDF, len(ds))
		for _, d := range ds {
			pdfs[d] = PDF{Err: err}
		}
	}
	return pdfs
}

func (s *Store) pdfs(ctx context.Context, creditorID int64, ds, ehf []models.Document) (map[models.Document]PDF, error) {
	rows, err := ReadAll(ctx, s.db, creditorID, ds)
	if err != nil {
		return nil, err
	}
	pdfs := make(map[models.Document]PDF, len(ds))
	var fresh []models.Document
	for _, d := range ds {
		r, there := rows[d]
		switch sum := r.PDF(d.Kind); {
		case !there:
			pdfs[d] = PDF{Err: models.NotFound(string(d.Kind))}
		case sum != "":
			pdfs[d] = r.with(s.keptPDF(ctx, creditorID, d, sum))
		default:
			fresh = append(fresh, d)
		}
	}
	if len(fresh) == 0 {
		return pdfs, s.addSellers(ctx, creditorID, rows, pdfs)
	}
	src, err := readSources(ctx, s.db, creditorID, rows)
	if err != nil {
		return nil, err
	}
	src.sellers.ehf = ehf
	var drawn []models.Document
	for _, d := range fresh {
		if pdfs[d] = rows[d].with(src.render(ctx, s.db, d, src.sellers.of(d, rows[d]))); pdfs[d].Err == nil {
			drawn = append(drawn, d)
		}
	}
	if len(drawn) > 0 {
		if err := s.keep(ctx, creditorID, drawn, pdfs, news{src.sellers.unkept(rows, drawn), src.leftOut(drawn)}); err != nil {
			return nil, err
		}
	}
	src.sellers.addTo(pdfs)
	return pdfs, nil
}

// addSellers adds to PDFs that were all made before what they show of their creditor.
func (s *Store) addSellers(ctx context.Context, creditorID int64, rows map[models.Document]Rows, pdfs map[models.Document]PDF) error {
	if len(rows) == 0 {
		return nil
	}
	now, err := s.db.Creditor(ctx, creditorID)
	if err != nil {
		return err
	}
	shown, err := readSellers(ctx, s.db, now, rows)
	if err != nil {
		return err
	}
	shown.addTo(pdfs)
	return nil
}

// news are what is to be noted of documents that are drawn for the first time.
type news struct {
	shown   map[models.Document]models.Seller // of the creditor, where that is not kept yet
	leftOut map[models.Document][]string      // signs
}

// keep keeps the PDFs of documents that are made for the first time, with the news of them. What somebody else was faster with takes
// their place.
func (s *Store) keep(ctx context.Context, creditorID int64, ds []models.Document, pdfs map[models.Document]PDF, n news) error {
	contents := make([][]byte, len(ds))
	for i, d := range ds {
		contents[i] = pdfs[d].Content
	}
	sums, err := s.archive.PutAll(ctx, contents)
	if err != nil {
		return err
	}
	mine := make(map[models.DocumentKind]map[int64]string)
	for i, d := range ds {
		if mine[d.Kind] == nil {
			mine[d.Kind] = map[int64]string{}
		}
		mine[d.Kind][d.ID] = sums[i]
	}
	has := make(map[models.DocumentKind]map[int64]string)
	err = s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		if err := keepSellers(ctx, tx, creditorID, n.shown); err != nil {
			return err
		}
		if err := tellOfSigns(ctx, tx, creditorID, n.leftOut, pdfs); err != nil {
			return err
		}
		for kind, of := range mine {
			if has[kind], err = tx.SetPDFs(ctx, creditorID, kind, of); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, d := range ds {
		if sum := has[d.Kind][d.ID]; sum != mine[d.Kind][d.ID] {
			pdfs[d] = pdfs[d].with(s.keptPDF(ctx, creditorID, d, sum))
		}
	}
	return nil
}

// kept returns what is kept under the sum. It makes it again if the archive has lost or damaged it.
func (s *Store) kept(ctx context.Context, sum, what string, render func() ([]byte, error)) ([]byte, error) {
	found, err := s.archive.Read(sum)
	fault, is := errors.AsType[*archive.Fault](err)
	if !is {
		return found, err
	}
	made, err := render()
	if err == nil {
		err = s.archive.Mend(ctx, fault, made)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return made, nil
}

// keptPDF returns the PDF that is kept under the sum, as kept does.
func (s *Store) keptPDF(ctx context.Context, creditorID int64, d models.Document, sum string) ([]byte, error) {
	return s.kept(ctx, sum, "the PDF of "+d.String(), func() ([]byte, error) { return s.drawAgain(ctx, creditorID, d, sum) })
}

func (s *Store) drawAgain(ctx context.Context, creditorID int64, d models.Document, sum string) ([]byte, error) {
	r, err := Read(ctx, s.db, creditorID, d)
	if err != nil {
		return nil, err
	}
	src, err := readSources(ctx, s.db, creditorID, map[models.Document]Rows{d: r})
	if err != nil {
		return nil, err
	}
	pdf, _, err := src.redraw(ctx, s.db, d, sum)
	return pdf, err
}

// Rows are what the database holds of a document.
type Rows struct {
	Invoice    models.Invoice       // the invoice that the document is or is about
	CreditNote models.CreditNote    // zero unless the document is one
	Notice     models.Notice        // zero unless the document is one
	Statement  models.SentStatement // zero unless the document is one; then there is no invoice
}

// Number returns the document's number; of a notice the invoice's, and of a statement the customer's ID.
func (r Rows) Number() int64 {
	switch {
	case r.CreditNote.ID != 0:
		return r.CreditNote.Number
	case r.Statement.ID != 0:
		return r.Statement.CustomerID
	}
	return r.Invoice.Number
}

// PDF returns the SHA-256 of the stored PDF of the document, which is of the kind; empty until it is made.
func (r Rows) PDF(kind models.DocumentKind) string {
	switch kind {
	case models.CreditNoteDocument:
		return r.CreditNote.PDF
	case models.NoticeDocument:
		return r.Notice.PDF
	case models.StatementDocument:
		return r.Statement.PDF
	case models.InvoiceDocument:
	}
	return r.Invoice.PDF
}

// Language returns the language of the document, which is of the kind; empty for that of its customer, as in documents of before that was
// kept, and in statements.
func (r Rows) Language(kind models.DocumentKind) string {
	switch kind {
	case models.CreditNoteDocument:
		return r.CreditNote.Language
	case models.NoticeDocument:
		return r.Notice.Language
	case models.StatementDocument:
		return ""
	case models.InvoiceDocument:
	}
	return r.Invoice.Language
}

// CustomerID returns the ID of the customer whose document it is.
func (r Rows) CustomerID() int64 { return max(r.Invoice.CustomerID, r.Statement.CustomerID) }

// Reader is a database, or a transaction on one.
type Reader interface {
	InvoicesByID(ctx context.Context, creditorID int64, ids []int64) ([]models.Invoice, error)
	CreditNotesByID(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.CreditNote, error)
	NoticesByID(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.Notice, error)
	SentStatementsByID(ctx context.Context, creditorID int64, ids []int64) ([]models.SentStatement, error)
}

// Read reads the rows of a document.
func Read(ctx context.Context, from Reader, creditorID int64, d models.Document) (Rows, error) {
	found, err := ReadAll(ctx, from, creditorID, []models.Document{d})
	if err != nil {
		return Rows{}, err
	}
	r, there := found[d]
	if !there {
		return Rows{}, models.NotFound(strings.ReplaceAll(string(d.Kind), "_", " "))
	}
	return r, nil
}

// ReadAll reads the rows of several documents of a creditor. It leaves out those that do not exist.
func ReadAll(ctx context.Context, from Reader, creditorID int64, ds []models.Document) (map[models.Document]Rows, error) {
	ids := make(map[models.DocumentKind][]int64)
	for _, d := range ds {
		ids[d.Kind] = append(ids[d.Kind], d.ID)
	}
	rows := make(map[models.Document]Rows, len(ds))
	about := slices.Clone(ids[models.InvoiceDocument]) // the invoices that the documents are or are about
	for _, id := range about {
		rows[models.Document{Kind: models.InvoiceDocument, ID: id}] = Rows{Invoice: models.Invoice{ID: id}}
	}
	if of := ids[models.CreditNoteDocument]; len(of) > 0 {
		notes, err := from.CreditNotesByID(ctx, creditorID, of)
		if err != nil {
			return nil, err
		}
		for _, n := range notes {
			about = append(about, n.InvoiceID)
			rows[n.Document()] = Rows{CreditNote: n, Invoice: models.Invoice{ID: n.InvoiceID}}
		}
	}
	if of := ids[models.NoticeDocument]; len(of) > 0 {
		notices, err := from.NoticesByID(ctx, creditorID, of)
		if err != nil {
			return nil, err
		}
		for _, n := range notices {
			about = append(about, n.InvoiceID)
			rows[n.Document()] = Rows{Notice: n, Invoice: models.Invoice{ID: n.InvoiceID}}
		}
	}
	if of := ids[models.StatementDocument]; len(of) > 0 {
		statements, err := from.SentStatementsByID(ctx, creditorID, of)
		if err != nil {
			return nil, err
		}
		for _, s := range statements {
			rows[s.Document()] = Rows{Statement: s}
		}
	}
	if len(about) == 0 {
		return rows, nil
	}
	found, err := from.InvoicesByID(ctx, creditorID, about)
	if err != nil {
		return nil, err
	}
	invoices := make(map[int64]models.Invoice, len(found))
	for _, i := range found {
		invoices[i.ID] = i
	}
	for d, r := range rows {
		if d.Kind == models.StatementDocument {
			continue
		}
		var there bool
		if r.Invoice, there = invoices[r.Invoice.ID]; !there {
			delete(rows, d)
			continue
		}
		rows[d] = r
	}
	return rows, nil
}
