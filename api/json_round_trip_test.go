package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
	"purr/store"
	"purr/test/testkit"
)

// putBack puts a resource back as GET shows it in JSON, and says what is wrong if that is refused or changes anything. It returns nothing
// if the resource cannot be shown.
func (in *installation) putBack(path string) (wrong string) {
	in.t.Helper()
	admin := header("Authorization", "Bearer admin-key")
	before, asXML := in.get(path, admin, inJSON), in.get(path, admin)
	if before.status != http.StatusOK || before.header.Get("Content-Type") != "application/json" {
		return ""
	}
	put := in.send("PUT", path, before.body, admin, sentAsJSON)
	if put.status != http.StatusOK {
		return fmt.Sprintf("%s\nis refused: %d %s", before.body, put.status, put.body)
	}
	if after := in.get(path, admin); put.body != before.body || after.body != asXML.body {
		return fmt.Sprintf("%s\nwas put back as\n%s\nand is\n%s\nand was\n%s", before.body, put.body, after.body, asXML.body)
	}
	must(in.t, in.db.NumberEvents(in.t.Context()))
	events, err := in.db.NewestEvents(in.t.Context(), in.creditor.ID, store.EventFilter{}, 0, 1)
	must(in.t, err)
	if last := events[0]; !strings.HasSuffix(string(last.Type), ".changed") || last.Data != "" && last.Data != `{"changed":[]}` {
		return fmt.Sprintf("%s\nwas put back, and the last event is %s %s", before.body, last.Type, last.Data)
	}
	return ""
}

// TestJ1WhatIsShownCanBePutBack: at the end of each conversation the creditor, its customers and its webhooks are put back as they are
// shown.
func TestJ1WhatIsShownCanBePutBack(t *testing.T) {
	t.Parallel()
	for _, s := range readScripts(t) {
		if s.onMySQLAlone() || s.twins {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			st := s.setUp(t, testkit.SQLite(t))
			for _, x := range s.exchanges {
				st.perform(x)
			}
			paths := []string{"/api/v1/creditor"}
			for n := range 4 {
				paths = append(paths, fmt.Sprintf("/api/v1/customer/%d", n+1), fmt.Sprintf("/api/v1/webhook/%d", n+1))
			}
			for _, path := range paths {
				// A customer who was forgotten is changed no more (rule O14).
				if wrong := st.putBack(path); wrong != "" && !strings.Contains(wrong, "rate_limited") && !strings.Contains(wrong, "customer_forgotten") {
					t.Errorf("%s: %s", path, wrong)
				}
			}
		})
	}
}

// TestJ1WhatIsMadeAtRandomCanBePutBack gives a customer, a webhook and the creditor random elements, in JSON, and puts back what is
// shown then.
func TestJ1WhatIsMadeAtRandomCanBePutBack(t *testing.T) {
	t.Parallel()
	testkit.Share(t)
	in := onSQLite(t, nil)
	customer, hook := in.customer(), in.make("/api/v1/webhooks", hookBody)
	(&stage{installation: in}).cutKey("admin-key", in.creditor.ID, models.ScopeAdmin)
	text := rapid.SampledFrom([]any{"", "Ola", "<b>&amp;\"'", "Å", "\U0001F600", " x  y ", "1", "true", "null", nil, "</name1>", "æ\u0301"})
	flag, days := rapid.SampledFrom([]any{true, false, nil, "1", "0"}), rapid.SampledFrom([]any{14, "21", 0, nil, 28})
	amount := rapid.SampledFrom([]any{"0.00", 10, "12.50", 35.5, nil, "max"})
	policy := map[string]*rapid.Generator[any]{
		"enabled": flag, "first_notice_days": days, "second_notice_days": days, "fee": amount, "compensation": flag, "add_interest": flag,
		"interest_rate": rapid.SampledFrom([]any{"legal", "5.25", 8, nil}), "days_to_pay": days, "postal_days": rapid.SampledFrom([]any{0, 3, nil}),
		"debt_collection_notice": rapid.SampledFrom([]any{"first", "second", "never", nil}), "hand_over_days": rapid.SampledFrom([]any{"never", 30, nil}),
		"minimum_balance": amount, "remainder": rapid.SampledFrom([]any{"leave", "waive", "chase", nil}), "settle_credit": flag, "ehf_reminder": flag, "joint_letters": flag,
		"weekdays_only": flag, "require_payment_file": flag,
	}
	contact := map[string]*rapid.Generator[any]{
		"address1": text, "address2": text, "postal_code": rapid.SampledFrom([]any{"0155", "0001", nil}), "country_code": rapid.SampledFrom([]any{"NO", "SE", nil}),
		"email": rapid.SampledFrom([]any{"", "ola@example.no", nil}), "organisation_number": rapid.SampledFrom([]any{"974760673", "", nil}),
		"fallback": rapid.SampledFrom([]any{"EHF>EMAIL>PAPER", "EMAIL>PAPER", "", nil}), "dunning_policy": object(policy),
	}
	resources := map[string]*rapid.Generator[any]{
		customer: object(with(contact, map[string]*rapid.Generator[any]{
			"name1": text, "name2": text, "customer_number": text, "language": rapid.SampledFrom([]any{"nb", "en", nil}),
		})),
		"/api/v1/creditor": object(with(contact, map[string]*rapid.Generator[any]{
			"name": text, "phone": rapid.SampledFrom([]any{"+47 22 00 00 00", nil}), "vat_registered": flag, "time_zone": rapid.SampledFrom([]any{"Europe/Oslo", "UTC", "Asia/Tokyo"}),
			"bank_account": rapid.SampledFrom([]any{"86011117947", nil, ""}), "first_number": rapid.SampledFrom([]any{1, 100, "7"}), "dunning_ceiling": days,
			"vat_rates": rapid.SampledFrom([]any{[]any{}, []any{map[string]any{"name": "HIGH", "percent": 26, "from_date": "2027-01-01"}}}),
		})),
		hook: object(map[string]*rapid.Generator[any]{
			"url": rapid.SampledFrom([]any{"https://a.no/?a=1&b=<2>", "http://example.no:81"}), "description": text, "enabled": flag, "format": rapid.SampledFrom([]any{"xml", "json", nil, ""}),
			"event_types": rapid.SliceOfN(rapid.SampledFrom([]any{"invoice.created", "hold.set", "invoice.created"}), 0, 3).AsAny(),
		}),
	}
	taken := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		for _, path := range slices.Sorted(maps.Keys(resources)) {
			of := resources[path]
			body, err := json.Marshal(of.Draw(t, "body"))
			if err != nil {
				t.Fatal(err)
			}
			switch made := in.send("PUT", path, string(body), sentAsJSON, header("Authorization", "Bearer admin-key")); made.status {
			case http.StatusOK:
				taken[path]++
			case http.StatusUnprocessableEntity, http.StatusConflict:
			default:
				t.Fatalf("PUT %s %s is answered %d %s", path, body, made.status, made.body)
			}
			if wrong := in.putBack(path); wrong != "" {
				t.Fatalf("after %s: %s", body, wrong)
			}
		}
	})
	if len(taken) != len(resources) {
		t.Errorf("taken were %v", taken)
	}
}

// object draws some of the members.
func object(members map[string]*rapid.Generator[any]) *rapid.Generator[any] {
	names := slices.Sorted(maps.Keys(members))
	return rapid.Custom(func(t *rapid.T) any {
		drawn := map[string]any{}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 4, rapid.ID[string]).Draw(t, "members") {
			drawn[name] = members[name].Draw(t, name)
		}
		return drawn
	})
}

// with returns the members of both.
func with[T any](some, more map[string]T) map[string]T {
	both := maps.Clone(some)
	maps.Copy(both, more)
	return both
}
