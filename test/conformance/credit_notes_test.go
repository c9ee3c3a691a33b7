package conformance_test

import (
	"net/http"
	"testing"
)

// TestD21WholeInvoiceOnce: a credit note is the invoice's amounts, settles at once what is owed, and comes once,
// also when two are asked for at the same time.
func TestD21WholeInvoiceOnce(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		invoice := c.invoices(order{})
		note := c.credits(invoice)
		note.Shows("gross_amount 1250.00", "net_amount 1000.00", "credited_invoice/@uri "+invoice.URI(), "@status paid", "ar_transactions/@balance 0.00")
		c.account(note, "CREDIT_NOTE -1250.00", "CREDIT_NOTE 1250.00")
		c.account(invoice, "INVOICE 1250.00", "CREDIT_NOTE -1250.00")
		c.again(invoice).Shows("@status invoice_paid", "ar_transactions/@balance 0.00")
		c.Post(invoice.URI()+"/credit_notes", creditNote()).Refused(http.StatusConflict, "already_credited")

		other := c.invoices(order{})
		answers := c.AtOnce(4, func() *answer { return c.Post(other.URI()+"/credit_notes", creditNote()) })
		created := 0
		for _, a := range answers {
			if a.Status == http.StatusCreated {
				created++
				continue
			}
			a.Refused(http.StatusConflict, "already_credited")
		}
		equal(t, "number of credit notes of several asked for at once", created, 1)
	})
}

// TestD21WhatWasPaidIsTheCustomers: what had been paid stays on the credit note until it is paid out.
func TestD21WhatWasPaidIsTheCustomers(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		invoice := c.invoices(order{})
		payment := c.registers("-300", invoice)
		note := c.credits(invoice).Shows("@status not_paid", "ar_transactions/@balance -300.00")
		c.account(invoice, "INVOICE 1250.00", "PAYMENT -300.00", "CREDIT_NOTE -950.00")
		c.account(note, "CREDIT_NOTE -1250.00", "CREDIT_NOTE 950.00")
		payout := c.registers("100", note)
		c.again(note).Shows("@status not_paid", "ar_transactions/@balance -200.00")

		// Without the payment, 300 are owed on the invoice again, and 200 of credit are left to settle it.
		c.Delete(payment.URI()).Is(http.StatusNoContent)
		c.account(invoice, "INVOICE 1250.00", "CREDIT_NOTE -950.00", "CREDIT_NOTE -200.00")
		c.account(note, "CREDIT_NOTE -1250.00", "CREDIT_NOTE 950.00", "PAYMENT 100.00", "CREDIT_NOTE 200.00")
		c.again(invoice).Shows("@status invoice_sent", "ar_transactions/@balance 100.00")
		c.again(note).Shows("@status paid", "ar_transactions/@balance 0.00")
		c.Get(payout.URI()).Shown()
	})
}

// TestD21FeesAndInterestAreReversedFirst credits invoices with fee and interest: what is unpaid of them is
// reversed, what was paid of them stays.
func TestD21FeesAndInterestAreReversedFirst(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		to := c.customer().URI()
		unpaid, paidInPart := c.invoices(order{to: to, days: "0"}), c.invoices(order{to: to, days: "0"})
		in.at(t, "2023-12-22 00:01")
		for _, invoice := range []node{unpaid, paidInPart} {
			c.addsUp(invoice, c.notices(invoice, notice(true, true, false)), "1250.00", "35.00", "5.63")
		}
		in.at(t, "2023-12-23 00:01")
		c.registers("-300", unpaid)
		// 1250 of it for the principal, 5.63 for the interest, 14.37 for the fee.
		c.registers("-1270", paidInPart)

		note := c.credits(unpaid).Shows("ar_transactions/@balance -300.00")
		c.account(unpaid, "INVOICE 1250.00", "OVERDUE_CHARGE 35.00", "INTEREST 5.63", "PAYMENT -300.00",
			"OVERDUE_CHARGE -35.00", "INTEREST -5.63", "CREDIT_NOTE -950.00")
		c.account(note, "CREDIT_NOTE -1250.00", "CREDIT_NOTE 950.00")

		note = c.credits(paidInPart).Shows("ar_transactions/@balance -1250.00")
		c.account(paidInPart, "INVOICE 1250.00", "OVERDUE_CHARGE 35.00", "INTEREST 5.63", "PAYMENT -1270.00", "OVERDUE_CHARGE -20.63")
		c.account(note, "CREDIT_NOTE -1250.00")
		for _, invoice := range []node{unpaid, paidInPart} {
			c.again(invoice).Shows("@status invoice_paid", "ar_transactions/@balance 0.00")
		}
	})
}

// TestInterfaceCreditNoteStatusesD22 tries every filter value on a paid and an unpaid credit note.
func TestInterfaceCreditNoteStatusesD22(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		paid := c.credits(c.invoices(order{})).At("invoice_number")
		invoice := c.invoices(order{})
		c.registers("-1", invoice)
		unpaid := c.credits(invoice).At("invoice_number")
		for _, test := range []struct {
			filter string
			finds  []string
		}{
			{"all", []string{paid, unpaid}},
			{"credit_note_sent", []string{unpaid}},
			{"not_paid", []string{unpaid}},
			{"waiting", []string{unpaid}},
			{"credit_note_paid", []string{paid}},
			{"paid", []string{paid}},
			{"overdue", []string{}},
			{"overdue%7Cpaid", []string{paid}},
			{"paid%7Cnot_paid", []string{paid, unpaid}},
		} {
			same(t, "found by status="+test.filter, texts(c.List("/credit_notes?status="+test.filter), "invoice_number"), test.finds)
		}
		items := c.List("/credit_notes")
		same(t, "statuses in the list", texts(items, "@status"), []string{"paid", "not_paid"})
		same(t, "due dates in the list", texts(items, "due_date"), []string{"", ""})
		for _, wrong := range []string{"invoice_paid", "paid%7C", "PAID"} {
			c.Get("/credit_notes?status="+wrong).Refused(http.StatusBadRequest, "unknown_status status")
		}
	})
}

// TestD22aCommentsAndStatusOfADetail: a comment may be sent with a credit note or a notice, or left out.
func TestD22aCommentsAndStatusOfADetail(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		first, second := c.invoices(order{days: "0"}), c.invoices(order{days: "0"})
		in.at(t, "2023-12-09 00:01")
		c.notices(first, notice(false, false, false, tag("comment", "Hei\nder"))).Shows("comment Hei\nder")
		c.notices(second, notice(false, false, false)).Shows("comment")
		c.Post(first.URI()+"/credit_notes", creditNote(tag("comment", "Feil vare"))).Created().Shows("comment Feil vare", "@status paid")
		c.registers("-1", second)
		c.credits(second).Shows("comment", "@status not_paid")
	})
}

// TestD24CreditNotesOfAnInvoice reads the credit note in the invoice's detail.
func TestD24CreditNotesOfAnInvoice(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		invoice := c.invoices(order{}).Shows("credit_notes")
		equal(t, "number of credit notes", len(invoice.All("credit_notes/credit_note")), 0)
		note := c.credits(invoice)
		c.again(invoice).Only("credit_notes/credit_note").ConsistsOf("@uri invoice_number issue_date gross_amount net_amount").Shows("@uri "+note.URI(), "invoice_number "+note.At("invoice_number"),
			"issue_date "+note.At("issue_date"), "gross_amount 1250.00", "net_amount 1000.00")
	})
}

// TestD34TransactionsOfACreditNote show the credited invoice and the credit note, in list and detail.
func TestD34TransactionsOfACreditNote(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		invoice := c.invoices(order{})
		c.registers("-300", invoice)
		note := c.credits(invoice)
		payout := c.registers("300", note)
		ofNote := map[string]bool{}
		for _, e := range c.again(note).All("ar_transactions/ar_transaction") {
			ofNote[e.URI()] = true
		}
		equal(t, "number of the credit note's transactions", len(ofNote), 3)
		equal(t, "the payout is one of them", ofNote[payout.URI()], true)
		for _, item := range c.List("/ar_transactions") {
			for _, e := range []node{item, c.again(item)} {
				e.Shows("invoice/@uri " + invoice.URI())
				if ofNote[e.URI()] {
					e.Shows("credit_note/@uri " + note.URI())
				} else {
					e.Shows("no credit_note")
				}
			}
		}
	})
}

// account fails the test unless the document has these transactions, each its type and amount, in order, and its
// balance is their sum (rule D33).
func (c *client) account(document node, want ...string) {
	c.T.Helper()
	document = c.again(document)
	sum := 0
	var got []string
	for _, e := range document.All("ar_transactions/ar_transaction") {
		got = append(got, e.At("transaction_type")+" "+e.At("amount"))
		sum += e.Ore("amount")
	}
	same(c.T, "the transactions of "+document.String(), got, want)
	document.Shows("ar_transactions/@balance " + kroner(sum))
}
