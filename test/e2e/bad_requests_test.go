package e2e_test

import (
	"strings"
)

// A line, shipments and recipient that are right, for requests that are wrong elsewhere.
const (
	aLine      = `<line><line_text>A</line_text><unit_price>10</unit_price><num_items>1</num_items><vat_rate>HIGH</vat_rate></line>`
	lines      = `<lines>` + aLine + `</lines>`
	paper      = `<shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments>`
	byEmail    = `<shipments><shipment type="original"><shipment_method>EMAIL</shipment_method></shipment></shipments>`
	toKari     = `<recipient uri="[kari]"/>`
	due        = `<num_due_days>14</num_due_days>`
	good       = `<invoice>` + due + toKari + lines + paper + `</invoice>`
	newOne     = `<name1>A</name1><address1>B</address1><postal_code>1</postal_code><postal_name>C</postal_name>`
	aCustomer  = `<name1>A</name1><postal_code>1</postal_code><postal_name>C</postal_name>`
	entityBomb = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>`
)

func line(elements string) string {
	return `<invoice>` + due + toKari + `<lines><line>` + elements + `</line></lines>` + paper + `</invoice>`
}

func priced(price, items, vat string) string {
	return line(`<line_text>A</line_text><unit_price>` + price + `</unit_price><num_items>` + items + `</num_items><vat_rate>` + vat + `</vat_rate>`)
}

var badForms = []bad{
	{"no body", "POST /invoices", "", "400 malformed_xml"},
	{"no XML", "POST /invoices", "hello", "400 malformed_xml"},
	{"XML that breaks off", "POST /invoices", good[:len(good)-5], "400 malformed_xml"},
	{"tags that do not match", "POST /customers", "<customer><name1>A</name2></customer>", "400 malformed_xml"},
	{"two roots", "POST /customers", "<customer/><customer/>", "400 malformed_xml"},
	{"text after the root", "POST /customers", "<customer/>A", "400 malformed_xml"},
	{"another root", "POST /invoices", "<customer/>", "422 unknown_element@customer"},
	{"a document type", "POST /invoices", entityBomb + good, "400 doctype_not_allowed"},
	{"an unknown entity", "POST /customers", "<customer><name1>&b;</name1></customer>", "400 malformed_xml"},
	{"an encoding of Russia", "POST /customers", `<?xml version="1.0" encoding="koi8-r"?><customer/>`, "400 unsupported_encoding"},
	{"bytes that are not UTF-8", "POST /customers", "<customer><name1>\xff\xfe</name1></customer>", "400 malformed_xml"},
	{"a NUL", "POST /customers", "<customer><name1>A\x00</name1></customer>", "400 malformed_xml"},
	{"an attribute twice", "POST /invoices", `<invoice><recipient uri="a" uri="b"/></invoice>`, "400 malformed_xml"},
	{"more than a mebibyte", "POST /customers", "<customer><name1>" + strings.Repeat("A", 1<<20) + "</name1></customer>", "413 too_large"},
	{"elements nested deep", "POST /customers", "<customer>" + strings.Repeat("<a>", 100) + strings.Repeat("</a>", 100) + "</customer>", "422 too_deep"},
	{"very many elements", "POST /customers", "<customer>" + strings.Repeat("<a/>", 30_000) + "</customer>", "422 too_many_elements"},
}

var badInvoices = []bad{
	{"an empty invoice", "POST /invoices", "<invoice/>", "422 required@num_due_days required@recipient required@shipments required@lines"},
	{"what only answers have", "POST /invoices", `<invoice><invoice_number>7</invoice_number><ocr_kid_number>1</ocr_kid_number>` + due + toKari + lines + paper + `</invoice>`, "422 differs@invoice_number differs@ocr_kid_number"},
	{"elements twice", "POST /invoices", `<invoice>` + due + due + toKari + toKari + lines + lines + paper + paper + `</invoice>`, "422 duplicate_element@num_due_days[2] duplicate_element@recipient[2] duplicate_element@lines[2] duplicate_element@shipments[2]"},
	{"elements of another namespace", "POST /invoices", `<invoice xmlns:x="urn:x"><x:num_due_days>14</x:num_due_days>` + toKari + lines + paper + `</invoice>`, "422 required@num_due_days unknown_element@urn:x:num_due_days"},
	{"text between elements", "POST /invoices", `<invoice>A` + due + toKari + lines + paper + `</invoice>`, "422 unexpected_text"},
	{"no line", "POST /invoices", `<invoice>` + due + toKari + `<lines/>` + paper + `</invoice>`, "422 required@lines"},
	{"nine lines", "POST /invoices", `<invoice>` + due + toKari + `<lines>` + strings.Repeat(aLine, 9) + `</lines>` + paper + `</invoice>`, "422 too_many_lines@lines"},
	{"an empty line", "POST /invoices", line(""), "422 required@lines/line[1]/unit_price required@lines/line[1]/num_items required@lines/line[1]/vat_rate required@lines/line[1]/line_text"},
	{"a line text of 251 characters", "POST /invoices", line(`<line_text>` + strings.Repeat("å", 251) + `</line_text><unit_price>1</unit_price><num_items>1</num_items><vat_rate>LOW</vat_rate>`), "422 too_long@lines/line[1]/line_text"},
	{"due in a year and a day", "POST /invoices", strings.Replace(good, ">14<", ">366<", 1), "422 out_of_range@num_due_days"},
	{"due yesterday", "POST /invoices", strings.Replace(good, ">14<", ">-1<", 1), "422 out_of_range@num_due_days"},
	{"due in half a day", "POST /invoices", strings.Replace(good, ">14<", ">0.5<", 1), "422 invalid_number@num_due_days"},
	{"due in more days than a number holds", "POST /invoices", strings.Replace(good, ">14<", ">99999999999999999999<", 1), "422 invalid_number@num_due_days"},
	{"due in Arabic digits", "POST /invoices", strings.Replace(good, ">14<", ">١٤<", 1), "422 invalid_number@num_due_days"},
	{"a price with five decimals", "POST /invoices", priced("1.00001", "1", "HIGH"), "422 invalid_number@lines/line[1]/unit_price"},
	{"a price with a comma", "POST /invoices", priced("10,50", "1", "HIGH"), "422 invalid_number@lines/line[1]/unit_price"},
	{"a price as a power", "POST /invoices", priced("1e3", "1", "HIGH"), "422 invalid_number@lines/line[1]/unit_price"},
	{"a price that is not a number", "POST /invoices", priced("NaN", "1", "HIGH"), "422 invalid_number@lines/line[1]/unit_price"},
	{"an infinite number of items", "POST /invoices", priced("1", "Inf", "HIGH"), "422 invalid_number@lines/line[1]/num_items"},
	{"a number of items with four decimals", "POST /invoices", priced("1", "1.0001", "HIGH"), "422 invalid_number@lines/line[1]/num_items"},
	{"a VAT rate by percent", "POST /invoices", priced("1", "1", "25"), "422 invalid_vat_rate@lines/line[1]/vat_rate"},
	{"a line beyond all money", "POST /invoices", priced("9999999999.99", "1000", "HIGH"), "422 amount_too_large@lines/line[1]"},
	{"a price beyond all numbers", "POST /invoices", priced(strings.Repeat("9", 40), "1", "HIGH"), "422 invalid_number@lines/line[1]/unit_price"},
	{"a total of nothing", "POST /invoices", priced("0", "1", "HIGH"), "422 amount_not_positive@lines"},
	{"a total below nothing", "POST /invoices", priced("-10", "1", "HIGH"), "422 amount_not_positive@lines"},
	{"a discount above the price", "POST /invoices", line(`<line_text>A</line_text><unit_price>1</unit_price><num_items>1</num_items><discount_percent>100.01</discount_percent><vat_rate>HIGH</vat_rate>`), "422 out_of_range@lines/line[1]/discount_percent"},
	{"a discount of all", "POST /invoices", line(`<line_text>A</line_text><unit_price>1</unit_price><num_items>1</num_items><discount_percent>100</discount_percent><vat_rate>HIGH</vat_rate>`), "422 amount_not_positive@lines"},
	{"a note of 2001 characters", "POST /invoices", `<invoice>` + due + `<invoice_note>` + strings.Repeat("a", 2001) + `</invoice_note>` + toKari + lines + paper + `</invoice>`, "422 too_long@invoice_note"},
	{"a note with a control character", "POST /invoices", `<invoice>` + due + `<invoice_note>a&#x85;b</invoice_note>` + toKari + lines + paper + `</invoice>`, "422 control_character@invoice_note"},
	{"nobody's uri", "POST /invoices", strings.Replace(good, "[kari]", "/api/v1/customer/99999", 1), "404 not_found@recipient"},
	{"another creditor's customer", "POST /invoices", strings.Replace(good, "[kari]", "[foreign customer]", 1), "404 not_found@recipient"},
	{"an invoice's uri", "POST /invoices", strings.Replace(good, "[kari]", "[fresh]", 1), "404 not_found@recipient"},
	{"a uri elsewhere", "POST /invoices", strings.Replace(good, "[kari]", "https://evil.example/api/v1/customer/1", 1), "404 not_found@recipient"},
	{"a uri and a name", "POST /invoices", `<invoice>` + due + `<recipient uri="[kari]"><name1>A</name1></recipient>` + lines + paper + `</invoice>`, "422 differs@recipient/name1"},
	{"a new customer without a name", "POST /invoices", `<invoice>` + due + `<recipient><postal_code>1</postal_code></recipient>` + lines + paper + `</invoice>`, "422 required@recipient/address1 required@recipient/name1 required@recipient/postal_name"},
	{"a new customer with a number that is taken", "POST /invoices", `<invoice>` + due + `<recipient>` + newOne + `<customer_number>K1</customer_number></recipient>` + lines + paper + `</invoice>`, "409 customer_number_in_use@recipient/customer_number"},
	{"e-mail to a customer without an address", "POST /invoices", `<invoice>` + due + `<recipient uri="[no email]"/>` + lines + byEmail + `</invoice>`, "422 email_required@recipient"},
	{"e-mail to a new customer without an address", "POST /invoices", `<invoice>` + due + `<recipient>` + newOne + `</recipient>` + lines + byEmail + `</invoice>`, "422 email_required@recipient/email"},
	{"no original", "POST /invoices", `<invoice>` + due + toKari + lines + `<shipments><shipment type="copy"><shipment_method>EMAIL</shipment_method><recipient><email>a@example.no</email></recipient></shipment></shipments></invoice>`, "422 required@shipments"},
	{"a fax", "POST /invoices", strings.Replace(good, "PAPER", "FAX", 1), "422 invalid_shipment_method@shipments/shipment[1]/shipment_method"},
	{"a shipment of no type", "POST /invoices", strings.Replace(good, ` type="original"`, "", 1), "422 invalid_shipment_type@shipments/shipment[1] required@shipments"},
	{"a copy on paper", "POST /invoices", strings.Replace(good, "</shipments>", `<shipment type="copy"><shipment_method>PAPER</shipment_method></shipment></shipments>`, 1), "422 invalid_shipment_method@shipments/shipment[2]/shipment_method required@shipments/shipment[2]/recipient/email"},
	{"a copy to no address", "POST /invoices", strings.Replace(good, "</shipments>", `<shipment type="copy"><shipment_method>EMAIL</shipment_method><recipient><email>a@b@c</email></recipient></shipment></shipments>`, 1), "422 invalid_email@shipments/shipment[2]/recipient/email"},
	{"a copy to two headers", "POST /invoices", strings.Replace(good, "</shipments>", `<shipment type="copy"><shipment_method>EMAIL</shipment_method><recipient><email>a@example.no&#10;Bcc: b@example.no</email></recipient></shipment></shipments>`, 1), "422 invalid_email@shipments/shipment[2]/recipient/email"},
	{"changing an invoice", "PUT [fresh]", good, "405 method_not_allowed"},
	{"deleting an invoice", "DELETE [fresh]", "", "405 method_not_allowed"},
}

var badCreditNotes = []bad{
	{"a credit note without shipments", "POST [fresh]/credit_notes", "<credit_note/>", "422 required@shipments"},
	{"a credit note with a copy", "POST [fresh]/credit_notes", `<credit_note><shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment><shipment type="copy"><shipment_method>EMAIL</shipment_method><recipient><email>a@example.no</email></recipient></shipment></shipments></credit_note>`, "422 invalid_shipment_type@shipments/shipment[2] differs@shipments/shipment[2]/recipient"},
	{"a credit note of a part", "POST [fresh]/credit_notes", `<credit_note><gross_amount>1.00</gross_amount>` + paper + `</credit_note>`, "422 differs@gross_amount"},
	{"a comment of 501 characters", "POST [fresh]/credit_notes", `<credit_note><comment>` + strings.Repeat("a", 501) + `</comment>` + paper + `</credit_note>`, "422 too_long@comment"},
	{"a second credit note", "POST [credited]/credit_notes", creditBody("PAPER"), "409 already_credited"},
	{"a credit note on nothing", "POST /invoice/99999/credit_notes", creditBody("PAPER"), "404 not_found"},
	{"a credit note on another's invoice", "POST [foreign]/credit_notes", creditBody("PAPER"), "404 not_found"},
	{"changing a credit note", "PUT [credit]", creditBody("PAPER"), "405 method_not_allowed"},
	{"deleting a credit note", "DELETE [credit]", "", "405 method_not_allowed"},
}

var badNotices = []bad{
	{"a notice before the due date", "POST [fresh]/overdue_notices", "<overdue_notice/>", "409 not_overdue"},
	{"a notice on what is paid", "POST [paid]/overdue_notices", "<overdue_notice/>", "409 not_overdue"},
	{"a notice on what is credited", "POST [credited]/overdue_notices", "<overdue_notice/>", "409 not_overdue"},
	{"a fee after a day", "POST [overdue]/overdue_notices", "<overdue_notice><add_overdue_charge>1</add_overdue_charge></overdue_notice>", "409 too_early_for_charge"},
	{"a third notice", "POST [warned]/overdue_notices", "<overdue_notice/>", "409 debt_collection_notice_sent too_many_notices"},
	{"flags that are neither 1 nor 0", "POST [overdue]/overdue_notices", "<overdue_notice><add_overdue_charge>yes</add_overdue_charge><add_interest>true</add_interest><is_incasso_notice>2</is_incasso_notice></overdue_notice>", "422 invalid_flag@add_overdue_charge invalid_flag@add_interest invalid_flag@is_incasso_notice"},
	{"a notice by e-mail", "POST [overdue]/overdue_notices", "<overdue_notice>" + byEmail + "</overdue_notice>", "422 unknown_element@shipments"},
	{"a notice on nothing", "POST /invoice/99999/overdue_notices", "<overdue_notice/>", "404 not_found"},
	{"a notice on another's invoice", "POST [foreign]/overdue_notices", "<overdue_notice/>", "404 not_found"},
	{"changing a notice", "PUT [notice]", "<overdue_notice/>", "405 method_not_allowed"},
	{"deleting a notice", "DELETE [notice]", "", "405 method_not_allowed"},
}

var badEntries = []bad{
	{"an empty payment", "POST [fresh]/ar_transactions", "<ar_transaction/>", "422 required@amount required@transaction_date"},
	{"a payment of nothing", "POST [fresh]/ar_transactions", paymentBody("0.00", "2026-01-21"), "422 amount_zero@amount"},
	{"a payment with three decimals", "POST [fresh]/ar_transactions", paymentBody("-1.005", "2026-01-21"), "422 invalid_amount@amount"},
	{"a payment beyond all money", "POST [fresh]/ar_transactions", paymentBody("-10000000000.00", "2026-01-21"), "422 invalid_amount@amount"},
	{"a payment of tomorrow", "POST [fresh]/ar_transactions", paymentBody("-1.00", "2026-01-22"), "422 date_in_future@transaction_date"},
	{"a payment of the 30th of February", "POST [fresh]/ar_transactions", paymentBody("-1.00", "2026-02-30"), "422 invalid_date@transaction_date"},
	{"a payment of a day in words", "POST [fresh]/ar_transactions", paymentBody("-1.00", "21.01.2026"), "422 invalid_date@transaction_date"},
	{"a repayment of what was not overpaid", "POST [fresh]/ar_transactions", paymentBody("1.00", "2026-01-21"), "422 amount_too_large@amount"},
	{"a repayment on what is paid exactly", "POST [paid]/ar_transactions", paymentBody("0.01", "2026-01-21"), "422 amount_too_large@amount"},
	{"an OCR payment by hand", "POST [fresh]/ar_transactions", "<ar_transaction><transaction_type>OCR</transaction_type><amount>-1.00</amount><transaction_date>2026-01-21</transaction_date></ar_transaction>", "422 invalid_transaction_type@transaction_type"},
	{"a type that there is not", "POST [fresh]/ar_transactions", "<ar_transaction><transaction_type>GIFT</transaction_type><amount>-1.00</amount><transaction_date>2026-01-21</transaction_date></ar_transaction>", "422 invalid_transaction_type@transaction_type"},
	{"a reversal of a fee that was not charged", "POST [fresh]/ar_transactions", "<ar_transaction><transaction_type>OVERDUE_CHARGE</transaction_type><amount>-1.00</amount><transaction_date>2026-01-21</transaction_date></ar_transaction>", "422 amount_too_large@amount"},
	{"a fee by hand", "POST [fresh]/ar_transactions", "<ar_transaction><transaction_type>OVERDUE_CHARGE</transaction_type><amount>1.00</amount><transaction_date>2026-01-21</transaction_date></ar_transaction>", "422 amount_not_negative@amount"},
	{"a payment to another's account", "POST [fresh]/ar_transactions", "<ar_transaction><amount>-1.00</amount><transaction_date>2026-01-21</transaction_date><from_account_number>12345678903</from_account_number></ar_transaction>", "422 differs@from_account_number"},
	{"a payment on another's invoice", "POST [foreign]/ar_transactions", paymentBody("-1.00", "2026-01-21"), "404 not_found"},
	{"a payment on nothing", "POST /invoice/0/ar_transactions", paymentBody("-1.00", "2026-01-21"), "404 not_found"},
	{"a payout above the credit", "POST [credit]/ar_transactions", paymentBody("0.01", "2026-01-21"), "422 amount_too_large@amount"},
	{"a payment on a credit note", "POST [credit]/ar_transactions", paymentBody("-1.00", "2026-01-21"), "422 amount_not_positive@amount"},
	{"a payout of a type", "POST [credit]/ar_transactions", "<ar_transaction><transaction_type>INTEREST</transaction_type><amount>1.00</amount><transaction_date>2026-01-21</transaction_date></ar_transaction>", "422 amount_too_large@amount"},
	{"changing a payment", "PUT [payment]", paymentBody("-1.00", "2026-01-21"), "405 method_not_allowed"},
	{"deleting what an invoice posted", "DELETE [invoice entry]", "", "409 not_a_payment"},
	{"deleting nothing", "DELETE /ar_transaction/99999", "", "404 not_found"},
}

var badCustomers = []bad{
	{"an empty customer", "POST /customers", "<customer/>", "422 required@name1 required@postal_code required@postal_name"},
	{"blank names", "POST /customers", "<customer><name1> </name1><postal_code>\n</postal_code><postal_name></postal_name></customer>", "422 required@name1 required@postal_code required@postal_name"},
	{"texts that are too long", "POST /customers", "<customer><name1>" + strings.Repeat("å", 101) + "</name1><name2>" + strings.Repeat("å", 101) + "</name2><address1>" + strings.Repeat("å", 101) +
		"</address1><address2>" + strings.Repeat("å", 101) + "</address2><postal_code>" + strings.Repeat("1", 17) + "</postal_code><postal_name>" + strings.Repeat("å", 61) +
		"</postal_name><email>" + strings.Repeat("a", 250) + "@b.no</email><customer_number>" + strings.Repeat("1", 41) + "</customer_number></customer>", "422 too_long@name1 too_long@name2 too_long@address1 too_long@address2 too_long@postal_code too_long@postal_name too_long@email too_long@customer_number"},
	{"control characters", "POST /customers", "<customer><name1>A&#10;B</name1><postal_code>1&#9;2</postal_code><postal_name>C&#x7f;</postal_name></customer>", "422 control_character@name1 control_character@postal_code control_character@postal_name"},
	{"a country of three letters", "POST /customers", "<customer>" + aCustomer + "<country_code>NOR</country_code></customer>", "422 invalid_country@country_code"},
	{"a country that there is not", "POST /customers", "<customer>" + aCustomer + "<country_code>XX</country_code></customer>", "422 invalid_country@country_code"},
	{"addresses that are none", "POST /customers", "<customer>" + aCustomer + "<email>a@b</email></customer>", "422 invalid_email@email"},
	{"an address with a name", "POST /customers", "<customer>" + aCustomer + "<email>A &lt;a@b.no&gt;</email></customer>", "422 invalid_email@email"},
	{"a customer number that is taken", "POST /customers", "<customer>" + aCustomer + "<customer_number>K1</customer_number></customer>", "409 customer_number_in_use@customer_number"},
	{"an organisation number with a wrong check digit", "POST /customers", "<customer>" + aCustomer + "<organisation_number>974760674</organisation_number></customer>", "422 invalid_organisation_number@organisation_number"},
	{"a language that there is not", "POST /customers", "<customer>" + aCustomer + "<language>sv</language></customer>", "422 invalid_language@language"},
	{"elements inside a text", "POST /customers", "<customer>" + aCustomer + "<name2>A<b>B</b></name2></customer>", "422 unknown_element@name2/b"},
	{"clearing what is required", "PUT [kari]", "<customer><name1/><postal_code/><postal_name/></customer>", "422 required@name1 required@postal_code required@postal_name"},
	{"changing to a number that is taken", "PUT [kari]", "<customer><customer_number>K1</customer_number></customer>", "409 customer_number_in_use@customer_number"},
	{"changing a uri", "PUT [kari]", `<customer><balance>0</balance></customer>`, "422 unknown_element@balance"},
	{"changing another's customer", "PUT [foreign customer]", "<customer><name1>A</name1></customer>", "404 not_found"},
	{"deleting a customer with invoices", "DELETE [kari]", "", "409 customer_has_invoices"},
	{"deleting another's customer", "DELETE [foreign customer]", "", "404 not_found"},
}

var badCreditors = []bad{
	{"a creditor without a name", "PUT /creditor", "<creditor><name/></creditor>", "422 required@name"},
	{"numbers with wrong check digits", "PUT /creditor", "<creditor><organisation_number>123456789</organisation_number><bank_account>12345678901</bank_account></creditor>", "422 invalid_organisation_number@organisation_number invalid_bank_account@bank_account"},
	{"another's name", "PUT /creditor", "<creditor><name>Fremmed AS</name></creditor>", "409 name_in_use@name"},
	{"a KID that is too short or too long", "PUT /creditor", "<creditor><kid_length>3</kid_length><kid_modulus>12</kid_modulus></creditor>", "422 out_of_range@kid_length out_of_range@kid_modulus"},
	{"a number series that began", "PUT /creditor", "<creditor><first_number>1000</first_number></creditor>", "409 series_in_use@first_number"},
	{"a number series from nothing", "PUT /creditor", "<creditor><first_number>0</first_number></creditor>", "422 out_of_range@first_number"},
	{"a time zone that there is not", "PUT /creditor", "<creditor><time_zone>Europe/Atlantis</time_zone></creditor>", "422 invalid_time_zone@time_zone"},
	{"the machine's time zone", "PUT /creditor", "<creditor><time_zone>Local</time_zone></creditor>", "422 invalid_time_zone@time_zone"},
	{"VAT rates that are none", "PUT /creditor", `<creditor><vat_rates><vat_rate name="SUPER" percent="1" from="2026-01-01"/><vat_rate name="LOW" percent="101" from="2026-01-01"/><vat_rate name="LOW" percent="12" from="soon"/></vat_rates></creditor>`, "422 invalid_vat_rate@vat_rates/vat_rate[1] invalid_vat_rate@vat_rates/vat_rate[2] invalid_vat_rate@vat_rates/vat_rate[3]"},
	{"the same VAT rate twice", "PUT /creditor", `<creditor><vat_rates><vat_rate name="LOW" percent="12" from="2026-01-01"/><vat_rate name="LOW" percent="13" from="2026-01-01"/></vat_rates></creditor>`, "422 invalid_vat_rate@vat_rates/vat_rate[2]"},
	{"a fee above the law", "PUT /creditor", policyBody("<fee>38.01</fee>"), "422 illegal_policy@dunning_policy/fee"},
	{"a policy outside the law", "PUT /creditor", policyBody("<first_notice_days>0</first_notice_days><days_to_pay>13</days_to_pay><hand_over_days>0</hand_over_days><debt_collection_notice>always</debt_collection_notice><minimum_balance>-1</minimum_balance>"), "422 illegal_policy@dunning_policy/first_notice_days illegal_policy@dunning_policy/days_to_pay illegal_policy@dunning_policy/hand_over_days illegal_policy@dunning_policy/debt_collection_notice illegal_policy@dunning_policy/minimum_balance"},
	{"a policy of no numbers", "PUT /creditor", policyBody("<fee>free</fee><interest_rate>high</interest_rate><weekdays_only>yes</weekdays_only>"), "422 invalid_flag@dunning_policy/weekdays_only invalid_amount@dunning_policy/fee invalid_number@dunning_policy/interest_rate"},
	{"an element that there is not", "PUT /creditor", "<creditor><owner>A</owner></creditor>", "422 unknown_element@owner"},
	{"a creditor by POST", "POST /creditor", "<creditor/>", "405 method_not_allowed"},
}

var badClocks = []bad{
	{"no time", "POST /test_clock", "<test_clock/>", "422 required@now"},
	{"a time in words", "POST /test_clock", "<test_clock><now>tomorrow</now></test_clock>", "422 invalid_time@now"},
	{"a time without a zone", "POST /test_clock", "<test_clock><now>2026-02-01T08:00:00</now></test_clock>", "422 invalid_time@now"},
	{"a time in the past", "POST /test_clock", "<test_clock><now>2026-01-01T08:00:00Z</now></test_clock>", "422 clock_backwards@now"},
}

var badQueries = []bad{
	{"a path that there is not", "POST /invoice", good, "404 not_found"},
	{"pages that there are not", "GET /invoices?page=0&per_page=1001", "", "400 out_of_range@page out_of_range@per_page"},
	{"filters that there are not", "GET /invoices?status=gone&from_date=2026-02-30&to_date=x&color=red", "", "400 invalid_date@from_date invalid_date@to_date unknown_status@status unknown_parameter@color"},
	{"the same parameter twice", "GET /customers?page=1&page=2", "", "400 repeated_parameter@page"},
	{"a type that lists do not know", "GET /ar_transactions?transaction_type=GIFT", "", "400 unknown_transaction_type@transaction_type"},
}

// badHeaders are wrong by a header.
var badHeaders = []struct {
	bad
	name, value string
}{
	{bad{"XML that says it is JSON", "POST /invoices", good, "415 unsupported_media_type"}, "Content-Type", "application/json"},
	{bad{"a form", "POST /customers", `name1=A`, "415 unsupported_media_type"}, "Content-Type", "application/x-www-form-urlencoded"},
	{bad{"an Idempotency-Key of no characters", "POST /invoices", good, "400 invalid_idempotency_key"}, "Idempotency-Key", ""},
	{bad{"an Idempotency-Key of 256 characters", "POST /invoices", good, "400 invalid_idempotency_key"}, "Idempotency-Key", strings.Repeat("k", 256)},
	{bad{"no key", "POST /invoices", good, "401 key_required"}, "Authorization", ""},
	{bad{"a wrong key", "POST /invoices", good, "401 key_wrong"}, "Authorization", "Bearer purr_wrong"},
	{bad{"a file of no known type", "POST /payment_files", "NY", "415 unsupported_media_type"}, "Content-Type", "application/pdf"},
	{bad{"a file with an unknown parameter", "POST /payment_files?force=1", "NY", "400 unknown_parameter@force"}, "Content-Type", "text/plain"},
}
