package ocr

import (
	"context"
	"encoding/xml"
	"fmt"

	"purr/models"
)

// report is the result of an import, as the inbox writes it beside the file (rule R5).
type report struct {
	XMLName            xml.Name     `xml:"payment_file_report"`
	ID                 int64        `xml:"id,attr"` // of the payment file
	Filename           string       `xml:"filename"`
	Format             string       `xml:"format"`
	Sender             string       `xml:"sender"`
	TransmissionNumber string       `xml:"transmission_number"`
	Status             string       `xml:"status"`
	DuplicateOf        int64        `xml:"duplicate_of,omitempty"`
	SHA256             string       `xml:"sha256"`
	Parts              []reportPart `xml:"creditor"`
	Faults             []reportNote `xml:"fault"`
	Warnings           []reportNote `xml:"warning"`
}

type reportPart struct {
	Number       int64         `xml:"number,attr,omitempty"`
	Name         string        `xml:"name,attr"`
	Transactions int           `xml:"transactions"`
	Amount       models.Amount `xml:"amount"`
	Matched      reportSum     `xml:"matched"`
	Unmatched    reportSum     `xml:"unmatched"`
	Duplicates   reportSum     `xml:"duplicates"`
	Ignored      reportSum     `xml:"ignored"`
}

type reportSum struct {
	Transactions int           `xml:"transactions,attr"`
	Amount       models.Amount `xml:"amount,attr"`
}

type reportNote struct {
	Line int    `xml:"line,attr,omitempty"`
	Code string `xml:"code,attr"`
	Text string `xml:",chardata"`
}

// Report returns the result of a file's import as XML.
func (im *Importer) Report(ctx context.Context, f models.PaymentFile) ([]byte, error) {
	r := report{
		ID: f.ID, Filename: f.Filename, Format: f.Format, Sender: f.Sender, TransmissionNumber: f.TransmissionNumber,
		Status: string(f.State), DuplicateOf: f.DuplicateOf, SHA256: f.SHA256, Faults: notes(f.Faults), Warnings: notes(f.Warnings),
	}
	parts, err := im.db.FileParts(ctx, f.ID)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		creditor := models.Creditor{Name: "nobody has the account"}
		if p.CreditorID != 0 {
			if creditor, err = im.db.Creditor(ctx, p.CreditorID); err != nil {
				return nil, err
			}
		}
		r.Parts = append(r.Parts, reportPart{
			Number: p.CreditorID, Name: creditor.Name, Transactions: p.Transactions, Amount: p.Amount,
			Matched:    reportSum{p.Matched, p.MatchedAmount},
			Unmatched:  reportSum{p.Unmatched, p.UnmatchedAmount},
			Duplicates: reportSum{p.Duplicates, p.DuplicatesAmount},
			Ignored:    reportSum{p.Ignored, p.IgnoredAmount},
		})
	}
	body, err := xml.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the report of payment file %d: %w", f.ID, err)
	}
	return fmt.Appendf(nil, "%s%s\n", xml.Header, body), nil
}

func notes(ns models.FileFindings) []reportNote {
	out := make([]reportNote, len(ns))
	for i, n := range ns {
		out[i] = reportNote(n)
	}
	return out
}
