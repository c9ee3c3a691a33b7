package conformance_test

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestD17ChangingACustomer changes what is sent and nothing else; an empty element clears what may be empty. An
// invoice keeps the recipient that it was sent to.
func TestD17ChangingACustomer(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer(kari, tag("name2", "v/ Ola"), tag("address2", "H0101"), tag("customer_number", "7"), tag("country_code", "SE"))
		sent := c.invoices(order{to: customer.uri()})
		whole := []string{
			"name1 Kari Nordmann", "name2 v/ Ola", "address1 Storgata 1", "address2 H0101", "postal_code 0155", "postal_name Oslo",
			"email kari@example.no", "customer_number 7", "country_code SE",
		}
		for i, change := range []string{"name1 Kari Hansen", "name2", "address1", "address2", "postal_code 5003", "postal_name Bergen", "email", "customer_number", "country_code DK"} {
			field, value, _ := strings.Cut(change, " ")
			whole[i] = change
			c.put(customer.uri(), tag("customer", tag(field, value))).shown().shows(whole...)
		}
		c.put(customer.uri(), tag("customer")).shown().shows(whole...)
		c.put(customer.uri(), tag("customer", tag("country_code"))).shown().shows("country_code NO")
		for _, field := range []string{"name1", "postal_code", "postal_name"} {
			c.put(customer.uri(), tag("customer", tag(field))).refused(422, "required "+field)
		}
		kept := c.again(sent)
		kept.equals(sent)
		kept.shows("recipient/name1 Kari Nordmann", "recipient/country_code SE", "recipient/parent_recipient/@uri "+customer.uri(), "shipments/shipment/recipient/name1 Kari Nordmann")
		c.invoices(order{to: customer.uri()}).shows("recipient/name1 Kari Hansen", "recipient/email")
	})
}

// TestD18OneSeries: invoices and credit notes share a creditor's numbers, which begin where it says; what is
// refused takes none, and neither do many at once take one twice.
func TestD18OneSeries(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c, other := in.creditor(t, tag("first_number", "4711")), in.creditor(t)
		first := c.invoices(order{}).shows("invoice_number 4711")
		other.invoices(order{}).shows("invoice_number 1")
		c.post("/invoices", order{lines: []string{line("x", "-1", "1", "NONE")}}.xml()).is(422)
		c.post("/invoices", order{inline: kari + tag("customer_number", strings.Repeat("x", 41))}.xml()).is(422)
		c.post("/invoices", order{inline: strings.Replace(kari, "kari@example.no", "", 1), by: "EMAIL"}.xml()).is(422)
		c.credits(first).shows("invoice_number 4712")
		c.post(first.uri()+"/credit_notes", creditNote()).is(409)
		to := c.customer().uri()
		second := c.invoices(order{to: to}).shows("invoice_number 4713")

		var numbers []int
		for i, a := range c.atOnce(9, func(c *client) *answer { return c.post("/invoices", order{to: to}.xml()) }) {
			if i == 0 {
				numbers = append(numbers, number(c.credits(second)))
			}
			numbers = append(numbers, number(a.created()))
		}
		slices.Sort(numbers)
		for i, n := range numbers {
			equal(t, "number of many at once", n, 4714+i)
		}
	})
}

func number(document node) int {
	n, err := strconv.Atoi(document.at("invoice_number"))
	must(document.t, err)
	return n
}

// TestD19Search finds documents by their whole number or a part of the recipient's names, customers by a part of
// their names or address.
func TestD19Search(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, tag("first_number", "11"))
		for _, name := range []string{"Blåbærtunet Søndre", "ÆRLIGE ÅSE", "100 % rabatt_", "Hus 12"} {
			initials := string([]rune(name)[:2])
			customer := c.customer(strings.Replace(named(name), "kari@", fmt.Sprintf("%x@", initials), 1), tag("name2", "c/o "+strings.ToUpper(initials)+"ØVRE"))
			c.credits(c.invoices(order{to: customer.uri()}))
		}
		found := func(list, search, field string) string {
			t.Helper()
			return strings.Join(texts(c.list(list+"?search="+url.QueryEscape(search)), field), " ")
		}
		for _, test := range []struct{ search, invoices, creditNotes string }{
			{"11", "11", ""},
			{"12", "17", "12 18"}, // a number, and a name
			{"1", "15 17", "16 18"},
			{"blåbær", "11", "12"},
			{"BLÅBÆRTUNET s", "11", "12"},
			{"søndre", "11", "12"},
			{"øvre", "11 13 15 17", "12 14 16 18"},
			{"ærlige", "13", "14"},
			{"åse", "13", "14"},
			{"ase", "", ""},
			{"%", "15", "16"},
			{"_", "15", "16"},
			{"example", "", ""}, // an address is none of the names
			{"", "11 13 15 17", "12 14 16 18"},
		} {
			equal(t, "invoices found by "+test.search, found("/invoices", test.search, "invoice_number"), test.invoices)
			equal(t, "credit notes found by "+test.search, found("/credit_notes", test.search, "invoice_number"), test.creditNotes)
		}
		for _, test := range []struct{ search, names string }{
			{"BÆRT", "Blåbærtunet Søndre"},
			{"ærøvre", "ÆRLIGE ÅSE"},
			{"C/O BLØ", "Blåbærtunet Søndre"},
			{"426C@EXAMPLE", "Blåbærtunet Søndre"},
			{"@example.no", "Blåbærtunet Søndre ÆRLIGE ÅSE 100 % rabatt_ Hus 12"},
			{"Storgata", ""},
			{"%", "100 % rabatt_"},
		} {
			equal(t, "customers found by "+test.search, found("/customers", test.search, "name1"), test.names)
		}
	})
}

// TestD20KIDs makes KIDs of agreements of several lengths and both moduli: digits, the check digit last, made from
// the number, and no "-".
func TestD20KIDs(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		first := c.invoices(order{})
		first.shows("ocr_kid_number " + kidOf(first, 10, 10))
		note := c.credits(first)
		note.shows("ocr_kid_number " + kidOf(note, 10, 10))
		equal(t, "check digit of 79927398713", luhn("7992739871"), "3")

		for _, agreement := range []struct{ length, modulus int }{{4, 10}, {25, 10}, {4, 11}, {10, 11}, {25, 11}} {
			c := in.creditor(t, tag("kid_length", fmt.Sprint(agreement.length)), tag("kid_modulus", fmt.Sprint(agreement.modulus)))
			invoice := c.invoices(order{})
			invoice.shows("ocr_kid_number " + kidOf(invoice, agreement.length, agreement.modulus))
		}
		for _, wrong := range []string{"3", "26", "0"} {
			c.put("/creditor", tag("creditor", tag("kid_length", wrong))).refused(422, "out_of_range kid_length")
		}
		c.put("/creditor", tag("creditor", tag("kid_modulus", "12"))).refused(422, "out_of_range kid_modulus")

		// The first number of three digits whose MOD11 check digit would be "-" has another candidate.
		dashed := 100
		for mod11(fmt.Sprint(dashed)) != "-" {
			dashed++
		}
		c = in.creditor(t, tag("kid_length", "4"), tag("kid_modulus", "11"), tag("first_number", fmt.Sprint(dashed)))
		kid := c.invoices(order{}).shows("invoice_number " + fmt.Sprint(dashed)).at("ocr_kid_number")
		if _, err := strconv.Atoi(kid); err != nil || len(kid) != 4 || mod11(kid[:3]) != kid[3:] || kid[:3] == fmt.Sprint(dashed) {
			t.Errorf("the KID of number %d is %s", dashed, kid)
		}
	})
}

// TestD20OldKIDsStillMatch changes the agreement between two invoices: each keeps its KID, and a payment with
// either finds its invoice.
func TestD20OldKIDsStillMatch(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		account := in.bankAccount()
		c := in.creditor(t, tag("bank_account", account))
		old := c.invoices(order{})
		c.put("/creditor", tag("creditor", tag("kid_length", "7"), tag("kid_modulus", "11"))).is(200)
		young := c.invoices(order{})
		c.again(old).equals(old)
		young.shows("ocr_kid_number " + kidOf(young, 7, 11))
		c.bankReports(account, old.at("ocr_kid_number"), young.at("ocr_kid_number"))
		for _, invoice := range []node{old, young} {
			c.account(invoice, "INVOICE 1250.00", "OCR -1250.00")
		}
	})
}

// kidOf returns the KID of a document by the agreement: its number, filled up with zeros, and the check digit.
func kidOf(document node, length, modulus int) string {
	base := fmt.Sprintf("%0*d", length-1, number(document))
	if modulus == 11 {
		return base + mod11(base)
	}
	return base + luhn(base)
}

// luhn returns the check digit of MOD10: every second digit from the right doubled, the digits of all added up to
// the next ten.
func luhn(base string) string {
	sum := 0
	for i := range len(base) {
		d := int(base[len(base)-1-i] - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return fmt.Sprint((10 - sum%10) % 10)
}

// mod11 returns the check digit of MOD11: the digits from the right times 2 to 7 again and again, added up to the
// next eleven; "-" stands for ten.
func mod11(base string) string {
	sum := 0
	for i := range len(base) {
		sum += int(base[len(base)-1-i]-'0') * (2 + i%6)
	}
	if c := (11 - sum%11) % 11; c < 10 {
		return fmt.Sprint(c)
	}
	return "-"
}

// TestInterfaceInvoiceStatusesD23 takes every status and every older name, combined as one likes, and nothing else. What
// each finds on which day, TestD26StatusOfEveryDay shows.
func TestInterfaceInvoiceStatusesD23(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		paid, unpaid := c.invoices(order{}), c.invoices(order{})
		c.registers("-1250", paid)
		for _, test := range []struct {
			filter string
			finds  []string
		}{
			{"all", []string{"1", "2"}},
			{"invoice_sent", []string{"2"}},
			{"waiting", []string{"2"}},
			{"invoice_paid", []string{"1"}},
			{"paid", []string{"1"}},
			{"overdue", nil},
			{"invoice_overdue", nil},
			{"invoice_overdue_chargeable", nil},
			{"overdue_notice_sent", nil},
			{"overdue_notice_overdue", nil},
			{"debt_collection_notice_sent", nil},
			{"debt_collection_notice_overdue", nil},
			{"debt_collection", nil},
			{"closed_lost", nil},
			{"closed_other", nil},
			{"paid|waiting", []string{"1", "2"}},
			{"closed_lost|overdue|invoice_paid", []string{"1"}},
			{"overdue|all", []string{"1", "2"}},
		} {
			items := c.list("/invoices?status=" + url.QueryEscape(test.filter))
			same(t, "invoices found by "+test.filter, texts(items, "invoice_number"), append([]string{}, test.finds...))
		}
		for _, wrong := range []string{"not_paid", "sent", "", "paid|", "Paid", "credit_note_paid", "paid,waiting"} {
			c.get("/invoices?status="+url.QueryEscape(wrong)).refused(400, "unknown_status status")
		}
		c.again(unpaid).shows("@status invoice_sent")
	})
}

// TestD25SubListsTakeTheFiltersOfTheirLists: what narrows a list narrows a customer's too, and all that they show
// is the customer's.
func TestD25SubListsTakeTheFiltersOfTheirLists(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		mine, others := c.customer(named("Min Kunde")), c.customer(named("Annen Kunde"))
		for _, customer := range []node{mine, others} { // numbers 1, 2, 3 and 4, 5, 6
			invoice := c.invoices(order{to: customer.uri()})
			c.registers("-10", invoice)
			c.credits(invoice)
			c.invoices(order{to: customer.uri()})
		}
		tomorrow := (in.today() + 1).String()
		for _, test := range []struct{ list, query, field, finds string }{
			{"/invoices", "", "invoice_number", "1 3"},
			{"/invoices", "status=waiting", "invoice_number", "3"},
			{"/invoices", "status=paid", "invoice_number", "1"},
			{"/invoices", "search=3", "invoice_number", "3"},
			{"/invoices", "search=min", "invoice_number", "1 3"},
			{"/invoices", "search=annen", "invoice_number", ""},
			{"/invoices", "from_date=" + tomorrow, "invoice_number", ""},
			{"/invoices", "to_date=" + tomorrow, "invoice_number", "1 3"},
			{"/invoices", "per_page=1&page=2", "invoice_number", "3"},
			{"/credit_notes", "", "invoice_number", "2"},
			{"/credit_notes", "status=not_paid", "invoice_number", "2"},
			{"/credit_notes", "status=paid", "invoice_number", ""},
			{"/credit_notes", "search=2", "invoice_number", "2"},
			{"/credit_notes", "search=5", "invoice_number", ""},
			{"/credit_notes", "from_date=" + tomorrow, "invoice_number", ""},
			{"/ar_transactions", "", "amount", "1250.00 -10.00 -1250.00 -1240.00 1240.00 1250.00"},
			{"/ar_transactions", "transaction_type=PAYMENT", "amount", "-10.00"},
			{"/ar_transactions", "to_date=" + tomorrow + "&transaction_type=INVOICE", "amount", "1250.00 1250.00"},
			{"/ar_transactions", "from_date=" + tomorrow, "amount", ""},
		} {
			got := c.get(mine.uri() + test.list + "?" + test.query).shown().children()
			equal(t, test.list+"?"+test.query, strings.Join(texts(got, test.field), " "), test.finds)
			wrong := c.get(mine.uri() + test.list + "?color=blue")
			wrong.refused(400, "unknown_parameter color")
		}
		c.get(mine.uri()+"/ar_transactions?search=x").refused(400, "unknown_parameter search")
	})
}
