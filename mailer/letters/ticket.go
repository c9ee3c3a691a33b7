package letters

import (
	"encoding/xml"
	"fmt"

	"purr/documents/pdf"
	"purr/models"
)

// Letter is a letter of a batch.
type Letter struct {
	Name      string // models.Shipment.Name
	Creditor  string // organisation number
	Recipient models.Recipient
	PDF       []byte
}

// Line is a letter as a manifest names it.
type Line struct {
	ID     string `xml:"id,attr"` // the letter's name
	File   string `xml:"file,attr"`
	Ticket string `xml:"ticket,attr"`
	SHA256 string `xml:"sha256,attr"` // of the PDF
	Pages  int    `xml:"pages,attr"`
}

// Line returns the letter as its manifest names it.
func (l Letter) Line() Line {
	return Line{ID: l.Name, File: l.Name + ".pdf", Ticket: l.Name + ".xml", SHA256: sum(l.PDF), Pages: pdf.Pages(l.PDF)}
}

// ticket is what a print shop must know of one letter (rule S4a).
type ticket struct {
	XMLName   xml.Name  `xml:"letter"`
	ID        string    `xml:"id,attr"`
	Creditor  string    `xml:"creditor,attr"`
	SHA256    string    `xml:"sha256,attr"`
	Pages     int       `xml:"pages,attr"`
	Country   string    `xml:"country,attr"`
	Sides     string    `xml:"sides,attr"`
	File      string    `xml:"file"`
	Recipient recipient `xml:"recipient"`
}

// recipient has the elements of the interface.
type recipient struct {
	Name1       string `xml:"name1"`
	Name2       string `xml:"name2,omitempty"`
	Address1    string `xml:"address1,omitempty"`
	Address2    string `xml:"address2,omitempty"`
	PostalCode  string `xml:"postal_code"`
	PostalName  string `xml:"postal_name"`
	CountryCode string `xml:"country_code"`
}

// Ticket returns the job ticket of a letter. The same letter always makes the same bytes.
func Ticket(l Letter) ([]byte, error) {
	r, line := l.Recipient, l.Line()
	return write(ticket{
		ID: l.Name, Creditor: l.Creditor, SHA256: line.SHA256, Pages: line.Pages, Country: r.CountryCode, Sides: string(sides(line.Pages)), File: line.File,
		Recipient: recipient{r.Name1, r.Name2, r.Address1, r.Address2, r.PostalCode, r.PostalName, r.CountryCode},
	})
}

// manifest is what a print shop must know of a batch.
type manifest struct {
	XMLName xml.Name `xml:"batch"`
	ID      string   `xml:"id,attr"`
	Letters int      `xml:"letters,attr"`
	Lines   []Line   `xml:"letter"`
}

// Manifest returns the manifest of a batch. Only what it names is handed over.
func Manifest(batch string, lines []Line) ([]byte, error) {
	return write(manifest{ID: batch, Letters: len(lines), Lines: lines})
}

func write(document any) ([]byte, error) {
	text, err := xml.MarshalIndent(document, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("letters: %w", err)
	}
	return append([]byte(xml.Header), append(text, '\n')...), nil
}
