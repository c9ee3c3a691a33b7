package audit_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
)

// foundByNight plants faults into a world that lives on: each is found the next night, and its invoice is on hold. It is told once (rule U7).
func (w *world) foundByNight(t *testing.T) {
	t.Helper()
	if told := w.told(); len(told) > 0 {
		t.Fatalf("nothing is planted, and nights have found %+v", told)
	}
	for _, s := range append(charge(interest, "person", 2, 1), charge(fee, "held", 1, 3_00)...) {
		w.plant(s)
	}
	w.reach("2026-09-02")
	want := map[string]string{
		"person": "law interest_arithmetic 0.01 held", "held": "law fee_above_cap 3.00 held",
	}
	for name, is := range want {
		if got := w.told()[w.invoices[name].id]; !strings.Contains(got, is) {
			t.Errorf("on %q the night tells %q, want %q", name, got, is)
		}
	}
	if s, h := w.hold("person"), w.hold("held"); s.Reason != models.HoldAudit || !s.Held || s.Until != 0 || h.Reason != models.HoldDispute {
		t.Errorf("the holds are %+v, and %+v of one who disputes", s, h)
	}
	before := fmt.Sprint(w.told())
	w.reach("2026-09-05")
	if after := fmt.Sprint(w.told()); after != before {
		t.Errorf("it is told again: %s, before %s", after, before)
	}
}

// plant does a statement on the living world's rows.
func (w *world) plant(statement string) {
	w.Helper()
	db, err := sql.Open("sqlite", "file:"+w.in.Path("purr.db")+"?_pragma=busy_timeout(10000)")
	must(w, err)
	defer func() { must(w, db.Close()) }()
	done, err := db.ExecContext(w.Context(), w.sql(statement))
	must(w, err)
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		w.Fatalf("%s: changed %d rows, %v", statement, n, err)
	}
}

func (w *world) hold(name string) models.Hold {
	w.Helper()
	at := w.invoices[name]
	i, err := w.in.App.DB.Invoice(w.Context(), at.creditor, at.id)
	must(w, err)
	return i.Hold
}

// told returns what nights have told of findings, by invoice.
func (w *world) told() map[int64]string {
	w.Helper()
	all := map[int64]string{}
	creditors, err := w.in.App.DB.Creditors(w.Context())
	must(w, err)
	for _, c := range creditors {
		events, err := w.in.App.DB.NewestEvents(w.Context(), c.ID, store.EventFilter{Type: models.EventAuditFinding}, 0, 1000)
		must(w, err)
		for _, e := range events {
			var f struct {
				Class, Code, Back string
				Held              bool
			}
			must(w, json.Unmarshal([]byte(e.Data), &f))
			all[e.InvoiceID] += fmt.Sprintf("[%s %s %s", f.Class, f.Code, f.Back)
			if f.Held {
				all[e.InvoiceID] += " held"
			}
			all[e.InvoiceID] += "] "
		}
	}
	return all
}
