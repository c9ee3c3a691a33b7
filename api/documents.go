package api

import (
	"purr/models"
)

// Parts that the details of invoices, credit notes and notices share.

// link points at another resource.
type link struct {
	URI string `xml:"uri,attr"`
}

// recipientXML is the recipient of a document: name and address as they stand on it.
type recipientXML struct {
	URI    string `xml:"uri,attr,omitempty"`
	Parent *link  `xml:"parent_recipient"`
	customerAddress
	Email              string `xml:"email"`
	Phone              string `xml:"phone,omitempty"`
	CustomerNumber     string `xml:"customer_number"`
	CountryCode        string `xml:"country_code"`
	OrganisationNumber string `xml:"organisation_number,omitempty"`
}

func recipientOf(r models.Recipient) recipientXML {
	return recipientXML{
		customerAddress: addressXML(r), Email: r.Email, Phone: r.Phone, CustomerNumber: r.CustomerNumber, CountryCode: r.CountryCode, OrganisationNumber: r.OrganisationNumber,
	}
}

// linesXML are the lines of an invoice or credit note.
type linesXML struct {
	Lines []lineXML `xml:"line"`
}

type lineXML struct {
	Index        int                 `xml:"index,attr"`
	Text         string              `xml:"line_text"`
	Price        models.Price        `xml:"unit_price"`
	Items        models.Quantity     `xml:"num_items"`
	Discount     string              `xml:"discount_percent"`
	Net          models.Amount       `xml:"net_amount"`
	Gross        models.Amount       `xml:"gross_amount"`
	VAT          vatXML              `xml:"vat_rate"`
	VATExemption models.VATExemption `xml:"vat_exemption,omitempty"`
}

type vatXML struct {
	Percent models.Percent `xml:"percent,attr"`
	Name    models.VATName `xml:",chardata"`
}

func linesOf(lines []models.Line) linesXML {
	var shown linesXML
	for _, l := range lines {
		line := lineXML{
			Index: l.Position, Text: l.Text, Price: l.UnitPrice, Items: l.NumItems, Net: l.Net, Gross: l.Gross,
			VAT: vatXML{l.VATPercent, l.VAT}, VATExemption: l.VATExemption,
		}
		if l.Discount != nil {
			line.Discount = l.Discount.String()
		}
		shown.Lines = append(shown.Lines, line)
	}
	return shown
}

// shipmentsXML are the shipments of a document.
type shipmentsXML struct {
	Shipments []shipmentXML `xml:"shipment"`
}

type shipmentXML struct {
	Type      string                `xml:"type,attr"`
	Method    models.ShipmentMethod `xml:"shipment_method"`
	SentAt    string                `xml:"sent_at"`
	Recipient any                   `xml:"recipient"`
	MoreTime  *models.Date          `xml:"more_time"`         // of a letter of more time, its last day
	Friendly  *models.Date          `xml:"friendly_reminder"` // of a friendly reminder, its day
}

// copyRecipient is the recipient of a copy. Only the address is known.
type copyRecipient struct {
	Email string `xml:"email"`
}

func (rq *request) shipmentsOf(shipments []models.Shipment) shipmentsXML {
	var shown shipmentsXML
	for _, s := range shipments {
		x := shipmentXML{Type: s.Role().Shown(), Method: s.Method, Recipient: recipientOf(s.Recipient), MoreTime: toldOf(s), Friendly: friendlyOf(s)}
		if s.Role() != models.Original && !s.Method.IsLetter() {
			x.Recipient = copyRecipient{s.Recipient.Email}
		}
		if s.SentAt != nil {
			x.SentAt = rq.stamp(*s.SentAt)
		}
		shown.Shipments = append(shown.Shipments, x)
	}
	return shown
}

// documentEntries are the entries of one document, in its detail.
type documentEntries struct {
	Balance models.Amount   `xml:"balance,attr"`
	Entries []documentEntry `xml:"ar_transaction"`
}

type documentEntry struct {
	URI         string           `xml:"uri,attr"`
	Date        models.Date      `xml:"transaction_date"`
	Amount      models.Amount    `xml:"amount"`
	Comment     string           `xml:"comment"`
	FromAccount *string          `xml:"from_account_number"`
	Type        models.EntryType `xml:"transaction_type"`
}

func (rq *request) entriesOf(balance models.Amount, entries []models.Entry) documentEntries {
	shown := documentEntries{Balance: balance}
	for _, e := range entries {
		shown.Entries = append(shown.Entries, rq.documentEntry(e))
	}
	return shown
}

func (rq *request) documentEntry(e models.Entry) documentEntry {
	return documentEntry{
		URI: rq.uri("ar_transaction", e.ID), Date: e.TransactionDate, Amount: e.Amount, Comment: e.Comment,
		FromAccount: fromAccount(e), Type: e.Type,
	}
}

// fromAccount returns the payer's account. Only payments from the bank have one.
func fromAccount(e models.Entry) *string {
	if e.Type != models.EntryOCR {
		return nil
	}
	return &e.FromAccountNumber
}

// flag is written as 1 or 0.
type flag bool

// MarshalText returns 1 or 0.
func (f flag) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// String returns 1 or 0.
func (f flag) String() string {
	if f {
		return "1"
	}
	return "0"
}

// createdDocument answers with a new document. It also tells the queue to send the document.
func (rq *request) createdDocument(uri string, detail any, d models.Document) (answer, error) {
	a, err := rq.created(uri, detail)
	if err != nil {
		return answer{}, err
	}
	a.made = &d
	return a, nil
}
