package console_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"purr/dunning"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/browser"
)

// crowded gives the desk's creditor six invoices that a run above its ceiling would remind of, and moves the clock past it.
func (d *desk) crowded() {
	d.T.Helper()
	d.dunned(tag("require_payment_file", "0"))
	d.api.Put("/creditor", tag("creditor", tag("dunning_ceiling", "2"))).Is(http.StatusOK)
	kari := d.customer("Kari Nordmann", "")
	for i := range 6 {
		d.invoices(kari, 1000+i, 0)
	}
	d.at("2026-01-21 12:00")
}

// TestConsole25TheNumberIsTypedToApprove approves a run above the ceiling.
func TestConsole25TheNumberIsTypedToApprove(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeAdmin)
	d.crowded()
	planned := 0
	for _, step := range d.api.List("/dunning_plan") {
		if step.XMLName.Local == "notice" {
			planned++
		}
	}
	d.show("dunning")
	waits := d.Find("region", "6 letters wait for your approval")
	if rows := d.Find("table", "Steps of the plan"); planned != 6 || !slices.Equal(rows.Row("Reminders"), []string{"Reminders", "6"}) {
		t.Errorf("of %d in the plan it shows %v", planned, rows.Rows())
	}
	waits.Find("textbox", "Type 6 to approve").Type("5")
	d.Find("button", "Approve and send").Follow()
	if d.Status() != http.StatusUnprocessableEntity || !d.Find("textbox", "Type 6 to approve").Invalid() || !d.Has("alert", "*") {
		t.Errorf("another number answers %d:\n%s", d.Status(), d.Text())
	}
	stale := d.Another()
	stale.Visit(d.base + "/dunning")
	d.api.Put("/invoice/1/dunning_hold", tag("dunning_hold", tag("reason", "other"))).Is(http.StatusOK)
	stale.Find("textbox", "Type 6 to approve").Type("6")
	stale.Find("button", "Approve and send").Follow()
	if stale.Status() != http.StatusConflict || !stale.Has("region", "5 letters wait for your approval") || len(d.api.List("/overdue_notices")) != 0 {
		t.Errorf("a plan that has changed answers %d:\n%s", stale.Status(), stale.Text())
	}
	if n := d.approve(); n != 5 {
		t.Errorf("%d were approved", n)
	}
	testkit.Eventually(t, "the letters are made", func() (bool, any) { n := len(d.api.List("/overdue_notices")); return n == 5, n })
	approved := 0
	for _, e := range d.api.List("/events") {
		if e.At("type") == "dunning.run_approved" && strings.HasPrefix(e.At("actor"), "console, API key ") {
			approved++
		}
	}
	if approved != 1 {
		t.Errorf("%d events of an approval", approved)
	}
}

// TestConsole26TheForecastIsTheCommandLines compares the table with what purr dunning forecast reads.
func TestConsole26TheForecastIsTheCommandLines(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeRead)
	d.dunned(tag("require_payment_file", "0"), tag("hand_over_days", "14"))
	for i := range 3 {
		d.invoices(d.customer("Kari Nordmann", ""), 1000+i, 14+7*i)
	}
	d.show("dunning/forecast?days=90&with=gentle")
	d.Find("img", "Letters by week under two policies*")
	creditor, err := d.in.App.Creditor(t.Context(), d.creditor)
	must(t, err)
	snapshot, err := d.in.App.Snapshot(t.Context(), creditor)
	must(t, err)
	forecasts, err := snapshot.Forecast(t.Context(), 90, models.Gentle.Apply(creditor.Policy))
	must(t, err)
	rows := d.Find("table", "Totals")
	for name, cell := range map[string]func(dunning.Totals) string{
		"Reminders":                func(t dunning.Totals) string { return fmt.Sprint(t.Reminders) },
		"Debt-collection warnings": func(t dunning.Totals) string { return fmt.Sprint(t.Warnings) },
		"Hand-overs":               func(t dunning.Totals) string { return fmt.Sprint(t.HandOvers) },
		"Fees":                     func(t dunning.Totals) string { return shownAmount(t.Fees) },
		"Interest":                 func(t dunning.Totals) string { return shownAmount(t.Interest) },
	} {
		want := []string{name, cell(forecasts[0].Total()), cell(forecasts[1].Total())}
		if got := rows.Row(name); !slices.Equal(got, want) {
			t.Errorf("it shows %q, want %q", got, want)
		}
	}
	if got := rows.Rows()[0]; len(got) < 2 || got[len(got)-2] != "In force" || got[len(got)-1] != "Gentle" {
		t.Errorf("the columns are %q", got)
	}
}

func shownAmount(a models.Amount) string { return models.GroupDigits(a.String(), "\u00a0", ",") }

// TestConsole29ThePolicyKeepsToTheLaw types a fee above the maximum.
func TestConsole29ThePolicyKeepsToTheLaw(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeAdmin)
	d.show("settings/policy")
	fee := d.Find("textbox", "Fee")
	if !strings.Contains(fee.Description, "38,00") || !strings.Contains(fee.Description, "§ 1-2") {
		t.Errorf("the field says %q", fee.Description)
	}
	fee.Type("39")
	d.Find("button", "Save").Follow()
	fee = d.Find("textbox", "Fee")
	if d.Status() != http.StatusUnprocessableEntity || !fee.Invalid() || fee.Value() != "39" || !strings.Contains(fee.Description, "§ 1-2") {
		t.Errorf("it answers %d, the field has %q and says %q", d.Status(), fee.Value(), fee.Description)
	}
	fee.Type("35,50")
	d.Find("button", "Save").Follow()
	d.api.Get("/creditor").Shown().Shows("dunning_policy/fee 35.50")

	clerk := d.sit(t, models.ScopeWrite)
	clerk.show("settings/policy")
	save := clerk.Find("button", "Save")
	if !save.Disabled() || save.Description != "This needs a key that may administer. Such keys have: admin, Kari" || !strings.Contains(clerk.HTML(), `id="f-dunning_policy/fee" name="dunning_policy/fee" value="35,50" inputmode="decimal" readonly`) {
		t.Errorf("the button says %q", save.Description)
	}
}

// TestConsole30TheClockMovesADay moves the test clock, and looks for its banner.
func TestConsole30TheClockMovesADay(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeAdmin)
	d.show("clock")
	d.Contains("Simulated time")
	before := d.api.Get("/test_clock").Shown().At("now")
	d.Find("button", "One day on").Follow()
	testkit.Eventually(t, "the clock has moved a day", func() (bool, any) {
		now := d.api.Get("/test_clock").Shown().At("now")
		return strings.HasPrefix(now, "2026-01-06T") && now[10:] == before[10:], now
	})
	d.Look(browser.Language("nb"))
	d.show("settings/policy")
	d.Contains("Innstillinger", "38,00")
}
