package demo

import (
	_ "embed"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"purr/models"
)

// weeks is how many weeks pass.
const weeks = 10

//go:embed plan.xml
var planXML []byte

// plan says who buys what and what happens on which day. The file plan.xml explains its elements.
type plan struct {
	Chapters []chapter `xml:"chapter"`
	Creditor struct {
		Elements xmlBody `xml:",innerxml"` // as the API takes them
		Name     string  `xml:"name"`
		Number   string  `xml:"organisation_number"`
		Account  string  `xml:"bank_account"`

		KIDLength         int `xml:"kid_length"`
		KIDCustomerDigits int `xml:"kid_customer_digits"`
	} `xml:"creditor"`
	Customers []customer `xml:"customer"`
	Goods     []goods    `xml:"goods"`
	Acts      struct {
		List []act `xml:",any"`
	} `xml:"acts"`
}

// chapter is a text that introduces events of a type.
type chapter struct {
	Before models.EventType `xml:"before,attr"`
	Text   string           `xml:",chardata"`
}

type customer struct {
	Elements   xmlBody `xml:",innerxml"` // as the API takes them
	Key        string  `xml:"key,attr"`
	PaysFrom   string  `xml:"pays_from,attr"`
	Name       string  `xml:"name1"`
	PostalCode string  `xml:"postal_code"`
	PostalName string  `xml:"postal_name"`
	Email      string  `xml:"email"`
	Number     string  `xml:"organisation_number"` // of a business
	link               // once the customer is created
}

// goods are what an invoice line sells.
type goods struct {
	Elements xmlBody `xml:",innerxml"` // as the API takes them
	Key      string  `xml:"key,attr"`
}

// act is something that the creditor or its bank does on a day.
type act struct {
	XMLName  xml.Name  // says what is done
	Day      int       `xml:"day,attr"`     // from the first Monday
	To       string    `xml:"to,attr"`      // of an invoice: the customer's key
	Due      int       `xml:"due,attr"`     // of an invoice: the days until it is due
	Invoice  int       `xml:"invoice,attr"` // the invoice that the act changes, from 1
	Text     string    `xml:",chardata"`    // the goods of an invoice, or the comment of another act
	Payments []payment `xml:"payment"`      // of a bank file
}

// payment is a transaction of a bank file. It pays on an invoice, pays the credit note out, or names a KID or a text.
type payment struct {
	Invoice int           `xml:"invoice,attr"` // from 1
	Amount  models.Amount `xml:"amount,attr"`  // of an invoice 0 for all that is owed when the file is written
	Extra   models.Amount `xml:"extra,attr"`   // paid on top of all that is owed
	Payout  bool          `xml:"payout,attr"`
	Drawn   bool          `xml:"drawn,attr"` // by AvtaleGiro
	KID     string        `xml:"kid,attr"`
	Text    string        `xml:",chardata"`
}

// readPlan reads the plan that is part of the program.
func readPlan() (plan, error) {
	var p plan
	if err := xml.Unmarshal(planXML, &p); err != nil {
		return plan{}, fmt.Errorf("read the plan: %w", err)
	}
	return p, nil
}

// customer returns the customer that has the key.
func (p *plan) customer(key string) (*customer, error) {
	i := slices.IndexFunc(p.Customers, func(c customer) bool { return c.Key == key })
	if i < 0 {
		return nil, fmt.Errorf("the plan has no customer %q", key)
	}
	return &p.Customers[i], nil
}

// lines returns the lines of an invoice, of which the text says "2 vaccine, 1 lunch".
func (p *plan) lines(text string) (xmlBody, error) {
	prices := map[string]xmlBody{}
	for _, g := range p.Goods {
		prices[g.Key] = g.Elements
	}
	var lines xmlBody
	for item := range strings.SplitSeq(text, ", ") {
		count, key, _ := strings.Cut(item, " ")
		if prices[key] == "" {
			return "", fmt.Errorf("the plan sells no %q", key)
		}
		lines += xmlf(`<line>%s<num_items>%s</num_items></line>`, prices[key], count)
	}
	return lines, nil
}

// shipments asks for one document to be sent to the customer.
func (c customer) shipments() xmlBody {
	method := models.ByEmail
	if c.Email == "" {
		method = models.ByPaper
	}
	return xmlf(`<shipments><shipment type="original"><shipment_method>%s</shipment_method></shipment></shipments>`, string(method))
}
