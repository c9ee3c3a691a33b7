//go:build whole

package stories_test

import (
	"net/http"
	"path"
	"strings"
	"testing"

	"purr/test/testkit/house"
)

// ofFirst returns a body with the number of the story's first invoice: a creditor's stories share its series.
func ofFirst(t *testing.T, c *cast, body string) string {
	t.Helper()
	return strings.ReplaceAll(body, "FIRST", path.Base(c.at(t, 1)))
}

// reports tells what the debt collector reports of the claims, in XML.
func reports(all ...string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.create(t, "/collection_reports", ofFirst(t, c, "<collection_reports>"+strings.Join(all, "")+"</collection_reports>"), http.StatusCreated)
	}
}

// reportsInJSON tells the same in JSON.
func reportsInJSON(body string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.On(t).Post("/collection_reports", ofFirst(t, c, body), house.ContentType("application/json")).Is(http.StatusCreated)
	}
}

// collected tells of invoices of 1000 kroner, due on Monday 5 January, that the debt collector has, and of what it tells (rules C1, C2, C4).
var collected = []story{
	{
		title: "The collector is paid a part, and the customer pays the rest directly on the same day", policy: tag("debt_collection_notice", "first") + tag("hand_over_days", "7"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-02-16", reports(`<report invoice="FIRST" state="received" at="2026-02-10" reference="K-1"/>`)),
			on("2026-03-02", reports(`<report invoice="FIRST" state="paid" at="2026-02-27" amount="600.00" principal="600.00" interest="0" fees="0" reference="K-1"/>`), pays(1, "442.60")),
			on("2026-03-09", reports(`<report invoice="FIRST" state="paid" at="2026-03-06" amount="50.00" reference="K-1b"/>`)),
		},
		charged: []charge{
			{"2026-01-19 Debt-collection warning 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
	{
		title: "The collector gives the claim back, and it waits until a person speaks", policy: tag("debt_collection_notice", "first") + tag("hand_over_days", "7"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-02-16", reportsInJSON(`{"collection_reports": [{"invoice": FIRST, "state": "rejected", "at": "2026-02-12", "reason": "No address"}]}`)),
			on("2026-03-02", reportsInJSON(`{"collection_reports": [{"invoice": FIRST, "state": "withdrawn", "at": "2026-03-02", "reference": "K-2"}]}`)),
			on("2026-04-13", closes(1, "lost")),
		},
		charged: []charge{
			{"2026-01-19 Debt-collection warning 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
}
