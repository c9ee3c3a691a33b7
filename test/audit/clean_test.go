package audit_test

import (
	"testing"

	"purr/audit"
)

// TestU10AWorldWithoutFaultsIsClean: nothing was planted, and nothing is found, not even in doubt.
func TestU10AWorldWithoutFaultsIsClean(t *testing.T) {
	w := newWorld(t)
	v := w.audited(t, w.keep())
	for _, f := range v.Findings {
		t.Errorf("%s %s: invoice %d, notice %d, %s to give back: %s %v", f.Class(), f.Code, f.Invoice, f.NoticeID, f.Back.Sum(), f.Text("en"), f.Rows)
	}
	t.Log(v.Report("en").Sentence())
	for name := range w.invoices {
		notices, err := w.in.App.DB.NoticesOf(t.Context(), w.invoices[name].id)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range notices {
			t.Logf("%s: %d of %s due %s fee %s interest %s letter %d %v", name, n.Sequence, n.IssueDate, n.DueDate, n.Fee, n.Interest, n.LetterID, n.Sheet)
		}
	}
	_ = audit.Law
}
