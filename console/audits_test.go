package console_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"purr/audit/asked"
	"purr/law"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// overcharged has three invoices reminded of, the first notice with 3.00 too much, and returns the invoice of that.
func (b *browser) overcharged(t *testing.T, databaseURL string) models.Invoice {
	t.Helper()
	b.overdue(3, 100)
	_, err := b.config.Runs.Make(t.Context(), b.creditor.ID, models.RunDunning, rows.Today+28)
	must(t, err)
	rows.Overcharge(t, databaseURL, 1)
	notice, err := b.db.Notice(t.Context(), b.creditor.ID, 1)
	must(t, err)
	invoice, err := b.db.Invoice(t.Context(), b.creditor.ID, notice.InvoiceID)
	must(t, err)
	return invoice
}

// TestU5TheConsoleAudits begins an audit, watches it, and reads what it found beside what happened; then it has two letters proved.
func TestU5TheConsoleAudits(t *testing.T) {
	t.Parallel()
	databaseURL := testkit.SQLite(t)
	b := openOn(t, databaseURL, models.ScopeWrite, nil)
	invoice := b.overcharged(t, databaseURL)

	const audits = "operations/audits"
	b.get(audits).is(http.StatusOK).says("No audit yet", "Start the audit")
	b.get(audits + "?customer=7").is(http.StatusOK)
	b.post(b.base+"/"+audits, "once", "a", "from", "2026-03-02", "to", "2026-03-01").is(422).says("The end must not be before the beginning")
	b.post(b.base+"/"+audits, "once", "b", "customer_id", "99").is(422).says("No customer has this ID")
	b.post(b.base+"/"+audits, "once", "c").leads(b.base + "/" + audits + "/1")
	b.post(b.base+"/"+audits, "once", "c").leads(b.base + "/" + audits + "/1") // a double click
	b.post(b.base+"/"+audits, "once", "d").is(http.StatusConflict).says("An audit is under way")
	running := b.get(audits + "/1").is(http.StatusOK).says("0 of 3 letters")
	if !strings.Contains(running.body, `<noscript><meta http-equiv="refresh"`) {
		t.Error("without scripts it does not ask again")
	}
	if got := b.get(audits + "/1?part=progress"); !strings.Contains(got.body, `"done":false`) {
		t.Errorf("the progress is %s", got.body)
	}
	must(t, asked.Do(t.Context(), b.db, law.Default(), b.creditor.ID, 1))
	if got := b.get(audits + "/1?part=progress"); !strings.Contains(got.body, `"done":true`) {
		t.Errorf("the progress is %s", got.body)
	}
	found := b.get(audits+"/1").is(http.StatusOK).says("3 findings. 3,00 to be paid back", "Law 1", "Rule 2", "inkassoforskriften § 1-2", "41.00", "What happened")
	if want := fmt.Sprintf(`href="%s/invoices/%d"`, b.base, invoice.Number); !strings.Contains(found.body, want) || !strings.Contains(found.body, "<li>30 March 2026 reminder 1: fee 41.00") {
		t.Errorf("the finding has no link to its invoice, or no timeline beside it:\n%s", found.body)
	}
	b.get(audits + "/1?class=rule").says("E6c")
	b.get(audits + "/1?class=rule&page=2").is(http.StatusOK)
	if got := b.get(audits + "/1/findings.csv?format=en"); !strings.Contains(got.body, "Law,fee_above_cap,") || strings.Count(got.body, "\n") != 4 {
		t.Errorf("the CSV is\n%s", got.body)
	}
	b.get(audits).says("Audit 1", "Done", "All letters")
	b.get(audits + "/9").is(http.StatusNotFound)

	letter := func(notice int64) string {
		n, err := b.db.Notice(t.Context(), b.creditor.ID, notice)
		must(t, err)
		i, err := b.db.Invoice(t.Context(), b.creditor.ID, n.InvoiceID)
		must(t, err)
		return fmt.Sprintf("invoices/%d/notices/%d", i.Number, notice)
	}
	b.get(letter(1) + "/proof").is(http.StatusOK).says("2 answers are no. 3,00 to be paid back")
	b.get(letter(2)+"/proof").is(http.StatusOK).says("all answers are yes", "Yes", "inkassoforskriften § 1-2")
	b.get(letter(2) + "/calculation").says("Why was this right?")
	b.get(fmt.Sprintf("invoices/%d", invoice.Number)).says("Why was this right?")
	b.get(fmt.Sprintf("invoices/%d/notices/2/proof", invoice.Number)).is(http.StatusNotFound) // it is of another invoice

	b.signIn(b.newKey(b.creditor, models.ScopeRead))
	b.get(audits).is(http.StatusOK).says("Audit 1")
	b.post(b.base+"/"+audits, "once", "e").is(http.StatusForbidden)
	other := b.newCreditor("Andre")
	b.signIn(b.newKey(other, models.ScopeAdmin))
	b.get(fmt.Sprintf("/c/%d/%s/1", other.ID, audits)).is(http.StatusNotFound)
	b.get(fmt.Sprintf("/c/%d/%s/1/findings.csv", other.ID, audits)).is(http.StatusNotFound)
}

// TestU6TheConsolePutsRight shows what comes back before it is given back, does it once, and refuses what was not shown.
func TestU6TheConsolePutsRight(t *testing.T) {
	t.Parallel()
	databaseURL := testkit.SQLite(t)
	b := openOn(t, databaseURL, models.ScopeAdmin, nil)
	before := b.overcharged(t, databaseURL)

	const one, repay = "operations/audits/1", "operations/audits/1/repay"
	b.post(b.base+"/operations/audits", "once", "a").leads(b.base + "/" + one)
	b.get(repay).is(http.StatusConflict)
	must(t, asked.Do(t.Context(), b.db, law.Default(), b.creditor.ID, 1))
	b.get(one).says("Put right what was found")
	shown := b.get(repay).is(http.StatusOK).says("1 invoice", "3,00 comes back", "Put right and write to the customers")
	seen := fmt.Sprintf("%d:3.00", before.ID)
	if !strings.Contains(shown.body, `name="seen" value="`+seen+`"`) {
		t.Errorf("the page does not say what it shows:\n%s", shown.body)
	}
	b.post(b.base+"/"+repay, "once", "b", "seen", fmt.Sprintf("%d:4.00", before.ID)).is(http.StatusConflict)
	for range 2 { // a double click
		b.post(b.base+"/"+repay, "once", "c", "seen", seen).leads(b.base + "/" + one)
	}
	after, err := b.db.Invoice(t.Context(), b.creditor.ID, before.ID)
	must(t, err)
	if after.Balance != before.Balance-300 {
		t.Errorf("the invoice owed %s, and owes %s", before.Balance, after.Balance)
	}
	b.get(repay).is(http.StatusOK).says("There is nothing to put right")
	letters := 0
	all, err := b.db.ShipmentsOf(t.Context(), before.Document())
	must(t, err)
	for _, s := range all {
		if s.Role() == models.TellsOfCorrection && s.Correction.Back == 300 && s.Correction.Owed == after.Balance {
			letters++
		}
	}
	if letters != 1 {
		t.Errorf("%d letters tell the customer", letters)
	}
	b.get(fmt.Sprintf("invoices/%d", before.Number)).says("Put right after an audit")
}
