package ocr

import (
	"context"
	"encoding/xml"
	"fmt"

	"purr/models"
)

// report is what became of a file, as it is written beside the file (rule R5).
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
	Number       int64     `xml:"number,attr,omitempty"`
	Name         string    `xml:"name,attr"`
	Transactions int       `xml:"transactions"`
	Amount       string    `xml:"amount"`
	Matched      reportSum `xml:"matched"`
	Unmatched    reportSum `xml:"unmatched"`
	Duplicates   reportSum `xml:"duplicates"`
	Ignored      reportSum `xml:"ignored"`
}

type reportSum struct {
	Transactions int    `xml:"transactions,attr"`
	Amount       string `xml:"amount,attr"`
}

type reportNote struct {
	Line int    `xml:"line,attr,omitempty"`
	Code string `xml:"code,attr"`
	Text string `xml:",chardata"`
}

// Report returns what became of a file as XML.
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
		name := "nobody has the account"
		if p.CreditorID != 0 {
			creditor, err := im.db.Creditor(ctx, p.CreditorID)
			if err != nil {
				return nil, err
			}
			name = creditor.Name
		}
		r.Parts = append(r.Parts, reportPart{
			Number: p.CreditorID, Name: name, Transactions: p.Transactions, Amount: p.Amount.String(),
			Matched:    reportSum{p.Matched, p.MatchedAmount.String()},
			Unmatched:  reportSum{p.Unmatched, p.UnmatchedAmount.String()},
			Duplicates: reportSum{p.Duplicates, p.DuplicatesAmount.String()},
			Ignored:    reportSum{p.Ignored, p.IgnoredAmount.String()},
		})
	}
	body, err := xml.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the report of payment file %d: %w", f.ID, err)
	}
	return append([]byte(xml.Header), append(body, '\n')...), nil
}

func notes(ns models.FileNotes) []reportNote {
	out := make([]reportNote, len(ns))
	for i, n := range ns {
		out[i] = reportNote{n.Line, n.Code, n.Text}
	}
	return out
}
