package kept

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// elements of an EHF document that say what is to be paid, by the rows' name of it (Peppol BIS Billing 3.0, EHF Reminder 3.0).
var elements = []struct{ what, path string }{
	{"gross", "Invoice/LegalMonetaryTotal/PayableAmount"},
	{"issued", "Invoice/IssueDate"},
	{"due", "Invoice/DueDate"},
	{"KID", "Invoice/PaymentMeans/PaymentID"},
	{"account", "Invoice/PaymentMeans/PayeeFinancialAccount/ID"},
}

// chargedVAT is the VAT percent of what a reminder adds to the invoice that it repeats: its fee and its interest, which bear none
// (merverdiavgiftsloven § 4-1).
const chargedVAT = "Invoice/AllowanceCharge/TaxCategory/Percent"

// first returns the first of texts, or none.
func first(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return texts[0]
}

// InEHF compares a notice's EHF with the rows. The error says why it cannot be read.
func (l Letter) InEHF(document []byte) (d []Difference, err error) {
	found, err := valuesOf(document)
	if err != nil {
		return nil, err
	}
	want := map[string]string{"gross": l.Gross.String(), "issued": l.Issued.String(), "due": l.Due.String(), "KID": l.KID, "account": l.Account}
	for _, e := range elements {
		if is := first(found[e.path]); want[e.what] != "" && is != want[e.what] {
			d = append(d, Difference{e.what, is, want[e.what]})
		}
	}
	for _, percent := range found[chargedVAT] {
		if strings.Trim(percent, "0.") != "" {
			d = append(d, Difference{"VAT", percent, "0"})
		}
	}
	return d, nil
}

// valuesOf returns the texts at each path of a document, by the local names of its elements.
func valuesOf(document []byte) (map[string][]string, error) {
	values := make(map[string][]string)
	var path []string
	in := xml.NewDecoder(bytes.NewReader(document))
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("the EHF cannot be read: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			path = append(path, t.Name.Local)
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			at := strings.Join(path, "/")
			if text := strings.TrimSpace(string(t)); text != "" {
				values[at] = append(values[at], text)
			}
		}
	}
	if len(values[elements[0].path]) == 0 {
		return nil, errors.New("the document is no EHF of a notice: it asks for nothing")
	}
	return values, nil
}
