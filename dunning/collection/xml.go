package collection

import (
	"encoding/xml"
	"fmt"

	"purr/models"
)

// claimXML is claim.xml, the whole claim. Its names are those of the interface, if the interface has them. Amounts
// are in kroner with two decimals; dates are yyyy-mm-dd.
type claimXML struct {
	XMLName   xml.Name      `xml:"collection_claim"`
	HandOver  int64         `xml:"hand_over,attr"`
	Date      models.Date   `xml:"handed_over,attr"`
	Forced    int           `xml:"forced,attr,omitempty"`         // 1: a person insisted, although the warning's deadline had not passed (rule L10)
	Unnoticed int           `xml:"without_notice,attr,omitempty"` // 1: no notice was ever sent
	Creditor  party         `xml:"creditor"`
	Debtor    debtorXML     `xml:"debtor"`
	Claim     amountsXML    `xml:"claim"`
	Invoice   invoiceXML    `xml:"invoice"`
	Notices   []noticeXML   `xml:"overdue_notices>overdue_notice"`
	Entries   []entryXML    `xml:"ar_transactions>ar_transaction"`
	Shipments []shipmentXML `xml:"shipments>shipment"`
}

// party is a creditor.
type party struct {
	Name               string `xml:"name"`
	OrganisationNumber string `xml:"organisation_number"`
	Address1           string `xml:"address1"`
	Address2           string `xml:"address2"`
	PostalCode         string `xml:"postal_code"`
	PostalName         string `xml:"postal_name"`
	CountryCode        string `xml:"country_code"`
	Email              string `xml:"email"`
	BankAccount        string `xml:"bank_account"`
}

func partyOf(c models.Creditor) party {
	return party{c.Name, c.OrganisationNumber, c.Address1, c.Address2, c.PostalCode, c.PostalName, c.CountryCode, c.Email, c.BankAccount}
}

// recipientXML is a name and an address.
type recipientXML struct {
	Name1              string `xml:"name1"`
	Name2              string `xml:"name2"`
	Address1           string `xml:"address1"`
	Address2           string `xml:"address2"`
	PostalCode         string `xml:"postal_code"`
	PostalName         string `xml:"postal_name"`
	CountryCode        string `xml:"country_code"`
	Email              string `xml:"email"`
	Phone              string `xml:"phone,omitempty"`
	CustomerNumber     string `xml:"customer_number"`
	OrganisationNumber string `xml:"organisation_number,omitempty"`
}

func recipientOf(r models.Recipient) recipientXML { return recipientXML(r) }

// debtorXML is the customer as it is now. The documents show it as it was when they were sent.
type debtorXML struct {
	Business           int    `xml:"business,attr"`       // 1 or 0
	OrganisationNumber string `xml:"organisation_number"` // also when it has none, in place of the recipient's
	Language           string `xml:"language"`
	recipientXML
}

// amountsXML is what is claimed, by kind (inkassoloven § 10).
type amountsXML struct {
	Principal models.Amount `xml:"principal"`
	Interest  models.Amount `xml:"interest"`
	Fees      models.Amount `xml:"overdue_charges"`
	Total     models.Amount `xml:"total"`
	Further   furtherXML    `xml:"further_interest"`
	KID       string        `xml:"ocr_kid_number"`
	Account   string        `xml:"bank_account"`
	Dispute   *objectionXML `xml:"dispute"`
}

// furtherXML is the interest that the principal bears from a day on, at the rate of the hand-over's day.
type furtherXML struct {
	From models.Date    `xml:"from,attr"`
	Rate models.Percent `xml:"rate,attr"` // per year
	Free []freeXML      `xml:"waived"`    // days after from that bear none (rule N11)
}

// freeXML are days of which the creditor has waived the interest.
type freeXML struct {
	From models.Date `xml:"from,attr"`
	To   models.Date `xml:"to,attr"`
}

func freeOf(days models.Periods) (shown []freeXML) {
	for _, p := range days {
		shown = append(shown, freeXML(p))
	}
	return shown
}

// objectionXML is the customer's objection to a disputed claim.
type objectionXML struct {
	Comment string `xml:"comment"`
}

type invoiceXML struct {
	Number        int64         `xml:"invoice_number"`
	IssueDate     models.Date   `xml:"issue_date"`
	DueDate       models.Date   `xml:"due_date"`
	Gross         models.Amount `xml:"gross_amount"`
	Net           models.Amount `xml:"net_amount"`
	YourReference string        `xml:"your_reference,omitempty"`
	OrderNumber   string        `xml:"order_number,omitempty"`
	DeliveryDate  models.Date   `xml:"delivery_date,omitempty"`
	DeliveryPlace string        `xml:"delivery_place,omitempty"`
	Recipient     recipientXML  `xml:"recipient"`
	Lines         []lineXML     `xml:"lines>line"`
}

type lineXML struct {
	Text  string          `xml:"line_text"`
	Price models.Price    `xml:"unit_price"`
	Items models.Quantity `xml:"num_items"`
	Gross models.Amount   `xml:"gross_amount"`
}

type noticeXML struct {
	Sequence     int             `xml:"sequence_number,attr"`
	Warning      int             `xml:"is_incasso_notice,attr"` // 1 or 0
	IssueDate    models.Date     `xml:"issue_date"`
	DueDate      models.Date     `xml:"due_date"`
	CountsUntil  *models.Date    `xml:"counts_until"` // absent unless its letter left late (rule D94)
	Fee          models.Amount   `xml:"overdue_charge"`
	FeeMaximum   models.Amount   `xml:"overdue_charge_maximum"`
	FeeRule      string          `xml:"overdue_charge_rule"`
	Interest     models.Amount   `xml:"interest"`
	Gross        models.Amount   `xml:"gross_amount"`
	Segments     []segment       `xml:"interest_segments>segment"`
	Recalculated []recalculation `xml:"recalculated"` // until the hand-over (rule L4)
}

type entryXML struct {
	Date     models.Date      `xml:"transaction_date"`
	Type     models.EntryType `xml:"transaction_type"`
	Document string           `xml:"document"` // invoice or credit_note
	Amount   models.Amount    `xml:"amount"`
	Comment  string           `xml:"comment"`
}

type shipmentXML struct {
	File   string                `xml:"file,attr"`
	Type   string                `xml:"type,attr"` // original or copy
	Method models.ShipmentMethod `xml:"shipment_method"`
	State  models.ShipmentState  `xml:"state"`
	SentAt string                `xml:"sent_at"` // RFC 3339, in the creditor's time zone; empty if it was not sent
	To     string                `xml:"to"`
}

// withdrawalXML informs the collector that a hand-over is withdrawn.
type withdrawalXML struct {
	XMLName    xml.Name    `xml:"collection_withdrawal"`
	HandOver   int64       `xml:"hand_over,attr"`
	Bundle     string      `xml:"bundle,attr"`
	HandedOver models.Date `xml:"handed_over,attr"`
	TakenBack  models.Date `xml:"taken_back,attr"`
	Creditor   party       `xml:"creditor"`
	Invoice    int64       `xml:"invoice_number"`
	KID        string      `xml:"ocr_kid_number"`
}

// manifestXML is manifest.xml: the files of the bundle.
type manifestXML struct {
	XMLName  xml.Name     `xml:"collection_manifest"`
	HandOver int64        `xml:"hand_over,attr"`
	Invoice  int64        `xml:"invoice_number,attr"`
	Files    []listedFile `xml:"file"`
}

type listedFile struct {
	Name   string `xml:"name,attr"`
	Size   int    `xml:"bytes,attr"`
	SHA256 string `xml:"sha256,attr"`
}

// asXML returns an indented XML document.
func asXML(document any) ([]byte, error) {
	body, err := xml.MarshalIndent(document, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write a %T as XML: %w", document, err)
	}
	return append([]byte(xml.Header), append(body, '\n')...), nil
}
