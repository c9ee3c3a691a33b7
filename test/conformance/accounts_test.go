package conformance_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/app/operator"
	"purr/models"
	"purr/ocr/giro"
)

// inInbox has a bank file imported that comes to all creditors, in which 1250 kroner were paid today with the KID.
func (in *installation) inInbox(t *testing.T, account, kid string) {
	t.Helper()
	var file bytes.Buffer
	w := giro.NewWriter(&file)
	serial := fmt.Sprint(in.next())
	must(t, w.StartTransmission(giro.TransmissionHeader{Number: serial, Recipient: "00012345", Created: in.Today()}))
	must(t, w.StartAssignment(giro.AssignmentHeader{AgreementID: "1234567", Number: serial, Account: account, Created: in.Today()}))
	must(t, w.Write(giro.Payment{
		Type: giro.TypeCorporateGiro, NetsDate: in.Today(), BankDate: in.Today(), Amount: 1250_00, KID: kid, DebitAccount: payer, ArchiveReference: serial,
	}))
	must(t, w.Close())
	path := filepath.Join(t.TempDir(), "OCR.txt")
	must(t, os.WriteFile(path, file.Bytes(), 0o600))
	_, err := in.App.ImportFile(t.Context(), path, false, func(int, int) {})
	must(t, err)
}

// refusedFor fails the test unless an act of the operator's was refused for the reason.
func refusedFor(t *testing.T, what string, err error, reason string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), reason) {
		t.Errorf("%s: %v, want it refused because %q", what, err, reason)
	}
}

// warnings returns what purr verify warns of an account.
func (in *installation) warnings(t *testing.T, account string) (all []string) {
	t.Helper()
	must(t, in.App.Warnings(t.Context(), func(f operator.Finding) {
		if strings.Contains(f.Text, account) {
			all = append(all, f.Text)
		}
	}))
	return all
}

// TestD101AnAccountWaitsForTheOperator where an installation has several creditors: documents keep the account before it, and
// payments to it are nobody's, until the operator says yes.
func TestD101AnAccountWaitsForTheOperator(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		ctx := t.Context()
		c, rival, own, wanted := in.creditor(t), in.creditor(t), in.bankAccount(), in.bankAccount()
		in.SetAccount(t, c.creditor, own)
		ask := func(c *client, account string) *answer {
			return c.Put("/creditor", tag("creditor", tag("bank_account", account)))
		}
		status := func(invoice node) string { return c.again(invoice).At("@status") }

		ask(c, wanted).Shown().Only("bank_account").Shows("@state waiting", "@before "+own)
		shown := c.Get("/creditor")
		shown.Shown().Shows("bank_account " + wanted)
		c.Put("/creditor", string(shown.Body)).Is(200)
		c.Get("/creditor").Shown().Equals(shown.Shown())
		c.Put("/creditor", tag("creditor", tag("phone", "55 00 00 00"))).Shown().Only("bank_account").Shows("@state waiting")
		first, second := c.invoices(order{}), c.invoices(order{})
		in.inInbox(t, own, first.At("ocr_kid_number"))
		in.inInbox(t, wanted, second.At("ocr_kid_number"))
		equal(t, "what was paid to the account before", status(first), "invoice_paid")
		equal(t, "what was paid to the account that waits", status(second), "invoice_sent")
		equal(t, "warnings", len(in.warnings(t, wanted)), 1)

		// Two ask for it. Who is meant must be said, and who is late is told.
		ask(rival, wanted).Shown().Only("bank_account").Shows("@state waiting")
		_, err := in.App.ApproveAccount(ctx, wanted, "")
		refusedFor(t, "an approval that two may mean", err, "2 creditors ask")
		_, err = in.App.ApproveAccount(ctx, wanted, c.creditor)
		must(t, err)
		must(t, in.App.PostUnassigned(ctx))
		c.Get("/creditor").Shown().Only("bank_account").Shows("no @state", "no @before")
		equal(t, "the same once the account is approved", status(second), "invoice_paid")
		_, err = in.App.ApproveAccount(ctx, wanted, rival.creditor)
		refusedFor(t, "the rival's approval", err, "creditor "+c.creditor+" has it")
		late := rival.Get("/creditor")
		rival.Put("/creditor", string(late.Body)).Shown().Only("bank_account").Shows("@state waiting")
		_, err = in.App.ReleaseAccount(ctx, wanted, rival.creditor)
		must(t, err)
		rival.Get("/creditor").Shown().Only("bank_account").Shows("no @state")

		// What documents name stays, and can be gone back to without asking.
		ask(rival, own).Refused(409, "bank_account_in_use bank_account")
		_, err = in.App.ReleaseAccount(ctx, own, c.creditor)
		refusedFor(t, "the release of an account that documents name", err, "names it")
		ask(c, own).Shown().Only("bank_account").Shows("no @state")
		ask(c, "").Shown().Shows("bank_account")
		for _, event := range []string{"bank_account.waiting", "bank_account.approved"} {
			equal(t, "number of "+event, len(c.told(event)), 1)
		}
	})
}

// TestD101AnIBANWaitsForTheOperatorToo where an installation has several creditors, with its BIC: documents keep those before. The IBAN
// of a Norwegian account that is the creditor's already, and none, ask nobody.
func TestD101AnIBANWaitsForTheOperatorToo(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		const foreign, other = "DE89370400440532013000", "SE4550000000058398257466"
		ctx := t.Context()
		c, rival, own := in.creditor(t), in.creditor(t), in.bankAccount()
		in.SetAccount(t, c.creditor, own)
		ask := func(iban, bic string) *answer {
			return c.Put("/creditor", tag("creditor", tag("iban", iban)+tag("bic", bic)))
		}
		printed := func(want string) {
			t.Helper()
			creditor, err := in.App.Creditor(ctx, c.creditor)
			must(t, err)
			equal(t, "the IBAN on letters abroad", creditor.AccountIBAN(own), want)
		}
		norwegian := models.NorwegianIBAN(own)
		ask(norwegian, "DNBANOKK").Shown().Only("iban").Shows("no @state")
		ask(foreign, "COBADEFFXXX").Shown().Only("iban").Shows("@state waiting", "@before "+norwegian)
		shown := c.Get("/creditor")
		shown.Shown().Shows("iban "+foreign, "bic COBADEFFXXX")
		c.Put("/creditor", string(shown.Body)).Is(200)
		c.Get("/creditor").Shown().Equals(shown.Shown())
		printed(norwegian)
		equal(t, "warnings", len(in.warnings(t, foreign)), 1)
		accounts, err := in.App.Accounts(ctx, c.creditor)
		must(t, err)
		equal(t, "the first account listed", fmt.Sprint(accounts[0].Account, " ", accounts[0].BIC, " ", accounts[0].State), foreign+" COBADEFFXXX waiting")
		rival.Put("/creditor", tag("creditor", tag("iban", norwegian))).Shown().Only("iban").Shows("@state waiting") // another's
		_, err = in.App.ApproveAccount(ctx, foreign, "")
		must(t, err)
		c.Get("/creditor").Shown().Only("iban").Shows("no @state")
		printed(foreign)
		ask(foreign, "DEUTDEFF").Shown().Only("bic").Shows("@state waiting", "@before COBADEFFXXX")
		ask(other, "").Shown().Only("iban").Shows("@state waiting", "@before "+foreign)
		_, err = in.App.ReleaseAccount(ctx, other, c.creditor)
		must(t, err)
		printed(foreign)
		ask("", "").Shown().Shows("no iban", "no bic")
		printed(norwegian)
		equal(t, "times that it was told", len(c.told("bank_account.waiting")), 3)
		equal(t, "approvals that were told", len(c.told("bank_account.approved")), 1)

		// The IBAN of an account that waits comes into force with it.
		wanted := in.bankAccount()
		c.Put("/creditor", tag("creditor", tag("bank_account", wanted)+tag("iban", models.NorwegianIBAN(wanted)))).Shown().Only("iban").Shows("@state waiting")
		_, err = in.App.ApproveAccount(ctx, wanted, c.creditor)
		must(t, err)
		c.Get("/creditor").Shown().Only("iban").Shows("no @state")
	})
}

// TestD101TheOperatorsWordIsApprovalAlsoOfTheAccountThatThereIs: verify warns no longer.
func TestD101TheOperatorsWordIsApprovalAlsoOfTheAccountThatThereIs(t *testing.T) {
	eachDatabase(t, func(t *testing.T, shared *installation) {
		in := shared.own(t, beginning)
		account := in.bankAccount()
		in.common.Put("/creditor", tag("creditor", tag("bank_account", account))).Is(200)
		in.creditor(t)
		equal(t, "warnings", len(in.warnings(t, account)), 1)
		_, err := in.App.ChangeCreditor(t.Context(), in.common.creditor, func(c *models.Creditor) error { c.Phone = "55 00 00 00"; return nil })
		must(t, err)
		equal(t, "warnings after another change", len(in.warnings(t, account)), 1)
		in.SetAccount(t, in.common.creditor, account)
		equal(t, "warnings after the operator set it", len(in.warnings(t, account)), 0)
	})
}

// TestD101AnAccountThatNoDocumentNamesIsFreeAgain once its creditor has set another, or the operator takes it.
func TestD101AnAccountThatNoDocumentNamesIsFreeAgain(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c, other := in.creditor(t), in.creditor(t)
		mistaken, right := in.bankAccount(), in.bankAccount()
		in.SetAccount(t, c.creditor, mistaken)
		other.Put("/creditor", tag("creditor", tag("bank_account", mistaken))).Refused(409, "bank_account_in_use bank_account")
		in.SetAccount(t, c.creditor, right)
		in.SetAccount(t, other.creditor, mistaken)
		c.Put("/creditor", tag("creditor", tag("bank_account", mistaken))).Refused(409, "bank_account_in_use bank_account")

		_, err := in.App.ReleaseAccount(t.Context(), mistaken, "")
		must(t, err)
		other.Get("/creditor").Shown().Shows("bank_account")
		_, err = in.App.ReleaseAccount(t.Context(), mistaken, other.creditor)
		refusedFor(t, "a second release", err, "neither has")
		in.inInbox(t, right, "") // it waits in the queue
		in.SetAccount(t, c.creditor, mistaken)
		other.Put("/creditor", tag("creditor", tag("bank_account", right))).Refused(409, "bank_account_in_use bank_account")
	})
}

// TestD101TheOnlyCreditorAsksNobody, and when a second one arrives, verify names the account that nobody was asked about.
func TestD101TheOnlyCreditorAsksNobody(t *testing.T) {
	eachDatabase(t, func(t *testing.T, shared *installation) {
		in := shared.own(t, beginning)
		first, account := in.bankAccount(), in.bankAccount()
		for _, a := range []string{first, account} {
			in.common.Put("/creditor", tag("creditor", tag("bank_account", a))).Shown().Only("bank_account").Shows("no @state")
		}
		equal(t, "warnings while there is one creditor", len(in.warnings(t, account)), 0)
		second := in.creditor(t)
		same(t, "warnings", in.warnings(t, account), []string{
			"has the bank account " + account + ", which no document names and nobody has approved: if it is the creditor's, purr creditor accounts approve " + account + ", else release",
		})
		_, err := in.App.ApproveAccount(t.Context(), account, "")
		must(t, err)
		equal(t, "warnings after approval", len(in.warnings(t, account)), 0)
		second.Put("/creditor", tag("creditor", tag("bank_account", first))).Shown().Only("bank_account").Shows("@state waiting")
	})
}
