package dunning_test

import (
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestL24APreviewIsTheNoticeThatFollows shows what a person may have sent, in the creditor's language, and has it sent: the amounts and the
// lines are the same. The preview has written nothing.
func TestL24APreviewIsTheNoticeThatFollows(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.Language = "en" })
		i := rows.Invoice(t, db, c)
		on := i.DueDate + 20
		at := rows.On(db, on)
		rows.Send(t, db, c)
		before, err := db.NoticesOf(t.Context(), i.ID)
		must(t, err)
		var p dunning.Preview
		must(t, at.View(t.Context(), func(v store.View) error {
			p, err = dunning.PreviewOf(t.Context(), v, law.Default(), c, i.ID, false, on)
			return err
		}))
		after, err := db.NoticesOf(t.Context(), i.ID)
		must(t, err)
		if len(before)+len(after) != 0 {
			t.Errorf("there are %d notices before a preview and %d after it", len(before), len(after))
		}
		if p.Notice.Language != "en" || p.Lines[0].Text == "" || p.Notice.Fee == 0 || p.Notice.Interest == 0 {
			t.Errorf("the preview is %+v with the lines %+v", p.Notice, p.Lines)
		}
		var n models.Notice
		rows.Write(t, at, func(tx *store.Tx) error {
			n, err = dunning.IssueNotice(t.Context(), tx, law.Default(), c, i.ID, dunning.Request{AddFee: true, AddInterest: true, Actor: "Kari"})
			return err
		})
		lines, err := db.LinesOfNotices(t.Context(), []int64{n.ID})
		must(t, err)
		if n.Fee != p.Notice.Fee || n.Interest != p.Notice.Interest || n.Gross != p.Notice.Gross || n.DueDate != p.Notice.DueDate || n.Sheet != p.Notice.Sheet || n.Language != "en" {
			t.Errorf("the notice is\n%+v, its preview\n%+v", n, p.Notice)
		}
		if len(lines[n.ID]) != len(p.Lines) {
			t.Fatalf("it has %d lines, its preview %d", len(lines[n.ID]), len(p.Lines))
		}
		for k, l := range lines[n.ID] {
			if l.Text != p.Lines[k].Text || l.Gross != p.Lines[k].Gross {
				t.Errorf("line %d is %q %s, in its preview %q %s", k+1, l.Text, l.Gross, p.Lines[k].Text, p.Lines[k].Gross)
			}
		}
	})
}
