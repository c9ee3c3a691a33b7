package conformance_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestD18OneSeries: invoices and credit notes share a creditor's numbers, which begin where it says; what is
// refused takes none, and neither do many at once take one twice.
func TestD18OneSeries(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c, other := in.creditor(t, tag("first_number", "4711")), in.creditor(t)
		first := c.invoices(order{}).Shows("invoice_number 4711")
		other.invoices(order{}).Shows("invoice_number 1")
		c.Post("/invoices", order{lines: []string{line("x", "-1", "1", "NONE")}}.xml()).Is(422)
		c.Post("/invoices", order{inline: kari + tag("customer_number", strings.Repeat("x", 41))}.xml()).Is(422)
		c.Post("/invoices", order{inline: strings.Replace(kari, "kari@example.no", "", 1), by: "EMAIL"}.xml()).Is(422)
		c.credits(first).Shows("invoice_number 4712")
		c.Post(first.URI()+"/credit_notes", creditNote()).Is(409)
		to := c.customer().URI()
		second := c.invoices(order{to: to}).Shows("invoice_number 4713")

		var numbers []int
		kids := map[string]bool{} // each is another (rule D20)
		for i, a := range c.AtOnce(9, func() *answer { return c.Post("/invoices", order{to: to}.xml()) }) {
			if i == 0 {
				numbers = append(numbers, number(c.credits(second)))
			}
			invoice := a.Created()
			numbers = append(numbers, number(invoice))
			kids[invoice.At("ocr_kid_number")] = true
		}
		equal(t, "number of KIDs", len(kids), 9)
		slices.Sort(numbers)
		for i, n := range numbers {
			equal(t, "number of many at once", n, 4714+i)
		}
	})
}

func number(document node) int {
	n, err := strconv.Atoi(document.At("invoice_number"))
	must(document.T, err)
	return n
}

// TestD20KIDs makes KIDs of agreements of several lengths and both moduli: digits, the check digit last, made from
// the number, and no "-".
func TestD20KIDs(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		first := c.invoices(order{})
		first.Shows("ocr_kid_number " + kidOf(first, 10, 10))
		note := c.credits(first)
		note.Shows("ocr_kid_number " + kidOf(note, 10, 10))
		equal(t, "check digit of 79927398713", luhn("7992739871"), "3")

		for _, agreement := range []struct{ length, modulus int }{{4, 10}, {25, 10}, {4, 11}, {10, 11}, {25, 11}} {
			c := in.creditor(t, tag("kid_length", fmt.Sprint(agreement.length)), tag("kid_modulus", fmt.Sprint(agreement.modulus)))
			invoice := c.invoices(order{})
			invoice.Shows("ocr_kid_number " + kidOf(invoice, agreement.length, agreement.modulus))
		}
		for _, wrong := range []string{"3", "26", "0"} {
			c.Put("/creditor", tag("creditor", tag("kid_length", wrong))).Refused(422, "out_of_range kid_length")
		}
		c.Put("/creditor", tag("creditor", tag("kid_modulus", "12"))).Refused(422, "out_of_range kid_modulus")

		// The first number of three digits whose MOD11 check digit would be "-" has another candidate.
		dashed := 100
		for mod11(fmt.Sprint(dashed)) != "-" {
			dashed++
		}
		c = in.creditor(t, tag("kid_length", "4"), tag("kid_modulus", "11"), tag("first_number", fmt.Sprint(dashed)))
		kid := c.invoices(order{}).Shows("invoice_number " + fmt.Sprint(dashed)).At("ocr_kid_number")
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
		c.Put("/creditor", tag("creditor", tag("kid_length", "7"), tag("kid_modulus", "11"))).Is(200)
		young := c.invoices(order{})
		c.again(old).Equals(old)
		young.Shows("ocr_kid_number " + kidOf(young, 7, 11))
		c.bankReports(account, old.At("ocr_kid_number"), young.At("ocr_kid_number"))
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

// TestL18InvoiceReferences: an invoice keeps what it was given of order and delivery, and its buyer's organisation number
// whatever becomes of the customer's.
func TestL18InvoiceReferences(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		to := c.Post("/customers", tag("customer", kari, tag("organisation_number", "974760673"))).Created().URI()
		references := func(reference, order, date, place string) string {
			return tag("invoice", tag("num_due_days", "14"), tag("invoice_note", ""), tag("your_reference", reference), tag("order_number", order),
				tag("delivery_date", date), tag("delivery_place", place), `<recipient uri="`+to+`"/>`, tag("lines", of("100")...), shipments(""))
		}
		invoice := c.Post("/invoices", references(" A\u030Ase ", strings.Repeat("å", 100), "2026-02-28", "Kai 3")).Created()
		c.Put(to, tag("customer", tag("organisation_number", ""))).Is(200)
		c.again(invoice).Shows("your_reference Åse", "order_number "+strings.Repeat("å", 100), "delivery_date 2026-02-28", "delivery_place Kai 3",
			"recipient/organisation_number 974760673")
		later := c.Post("/invoices", references("", " ", "", "")).Created()
		for _, absent := range []string{"your_reference", "order_number", "delivery_date", "delivery_place", "recipient/organisation_number"} {
			if _, shown := later.Find(absent); shown {
				t.Errorf("%s is shown, and there is none", absent)
			}
		}
		long := strings.Repeat("å", 101)
		c.Post("/invoices", references(long, long, "2026-02-29", long)).
			Refused(422, "invalid_date delivery_date", "too_long your_reference", "too_long order_number", "too_long delivery_place")
	})
}
