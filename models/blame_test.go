package models

import "testing"

// TestN8TheCodeOfAReplyIsNoPartOfAnAddress has what servers really write, with addresses, hosts and versions that look like codes.
func TestN8TheCodeOfAReplyIsNoPartOfAnAddress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		server string
		reply  int
		text   string
		want   Blame
		fault  SendingFault
	}{
		{"Postfix", 550, "5.1.1 <kari@example.no>: Recipient address rejected: User unknown in virtual mailbox table", BlameRecipient, FaultNoMailbox},
		{"Postfix", 554, "5.7.1 <unknown[5.1.1.7]>: Client host rejected: Access denied", BlameSettings, FaultRefused},
		{"Postfix, its client's address", 554, "Service unavailable; Client host [5.2.2.9] blocked using zen.spamhaus.org", BlameSettings, FaultSpam},
		{"Postfix, a log's line", 550, "host mx.example.no[5.2.1.10] said: 550 5.7.1 Relaying denied (in reply to RCPT TO command)", BlameSettings, FaultSender},
		{"Postfix, an address whose end looks like a code", 550, "host mx.example.no[185.5.1.1] said: 550 5.7.1 Relay access denied", BlameSettings, FaultSender},
		{"Exchange", 550, "5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient kari@example.no not found by SMTP address lookup", BlameRecipient, FaultAddressUnknown},
		{"Exchange", 550, "5.7.606 Access denied, banned sending IP [5.2.2.40]. To request removal from this list please visit https://sender.office.com/", BlameSettings, FaultSender},
		{"Exchange, a report", 550, "#550 5.2.2 STOREDRV.Deliver; mailbox full ##", BlameRecipient, FaultMailboxFull},
		{"Exchange, a report's code in front", 550, "#5.1.1 smtp;550 RESOLVER.ADR.ExRecipNotFound; not found", BlameRecipient, FaultNoMailbox},
		{"Exchange, its build", 550, "Microsoft Exchange Server 15.2.1118.7 at [4.2.2.1]: relaying prohibited", BlameSettings, FaultSender},
		{"Gmail", 550, "5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM. DKIM = did not pass SPF [example.no] with ip: [5.1.1.30] = did not pass", BlameSettings, FaultSender},
		{"Gmail, in lines", 550, "550-5.1.1 The email account that you tried to reach does not exist. 550 5.1.1 https://support.google.com/mail/?p=NoSuchUser", BlameRecipient, FaultNoMailbox},
		{"Gmail, an address alone", 421, "Our system has detected that this message to [4.7.0.12] is suspicious", BlameUnclear, FaultRefused},
		{"Gmail", 552, "5.2.2 The recipient's inbox is out of storage space. q5-20020a05.4.3.2.1 - gsmtp", BlameRecipient, FaultMailboxFull},
		{"Exim, its version", 550, "mail.example.no (Exim 4.96.2): no such user here", BlameRecipient, FaultNoMailbox},
		{"Exim, a version that looks like a code", 550, "mail.example.no MailServer-5.7.1 [2.7.1.3]: mailbox full", BlameRecipient, FaultMailboxFull},
		{"a host's name", 550, "post-5.7.1.example.no: unknown user", BlameRecipient, FaultNoMailbox},
		{"a code at the end of a sentence", 550, "Rejected by policy, 5.7.1.", BlameSettings, FaultRefused},
		{"a code between brackets", 550, "User unknown (5.1.1)", BlameRecipient, FaultNoMailbox},
		{"nothing", 550, "0.0.0 from 5.7.1.1", BlameUnclear, FaultRefused},
	} {
		if got := BlameOfReply(tt.reply, tt.text); got != tt.want {
			t.Errorf("%s: %q: the blame is %d, want %d", tt.server, tt.text, got, tt.want)
		}
		if got := FaultOf(ByEmail, ShipmentFailed, tt.text); got != tt.fault {
			t.Errorf("%s: %q: the fault is %q, want %q", tt.server, tt.text, got, tt.fault)
		}
	}
	if got := BlameOfReport("5.0.0", "smtp; host mx.example.no[5.7.1.2] said: 550 5.1.1 unknown"); got != BlameRecipient {
		t.Errorf("of a report the blame is %d", got)
	}
	if got := enhancedCodes("5.1.1 5.2.2 4.4.7."); len(got) != 3 || got[1] != [2]string{"2", "2"} {
		t.Errorf("the codes are %q", got)
	}
}
