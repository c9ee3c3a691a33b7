package conformance_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// zoneIs gives the creditor a time zone as an older version, or a hand in the database, did: nobody asks whether it may have it.
func (c *client) zoneIs(t *testing.T, name string) {
	t.Helper()
	creditor, err := c.in.App.Creditor(t.Context(), c.creditor)
	must(t, err)
	rows.Write(t, c.in.App.DB, func(tx *store.Tx) error {
		creditor.TimeZone = name
		return tx.UpdateCreditor(t.Context(), &creditor)
	})
}

// TestD102ZonesHaveCanonicalNames: what only some machines know, and other names of a zone, are refused, and the sentence says which
// name to set. Who has another name from before keeps it, and may send back what it was shown (rule L20).
func TestD102ZonesHaveCanonicalNames(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		for name, says := range map[string]string{
			"posix/Europe/Oslo": "set Europe/Oslo", "right/Europe/Oslo": "set Europe/Oslo", "Local": "not a known time zone", "Asia/Calcutta": "set Asia/Kolkata",
			"US/Pacific": "set America/Los_Angeles", "": "not a known time zone", "europe/oslo": "not a known time zone", "../Europe/Oslo": "not a known time zone",
		} {
			a := c.Put("/creditor", tag("creditor", tag("time_zone", name)))
			a.Refused(422, "invalid_time_zone time_zone")
			if !strings.Contains(string(a.Body), says) {
				t.Errorf("the refusal of %q does not say %q: %s", name, says, a.Body)
			}
		}
		for _, name := range []string{"Asia/Kolkata", "UTC", "Etc/GMT-1", "Arctic/Longyearbyen"} {
			c.Put("/creditor", tag("creditor", tag("time_zone", name))).Shown().Shows("time_zone " + name)
		}
		c.zoneIs(t, "Asia/Calcutta")
		c.Put("/creditor", string(c.Get("/creditor").Body)).Is(http.StatusOK)
		c.Put("/creditor", tag("creditor", tag("address2", "2. etasje"))).Shown().Shows("time_zone Asia/Calcutta", "address2 2. etasje")
		c.invoices(order{days: "14"})
		c.Put("/creditor", tag("creditor", tag("time_zone", "Asia/Dacca"))).Refused(422, "invalid_time_zone time_zone")
	})
}

// TestD102OneCreditorsZoneStopsNoOther: the others have their runs, the one is told of by event, readyz and metric, is shown all that it
// has, decides nothing by a day that is guessed, and can be set right by the interface and by the command line.
func TestD102OneCreditorsZoneStopsNoOther(t *testing.T) {
	t.Parallel()
	for _, s := range setups {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			in := newInstallation(t, s, "2026-03-02 00:01")
			ill, well := in.creditor(t), in.creditor(t)
			invoice := ill.invoices(order{days: "14"})
			runs := func(c *client) int { return len(c.List("/dunning_runs")) }
			degraded := func(want int, says string) {
				t.Helper()
				line := fmt.Sprintf("\npurr_creditors_degraded %d\n", want)
				testkit.Eventually(t, "the metrics have the line "+line, func() (bool, any) { // a sweep notes it
					metrics := string(ill.Get("//metrics").Is(http.StatusOK).Body)
					return strings.Contains(metrics, line), metrics
				})
				testkit.Eventually(t, "readyz says "+says, func() (bool, any) { // it answers by what it asked within the last second
					ready := string(ill.Get("//readyz").Is(http.StatusOK).Body)
					return strings.Contains(ready, "degraded: work fails for creditor "+ill.creditor+" (days);") == (want > 0), ready
				})
			}
			for day, setRight := range []func(){
				func() { ill.Put("/creditor", tag("creditor", tag("time_zone", "Europe/Oslo"))).Is(http.StatusOK) },
				func() {
					_, err := in.App.ChangeCreditor(t.Context(), ill.creditor, func(c *models.Creditor) error { c.TimeZone = "Europe/Oslo"; return nil })
					must(t, err)
				},
			} {
				before := runs(well)
				ill.zoneIs(t, "posix/Europe/Oslo")
				in.common.MoveClock(moment(fmt.Sprintf("2026-03-%02d 12:00", 2+day)))
				equal(t, "runs of the other", runs(well), before+1)
				equal(t, "runs of the one", runs(ill), day)
				equal(t, "told", len(ill.told("creditor.degraded")), day+1)
				degraded(1, "that it is degraded")
				ill.again(invoice)
				ill.Get("/creditor").Shown().Shows("time_zone posix/Europe/Oslo")
				ill.Post("/customers", tag("customer", tag("name1", "Kari"))).Refused(422, "invalid_time_zone time_zone")
				ill.Put("/creditor", string(ill.Get("/creditor").Body)).Is(http.StatusOK)
				ill.Put("/creditor", tag("creditor", tag("address2", "2. etasje"))).Refused(422, "invalid_time_zone time_zone")
				setRight()
				in.common.MoveClock(moment(fmt.Sprintf("2026-03-%02d 12:05", 2+day)))
				equal(t, "runs of the one", runs(ill), day+1)
				equal(t, "told that it goes on", len(ill.told("creditor.recovered")), day+1)
				degraded(0, "ok alone")
			}
		})
	}
}
