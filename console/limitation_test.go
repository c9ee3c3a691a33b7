package console_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestL26ADayIsSetOnTheInvoicesPage, changed, removed, and each taken back.
func TestL26ADayIsSetOnTheInvoicesPage(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b := openOn(t, databaseURL, models.ScopeWrite, nil)
		invoice := rows.Invoice(t, rows.On(b.db, rows.Today-20), b.creditor, rows.To(rows.Customer(t, b.db, b.creditor)), rows.Of(1000_00), rows.DueIn(14))
		one := fmt.Sprintf("invoices/%d", invoice.Number)
		is := func(want models.Date) {
			t.Helper()
			if got := b.now(invoice).Acknowledged; got != want {
				t.Errorf("it was acknowledged on %q, want %q", got, want)
			}
		}
		if page := b.get(one).is(http.StatusOK).tells("Claim acknowledged"); strings.Contains(page.text(), "Lapses on") {
			t.Error("long before it lapses the page says when")
		}
		for typed, want := range map[string]string{"": "Is required", "03.03.2026": "Must not be after today", "01.02.2026": "Is before the issue date"} {
			page := b.post(one+"/acknowledged", "date", typed)
			if page.status != http.StatusUnprocessableEntity || !strings.Contains(page.text(), want) {
				t.Errorf("%q is answered with %d\n%s", typed, page.status, page.text())
			}
			is(0)
		}
		b.get(one+"/acknowledged").is(http.StatusOK).tells("Limitation of invoice 1", "taken to court")
		first, second := invoice.IssueDate, invoice.IssueDate+1
		for range 2 {
			b.post(one+"/acknowledged", "date", first.String()).is(http.StatusSeeOther)
			is(first)
		}
		b.get(one).tells("Lapses on", "Acknowledged", "was acknowledged on")
		b.post(one+"/acknowledged", "date", second.String()).is(http.StatusSeeOther)
		b.undo(b.get(one))
		is(first)
		b.get(one + "/acknowledged").tells("Remove the acknowledgement")
		b.post(one + "/acknowledged/remove").is(http.StatusSeeOther)
		is(0)
		b.undo(b.get(one))
		is(first)
		b.post(one + "/acknowledged/remove").is(http.StatusSeeOther)
		b.post(one+"/acknowledged", "date", second.String()).is(http.StatusSeeOther)
		b.undo(b.get(one))
		is(0)
	})
}

// TestL26TodayTellsOfClaimsThatLapse, the list has them with the first to lapse first, and so have the open items and the files.
func TestL26TodayTellsOfClaimsThatLapse(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b := openOn(t, databaseURL, models.ScopeWrite, nil)
		customer := rows.Customer(t, b.db, b.creditor)
		issue := func(on string) {
			rows.Invoice(t, rows.On(b.db, rows.Day(on)), b.creditor, rows.To(customer), rows.DueIn(14))
		}
		issue("2026-03-02")
		if page := b.get("money/open").is(http.StatusOK); strings.Contains(page.text(), "Lapses on") {
			t.Error("the open items have a column in which nothing stands")
		}
		b.get("lapsing").is(http.StatusOK).tells("No claim lapses within 180 days.")
		issue("2023-08-15") // due on the 29th
		issue("2023-02-15") // due on 1 March
		issue("2023-08-16")
		b.get("today").is(http.StatusOK).tells("2 claims lapse within 180 days, or have lapsed", "See the claims")
		page := b.get("lapsing").is(http.StatusOK).tells("2 claims", "Lapsed", "29.08.2026", "01.03.2026").text()
		if strings.Index(page, "01.03.2026") > strings.Index(page, "29.08.2026") {
			t.Errorf("the list has the later one first:\n%s", page)
		}
		b.get("money/open").is(http.StatusOK).tells("Lapses on", "01.03.2026")
		for _, file := range []string{"lapsing.csv", "money/open.csv"} {
			lines := strings.Split(strings.TrimSpace(b.get(file).is(http.StatusOK).body), "\n")
			if len(lines) < 2 || !strings.HasSuffix(strings.TrimSpace(lines[0]), "Lapses on") || !strings.HasSuffix(strings.TrimSpace(lines[1]), "2026-03-01") {
				t.Errorf("%s is\n%s", file, strings.Join(lines, "\n"))
			}
		}
	})
}
