//go:build whole

package console_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"purr/console"
	"purr/models"
	"purr/test/testkit/house"
)

// TestD91EachPageShowsTheInterfacesNumbers walks every page of a town. Each stands among the figures or elsewhere, or is a form, a
// file, or of no creditor.
func TestD91EachPageShowsTheInterfacesNumbers(t *testing.T) {
	t.Parallel()
	ours, _ := town(t, models.ScopeAdmin)
	r := ours.reader(t)
	shown, acting := console.Paths()
	for _, path := range shown {
		below, ofCreditor := strings.CutPrefix(path, "/c/{creditor}")
		check, held := figures[below]
		_, other := elsewhere[below]
		switch {
		case held && other:
			t.Errorf("%s is in both tables", below)
		case held:
			check(r)
		case ofCreditor && !other && !isFile(below) && !slices.Contains(acting, path):
			t.Errorf("no number of %s is held against the interface, and nothing says why", below)
		}
	}
}

// TestD91EachNumberIsTheInterfaces compares the console's figures with those of the interface, of a town in which the figures of a
// day are all different: four reminders, two warnings, three hand-overs, and five invoices that are left alone. So no row can show
// another one's figure.
func TestD91EachNumberIsTheInterfaces(t *testing.T) {
	t.Parallel()
	r := reads(t, house.Start(t, begins))
	r.dunned(tag("require_payment_file", "0"), tag("hand_over_days", "14"))
	r.api.Put("/creditor", tag("creditor", tag("dunning_ceiling", "1000"))).Is(http.StatusOK)
	kari := r.customer("Kari Nordmann", "")
	for _, group := range []struct{ n, due int }{{4, 66}, {2, 38}, {3, 10}} {
		for i := range group.n {
			r.invoices(kari, 1000+137*i+group.due, group.due)
		}
	}
	ola := r.customer("Ola Nordmann", "")
	r.api.Put(ola.URI()+"/dunning_hold", tag("dunning_hold", tag("reason", "other"))).Is(http.StatusOK)
	for i := range 5 {
		r.invoices(ola, 2000+i, 14*i)
	}
	all := []string{"Reminders", "Debt-collection warnings", "Hand-overs", "Left alone", "Fees", "Interest"}
	day := ""
	for date := models.DateOf(begins) + 70; day == ""; date++ {
		if date > models.DateOf(begins)+100 {
			t.Fatal("on no day the figures of the plan are all different")
		}
		if want, different := r.planned("/dunning_plan?date=" + date.String()); different {
			day = date.String()
			r.mustShow("dunning?date="+day, want, all...)
		}
	}
	r.at((date(t, day) - 1).String() + " 12:00")
	r.api.Put("/creditor", tag("creditor", tag("dunning_ceiling", "1"))).Is(http.StatusOK) // today's run waits
	r.at(day + " 12:00")
	want, different := r.planned("/dunning_plan")
	if !different {
		t.Errorf("today's figures are %v", want)
	}
	r.mustShow("dunning", want, all...)
	r.mustShow("today", want, all[:4]...)

	r.mustShow("dunning/forecast?days=1", want, "Reminders", "Debt-collection warnings", "Hand-overs", "Fees", "Interest")
	r.mustRun(day, want)

	owed := r.api.Get("/receivables").Shown()
	ages := r.rows("money")
	for _, age := range owed.All("owed/age") {
		name := strings.NewReplacer("-", "–", "not_due", "Not due", "over_90", "Over 90").Replace(age.At("@days"))
		if got, wants := ages[name], []string{age.At("@invoices"), shownAmount(models.Amount(age.Ore("@amount")))}; !slices.Equal(got, wants) {
			t.Errorf("of the age %s the money's page shows %q, the interface says %q; its rows are %q", name, got, wants, ages)
		}
	}
}
