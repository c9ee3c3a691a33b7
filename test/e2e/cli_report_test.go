package e2e_test

import (
	"encoding/json"
	"testing"
)

// TestN5ReportMonth has the command line print a month, as text and as JSON, and refuse one that is none.
func TestN5ReportMonth(t *testing.T) {
	t.Parallel()
	in := install(t)
	where := in.where()
	kari := in.api.customer(t, "Kari Nordmann")
	in.api.invoice(t, invoiceOf{customer: kari, days: 0, net: "1000.00"})
	in.api.invoice(t, invoiceOf{customer: kari, days: 7, net: "20.00"})

	equal(t, "the month", ok(t, where, "report", "month", "--month", "2026-01"), `month            2026-01
opening          0.00
invoiced_net     1020.00
invoiced_vat_25  255.00
invoiced         1275.00
credited_net     0.00
credited         0.00
fee              0.00
interest         0.00
reversal         0.00
paid_bank        0.00
paid_by_hand     0.00
paid_back        0.00
moved            0.00
closing          1275.00
written_off      0.00
`)
	var last map[string]any
	if err := json.Unmarshal([]byte(ok(t, where, "report", "month", "--json")), &last); err != nil || last["month"] != "2025-12" || last["closing"] != "0.00" {
		t.Errorf("without a month it is %v (%v), want the last one that is over", last, err)
	}
	for _, none := range []string{"2026-13", "january", ""} {
		if r := run(t, where, "report", "month", "--month", none); !r.refused() || r.stdout != "" {
			t.Errorf("--month %q: exit code %d, says %s%s", none, r.code, r.stdout, r.stderr)
		}
	}
}
