package models_test

import (
	"strings"
	"testing"

	"purr/models"
)

func TestCustomerValidateD16(t *testing.T) {
	long := func(n int) string { return strings.Repeat("å", n) }
	tests := []struct {
		change func(*models.Customer)
		want   string
		why    string
	}{
		{func(*models.Customer) {}, "", "what must be there is enough"},
		{
			func(c *models.Customer) {
				c.Recipient = models.Recipient{
					Name1: long(100), Name2: long(100), Address1: long(100), Address2: long(100), PostalCode: long(16), PostalName: long(60),
					CountryCode: "SE", Email: strings.Repeat("a", 254-len("@example.no")) + "@example.no", CustomerNumber: long(40),
				}
				c.Recipient.OrganisationNumber, c.Language = "974760673", "nn"
			}, "", "everything as long as it may be",
		},
		{
			func(c *models.Customer) {
				c.Recipient = models.Recipient{
					Name1: long(101), Name2: long(101), Address1: long(101), Address2: long(101), PostalCode: long(17), PostalName: long(61),
					CountryCode: "Norge", Email: strings.Repeat("a", 255-len("@example.no")) + "@example.no", CustomerNumber: long(41),
				}
				c.Recipient.OrganisationNumber, c.Language = "974760674", "no"
			},
			"name1 too_long; name2 too_long; address1 too_long; address2 too_long; postal_code too_long; postal_name too_long; " +
				"country_code invalid_country; email too_long; customer_number too_long; " +
				"organisation_number invalid_organisation_number; language invalid_language",
			"everything too long, all at once (D5)",
		},
		{
			func(c *models.Customer) {
				c.Recipient.Name1, c.Recipient.PostalCode, c.Recipient.PostalName = "", " ", "\t"
			},
			"name1 required; postal_code required; postal_name required", "what must be there is not",
		},
		{
			func(c *models.Customer) { c.Recipient.Name1, c.Recipient.Address1 = "Kari\nNordmann", "Storgata\t1" },
			"name1 control_character; address1 control_character", "one line is one line",
		},
		{func(c *models.Customer) { c.Recipient.Email = "kari" }, "email invalid_email", "an e-mail address that is none"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			c := models.Customer{Recipient: models.Recipient{Name1: "Kari Nordmann", PostalCode: "0155", PostalName: "Oslo", CountryCode: "NO"}}
			tt.change(&c)
			if got := places(t, c.Validate()); got != tt.want {
				t.Errorf("found\n%s, want\n%s", got, tt.want)
			}
		})
	}
}

func TestHoldE2(t *testing.T) {
	tests := []struct {
		hold models.Hold
		on   string
		want bool
		why  string
	}{
		{models.Hold{}, "2026-03-02", false, "none was set"},
		{models.Hold{Held: true}, "9999-12-31", true, "one without an end goes on"},
		{models.Hold{Held: true, Until: day("2026-03-02")}, "2026-03-02", true, "one holds through its last day"},
		{models.Hold{Held: true, Until: day("2026-03-02")}, "2026-03-03", false, "and not after"},
	}
	for _, tt := range tests {
		if got := tt.hold.Active(day(tt.on)); got != tt.want {
			t.Errorf("%s: active %t", tt.why, got)
		}
	}
}

func TestHoldValidateE2(t *testing.T) {
	tests := []struct {
		hold models.Hold
		want string
		why  string
	}{
		{models.Hold{}, "", "one without an end"},
		{models.Hold{Until: day("2026-03-02"), Comment: strings.Repeat("å", 500)}, "", "one for today alone, with all that can be said"},
		{models.Hold{Until: day("2026-03-01")}, "until date_in_past", "one that is over"},
		{models.Hold{Comment: strings.Repeat("å", 501)}, "comment too_long", "one that says too much (D16)"},
	}
	for _, tt := range tests {
		if got := places(t, tt.hold.Validate(day("2026-03-02"))); got != tt.want {
			t.Errorf("%s: found %q, want %q", tt.why, got, tt.want)
		}
	}
}

func TestSearchTextD19(t *testing.T) {
	if got := models.SearchText("ÅSE Øygård", "", "Ærlig & Co"); got != "åse øygård\n\nærlig & co" {
		t.Errorf("folded to %q", got)
	}
}
