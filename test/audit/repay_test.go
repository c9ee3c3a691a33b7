package audit_test

import (
	"context"
	"slices"
	"testing"

	"purr/audit"
	"purr/audit/asked"
	"purr/dunning/amends"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/audited"
)

// allPutRight plants each fault alone, has what the audit finds put right, and audits again: each finding stays, with nothing to pay
// back. The books agree no less than before, the customer hears of what came back, and the second time nothing is booked (rule U6). Without the tag
// "whole" a fifth of the faults is planted.
func (w *world) allPutRight(t *testing.T, kept string) {
	t.Helper()
	for n, f := range faults {
		if !testkit.Whole && n%5 != 1 {
			continue
		}
		t.Run(f.what, func(t *testing.T) {
			var statements []string
			for _, s := range f.do {
				statements = append(statements, w.sql(s))
			}
			w.putRight(t, w.planted(t, kept, statements...), w.invoices[f.invoice].creditor)
		})
	}
}

// putRight has what an audit finds of a creditor put right, twice.
func (w *world) putRight(t *testing.T, db *store.DB, creditorID int64) {
	t.Helper()
	c, err := db.Creditor(t.Context(), creditorID)
	must(t, err)
	wrongBefore, err := ledger.Verify(t.Context(), db, c)
	must(t, err)
	before := audited.All(t, db, w.in.App.Rules)
	a := w.asks(t, db, creditorID)
	if a.State != models.AuditDone || a.Back != backOf(before, creditorID) {
		t.Fatalf("the audit is %s with %s to pay back, %s wanted", a.State, a.Back, backOf(before, creditorID))
	}
	preview, back := models.Amount(0), models.Amount(0)
	must(t, amends.Preview(t.Context(), db, w.in.App.Rules, c, a.ID, func(a amends.Amend) error {
		preview += a.Back()
		return nil
	}))
	repay := func(did func(amends.Done)) {
		must(t, amends.Repay(t.Context(), db, w.in.App.Rules, c, a.ID, "Kari", did))
	}
	repay(func(d amends.Done) {
		back += d.Back()
		if d.Told == "" {
			t.Errorf("the customer hears nothing of %s on invoice %d", d.Back(), d.Invoice.Number)
		}
		if d.HandOver {
			tookBack(t, db, d.Invoice)
		}
	})
	if preview != a.Back || back < preview {
		t.Errorf("found are %s, the preview says %s, %s came back", a.Back, preview, back)
	}
	after := audited.All(t, db, w.in.App.Rules)
	if after.Back() != before.Back()-a.Back {
		t.Errorf("%s is still to be paid back", after.Back())
	}
	for _, f := range before.Findings {
		if f.Back.Sum() > 0 && f.CreditorID == creditorID && !slices.ContainsFunc(after.Findings, func(is audit.Finding) bool { return is.Code == f.Code && is.NoticeID == f.NoticeID }) {
			t.Errorf("%s is no finding any more", f.Code)
		}
	}
	for _, f := range after.Findings {
		if f.Class() != audit.Doubt && !slices.ContainsFunc(before.Findings, func(was audit.Finding) bool { return was.Code == f.Code && was.InvoiceID == f.InvoiceID }) {
			t.Errorf("putting right made a finding: %s on invoice %d: %s %v", f.Code, f.Invoice, f.Text("en"), f.Rows)
		}
	}
	repay(func(d amends.Done) {
		t.Errorf("the second time %s comes back on invoice %d", d.Back(), d.Invoice.Number)
	})
	wrongAfter, err := ledger.Verify(t.Context(), db, c)
	must(t, err)
	for _, d := range wrongAfter {
		if !slices.Contains(wrongBefore, d) {
			t.Errorf("the books say since: %s", d)
		}
	}
}

// tookBack fails the test unless an invoice has come back from the debt collector, who is owed a withdrawal of the bundle that he has (rules U6, C1).
func tookBack(t *testing.T, db *store.DB, invoice models.Invoice) {
	t.Helper()
	h, found, err := db.LastHandOver(t.Context(), invoice.ID)
	must(t, err)
	want := models.HandOverEnded
	if h.Attempts > 0 {
		want = models.WithdrawalOwed
	}
	if !found || h.State != want || h.TakenBack == 0 || invoice.HandedOver != 0 {
		t.Errorf("the hand-over of invoice %d is %s, %s wanted, taken back on %s", invoice.Number, h.State, want, h.TakenBack)
	}
}

func backOf(v *audit.Verdict, creditorID int64) (sum models.Amount) {
	for _, f := range v.Findings {
		if f.CreditorID == creditorID {
			sum += f.Back.Sum()
		}
	}
	return sum
}

// asks has all letters of a creditor audited.
func (w *world) asks(t *testing.T, db *store.DB, creditorID int64) (a models.Audit) {
	t.Helper()
	must(t, db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) (err error) {
		a, err = asked.Start(ctx, tx, creditorID, asked.Request{Actor: "Kari"})
		return err
	}))
	must(t, asked.Do(t.Context(), db, w.in.App.Rules, creditorID, a.ID))
	a, err := db.Audit(t.Context(), creditorID, a.ID)
	must(t, err)
	return a
}
