package conformance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"purr/models"
)

// TestE1Creditor reads the creditor, changes what is sent of it and nothing else, and has what is wrong refused.
func TestE1Creditor(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.bareCreditor(t)
		account := in.bankAccount()
		fresh := c.Get("/creditor").Shown()
		fresh.ConsistsOf("@uri name organisation_number vat_registered address1 address2 postal_code postal_name country_code email bank_account " +
			"kid_length kid_modulus first_number time_zone vat_rates dunning_policy")
		whole := []string{
			"name " + fresh.At("name"), "organisation_number", "vat_registered 0", "address1", "address2", "postal_code", "postal_name", "country_code NO", "email", "bank_account",
			"kid_length 10", "kid_modulus 10", "first_number 1", "time_zone Europe/Oslo",
		}
		fresh.Shows(whole...)
		for i, value := range []string{
			fresh.At("name") + " Øst", "974760673", "1", "Kaigaten 1", "2. etasje", "5003", "Bergen", "SE", "post@example.no", account, "12", "11", "100", "Europe/Stockholm",
		} {
			field, _, _ := strings.Cut(whole[i], " ")
			whole[i] = field + " " + value
			c.Put("/creditor", tag("creditor", tag(field, value))).Shown().Shows(whole...)
		}
		c.Put("/creditor", tag("creditor", tag("address2"), tag("email"), tag("organisation_number"))).Shown().Shows("address2", "email", "organisation_number", "address1 Kaigaten 1")
		c.withScope(models.ScopeRead).Get("/creditor").Shown().Shows("bank_account " + account)
		c.withScope(models.ScopeWrite).Put("/creditor", tag("creditor", tag("name", "x"))).Refused(403, "scope_insufficient")

		for _, wrong := range []struct{ field, value, code string }{
			{"name", "", "required"},
			{"organisation_number", "974760674", "invalid_organisation_number"},
			{"organisation_number", "97476067", "invalid_organisation_number"},
			{"bank_account", account[:10] + string('0'+(account[10]-'0'+1)%10), "invalid_bank_account"},
			{"bank_account", "1503.00.00001", "invalid_bank_account"},
			{"vat_registered", "yes", "invalid_flag"},
			{"email", "post", "invalid_email"},
			{"country_code", "XX", "invalid_country"},
			{"kid_length", "ten", "invalid_number"},
			{"first_number", "0", "out_of_range"},
			{"time_zone", "Oslo", "invalid_time_zone"},
		} {
			c.Put("/creditor", tag("creditor", tag(wrong.field, wrong.value))).Refused(422, wrong.code+" "+wrong.field)
		}
		in.Approve(t, c.creditor)
		in.creditor(t).Put("/creditor", tag("creditor", tag("bank_account", account))).Refused(409, "bank_account_in_use bank_account")
		c.Put("/creditor", tag("creditor", tag("uri", "x"))).Refused(422, "unknown_element uri")
	})
}

// TestL8FurtherFields are absent until they are set, and a VAT register that nobody has told of stays so (L9).
func TestL8FurtherFields(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		c.Put("/creditor", tag("creditor", `<vat_registered assumed="1">0</vat_registered>`)).Shown().Only("vat_registered").Shows("@assumed 1")
		whole := []string{"phone", "website", "iban", "bic", "business_register", "vat_exemption"}
		for i, value := range []string{"+47 55 00 00 00", "www.example.no", "NO9386011117947", "DNBANOKKXXX", "0", "Z"} {
			field := whole[i]
			whole[i] += " " + value
			c.Put("/creditor", tag("creditor", tag(field, value))).Shown().Shows(whole[:i+1]...)
			c.Put("/creditor", tag("creditor", tag(field))).Shown().Shows("no " + field)
			c.Put("/creditor", tag("creditor", tag(field, value))).Is(200)
		}
		for _, wrong := range []struct{ field, value, code string }{
			{"phone", "ring oss", "invalid_phone"},
			{"website", strings.Repeat("w", 101), "too_long"},
			{"iban", "NO9386011117948", "invalid_iban"},
			{"bic", "DNB", "invalid_bic"},
			{"business_register", "ja", "invalid_flag"},
			{"vat_exemption", "NONE", "invalid_vat_exemption"},
		} {
			c.Put("/creditor", tag("creditor", tag(wrong.field, wrong.value))).Refused(422, wrong.code+" "+wrong.field)
		}
		c.Put("/creditor", tag("creditor", tag("vat_registered", "0"))).Shown().Only("vat_registered").Shows("no @assumed")
	})
}

// TestE1FirstNumber can be set before the first invoice only.
func TestE1FirstNumber(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		first := func(n string) string { return tag("creditor", tag("first_number", n)) }
		c.Put("/creditor", first("1000")).Shown().Shows("first_number 1000")
		c.Put("/creditor", first("10")).Shown().Shows("first_number 10")
		c.invoices(order{}).Shows("invoice_number 10")
		c.Put("/creditor", first("20")).Refused(409, "series_in_use first_number")
		c.Put("/creditor", first("10")).Is(200)
		c.invoices(order{}).Shows("invoice_number 11")
	})
}

// TestE1VATRatesAndPolicy are parts of the creditor: rates are replaced together, the policy element by element.
func TestE1VATRatesAndPolicy(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		rates := func(rates ...string) string { return tag("creditor", tag("vat_rates", rates...)) }
		rate := func(name, percent, from string) string {
			return fmt.Sprintf(`<vat_rate name="%s" percent="%s" from="%s"/>`, name, percent, from)
		}
		sent := []string{rate("HIGH", "25.5", "2030-01-01"), rate("LOW", "12", "2018-01-01")}
		var shown []string
		for _, r := range c.Put("/creditor", rates(sent...)).Shown().All("vat_rates/vat_rate") {
			shown = append(shown, rate(r.At("@name"), r.At("@percent"), r.At("@from")))
		}
		slices.Sort(shown)
		same(t, "rates", shown, sent)
		c.Put("/creditor", rates(rate("MEDIUM", "15", "2018-01-01"))).Shown().Only("vat_rates/vat_rate").Shows("@name MEDIUM")
		for _, wrong := range []string{rate("REDUCED", "1", "2018-01-01"), rate("LOW", "101", "2018-01-01"), rate("LOW", "-1", "2018-01-01"), rate("LOW", "1", "2018"), rate("NONE", "1", "2018-01-01"), "<vat_rate/>"} {
			c.Put("/creditor", rates(wrong)).Refused(422, "invalid_vat_rate vat_rates/vat_rate[1]")
		}
		equal(t, "number of rates after refusals", len(c.Get("/creditor").Shown().All("vat_rates/vat_rate")), 1)
		equal(t, "number of rates when all are taken away", len(c.Put("/creditor", rates()).Shown().All("vat_rates/vat_rate")), 0)

		policy := func(parts ...string) string { return tag("creditor", tag("dunning_policy", parts...)) }
		whole := []string{
			"enabled 0", "first_notice_days 14", "second_notice_days 14", "fee max", "add_interest 1", "interest_rate", "days_to_pay 14", "debt_collection_notice second",
			"hand_over_days", "minimum_balance 50.00", "weekdays_only 1", "require_payment_file 1",
		}
		c.Get("/creditor").Shown().Only("dunning_policy").Shows(whole...)
		for i, value := range []string{"1", "15", "16", "20.00", "0", "9.5", "17", "first", "18", "100.00", "0", "0"} {
			field, _, _ := strings.Cut(whole[i], " ")
			whole[i] = field + " " + value
			c.Put("/creditor", policy(tag(field, value))).Shown().Only("dunning_policy").Shows(whole...)
		}
		for _, illegal := range []struct{ field, value string }{
			{"first_notice_days", "0"},
			{"second_notice_days", "0"},
			{"days_to_pay", "13"},
			{"fee", "1000"},
			{"fee", "-1"},
			{"interest_rate", "-1"},
			{"debt_collection_notice", "third"},
			{"hand_over_days", "0"},
			{"minimum_balance", "-1"},
		} {
			c.Put("/creditor", policy(tag(illegal.field, illegal.value))).Refused(422, "illegal_policy dunning_policy/"+illegal.field)
		}
		c.Put("/creditor", policy(tag("fee", "max"), tag("interest_rate"), tag("hand_over_days"))).Shown().Only("dunning_policy").
			Shows("fee max", "interest_rate", "hand_over_days", "days_to_pay 17")
	})
}
