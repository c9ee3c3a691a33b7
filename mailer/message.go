package mailer

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/mail"
	"strings"
	"unicode/utf8"

	gomail "github.com/wneessen/go-mail"

	"purr/models"
)

// signed returns the e-mail as it is sent, signed unless dkim is nil. It fails as message does.
func signed(p Parcel, dkim *DKIM) ([]byte, error) {
	raw, err := message(p)
	if err != nil || dkim == nil {
		return raw, err
	}
	return dkim.sign(raw, p.Date)
}

// message returns the e-mail without a signature (RFC 5322 and MIME, UTF-8). It refuses an address that is not
// valid.
func message(p Parcel) ([]byte, error) {
	if err := checkName(p.Name); err != nil {
		return nil, err
	}
	if !models.ValidEmail(p.Mail.From.Address) {
		return nil, models.Refuse(models.BlameSettings, nil, "from: %q is not a valid e-mail address to send from", p.Mail.From.Address)
	}
	if !models.ValidEmail(p.Mail.To) {
		return nil, models.Refuse(models.BlameRecipient, nil, "to: %q is not a valid e-mail address", p.Mail.To)
	}
	msg := gomail.NewMsg(gomail.WithBoundary(boundary(p.Name)), gomail.WithNoDefaultUserAgent())
	setFrom(msg, p.Mail.From)
	msg.ToMailAddress(&mail.Address{Address: p.Mail.To})
	msg.SetMessageIDWithValue(messageID(p))
	msg.SetDateWithValue(p.Date)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: asks for no out-of-office replies.
	msg.SetGenHeader("X-Auto-Response-Suppress", "All")  // Exchange asks by this one.
	setSubject(msg, p.Mail.Subject)
	msg.SetBodyString(gomail.TypeTextPlain, p.Mail.Text)
	if len(p.PDF) > 0 {
		msg.AttachReadSeeker(p.Mail.AttachmentName, bytes.NewReader(p.PDF), gomail.WithFileContentType("application/pdf"))
	}
	var b bytes.Buffer
	b.Grow(3*(len(p.PDF)+len(p.Mail.Text))/2 + 2<<10) // base64 and its line ends, quotes and the header
	if _, err := msg.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("mailer: compose %s: %w", p.Name, err)
	}
	return b.Bytes(), nil
}

// encodedWord begins an encoded word of a header (RFC 2047).
const encodedWord = "=?"

// setFrom sets the sender. A name that looks like an encoded word is encoded itself, so that it is shown as it is.
func setFrom(msg *gomail.Msg, from mail.Address) {
	if strings.Contains(from.Name, encodedWord) {
		msg.SetGenHeaderPreformatted(gomail.Header(gomail.HeaderFrom), inWords(from.Name)+"\r\n <"+from.Address+">")
		return
	}
	msg.FromMailAddress(&from)
}

// setSubject sets the subject, in the same way.
func setSubject(msg *gomail.Msg, subject string) {
	if strings.Contains(subject, encodedWord) {
		msg.SetGenHeaderPreformatted(gomail.HeaderSubject, inWords(subject))
		return
	}
	msg.Subject(subject)
}

// inWords encodes a whole text in encoded words, each on a line of its own. Readers join them without a blank.
func inWords(text string) string {
	const most = 45 // bytes in a word: with its frame it has less than 75 characters
	var words []string
	var word []byte
	end := func() {
		words = append(words, "=?UTF-8?b?"+base64.StdEncoding.EncodeToString(word)+"?=")
		word = word[:0]
	}
	for _, c := range text {
		if len(word)+utf8.RuneLen(c) > most {
			end()
		}
		word = utf8.AppendRune(word, c)
	}
	end()
	return strings.Join(words, "\r\n ")
}

// messageID is the same at every attempt, so that a receiver recognises a repeated e-mail. Its date tells apart two
// installations of one creditor, whose shipments have the same numbers.
func messageID(p Parcel) string {
	host := p.Mail.From.Address[strings.LastIndexByte(p.Mail.From.Address, '@')+1:]
	return p.Name + "." + p.Date.UTC().Format("20060102150405") + "@" + host
}

// boundary separates the parts of the e-mail. It is made of the name: a random one would differ at every attempt.
func boundary(name string) string {
	sum := sha256.Sum256([]byte(name))
	return "purr-" + hex.EncodeToString(sum[:16])
}
