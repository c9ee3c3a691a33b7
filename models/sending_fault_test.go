package models_test

import (
	"testing"

	"purr/models"
)

// TestN8FaultsOfSending: what channels say, and the fault that a reader is told.
func TestN8FaultsOfSending(t *testing.T) {
	t.Parallel()
	const failed, returned = models.ShipmentFailed, models.ShipmentReturned
	for _, c := range []struct {
		method models.ShipmentMethod
		state  models.ShipmentState
		reason string
		want   models.SendingFault
	}{
		{models.ByEmail, failed, `the mail server refused the e-mail: RCPT TO: 550 "5.1.1 no such user here"`, models.FaultNoMailbox},
		{models.ByEmail, failed, "5.1.1 550 5.1.1 <kari@example.no>: Recipient address rejected: User unknown in virtual mailbox table", models.FaultNoMailbox},
		{models.ByEmail, failed, "5.0.0 550 5.1.1 who?", models.FaultNoMailbox},
		{models.ByEmail, failed, "550 5.4.1 Recipient address rejected: Access denied", models.FaultNoMailbox},
		{models.ByEmail, failed, "550 5.2.1 The email account that you tried to reach is disabled", models.FaultNoMailbox},
		{models.ByEmail, failed, "550 requested action not taken: mailbox unavailable", models.FaultNoMailbox},
		{models.ByEmail, failed, "553 no", models.FaultNoMailbox},
		{models.ByEmail, failed, "552 5.2.2 The email account that you tried to reach is over quota", models.FaultMailboxFull},
		{models.ByEmail, failed, "452 4.2.2 try later", models.FaultMailboxFull},
		{models.ByEmail, failed, "552 full", models.FaultMailboxFull},
		{models.ByEmail, failed, "550 Mailbox full", models.FaultMailboxFull},
		{models.ByEmail, failed, "552 5.3.4 no", models.FaultTooBig},
		{models.ByEmail, failed, "552 message size exceeds fixed limit", models.FaultTooBig},
		{models.ByEmail, failed, "550 5.7.1 Our system has detected that this message is likely unsolicited mail", models.FaultSpam},
		{models.ByEmail, failed, "554 Service unavailable; Client host [185.5.2.2] blocked using zen.spamhaus.org", models.FaultSpam},
		{models.ByEmail, failed, "550 5.7.26 unauthenticated", models.FaultSender},
		{models.ByEmail, failed, "550 relay access denied", models.FaultSender},
		{models.ByEmail, failed, "550 sender rejected: SPF", models.FaultSender},
		{models.ByEmail, failed, "5.1.2 550 host is gone", models.FaultAddressUnknown},
		{models.ByEmail, failed, "550 Domain not found", models.FaultAddressUnknown},
		{models.ByEmail, failed, `to: "kari@" is not a valid e-mail address`, models.FaultAddressUnknown},
		{models.ByEmail, returned, "5.1.1", models.FaultNoMailbox},
		{models.ByEmail, failed, "550 no", models.FaultRefused},
		{models.ByEmail, failed, "550 5.7.1 go away", models.FaultRefused},
		{models.ByEmail, failed, "550 from 10.5.1.1 I take nothing", models.FaultRefused},
		{models.ByEmail, failed, "", models.FaultUnsaid},
		{models.ByEHF, failed, "the recipient has no organisation_number", models.FaultAddressUnknown},
		{models.ByEHF, failed, "the access point could not send it: the participant is not registered", models.FaultAddressUnknown},
		{models.ByEHF, failed, "the access point refuses it: BR-01", models.FaultRefused},
		{models.ByPaper, returned, "", models.FaultAddressUnknown},
		{models.ByPaper, returned, "moved", models.FaultAddressUnknown},
		{models.ByPaper, failed, "the address is incomplete", models.FaultAddressUnknown},
		{models.ByPaper, failed, "the printer's job 7 was aborted", models.FaultRefused},
		{models.ByPaper, failed, " ", models.FaultUnsaid},
	} {
		if got := models.FaultOf(c.method, c.state, c.reason); got != c.want {
			t.Errorf("%s %s %q is %s, want %s", c.method, c.state, c.reason, got, c.want)
		}
	}
}

// TestN8WhichShipmentsHaveAFault: those that failed, came back or were refused. What was never answered is away, unless the last answer
// says more.
func TestN8WhichShipmentsHaveAFault(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		models.Shipment
		want models.SendingFault
	}{
		"sent":                    {models.Shipment{State: models.ShipmentSent, Reason: "550 5.1.1"}, ""},
		"withdrawn":               {models.Shipment{State: models.ShipmentWithdrawn, Reason: "550 5.1.1"}, ""},
		"owed":                    {models.Shipment{State: models.ShipmentOwed}, ""},
		"held":                    {models.Shipment{State: models.ShipmentOwed, HeldFor: 7, Reason: models.LettersHeldReason}, ""},
		"kept back":               {models.Shipment{State: models.ShipmentOwed, KeptBack: models.KeptPaused, Reason: models.KeptPaused}, ""},
		"refused for a setting":   {models.Shipment{State: models.ShipmentOwed, KeptBack: models.KeptRefused, Reason: "550 5.7.1 spam"}, models.FaultSpam},
		"refused by nobody knows": {models.Shipment{State: models.ShipmentOwed, KeptBack: models.KeptRefused, Reason: "550 no"}, models.FaultRefused},
		"tried again":             {models.Shipment{State: models.ShipmentOwed, Reason: "the mail server is not available; try again shortly"}, models.FaultAway},
		"tried again, full":       {models.Shipment{State: models.ShipmentOwed, Reason: "452 4.2.2"}, models.FaultMailboxFull},
		"given up":                {models.Shipment{State: models.ShipmentFailed, GivenUp: true, Reason: "the printer is not available"}, models.FaultAway},
		"failed":                  {models.Shipment{State: models.ShipmentFailed, Reason: "550 no"}, models.FaultRefused},
		"failed without a word":   {models.Shipment{State: models.ShipmentFailed}, models.FaultUnsaid},
	} {
		c.Method = models.ByEmail
		if got := c.Fault(); got != c.want {
			t.Errorf("%s has the fault %q, want %q", name, got, c.want)
		}
	}
}
