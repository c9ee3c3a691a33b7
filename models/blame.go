package models

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Blame says whose fault it is that a shipment is refused (rule D107).
type Blame int

// Whose fault a refusal is.
const (
	BlameRecipient Blame = iota // another recipient's would be taken: the next method of the fallback is tried
	BlameSettings               // any other one would be refused too, until a person sets something right
	BlameUnclear                // it does not say; others that are refused alike, or taken, will tell
	// BlameUnknown is that the channel does not know the recipient, and says so in the words that the settings name. The way works: that
	// many recipients are unknown says nothing of it (rule E20).
	BlameUnknown
)

// Refused says that a channel refuses a shipment: another attempt would end the same way (rule R5c). Only channels, and what packs for
// one by its rules, make it. What becomes of the shipment is decided by it alone: any other error, of whatever kind, may be a fault of
// ours, and is tried again.
type Refused struct {
	Blame Blame
	why   *Error
}

// Refuse returns a refusal in words for a person. cause is what the other side said, or nil.
func Refuse(b Blame, cause error, format string, args ...any) *Refused {
	return &Refused{b, &Error{Kind: KindInvalid, Code: "refused", Msg: fmt.Sprintf(format, args...), Err: cause}}
}

// Error returns the words and the cause.
func (r *Refused) Error() string { return r.why.Error() }

// Unwrap returns an error of KindInvalid with the cause.
func (r *Refused) Unwrap() error { return r.why }

// IsRefused reports whether an error is a channel's refusal.
func IsRefused(err error) bool {
	_, is := errors.AsType[*Refused](err)
	return is
}

// IsSetupFault reports whether an error is a refusal for a fault of the settings: any other shipment would be refused too. It stays owed,
// and no other method takes its place (rule D107).
func IsSetupFault(err error) bool {
	r, is := errors.AsType[*Refused](err)
	return is && r.Blame == BlameSettings
}

// IsUnknownRecipient reports whether an error is a refusal because the channel does not know the recipient.
func IsUnknownRecipient(err error) bool {
	r, is := errors.AsType[*Refused](err)
	return is && r.Blame == BlameUnknown
}

// enhancedCode finds the enhanced status code of a reply or a report (RFC 3463): class, subject (there are eight) and detail, after the
// three digits of the reply or by itself. What is part of an IP address, of a host's name or of a version is none.
var enhancedCode = regexp.MustCompile(`(?:^|[^\w.-]|\b\d{3}-)[245]\.([0-7])\.(\d{1,3})(?:$|[^\w.]|\.(?:\s|$))`)

// enhancedCodes returns the subject and the detail of each enhanced code of a text.
func enhancedCodes(text string) (codes [][2]string) {
	for {
		at := enhancedCode.FindStringSubmatchIndex(text)
		if at == nil {
			return codes
		}
		codes = append(codes, [2]string{text[at[2]:at[3]], text[at[4]:at[5]]})
		text = text[at[5]:] // what ends one may begin the next
	}
}

// BlameOfReply says whose fault a mail server's refusal of one recipient or e-mail is, by its three digits and its words. An enhanced
// code decides where there is one: the subjects of security and policy (7) and of the mail system (3), the sender's own address
// (1.7, 1.8) and a server that has too much to do (4.5) are not the recipient's; those of the protocol (5) and of the content (6)
// are used for anything. Without a code, few words are clear.
func BlameOfReply(reply int, text string) Blame {
	if found := enhancedCodes(text); len(found) > 0 && found[0] != [2]string{"0", "0"} {
		return blameOfStatus(found[0][0], found[0][1])
	}
	const (
		signInFirst   = 530
		wrongPassword = 535
	)
	switch {
	case reply == signInFirst, reply == wrongPassword, reply/10 == 50: // 50x: the server does not know the command
		return BlameSettings
	}
	text = strings.ToLower(text)
	switch {
	case ofSender.MatchString(text):
		return BlameSettings
	case ofRecipient.MatchString(text):
		return BlameRecipient
	case ofSettings.MatchString(text):
		return BlameSettings
	}
	switch reply {
	case 551, 552, 553: // not local, no room, no such name (RFC 5321, section 4.2.2)
		return BlameRecipient
	}
	return BlameUnclear
}

func blameOfStatus(subject, detail string) Blame {
	switch subject + "." + detail {
	case "1.7", "1.8", "4.5":
		return BlameSettings
	}
	switch subject {
	case "3", "7":
		return BlameSettings
	case "5", "6":
		return BlameUnclear
	}
	return BlameRecipient
}

// What servers write that give no enhanced code.
var (
	ofSender    = regexp.MustCompile(`\bsender\b`)
	ofRecipient = regexp.MustCompile(`no such|not here|unknown (user|recipient|address|mailbox|account)|(user|recipient|address|mailbox|account) (is )?(unknown|not found|disabled|inactive|full)|does(n't| not) exist|invalid (user|recipient|mailbox)|over quota|quota exceeded|mailbox full`)
	ofSettings  = regexp.MustCompile(`relay|authenti|not permitted|not allowed|polic(y|ies)|spam|spf|dkim|dmarc|black ?list|block ?list|reputation|prohibited`)
)

// BlameOfReport says whose fault it is that a delivery report tells of a failure, by its status and what a server said. One
// that does not say it is the recipient's: the e-mail had left.
func BlameOfReport(status, diagnostic string) Blame {
	for _, text := range []string{status, diagnostic} {
		if found := enhancedCodes(text); len(found) > 0 && found[0][0] != "0" {
			return blameOfStatus(found[0][0], found[0][1])
		}
	}
	if BlameOfReply(0, diagnostic) == BlameSettings {
		return BlameSettings
	}
	return BlameRecipient
}

// changing matches what differs in a refusal from one recipient to the next: addresses, hosts, numbers and names of sessions.
var changing = regexp.MustCompile(`<[^>]*>|\S*@\S*|\b\S+\.[a-z]{2,}\b|\b[0-9a-f:.]*\d{4,}[0-9a-f:.-]*\b|\b(?:[a-z]+\d|\d+[a-z])[0-9a-z-]{4,}\b`)

// RefusalWords returns a refusal without what differs from one recipient to the next, so that refusals can be compared.
func RefusalWords(text string) string {
	const most = 300
	return Foreign(strings.Join(strings.Fields(changing.ReplaceAllString(strings.ToLower(text), " ")), " "), most)
}
