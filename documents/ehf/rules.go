package ehf

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"

	"purr/models"
)

// Names of elements, between blanks.
const (
	dates   = " cbc:IssueDate cbc:DueDate cbc:TaxPointDate cbc:StartDate cbc:EndDate cbc:ActualDeliveryDate "
	amounts = " cbc:Amount cbc:BaseAmount cbc:PriceAmount cbc:TaxAmount cbc:TaxableAmount cbc:LineExtensionAmount cbc:TaxExclusiveAmount" +
		" cbc:TaxInclusiveAmount cbc:AllowanceTotalAmount cbc:ChargeTotalAmount cbc:PrepaidAmount cbc:PayableRoundingAmount cbc:PayableAmount "
	numbers = amounts + "cbc:Percent cbc:MultiplierFactorNumeric cbc:InvoicedQuantity cbc:CreditedQuantity cbc:BaseQuantity "

	// Elements that the schema lets stand only once in theirs, of those that the rules read.
	once = " cbc:CustomizationID cbc:ProfileID cbc:ID cbc:IssueDate cbc:InvoiceTypeCode cbc:DocumentCurrencyCode cbc:BuyerReference" +
		" cac:OrderReference cac:AccountingSupplierParty cac:AccountingCustomerParty cac:Party cbc:EndpointID cac:PostalAddress cac:Country" +
		" cac:LegalMonetaryTotal cbc:LineExtensionAmount cbc:TaxExclusiveAmount cbc:TaxInclusiveAmount cbc:AllowanceTotalAmount" +
		" cbc:ChargeTotalAmount cbc:PrepaidAmount cbc:PayableRoundingAmount cbc:PayableAmount cbc:TaxAmount cbc:TaxableAmount cbc:Percent" +
		" cbc:InvoicedQuantity cbc:CreditedQuantity cac:Item cac:Price cbc:PriceAmount cbc:Amount cbc:BaseAmount cbc:MultiplierFactorNumeric" +
		" cbc:ChargeIndicator cac:TaxScheme "
)

// formRules hold of a document's form.
var formRules = []rule{
	{"XSD", "an amount, a quantity or a percent is no decimal number", anywhere(numbers, func(e *element) bool { return decimal.MatchString(strings.TrimSpace(e.text)) })},
	{"XSD", "an element stands twice where it may stand once", repeats},
	{"PEPPOL-EN16931-R008", "an element is empty", func(d *Document) bool {
		empty := false
		d.root.each(func(e *element) { empty = empty || len(e.children) == 0 && strings.TrimSpace(e.text) == "" })
		return empty
	}},
	{"PEPPOL-EN16931-F001", "a date is not of the form yyyy-mm-dd", anywhere(dates, func(e *element) bool {
		_, err := time.Parse(time.DateOnly, e.text)
		return err == nil
	})},
	{"PEPPOL-EN16931-R051", "an amount is not in the document's currency", func(d *Document) bool {
		return d.root.has("cbc:DocumentCurrencyCode") && !d.root.has("cbc:TaxCurrencyCode") && anywhere(amounts, func(e *element) bool {
			return e.attribute("currencyID") == d.root.value("cbc:DocumentCurrencyCode")
		})(d)
	}},
	{"PEPPOL-EN16931-CL001", "an attachment is of a type that is not allowed", anywhere(" cbc:EmbeddedDocumentBinaryObject ", func(e *element) bool {
		return slices.Contains([]string{
			"application/pdf", "image/png", "image/jpeg", "text/csv",
			"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.oasis.opendocument.spreadsheet",
		}, e.attribute("mimeCode"))
	})},
}

// repeats reports whether an element stands twice where it may stand once.
func repeats(d *Document) bool {
	twice := false
	d.root.each(func(e *element) {
		seen := map[string]bool{}
		for _, c := range e.children {
			twice = twice || seen[c.name] && strings.Contains(once, " "+c.name+" ")
			seen[c.name] = true
		}
	})
	return twice
}

// documentRules hold of a document as a whole.
var documentRules = []rule{
	{"PEPPOL-EN16931-R001", "it has no ProfileID", wants("cbc:ProfileID")},
	{"PEPPOL-EN16931-R002", "it has more than one note", func(d *Document) bool { return len(d.root.all("cbc:Note")) > 1 }},
	{"PEPPOL-EN16931-R003", "it has neither a buyer's reference nor an order number", func(d *Document) bool {
		return !d.root.has("cbc:BuyerReference") && !d.root.has("cac:OrderReference/cbc:ID")
	}},
	{"PEPPOL-EN16931-R004", "its CustomizationID is none of Peppol BIS Billing 3.0", func(d *Document) bool {
		is := d.root.value("cbc:CustomizationID")
		return !strings.HasPrefix(is, BillingCustomization) || strings.Contains(is, "::")
	}},
	{"BR-02", "it has no number", wants("cbc:ID")},
	{"BR-03", "it has no issue date", wants("cbc:IssueDate")},
	{"BR-05", "it has no currency", wants("cbc:DocumentCurrencyCode")},
	{"BR-16", "it has no line", func(d *Document) bool { return len(d.lines()) == 0 }},
	{"BR-52", "an attachment has no reference", inEach("cac:AdditionalDocumentReference", func(e *element) bool { return e.value("cbc:ID") != "" })},
	{"BR-55", "a reference to an earlier invoice has no number", inEach("cac:BillingReference", func(e *element) bool { return e.has("cac:InvoiceDocumentReference/cbc:ID") })},
	{"BR-49", "how it is paid has no code", inEach("cac:PaymentMeans", func(e *element) bool { return e.has("cbc:PaymentMeansCode") })},
	{"BR-61", "it is paid to an account, and does not say to which", inEach("cac:PaymentMeans", func(e *element) bool {
		code := e.value("cbc:PaymentMeansCode")
		return code != "30" && code != "58" || e.has("cac:PayeeFinancialAccount/cbc:ID")
	})},
	{"BR-CO-25", "it asks for money, and says neither until when nor on which terms", func(d *Document) bool {
		return d.kind != models.CreditNoteDocument && d.total("cbc:PayableAmount").Sign() > 0 && !d.root.has("cbc:DueDate") && !d.root.has("cac:PaymentTerms/cbc:Note")
	}},
}

// billingRules hold of invoices and credit notes.
var billingRules = []rule{
	{"BR-04", "it has no type code", func(d *Document) bool { return d.typeCode() == "" }},
	{"PEPPOL-EN16931-R007", "its ProfileID is not that of billing", func(d *Document) bool { return d.root.value("cbc:ProfileID") != BillingProfile }},
	{"PEPPOL-EN16931-P0100", "its type code is none of an invoice", func(d *Document) bool {
		return d.kind == models.InvoiceDocument && d.root.has("cbc:InvoiceTypeCode") && !slices.Contains(invoiceTypes, d.typeCode())
	}},
	{"PEPPOL-EN16931-P0101", "its type code is none of a credit note", func(d *Document) bool {
		return d.kind == models.CreditNoteDocument && d.root.has("cbc:CreditNoteTypeCode") && !slices.Contains(creditNoteTypes, d.typeCode())
	}},
}

var (
	invoiceTypes    = strings.Fields("71 80 82 84 102 218 219 326 331 380 382 383 384 386 388 393 395 553 575 623 780 817 870 875 876 877")
	creditNoteTypes = strings.Fields("381 396 81 83 532")
)

func (d *Document) typeCode() string {
	return d.root.value("cbc:InvoiceTypeCode") + d.root.value("cbc:CreditNoteTypeCode")
}

// reminderElements are what a reminder may have at its root.
const reminderElements = " cbc:CustomizationID cbc:ProfileID cbc:ID cbc:IssueDate cbc:DueDate cbc:Note cbc:TaxPointDate cbc:DocumentCurrencyCode" +
	" cbc:TaxCurrencyCode cbc:AccountingCost cbc:BuyerReference cac:BillingReference cac:ContractDocumentReference cac:AccountingSupplierParty" +
	" cac:AccountingCustomerParty cac:PayeeParty cac:TaxRepresentativeParty cac:PaymentMeans cac:PaymentTerms cac:AllowanceCharge cac:TaxTotal" +
	" cac:LegalMonetaryTotal cac:InvoiceLine "

// reminderRules hold of reminders.
var reminderRules = []rule{
	{"EHF-REMINDER-B00106", "it does not say which invoice it is about", func(d *Document) bool { return !d.root.has("cac:BillingReference") }},
	{"EHF-REMINDER-B00113", "it has an element that a reminder does not have", func(d *Document) bool {
		return slices.ContainsFunc(d.root.children, func(e *element) bool { return !strings.Contains(reminderElements, " "+e.name+" ") })
	}},
	{"EHF-REMINDER-B00201", "its CustomizationID is not that of EHF Reminder 3.0", func(d *Document) bool { return d.root.value("cbc:CustomizationID") != ReminderCustomization }},
	{"EHF-REMINDER-B00301", "its ProfileID is not that of EHF Reminder 3.0", func(d *Document) bool {
		return d.root.has("cbc:ProfileID") && d.root.value("cbc:ProfileID") != ReminderProfile
	}},
}

// Paths of the parties.
const (
	seller = "cac:AccountingSupplierParty/cac:Party"
	buyers = "cac:AccountingCustomerParty/cac:Party"
)

// partyRules hold of the seller and the buyer.
var partyRules = []rule{
	{"PEPPOL-EN16931-R010", "the buyer has no electronic address: its organisation number", func(d *Document) bool { return !d.root.has(buyers + "/cbc:EndpointID") }},
	{"PEPPOL-EN16931-R020", "the seller has no electronic address: its organisation number", func(d *Document) bool { return !d.root.has(seller + "/cbc:EndpointID") }},
	{"BR-62", "the seller's electronic address has no scheme", inEach(seller+"/cbc:EndpointID", func(e *element) bool { return e.attribute("schemeID") != "" })},
	{"BR-63", "the buyer's electronic address has no scheme", inEach(buyers+"/cbc:EndpointID", func(e *element) bool { return e.attribute("schemeID") != "" })},
	{"PEPPOL-COMMON-R041", "an organisation number is not nine digits with a right check digit", anywhere(" cbc:EndpointID cbc:CompanyID cbc:ID ", func(e *element) bool {
		return e.attribute("schemeID") != orgnrScheme || models.ValidOrganisationNumber(strings.TrimSpace(e.text))
	})},
	{"BR-06", "the seller has no name", wants(seller + "/cac:PartyLegalEntity/cbc:RegistrationName")},
	{"BR-07", "the buyer has no name", wants(buyers + "/cac:PartyLegalEntity/cbc:RegistrationName")},
	{"BR-08", "the seller has no postal address", func(d *Document) bool { return !d.root.has(seller + "/cac:PostalAddress") }},
	{"BR-09", "the seller's address has no country", inEach(seller+"/cac:PostalAddress", hasCountry)},
	{"BR-10", "the buyer has no postal address", func(d *Document) bool { return !d.root.has(buyers + "/cac:PostalAddress") }},
	{"BR-11", "the buyer's address has no country", inEach(buyers+"/cac:PostalAddress", hasCountry)},
	{"BR-57", "the address of the delivery has no country", inEach("cac:Delivery/cac:DeliveryLocation/cac:Address", hasCountry)},
	{"BR-CO-26", "the seller has no organisation number and no VAT number", func(d *Document) bool {
		return !d.root.has(seller+"/cac:PartyLegalEntity/cbc:CompanyID") && !d.root.has(seller+"/cac:PartyIdentification/cbc:ID") && d.vatNumber(seller) == ""
	}},
	{"NO-R-001", "the seller's VAT number is not NO, a right organisation number and MVA", func(d *Document) bool {
		number := d.vatNumber(seller)
		return d.norwegian() && strings.HasPrefix(number, "NO") && (!vatNumber.MatchString(number) || !models.ValidOrganisationNumber(number[2:11]))
	}},
	{"NO-R-002", "the seller does not say that it is in Foretaksregisteret", func(d *Document) bool { return d.norwegian() && d.registration("TAX", seller) != "Foretaksregisteret" }},
}

var vatNumber = regexp.MustCompile(`^NO[0-9]{9}MVA$`)

func hasCountry(address *element) bool {
	return address.value("cac:Country/cbc:IdentificationCode") != ""
}

// vatNumber returns a party's number in a VAT register, or the empty text.
func (d *Document) vatNumber(party string) string { return d.registration("VAT", party) }

func (d *Document) registration(scheme, party string) string {
	for _, s := range d.root.all(party + "/cac:PartyTaxScheme") {
		if strings.EqualFold(s.value("cac:TaxScheme/cbc:ID"), scheme) {
			return s.value("cbc:CompanyID")
		}
	}
	return ""
}

// norwegian reports whether the seller is, by its VAT number, or else by its address.
func (d *Document) norwegian() bool {
	if number := d.vatNumber(seller); len(number) >= 2 {
		return strings.EqualFold(number[:2], "NO")
	}
	return strings.EqualFold(d.root.value(seller+"/cac:PostalAddress/cac:Country/cbc:IdentificationCode"), "NO")
}

// lineRules hold of lines, and of allowances and charges.
var lineRules = []rule{
	{"BR-21", "a line has no number", inLines(func(l *element) bool { return l.value("cbc:ID") != "" })},
	{"BR-22", "a line has no quantity", inLines(func(l *element) bool { return quantityOf(l) != nil })},
	{"BR-23", "a quantity has no unit", inLines(func(l *element) bool {
		q := quantityOf(l)
		return q == nil || q.attribute("unitCode") != ""
	})},
	{"BR-24", "a line has no net amount", inLines(func(l *element) bool { return l.has("cbc:LineExtensionAmount") })},
	{"BR-25", "a line has no text", inLines(func(l *element) bool { return l.value("cac:Item/cbc:Name") != "" })},
	{"BR-26", "a line has no price", inLines(func(l *element) bool { return l.has("cac:Price/cbc:PriceAmount") })},
	{"BR-27", "a price is negative", inLines(func(l *element) bool { return l.number("cac:Price/cbc:PriceAmount").Sign() >= 0 })},
	{"BR-CO-04", "a line has no VAT category", inLines(func(l *element) bool { return l.has("cac:Item/cac:ClassifiedTaxCategory/cbc:ID") })},
	{"PEPPOL-EN16931-R120", "a line's net amount is not its price times its quantity, less its allowances", inLines(lineAddsUp)},
	{"PEPPOL-EN16931-R040", "an allowance is not the percent of its base amount", inAllowances(func(a *element) bool {
		if !a.has("cbc:MultiplierFactorNumeric") || !a.has("cbc:BaseAmount") {
			return true
		}
		of := new(big.Rat).Mul(a.number("cbc:BaseAmount"), a.number("cbc:MultiplierFactorNumeric"))
		return within(a.number("cbc:Amount"), of.Quo(of, big.NewRat(100, 1)), big.NewRat(2, 100))
	})},
	{"PEPPOL-EN16931-R041", "an allowance has a percent, and no base amount", inAllowances(func(a *element) bool { return !a.has("cbc:MultiplierFactorNumeric") || a.has("cbc:BaseAmount") })},
	{"PEPPOL-EN16931-R042", "an allowance has a base amount, and no percent", inAllowances(func(a *element) bool { return !a.has("cbc:BaseAmount") || a.has("cbc:MultiplierFactorNumeric") })},
	{"PEPPOL-EN16931-R043", "an allowance or a charge does not say which it is", inAllowances(func(a *element) bool {
		is := a.value("cbc:ChargeIndicator")
		return is == "true" || is == "false"
	})},
	{"BR-36", "a charge has no amount", inEach("cac:AllowanceCharge", func(a *element) bool { return !isCharge(a) || a.has("cbc:Amount") })},
	{"BR-37", "a charge has no VAT category", inEach("cac:AllowanceCharge", func(a *element) bool { return !isCharge(a) || a.has("cac:TaxCategory/cbc:ID") })},
	{"BR-38", "a charge has no reason", inEach("cac:AllowanceCharge", func(a *element) bool { return !isCharge(a) || hasReason(a) })},
	{"BR-41", "a discount of a line has no amount", inLines(func(l *element) bool {
		return !slices.ContainsFunc(l.all("cac:AllowanceCharge"), func(a *element) bool { return !isCharge(a) && !a.has("cbc:Amount") })
	})},
	{"BR-42", "a discount of a line has no reason", inLines(func(l *element) bool {
		return !slices.ContainsFunc(l.all("cac:AllowanceCharge"), func(a *element) bool { return !isCharge(a) && !hasReason(a) })
	})},
}

func quantityOf(line *element) *element {
	if q := line.at("cbc:InvoicedQuantity"); q != nil {
		return q
	}
	return line.at("cbc:CreditedQuantity")
}

func isCharge(a *element) bool { return a.value("cbc:ChargeIndicator") == "true" }

func hasReason(a *element) bool {
	return a.has("cbc:AllowanceChargeReason") || a.has("cbc:AllowanceChargeReasonCode")
}

// inAllowances returns the check that each allowance and charge, of the document and of lines, is right.
func inAllowances(right func(a *element) bool) func(*Document) bool {
	return func(d *Document) bool {
		return inEach("cac:AllowanceCharge", right)(d) || inEach("cac:InvoiceLine/cac:AllowanceCharge", right)(d) || inEach("cac:CreditNoteLine/cac:AllowanceCharge", right)(d)
	}
}

// lineAddsUp reports whether a line's net amount is its price times its quantity, less allowances and with charges, to
// within two øre.
func lineAddsUp(l *element) bool {
	quantity := big.NewRat(1, 1)
	if q := quantityOf(l); q != nil {
		quantity = parseNumber(strings.TrimSpace(q.text))
	}
	want := quantity.Mul(quantity, l.number("cac:Price/cbc:PriceAmount"))
	if per := l.number("cac:Price/cbc:BaseQuantity"); per.Sign() > 0 {
		want.Quo(want, per)
	}
	for _, a := range l.all("cac:AllowanceCharge") {
		if isCharge(a) {
			want.Add(want, a.number("cbc:Amount"))
		} else {
			want.Sub(want, a.number("cbc:Amount"))
		}
	}
	return within(l.number("cbc:LineExtensionAmount"), want, big.NewRat(2, 100))
}
