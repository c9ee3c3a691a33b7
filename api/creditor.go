package api

import (
	"cmp"
	"context"
	"encoding/xml"
	"reflect"
	"strconv"

	"purr/api/form"
	"purr/ledger/accounts"
	"purr/models"
	"purr/register"
	"purr/store"
)

// creditorDetail is the key's creditor (rule E1).
type creditorDetail struct {
	XMLName             xml.Name            `xml:"creditor"`
	URI                 string              `xml:"uri,attr"`
	Name                string              `xml:"name"`
	OrganisationNumber  string              `xml:"organisation_number"`
	BusinessRegister    string              `xml:"business_register,omitempty"`
	VATRegistered       vatRegisteredXML    `xml:"vat_registered"`
	VATExemption        models.VATExemption `xml:"vat_exemption,omitempty"`
	Address1            string              `xml:"address1"`
	Address2            string              `xml:"address2"`
	PostalCode          string              `xml:"postal_code"`
	PostalName          string              `xml:"postal_name"`
	CountryCode         string              `xml:"country_code"`
	Email               string              `xml:"email"`
	Phone               string              `xml:"phone,omitempty"`
	Website             string              `xml:"website,omitempty"`
	BankAccount         bankAccountXML      `xml:"bank_account"`
	IBAN                *bankAccountXML     `xml:"iban,omitempty"`
	BIC                 *bankAccountXML     `xml:"bic,omitempty"`
	EHFDefaultReference string              `xml:"ehf_default_reference,omitempty"`
	Language            string              `xml:"language,omitempty"`  // absent for nb
	MaxLines            int                 `xml:"max_lines,omitempty"` // absent for 8
	Logo                *link               `xml:"logo,omitempty"`
	FooterText          string              `xml:"footer_text,omitempty"`
	KIDLength           int                 `xml:"kid_length"`
	KIDModulus          int                 `xml:"kid_modulus"`
	KIDCustomerDigits   int                 `xml:"kid_customer_digits,omitempty"` // absent for 0
	FirstNumber         int64               `xml:"first_number"`
	TimeZone            string              `xml:"time_zone"`
	VATRates            vatRatesXML         `xml:"vat_rates"`
	AccountPlan         *accounts.PlanXML   `xml:"account_plan"` // absent for the default plan
	AvtaleGiro          *avtaleGiroXML      `xml:"avtalegiro"`   // absent unless something of it was set
	DunningCeiling      string              `xml:"dunning_ceiling,omitempty"`
	Fallback            models.Fallback     `xml:"fallback,omitempty"`
	Policy              policyXML           `xml:"dunning_policy"`
}

// avtaleGiroXML is how the creditor is paid by AvtaleGiro (rule G1).
type avtaleGiroXML struct {
	Enabled  flag               `xml:"enabled"`
	SenderID string             `xml:"sender_id"`
	LeadDays int                `xml:"lead_days"`
	Notice   models.ClaimNotice `xml:"notice"`
}

// vatRegisteredXML says whether the creditor is registered for VAT (rule L9). Nobody has said so if it is assumed.
type vatRegisteredXML struct {
	Assumed string `xml:"assumed,attr,omitempty"` // 1 or absent
	Value   flag   `xml:",chardata"`
}

// bankAccountXML is the creditor's account, IBAN or BIC: the one that documents name, or the one that its key asks for and that waits
// for the operator (rule D101).
type bankAccountXML struct {
	State  models.AccountState `xml:"state,attr,omitempty"`  // waiting or absent
	Before string              `xml:"before,attr,omitempty"` // the account that documents name until then
	Value  string              `xml:",chardata"`
}

func bankAccountOf(c models.Creditor) bankAccountXML {
	if c.WaitingAccount == "" {
		return bankAccountXML{Value: c.BankAccount}
	}
	return bankAccountXML{models.AccountWaiting, c.BankAccount, c.WaitingAccount}
}

// ibanOf returns the creditor's IBAN or BIC, nil if there is none. now is the one that documents name, and asked the one that waits
// with an IBAN.
func ibanOf(c models.Creditor, now, asked string) *bankAccountXML {
	switch {
	case c.WaitingIBAN != "" && asked != now:
		return &bankAccountXML{models.AccountWaiting, now, asked}
	case now != "":
		return &bankAccountXML{Value: now}
	}
	return nil
}

type vatRatesXML struct {
	Rates []vatRateXML `xml:"vat_rate"`
}

type vatRateXML struct {
	Name    models.VATName `xml:"name,attr"`
	Percent models.Percent `xml:"percent,attr"`
	From    models.Date    `xml:"from,attr"`
}

func (rq *request) creditorDetail(c models.Creditor) creditorDetail {
	d := creditorDetail{
		URI: rq.base + "/api/v1/creditor", Name: c.Name, OrganisationNumber: c.OrganisationNumber, VATRegistered: vatRegisteredXML{Value: flag(c.VATRegistered)},
		Address1: c.Address1, Address2: c.Address2, PostalCode: c.PostalCode, PostalName: c.PostalName, CountryCode: c.CountryCode,
		Email: c.Email, Phone: c.Phone, Website: c.Website, BankAccount: bankAccountOf(c), IBAN: ibanOf(c, c.IBAN, c.WaitingIBAN), BIC: ibanOf(c, c.BIC, c.WaitingBIC), EHFDefaultReference: c.EHFDefaultReference, VATExemption: c.VATExemption, FooterText: c.FooterText, KIDLength: c.KIDLength, KIDModulus: c.KIDModulus, FirstNumber: c.FirstNumber,
		TimeZone: c.TimeZone, Fallback: c.Fallback, Policy: policyOf(c.Policy),
	}
	if !c.VATKnown && !c.VATRegistered {
		d.VATRegistered.Assumed = "1"
	}
	if c.BusinessRegister != nil {
		d.BusinessRegister = flag(*c.BusinessRegister).String()
	}
	for _, r := range c.VATRates {
		d.VATRates.Rates = append(d.VATRates.Rates, vatRateXML{r.Name, r.Percent, r.FromDate})
	}
	d.AccountPlan = accounts.ShowPlan(c.AccountPlan)
	usual := models.NewCreditor("")
	d.KIDCustomerDigits = c.KIDCustomerDigits
	if a := c.AvtaleGiro; a != usual.AvtaleGiro {
		d.AvtaleGiro = &avtaleGiroXML{flag(a.Enabled), a.SenderID, a.LeadDays, a.Notice}
	}
	if c.Language != usual.Language {
		d.Language = c.Language
	}
	if c.MaxLines != usual.MaxLines {
		d.MaxLines = c.MaxLines
	}
	if c.Logo != "" {
		d.Logo = &link{d.URI + "/logo"}
	}
	if c.DunningCeiling != nil {
		d.DunningCeiling = strconv.Itoa(*c.DunningCeiling)
	}
	return d
}

// showCreditor shows the key's creditor.
func (s *Server) showCreditor(_ context.Context, rq *request) (answer, error) {
	return rq.ok(rq.creditorDetail(rq.creditor))
}

// changeCreditor changes the elements of the creditor that the request holds (rule E1).
func (s *Server) changeCreditor(rq *request, _ int64, body form.Body) (act, error) {
	return func(ctx context.Context, tx *store.Tx) (any, error) {
		maxFee, err := s.maxFee(ctx, tx, rq)
		if err != nil {
			return nil, err
		}
		force, err := forces(body)
		if err != nil {
			return nil, err
		}
		creditor, err := register.ChangeCreditor(ctx, tx, rq.creditor.ID, maxFee, rq.actor(), func(c *models.Creditor) error {
			f, err := rq.parse(body, "creditor", rq.creditorDetail(*c))
			if err != nil {
				return err
			}
			f.Flag("force") // see forces
			before := *c
			readCreditor(f, c)
			if !register.CreditorChanged(before, *c) {
				return f.Done(nil)
			}
			faults := append(faultsOf(c.ValidateChange(before)), faultsOf(c.MayFollow(before))...)
			return f.Done(append(faults, policyFaults(reflect.DeepEqual(before.Policy, c.Policy), c.Policy, maxFee)...))
		}, force)
		if err != nil {
			return nil, err
		}
		return rq.creditorDetail(creditor), nil
	}, nil
}

// forces reports whether a request says that mandates may be lost (rule G1a).
func forces(body form.Body) (register.LosesMandates, error) {
	f, err := form.Parse(body, "creditor")
	if err != nil {
		return false, err
	}
	force, _ := f.Flag("force")
	return register.LosesMandates(force), nil
}

// readCreditor changes the elements of a creditor that the request holds. An empty element clears a text. The VAT
// rates replace all earlier ones.
func readCreditor(f *form.Form, c *models.Creditor) {
	readElements(f.Element, register.CreditorElements(c))
	usual := models.NewCreditor("")
	c.CountryCode, c.Language = cmp.Or(c.CountryCode, usual.CountryCode), cmp.Or(c.Language, usual.Language)
	readElements(f.Child("dunning_policy"), register.PolicyElements(&c.Policy))
	if sent := f.Child("avtalegiro"); sent != nil {
		readElements(sent, register.AvtaleGiroElements(&c.AvtaleGiro))
		c.AvtaleGiro.Notice = cmp.Or(c.AvtaleGiro.Notice, usual.AvtaleGiro.Notice)
	}
	if sent := f.Child("vat_rates"); sent != nil {
		c.VATRates = readVATRates(sent)
	}
	if sent := f.Child("account_plan"); sent != nil {
		c.AccountPlan = readAccountPlan(sent)
	}
}

// readSaid changes a flag that somebody says. What an answer assumes, nobody has said.
func readSaid(e *form.Element, name string, to register.Said) {
	flag, sent := e.Flag(name)
	if !sent {
		return
	}
	assumed, _ := e.Child(name).Attr("assumed")
	*to.Flag, *to.Known = flag, flag || assumed != "1"
}

// readVATRates returns the VAT rates in the request, by class and date. Of each it tells the first fault.
func readVATRates(e *form.Element) models.VATRates {
	var rates models.VATRates
	sent := e.Each("vat_rate")
	for _, r := range sent {
		name, _ := r.Attr("name")
		percent, _ := r.Attr("percent")
		from, _ := r.Attr("from")
		day, err := models.ParseDate(from)
		if err != nil {
			day = 0 // which is a fault
		}
		rates = append(rates, models.VATRate{Name: models.VATName(name), Percent: models.ReadVATPercent(percent), FromDate: day})
	}
	for i, faults := range rates.Faults() {
		switch {
		case len(faults) == 0:
		case len(faults[0].Place) == 0:
			sent[i].Fault("", faults[0].Code, "%s", faults[0].Msg)
		default:
			sent[i].Fault("", faults[0].Code, "the attribute %s %s", faults[0].Place, faults[0].Msg)
		}
	}
	rates.Sort()
	return rates
}
