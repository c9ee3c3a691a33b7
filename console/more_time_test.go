package console_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"purr/models"
	"purr/register"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestN11MoreTimeOnTheInvoicesPage gives time, longer time, takes that back, and ends it, each twice where a press may come twice.
func TestN11MoreTimeOnTheInvoicesPage(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b := openOn(t, databaseURL, models.ScopeWrite, nil)
		invoice := b.owing(14)
		one := fmt.Sprintf("invoices/%d", invoice.Number)
		runs := func(until string, waived bool) {
			t.Helper()
			i, want := b.now(invoice), models.Date(0)
			if until != "" {
				want = rows.Day(until)
			}
			if i.MoreTime.Until != want || (len(i.InterestFree) > 0) != waived {
				t.Errorf("the time is %+v, free of interest on %v", i.MoreTime, i.InterestFree)
			}
		}
		b.get(one).is(http.StatusOK).tells("Give more time")
		for field, wrong := range map[string]string{"": "", "yesterday": "01.03.2026", "far": "01.01.2028", "none": "soon"} {
			if b.post(one+"/more-time", "until", wrong); b.now(invoice).MoreTime.Until != 0 {
				t.Errorf("%s: time was given", field)
			}
		}
		for range 2 {
			b.post(one+"/more-time", "until", "20.03.2026", "reason", "wages", "waive_interest", "1").is(http.StatusSeeOther)
			runs("2026-03-20", true)
		}
		b.get(one).tells("Invoice 1 has more time, until 20 March 2026.", "More time, until 20 March 2026.", "Interest is waived for that time.", "wages", "Change the time", "End the time")
		b.post(one+"/more-time", "until", "31.03.2026").is(http.StatusSeeOther)
		runs("2026-03-31", false)
		b.undo(b.get(one))
		runs("2026-03-20", true)
		for range 2 {
			b.post(one + "/more-time/end").is(http.StatusSeeOther)
			runs("", false)
		}
		if page := b.get(one); strings.Contains(page.body, "/more-time/end\"") {
			t.Errorf("there is a button that ends what has ended:\n%s", page.text())
		}
	})
}

// TestN11ADisputedInvoiceOffersNeitherNoticeNorHandOver looks at the buttons, and presses all the same.
func TestN11ADisputedInvoiceOffersNeitherNoticeNorHandOver(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.overdue(1, 0)
	page := b.get("invoices/1").is(http.StatusOK)
	if strings.Contains(page.body, "disputed-why") || !strings.Contains(page.body, "invoices/1/hand-over") {
		t.Errorf("the page is\n%s", page.text())
	}
	b.post("invoices/1/hold", "disputed", "1").is(http.StatusSeeOther)
	page = b.get("invoices/1").tells("the claim is disputed. Decide about the objection")
	for _, offered := range []string{`/invoices/1/hand-over"`, "/invoices/1/notice?"} {
		if strings.Contains(page.body, offered) {
			t.Errorf("the page offers %s", offered)
		}
	}
	if strings.Count(page.body, `aria-disabled="true" aria-describedby="disputed-why"`) != 2 {
		t.Errorf("two buttons are to be disabled, with the reason:\n%s", page.body)
	}
	for _, act := range []string{"notice", "hand-over"} {
		seen := b.get("invoices/1/" + act)
		_, rest, _ := strings.Cut(seen.body, `name="seen" value="`)
		value, _, _ := strings.Cut(rest, `"`)
		if got := b.post("invoices/1/"+act, "seen", value); got.status != http.StatusConflict || !strings.Contains(got.text(), "The claim is disputed: no notice and no hand-over") {
			t.Errorf("%s: %d\n%s", act, got.status, got.text())
		}
	}
}

// TestN11WhatStandsStillIsListed has two pages of more time, a hold of a customer, and another creditor who sees none of it.
func TestN11WhatStandsStillIsListed(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.overdue(52, 0)
	for n := 1; n <= 52; n++ {
		b.post(fmt.Sprintf("invoices/%d/more-time", n), "until", "31.03.2026", "reason", fmt.Sprintf("=reason %d", n)).is(http.StatusSeeOther)
	}
	b.post("invoices/7/hold", "disputed", "1", "comment", "wrong colour").is(http.StatusSeeOther)
	first := b.get("standing-still").is(http.StatusOK).tells("53 in the list.")
	if n := strings.Count(first.body, "<tr>"); n != 51 {
		t.Errorf("the first page has %d rows", n)
	}
	_, rest, found := strings.Cut(first.body, b.base+"/standing-still?after=")
	if !found {
		t.Fatalf("no way to the next page:\n%s", first.body)
	}
	mark, _, _ := strings.Cut(rest, `"`)
	b.get("standing-still?after="+mark).is(http.StatusOK).tells("Disputed", "wrong colour", "Until it is taken away")
	b.get("standing-still?kind=dispute").is(http.StatusOK).tells("1 in the list.", "wrong colour")
	b.post("invoices/7/hold/release").is(http.StatusSeeOther)
	b.get("standing-still?status=ended").is(http.StatusOK).tells("1 in the list.", "wrong colour", "Ended by")
	if got := b.get("standing-still.csv?format=en&status=ended").is(http.StatusOK); !strings.Contains(got.body, "Disputed,wrong colour,7,") {
		t.Errorf("the file is\n%s", got.body)
	}
	if got := b.get("standing-still.csv?format=en").is(http.StatusOK); strings.Count(got.body, "\nMore time,'=reason ") != 52 {
		t.Errorf("the file is\n%s", got.body)
	}
	for _, wrong := range []string{"after=x", "after=2026-03-31.0", "kind=plan"} {
		b.get("standing-still?" + wrong).is(http.StatusBadRequest)
	}
	b.signIn(b.newKey(b.newCreditor("Andre"), models.ScopeRead))
	b.get("/c/1/standing-still").is(http.StatusNotFound)
}

// TestN11ALetterTellsTheCustomer is offered with the addresses, goes once, and is refused without an address or when the customer was
// changed meanwhile.
func TestN11ALetterTellsTheCustomer(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b := openOn(t, databaseURL, models.ScopeWrite, nil)
		invoice := b.owing(14)
		one := fmt.Sprintf("invoices/%d", invoice.Number)
		letters := func() (sent []models.Shipment) {
			all, err := b.db.ShipmentsOf(t.Context(), invoice.Document())
			testkit.Must(t, err)
			for _, s := range all {
				if s.Role() == models.TellsOfTime {
					sent = append(sent, s)
				}
			}
			return sent
		}
		form := b.get(one+"/more-time").is(http.StatusOK).tells("Letter to the customer", "No letter", "By e-mail", "On paper", "On paper it goes to")
		_, rest, _ := strings.Cut(form.body, `name="seen_customer" value="`)
		seen, _, _ := strings.Cut(rest, `"`)
		b.post(one+"/more-time", "until", "20.03.2026", "shipment_method", "EHF")
		if b.now(invoice).MoreTime.Until != 0 {
			t.Error("time was given with an EHF")
		}
		b.post(one+"/more-time", "until", "20.03.2026", "shipment_method", "PAPER", "seen_customer", seen).is(http.StatusSeeOther)
		b.get(one).tells("Invoice 1 has more time, until 20 March 2026. A letter about it goes to")
		b.post(one+"/more-time", "until", "20.03.2026", "shipment_method", "PAPER").is(http.StatusSeeOther)
		if sent := letters(); len(sent) != 1 || sent[0].Method != models.ByPaper || sent[0].State != models.ShipmentOwed {
			t.Fatalf("the letters are %+v", sent)
		}
		b.get("letters?state=waiting").tells("More time for invoice 1")
		b.post(one + "/more-time/end").is(http.StatusSeeOther)
		if sent := letters(); len(sent) != 1 || sent[0].State != models.ShipmentWithdrawn {
			t.Errorf("the letters are %+v", sent)
		}
		b.get(one).tells("with a letter on paper")
		rows.Write(t, b.db, func(tx *store.Tx) error {
			_, err := register.ChangeCustomer(t.Context(), tx, invoice.CreditorID, invoice.CustomerID, 0, "Per", func(c *models.Customer) error {
				c.Recipient.Email, c.Recipient.Address1 = "", "Nyveien 7"
				return nil
			})
			return err
		})
		if got := b.post(one+"/more-time", "until", "20.03.2026", "shipment_method", "PAPER", "seen_customer", seen); got.status != http.StatusConflict || !strings.Contains(got.text(), "Nyveien 7") {
			t.Errorf("a letter goes to an address that nobody saw: %d\n%s", got.status, got.text())
		}
		b.post(one+"/more-time", "until", "20.03.2026", "shipment_method", "EMAIL").tells("The customer has no e-mail address")
		if b.now(invoice).MoreTime.Until != 0 {
			t.Error("time was given")
		}
	})
}
