package documents

import (
	"bytes"
	"context"
	"fmt"

	"purr/models"
)

// MaxGivenPDF is the most bytes that the PDF of an adopted invoice may have (rule L17).
const MaxGivenPDF = 700 << 10

// CheckPDF returns what is wrong with bytes that are said to be a PDF: they do not begin and end as one, or are too many.
func CheckPDF(content []byte) error {
	if len(content) > MaxGivenPDF {
		return models.Invalid("pdf_too_large", "pdf", "has %d bytes, the most is %d", len(content), MaxGivenPDF)
	}
	end := content[max(len(content)-1024, 0):]
	if !bytes.HasPrefix(content, []byte("%PDF-")) || !bytes.Contains(end, []byte("%%EOF")) {
		return models.Invalid("invalid_pdf", "pdf", "is no PDF")
	}
	return nil
}

// Keep keeps a PDF that a document comes with, and returns its SHA-256.
func (s *Store) Keep(ctx context.Context, pdf []byte) (sum string, err error) {
	if sum, _, err = s.archive.Put(ctx, bytes.NewReader(pdf)); err != nil {
		return "", fmt.Errorf("keep the PDF of an adopted invoice: %w", err)
	}
	return sum, nil
}

// refuseAdopted fails for what another system has issued: nobody knows enough of it for an EHF.
func refuseAdopted(r Rows) error {
	if r.Document.Kind == models.InvoiceDocument && r.Invoice.Adopted || r.Notice.Adopted {
		return models.Conflict("adopted_document", "another system has issued it: purr makes no EHF of it")
	}
	return nil
}
