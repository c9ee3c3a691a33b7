package models

import (
	"regexp"
	"slices"
	"strings"
)

// SendingFault says in a word why a shipment failed, came back or was refused: what a person can do something about (rule N8). The
// words of the mail server, or of any other channel, are in Shipment.Reason.
type SendingFault string

// The faults of sending.
const (
	FaultNoMailbox      SendingFault = "no_mailbox"      // the mailbox is not there, or is closed
	FaultMailboxFull    SendingFault = "mailbox_full"    // it has no room
	FaultSpam           SendingFault = "spam"            // it was taken for spam
	FaultAddressUnknown SendingFault = "address_unknown" // of e-mail the domain, of paper the street, of EHF the business
	FaultTooBig         SendingFault = "too_big"         // it is larger than the recipient takes
	FaultSender         SendingFault = "sender"          // the sender was refused: a setting is wrong
	FaultAway           SendingFault = "away"            // nobody answered in time
	FaultRefused        SendingFault = "refused"         // the server's words say why, and no row of the table knows them
	FaultUnsaid         SendingFault = "unsaid"          // it failed, and nobody said why
)

// SendingFaults are all of them.
var SendingFaults = []SendingFault{
	FaultNoMailbox, FaultMailboxFull, FaultSpam, FaultAddressUnknown, FaultTooBig, FaultSender, FaultAway, FaultRefused, FaultUnsaid,
}

// sendingFault is a row of the table of faults: what tells of the fault.
type sendingFault struct {
	fault SendingFault
	codes []string       // enhanced status codes without their class (RFC 3463, and the registry of RFC 5248)
	words *regexp.Regexp // what servers write that give no such code, in lower case
}

// sendingFaults are asked in this order: first all codes, then all words.
var sendingFaults = []sendingFault{
	{FaultMailboxFull, []string{"2.2"}, regexp.MustCompile(`(mailbox|inbox|account|user) (is )?(over)?full|over quota|quota exceeded|exceeded (its |the |storage )?(quota|allocation)|insufficient (system |disk )?(storage|space)`)},
	{FaultTooBig, []string{"2.3", "3.4"}, regexp.MustCompile(`too (big|large)|exceeds? .*(size|limit)|(message|maximum|max) size`)},
	{FaultSpam, nil, regexp.MustCompile(`spam|unsolicited|junk|bulk mail|black ?list|block ?list|blocked using|reputation|virus|phish`)},
	{FaultSender, []string{"1.7", "1.8", "7.8", "7.9", "7.20", "7.21", "7.22", "7.23", "7.24", "7.25", "7.26", "7.27", "7.29"}, regexp.MustCompile(`\bsender\b|relay|authenti|\bspf\b|dkim|dmarc|not permitted to send`)},
	{FaultAddressUnknown, []string{"1.2", "1.3", "1.10", "4.4"}, regexp.MustCompile(`(host|domain) (name )?(is )?(not found|unknown|invalid|does(n't| not) exist)|no such (host|domain)|unknown (host|domain)|unable to route|unrouteable|\bmx\b|not a valid e-mail address|not registered|no organisation_number`)},
	{FaultNoMailbox, []string{"1.0", "1.1", "1.4", "1.6", "2.0", "2.1"}, regexp.MustCompile(ofRecipient.String() + `|(recipient|mailbox|address).* rejected|mailbox (is )?(unavailable|closed)|no mailbox|nobody there`)},
}

// addressIP matches the addresses of machines, parts of which look like status codes.
var addressIP = regexp.MustCompile(`\b\d{1,3}(\.\d{1,3}){3}\b`)

// replies are the answers of mail servers that say enough by their three digits (RFC 5321, section 4.2.2).
var replies = regexp.MustCompile(`\b(551|552|553)\b`)

// Fault returns why a shipment failed, came back or was refused, empty for one that has left, or that waits without having been
// refused. It goes by what the channel said.
func (s Shipment) Fault() SendingFault {
	waits := s.Reason == "" || s.HeldFor != 0 || s.KeptBack == s.Reason
	switch s.State {
	case ShipmentOwed:
		if waits {
			return ""
		}
	case ShipmentFailed, ShipmentReturned:
	default:
		return ""
	}
	fault := FaultOf(s.Method, s.State, s.Reason)
	unheard := s.GivenUp || s.State == ShipmentOwed && s.KeptBack == ""
	if fault == FaultRefused && unheard {
		return FaultAway
	}
	return fault
}

// FaultOf returns the fault of a shipment that failed, came back or was refused, by its way and the channel's words.
func FaultOf(m ShipmentMethod, state ShipmentState, reason string) SendingFault {
	switch {
	case state == ShipmentReturned && m.IsLetter():
		return FaultAddressUnknown
	case strings.TrimSpace(reason) == "":
		return FaultUnsaid
	case m.IsLetter():
		if strayed.MatchString(strings.ToLower(reason)) {
			return FaultAddressUnknown
		}
		return FaultRefused
	}
	return faultIn(strings.ToLower(reason))
}

// strayed matches what print shops say of letters that nobody could bring.
var strayed = regexp.MustCompile(`(address|recipient|street) .*(unknown|incomplete|insufficient|invalid|not found)|(unknown|incomplete|insufficient|invalid|no such) .*(address|recipient|street)|undeliverable|has moved`)

// faultIn returns the fault that an answer in lower case tells of.
func faultIn(answer string) SendingFault {
	answer = addressIP.ReplaceAllString(answer, " ")
	for _, code := range enhancedCodes(answer) {
		status := code[0] + "." + code[1]
		if i := slices.IndexFunc(sendingFaults, func(f sendingFault) bool { return slices.Contains(f.codes, status) }); i >= 0 {
			return sendingFaults[i].fault
		}
	}
	for _, row := range sendingFaults {
		if row.words.MatchString(answer) {
			return row.fault
		}
	}
	switch replies.FindString(answer) {
	case "551", "553":
		return FaultNoMailbox
	case "552":
		return FaultMailboxFull
	}
	return FaultRefused
}
