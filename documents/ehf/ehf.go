// Package ehf makes the electronic documents that Norwegian businesses send each other over Peppol: invoices and credit
// notes of EHF Billing 3.0, which is Peppol BIS Billing 3.0, and notices of EHF Reminder 3.0 (rules H1, H2). It also reads
// and checks such documents of anybody. It knows neither the database nor the time, nor how documents are sent: the same
// rows give the same bytes for ever.
//
// What it checks is named after the official rules: those of EN 16931 (BR-…), of Peppol (PEPPOL-…, NO-R-…) and of EHF
// Reminder (EHF-REMINDER-…). They are the rules that a document made of purr's rows could break, and those that tell
// whether its sums are right. A document that passes here can still break another official rule, if somebody else made it.
package ehf

// The root elements of documents. A reminder has that of an invoice.
const (
	InvoiceRoot    = "Invoice"
	CreditNoteRoot = "CreditNote"
)

// Namespace returns the namespace of a root element.
func Namespace(root string) string { return ublNamespace + root + "-2" }

const (
	ublNamespace = "urn:oasis:names:specification:ubl:schema:xsd:"
	cacNamespace = ublNamespace + "CommonAggregateComponents-2"
	cbcNamespace = ublNamespace + "CommonBasicComponents-2"
)

// What a document says of the rules that it follows, and of the process that it is part of.
const (
	BillingCustomization  = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0"
	ReminderCustomization = BillingCustomization + "#conformant#urn:fdc:anskaffelser.no:2019:ehf:reminder:3.0"
	BillingProfile        = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"
	ReminderProfile       = "urn:fdc:anskaffelser.no:2019:ehf:postaward:g3:06:1.0"
)

// orgnrScheme is the scheme of Norwegian organisation numbers among the electronic addresses (ICD 0192).
const orgnrScheme = "0192"

// currency is that of all amounts.
const currency = "NOK"
