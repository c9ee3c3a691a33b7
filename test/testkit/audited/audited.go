// Package audited has the audit look at an installation of a test.
package audited

import (
	"strings"
	"testing"

	"purr/app"
	"purr/audit"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
)

// All judges everything of every creditor, and returns the verdict.
func All(t testing.TB, db *store.DB, base *law.Rules) *audit.Verdict {
	t.Helper()
	var v audit.Verdict
	creditors, err := db.Creditors(t.Context())
	testkit.Must(t, err)
	for _, c := range creditors {
		a, err := audit.New(t.Context(), db, base, c)
		testkit.Must(t, err)
		testkit.Must(t, a.Judge(t.Context(), store.AuditFilter{}, audit.Options{}, &v, nil))
	}
	return &v
}

// Clean reports every finding of law or rule in an installation: nothing was done there that should not have been (rule U10). Nor has the second
// pair of eyes disagreed with anything (rule U8).
func Clean(t testing.TB, a *app.App) {
	t.Helper()
	v := All(t, a.DB, a.Rules)
	for _, f := range v.Findings {
		if f.Class() != audit.Doubt {
			t.Errorf("the audit finds %s (%s), creditor %d, invoice %d, notice %d, %s to give back: %s [%s]", f.Code, f.Class(), f.CreditorID, f.Invoice, f.NoticeID, f.Back.Sum(), f.Text("en"), strings.Join(f.Rows, ", "))
		}
	}
	creditors, err := a.DB.Creditors(t.Context())
	testkit.Must(t, err)
	for _, c := range creditors {
		disagreed, err := a.DB.NewestEvents(t.Context(), c.ID, store.EventFilter{Type: models.EventAuditDisagreed}, 0, 10)
		testkit.Must(t, err)
		for _, e := range disagreed {
			t.Errorf("on %s the audit disagreed: %s", e.At, e.Text)
		}
	}
	t.Logf("audited: %d letters, %d checks of %d kinds, %d unknown, %d findings", v.Letters, v.Checks, v.Kinds(), v.Unknown, len(v.Findings))
}
