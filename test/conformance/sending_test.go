package conformance_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"purr/app"
	"purr/models"
	"purr/store"
	"purr/test/testkit/house"
	"purr/test/testkit/smtpserver"
)

// withMails runs the test on installations of both kinds that send e-mails by a server.
func withMails(t *testing.T, test func(t *testing.T, in *installation, mails *smtpserver.Server)) {
	t.Helper()
	t.Parallel()
	for _, s := range setups {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			s.turns <- struct{}{}
			defer func() { <-s.turns }()
			mails := smtpserver.Start(t)
			test(t, newInstallation(t, s, beginning, func(_ testing.TB, cfg *app.Settings) { cfg.Mail.URL = mails.URL() }), mails)
		})
	}
}

// mailed makes an invoice that goes by e-mail to a customer at a domain.
func (c *client) mailed(domain string) node {
	c.T.Helper()
	return c.billed("EMAIL", fmt.Sprintf("kunde%d@%s", c.in.next(), domain))
}

func (c *client) billed(method, email string) node {
	c.T.Helper()
	return c.Post("/invoices", tag("invoice", tag("num_due_days", "14"),
		tag("recipient", tag("name1", "Kari"), tag("address1", "Storgata 2"), tag("postal_code", "0155"), tag("postal_name", "Oslo"), tag("email", email)),
		tag("lines", tag("line", tag("line_text", "Arbeid"), tag("unit_price", "100"), tag("num_items", "1"), tag("vat_rate", "NONE"))),
		`<shipments><shipment type="original">`+tag("shipment_method", method)+`</shipment></shipments>`)).Created()
}

// ways returns the methods and states of what sends an invoice.
func (c *client) ways(invoice node) string {
	c.T.Helper()
	var all []string
	for _, s := range c.List("/shipments?document=" + invoice.URI()) {
		all = append(all, s.At("shipment_method")+" "+s.At("state"))
	}
	return strings.Join(all, ", ")
}

// pass lets some time pass.
func (c *client) pass(d time.Duration) {
	c.T.Helper()
	c.MoveClock(c.in.App.Clock.Now().Add(d))
}

// TestD107OnlyWhatIsTheRecipientsFaultFallsBack: what a mail server refuses for a setting stays owed, and a person is told once.
func TestD107OnlyWhatIsTheRecipientsFaultFallsBack(t *testing.T) {
	withMails(t, func(t *testing.T, in *installation, mails *smtpserver.Server) {
		for _, tt := range []struct {
			at    smtpserver.Step
			code  int
			text  string
			waits bool
		}{
			{smtpserver.Mail, 530, "authentication required", true},
			{smtpserver.Mail, 550, "5.7.1 sender not owned by user", true},
			{smtpserver.Rcpt, 550, "5.7.1 relaying denied", true},
			{smtpserver.Rcpt, 554, "5.7.1 <kunde@kunde.example>: Relay access denied", true},
			{smtpserver.Rcpt, 550, "relay not permitted", true},
			{smtpserver.Rcpt, 530, "5.7.0 must issue a STARTTLS command first", true},
			{smtpserver.Rcpt, 535, "sign in", true},
			{smtpserver.Rcpt, 553, "5.1.8 sender's domain does not exist", true},
			{smtpserver.Data, 554, "5.3.0 the mail system is closed", true},
			{smtpserver.Content, 550, "5.7.26 this mail is unauthenticated: DMARC", true},
			{smtpserver.Content, 552, "5.4.5 daily quota exceeded", true},
			{smtpserver.Content, 550, "5.3.2 not accepting messages", true},
			{smtpserver.Rcpt, 550, "5.1.1 no such user here", false},
			{smtpserver.Rcpt, 550, "no such user here", false},
			{smtpserver.Rcpt, 550, "5.2.1 mailbox disabled", false},
			{smtpserver.Rcpt, 552, "5.2.2 mailbox full", false},
			{smtpserver.Rcpt, 553, "5.1.3 bad address", false},
			{smtpserver.Content, 552, "5.2.3 too large for this mailbox", false},
		} {
			c := in.creditor(t, tag("fallback", "EMAIL&gt;PAPER"))
			mails.Reject(tt.at, tt.code, tt.text, 2)
			invoice := c.mailed("kunde.example")
			c.pass(6 * time.Second)
			want, told := "EMAIL owed", 1
			if !tt.waits {
				want, told = "EMAIL failed, PAPER sent", 0
			}
			what := fmt.Sprintf("after %s: %d %s", tt.at, tt.code, tt.text)
			equal(t, what, c.ways(invoice), want)
			equal(t, "warnings "+what, len(c.told("way.refused")), told)
			mails.Behave()
			if tt.waits {
				c.pass(time.Minute)
				equal(t, "later, "+what, c.ways(invoice), "EMAIL sent")
			}
		}
	})
}

// TestD107ThreeRefusedAlikePauseTheWay: a refusal that does not say whose fault it is leaves all owed while several domains get
// it, and pauses the way. One at a time is tried; the first that is accepted lets all go. Other ways go on.
func TestD107ThreeRefusedAlikePauseTheWay(t *testing.T) {
	withMails(t, func(t *testing.T, in *installation, mails *smtpserver.Server) {
		c := in.creditor(t, tag("fallback", "EMAIL&gt;PAPER"))
		const many = 1000
		mails.Reject(smtpserver.Rcpt, 550, "<x@one.example> requested action not taken", many)
		var invoices []node
		for i := range 5 {
			invoices = append(invoices, c.mailed(fmt.Sprintf("kunde%d.example", i)))
		}
		letter := c.billed("PAPER", "")
		c.pass(time.Minute)
		for _, i := range invoices {
			equal(t, "e-mail that all are refused", c.ways(i), "EMAIL owed")
		}
		equal(t, "letter meanwhile", c.ways(letter), "PAPER sent")
		equal(t, "what was told", len(c.told("way.paused")), 1)
		if body := string(c.Get("//readyz").Is(http.StatusOK).Body); !strings.Contains(body, "EMAIL is paused for 1 creditors") {
			t.Errorf("readyz says %s", body)
		}
		must(t, in.Stop())
		must(t, in.Run()) // the pause outlives the process
		c.pass(26 * time.Hour)
		late := c.mailed("late.example")
		c.pass(time.Second)
		c.shipment(late, "").Shows("state owed", "reason way_paused", "attempts 0")
		for _, i := range invoices {
			equal(t, "e-mail after a day", c.ways(i), "EMAIL owed")
		}
		equal(t, "what was told after a day", len(c.told("way.paused")), 1)
		mails.Behave()
		c.pass(2 * time.Hour)
		for _, i := range append(invoices, late) {
			equal(t, "e-mail once the server takes it", c.ways(i), "EMAIL sent")
		}
		equal(t, "e-mails", len(mails.Messages()), len(invoices)+1)
		equal(t, "what was told of the end", len(c.told("way.resumed")), 1)
	})
}

// TestD107OneUnclearRefusalIsTheRecipientsOnceOthersAreTaken: nothing waits for ever that only one server refuses.
func TestD107OneUnclearRefusalIsTheRecipientsOnceOthersAreTaken(t *testing.T) {
	withMails(t, func(t *testing.T, in *installation, mails *smtpserver.Server) {
		c := in.creditor(t, tag("fallback", "EMAIL&gt;PAPER"))
		mails.Reject(smtpserver.Rcpt, 550, "requested action not taken", 1)
		refused := c.mailed("kunde.example")
		c.pass(time.Second)
		equal(t, "at first", c.ways(refused), "EMAIL owed")
		other := c.mailed("annen.example")
		c.pass(time.Second)
		equal(t, "another", c.ways(other), "EMAIL sent")
		mails.Reject(smtpserver.Rcpt, 550, "requested action not taken", 1)
		c.pass(time.Minute)
		equal(t, "afterwards", c.ways(refused), "EMAIL failed, PAPER sent")
	})
}

// TestD105AWayThatHasGoneMissing: once e-mails have left by a server, a start without it hands none over, until the setting is
// back or a person says that the folder is meant.
func TestD105AWayThatHasGoneMissing(t *testing.T) {
	withMails(t, func(t *testing.T, in *installation, mails *smtpserver.Server) {
		c := in.newClient(t)
		first := c.mailed("kunde.example")
		c.pass(time.Second)
		equal(t, "by the server", c.ways(first), "EMAIL sent")
		another := func(do func(tx *store.Tx) error) {
			must(t, in.App.DB.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error { return do(tx) }))
		}
		another(func(tx *store.Tx) error { return tx.AddWorker(t.Context(), &store.Worker{ID: "another"}) })
		if body := string(c.Get("//readyz").Is(http.StatusOK).Body); !strings.Contains(body, "the parts differ in how EMAIL leaves: by folder, smtp") {
			t.Errorf("beside a part without the setting readyz says %s", body)
		}
		another(func(tx *store.Tx) error { return tx.RemoveWorker(t.Context(), "another") })
		server := in.Config.Mail.URL
		restart := func(url string) {
			t.Helper()
			must(t, in.Stop())
			in.Config.Mail.URL = url
			must(t, in.Run())
		}
		restart("")
		lost, letter := c.mailed("kunde.example"), c.billed("PAPER", "")
		c.pass(26 * time.Hour)
		c.shipment(lost, "").Shows("state owed", "reason way_missing", "attempts 0")
		equal(t, "letter meanwhile", c.ways(letter), "PAPER sent")
		if body := string(c.Get("//readyz").Is(http.StatusOK).Body); !strings.Contains(body, "EMAIL has left by smtp before") {
			t.Errorf("readyz says %s", body)
		}
		restart(server)
		c.pass(time.Second)
		equal(t, "by the server that is back", c.ways(lost), "EMAIL sent")
		equal(t, "e-mails", len(mails.Messages()), 2)

		restart("")
		meant := c.mailed("kunde.example")
		c.pass(time.Second)
		equal(t, "before the word", c.ways(meant), "EMAIL owed")
		must(t, in.App.MeanFolder(t.Context(), models.ByEmail))
		c.pass(time.Second)
		equal(t, "after the word", c.ways(meant), "EMAIL sent")
		equal(t, "files", len(house.Files(t, in.Path("outbox", "email"))), 1)
		equal(t, "body of readyz", string(c.Get("//readyz").Is(http.StatusOK).Body), "ok\n")
		equal(t, "what was told", len(c.told("way.folder")), 1)
	})
}

// TestD108WhatACreditorThatIsNotReadySendsWaits: by a real way nothing leaves without a name, a sender and an account to pay to.
func TestD108WhatACreditorThatIsNotReadySendsWaits(t *testing.T) {
	withMails(t, func(t *testing.T, in *installation, mails *smtpserver.Server) {
		c := in.bareCreditor(t)
		invoice, letter := c.mailed("kunde.example"), c.billed("PAPER", "")
		c.Get(invoice.URI() + "/pdf").PDF() // somebody has looked at it
		c.pass(26 * time.Hour)
		equal(t, "letter to the folder", c.ways(letter), "PAPER sent")
		waits := func(told ...string) {
			t.Helper()
			c.shipment(invoice, "").Shows("state owed", "reason creditor_not_ready", "attempts 0")
			same(t, "what was told", c.told("creditor.not_ready_to_send"), told)
		}
		noSender := "Documents that go by e-mail wait: the creditor lacks email"
		waits(noSender)
		c.Put("/creditor", tag("creditor", tag("email", "post@example.no"))).Is(http.StatusOK)
		c.pass(time.Second)
		noAccount := "Documents that go by e-mail wait: the creditor lacks bank_account"
		waits(noSender, noAccount)
		account := in.bankAccount()
		c.Put("/creditor", tag("creditor", tag("bank_account", account))).Is(http.StatusOK)
		in.Approve(t, c.creditor)
		c.pass(time.Second)
		equal(t, "once it is ready", c.ways(invoice), "EMAIL sent")
		sent := string(mails.Wait(1)[0].Data)
		if !strings.Contains(sent, "post@example.no") || !strings.Contains(strings.NewReplacer(".", "", " ", "", "=\r\n", "").Replace(sent), account) {
			t.Errorf("the e-mail is\n%s", sent[:min(len(sent), 3000)])
		}
		c.Put("/creditor", tag("creditor", tag("name", "default"))).Is(http.StatusOK)
		nameless := c.mailed("kunde.example")
		c.pass(time.Second)
		c.shipment(nameless, "").Shows("reason creditor_not_ready")
	})
}

// TestD112TheEMailNamesTheSellerOfItsDocument, in the language of that, also where the creditor got another name and the customer another
// language while the e-mail waited.
func TestD112TheEMailNamesTheSellerOfItsDocument(t *testing.T) {
	withMails(t, func(t *testing.T, in *installation, mails *smtpserver.Server) {
		c := in.creditor(t, tag("name", fmt.Sprintf("Fjord %d", in.next())))
		was, now := c.Get("/creditor").Shown().At("name"), fmt.Sprintf("Fjell %d", in.next())
		customer := c.customer(kari)
		mails.Reject(smtpserver.Mail, 451, "later", 1)
		invoice := c.invoices(order{to: customer.URI(), by: "EMAIL"})
		c.pass(time.Second)
		equal(t, "before", c.ways(invoice), "EMAIL owed")
		c.Put("/creditor", tag("creditor", tag("name", now))).Is(http.StatusOK)
		c.Put(customer.URI(), tag("customer", tag("language", "en"))).Is(http.StatusOK)
		c.pass(5 * time.Minute)
		equal(t, "afterwards", c.ways(invoice), "EMAIL sent")
		sent := string(mails.Wait(1)[0].Data)
		head, _, _ := strings.Cut(sent, "\r\nContent-Type: application/pdf")
		if want := "Subject: Faktura " + invoice.At("invoice_number") + " fra " + was; !strings.Contains(head, want) || strings.Contains(head, now) || !strings.Contains(head, "From: \""+was) {
			t.Errorf("want %q in the e-mail of %s:\n%s", want, was, head)
		}
	})
}
