package e2e_test

import (
	"strings"
	"testing"

	"purr/test/testkit/smtpserver"
)

// TestR5cMailServerIsAway: what a server that is away or asks for patience does not take is tried again, the
// first time within 10 seconds, and is sent once.
func TestR5cMailServerIsAway(t *testing.T) {
	eachMailServer(t, func(t *testing.T, in *installation, mails *smtpserver.Server) {
		mails.Down()
		invoice := in.mailInvoice()
		in.at("2026-01-05 08:00:00") // whatever is owed now is tried now
		equal(t, "e-mail while the server is away", in.sentAt(invoice), "")
		mails.Up()
		mails.Reject(smtpserver.Content, 451, "try again later", 1)
		in.at("2026-01-05 08:00:10")
		equal(t, "e-mail that the server asked to have later", in.sentAt(invoice), "")
		in.at("2026-01-05 08:01:00")
		if at := in.sentAt(invoice); at <= "2026-01-05 08:00:00" || at > "2026-01-05 08:01:00" {
			t.Errorf("the e-mail was sent at %q", at)
		}
		in.at("2026-01-07 08:00:00")
		equal(t, "e-mails", len(mails.Messages()), 1)
	})
}

// TestR5cMailServerRefuses: a refusal for good fails the shipment at once, for a person to see; sent again by
// the command line it goes out once.
func TestR5cMailServerRefuses(t *testing.T) {
	eachMailServer(t, func(t *testing.T, in *installation, mails *smtpserver.Server) {
		mails.Reject(smtpserver.Rcpt, 550, "no such user here", 1)
		invoice := in.mailInvoice()
		in.at("2026-01-06 08:00:00")
		equal(t, "e-mail that was refused", in.sentAt(invoice), "")
		equal(t, "e-mails", len(mails.Messages()), 0)
		equal(t, "events of a failure", in.count("shipment.failed"), 1)
		where := []string{"PURR_DATA=" + in.Config.Data, "PURR_DATABASE_URL=" + in.Config.Database.URL}
		if failed := ok(t, where, "shipments", "list", "--state", "failed"); !strings.Contains(failed, "invoice") || !strings.Contains(failed, "550") {
			t.Errorf("purr shipments list says %s", failed)
		}
		ok(t, where, "shipments", "retry")
		in.at("2026-01-06 08:01:00")
		equal(t, "e-mail after the retry", in.sentAt(invoice) != "", true)
		equal(t, "e-mails after the retry", len(mails.Messages()), 1)
		if r := run(t, where, "shipments", "retry", "1"); r.code != 1 {
			t.Errorf("what was sent can be sent again: %s", r.stdout)
		}
	})
}

// TestR5cMailServerStaysAway: after 24 hours a person has to act.
func TestR5cMailServerStaysAway(t *testing.T) {
	eachMailServer(t, func(t *testing.T, in *installation, mails *smtpserver.Server) {
		mails.Down()
		in.mailInvoice()
		in.at("2026-01-06 07:59:00")
		equal(t, "failures before a day is over", in.count("shipment.failed"), 0)
		in.at("2026-01-06 09:01:00")
		equal(t, "failures after a day", in.count("shipment.failed"), 1)
	})
}

// mailInvoice sends an invoice by e-mail and returns its uri.
func (in *installation) mailInvoice() string {
	in.t.Helper()
	return in.api.invoice(in.t, invoiceOf{customer: in.api.customer(in.t, "Kari Nordmann"), days: 14, net: "1000.00", method: "EMAIL"}).At("@uri")
}

func (in *installation) sentAt(uri string) string {
	in.t.Helper()
	return in.api.Get(uri).Shown().At("shipments/shipment/sent_at")
}

// count returns how many events of a type there are.
func (in *installation) count(event string) int {
	in.t.Helper()
	n := 0
	for _, e := range in.api.List("/api/v1/events") {
		if e.At("type") == event {
			n++
		}
	}
	return n
}
