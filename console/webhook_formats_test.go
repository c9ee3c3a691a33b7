package console_test

import (
	"strings"
	"testing"

	"purr/models"
)

// TestJ4AWebhookIsMadeForJSON chooses the form when the webhook is made, and sees it where it is changed.
func TestJ4AWebhookIsMadeForJSON(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.get("operations/webhooks").is(200).says("Format XML JSON")
	b.post(b.base+"/operations/webhooks", "once", "a", "url", "https://shop.example.no/purr", "format", "json").is(200)
	b.post(b.base+"/operations/webhooks", "once", "b", "url", "https://shop.example.no/purr").is(200)
	for path, chosen := range map[string]string{"operations/webhooks/1/change": "json", "operations/webhooks/2/change": "xml"} {
		if page := b.get(path).is(200); !strings.Contains(page.body, `<option value="`+chosen+`" selected>`) {
			t.Errorf("%s does not show %s", path, chosen)
		}
	}
}

// TestJ6TheLogTellsWhatWasOfACustomer changes a customer in its form: the event has the old and the new values, and the log says them.
func TestJ6TheLogTellsWhatWasOfACustomer(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.post(b.base+"/customers/new", "once", "a", "name1", "Ola", "address1", "Gata 1", "postal_code", "0155", "postal_name", "Oslo").leads(b.base + "/customers/1")
	page := b.get("customers/1/change").is(200)
	_, rest, _ := strings.Cut(page.body, `name="seen" value="`)
	seen, _, _ := strings.Cut(rest, `"`)
	b.post(b.base+"/customers/1/change", "once", "b", "seen", seen, "name1", "Ola", "address1", "Gata 2", "postal_code", "0155", "postal_name", "Oslo", "email", "ola@example.no").
		leads(b.base + "/customers/1")
	must(t, b.db.NumberEvents(t.Context()))
	b.get("log?type=customer.changed").says("Address line 1: Gata 1", "Gata 2", "ola@example.no")
}
