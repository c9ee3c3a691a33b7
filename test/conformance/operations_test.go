package conformance_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestE9WhatOperatorsAsk needs no key: whether the process is up, whether it is ready, its metrics, and the schema.
// That every answer of the interface is of the schema is checked when an installation ends.
func TestE9WhatOperatorsAsk(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		c.Get("/customers").Shown()
		c = c.withKey("")
		for _, path := range []string{"//healthz", "//readyz"} {
			if a := c.Get(path).Is(http.StatusOK); strings.TrimSpace(string(a.Body)) != "ok" {
				t.Errorf("%s: %s", a.Asked, a.Body)
			}
			c.Post(path, "<x/>").Refused(405, "method_not_allowed")
		}
		metrics := string(c.Get("//metrics").Is(http.StatusOK).Body)
		for _, line := range []string{"# TYPE purr_http_request_duration_seconds histogram", `route="/api/v1/customers/"`, "\ngo_goroutines ", "\npurr_build_info{commit=", "\npurr_queue_tasks{", "\npurr_dunning_rules_known_days{kind=\"late_interest\"} ", "\npurr_waiting_for_a_person{kind=\"waiting_dunning_runs\"} "} {
			if !strings.Contains(metrics, line) {
				t.Errorf("the metrics have no %s", line)
			}
		}
		for _, path := range []string{"/schema.xsd", "/schema.xsd?of=requests"} {
			schema := c.Get(path).Shown()
			if schema.Name() != "schema" || schema.XMLName.Space != "http://www.w3.org/2001/XMLSchema" {
				t.Errorf("%s is an element %s of %s", path, schema.Name(), schema.XMLName.Space)
			}
			elements := texts(schema.All("element"), "@name")
			for _, resource := range []string{"invoice", "credit_note", "customer", "overdue_notice", "ar_transaction"} {
				if !strings.Contains(" "+strings.Join(elements, " ")+" ", " "+resource+" ") {
					t.Errorf("%s has no element %s, but %s", path, resource, elements)
				}
			}
		}
		c.Get("/creditor").Refused(401, "key_required")
	})
}
