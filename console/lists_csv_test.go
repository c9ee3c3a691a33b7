package console_test

import (
	"net/http"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit/rows"
)

// TestE10EveryListIsACSVFileToo downloads the lists of payments, files, letters, the plan and the runs, each by the link on its
// page, and looks for a row of each.
func TestE10EveryListIsACSVFileToo(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeAdmin, nil)
	b.overdue(3, 2)
	if _, err := b.config.Runs.Make(t.Context(), b.creditor.ID, models.RunDunning, rows.Today+28); err != nil {
		t.Fatal(err)
	}
	if plan := b.get("dunning.csv?format=en").is(http.StatusOK); strings.Count(plan.body, ",Reminder,38.00,") != 3 {
		t.Errorf("the plan is\n%s", plan.body)
	}
	b.withAccount()
	b.queue(77_50, 12_00)
	b.post("bank/payment/1/dismiss", "comment", "=ikke(vår)").is(http.StatusSeeOther)
	b.failed("550 no; \"mailbox\"")
	for _, list := range []struct{ page, link, row string }{
		{"bank", "bank.csv", ",12.00,"},
		{"bank?status=resolved", "bank.csv?status=resolved", ",'=ikke(vår)\n"},
		{"bank/files", "bank/files.csv", ",OCR.txt,Imported,2,89.50,0,2,0,0\n"},
		{"letters", "letters.csv?state=failed", `,E-mail,failed,Refused: see the server’s own words,"550 no; ""mailbox"""`},
		{"dunning", "dunning.csv?date=", "Step or reason"},
		{"dunning/runs", "dunning/runs.csv", "2026-03-30,"},
	} {
		page := b.get(list.page).is(http.StatusOK)
		_, rest, found := strings.Cut(page.body, `href="`+b.base+"/"+list.link)
		if !found {
			t.Errorf("%s has no link to %s", list.page, list.link)
			continue
		}
		more, _, _ := strings.Cut(rest, `"`)
		link := b.base + "/" + list.link + strings.ReplaceAll(more, "&amp;", "&")
		if got := b.get(strings.Replace(link+"&format=en", "csv&", "csv?", 1)).is(http.StatusOK); !strings.Contains(got.body, list.row) {
			t.Errorf("%s has no %q:\n%s", link, list.row, got.body)
		}
	}
	b.get("dunning.csv?date=soon").is(http.StatusBadRequest)
	b.signIn(b.newKey(b.newCreditor("Andre"), models.ScopeRead))
	b.get("/c/1/bank.csv").is(http.StatusNotFound)
}
