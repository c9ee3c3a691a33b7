package console_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// owing returns an invoice of 1 000,00 to Kari that is due on a day, sent.
func (b *browser) owing(days int) models.Invoice {
	b.t.Helper()
	customer := rows.Customer(b.t, b.db, b.creditor, func(c *models.Customer) { c.Recipient.Name1 = "Kari <b>Nordmann</b>" })
	i := rows.Invoice(b.t, b.db, b.creditor, rows.To(customer), rows.Of(1000_00), rows.DueIn(days))
	rows.Send(b.t, b.db, b.creditor)
	return i
}

// on moves the browser's clock to noon of a day.
func (b *browser) on(day string) {
	b.t.Helper()
	at, err := time.Parse(time.DateOnly, day)
	must(b.t, err)
	b.clock.Set(at.Add(11 * time.Hour))
	b.signIn(b.key) // the session of the day before is over
}

// tells holds that the page shows each of the texts, with plain blanks, and with no blank where an element ends before a comma
// or a period.
func (s *shown) tells(texts ...string) *shown {
	s.t.Helper()
	page := strings.NewReplacer("\u00A0", " ", " ,", ",", " .", ".", "” .", "”.").Replace(s.text())
	for _, text := range texts {
		if !strings.Contains(page, text) {
			s.t.Errorf("the page does not say %q:\n%s", text, page)
		}
	}
	return s
}

func (b *browser) now(i models.Invoice) models.Invoice {
	b.t.Helper()
	got, err := b.db.Invoice(b.t.Context(), b.creditor.ID, i.ID)
	must(b.t, err)
	return got
}

// TestConsole21WhatHappensNext shows an invoice on several days and in several states, and compares the first sentence with
// the plan.
func TestConsole21WhatHappensNext(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.dunned(nil)
	i := b.owing(14) // due on 16 March
	page := fmt.Sprintf("invoices/%d", i.Number)
	b.get(page).is(200).tells("Invoice 1", "Kari <b>Nordmann</b>", "What happens next", "On 30 March 2026 a reminder goes out; today it is left alone: it is not overdue yet, until 16 March 2026.",
		"Timeline", "Debt-collection warning: ", "Owed", "1 000,00")
	b.on("2026-03-20")
	b.get(page).tells("On 30 March 2026 a reminder goes out; today it is left alone: it is too early, until 29 March 2026.")
	b.get(page, "Accept-Language", "nb").tells("Den 30. mars 2026 går det ut en betalingspåminnelse; i dag skjer ingenting: det er for tidlig, til 29. mars 2026.")
	b.on("2026-03-30")
	b.get(page).tells("On 30 March 2026 a reminder goes out.")
	snapshot, err := dunning.TakeSnapshot(t.Context(), b.db, law.Default(), b.creditor, rows.Day("2026-03-30"))
	must(t, err)
	_, err = snapshot.Run(t.Context(), func() {})
	must(t, err)
	rows.Send(t, b.db, b.creditor)
	b.get(page).tells("a debt-collection warning goes out; today it is left alone: the deadline has not passed, until 13 April 2026.", "Reminder on invoice 1: 1 042,60, of that fee 38,00 and interest 4,60, due 13 April 2026")
	b.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.CloseInvoice(ctx, tx, b.creditor, i.ID, dunning.Closing{Reason: models.ClosedLost})
		return err
	})
	b.get(page).tells("No step comes: it is closed.", "Reopen")
}

// TestConsole22TheTimelineHasEachEventAndTheSheetOfEachNotice counts the items of a timeline, and opens what it links to.
func TestConsole22TheTimelineHasEachEventAndTheSheetOfEachNotice(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeRead, nil)
	b.dunned(nil)
	i := b.owing(0)
	b.on("2026-03-16")
	snapshot, err := dunning.TakeSnapshot(t.Context(), b.db, law.Default(), b.creditor, rows.Day("2026-03-16"))
	must(t, err)
	_, err = snapshot.Run(t.Context(), func() {})
	must(t, err)
	rows.Send(t, b.db, b.creditor)
	page := b.get(fmt.Sprintf("invoices/%d", i.Number)).is(200)
	events, err := b.db.NewestEvents(t.Context(), b.creditor.ID, store.EventFilter{InvoiceID: i.ID}, 0, 100)
	must(t, err)
	_, timeline, _ := strings.Cut(page.body, `<ol class="timeline">`)
	timeline, _, _ = strings.Cut(timeline, "</ol>")
	if items, future := strings.Count(timeline, "<li>"), strings.Count(timeline, `<li class="future">`); items != len(events) || future != 1 {
		t.Errorf("the timeline has %d items and %d to come, for %d events", items, future, len(events))
	}
	if times := strings.Count(timeline, "<time datetime="); times < len(events)+1 {
		t.Errorf("only %d items say when", times)
	}
	pdf := regexp.MustCompile(`href="([^"]+/notices/\d+/pdf)">PDF<`).FindStringSubmatch(timeline)
	if pdf == nil {
		t.Fatalf("the notice has no PDF:\n%s", timeline)
	}
	got := b.get(pdf[1]).is(200)
	if !strings.HasPrefix(got.body, "%PDF-") || !strings.Contains(got.header.Get("Content-Security-Policy"), "frame-ancestors 'self'") {
		t.Errorf("the PDF is %.20q", got.body)
	}
	b.get(strings.Replace(pdf[1], "/pdf", "/calculation", 1)).is(200).tells("How it was reckoned", "Fee: 38,00", "Interest: ", "1 000,00", "At most 38,00", "To")
	b.get(fmt.Sprintf("invoices/%d/pdf", i.Number)).is(200)
	b.get("invoices/77").is(http.StatusNotFound)
	b.get("invoices/77/pay").is(http.StatusNotFound)
	b.get(fmt.Sprintf("invoices/%d/bundle", i.Number)).is(http.StatusNotFound)
	b.post(fmt.Sprintf("invoices/%d/pay", i.Number), "amount", "1").is(http.StatusForbidden)
	b.get(fmt.Sprintf("invoices/%d/pay", i.Number)).tells("needs a key that may write")
}

// TestConsole23APaymentIsRegisteredOnce types an amount as people do, sends the form twice, and takes it back.
func TestConsole23APaymentIsRegisteredOnce(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	i := b.owing(14)
	path := fmt.Sprintf("invoices/%d", i.Number)
	form := b.get(path + "/pay").is(200)
	form.tells("Amount", "Date", "Register")
	once, seen := form.once(), "1000.00"
	pay := func(amount, seen string) *shown {
		return b.post(path+"/pay", "once", once, "amount", amount, "transaction_date", "2.3.2026", "comment", "", "kind", "payment", "seen", seen)
	}
	pay("-5", seen).is(http.StatusUnprocessableEntity).tells("Write the amount without a sign")
	pay("1.234", seen).is(http.StatusUnprocessableEntity).tells("Write kroner with at most two decimals")
	pay("5", "990.00").is(http.StatusConflict).tells("It has changed since you looked")
	pay("250,50", seen).leads(b.base + "/" + path)
	pay("250,50", seen).leads(b.base + "/" + path)
	if got := b.now(i).Balance; got != 749_50 {
		t.Fatalf("%s is owed", got)
	}
	pay("300", seen).is(http.StatusConflict).tells("This form was sent already")
	after := b.get(path).tells("Registered 250,50 on invoice 1.", "Undo", "Delete 250,50", "749,50", "Payment of 250,50 registered, dated 2 March 2026", "Kari")
	undo := regexp.MustCompile(`action="([^"]+/payments/\d+/delete)".*?name="seen" value="([^"]+)"`).FindStringSubmatch(after.body)
	b.post(undo[1], "once", after.once()).is(http.StatusConflict).tells("It has changed since you looked")
	b.post(undo[1], "once", after.once(), "seen", undo[2]).leads(b.base + "/" + path)
	if got := b.now(i).Balance; got != 1000_00 {
		t.Fatalf("%s is owed after the undo", got)
	}
	again := b.get(path).tells("Deleted 250,50 of 2 March 2026.", "Undo")
	b.post(path+"/pay", "once", again.once(), "amount", "250.50", "transaction_date", "2026-03-02", "comment", "", "kind", "payment", "seen", "1000.00").leads(b.base + "/" + path)
	if got := b.now(i).Balance; got != 749_50 {
		t.Fatalf("%s is owed after the undo of the undo", got)
	}
}

// TestConsole24AHoldAndItsUndo puts an invoice on hold from a list, and releases it.
func TestConsole24AHoldAndItsUndo(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.dunned(nil)
	i := b.owing(0)
	b.on("2026-03-16")
	path, list := fmt.Sprintf("invoices/%d", i.Number), b.base+"/invoices?status=overdue"
	form := b.get(path + "/hold?back=" + strings.ReplaceAll(strings.ReplaceAll(list, "?", "%3F"), "=", "%3D")).is(200)
	form.tells("Put invoice 1 on hold", "Reason", "Until")
	b.post(path+"/hold", "once", form.once(), "comment", "x", "until", "2026-03-01").is(http.StatusUnprocessableEntity).tells("Must not be before today")
	b.post(path+"/hold", "once", form.once(), "back", list, "comment", "asks for time", "until", "2026-03-31").leads(list)
	b.get("invoices?status=overdue").tells("Put invoice 1 on hold.", "Undo", "On hold")
	b.get(path).tells("today it is left alone: it is on hold, until 31 March 2026", "On hold until 31 March 2026", "asks for time")
	b.get("log?type=hold.set").tells("Put on hold", "until 31 March 2026", "asks for time", "Kari")
	b.post(path+"/hold/release", "once", b.get(path).once()).leads(b.base + "/" + path)
	if b.now(i).Hold.Held {
		t.Error("it is still on hold")
	}
	released := b.get(path).tells("The hold on invoice 1 is taken away.", "Undo")
	if !strings.Contains(released.body, `name="until" value="2026-03-31"`) {
		t.Error("the undo forgets until when it was on hold")
	}
}

// TestConsole20TheListSaysWhatItShows narrows, orders and pages through the list, downloads it, and holds two at once.
func TestConsole20TheListSaysWhatItShows(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.dunned(nil)
	for range 3 {
		b.owing(0)
	}
	b.owing(300)
	customer := rows.Customer(t, b.db, b.creditor, func(c *models.Customer) { c.Recipient.Name1 = "=cmd()" })
	for n := range 57 {
		rows.Invoice(t, b.db, b.creditor, rows.To(customer), rows.Of(models.Amount(100_00+n)), rows.DueIn(300))
	}
	b.on("2026-03-16")
	b.get("invoices").is(200).tells("All invoices, of any date: 61 of 61", "Next page", "New invoice")
	overdue := b.get("invoices?status=overdue&from_date=2026-03-01").tells("Overdue, issued from 1 March 2026 on: 3 of 61", "Select invoice 1")
	if strings.Contains(overdue.body, `rel="next"`) {
		t.Error("three invoices have a next page")
	}
	largest := b.get("invoices?order=balance").tells("1 000,00")
	next := regexp.MustCompile(`href="([^"]+after=[^"]+)" rel="next"`).FindStringSubmatch(largest.body)
	if next == nil || !strings.Contains(next[1], "order=balance") {
		t.Fatalf("the next page is %v", next)
	}
	b.get(strings.ReplaceAll(next[1], "&amp;", "&")).tells("100,00", "61 of 61")
	b.get("invoices?search=100,07").tells("1 of 61", "with “100,07”")
	b.get("invoices?status=x").is(http.StatusBadRequest)
	b.get("invoices?after=x").is(http.StatusBadRequest)
	csv := b.get("invoices.csv?status=overdue&format=en").is(200)
	if lines := strings.Split(strings.TrimSpace(csv.body), "\n"); len(lines) != 4 || !strings.HasPrefix(lines[1], "3,") {
		t.Errorf("the file is\n%s", csv.body)
	}
	if csv := b.get("invoices.csv").is(200); !strings.Contains(csv.body, "'=cmd()") {
		t.Errorf("a formula is not disarmed:\n%.300s", csv.body)
	}
	form := b.get("invoices/selected?do=hold&number=1&number=2").is(200).tells("Put 2 invoices on hold")
	back := b.base + "/invoices?status=overdue"
	b.post("invoices/selected", "once", form.once(), "numbers", "1 2 ", "comment", "both", "back", back).leads(back)
	after := b.get("invoices?status=overdue").tells("Put 2 invoices on hold.", "Undo")
	b.post("invoices/selected/release", "once", after.once(), "numbers", "1 2 ", "back", back).leads(back)
	b.get("invoices?status=overdue").tells("The holds on 2 invoices are taken away.")
	b.get("invoices/selected").is(http.StatusUnprocessableEntity).tells("Check the box of at least one invoice")
	b.get("invoices/selected?number=99").is(http.StatusNotFound)
}

// TestE10ActsOnAnInvoice closes, reopens, reminds, hands over and credits.
func TestE10ActsOnAnInvoice(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.dunned(nil)
	i := b.owing(0)
	b.on("2026-03-30")
	path := fmt.Sprintf("invoices/%d", i.Number)
	acts := 0
	act := func(name string, fields ...string) *shown {
		t.Helper()
		acts++
		if name != "reopen" {
			fields = append(fields, "seen", b.now(i).Balance.String())
		}
		return b.post(path+"/"+name, append([]string{"once", strconv.Itoa(acts)}, fields...)...)
	}
	b.get(path+"/notice").tells("38,00 today", "Charge interest", "As a debt-collection warning")
	act("notice", "add_overdue_charge", "1", "add_interest", "1").leads(b.base + "/" + path)
	if got := b.now(i); got.Notices != 1 || got.Balance <= 1038_00 {
		t.Fatalf("after the notice the invoice is %+v", got)
	}
	act("notice", "add_overdue_charge", "1").is(http.StatusConflict)
	act("close", "reason", "lost", "comment", "moved away").leads(b.base + "/" + path)
	b.get(path).tells("Closed invoice 1.", "Undo", "Invoice 1 closed (lost) with 1 000,00 unpaid", "moved away")
	act("reopen").leads(b.base + "/" + path)
	b.get(path).tells("Reopened invoice 1.")
	b.get(path + "/hand-over").tells("The debt collector gets")
	act("hand-over").leads(b.base + "/" + path)
	if b.now(i).HandedOver == 0 {
		t.Error("it is not handed over")
	}
	act("reopen").leads(b.base + "/" + path)
	b.get(path + "/credit").tells("Nothing takes a credit note back.")
	act("credit", "method", "PAPER", "net_amount-NONE", "400").is(http.StatusUnprocessableEntity).tells("A part is filled in")
	act("credit", "method", "PAPER", "extent", "part").is(http.StatusUnprocessableEntity).tells("Is required")
	act("credit", "method", "PAPER", "extent", "part", "line_text-NONE", "Skade", "net_amount-NONE", "1 000,01").is(http.StatusUnprocessableEntity).tells("More than what is left")
	act("credit", "method", "PAPER", "extent", "part", "line_text-NONE", "Skade", "net_amount-NONE", "400").leads(b.base + "/credit-notes/2")
	b.get("credit-notes/2").is(200).tells("Credit note 2", "400,00 on invoice 1", "Outstanding to the customer 0,00")
	b.get(path+"/credit").tells("Of the invoice 600,00 is left after earlier credit notes", "At most 600,00")
	act("credit", "method", "PAPER").leads(b.base + "/credit-notes/3")
	b.get("credit-notes/3").is(200).tells("600,00 on invoice 1")
	act("credit", "method", "PAPER").is(http.StatusConflict).tells("The credit notes on the invoice credit all of it")
	b.get("credit-notes/2/pdf").is(200)
	b.get("credit-notes/9").is(http.StatusNotFound)
}

// TestE10ANewInvoiceIsSeenBeforeItIsIssued fills the form in, with faults, and previews it: no number is taken.
func TestE10ANewInvoiceIsSeenBeforeItIsIssued(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.dunned(nil)
	form := b.get("invoices/new").is(200)
	fields := func(more ...string) []string {
		return append([]string{
			"once", form.once(), "rows", "4", "name1", "Ola Nordmann", "address1", "Lia 2", "postal_code", "5003", "postal_name", "Bergen",
			"num_due_days", "14", "method", "PAPER", "num_items-1", "1", "num_items-2", "2", "line_text-2", "Kaffe", "unit_price-2", "19,50", "vat_rate-2", "NONE",
		}, more...)
	}
	b.post("invoices/new", fields("line_text-3", "Te", "unit_price-3", "x", "num_items-3", "1", "vat_rate-3", "NONE")...).is(http.StatusUnprocessableEntity).
		says("Write kroner with at most four decimals")
	b.post("invoices/new", "rows", "4", "num_due_days", "14", "method", "PAPER").is(http.StatusUnprocessableEntity).tells("Is required")
	b.post("invoices/new", fields("more", "1")...).is(200).tells("Line 8")
	if seen := b.post("invoices/new", fields("preview", "pdf")...).is(200); seen.header.Get("Content-Type") != "application/pdf" || !strings.HasPrefix(seen.body, "%PDF-") {
		t.Errorf("the preview is %s", seen.header)
	}
	b.post("invoices/new", fields("preview", "1")...).is(200).tells("As it will be", "Ola Nordmann", "39,00", "Nothing is issued yet")
	if n, err := b.db.CountInvoices(t.Context(), b.creditor.ID, store.InvoiceFilter{}); err != nil || n != 0 {
		t.Errorf("there are %d invoices, %v", n, err)
	}
	b.post("invoices/new", fields()...).leads(b.base + "/invoices/1")
	b.post("invoices/new", fields()...).leads(b.base + "/invoices/1")
	b.get("invoices/1").tells("Issued invoice 1 of 39,00 to Ola Nordmann.")
	b.get("invoices/new?find=ola").tells("Ola Nordmann, Lia 2 Bergen")
	b.get("log").tells("Invoice 1 of 39,00 issued, due 16 March 2026", "Customer created")
}

// TestSharedRefusalsStayAsTheyAre issues invoices of a held installation from several browsers at once: each refusal is
// the same error.
func TestSharedRefusalsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.write(func(ctx context.Context, tx *store.Tx) error { return tx.SetHold(ctx, "restored") })
	before := store.ErrHeld.Error()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			got := b.post("invoices/new", "rows", "1", "name1", "Ola Nordmann", "address1", "Lia 2", "postal_code", "5003", "postal_name", "Bergen",
				"num_due_days", "14", "method", "PAPER", "num_items-1", "2", "line_text-1", "Kaffe", "unit_price-1", "19,50", "vat_rate-1", "NONE")
			if got.status != http.StatusConflict {
				t.Errorf("the status is %d:\n%s", got.status, got.text())
			}
		})
	}
	all.Wait()
	if got := store.ErrHeld.Error(); got != before {
		t.Errorf("the shared refusal now says %s", got)
	}
}
