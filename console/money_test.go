package console_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// owing gives the creditor two customers: Kari owes 1000.00, overdue, and has paid another invoice four days late; the other,
// whose name attacks, owes 2500.50 that is not due.
func owing(b *browser) (kari, other models.Customer) {
	b.t.Helper()
	today := models.DateOf(start)
	kari = rows.Customer(b.t, b.db, b.creditor)
	other = rows.Customer(b.t, b.db, b.creditor, func(c *models.Customer) { c.Recipient.Name1 = `=<script>alert(1)</script> & Co` })
	long := rows.On(b.db, today-40)
	rows.Invoice(b.t, long, b.creditor, rows.To(kari))
	paid := rows.Invoice(b.t, long, b.creditor, rows.To(kari), rows.Of(300_00))
	b.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.RegisterOnInvoice(ctx, tx, b.creditor.ID, paid.ID, ledger.Payment{Amount: -300_00, Date: today - 22}, today)
		return err
	})
	rows.Invoice(b.t, b.db, b.creditor, rows.To(other), rows.Of(2500_50))
	return kari, other
}

// TestConsole27MoneySaysWhatIsOwed holds the page about money, for a creditor with and without anything.
func TestConsole27MoneySaysWhatIsOwed(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeRead, nil)
	b.get("money").is(http.StatusOK).says("Outstanding 0,00 Nobody owes anything.", "Nothing was invoiced", "No reminder is older", "No payments yet")
	owing(b)
	b.get("money").is(http.StatusOK).says("Outstanding 3\u00A0500,50 Of it 1\u00A0000,00 is overdue (29\u00A0%).", "Not due 1 2\u00A0500,50", "15–30 1 1\u00A0000,00",
		"Customers usually pay 4 days after the due date (the median of the last 1 payments)")
	b.get("customers?order=owed").is(http.StatusOK).says("2 customers owe 3\u00A0500,50, of which 1\u00A0000,00 is overdue", "2\u00A0500,50")
	csv := b.get("customers.csv?order=owed&format=en").is(http.StatusOK).body
	if !strings.Contains(csv, ",'=<script>alert(1)</script> & Co,2500.50,1,2500.50,0.00,") {
		t.Errorf("the file is\n%s", csv)
	}
	for _, language := range []string{"nb", "nn", "en"} {
		b.get("money", "Accept-Language", language).is(http.StatusOK)
		b.get("customers", "Accept-Language", language).is(http.StatusOK)
	}
}

// TestE10ACustomer holds what the page of a customer shows, and its tabs.
func TestE10ACustomer(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	kari, other := owing(b)
	page := "customers/" + strconv.FormatInt(kari.ID, 10)
	b.get(page).is(http.StatusOK).says("Owes 1\u00A0000,00", "1\u00A0000,00 is overdue", "Pays 4 days late (median of 1)", "Balance of the account: 1\u00A0000,00")
	b.get(page+"?tab=payments").says("Payment, registered", "−300,00")
	b.get(page+"?tab=letters").says("Invoice 1", "Paper", "Waiting")
	b.get("customers/"+strconv.FormatInt(other.ID, 10)).says("=<script>alert(1)</script> & Co", "Has not paid anything yet")
	b.get("customers?search=script").says("One customer with “script”", "2\u00A0500,50")
	b.get("customers?page=9").is(http.StatusOK).says("No customers", "Previous")
	for _, path := range []string{"", "/change", "/policy", "/hold", "/statement", "/statement.pdf", "/statement.csv"} {
		b.get(page + path).is(http.StatusOK)
		stranger := rows.Customer(t, b.db, rows.Creditor(t, b.db))
		b.get(fmt.Sprintf("customers/%d%s", stranger.ID, path)).is(http.StatusNotFound)
	}
}

// TestN14TheTabsOfACustomerSayNumberAndSum counts a customer's rows, those on its older pages too.
func TestN14TheTabsOfACustomerSayNumberAndSum(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeRead, nil)
	kari, other := owing(b)
	page := func(c models.Customer, tab string) string { return fmt.Sprintf("customers/%d?tab=%s", c.ID, tab) }
	b.get(page(kari, "invoices")).says("2 invoices · 1\u00A0300,00 in all, 1\u00A0000,00 owed")
	b.get(page(kari, "payments")).says("1 payment · −300,00 in all")
	b.get(page(kari, "letters")).says("2 letters")
	b.get(page(other, "payments")).says("0 payments · 0,00 in all")
	for range 49 {
		rows.Invoice(t, b.db, b.creditor, rows.To(kari), rows.Of(10_00))
	}
	for _, older := range []string{"", "&before=3"} {
		b.get(page(kari, "invoices") + older).says("51 invoices · 1\u00A0790,00 in all, 1\u00A0490,00 owed")
	}
	b.get(page(kari, "payments")).says("1 payment · −300,00 in all")
	b.get(page(kari, "letters")).says("The newest 50 letters")
	b.get("settings/vat").says("0 rates of your own")
	b.get("settings/rules").says("figures: those that hold on")
}

// TestE10AHoldOfACustomerIsUndoneBothWays puts a customer on hold, releases it, and takes each back.
func TestE10AHoldOfACustomerIsUndoneBothWays(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	kari, _ := owing(b)
	page := fmt.Sprintf("%s/customers/%d", b.base, kari.ID)
	form := b.get(page + "/hold?back=" + page + "?tab=letters").is(http.StatusOK)
	refused := b.post(page+"/hold", "once", form.once(), "until", "01.01.2020", "comment", "asks for time").is(http.StatusUnprocessableEntity)
	if !strings.Contains(refused.body, `value="asks for time"`) {
		t.Error("what was typed is gone")
	}
	hold := []string{"once", form.once(), "back", page + "?tab=letters", "until", "2026-04-01", "reason", "dispute", "comment", "asks for <time>"}
	for range 2 { // a double click
		b.post(page+"/hold", hold...).leads(page + "?tab=letters")
	}
	held := b.get(page+"?tab=letters").says("Kari Nordmann is on hold.", "Undo", "On hold until 1 April 2026", "The claim is disputed. asks for <time>")
	b.post(page+"/release", "once", held.once()).leads(page)
	b.get(page).says("Kari Nordmann is no longer on hold.", "Put on hold")
	b.post(page+"/hold", "once", "again", "until", "2026-04-01", "reason", "dispute", "comment", "asks for <time>").leads(page)
	c, err := b.db.Customer(t.Context(), b.creditor.ID, kari.ID)
	must(t, err)
	if want := (models.Hold{Held: true, Until: rows.Day("2026-04-01"), Reason: models.HoldDispute, Comment: "asks for <time>"}); c.Hold != want {
		t.Errorf("the hold is %+v", c.Hold)
	}
	must(t, b.db.NumberEvents(t.Context()))
	events, err := b.db.Events(t.Context(), b.creditor.ID, 0, 100)
	must(t, err)
	var said []string
	for _, e := range events {
		if e.CustomerID == kari.ID && e.Actor == "console, API key 1 (Kari)" {
			said = append(said, string(e.Type))
		}
	}
	if got := strings.Join(said, " "); got != "hold.set hold.removed hold.set" {
		t.Errorf("the log says %s", got)
	}
}

// TestE10ACustomerIsChanged changes a customer and its own policy. Faults are at their fields, what was typed stays, and what
// somebody else has changed meanwhile is not overwritten.
func TestE10ACustomerIsChanged(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	kari, _ := owing(b)
	b.write(func(ctx context.Context, tx *store.Tx) error {
		c, err := tx.LockCustomer(ctx, b.creditor.ID, kari.ID)
		if err != nil {
			return err
		}
		c.Policy.WeekdaysOnly = new(bool) // the form does not show it
		return tx.UpdateCustomer(ctx, &c)
	})
	page := fmt.Sprintf("%s/customers/%d", b.base, kari.ID)
	change := func(form *shown, name, email string) *shown {
		return b.post(page+"/change", "once", form.once(), "seen", seen(form), "name1", name, "postal_code", "0155", "postal_name", "Oslo", "country_code", "no", "email", email)
	}
	form := b.get(page + "/change").is(http.StatusOK)
	refused := change(form, "", "kari@").is(http.StatusUnprocessableEntity)
	if !strings.Contains(refused.body, `href="#f-name1"`) || !strings.Contains(refused.body, `value="kari@"`) {
		t.Errorf("the fault is not at its field, or what was typed is gone:\n%s", refused.body)
	}
	second := b.get(page + "/change")
	change(form, "Kari Næss", "kari@example.no").leads(page)
	b.get(page).says("Kari Næss was changed.", "kari@example.no")
	change(second, "Kari Nordmann", "").is(http.StatusConflict).says("It has changed since you looked")

	rules := b.get(page+"/policy").says("For all: 14", "For all: max (what the law allows)")
	policy := func(form *shown, pairs ...string) *shown {
		return b.post(page+"/policy", append([]string{"once", form.once(), "seen", seen(form)}, pairs...)...)
	}
	policy(rules, "dunning_policy/fee", "3900", "dunning_policy/first_notice_days", "x").is(http.StatusUnprocessableEntity)
	policy(rules, "dunning_policy/fee", "3900").is(http.StatusUnprocessableEntity).says("more than the law allows today")
	policy(rules, "dunning_policy/fee", "20,50", "dunning_policy/first_notice_days", "30", "dunning_policy/hand_over_days", "never", "dunning_policy/enabled", "0").leads(page)
	c, err := b.db.Customer(t.Context(), b.creditor.ID, kari.ID)
	must(t, err)
	own := c.Policy
	if own.Fee == nil || *own.Fee.Value != 20_50 || *own.FirstNoticeDays != 30 || own.HandOverDays == nil || own.HandOverDays.Value != nil || *own.Enabled || own.WeekdaysOnly == nil {
		t.Errorf("the policy is %+v", own)
	}
	b.get(page + "/policy").is(http.StatusOK)

	reader := open(t, models.ScopeRead, nil)
	customer := rows.Customer(t, reader.db, reader.creditor)
	path := fmt.Sprintf("%s/customers/%d", reader.base, customer.ID)
	if form := reader.get(path + "/change"); !strings.Contains(form.body, `aria-disabled="true" aria-describedby="needs-write"`) {
		t.Error("the button is not disabled for a key that may read")
	}
	for _, act := range []string{"/change", "/policy", "/hold", "/release", "/letters", "/settle"} {
		reader.post(path+act, "name1", "X").is(http.StatusForbidden)
	}
}

// seen returns what a form began with.
func seen(form *shown) string {
	form.t.Helper()
	_, rest, found := strings.Cut(form.body, `name="seen" value="`)
	if !found {
		form.t.Fatalf("the form does not say what it began with:\n%s", form.body)
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// TestL16AStatementIsSentByEmail sends a statement from its page, twice by one form, and corrects an address.
func TestL16AStatementIsSentByEmail(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	kari, _ := owing(b)
	page := b.base + fmt.Sprintf("/customers/%d/statement?from_date=2026-01-01&to_date=2026-02-28", kari.ID)
	form := b.get(page).is(http.StatusOK).says("Send the statement", "E-mail address")
	send := func(email string) *shown { return b.post(page, "once", form.once(), "email", email) }
	if refused := send("kari").is(http.StatusUnprocessableEntity); !strings.Contains(refused.body, `value="kari"`) {
		t.Error("what was typed is gone")
	}
	send("kari@example.org").leads(page)
	send("kari@example.org").leads(page)
	b.get(page).says("The statement is sent to kari@example.org.")
	sent, _, err := b.db.Shipments(t.Context(), b.creditor.ID, store.ShipmentFilter{Method: models.ByEmail}, store.Page{Number: 1, Size: 10})
	if err != nil || len(sent) != 1 || sent[0].Recipient.Email != "kari@example.org" || sent[0].DocumentKind != models.StatementDocument {
		t.Errorf("sent is %+v, %v", sent, err)
	}
	must(t, b.db.NumberEvents(t.Context()))
	b.get("log?type=statement.created").says("The statement until 28 February 2026 is sent to the customer", "Kari")
	b.get("letters?state=waiting").says(fmt.Sprintf("Statement of customer %d", kari.ID))
	b.get(fmt.Sprintf("customers/%d?tab=letters", kari.ID)).says("Statement", "kari@example.org")
	b.post(page, "once", "other", "email", "").is(http.StatusUnprocessableEntity)
}

// TestL16AStatementInTheConsole holds the page, its CSV and its PDF against the same period.
func TestL16AStatementInTheConsole(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeRead, nil)
	kari, _ := owing(b)
	page := fmt.Sprintf("customers/%d/statement", kari.ID)
	b.get(page).is(http.StatusOK).says("Opening balance 0,00", "Invoice 1 1\u00A0000,00 1\u00A0000,00", "Payment, registered 2 −300,00 1\u00A0000,00", "Closing balance 1\u00A0000,00", "Open items")
	b.get(page+"?from_date=2026-02-01&to_date=2026-02-02").says("Opening balance 1\u00A0300,00", "Closing balance 1\u00A0300,00")
	b.get(page + "?from_date=2026-02-01&to_date=2026-01-02").is(http.StatusUnprocessableEntity).says("The end must not be before the beginning.")
	b.get(page + "?from_date=soon").is(http.StatusUnprocessableEntity)
	csv := b.get(page + ".csv").is(http.StatusOK).body
	if !strings.Contains(csv, ";Payment, registered;2;;;-300,00;1000,00\n") {
		t.Errorf("the file is\n%s", csv)
	}
	if made := b.get(page + ".pdf").is(http.StatusOK); !strings.HasPrefix(made.body, "%PDF-") || made.header.Get("Content-Type") != "application/pdf" {
		t.Errorf("the PDF is %s", made.header)
	}
}
