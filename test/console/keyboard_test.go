package console_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/models"
	"purr/test/testkit/browser"
)

// keyboard presses keys on a page, and counts them.
type keyboard struct {
	*desk
	pressed int
}

// press presses single keys that lead to no other page.
func (k *keyboard) press(keys ...string) {
	k.T.Helper()
	k.pressed += len(keys)
	k.Keys(keys...)
}

// opens presses keys of which the last one leads to another page.
func (k *keyboard) opens(keys ...string) {
	k.T.Helper()
	k.Loads(func() { k.press(keys...) })
}

// types types a text into the field that has the focus.
func (k *keyboard) types(text string) { k.T.Helper(); k.press(strings.Split(text, "")...) }

// mustSay holds that the last act has said so, where a screen reader reads it and the next Tab leads to Undo.
func (k *keyboard) mustSay(words string) {
	k.T.Helper()
	if said := plain(k.Find("status", "*").Text()); !strings.Contains(said, words) {
		k.T.Errorf("it says %q, want %q", said, words)
	}
	if at := k.Focused(); at == nil || at.Role != "status" {
		k.T.Errorf("after %q the focus is at %+v, and not at what is said", words, at)
	}
}

// TestE10AMorningByTheKeyboardAlone does what a clerk does in the morning, and touches no mouse: matches seven payments, approves
// a run, puts a customer on hold, finds an invoice by its amount, and prints a statement.
func TestE10AMorningByTheKeyboardAlone(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeAdmin)
	d.crowded()
	ola := d.customer("Ola Nordmann", "ola@example.no")
	var mistakes []paid
	for i := range 7 {
		invoice := d.invoices(ola, 2000+37*i, 14)
		mistakes = append(mistakes, paid{kid: mistyped(d.api.Get(invoice.URI()).Shown().At("ocr_kid_number")), kroner: float64(2000 + 37*i)})
	}
	wanted := d.invoices(ola, 4321, 14)
	d.bankReports(mistakes...)
	d.show("today")
	k, begun := &keyboard{desk: d}, time.Now()

	if k.opens("Enter"); d.URL() != d.base+"/dunning" {
		t.Errorf("the first thing that waits leads to %s", d.URL())
	}
	k.opens("g", "b")
	for range 7 {
		k.opens("m")
		k.mustSay("Matched 2 ")
	}
	if left := d.api.List("/unmatched_payments?status=open"); len(left) != 0 {
		t.Errorf("%d payments wait", len(left))
	}

	k.opens("g", "d")
	waits := slices.IndexFunc(d.All("heading"), func(h *browser.Element) bool { return strings.Contains(h.Name, "wait for your approval") })
	k.press("a")
	k.types(fmt.Sprint(firstNumber(d.All("heading")[waits].Name)))
	k.opens("Enter")
	k.mustSay("The run is approved: 6 letters are sent")

	k.opens("g", "c")
	k.press("f")
	k.types("ola")
	k.opens("Enter")
	k.press("j")
	k.opens("Enter")
	k.opens("h")
	k.types("ringer fredag")
	k.opens("Enter")
	k.mustSay("Ola Nordmann is on hold.")
	d.api.Get(ola.URI()).Shown().Shows("dunning_hold/comment ringer fredag")

	k.press("/")
	k.types("4321,00")
	k.opens("Enter") // one hit opens (rule N3)
	if want := d.base + "/invoices/" + wanted.At("invoice_number"); d.URL() != want {
		t.Errorf("it leads to %s, want %s", d.URL(), want)
	}

	k.opens("c")
	k.opens("s")
	browser.Evaluate[bool](d.Page, `(window.print = () => { window.printed = true }, true)`)
	k.press("p")
	if !browser.Evaluate[bool](d.Page, `window.printed === true`) {
		t.Error("the statement is not printed")
	}
	t.Logf("%d keys in %s", k.pressed, time.Since(begun).Round(100*time.Millisecond))
	if k.pressed > 70 {
		t.Errorf("it took %d keys", k.pressed)
	}
	if problems := d.Problems(); len(problems) > 0 {
		t.Errorf("the browser met %q", problems)
	}
}
