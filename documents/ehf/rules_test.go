package ehf

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"purr/models"
)

// bases are the valid documents that are broken.
var bases = map[string]func() ([]byte, error){
	"invoice":  func() ([]byte, error) { return Invoice(sampleInvoice(sampleLines())) },
	"standard": func() ([]byte, error) { return Invoice(sampleInvoice(priced(line("Arbeid", 100_0000, 1000, 25_00)))) },
	"unregistered": func() ([]byte, error) {
		return Invoice(notRegistered(sampleInvoice(priced(line("Arbeid", 100_0000, 1000, 0)))))
	},
	"nothing": func() ([]byte, error) { return Invoice(sampleInvoice(priced(line("Gratis", 0, 1000, 0)))) },
	"zero": func() ([]byte, error) {
		in := sampleInvoice(priced(line("Eksport", 100_0000, 1000, 0)))
		in.Creditor.VATExemption = models.VATZero
		return Invoice(in)
	},
	"credit":   func() ([]byte, error) { return CreditNote(sampleCreditNote()) },
	"reminder": func() ([]byte, error) { return Reminder(sampleReminder()) },
}

// Changes of a document. Paths name the first element that they lead to.

type change func(root *element)

func does(changes ...change) change {
	return func(root *element) {
		for _, c := range changes {
			c(root)
		}
	}
}

func set(path, text string) change { return func(r *element) { must(r, path).text = text } }

func drop(path string) change {
	return func(r *element) {
		parent, name := r, path
		if i := strings.LastIndex(path, "/"); i >= 0 {
			parent, name = must(r, path[:i]), path[i+1:]
		}
		i := slices.IndexFunc(parent.children, func(e *element) bool { return e.name == name })
		parent.children = slices.Delete(parent.children, i, i+1)
	}
}

// before puts an element before the first one at a path.
func before(path string, e *element) change {
	return func(r *element) {
		parent, name := r, path
		if i := strings.LastIndex(path, "/"); i >= 0 {
			parent, name = must(r, path[:i]), path[i+1:]
		}
		i := slices.IndexFunc(parent.children, func(c *element) bool { return c.name == name })
		parent.children = slices.Insert(parent.children, i, e)
	}
}

func attributeOf(path, name, value string) change {
	return func(r *element) {
		e := must(r, path)
		e.attributes = slices.DeleteFunc(e.attributes, func(a attribute) bool { return a.name == name })
		if value != "" {
			e.attributes = append(e.attributes, attribute{name, value})
		}
	}
}

// inLine makes a change in the line with the number.
func inLine(n int, c change) change { return func(r *element) { c(r.all("cac:InvoiceLine")[n-1]) } }

// sums sets totals: names and amounts in turn.
func sums(pairs ...string) change {
	return func(r *element) {
		for i := 0; i < len(pairs); i += 2 {
			must(r, "cac:LegalMonetaryTotal/cbc:"+pairs[i]).text = pairs[i+1]
		}
	}
}

func must(r *element, path string) *element {
	e := r.at(path)
	if e == nil {
		panic("there is no " + path)
	}
	return e
}

// subtotalOf is a part of the VAT of nothing.
func subtotalOf(id, percent, reason string) *element {
	return group("cac:TaxSubtotal", amount("cbc:TaxableAmount", 0), amount("cbc:TaxAmount", 0),
		group("cac:TaxCategory", leaf("cbc:ID", id), leaf("cbc:Percent", percent), leaf("cbc:TaxExemptionReason", reason), group("cac:TaxScheme", leaf("cbc:ID", "VAT"))))
}

// chargeOf is a charge of nothing.
func chargeOf(id, percent string) *element {
	return group("cac:AllowanceCharge", leaf("cbc:ChargeIndicator", "true"), leaf("cbc:AllowanceChargeReason", "Gebyr"), amount("cbc:Amount", 0),
		group("cac:TaxCategory", leaf("cbc:ID", id), leaf("cbc:Percent", percent), group("cac:TaxScheme", leaf("cbc:ID", "VAT"))))
}

// charged puts a charge of nothing into a document.
func charged(charge *element) change {
	return does(before("cac:TaxTotal", charge), before("cac:LegalMonetaryTotal/cbc:PayableAmount", amount("cbc:ChargeTotalAmount", 0)))
}

func without(e *element, path string) *element {
	drop(path)(e)
	return e
}

// Paths.
const (
	vatOf     = "cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/"
	lineVAT   = "cac:InvoiceLine/cac:Item/cac:ClassifiedTaxCategory/"
	allowance = "cac:InvoiceLine/cac:AllowanceCharge/"
	scheme    = seller + "/cac:PartyTaxScheme"
)

// category makes the one line and the one part of the VAT of the document of nothing another category.
func anotherCategory(id, percent string) change {
	return does(set(lineVAT+"cbc:ID", id), set(lineVAT+"cbc:Percent", percent), drop("cac:TaxTotal/cac:TaxSubtotal"),
		func(r *element) { must(r, "cac:TaxTotal").add(subtotalOf(id, percent, "")) })
}

// broken are documents that break one rule alone, each.
var broken = []struct {
	rule, base string
	change     change
}{
	{"XSD", "nothing", set(vatOf+"cbc:Percent", "0,0")},
	{"XSD", "invoice", before("cbc:BuyerReference", leaf("cbc:BuyerReference", "Ola"))},
	{"PEPPOL-EN16931-R008", "invoice", set("cbc:BuyerReference", " ")},
	{"PEPPOL-EN16931-F001", "invoice", set("cbc:DueDate", "19.01.2026")},
	{"PEPPOL-EN16931-R051", "invoice", attributeOf("cac:InvoiceLine/cac:Price/cbc:PriceAmount", "currencyID", "SEK")},
	{"PEPPOL-EN16931-CL001", "invoice", attributeOf("cac:AdditionalDocumentReference/cac:Attachment/cbc:EmbeddedDocumentBinaryObject", "mimeCode", "text/html")},

	{"PEPPOL-EN16931-R001", "reminder", drop("cbc:ProfileID")},
	{"PEPPOL-EN16931-R002", "invoice", before("cbc:Note", leaf("cbc:Note", "Enda en"))},
	{"PEPPOL-EN16931-R003", "invoice", does(drop("cbc:BuyerReference"), drop("cac:OrderReference"))},
	{"PEPPOL-EN16931-R004", "invoice", set("cbc:CustomizationID", "urn:cen.eu:en16931:2017")},
	{"BR-02", "invoice", drop("cbc:ID")},
	{"BR-03", "invoice", drop("cbc:IssueDate")},
	{"BR-05", "invoice", drop("cbc:DocumentCurrencyCode")},
	{"BR-16", "nothing", drop("cac:InvoiceLine")},
	{"BR-52", "invoice", drop("cac:AdditionalDocumentReference/cbc:ID")},
	{"BR-55", "credit", drop("cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID")},
	{"BR-49", "invoice", drop("cac:PaymentMeans/cbc:PaymentMeansCode")},
	{"BR-61", "invoice", drop("cac:PaymentMeans/cac:PayeeFinancialAccount")},
	{"BR-CO-25", "reminder", does(drop("cbc:DueDate"), drop("cac:PaymentTerms"))},

	{"BR-04", "invoice", drop("cbc:InvoiceTypeCode")},
	{"PEPPOL-EN16931-R007", "invoice", set("cbc:ProfileID", "urn:fdc:peppol.eu:2017:poacc:billing:09:1.0")},
	{"PEPPOL-EN16931-P0100", "invoice", set("cbc:InvoiceTypeCode", "381")},
	{"PEPPOL-EN16931-P0101", "credit", set("cbc:CreditNoteTypeCode", "380")},
	{"EHF-REMINDER-B00106", "reminder", drop("cac:BillingReference")},
	{"EHF-REMINDER-B00113", "reminder", before("cac:BillingReference", group("cac:OrderReference", leaf("cbc:ID", "PO-77")))},
	{"EHF-REMINDER-B00201", "reminder", set("cbc:CustomizationID", ReminderCustomization+".1")},
	{"EHF-REMINDER-B00301", "reminder", set("cbc:ProfileID", BillingProfile)},

	{"PEPPOL-EN16931-R010", "invoice", drop(buyers + "/cbc:EndpointID")},
	{"PEPPOL-EN16931-R020", "invoice", drop(seller + "/cbc:EndpointID")},
	{"BR-62", "invoice", attributeOf(seller+"/cbc:EndpointID", "schemeID", "")},
	{"BR-63", "invoice", attributeOf(buyers+"/cbc:EndpointID", "schemeID", "")},
	{"PEPPOL-COMMON-R041", "invoice", set(buyers+"/cac:PartyLegalEntity/cbc:CompanyID", "987654321")},
	{"BR-06", "invoice", drop(seller + "/cac:PartyLegalEntity/cbc:RegistrationName")},
	{"BR-07", "invoice", drop(buyers + "/cac:PartyLegalEntity/cbc:RegistrationName")},
	{"BR-08", "invoice", drop(seller + "/cac:PostalAddress")},
	{"BR-09", "invoice", drop(seller + "/cac:PostalAddress/cac:Country")},
	{"BR-10", "invoice", drop(buyers + "/cac:PostalAddress")},
	{"BR-11", "invoice", drop(buyers + "/cac:PostalAddress/cac:Country")},
	{"BR-57", "invoice", drop("cac:Delivery/cac:DeliveryLocation/cac:Address/cac:Country")},
	{"BR-CO-26", "unregistered", drop(seller + "/cac:PartyLegalEntity/cbc:CompanyID")},
	{"NO-R-001", "invoice", set(scheme+"/cbc:CompanyID", "NO974760674MVA")},
	{"NO-R-002", "unregistered", set(scheme+"/cbc:CompanyID", "974760673")},

	{"BR-21", "invoice", drop("cac:InvoiceLine/cbc:ID")},
	{"BR-22", "invoice", inLine(2, drop("cbc:InvoicedQuantity"))},
	{"BR-23", "invoice", attributeOf("cac:InvoiceLine/cbc:InvoicedQuantity", "unitCode", "")},
	{"BR-24", "invoice", inLine(3, drop("cbc:LineExtensionAmount"))},
	{"BR-25", "invoice", drop("cac:InvoiceLine/cac:Item/cbc:Name")},
	{"BR-26", "invoice", inLine(3, does(drop("cac:Price/cbc:PriceAmount"), before("cac:Item", leaf("cbc:Note", "x")), drop("cbc:Note"), func(l *element) {
		must(l, "cac:Price").add(leaf("cbc:BaseQuantity", "1", "unitCode", "C62"))
	}))},
	{"BR-27", "invoice", inLine(2, does(set("cac:Price/cbc:PriceAmount", "-50.00"), set("cbc:InvoicedQuantity", "-1")))},
	{"BR-CO-04", "invoice", inLine(3, drop("cac:Item/cac:ClassifiedTaxCategory/cbc:ID"))},
	{"PEPPOL-EN16931-R120", "invoice", inLine(2, set("cbc:InvoicedQuantity", "1.001"))},
	{"PEPPOL-EN16931-R040", "invoice", set(allowance+"cbc:MultiplierFactorNumeric", "10.02")},
	{"PEPPOL-EN16931-R041", "invoice", drop(allowance + "cbc:BaseAmount")},
	{"PEPPOL-EN16931-R042", "invoice", drop(allowance + "cbc:MultiplierFactorNumeric")},
	{"PEPPOL-EN16931-R043", "invoice", set(allowance+"cbc:ChargeIndicator", "0")},
	{"BR-36", "invoice", charged(without(chargeOf("E", "0"), "cbc:Amount"))},
	{"BR-37", "invoice", charged(without(chargeOf("E", "0"), "cac:TaxCategory"))},
	{"BR-38", "invoice", charged(without(chargeOf("E", "0"), "cbc:AllowanceChargeReason"))},
	{"BR-41", "invoice", before("cac:InvoiceLine/cac:Item", group("cac:AllowanceCharge", leaf("cbc:ChargeIndicator", "false"), leaf("cbc:AllowanceChargeReason", "Rabatt")))},
	{"BR-42", "invoice", before("cac:InvoiceLine/cac:Item", group("cac:AllowanceCharge", leaf("cbc:ChargeIndicator", "false"), amount("cbc:Amount", 0)))},

	{"BR-12", "nothing", drop("cac:LegalMonetaryTotal/cbc:LineExtensionAmount")},
	{"BR-13", "nothing", drop("cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount")},
	{"BR-14", "nothing", drop("cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount")},
	{"BR-15", "nothing", drop("cac:LegalMonetaryTotal/cbc:PayableAmount")},
	{"BR-CO-10", "invoice", sums("LineExtensionAmount", "230.01", "TaxExclusiveAmount", "230.01", "TaxInclusiveAmount", "275.01", "PayableAmount", "275.01")},
	{"BR-CO-11", "invoice", does(
		sums("TaxExclusiveAmount", "229.99", "TaxInclusiveAmount", "274.99", "PayableAmount", "274.99"),
		before("cac:LegalMonetaryTotal/cbc:PayableAmount", amount("cbc:AllowanceTotalAmount", 1)),
	)},
	{"BR-CO-12", "invoice", does(
		sums("TaxExclusiveAmount", "230.01", "TaxInclusiveAmount", "275.01", "PayableAmount", "275.01"),
		before("cac:LegalMonetaryTotal/cbc:PayableAmount", amount("cbc:ChargeTotalAmount", 1)),
	)},
	{"BR-CO-13", "invoice", sums("TaxExclusiveAmount", "230.01", "TaxInclusiveAmount", "275.01", "PayableAmount", "275.01")},
	{"BR-CO-14", "invoice", does(set("cac:TaxTotal/cbc:TaxAmount", "45.01"), sums("TaxInclusiveAmount", "275.01", "PayableAmount", "275.01"))},
	{"BR-CO-15", "invoice", sums("TaxInclusiveAmount", "275.01", "PayableAmount", "275.01")},
	{"BR-CO-16", "invoice", sums("PayableAmount", "275.01")},
	{"BR-CO-17", "standard", does(
		set(lineVAT+"cbc:Percent", "0.4"), set(vatOf+"cbc:Percent", "0.4"), set("cac:TaxTotal/cac:TaxSubtotal/cbc:TaxAmount", "0.60"), set("cac:TaxTotal/cbc:TaxAmount", "0.60"),
		sums("TaxInclusiveAmount", "100.60", "PayableAmount", "100.60"),
	)},
	{"BR-CO-18", "nothing", does(drop("cac:TaxTotal/cac:TaxSubtotal"), set(lineVAT+"cbc:ID", "AE"))},
	{"PEPPOL-EN16931-R053", "standard", func(r *element) { before("cac:TaxTotal", must(r, "cac:TaxTotal"))(r) }},
	{"BR-DEC-05", "reminder", set("cac:AllowanceCharge/cbc:Amount", "38.000")},
	{"BR-DEC-09", "invoice", sums("LineExtensionAmount", "230.000")},
	{"BR-DEC-11", "reminder", sums("ChargeTotalAmount", "41.100")},
	{"BR-DEC-12", "invoice", sums("TaxExclusiveAmount", "230.000")},
	{"BR-DEC-14", "invoice", sums("TaxInclusiveAmount", "275.000")},
	{"BR-DEC-16", "reminder", sums("PrepaidAmount", "100.000")},
	{"BR-DEC-18", "invoice", sums("PayableAmount", "275.000")},
	{"BR-DEC-19", "invoice", set("cac:TaxTotal/cac:TaxSubtotal/cbc:TaxableAmount", "180.000")},
	{"BR-DEC-20", "invoice", set("cac:TaxTotal/cac:TaxSubtotal/cbc:TaxAmount", "45.000")},
	{"BR-DEC-23", "invoice", set("cac:InvoiceLine/cbc:LineExtensionAmount", "180.000")},
	{"BR-DEC-24", "invoice", set(allowance+"cbc:Amount", "20.000")},

	{"BR-45", "nothing", drop("cac:TaxTotal/cac:TaxSubtotal/cbc:TaxableAmount")},
	{"BR-46", "nothing", drop("cac:TaxTotal/cac:TaxSubtotal/cbc:TaxAmount")},
	{"BR-47", "nothing", func(r *element) { must(r, "cac:TaxTotal").add(subtotalOf("", "0", "")) }},
	{"BR-48", "nothing", drop(vatOf + "cbc:Percent")},

	{"BR-S-01", "nothing", does(set(lineVAT+"cbc:ID", "S"), set(lineVAT+"cbc:Percent", "25"))},
	{"BR-S-02", "standard", does(drop(scheme), drop(scheme))},
	{"BR-S-05", "nothing", anotherCategory("S", "0")},
	{"BR-S-07", "nothing", does(charged(chargeOf("S", "0")), func(r *element) { must(r, "cac:TaxTotal").add(subtotalOf("S", "0", "")) })},
	{"BR-S-08", "standard", set("cac:TaxTotal/cac:TaxSubtotal/cbc:TaxableAmount", "101.00")},
	{"BR-S-09", "standard", does(
		set(lineVAT+"cbc:Percent", "0.4"), set(vatOf+"cbc:Percent", "0.4"), inLine(1, does(set("cbc:LineExtensionAmount", "1000.00"), set("cac:Price/cbc:PriceAmount", "1000.00"))),
		set("cac:TaxTotal/cac:TaxSubtotal/cbc:TaxableAmount", "1000.00"), set("cac:TaxTotal/cac:TaxSubtotal/cbc:TaxAmount", "0.40"), set("cac:TaxTotal/cbc:TaxAmount", "0.40"),
		sums("LineExtensionAmount", "1000.00", "TaxExclusiveAmount", "1000.00", "TaxInclusiveAmount", "1000.40", "PayableAmount", "1000.40"),
	)},
	{"BR-S-10", "standard", before(vatOf+"cac:TaxScheme", leaf("cbc:TaxExemptionReason", "Uten merverdiavgift"))},

	{"BR-Z-01", "nothing", set(lineVAT+"cbc:ID", "Z")},
	{"BR-Z-02", "zero", does(drop(scheme), drop(scheme))},
	{"BR-Z-05", "zero", set(lineVAT+"cbc:Percent", "25")},
	{"BR-Z-07", "zero", charged(chargeOf("Z", "25"))},
	{"BR-Z-08", "zero", set("cac:TaxTotal/cac:TaxSubtotal/cbc:TaxableAmount", "100.01")},
	{"BR-Z-09", "zero", øreOfVAT("100.01")},
	{"BR-Z-10", "zero", before(vatOf+"cac:TaxScheme", leaf("cbc:TaxExemptionReason", "Fritatt"))},

	{"BR-E-01", "nothing", does(drop("cac:TaxTotal/cac:TaxSubtotal"), func(r *element) { must(r, "cac:TaxTotal").add(subtotalOf("Z", "0", "")) })},
	{"BR-E-02", "nothing", does(drop(scheme), drop(scheme))},
	{"BR-E-05", "nothing", set(lineVAT+"cbc:Percent", "25")},
	{"BR-E-07", "nothing", charged(chargeOf("E", "25"))},
	{"BR-E-08", "nothing", set("cac:TaxTotal/cac:TaxSubtotal/cbc:TaxableAmount", "0.01")},
	{"BR-E-09", "nothing", øreOfVAT("0.01")},
	{"BR-E-10", "nothing", drop(vatOf + "cbc:TaxExemptionReason")},

	{"BR-O-01", "unregistered", func(r *element) {
		set(vatOf+"cbc:ID", "E")(r)
		before(vatOf+"cbc:TaxExemptionReason", leaf("cbc:Percent", "0"))(r)
		set("cac:TaxTotal/cac:TaxSubtotal/cbc:TaxableAmount", "0.00")(r)
	}},
	{"BR-O-02", "unregistered", does(set(scheme+"/cbc:CompanyID", "NO974760673MVA"), set(scheme+"/cac:TaxScheme/cbc:ID", "VAT"))},
	{"BR-O-05", "unregistered", before(lineVAT+"cac:TaxScheme", leaf("cbc:Percent", "0"))},
	{"BR-O-07", "unregistered", charged(chargeOf("O", "0"))},
	{"BR-O-08", "unregistered", set("cac:TaxTotal/cac:TaxSubtotal/cbc:TaxableAmount", "100.01")},
	{"BR-O-09", "unregistered", øreOfVAT("100.01")},
	{"BR-O-10", "unregistered", drop(vatOf + "cbc:TaxExemptionReason")},
	{"BR-O-11", "unregistered", func(r *element) { must(r, "cac:TaxTotal").add(subtotalOf("E", "0", "Uten merverdiavgift")) }},
	{"BR-O-12", "unregistered", func(r *element) {
		l := lineOf("cac:InvoiceLine", "cbc:InvoicedQuantity", "2", "AE", models.Line{Text: "Omvendt avgiftsplikt", NumItems: 1000})
		r.add(l)
	}},
	{"BR-O-14", "unregistered", charged(chargeOf("AE", "0"))},
}

// øreOfVAT adds an øre of VAT where none may be, and to the totals.
func øreOfVAT(total string) change {
	return does(set("cac:TaxTotal/cac:TaxSubtotal/cbc:TaxAmount", "0.01"), set("cac:TaxTotal/cbc:TaxAmount", "0.01"), sums("TaxInclusiveAmount", total, "PayableAmount", total))
}

// TestH2EachRuleIsBrokenAlone breaks each rule in a document that breaks no other, and finds it. With PURR_EHF_DIR it keeps the
// documents there, so that the official rules can be held against them.
func TestH2EachRuleIsBrokenAlone(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("PURR_EHF_DIR")
	proved := map[string]bool{}
	for i, b := range broken {
		made, err := bases[b.base]()
		if err != nil {
			t.Fatalf("%s: %v", b.base, err)
		}
		d, err := Parse(made)
		if err != nil {
			t.Fatal(err)
		}
		root := d.root
		root.attributes = []attribute{{"xmlns", ublNamespace + root.name + "-2"}, {"xmlns:cac", cacNamespace}, {"xmlns:cbc", cbcNamespace}}
		indented(root)
		b.change(root)
		changed := root.bytes()
		if dir != "" {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("broken-%03d-%s.xml", i, b.rule)), changed, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if d, err = Parse(changed); err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, f := range d.Check() {
			if !f.Warning || f.Rule == b.rule {
				found = append(found, f.Rule)
				proved[f.Rule+f.Text] = true
			}
		}
		if !slices.Equal(found, []string{b.rule}) {
			t.Errorf("%s: found %q", b.rule, found)
		}
	}
	for _, rules := range [][]rule{formRules, documentRules, billingRules, reminderRules, partyRules, lineRules, sumRules, vatRules} {
		for _, r := range rules {
			if !proved[r.id+r.says] {
				t.Errorf("no document breaks %s: %s", r.id, r.says)
			}
		}
	}
}

// indented removes the blanks between elements, which are written anew.
func indented(root *element) {
	root.each(func(e *element) {
		if len(e.children) > 0 {
			e.text = ""
		}
	})
}

// TestD108AReminderNamesTheAccountThatItsLetterNames: where the invoice has none, that is the creditor's, as on paper.
func TestD108AReminderNamesTheAccountThatItsLetterNames(t *testing.T) {
	for _, tt := range []struct{ invoice, creditor, want string }{
		{"15000000996", "12345678903", "15000000996"}, {"", "12345678903", "12345678903"}, {"", "", ""},
	} {
		r := sampleReminder()
		r.Invoice.BankAccount, r.Creditor.BankAccount = tt.invoice, tt.creditor
		made, err := Reminder(r)
		if err != nil {
			t.Fatal(err)
		}
		_, after, has := strings.Cut(string(made), "<cac:PayeeFinancialAccount>")
		if has != (tt.want != "") || has && !strings.Contains(after[:120], ">"+tt.want+"<") {
			t.Errorf("with the accounts %q and %q it says %.120q", tt.invoice, tt.creditor, after)
		}
	}
}
