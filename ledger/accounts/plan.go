package accounts

import (
	"encoding/xml"
	"fmt"

	"purr/models"
)

// PlanXML is an account plan as the interface writes it (rule A1b).
type PlanXML struct {
	XMLName   xml.Name      `xml:"account_plan"`
	Accounts  []KindXML     `xml:"account"`
	Sales     []SalesXML    `xml:"sales"`
	Receivers []ReceiverXML `xml:"receiver"`
	Groupings []GroupingXML `xml:"grouping"`
}

// KindXML is the account of a kind.
type KindXML struct {
	Kind    models.AccountKind `xml:"kind,attr"`
	Number  string             `xml:"number,attr"`
	VATCode string             `xml:"vat_code,attr,omitempty"`
}

// SalesXML is where sales of a class are booked.
type SalesXML struct {
	Class      models.SalesClass `xml:"class,attr"`
	Account    string            `xml:"account,attr"`
	VATAccount string            `xml:"vat_account,attr,omitempty"`
	VATCode    string            `xml:"vat_code,attr"`
}

// ReceiverXML is the VAT code of a class at a receiver of GBAT10.
type ReceiverXML struct {
	Name    string            `xml:"name,attr"`
	Class   models.SalesClass `xml:"class,attr"`
	VATCode string            `xml:"vat_code,attr"`
}

// GroupingXML is how SAF-T groups an account.
type GroupingXML struct {
	Account  string `xml:"account,attr"`
	Category string `xml:"category,attr"`
	Code     string `xml:"code,attr"`
}

// ShowPlan returns a plan as the interface writes it, nil where nothing is set.
func ShowPlan(p models.AccountPlan) *PlanXML {
	if p.IsZero() {
		return nil
	}
	shown := &PlanXML{}
	for _, k := range p.Kinds {
		shown.Accounts = append(shown.Accounts, KindXML{k.Kind, k.Account, k.VATCode})
	}
	for _, s := range p.Sales {
		shown.Sales = append(shown.Sales, SalesXML{s.Class, s.Account, s.VATAccount, s.VATCode})
	}
	for _, r := range p.Receivers {
		shown.Receivers = append(shown.Receivers, ReceiverXML{r.Receiver, r.Class, r.VATCode})
	}
	for _, g := range p.Groupings {
		shown.Groupings = append(shown.Groupings, GroupingXML(g))
	}
	return shown
}

// PlanText returns a plan as the body of a PUT of the creditor, which sets it.
func PlanText(p models.AccountPlan) (string, error) {
	type creditor struct {
		XMLName xml.Name `xml:"creditor"`
		Plan    *PlanXML
	}
	text, err := xml.MarshalIndent(creditor{Plan: ShowPlan(p)}, "", "  ")
	if err != nil {
		return "", fmt.Errorf("write an account plan: %w", err)
	}
	return string(text) + "\n", nil
}
