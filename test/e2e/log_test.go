package e2e_test

import (
	"net/http"
	"strings"
	"testing"

	"purr/app"
	"purr/test/testkit/smtpserver"
)

// TestTheLogOfJobsHoldsNoPerson: neither a mail server that repeats the address, nor a bank's file with a fault,
// nor books that do not add up bring a person, an amount or a KID into the log.
func TestTheLogOfJobsHoldsNoPerson(t *testing.T) {
	t.Parallel()
	mails := smtpserver.Start(t)
	in := install(t, func(_ testing.TB, c *app.Settings) { c.Mail.URL = mails.URL() })
	mails.Reject(smtpserver.Rcpt, 451, "the mailbox of <kari@example.no>, Kari Nordmann, is full", 1)
	invoice := in.mailInvoice()
	in.at("2026-01-05 08:01:00")
	mails.Reject(smtpserver.Rcpt, 550, "no such user: kari@example.no", 1)
	in.mailInvoice()
	in.at("2026-01-05 08:02:00")
	kid := in.api.Get(invoice).Shown().At("ocr_kid_number")
	in.api.send(t, call{method: "POST", path: "/api/v1/payment_files?filename=Nordmann.txt", body: "NY09" + kid + account, header: map[string]string{"Content-Type": "text/plain"}}).
		Is(http.StatusUnprocessableEntity)
	_, err := openDatabase(t, in.Config.Database.URL).ExecContext(t.Context(), "UPDATE invoices SET balance = 987654")
	must(t, err)
	in.at("2026-01-06 08:00:00")

	log := in.Log.String()
	for _, said := range []string{"will be tried again", "the mail server answered 451", "a payment file was rejected", "the books do not add up"} {
		if !strings.Contains(log, said) {
			t.Errorf("the log does not hold %q", said)
		}
	}
	for _, secret := range []string{"kari", "Kari", "Nordmann", "Storgata", kid, account, "1250.00", "9876.54", in.api.Key, "fjord", "Fjord"} {
		if at := strings.Index(log, secret); at >= 0 {
			t.Errorf("the log holds %q: …%s…", secret, log[max(0, at-300):min(len(log), at+200)])
		}
	}
}
