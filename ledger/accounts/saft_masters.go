package accounts

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"purr/models"
)

// header says whose file it is, of what days, and who made it.
func (f saft) header() {
	x, h := f.x, f.head
	c := h.creditor
	x.open("Header")
	x.element("AuditFileVersion", saftVersion(h.days.From))
	x.element("AuditFileCountry", "NO")
	x.element("AuditFileDateCreated", h.today.String())
	x.element("SoftwareCompanyName", "purr")
	x.element("SoftwareID", "purr")
	x.element("SoftwareVersion", cut(h.software, saftShort))
	x.open("Company")
	x.element("RegistrationNumber", c.OrganisationNumber)
	x.element("Name", cut(c.Name, saftLong))
	f.address(c.Address1, c.Address2, c.PostalCode, c.PostalName, c.CountryCode)
	x.open("Contact")
	x.open("ContactPerson")
	x.element("FirstName", "NotUsed") // the schema's word where a name is in one piece
	x.element("LastName", cut(c.Name, saftText))
	x.shut("ContactPerson")
	x.whole("Telephone", c.Phone, saftShort)
	x.whole("Email", c.Email, saftText)
	x.shut("Contact")
	if c.VATRegistered {
		x.open("TaxRegistration")
		x.element("TaxRegistrationNumber", c.OrganisationNumber+"MVA")
		x.shut("TaxRegistration")
	}
	x.shut("Company")
	x.element("DefaultCurrencyCode", models.NOK)
	x.open("SelectionCriteria")
	x.element("SelectionStartDate", h.days.From.String())
	x.element("SelectionEndDate", h.days.To.String())
	x.shut("SelectionCriteria")
	x.element("HeaderComment", f.words.ledgerAlone)
	x.element("TaxAccountingBasis", "A")
	x.shut("Header")
}

// whole writes an element with a text that there is room for, and none otherwise: half an e-mail address is none.
func (x saftXML) whole(name, text string, most int) {
	if cut(text, most) == strings.TrimSpace(text) {
		x.text(name, text, most)
	}
}

// address writes what there is of an address.
func (f saft) address(line1, line2, postal, place, country string) {
	x := f.x
	if line1+line2+postal+place == "" {
		return
	}
	x.open("Address")
	x.text("StreetName", line1, saftLong)
	x.text("AdditionalAddressDetail", line2, saftLong)
	x.text("City", place, saftLong)
	x.text("PostalCode", postal, saftText)
	x.text("Country", country, 2)
	x.shut("Address")
}

// masters writes the accounts, the customers and the VAT codes.
func (f saft) masters(s *summary) error {
	x := f.x
	x.open("MasterFiles")
	x.open("GeneralLedgerAccounts")
	f.accounts(s)
	x.shut("GeneralLedgerAccounts")
	if err := f.customers(s); err != nil {
		return err
	}
	x.open("TaxTable")
	x.open("TaxTableEntry")
	x.element("TaxType", "MVA")
	x.element("Description", "Merverdiavgift")
	for _, t := range taxesOf(f.head, s) {
		f.taxCode(t)
	}
	x.shut("TaxTableEntry")
	x.shut("TaxTable")
	x.shut("MasterFiles")
	return nil
}

// accounts writes the plan's accounts, each with what the journal books on it. Receivables begin with what customers owed.
func (f saft) accounts(s *summary) {
	x := f.x
	for _, a := range f.head.plan.Accounts() {
		opening, closing := models.Amount(0), models.Amount(0)
		if slices.Contains(a.Kinds, models.AccountReceivables) {
			opening = s.opening
		}
		for _, sum := range s.totals.Sums {
			if sum.Account == a.Number {
				closing = sum.Debit - sum.Credit
			}
		}
		x.open("Account")
		x.element("AccountID", a.Number)
		x.text("AccountDescription", f.words.account(a), saftLong)
		x.element("GroupingCategory", a.Grouping.Category)
		x.element("GroupingCode", a.Grouping.Code)
		x.element("AccountType", "GL")
		x.balance("Opening", opening)
		x.balance("Closing", opening+closing)
		x.shut("Account")
	}
}

// customers writes the customers who owed something at the beginning or at the end, or on whom something was booked, by purr's own ID.
func (f saft) customers(s *summary) error {
	x, begun := f.x, false
	receivables := f.head.plan.Kind(models.AccountReceivables).Account
	err := s.eachCustomer(func(c models.Customer, b balances) {
		if !begun {
			x.open("Customers")
			begun = true
		}
		id := strconv.FormatInt(c.ID, 10)
		x.open("Customer")
		x.whole("RegistrationNumber", c.Recipient.OrganisationNumber, saftMiddle)
		x.text("Name", cmp.Or(cut(strings.TrimSpace(c.Recipient.Name1+" "+c.Recipient.Name2), saftLong), id), saftLong)
		f.address(c.Recipient.Address1, c.Recipient.Address2, c.Recipient.PostalCode, c.Recipient.PostalName, c.Recipient.CountryCode)
		x.element("CustomerID", id)
		x.open("BalanceAccount")
		x.element("AccountID", receivables)
		x.balance("Opening", b.opening)
		x.balance("Closing", b.opening+b.moved)
		x.shut("BalanceAccount")
		x.shut("Customer")
	})
	if begun {
		x.shut("Customers")
	}
	return err
}

// taxOf is a VAT code at a percent.
type taxOf struct {
	code, standard string
	percent        models.Percent
}

// taxesOf returns the VAT codes of a plan: each class at the percents that the journal has of it, or else at the one of the last day.
func taxesOf(h head, of *summary) (all []taxOf) {
	add := func(t taxOf) {
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	for _, s := range h.plan.Sales {
		percents := slices.Sorted(slices.Values(of.percents[s.Class]))
		if len(percents) == 0 {
			name := models.VATNone
			if s.Class.HasVAT() {
				name = models.VATName(s.Class)
			}
			percent, _ := h.creditor.VATRates.At(name, h.days.To)
			percents = append(percents, percent)
		}
		for _, percent := range percents {
			add(taxOf{s.VATCode, models.StandardVATCode(s.VATCode, s.Class), percent})
		}
	}
	for _, k := range h.plan.Kinds {
		if k.VATCode != "" {
			add(taxOf{k.VATCode, models.StandardVATCode(k.VATCode, ""), 0})
		}
	}
	return all
}

func (f saft) taxCode(t taxOf) {
	x := f.x
	x.open("TaxCodeDetails")
	x.element("TaxCode", t.code)
	x.element("TaxPercentage", t.percent.String())
	x.element("Country", "NO")
	x.element("StandardTaxCode", t.standard)
	x.element("BaseRate", "100")
	x.shut("TaxCodeDetails")
}

// account returns what is booked on an account.
func (w words) account(a models.PlanAccount) string {
	var all []string
	add := func(text string) {
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	for _, kind := range a.Kinds {
		add(w.accounts[kind])
	}
	for _, class := range a.Sales {
		add(w.sales[class])
	}
	if len(a.VAT) > 0 {
		add(w.vat)
	}
	return strings.Join(all, ", ")
}
