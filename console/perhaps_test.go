package console_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"purr/dunning"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/payments"
	"purr/test/testkit/rows"
)

// named returns a new customer of a name.
func (b *browser) named(name string) models.Customer {
	b.t.Helper()
	return rows.Customer(b.t, b.db, b.creditor, func(c *models.Customer) { c.Recipient.Name1 = name })
}

// TestN6InvoiceAndCustomerShowWhatMayBeHis has one payment wait whose KID has a slip, and one with his name in its text. Both stand on
// the pages of the customer and his invoice, and on nobody else's. One is said not to be his, which is taken back in two ways.
func TestN6InvoiceAndCustomerShowWhatMayBeHis(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b := openOn(t, databaseURL, models.ScopeWrite, nil)
		b.withAccount()
		liv, per := b.named("Liv Strand"), b.named("Per Persen")
		i, his := rows.Invoice(t, b.db, b.creditor, rows.To(liv), rows.Of(700_00)), rows.Invoice(t, b.db, b.creditor, rows.To(per), rows.Of(650_00))
		page, customer := fmt.Sprintf("invoices/%d", i.Number), fmt.Sprintf("customers/%d", liv.ID)
		const title = "Payments that may be the customer’s"
		if b.get(page).is(http.StatusOK); strings.Contains(b.get(page).text(), title) {
			t.Error("without a queue there is something in it")
		}
		waiting := b.queueOf(payments.Paid("9"+i.KID[1:], 700_00), payments.ByCard(21, "", 33_00, "fra STRAND LIV"))
		slip, byName := waiting[0], waiting[1]
		for _, at := range []string{page, customer} {
			b.get(at).is(http.StatusOK).tells(title+" 2", "700,00 from 98765432103", "one digit of the KID differs", "0,00 is owed after it", "fra STRAND LIV", "the name is alike",
				"667,00 is owed after it", fmt.Sprintf("Match with invoice %d", i.Number), "Not his", "Divide…")
		}
		for _, at := range []string{fmt.Sprintf("invoices/%d", his.Number), fmt.Sprintf("customers/%d", per.ID)} {
			if strings.Contains(b.get(at).is(http.StatusOK).text(), title) {
				t.Errorf("%s shows what is not his", at)
			}
		}
		links := b.get(fmt.Sprintf("bank?payment=%d", slip.ID)).body
		for _, to := range []string{page, customer} {
			if !strings.Contains(links, `href="`+b.base+"/"+to+`"`) {
				t.Errorf("the queue does not lead back to %s", to)
			}
		}

		deny := fmt.Sprintf("bank/payment/%d/not-payer", byName.ID)
		stale, f := b.formAt(customer, deny), b.formAt(page, deny)
		done := b.send(f).leads(b.base + "/" + page)
		b.send(f).leads(done.location) // pressed twice
		b.send(stale).is(http.StatusConflict).tells("It has changed since you looked", "by Kari")
		b.get(done.location).tells("33,00 from an unknown payer is not of Liv Strand", title+" 1", "somebody said that it is not his", "May be after all")
		if after := b.waiting()[1]; len(after.NotOf) != 1 || after.NotOf[0] != liv.ID {
			t.Errorf("it is not of %v", after.NotOf)
		}
		allow := fmt.Sprintf("bank/payment/%d/payer", byName.ID)
		b.get(fmt.Sprintf("bank?payment=%d", byName.ID)).tells("Not of Liv Strand")
		b.send(b.formAt(fmt.Sprintf("bank?payment=%d", byName.ID), allow)).leads(fmt.Sprintf("%s/bank?payment=%d", b.base, byName.ID))
		b.send(b.undoOf(b.formAt(customer, deny), allow)).leads(b.base + "/" + customer)
		b.get(page).tells(title + " 2")

		f = b.formAt(page, fmt.Sprintf("bank/payment/%d/match", slip.ID))
		b.send(f).leads(b.base + "/" + page)
		b.send(f).leads(b.base + "/" + page)
		b.owes(i, 0)
		b.get(page).tells(fmt.Sprintf("Matched 700,00 from 98765432103 with invoice %d.", i.Number), "Undo", title+" 1")
		if strings.Contains(b.get(page).body, fmt.Sprintf("bank/payment/%d/match", byName.ID)) {
			t.Error("nothing is owed, and a payment can be matched")
		}
	})
}

// TestN6WhatAColleagueMatchedIsNotDoneAgain opens the pages, and a colleague matches the payment.
func TestN6WhatAColleagueMatchedIsNotDoneAgain(t *testing.T) {
	b := open(t, models.ScopeWrite, nil)
	b.withAccount()
	i, other := rows.Invoice(t, b.db, b.creditor, rows.Of(700_00)), rows.Invoice(t, b.db, b.creditor, rows.Of(650_00))
	u := b.queueOf(payments.Paid("9"+i.KID[1:], 700_00))[0]
	page := fmt.Sprintf("invoices/%d", i.Number)
	match, deny := b.formAt(page, fmt.Sprintf("bank/payment/%d/match", u.ID)), b.formAt(page, fmt.Sprintf("bank/payment/%d/not-payer", u.ID))
	b.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := unmatched.Match(ctx, tx, b.creditor, u.ID, []int64{other.ID}, ola)
		return err
	})
	for _, f := range []form{match, deny} {
		b.send(f).is(http.StatusConflict).tells("What was done last: Payment matched, by " + olaShown)
	}
	b.owes(i, 700_00)
	b.get(page).is(http.StatusOK)
}

// TestN6NobodySaysWhoseAnothersPaymentIs sends the forms with what is another creditor's, and with a key that may read.
func TestN6NobodySaysWhoseAnothersPaymentIs(t *testing.T) {
	b := open(t, models.ScopeWrite, nil)
	b.withAccount()
	i := rows.Invoice(t, b.db, b.creditor, rows.Of(700_00))
	u := b.queueOf(payments.Paid("9"+i.KID[1:], 700_00))[0]
	mine := b.creditor
	stranger := b.newCreditor("Fremmed")
	theirs := rows.Customer(t, b.db, stranger)
	deny := fmt.Sprintf("bank/payment/%d/not-payer", u.ID)
	b.post(deny, "once", "theirs-theirs-theirs", "customer", fmt.Sprint(theirs.ID)).is(http.StatusNotFound)
	b.post(deny, "once", "none-none-none-none-", "customer", "x").is(http.StatusUnprocessableEntity)
	b.creditor = stranger
	b.signIn(b.newKey(stranger, models.ScopeAdmin))
	for _, act := range []string{"not-payer", "payer", "choose"} {
		b.post(fmt.Sprintf("bank/payment/%d/%s", u.ID, act), "once", "strange-strange-strange", "customer", fmt.Sprint(theirs.ID)).is(http.StatusNotFound)
	}
	b.creditor = mine
	b.signIn(b.newKey(mine, models.ScopeRead))
	if page := b.get(fmt.Sprintf("customers/%d", i.CustomerID)).tells("Not his"); !strings.Contains(page.body, `aria-disabled="true" aria-describedby="needs-write"`) {
		t.Error("a key that may read is not told that it may not")
	}
	for _, act := range []string{"not-payer", "payer", "choose"} {
		b.post(fmt.Sprintf("bank/payment/%d/%s", u.ID, act), "customer", fmt.Sprint(i.CustomerID)).is(http.StatusForbidden)
	}
	if after := b.waiting()[0]; len(after.NotOf) != 0 {
		t.Errorf("the payment is not of %v", after.NotOf)
	}
}

// TestN6OnePressBelievesWhoSaysThatItIsPaid presses the button on an invoice, twice, and on a form that a colleague's dispute has
// overtaken. The page says until when, and the hold is undone, ended, and changed with its reason kept.
func TestN6OnePressBelievesWhoSaysThatItIsPaid(t *testing.T) {
	b := open(t, models.ScopeWrite, nil)
	i := rows.Invoice(t, b.db, b.creditor)
	page := fmt.Sprintf("invoices/%d", i.Number)
	hold, release := page+"/hold", page+"/hold/release"
	f := b.formAt(page, hold)
	b.send(f).leads(b.base + "/" + page)
	b.send(f).leads(b.base + "/" + page)
	until := rows.Day("2026-03-09") // five bank days after Monday, 2 March
	believed := func() {
		t.Helper()
		if h := b.now(i).Hold; !h.Held || h.Reason != models.HoldPaid || h.Until != until {
			t.Errorf("the hold is %+v", h)
		}
	}
	believed()
	shown := b.get(page).tells("is paid: it is on hold until 9 March 2026", "On hold until 9 March 2026", "The customer says that it is paid.", "Take the hold away")
	if strings.Contains(shown.text(), "Says it is paid") {
		t.Error("the button is there still")
	}
	b.send(b.formAt(page+"/hold").typing("comment", "ringte")).is(http.StatusSeeOther)
	believed()
	b.send(b.formAt(page, release)).is(http.StatusSeeOther)
	if b.now(i).Hold.Held {
		t.Error("the hold is not ended")
	}
	b.send(b.undoOf(b.formAt(page, hold), release)).is(http.StatusSeeOther)
	if b.now(i).Hold.Held {
		t.Error("the hold is not undone")
	}

	f = b.formAt(page, hold)
	b.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.HoldInvoice(ctx, tx, b.creditor, i.ID, models.Hold{Reason: models.HoldDispute}, ola)
		return err
	})
	b.send(f).is(http.StatusConflict).tells("by " + olaShown)
	if b.now(i).Hold.Reason != models.HoldDispute {
		t.Error("a dispute is forgotten")
	}
	b.post(hold, "once", "other-other-other-other", "reason", "because").is(http.StatusUnprocessableEntity)
	must(t, b.pay(i, 1000_00))
	b.send(b.formAt(page, release)).is(http.StatusSeeOther)
	if strings.Contains(b.get(page).text(), "Says it is paid") {
		t.Error("nothing is owed, and somebody may say so")
	}
}
