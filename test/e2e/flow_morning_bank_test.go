package e2e_test

import (
	"os"
	"strings"
	"testing"
)

// TestLateBankFileHoldsDunningBack: while the bank's files are late no reminder goes out, since the money may be
// on its way. When the late file comes, the day's run is made again, and whoever has paid gets none (rule
// E6b).
func TestLateBankFileHoldsDunningBack(t *testing.T) {
	eachSetup(t, func(t *testing.T, in *installation) {
		in.api.Put("/api/v1/creditor", policyBody("")).Shown()
		kari := in.api.customer(t, "Kari Nordmann")
		unpaid := in.api.invoice(t, invoiceOf{customer: kari, days: 0, net: "10000.00"})
		paid := in.api.invoice(t, invoiceOf{customer: kari, days: 0, net: "800.00"})
		first := in.api.invoice(t, invoiceOf{customer: kari, days: 0, net: "80.00"})
		in.at("2026-01-20 09:00")
		in.postFile(t, bankFile{number: 1, date: "2026-01-19", lines: []bankLine{{kid: first.At("ocr_kid_number"), amount: "100.00"}}})

		// Monday 2 February is the day of the reminders; the last bank day before is Friday 30 January.
		in.at("2026-02-03 09:00")
		equal(t, "notices while the files are late", len(in.api.List("/api/v1/overdue_notices")), 0)
		equal(t, "status while the files are late", in.api.Get(paid.At("@uri")).Shown().At("@status"), "invoice_overdue_chargeable")

		in.postFile(t, bankFile{number: 2, date: "2026-02-02", lines: []bankLine{{kid: paid.At("ocr_kid_number"), amount: "1000.00"}}})
		in.at("2026-02-03 09:01")
		in.checkNotice(unpaid.At("@uri"), 1, "reminder of 2026-02-03, due 2026-02-17: 12500.00 + 38.00 + 61.64 = 12599.64",
			"2026-01-20 to 2026-02-03: 15 of 365 days, 12500.00 at 12 is 61.64")
		in.checkNoticeLetters(1)
		equal(t, "status of the one who paid", in.api.Get(paid.At("@uri")).Shown().At("@status"), "invoice_paid")

		in.at("2026-02-05 09:00")
		in.checkNoticeLetters(1)
		in.checkRuns("2026-01-19", "2026-02-05")
		in.checkBooks()
	}, from("2026-01-19 08:00"))
}

// TestPaymentBetweenNoticeAndLetter: the notices of the morning cannot leave, because the folder for letters is
// away. One customer pays what was owed before the notice: that one is withdrawn, with its fee and
// interest. Another pays less: that letter goes out unchanged (rule E6f).
func TestPaymentBetweenNoticeAndLetter(t *testing.T) {
	eachSetup(t, func(t *testing.T, in *installation) {
		in.api.Put("/api/v1/creditor", policyBody("")).Shown()
		kari := in.api.customer(t, "Kari Nordmann")
		payer := in.api.invoice(t, invoiceOf{customer: kari, days: 0, net: "10000.00"}).At("@uri")
		other := in.api.invoice(t, invoiceOf{customer: kari, days: 0, net: "10000.00"}).At("@uri")
		in.at("2026-02-02 05:00")
		must(t, os.Rename(in.Path("outbox", "paper"), in.Path("away")))
		in.at("2026-02-02 06:00")
		equal(t, "status in the morning", in.api.Get(payer).Shown().At("@status"), "overdue_notice_sent")

		in.api.pay(t, payer, "-12500.00", "2026-02-02")
		in.api.pay(t, other, "-12499.99", "2026-02-02")
		must(t, os.Rename(in.Path("away"), in.Path("outbox", "paper")))
		in.at("2026-02-02 08:00")

		detail := in.api.Get(payer).Shown()
		equal(t, "status of the one who paid", detail.At("@status"), "invoice_paid")
		equal(t, "balance of the one who paid", detail.At("ar_transactions/@balance"), "0.00")
		equal(t, "notices of the one who paid", len(detail.All("overdue_notices/overdue_notice")), 0)
		in.checkAmounts(payer, "INVOICE 12500.00, OVERDUE_CHARGE 38.00, INTEREST 57.53, PAYMENT -12500.00, OVERDUE_CHARGE -38.00, INTEREST -57.53")
		equal(t, "status of the one who paid less", in.api.Get(other).Shown().At("@status"), "overdue_notice_sent")

		notices := 0
		for name := range in.Letters(in.t) {
			if strings.HasPrefix(name, "overdue-notice-") {
				notices++
				if !strings.HasPrefix(name, "overdue-notice-2-") {
					t.Errorf("the needless letter %s was sent", name)
				}
			}
		}
		equal(t, "letters with notices", notices, 1)
		in.checkBooks()
	}, from("2026-01-19 08:00"))
}
