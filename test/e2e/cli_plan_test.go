package e2e_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestR6DunningPlanAndForecast has the command line show what dunning will do, while the server runs.
func TestR6DunningPlanAndForecast(t *testing.T) {
	t.Parallel()
	in := install(t)
	where := in.where()
	says := func(want string, arguments ...string) {
		t.Helper()
		equal(t, "purr dunning "+strings.Join(arguments, " "), ok(t, where, append([]string{"dunning"}, arguments...)...), want)
	}
	refused := func(want string, arguments ...string) {
		t.Helper()
		r := run(t, where, append([]string{"dunning"}, arguments...)...)
		if !r.refused() || r.stdout != "" || !strings.Contains(r.stderr, want) {
			t.Errorf("purr dunning %s: exit code %d, says %s%s, want %q in it", strings.Join(arguments, " "), r.code, r.stdout, r.stderr, want)
		}
	}
	if r := run(t, where, "dunning", "plan"); r.code != 0 || !strings.Contains(r.stderr, "dunning is switched off for Fjord Rør AS") {
		t.Errorf("without dunning the plan says %s", r.stderr)
	}
	in.api.Put("/api/v1/creditor", policyBody("")).Shown()
	kari, ola := in.api.customer(t, "Kari Nordmann"), in.api.customer(t, "Ola Nordmann, som har et svært langt navn")
	in.api.invoice(t, invoiceOf{customer: kari, days: 0, net: "1000.00"})
	in.api.invoice(t, invoiceOf{customer: ola, days: 0, net: "2000.00"})
	in.api.invoice(t, invoiceOf{customer: ola, days: 7, net: "2000.00"})

	says(`INVOICE     CUSTOMER                        STEP                      FEE    INTEREST            OWED
1           Kari Nordmann                   reminder                38.00        5.75         1293.75
2           Ola Nordmann, som har et svært  reminder                38.00       11.51         2549.51

2026-01-19: 2 reminders, 0 debt-collection warnings, fees 76.00, interest 17.26; 0 hand-overs with 0.00 owed
left alone: 1, too_early
`, "plan", "--date", "2026-01-19")
	says(`INVOICE     CUSTOMER                        STEP                      FEE    INTEREST            OWED
1           Kari Nordmann                   deadline_running                                  1293.75
2           Ola Nordmann, som har et svært  deadline_running                                  2549.51
3           Ola Nordmann, som har et svært  too_early                                         2500.00

2026-01-20: 0 reminders, 0 debt-collection warnings, fees 0.00, interest 0.00; 0 hand-overs with 0.00 owed
left alone: 2, deadline_running
left alone: 1, too_early
`, "plan", "--date", "2026-01-20", "--reasons")
	refused("must not be before today, 2026-01-05", "plan", "--date", "2026-01-04")
	refused("must be at most 366 days ahead", "plan", "--date", "2027-01-07")
	refused("is not a date of the form yyyy-mm-dd", "plan", "--date", "soon")
	refused("a run is made on its own day alone; purr dunning plan --date 2026-01-19", "run", "--date", "2026-01-19")
	refused("nobody", "plan", "--creditor", "nobody")

	says(`        DATE  REMINDERS  WARNINGS  HAND-OVERS    FEES  INTEREST
  2026-01-19          2         0           0   76.00     17.26
  2026-01-26          1         0           0   38.00     11.51
  2026-02-16          0         2           0   76.00     34.52
         SUM          3         2           0  190.00     63.29

if nothing more is paid, and the bank's files come in time
`, "forecast", "--days", "45")
	strict := filepath.Join(t.TempDir(), "strict.xml")
	must(t, os.WriteFile(strict, []byte("<dunning_policy><debt_collection_notice>first</debt_collection_notice><hand_over_days>7</hand_over_days></dunning_policy>"), 0o600))
	says(`debt_collection_notice: now second, then first
hand_over_days: now none, then 7
                    NOW                                          |       THEN                                        
        DATE  REMINDERS  WARNINGS  HAND-OVERS    FEES  INTEREST  |  REMINDERS  WARNINGS  HAND-OVERS    FEES  INTEREST
  2026-01-19          2         0           0   76.00     17.26  |          0         2           0   76.00     17.26
  2026-01-26          1         0           0   38.00     11.51  |          0         1           0   38.00     11.51
  2026-02-09          0         0           0    0.00      0.00  |          0         0           2    0.00      0.00
  2026-02-16          0         2           0   76.00     34.52  |          0         0           1    0.00      0.00
         SUM          3         2           0  190.00     63.29  |          0         3           3  114.00     28.77
      CHANGE                                                     |         -3        +1          +3  -76.00    -34.52

if nothing more is paid, and the bank's files come in time
`, "forecast", "--days", "45", "--policy", strict)
	var printed map[string]struct {
		Total map[string]any
		Days  []map[string]any
	}
	must(t, json.Unmarshal([]byte(ok(t, where, "dunning", "forecast", "--days", "45", "--policy", strict, "--json")), &printed))
	equal(t, "days of JSON", len(printed["policy"].Days), 45)
	equal(t, "fees", printed["policy"].Total["fees"], any("190.00"))
	equal(t, "hand-overs", printed["other_policy"].Total["hand_overs"], any(3.0))

	found := map[string]struct{ Total map[string]any }{}
	must(t, json.Unmarshal([]byte(ok(t, where, "dunning", "forecast", "--days", "60", "--with", "gentle,firm", "--json")), &found))
	equal(t, "fees under gentle", found["gentle"].Total["fees"], any("0.00"))
	equal(t, "warnings under firm", found["firm"].Total["warnings"], any(3.0))
	if text := ok(t, where, "dunning", "forecast", "--days", "60", "--with", "gentle,firm"); !strings.Contains(text, "GENTLE") || !strings.Contains(text, "FIRM") {
		t.Errorf("the presets are not named: %s", text)
	}
	refused(`no "harsh"`, "forecast", "--with", "harsh")

	must(t, os.WriteFile(strict, []byte("<dunning_policy><days_to_pay>7</days_to_pay><grace/></dunning_policy>"), 0o600))
	refused("days_to_pay: must be from 14 to 365", "forecast", "--policy", strict)
	refused("no such file", "forecast", "--policy", strict+"x")
	refused("--days must be from 1 to 366", "forecast", "--days", "367")
	if r := run(t, where, "dunning", "forecast", "--days", "366"); !strings.Contains(r.stderr, "warning: ") {
		t.Errorf("a forecast past the last known rates warns of nothing: %s", r.stderr)
	}

	in.at("2026-01-19 05:59")
	plan := ok(t, where, "dunning", "plan")
	equal(t, "purr dunning run", ok(t, where, "dunning", "run"), "2 notices, 0 hand-overs\n")
	for _, n := range in.api.List("/api/v1/overdue_notices") {
		if !strings.Contains(plan, n.At("gross_amount")) {
			t.Errorf("the notice of %s is not in the plan\n%s", n.At("gross_amount"), plan)
		}
	}
}
