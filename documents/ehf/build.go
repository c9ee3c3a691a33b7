package ehf

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"strings"

	"purr/models"
)

// InvoiceInput is what the document of an invoice is made of.
type InvoiceInput struct {
	Creditor models.Creditor
	Invoice  models.Invoice
	Lines    []models.Line
	PDF      []byte // is embedded
}

// CreditNoteInput is what the document of a credit note is made of.
type CreditNoteInput struct {
	Creditor   models.Creditor
	CreditNote models.CreditNote
	Invoice    models.Invoice // the credited one
	Lines      []models.Line  // of the invoice
	PDF        []byte         // is embedded
}

// ReminderInput is what the document of an overdue notice is made of.
type ReminderInput struct {
	Creditor    models.Creditor
	Notice      models.Notice
	NoticeLines []models.NoticeLine
	Invoice     models.Invoice
	Lines       []models.Line // of the invoice
	Before      int           // how many notices of this sequence on the invoice were withdrawn before
}

// number returns what the document is numbered: INVOICE-SEQUENCE, and INVOICE-SEQUENCE-2 of the notice that took the place of
// the first one, which may have left before it was withdrawn. No two documents of a seller may have one number.
func (in ReminderInput) number() string {
	number := fmt.Sprintf("%d-%d", in.Invoice.Number, in.Notice.Sequence)
	if in.Before > 0 {
		number += fmt.Sprintf("-%d", in.Before+1)
	}
	return number
}

// builder makes a document. It keeps the element that grows, and the sums of what it has added.
type builder struct {
	creditor models.Creditor
	root     *element
	vat      breakdown
}

// begin returns a builder with the elements that begin every document.
func begin(c models.Creditor, root, customization, profile string) *builder {
	b := &builder{creditor: c, root: &element{name: root, attributes: []attribute{
		{"xmlns", Namespace(root)}, {"xmlns:cac", cacNamespace}, {"xmlns:cbc", cbcNamespace},
	}}}
	b.root.add(leaf("cbc:CustomizationID", customization), leaf("cbc:ProfileID", profile))
	return b
}

// Invoice returns the document of an invoice. It fails with a conflict not_expressible for each rule that the document
// would break (rule H2a).
func Invoice(in InvoiceInput) ([]byte, error) {
	i := in.Invoice
	b := begin(in.Creditor, InvoiceRoot, BillingCustomization, BillingProfile)
	number := fmt.Sprint(i.Number)
	b.root.add(
		leaf("cbc:ID", number), leaf("cbc:IssueDate", i.IssueDate.String()), leaf("cbc:DueDate", i.DueDate.String()),
		leaf("cbc:InvoiceTypeCode", "380"), leaf("cbc:Note", strings.TrimSpace(i.Note)), leaf("cbc:DocumentCurrencyCode", currency),
		leaf("cbc:BuyerReference", b.reference(i.Order)), group("cac:OrderReference", leaf("cbc:ID", oneLine(i.Order.OrderNumber))),
		embedded(number, "Faktura", in.PDF),
		b.seller(), buyer(i.Recipient), delivery(i.Order, i.Recipient.CountryCode),
	)
	b.payment(i.BankAccount, i.KID, i.DueDate)
	b.lines("cac:InvoiceLine", "cbc:InvoicedQuantity", in.Lines, totals{payable: i.Gross})
	return b.done(in.Lines)
}

// CreditNote returns the document of a credit note. It fails as Invoice does.
func CreditNote(in CreditNoteInput) ([]byte, error) {
	n := in.CreditNote
	b := begin(in.Creditor, CreditNoteRoot, BillingCustomization, BillingProfile)
	number := fmt.Sprint(n.Number)
	b.root.add(
		leaf("cbc:ID", number), leaf("cbc:IssueDate", n.IssueDate.String()), leaf("cbc:CreditNoteTypeCode", "381"),
		leaf("cbc:Note", strings.TrimSpace(n.Comment)), leaf("cbc:DocumentCurrencyCode", currency),
		leaf("cbc:BuyerReference", b.reference(in.Invoice.Order)), group("cac:OrderReference", leaf("cbc:ID", oneLine(in.Invoice.Order.OrderNumber))),
		preceding(in.Invoice), embedded(number, "Kreditnota", in.PDF),
		b.seller(), buyer(n.Recipient),
	)
	b.lines("cac:CreditNoteLine", "cbc:CreditedQuantity", in.Lines, totals{payable: n.Gross})
	return b.done(in.Lines)
}

// Reminder returns the document of an overdue notice: the invoice again, with what was charged and what was paid since. It
// fails as Invoice does.
func Reminder(in ReminderInput) ([]byte, error) {
	n := in.Notice
	b := begin(in.Creditor, InvoiceRoot, ReminderCustomization, ReminderProfile)
	order := in.Invoice.Order
	if order.YourReference == "" { // a reminder has no OrderReference
		order.YourReference, order.OrderNumber = order.OrderNumber, ""
	}
	b.root.add(
		leaf("cbc:ID", in.number()), leaf("cbc:IssueDate", n.IssueDate.String()), leaf("cbc:DueDate", n.DueDate.String()),
		leaf("cbc:Note", noteOf(n)), leaf("cbc:DocumentCurrencyCode", currency), leaf("cbc:BuyerReference", b.reference(order)),
		preceding(in.Invoice), b.seller(), buyer(n.Recipient),
	)
	b.payment(cmp.Or(in.Invoice.BankAccount, in.Creditor.BankAccount), n.KID, n.DueDate)
	t := b.charges(in)
	t.payable = n.Gross
	b.lines("cac:InvoiceLine", "cbc:InvoicedQuantity", in.Lines, t)
	return b.done(in.Lines)
}

// noteOf returns what a notice is, and what it says besides.
func noteOf(n models.Notice) string {
	title := "Betalingspåminnelse"
	if n.Warning {
		title = "Inkassovarsel: Blir kravet ikke betalt innen betalingsfristen, blir det sendt til inkasso."
	}
	return strings.TrimSpace(title + "\n" + n.Comment)
}

// done returns the document, if it breaks no rule.
func (b *builder) done(lines []models.Line) ([]byte, error) {
	made := b.root.bytes()
	d, err := Parse(made)
	if err != nil {
		return nil, fmt.Errorf("read the document that was made: %w", err)
	}
	var faults models.Errors
	for _, f := range append(d.Check(), b.unregistered(lines)...) {
		if !f.Warning {
			faults = append(faults, models.Conflict("not_expressible", "%s: %s", f.Rule, f.Text))
		}
	}
	if err := faults.ErrorOrNil(); err != nil {
		return nil, err
	}
	return made, nil
}

// unregistered returns a finding if lines have VAT and the creditor is not, or not known to be, registered for it. The
// official rule takes the word Foretaksregisteret for a tax registration; purr does not.
func (b *builder) unregistered(lines []models.Line) []Finding {
	for _, l := range lines {
		if l.VATPercent > 0 && !b.creditor.VATRegistered && b.root.has("cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme") {
			return []Finding{{Rule: "BR-S-02", Text: "a line has VAT, and the creditor is not registered for VAT: see vat_registered"}}
		}
	}
	return nil
}

// reference returns the buyer's reference: the invoice's, or else, where it has no order number either, the creditor's
// default (rule H1).
func (b *builder) reference(o models.Order) string {
	if o.YourReference == "" && o.OrderNumber == "" {
		return oneLine(b.creditor.EHFDefaultReference)
	}
	return oneLine(o.YourReference)
}

// preceding returns the reference to the invoice that a credit note or a notice is about.
func preceding(i models.Invoice) *element {
	return group("cac:BillingReference", group("cac:InvoiceDocumentReference", leaf("cbc:ID", fmt.Sprint(i.Number)), leaf("cbc:IssueDate", i.IssueDate.String())))
}

// embedded returns the PDF as an attachment.
func embedded(number, title string, pdf []byte) *element {
	object := leaf("cbc:EmbeddedDocumentBinaryObject", base64.StdEncoding.EncodeToString(pdf),
		"mimeCode", "application/pdf", "filename", strings.ToLower(title)+"-"+number+".pdf")
	if object == nil {
		return nil
	}
	return group("cac:AdditionalDocumentReference", leaf("cbc:ID", number), leaf("cbc:DocumentDescription", title+" "+number), group("cac:Attachment", object))
}

// delivery returns when and where the goods came (rule L18). An address must name its country: the buyer's is taken.
func delivery(o models.Order, countryCode string) *element {
	var day string
	if o.DeliveryDate != 0 {
		day = o.DeliveryDate.String()
	}
	place := leaf("cbc:StreetName", oneLine(o.DeliveryPlace))
	if place == nil {
		return group("cac:Delivery", leaf("cbc:ActualDeliveryDate", day))
	}
	return group("cac:Delivery", leaf("cbc:ActualDeliveryDate", day), group("cac:DeliveryLocation", group("cac:Address", place, country(countryCode))))
}

// seller returns the creditor.
func (b *builder) seller() *element {
	c := b.creditor
	vat := ""
	if c.VATRegistered && c.OrganisationNumber != "" {
		vat = "NO" + c.OrganisationNumber + "MVA"
	}
	register := ""
	if c.InBusinessRegister() {
		register = "Foretaksregisteret"
	}
	return group("cac:AccountingSupplierParty", group("cac:Party",
		leaf("cbc:EndpointID", c.OrganisationNumber, "schemeID", orgnrScheme),
		group("cac:PartyName", leaf("cbc:Name", oneLine(c.Name))),
		address(models.Recipient{Address1: c.Address1, Address2: c.Address2, PostalCode: c.PostalCode, PostalName: c.PostalName, CountryCode: c.CountryCode}),
		taxScheme(vat, "VAT"), taxScheme(register, "TAX"),
		group("cac:PartyLegalEntity", leaf("cbc:RegistrationName", oneLine(c.Name)), leaf("cbc:CompanyID", c.OrganisationNumber, "schemeID", orgnrScheme)),
		group("cac:Contact", leaf("cbc:Telephone", oneLine(c.Phone)), leaf("cbc:ElectronicMail", oneLine(c.Email))),
	))
}

func taxScheme(company, scheme string) *element {
	id := leaf("cbc:CompanyID", company)
	if id == nil {
		return nil
	}
	return group("cac:PartyTaxScheme", id, group("cac:TaxScheme", leaf("cbc:ID", scheme)))
}

// buyer returns the recipient.
func buyer(r models.Recipient) *element {
	return group("cac:AccountingCustomerParty", group("cac:Party",
		leaf("cbc:EndpointID", r.OrganisationNumber, "schemeID", orgnrScheme),
		group("cac:PartyIdentification", leaf("cbc:ID", oneLine(r.CustomerNumber))),
		group("cac:PartyName", leaf("cbc:Name", oneLine(r.Name1))),
		address(r),
		group("cac:PartyLegalEntity", leaf("cbc:RegistrationName", oneLine(r.Name1)), leaf("cbc:CompanyID", r.OrganisationNumber, "schemeID", orgnrScheme)),
		group("cac:Contact", leaf("cbc:Name", oneLine(r.Name2)), leaf("cbc:ElectronicMail", oneLine(r.Email))),
	))
}

func address(r models.Recipient) *element {
	return group("cac:PostalAddress", leaf("cbc:StreetName", oneLine(r.Address1)), leaf("cbc:AdditionalStreetName", oneLine(r.Address2)),
		leaf("cbc:CityName", oneLine(r.PostalName)), leaf("cbc:PostalZone", oneLine(r.PostalCode)), country(r.CountryCode))
}

func country(iso string) *element {
	return group("cac:Country", leaf("cbc:IdentificationCode", iso))
}

// payment adds where, with which KID and until when one pays. A creditor without an account says only until when.
func (b *builder) payment(account, kid string, due models.Date) {
	if account != "" {
		b.root.add(group("cac:PaymentMeans", leaf("cbc:PaymentMeansCode", "30", "name", "Credit transfer"), leaf("cbc:PaymentID", kid),
			group("cac:PayeeFinancialAccount", leaf("cbc:ID", account))))
	}
	b.root.add(group("cac:PaymentTerms", leaf("cbc:Note", "Forfall "+due.String())))
}

// oneLine returns a text with single blanks for all that separates its words.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
