package mailer

import (
	"errors"
	"regexp"
	"time"

	"purr/internal/config"
	"purr/internal/remote"
)

// Settings say how e-mails are sent and signed.
type Settings struct {
	URL           string            // of the mail server; empty for .eml files in the outbox
	From          string            // of e-mails of creditors that have no address; empty if such e-mails wait
	BounceAddress string            // gets the delivery reports; empty for the creditor's
	Signature     SignatureSettings // no key if e-mails are not signed
	Rate          float64           // e-mails a second of each creditor; 0 is no limit
	Plain         bool              // the server's password may go without encryption
}

// SignatureSettings say how e-mails are signed by DKIM: all of them are set, or none.
type SignatureSettings struct {
	Key      string // PEM file of the private key
	Domain   string // that signs
	Selector string // under which the public key is in the domain's DNS
}

// Declare returns the settings of e-mails.
func (s *Settings) Declare() []config.Setting {
	all := []config.Setting{
		{Key: "smtp-url", Help: "mail server, smtp://USER:PASSWORD@HOST:PORT?tls=starttls|implicit|none (default: .eml files in the data folder)", Set: config.Text(&s.URL)},
		{Key: "smtp-plain", Default: "off", Help: "let user and password of an smtp-url with tls=none go without encryption: on or off", Set: config.OnOff(&s.Plain)},
		{Key: "mail-from", Help: "address that the e-mails of creditors without one come from, such as faktura@example.no (default: by a mail server those e-mails wait)", Set: config.Matching(&s.From, fromForm, "an address such as faktura@example.no")},
	}
	all = append(all, s.DeclareDomain()...)
	return append(all, config.Setting{Key: "mail-rate", Default: "0", Help: "e-mails a second that each creditor may send; 0 sets no limit", Set: config.PerSecond(&s.Rate)})
}

// DeclareDomain returns those of them that the DNS of a domain must fit to.
func (s *Settings) DeclareDomain() []config.Setting {
	sig := &s.Signature
	return []config.Setting{
		{Key: "bounce-address", Help: "address that gets the mail servers' delivery reports, such as bounce@example.no; purr adds +ID-TOKEN before the @ (default: the creditor's address)", Set: config.Matching(&s.BounceAddress, bounceAddressForm, "an address such as bounce@example.no, with at most 28 characters before the @")},
		{Key: "dkim-key", Help: "PEM file with the private key that signs e-mails by DKIM, RSA or Ed25519 (default: none are signed)", Set: config.File(&sig.Key), Check: sig.check},
		{Key: "dkim-domain", Help: "domain that signs, such as example.no", Set: config.Matching(&sig.Domain, domainForm, "a domain such as example.no")},
		{Key: "dkim-selector", Help: "name under which the public key is in the domain's DNS, such as purr", Set: config.Matching(&sig.Selector, domainForm, "a name such as purr")},
	}
}

func (s *SignatureSettings) check() error {
	if (s.Key == "") != (s.Domain == "") || (s.Key == "") != (s.Selector == "") {
		return errors.New("dkim-key, dkim-domain, dkim-selector: set all of them, or none")
	}
	return nil
}

// A domain, or a part of one, as DNS has it. The name before the @ of the bounce address leaves room for +ID-TOKEN within the
// 64 characters of RFC 5321.
var (
	domainForm        = regexp.MustCompile(`^([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)*$`)
	fromForm          = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._+=-]{0,62}[A-Za-z0-9])?@[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$`)
	bounceAddressForm = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._+=-]{0,26}[A-Za-z0-9])?@[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$`)
)

// DeclareCollector returns the settings of the debt collector's folder, which stand in a, and how often its reports are read. No URL leaves
// collection bundles in the outbox.
func DeclareCollector(a *remote.Access, every *time.Duration) []config.Setting {
	return append(a.Declare("collection-sftp", "the debt collector's folder for collection bundles", "files in the data folder"),
		config.Setting{Key: "collector-every", Default: "15m", Help: "pause between two looks for the debt collector's reports, in the folder reports below that of the bundles", Set: remote.PollPause(every)})
}
