package console_test

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

var hidden = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)">`)

// undo presses the Undo of what an act has said.
func (b *browser) undo(page *shown) *shown {
	b.t.Helper()
	_, form, _ := strings.Cut(page.body, `<div class="message"`)
	form, _, _ = strings.Cut(form, "</form>")
	action := regexp.MustCompile(`action="([^"]+)"`).FindStringSubmatch(form)
	if action == nil {
		b.t.Fatalf("the page has no Undo:\n%s", page.text())
	}
	var fields []string
	for _, f := range hidden.FindAllStringSubmatch(form, -1) {
		fields = append(fields, f[1], html.UnescapeString(f[2]))
	}
	return b.post(action[1], fields...).is(http.StatusSeeOther)
}

// TestE2TheUndoOfAHoldPutsTheOlderOneBack holds one invoice, several and a customer anew, and takes that back: the older hold
// stands again, and what had none has none.
func TestE2TheUndoOfAHoldPutsTheOlderOneBack(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b := openOn(t, databaseURL, models.ScopeWrite, nil)
		first, second := b.owing(14), b.owing(14)
		one := fmt.Sprintf("invoices/%d", first.Number)
		older := models.Hold{Held: true, Until: rows.Day("2026-03-31"), Reason: models.HoldDispute, Comment: `says "no" & waits`}
		stands := func(want models.Hold) {
			t.Helper()
			if got := b.now(first).Hold; got != want {
				t.Errorf("the hold is %+v, want %+v", got, want)
			}
		}
		b.post(one+"/hold", "comment", older.Comment, "until", "2026-03-31", "disputed", "1").is(http.StatusSeeOther)
		b.post(one+"/hold", "comment", "for ever").is(http.StatusSeeOther)
		stands(models.Hold{Held: true, Reason: models.HoldOther, Comment: "for ever"})
		b.undo(b.get(one).tells("Put invoice 1 on hold."))
		stands(older)

		b.post("invoices/selected", "numbers", "1 2", "comment", "both").is(http.StatusSeeOther)
		b.undo(b.get("invoices"))
		b.get("invoices").tells("The holds on 2 invoices are as they were before.")
		if stands(older); b.now(second).Hold.Held {
			t.Error("the invoice that had no hold has one")
		}
		b.post("invoices/selected/release", "numbers", "1 2", "older", "x").is(http.StatusBadRequest)

		customer := fmt.Sprintf("customers/%d", first.CustomerID)
		b.post(customer+"/hold", "comment", "older", "until", "2026-04-01", "reason", "dispute").is(http.StatusSeeOther)
		b.post(customer+"/hold", "comment", "newer", "reason", "other").is(http.StatusSeeOther)
		b.undo(b.get(customer))
		c, err := b.db.Customer(t.Context(), b.creditor.ID, first.CustomerID)
		if want := (models.Hold{Held: true, Until: rows.Day("2026-04-01"), Reason: models.HoldDispute, Comment: "older"}); err != nil || c.Hold != want {
			t.Errorf("the customer's hold is %+v, %v", c.Hold, err)
		}
	})
}
