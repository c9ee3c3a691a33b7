package console_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"purr/app"
	"purr/models"
	"purr/test/testkit/house"
	"purr/test/testkit/smtpserver"
)

// queue imports three payments that wait: 1250 kroner under a mistyped KID of the first invoice, as much as both invoices
// owe from an account that has paid before, and seven kroner of nobody.
func (d *desk) queue() (first, second house.Node) {
	d.T.Helper()
	kari := d.customer("Kari Nordmann", "")
	first, second = d.invoices(kari, 1250, 14), d.invoices(kari, 2000, 14)
	d.bankReports(
		paid{kid: mistyped(first.At("ocr_kid_number")), kroner: 1250},
		paid{kid: mistyped(d.invoices(kari, 300, 30).At("ocr_kid_number")), kroner: 300, payer: "12345678903"},
		paid{kid: "0000000000", kroner: 7},
	)
	return first, second
}

func (d *desk) balance(invoice house.Node) string {
	d.T.Helper()
	return d.api.Get(invoice.URI()).Shown().At("ar_transactions/@balance")
}

// told holds that the status says the words, however blanks are written.
func (d *desk) told(words string) {
	d.T.Helper()
	if said := strings.ReplaceAll(d.Find("status", "*").Text(), "\u00a0", " "); !strings.Contains(said, words) {
		d.T.Errorf("it says %q, want %q", said, words)
	}
}

// TestConsole14And15And16MatchByKeysAndUndo does what a clerk does each morning, with keys alone.
func TestConsole14And15And16MatchByKeysAndUndo(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeWrite)
	first, _ := d.queue()
	d.show("bank")
	waiting := d.api.List("/unmatched_payments?status=open")
	rows := d.Find("table", "Payments, oldest first").Rows()
	if len(rows) != 1+len(waiting) || len(waiting) != 3 {
		t.Fatalf("%d wait, the table is %v", len(waiting), rows)
	}
	d.Loads(func() { d.Keys("j") })
	if !strings.Contains(d.Find("heading", "300*").Name, "300,00 from ") {
		t.Errorf("j leads to\n%s", d.Text())
	}
	d.Loads(func() { d.Keys("k") })
	suggested := d.api.Get(waiting[0].URI()).Shown().All("suggestions/suggestion")
	radios := d.Find("group", "It is meant for").All("radio")
	if len(radios) != len(suggested)+1 || !radios[0].Checked() || !strings.HasPrefix(radios[0].Name, "Invoice "+first.At("invoice_number")+",") ||
		!strings.Contains(radios[0].Name, "one digit") || !strings.Contains(radios[0].Name, "owes just this") {
		t.Errorf("of %d suggestions it shows %d, the first %q", len(suggested), len(radios)-1, radios[0].Name)
	}
	d.MustBeAccessible()
	d.Loads(func() { d.Keys("m") })
	d.told("Matched 1 250,00 from 97104133219 with invoice " + first.At("invoice_number") + ".")
	if d.balance(first) != "0.00" || !d.Has("heading", "300*") {
		t.Errorf("%s is owed; the page shows\n%s", d.balance(first), d.Text())
	}
	d.Loads(func() { d.Keys("u") })
	if d.balance(first) != "1250.00" || len(d.api.List("/unmatched_payments?status=open")) != 3 || !d.Has("heading", "1\u00a0250,00 from 97104133219") {
		t.Errorf("undone, %s is owed:\n%s", d.balance(first), d.Text())
	}
	d.Loads(func() { d.Keys("x") })
	d.Find("textbox", "Reason").Type("meant for a neighbour")
	d.Find("button", "Dismiss").Follow()
	d.told("Dismissed 1 250,00 from ")
	d.Find("link", "Done").Follow()
	d.Contains("Not ours: meant for a neighbour")
	d.MustBeAccessible()
	d.Find("button", "Undo").Follow()
	if len(d.api.List("/unmatched_payments?status=open")) != 3 || len(d.Problems()) != 0 {
		t.Errorf("reopened, it is\n%s\n%v", d.Text(), d.Problems())
	}
}

// TestConsole17AnotherInvoice matches one payment with two invoices that a person names.
func TestConsole17AnotherInvoice(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeWrite)
	first, second := d.queue()
	d.bankReports(paid{kid: "0000000000", kroner: 3250})
	last := d.api.List("/unmatched_payments?status=open")[3]
	d.show("bank?payment=" + last.URI()[strings.LastIndex(last.URI(), "/")+1:])
	choose := func(numbers string) {
		d.Find("radio", "Another invoice*").Click()
		d.Find("textbox", "Invoice numbers*").Type(numbers)
		d.Find("button", "Match").Follow()
	}
	wrong := first.At("invoice_number") + " 3"
	choose(wrong)
	if box := d.Find("textbox", "Invoice numbers*"); d.Status() != http.StatusUnprocessableEntity || !d.Has("alert", "*") || !box.Invalid() || box.Value() != wrong {
		t.Errorf("amounts that do not add up answer %d:\n%s", d.Status(), d.Text())
	}
	d.MustBeAccessible()
	choose(first.At("invoice_number") + " " + second.At("invoice_number"))
	d.told(fmt.Sprintf("with invoices %s and %s.", first.At("invoice_number"), second.At("invoice_number")))
	if d.balance(first) != "0.00" || d.balance(second) != "0.00" {
		t.Errorf("%s and %s are owed", d.balance(first), d.balance(second))
	}
}

// TestConsole18TheCertainOnesTogether leaves out the one that somebody matched meanwhile.
func TestConsole18TheCertainOnesTogether(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeWrite)
	first, second := d.queue()
	d.show("bank")
	d.Find("link", "Match the 2 certain ones…").Follow()
	boxes := d.All("checkbox")
	if len(boxes) != 2 || !boxes[0].Checked() || !boxes[1].Checked() {
		t.Fatalf("it shows %d boxes:\n%s", len(boxes), d.Text())
	}
	d.MustBeAccessible()
	taken := d.api.List("/unmatched_payments?status=open")[1]
	d.api.Post(taken.URI()+"/match", tag("match", `<invoice uri="`+second.URI()+`"/>`)).Is(http.StatusOK)
	d.Find("button", "Match 2 payments").Follow()
	d.told("Matched 1 payment.")
	d.told("left out")
	d.told("was matched meanwhile with invoice " + second.At("invoice_number"))
	if d.balance(first) != "0.00" {
		t.Errorf("%s is owed on the other", d.balance(first))
	}
}

// TestConsole19AFileIsUploaded watches the import, sends the file again, and then a broken one.
func TestConsole19AFileIsUploaded(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeWrite)
	invoice := d.invoices(d.customer("Kari Nordmann", ""), 1250, 14)
	file := d.giro(paid{kid: invoice.At("ocr_kid_number"), kroner: 1250}, paid{kid: "0000000000", kroner: 7})
	d.files++
	send := func(name string, content []byte) {
		path := filepath.Join(t.TempDir(), name)
		must(t, os.WriteFile(path, content, 0o600))
		d.show("bank/files")
		d.Find("file", "Payment file").Upload(path)
		d.Find("button", "Import").Follow()
		d.Await("region", "Totals")
	}
	send("OCR.txt", file)
	d.Contains("Imported")
	totals := d.Find("table", "Totals*")
	for first, want := range map[string][]string{"Matched": {"Matched", "1", "1 250,00"}, "Unmatched": {"Unmatched", "1", "7,00"}, "Duplicates": {"Duplicates", "0", "0,00"}, "Ignored": {"Ignored", "0", "0,00"}} {
		row := totals.Row(first)
		for i := range row {
			row[i] = strings.ReplaceAll(row[i], "\u00a0", " ")
		}
		if !slices.Equal(row, want) {
			t.Errorf("the totals have %v, want %v", row, want)
		}
	}
	d.MustBeAccessible()
	send("again.txt", file)
	d.Contains("Duplicate of")
	send("broken.txt", bytes.Replace(file, []byte("NY09"), []byte("NY0X"), 1))
	d.Contains("Rejected", "line ")
	d.MustBeAccessible()
	d.show("bank/statement")
	d.MustBeAccessible()
	d.show("bank/files")
	d.MustBeAccessible()
	if problems := d.Problems(); len(problems) != 0 {
		t.Errorf("the browser's log has %v", problems)
	}
}

// TestConsole12And13And28WhatWaitsIsOnToday sends a mail again that the server refused. Another creditor sees nothing of it.
func TestConsole12And13And28WhatWaitsIsOnToday(t *testing.T) {
	t.Parallel()
	mails := smtpserver.Start(t)
	mails.Reject(smtpserver.Rcpt, 550, "5.1.1 no such user here", 1)
	d := open(t, models.ScopeWrite, func(_ testing.TB, cfg *app.Settings) { cfg.Mail.URL = mails.URL() })
	d.show("today")
	d.Contains("Nothing waits for you")
	d.MustBeAccessible()
	invoice := d.invoices(d.customer("Ola Nordmann", "ola@exmaple.no"), 1000, 14)
	d.at("2026-01-05 13:00")
	d.queue()
	d.show("today")
	waits := d.Find("region", "Waiting for you")
	items := waits.All("listitem")
	if len(items) != 2 || firstNumber(items[0].Text()) != 3 || !items[0].Has("link", "Match payments") || firstNumber(items[1].Text()) != 1 || !items[1].Has("link", "See and send again") {
		t.Fatalf("what waits is\n%s", waits.Text())
	}
	for _, region := range []string{"What came in", "What goes out today", "Who owes most", "Money"} {
		d.Find("region", region)
	}
	steps := d.Find("table", "Steps of today's run")
	for _, row := range []string{"Reminders", "Debt-collection warnings", "Hand-overs", "Left alone"} {
		if got := steps.Row(row); len(got) != 2 || got[1] != "0" {
			t.Errorf("of %s it says %v", row, got)
		}
	}
	d.MustBeAccessible()

	neighbour := deskAt(t, d.in, "Nabo AS", models.ScopeWrite)
	neighbour.show("letters?state=failed")
	neighbour.Contains("Everything has arrived.")
	waits.Find("link", "See and send again").Follow()
	d.Contains("ola@exmaple.no", "No such mailbox", "Invoice "+invoice.At("invoice_number"))
	d.MustBeAccessible()
	d.Find("textbox", "E-mail address").Type("ola@example.no")
	d.Find("button", "Send again").Follow()
	d.told("is sent again to ola@example.no.")
	d.at("2026-01-05 14:00")
	if n := len(mails.Messages()); n != 1 {
		t.Errorf("%d mails were sent", n)
	}
	d.show("letters?state=sent")
	d.Contains("ola@example.no")
	d.MustBeAccessible()
}
