package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestE6hRulesOnTheCommandLine shows, sets, takes back and checks figures of the law, while the server runs.
func TestE6hRulesOnTheCommandLine(t *testing.T) {
	t.Parallel()
	in := install(t, from("2026-12-10 08:00"))
	where := in.where()
	in.api.Put("/api/v1/creditor", policyBody("")).Shown()
	says := func(want []string, arguments string) {
		t.Helper()
		r := run(t, where, strings.Fields(arguments)...)
		for _, line := range want {
			if r.code != 0 || !strings.Contains(r.stdout+r.stderr, line) {
				t.Errorf("purr %s: exit code %d, says\n%s%swant %q in it", arguments, r.code, r.stdout, r.stderr, line)
			}
		}
	}
	refused := func(want, arguments string) {
		t.Helper()
		if r := run(t, where, strings.Fields(arguments)...); !r.refused() || !strings.Contains(r.stderr, want) {
			t.Errorf("purr %s: exit code %d, says %s, want %q in it", arguments, r.code, r.stderr, want)
		}
	}
	says([]string{
		"late_interest  2026-07-01  12.25    program", "act            1989-07-01  1988     program", "inkassosats is known until 2026-12-31, for 21 days more",
	}, "dunning rules list")
	says([]string{"warning: creditor 1, Fjord Rør AS: the rate of late interest is known until 2026-12-31", "the books add up"}, "verify")
	says([]string{"late_interest is 11.75 from 2027-01-01 on"}, "dunning rules set late_interest 2027-01-01 11.75 --source FOR-2026-12-17-2700")
	says([]string{"late_interest  2027-01-01  11.75    installation  FOR-2026-12-17-2700", "late_interest is known until 2027-06-30"}, "dunning rules list --creditor 1")
	equal(t, "set by, through the API", in.api.Get("/api/v1/dunning_rules").Shown().All("figure")[1].At("@set_by"), "installation")
	says([]string{"notices that were issued since stay as they are"}, "dunning rules set inkassosats 2026-01-01 760 --source FOR-2026-01-01-1")
	refused(`"11,75" is no figure of this kind`, "dunning rules set late_interest 2027-07-01 11,75 --source x")
	refused("must be one of late_interest", "dunning rules set interest 2027-07-01 11.75 --source x")
	refused("is not a date", "dunning rules set late_interest 2027-02-30 11.75 --source x")
	refused("source", "dunning rules set late_interest 2027-07-01 11.75")
	refused(`"1175" is no figure of this kind`, "dunning rules set late_interest 2027-07-01 1175 --source x")
	refused("from: must be a 1 January or a 1 July", "dunning rules set late_interest 2027-02-01 11.75 --source x")
	refused("no such creditor: nobody; purr creditor list shows which there are", "dunning rules list --creditor nobody")
	says(nil, "dunning rules remove late_interest 2027-01-01")
	refused("no such dunning rule", "dunning rules remove late_interest 2027-01-01")

	folder := t.TempDir()
	write := func(name, text string) { must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600)) }
	write("late_interest.csv", "from,value,source,confidence\n2027-01-01,11.75,FOR-2026-12-17-2700\n2027-07-01,x,FOR-2027-06-20-1,A\n")
	write("interest.csv", "")
	for _, arguments := range []string{"dunning rules check " + folder, "verify --rules " + folder} {
		refused("late_interest.csv line 2: wrong number of fields: 3, not 4", arguments)
		refused(`late_interest.csv line 3: "x" is not a decimal number`, arguments)
		refused("interest.csv: no rule is read from a file of this name", arguments)
	}
	must(t, os.Remove(filepath.Join(folder, "interest.csv")))
	write("late_interest.csv", "from,value,source,confidence\n2027-01-01,11.75,FOR-2026-12-17-2700,A\n")
	says([]string{"the files are right"}, "dunning rules check "+folder)
	says([]string{"late_interest  2027-01-01  11.75    file"}, "dunning rules list --rules "+folder)
	for _, arguments := range []string{"dunning rules check ", "dunning rules list --rules "} {
		refused(folder+"/none: no such file or directory", arguments+folder+"/none")
	}

	says(nil, "dunning rules set act 2027-01-01 2026 --source LOV-2026-05-22-19")
	in.at("2027-01-04 08:00")
	says([]string{
		"late_interest was known until 2026-12-31: the last one, 12.25, goes on until purr dunning rules set", "fee_2026 is not set: none is charged",
	}, "dunning rules list")
	says([]string{"goes on (purr dunning rules set --help)"}, "dunning plan")
}

// TestE6fALargeRunOnTheCommandLine has a run that is too large wait, and approves it.
func TestE6fALargeRunOnTheCommandLine(t *testing.T) {
	t.Parallel()
	in := install(t)
	where := in.where()
	in.api.Put("/api/v1/creditor", policyBody("")).Shown()
	ok(t, where, "creditor", "set", "1", "--dunning-ceiling", "1")
	kari := in.api.customer(t, "Kari Nordmann")
	for range 2 {
		in.api.invoice(t, invoiceOf{customer: kari, days: 0, net: "1000.00"})
	}
	refused := func(want string, arguments ...string) {
		t.Helper()
		if r := run(t, where, arguments...); !r.refused() || !strings.Contains(r.stderr, want) {
			t.Errorf("purr %s: exit code %d, says %s, want %q in it", strings.Join(arguments, " "), r.code, r.stderr, want)
		}
	}
	in.at("2026-01-19 05:00")
	const large = "the run would send 2 notices and hand over 0 invoices, more than the ceiling of 1: "
	refused(large+"look at purr dunning plan", "dunning", "run", "--creditor", "1")
	if r := run(t, where, "dunning", "plan"); !strings.Contains(r.stderr, "warning: "+large+"it does nothing until purr dunning approve") {
		t.Errorf("purr dunning plan says %s", r.stderr)
	}
	equal(t, "warning of the plan", in.api.Get("/api/v1/dunning_plan").Shown().At("warning"), large+"it does nothing until it is approved")
	in.api.Get("/api/v1/dunning_plan?date=2026-01-20").Shown().Shows("no warning")
	in.at("2026-01-19 07:00")
	runs := in.api.List("/api/v1/dunning_runs")
	equal(t, "a run that waits", runs[len(runs)-1].At("state"), "waiting")
	equal(t, "approved", ok(t, where, "dunning", "approve", "--creditor", "1"), "the dunning run of 2026-01-19 goes on\n")
	refused("does not wait", "dunning", "approve", "--creditor", "1")
	in.at("2026-01-19 08:00")
	equal(t, "notices", len(in.api.List("/api/v1/overdue_notices")), 2)
	refused("must be a whole number or auto", "creditor", "set", "1", "--dunning-ceiling", "many")
}
