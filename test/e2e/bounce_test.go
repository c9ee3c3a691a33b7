package e2e_test

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"purr/app"
	"purr/test/testkit"
	"purr/test/testkit/smtpserver"
)

// TestS3ARealMailServerBouncesAnInvoice sends an invoice by Exim to a server that refuses the recipient, and gives the
// report that Exim writes to the program.
func TestS3ARealMailServerBouncesAnInvoice(t *testing.T) {
	t.Parallel()
	customers, own := smtpserver.Start(t), smtpserver.Start(t)
	customers.Reject(smtpserver.Rcpt, 550, "5.1.1 no such user here", 1)
	exim := testkit.Exim(t, hostOf(t, customers), hostOf(t, own))
	in := install(t, func(_ testing.TB, c *app.Settings) {
		c.Mail.URL, c.Mail.BounceAddress = "smtp://"+exim+"?tls=none", "bounce@purr.example.no"
	})
	in.mailInvoice()
	bounced := own.Wait(1)[0]
	if bounced.From != "" || !strings.HasPrefix(bounced.To[0], "bounce+1-") {
		t.Fatalf("it goes from %q to %q", bounced.From, bounced.To)
	}
	if !bytes.Contains(bounced.Data, []byte("message/delivery-status")) || bytes.Contains(bounced.Data, []byte("%PDF")) {
		t.Errorf("Exim reports\n%s", bounced.Data)
	}
	for range 2 {
		c := command(t, in.where(), []string{"mail", "report"})
		c.Stdin = bytes.NewReader(bounced.Data)
		said, err := c.Output()
		if err != nil || !strings.HasPrefix(string(said), "shipment 1: failed 5.") || !strings.Contains(string(said), "no such user here") {
			t.Errorf("purr mail report says %q, %v", said, err)
		}
	}
	equal(t, "events of a failure", in.count("shipment.failed"), 1)
	if said := ok(t, in.where(), "shipments", "list", "--state", "failed"); !strings.Contains(said, "no such user here") {
		t.Errorf("purr shipments list says %s", said)
	}
}

func hostOf(t *testing.T, s *smtpserver.Server) string {
	t.Helper()
	u, err := url.Parse(s.URL())
	must(t, err)
	return u.Host
}
