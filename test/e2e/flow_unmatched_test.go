package e2e_test

import (
	"regexp"
	"strings"
	"testing"
)

// TestE5UnmatchedPaymentsThroughTheCommandLine sees to a payment whose KID has a wrong digit while the server runs:
// listed, shown with what it may be meant for, matched, taken back and dismissed (rules E5, R5a).
func TestE5UnmatchedPaymentsThroughTheCommandLine(t *testing.T) {
	t.Parallel()
	in := install(t)
	invoice := in.api.invoice(t, invoiceOf{customer: in.api.customer(t, "Kari Nordmann"), days: 14, net: "1000.00"})
	kid := "7" + invoice.At("ocr_kid_number")[1:]
	in.postFile(t, bankFile{number: 1, date: "2026-01-05", lines: []bankLine{{kid: kid, amount: "1250.00"}}})
	where := in.where()
	unmatched := func(arguments string) string {
		t.Helper()
		return ok(t, where, append([]string{"ocr", "unmatched"}, strings.Fields(arguments)...)...)
	}
	says := func(arguments, form string) {
		t.Helper()
		if said := unmatched(arguments); !regexp.MustCompile(form).MatchString(said) {
			t.Errorf("purr ocr unmatched %s says\n%s, want something like %s", arguments, said, form)
		}
	}
	refused := func(arguments, want string) {
		t.Helper()
		r := run(t, where, append([]string{"ocr", "unmatched"}, strings.Fields(arguments)...)...)
		if !r.refused() || !strings.Contains(r.stderr, want) {
			t.Errorf("purr ocr unmatched %s: exit code %d, says %s, want %q in it", arguments, r.code, r.stderr, want)
		}
	}
	says("list", `(?m)^ID +DATE +AMOUNT +KID .*\n1 +2026-01-05 +1250\.00 +`+kid+` +\d{11} +invalid_kid +open`)
	says("show 1", `(?m)^why +invalid_kid\n(.*\n)+RANK +INVOICE +OWED .*\n1 +1 +1250\.00 +Kari Nordmann +kid_digit_off, open_amount$`)
	refused("match 1", "invoice")
	refused("match 1 --invoice 99", "no such invoice")
	refused("match 17 --invoice 1", "no such unmatched payment")
	refused("match 1 --invoice 1,1", "is there twice")
	refused("show first", "purr ocr unmatched list")
	says("match 1 --invoice 1", `^payment 1 of 1250\.00 is matched\n$`)
	equal(t, "status of the invoice", in.api.Get(invoice.At("@uri")).Shown().At("@status"), "invoice_paid")
	refused("dismiss 1 --comment sent_back", "matched already")
	says("show 1", `(?m)^status +matched$`)
	says("unmatch 1", `^payment 1 of 1250\.00 is open\n$`)
	equal(t, "balance of the invoice", in.api.Get(invoice.At("@uri")).Shown().At("ar_transactions/@balance"), "1250.00")
	says("dismiss 1 --comment sent_back", `^payment 1 of 1250\.00 is dismissed\n$`)
	says("list", `^ID .*\n$`)
	says("list --all", `(?m)^1 .* dismissed`)

	in.api.invoice(t, invoiceOf{customer: in.api.customer(t, "Ola Nordmann"), days: 14, net: "200.00"})
	in.postFile(t, bankFile{number: 2, date: "2026-01-05", lines: []bankLine{{kid: kid, amount: "1500.00"}}})
	says("match 2 --invoice 1 --invoice 2", `^payment 2 of 1500\.00 is matched\n$`)
	equal(t, "status of the first of two", in.api.Get(invoice.At("@uri")).Shown().At("@status"), "invoice_paid")
	says("unmatch 2", `^payment 2 of 1500\.00 is open\n$`)
	says("dismiss 2 --comment sent_back", `dismissed`)

	in.another("Fremmed AS")
	refused("list", "--creditor")
	says("list --all --creditor 1", `(?m)^1 .* dismissed`)
	says("list --all --creditor 2", `^ID .*\n$`)
	refused("show 1 --creditor 2", "no such unmatched payment")
	if books := run(t, where, "verify"); books.code != 0 {
		t.Errorf("purr verify says %s%s", books.stdout, books.stderr)
	}
}
