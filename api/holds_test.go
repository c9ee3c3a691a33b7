package api_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestE2HoldsOfInvoicesAndCustomers(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		invoice := in.invoice("0")
		customer := in.get(invoice).xml(t).at("recipient/parent_recipient/@uri")
		for _, of := range []string{invoice, customer} {
			hold := of + "/dunning_hold"
			in.get(of).shows(t, "dunning_hold=-")
			in.send("DELETE", hold, "").is(t, http.StatusNoContent) // nothing is held

			in.send("PUT", hold, `<dunning_hold><until>2026-03-04</until><comment>disputed</comment></dunning_hold>`).
				shows(t, "@uri="+of, "dunning_hold/until=2026-03-04", "dunning_hold/comment=disputed")
			in.get(of).shows(t, "dunning_hold/until=2026-03-04")
			in.send("PUT", hold, `<dunning_hold><until/></dunning_hold>`).shows(t, "dunning_hold/until=", "dunning_hold/comment=")
			in.send("PUT", hold, `<dunning_hold/>`).shows(t, "dunning_hold/until=")
			r := in.send("DELETE", hold, "")
			r.is(t, http.StatusNoContent)
			if r.body != "" {
				t.Errorf("204 with the body %q", r.body)
			}
			in.get(of).shows(t, "dunning_hold=-")
			in.send("DELETE", hold, "").is(t, http.StatusNoContent)
		}
		if set, removed := in.eventsOf("hold.set"), in.eventsOf("hold.removed"); len(set) != 6 || len(removed) != 2 ||
			set[0] != "Dunning of invoice 1 put on hold until 2026-03-04, by API key 1 (write): disputed" {
			t.Errorf("the events are %q and %q", set, removed)
		}
	})
}

func TestE2AHoldIsShownThroughItsLastDay(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		invoice := in.invoice("0")
		customer := in.get(invoice).xml(t).at("recipient/parent_recipient/@uri")
		for _, of := range []string{invoice, customer} {
			in.send("PUT", of+"/dunning_hold", `<dunning_hold><until>2026-03-03</until></dunning_hold>`).is(t, http.StatusOK)
		}
		in.pass(1)
		for _, of := range []string{invoice, customer} {
			in.get(of).shows(t, "dunning_hold/until=2026-03-03")
		}
		in.pass(1)
		for _, of := range []string{invoice, customer} {
			in.get(of).shows(t, "dunning_hold=-")
			in.send("DELETE", of+"/dunning_hold", "").is(t, http.StatusNoContent)
		}
		if got := in.eventsOf("hold.removed"); len(got) != 0 {
			t.Errorf("a hold that was over is told to be taken away: %q", got)
		}
	})
}

func TestE2AHoldDoesNotHinderANoticeThatIsAskedFor(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		invoice := in.invoice("0")
		in.pass(20)
		in.send("PUT", invoice+"/dunning_hold", `<dunning_hold/>`).is(t, http.StatusOK)
		in.make(invoice+"/overdue_notices", `<overdue_notice/>`)
		in.get(invoice).shows(t, "@status=overdue_notice_sent", "dunning_hold/until=")
	})
}

func TestE2HoldThatIsWrong(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	in.invoice("0")
	for _, path := range []string{"/api/v1/invoice/1/dunning_hold", "/api/v1/customer/1/dunning_hold"} {
		for body, want := range map[string]string{
			`<dunning_hold><until>2026-03-01</until></dunning_hold>`:                           "date_in_past@until",
			`<dunning_hold><until>2026-02-30</until><pause/></dunning_hold>`:                   "invalid_date@until unknown_element@pause",
			`<dunning_hold><comment>` + strings.Repeat("x", 501) + `</comment></dunning_hold>`: "too_long@comment",
			`<hold/>`: "unknown_element@hold",
		} {
			in.send("PUT", path, body).refused(t, http.StatusUnprocessableEntity, strings.Fields(want)...)
		}
		in.send("PUT", path, "").refused(t, http.StatusBadRequest, "malformed_xml")
		in.send("PUT", path, `<dunning_hold><until>2026-03-02</until></dunning_hold>`).is(t, http.StatusOK)
		r := in.get(path)
		r.refused(t, http.StatusMethodNotAllowed, "method_not_allowed")
		if got := r.header.Get("Allow"); got != "DELETE, PUT" {
			t.Errorf("Allow is %q", got)
		}
	}
	for _, path := range []string{"/api/v1/invoice/9/dunning_hold", "/api/v1/customer/9/dunning_hold", "/api/v1/invoice/x/dunning_hold"} {
		in.send("PUT", path, "<dunning_hold/>").refused(t, http.StatusNotFound, "not_found")
		in.send("DELETE", path, "").refused(t, http.StatusNotFound, "not_found")
	}
}
