package demo

import (
	"encoding/xml"
	"time"

	"purr/models"
)

// What the demo sends. An element that is empty is left out.

type creditorForm struct {
	XMLName            xml.Name    `xml:"creditor"`
	Name               string      `xml:"name"`
	OrganisationNumber string      `xml:"organisation_number"`
	VATRegistered      int         `xml:"vat_registered"`
	Address1           string      `xml:"address1"`
	PostalCode         string      `xml:"postal_code"`
	PostalName         string      `xml:"postal_name"`
	Email              string      `xml:"email"`
	BankAccount        string      `xml:"bank_account"`
	VATRates           []vatRate   `xml:"vat_rates>vat_rate"`
	Policy             *policyForm `xml:"dunning_policy"`
}

type vatRate struct {
	Name    models.VATName `xml:"name,attr"`
	Percent models.Percent `xml:"percent,attr"`
	From    models.Date    `xml:"from,attr"`
}

type policyForm struct {
	Enabled            int           `xml:"enabled"`
	FirstNoticeDays    int           `xml:"first_notice_days"`
	SecondNoticeDays   int           `xml:"second_notice_days"`
	MinimumBalance     models.Amount `xml:"minimum_balance"`
	RequirePaymentFile int           `xml:"require_payment_file"`
}

type customerForm struct {
	XMLName            xml.Name `xml:"customer"`
	Name1              string   `xml:"name1"`
	Address1           string   `xml:"address1"`
	PostalCode         string   `xml:"postal_code"`
	PostalName         string   `xml:"postal_name"`
	Email              string   `xml:"email,omitempty"`
	OrganisationNumber string   `xml:"organisation_number,omitempty"`
}

type invoiceForm struct {
	XMLName   xml.Name       `xml:"invoice"`
	Days      int            `xml:"num_due_days"`
	Recipient link           `xml:"recipient"`
	Lines     []lineForm     `xml:"lines>line"`
	Shipments []shipmentForm `xml:"shipments>shipment"`
}

type lineForm struct {
	Text  string         `xml:"line_text"`
	Price string         `xml:"unit_price"`
	Items int            `xml:"num_items"`
	VAT   models.VATName `xml:"vat_rate"`
}

type shipmentForm struct {
	Type   string                `xml:"type,attr"`
	Method models.ShipmentMethod `xml:"shipment_method"`
}

type creditNoteForm struct {
	XMLName   xml.Name       `xml:"credit_note"`
	Comment   string         `xml:"comment"`
	Shipments []shipmentForm `xml:"shipments>shipment"`
}

type entryForm struct {
	XMLName xml.Name      `xml:"ar_transaction"`
	Amount  models.Amount `xml:"amount"`
	Date    models.Date   `xml:"transaction_date"`
	Comment string        `xml:"comment"`
}

type clockForm struct {
	XMLName xml.Name  `xml:"test_clock"`
	Now     time.Time `xml:"now"`
}

// What the demo reads: the elements that it needs of each answer.

type link struct {
	URI string `xml:"uri,attr"`
}

type document struct {
	link
	Status    models.Status `xml:"status,attr"`
	Number    int64         `xml:"invoice_number"`
	Gross     models.Amount `xml:"gross_amount"`
	KID       string        `xml:"ocr_kid_number"`
	Recipient struct {
		Name string `xml:"name1"`
	} `xml:"recipient"`
	Shipments []shipment `xml:"shipments>shipment"`
	Ledger    struct {
		Balance models.Amount `xml:"balance,attr"`
		Entries []entry       `xml:"ar_transaction"`
	} `xml:"ar_transactions"`
	Notices []notice `xml:"overdue_notices>overdue_notice"`
}

type shipment struct {
	Method models.ShipmentMethod `xml:"shipment_method"`
	SentAt string                `xml:"sent_at"`
}

type entry struct {
	link
	Amount     models.Amount    `xml:"amount"`
	Type       models.EntryType `xml:"transaction_type"`
	Invoice    link             `xml:"invoice"`
	CreditNote *link            `xml:"credit_note"`
	Comment    string           `xml:"comment"`
}

type event struct {
	ID      int64            `xml:"id,attr"`
	Type    models.EventType `xml:"type"`
	Invoice link             `xml:"invoice"`
	Subject int64            `xml:"subject_id"`
	Text    string           `xml:"text"`
}

type notice struct {
	link
	DueDate  models.Date   `xml:"due_date"`
	Gross    models.Amount `xml:"gross_amount"`
	Warning  int           `xml:"is_incasso_notice"`
	Sequence int           `xml:"sequence_number"`
	Lines    []struct {
		Gross models.Amount `xml:"gross_amount"`
	} `xml:"lines>line"`
}

type calculation struct {
	Fee struct {
		Amount models.Amount `xml:"amount,attr"`
	} `xml:"overdue_charge"`
	Interest struct {
		Amount models.Amount `xml:"amount,attr"`
	} `xml:"interest"`
}

type paymentFile struct {
	link
	Filename     string           `xml:"filename"`
	Status       models.FileState `xml:"status"`
	Transactions int              `xml:"transactions"`
	Amount       models.Amount    `xml:"amount"`
	Matched      sum              `xml:"matched"`
	Unmatched    sum              `xml:"unmatched"`
	Duplicates   sum              `xml:"duplicates"`
	Ignored      sum              `xml:"ignored"`
}

// sum is a number of transactions and what they add up to.
type sum struct {
	Transactions int           `xml:"transactions,attr"`
	Amount       models.Amount `xml:"amount,attr"`
}

type unmatchedPayment struct {
	link
	Amount models.Amount          `xml:"amount"`
	KID    string                 `xml:"kid"`
	Text   string                 `xml:"text"`
	Reason models.UnmatchedReason `xml:"reason"`
	File   link                   `xml:"payment_file"`
}
