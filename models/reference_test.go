package models_test

import (
	"fmt"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit"
)

// TestReferenceEvents makes docs/events.md from the table of events.
func TestReferenceEvents(t *testing.T) {
	var page strings.Builder
	page.WriteString(`# Events

Made from the code by "make docs". Every act writes one event, in the transaction that it tells of: what happened, when, and who
did it (` + "`<actor>`" + `: an API key, a person at the command line, or purr itself).

` + "`GET /api/v1/events?after=ID`" + ` lists them, oldest first. Webhooks get them as they happen, one by one, in the form of the list: XML, or
JSON where the webhook's ` + "`<format>`" + ` is json, signed as the Standard Webhooks specification says. An answer of 2xx takes it, 410
switches the webhook off. Anything else is tried again, ten times over three days; then it waits for
` + "`POST /api/v1/webhook_delivery/ID/redeliver`" + `. An event may come twice, with the same ` + "`webhook-id`" + `. The events of webhooks themselves are not posted.

` + "`<data>`" + ` holds the facts of the event as a JSON object, so that nobody needs to read them out of the text. Amounts and dates are texts, as
everywhere in the interface. A fact with ? is there only where it applies. Events of earlier releases may lack facts.

In JSON, in the list as in what is posted, an event is

    {"type": "invoice.created", "timestamp": "2026-03-02T12:00:00+01:00", "id": 11,
     "creditor": {"organisation_number": "987654325", "name": "Fjord Rør AS"}, "actor": "API key 1 (shop)",
     "data": {"text": "Invoice 1 of 277.15 to Ola Nordmann, due 2026-03-16", "subject_id": 1,
              "invoice": {"uri": "https://purr.example.no/api/v1/invoice/1"}, "customer": {"uri": "https://purr.example.no/api/v1/customer/1"},
              "facts": {"invoice_number": 1, "gross_amount": "277.15", "due_date": "2026-03-16"}}}

` + "`timestamp`" + ` has the offset of the creditor's time zone. ` + "`creditor`" + ` tells several creditors apart; the number is empty where there is
none. ` + "`facts`" + ` is what the XML has as text in ` + "`<data>`" + `. It, ` + "`invoice`" + `, ` + "`customer`" + ` and ` + "`actor`" + ` are absent where the event has none.

` + "`customer.changed`" + ` alone has what is personal, so that other systems can follow a customer. It stays in the log when the customer
is deleted.

A delivery keeps its body, at redelivery too, unless the webhook wants the other form by then.

| type | what happened | ` + "`subject_id`" + ` is of | facts | posted |
|---|---|---|---|---|
`)
	for _, f := range models.EventFacts {
		posted := "yes"
		if !f.Posted {
			posted = "no"
		}
		var facts []string
		for name := range strings.FieldsSeq(f.Facts) {
			bare, optional := strings.CutSuffix(name, "?")
			if facts = append(facts, "`"+bare+"`"); optional {
				facts[len(facts)-1] += "?"
			}
		}
		fmt.Fprintf(&page, "| `%s` | %s | %s | %s | %s |\n", f.Type, f.Tells, f.Subject, strings.Join(facts, " "), posted)
	}
	testkit.Reference(t, "events.md", page.String())
}
