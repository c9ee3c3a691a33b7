package peppol

import (
	"cmp"
	"errors"
	"regexp"
	"strings"
	"time"

	"purr/internal/config"
	"purr/internal/remote"
)

// Settings say how e-invoices leave (rule H3). The URL may be that of a folder elsewhere, file:, that of an access point, or
// https: with a template.
type Settings struct {
	remote.Access
	Every     time.Duration // between two looks for the access point's receipts
	Enveloped bool          // in the network's envelope
	Secret    string        // the access point's token, or {{secret}} of the template
	Template  string        // path of the template of a REST interface
}

// Declare returns the settings of the way of e-invoices.
func (s *Settings) Declare() []config.Setting {
	return append(s.DeclareSignIn("ehf"), []config.Setting{
		{Key: "ehf-url", Help: "where e-invoices go: file:/FOLDER, sftp://USER@HOST:PORT/FOLDER, phoss-ap+https://HOST/BASE, or https://HOST/PATH with ehf-template (default: outbox/ehf in the data folder)", Set: s.setURL, Check: s.check},
		{Key: "ehf-every", Default: "15m", Help: "pause between two looks for the access point's receipts, in the folder receipts below ehf-url", Set: remote.PollPause(&s.Every)},
		{Key: "ehf-envelope", Default: "none", Help: "envelope around each e-invoice: none, or sbdh for that of the network", Set: s.setEnvelope},
		{Key: "ehf-secret", Secret: true, Help: "token of the access point, or what {{secret}} in ehf-template stands for", Set: config.Text(&s.Secret)},
		{Key: "ehf-template", Help: "JSON file that describes the access point's REST interface", Set: config.File(&s.Template)},
	}...)
}

// waysURL matches the URLs of the ways of e-invoices. What opens them reads them closer.
var waysURL = regexp.MustCompile(`^(|file:(//)?(/.*)?|sftp://.+|phoss-ap\+https?://.+|https?://.+)$`)

func (s *Settings) setURL(value string) error {
	if !waysURL.MatchString(value) {
		return errors.New("must be file:/FOLDER, sftp://USER@HOST/FOLDER, phoss-ap+https://HOST/BASE or https://HOST/PATH")
	}
	return s.SetURL(value)
}

func (s *Settings) setEnvelope(value string) error {
	var kind string
	err := config.OneOf(&kind, "none", "sbdh")(value)
	s.Enveloped = kind == "sbdh"
	return err
}

func (s *Settings) bySFTP() bool { return strings.HasPrefix(s.URL, "sftp://") }

// byTemplate reports whether e-invoices go by a template's REST interface.
func (s *Settings) byTemplate() bool {
	return strings.HasPrefix(s.URL, "https://") || strings.HasPrefix(s.URL, "http://")
}

func (s *Settings) check() error {
	var wrong []error
	if s.byTemplate() && s.Template == "" {
		wrong = append(wrong, errors.New("ehf-url, ehf-template: an https URL needs a template of the interface there"))
	}
	if s.Template != "" && !s.byTemplate() {
		wrong = append(wrong, errors.New("ehf-template, ehf-url: a template is of an https URL"))
	}
	if s.bySFTP() && s.KeyFile == "" && s.Password == "" {
		wrong = append(wrong, errors.New("ehf-url: an SFTP server needs ehf-key-file or ehf-password"))
	}
	return errors.Join(wrong...)
}

// LookupSettings say how the network is asked what customers receive (rule H4).
type LookupSettings struct {
	By        string // dns, directory or off
	Zone      string // empty for the network's own
	DNS       string // HOST:PORT; empty for the system's
	Directory string // URL; empty for the network's own
}

// Declare returns the settings of the look-up.
func (s *LookupSettings) Declare() []config.Setting {
	return []config.Setting{
		{Key: "peppol-lookup", Help: "how to find out whether a customer receives EHF: dns, directory or off (default: off)", Set: s.setLookup},
		{Key: "peppol-zone", Help: "DNS zone of the network's participants (default: that of production)", Set: config.Text(&s.Zone)},
		{Key: "peppol-dns", Help: "DNS server for it, HOST:PORT (default: the system's)", Set: config.Text(&s.DNS)},
		{Key: "peppol-directory", Help: "URL of the network's directory (default: https://directory.peppol.eu)", Set: config.Text(&s.Directory)},
	}
}

func (s *LookupSettings) setLookup(value string) error {
	return config.OneOf(&s.By, "dns", "directory", "off")(cmp.Or(value, "off"))
}
