//go:build whole

package stories_test

import (
	"encoding/json"
	"strings"
	"testing"

	"purr/test/testkit/house"
)

// limited tells of claims that lapse (rule L26). Invoices of 1000 kroner are due on Monday 5 January 2026, and nobody is dunned.
var limited = []story{
	{
		title: "A claim of which nobody hears lapses three years after its due date, and is told of once, half a year before",
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2028-07-08", lapses(1, "")),
			on("2028-07-09", lapses(1, "2029-01-05")),
			on("2029-07-01", lapses(1, "2029-01-05")),
		},
	},
	{
		title: "Who pays a part acknowledges the rest, and who pays another part acknowledges it again",
		happens: []happening{
			on("2026-01-05", invoice("Ola Nordmann", "1000.00", 0)),
			on("2026-02-28", pays(1, "300.00")),
			on("2028-09-01", lapses(1, "2029-02-28")),
			on("2028-12-01", pays(1, "100.00"), lapses(1, "")),
		},
	},
	{
		title: "Who agrees to a payment plan acknowledges the claim, whether he keeps to it or not",
		happens: []happening{
			on("2026-01-05", invoice("Per Persen", "1000.00", 0)),
			on("2026-04-01", plans(1, "2026-05-01", "500.00", "2026-06-01", "500.00")),
			on("2028-10-03", lapses(1, "2029-04-01")),
		},
	},
	{
		title: "A day that a person has set is shown at once, and once it is removed the due date counts again",
		happens: []happening{
			on("2026-01-05", invoice("Anne Hansen", "1000.00", 0)),
			on("2028-02-29", acknowledges(1, "2028-02-29"), lapses(1, "2031-02-28")),
			on("2028-09-01", forgets(1), lapses(1, "2029-01-05")),
			on("2028-09-04", acknowledges(1, "2028-08-31"), lapses(1, "2031-08-31")),
		},
	},
}

// lapses fails the test unless an invoice shows that it lapses on a day, or nothing, in XML and in JSON, and so the receivables of its customer.
func lapses(nth int, on string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		const inJSON = "application/json"
		invoice := c.at(t, nth)
		shown := read[struct {
			On string `xml:"lapses_on"`
			To struct {
				Customer struct {
					URI string `xml:"uri,attr"`
				} `xml:"parent_recipient"`
			} `xml:"recipient"`
		}](t, c.get(t, invoice))
		got := []string{shown.On}
		var members struct {
			On string `json:"lapses_on"`
		}
		must(t, json.Unmarshal(c.On(t).Get(invoice, house.Header("Accept", inJSON)).Body, &members))
		got = append(got, members.On)
		owed := read[struct {
			Customers []struct {
				URI string `xml:"uri,attr"`
				On  string `xml:"lapses_on"`
			} `xml:"customer"`
		}](t, c.get(t, "/receivables?per_page=1000"))
		for _, customer := range owed.Customers {
			if customer.URI == shown.To.Customer.URI {
				got = append(got, customer.On)
			}
		}
		if len(got) != 3 || got[0] != on || got[1] != on || got[2] != on {
			t.Errorf("on %s invoice %d lapses on %q, want %q", c.today(), nth, strings.Join(got, ", "), on)
		}
	}
}

// acknowledges sets the day on which an invoice was acknowledged.
func acknowledges(nth int, on string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.change(t, c.at(t, nth)+"/acknowledged", tag("acknowledged", tag("date", on)))
	}
}

// forgets removes that day.
func forgets(nth int) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.remove(t, c.at(t, nth)+"/acknowledged")
	}
}

// TestThreeYearsAndAHalfL26 is told of claims that lapse.
func TestThreeYearsAndAHalfL26(t *testing.T) {
	t.Parallel()
	chapter{begins: "2026-01-05", ends: "2029-07-05", policy: tag("enabled", "0"), stories: limited}.tell(t, house.Embedded)
}
