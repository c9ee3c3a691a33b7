package console_test

import (
	"strings"
	"testing"

	"purr/models"
)

// TestQ7TheConsoleSetsACreditorsWays: what is typed is kept, a secret is never shown again, and a wrong value changes nothing.
func TestQ7TheConsoleSetsACreditorsWays(t *testing.T) {
	b := open(t, models.ScopeAdmin, nil)
	holds := func(s *shown, values ...string) {
		t.Helper()
		for _, value := range values {
			if !strings.Contains(s.body, `value="`+value+`"`) {
				t.Errorf("no field has %s", value)
			}
		}
		if strings.Contains(s.body, "hemmelig") || strings.Contains(s.body, "annen@") || strings.Contains(s.body, ":annen") {
			t.Error("it shows a secret")
		}
	}
	b.get("settings/ways").is(200).says("Mail server", "Print shop or printer", "Debt collector")
	b.post(b.base+"/settings/ways", "once", "a", "sender", "faktura@fjord.example", "smtp_url", "smtp://purr:hemmelig@mail.fjord.example").leads(b.base + "/settings/ways")
	holds(b.get("settings/ways"), "smtp://purr:***@mail.fjord.example", "faktura@fjord.example")
	holds(b.post(b.base+"/settings/ways", "once", "b", "sender", "nobody", "smtp_url", "smtp://purr:annen@mail.fjord.example").is(422), "nobody", "smtp://purr:***@mail.fjord.example")
	holds(b.get("settings/ways"), "smtp://purr:***@mail.fjord.example", "faktura@fjord.example")
	holds(b.get("log").says("smtp-url"))
}
