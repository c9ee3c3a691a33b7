package letters

import (
	"errors"
	"regexp"
	"strings"
	"time"

	"purr/internal/config"
	"purr/internal/remote"
)

// Settings say how letters leave (rule S4). The URL may be that of a folder, that of a printer, or https: with a template.
type Settings struct {
	remote.Access
	Every    time.Duration // between two looks for a print shop's receipts
	Template string        // path of the template of a REST interface
	Secret   string        // what {{secret}} stands for in the template
}

// Declare returns the settings of the way of letters.
func (s *Settings) Declare() []config.Setting {
	s.Prefix = "letters"
	return []config.Setting{
		{Key: "letters-url", Help: "where letters go: sftp://USER@HOST:PORT/FOLDER (a print shop), ipp://HOST/PATH or ipps:// (a printer), or https://HOST/PATH with letters-template (default: PDF files in the data folder)", Set: s.setURL, Check: s.check},
		{Key: "letters-key-file", Help: "private key to sign in with at the print shop, without a passphrase", Set: config.File(&s.KeyFile)},
		{Key: "letters-password", Secret: true, Help: "password to sign in with at the print shop or the printer", Set: config.Text(&s.Password)},
		{Key: "letters-host-key", Help: "host key of the print shop's server: SHA256:FINGERPRINT, or a line of a known_hosts file", Set: config.Text(&s.HostKey)},
		{Key: "letters-every", Default: "15m", Help: "pause between two looks for the print shop's receipts, in the folder receipts below letters-url", Set: remote.PollPause(&s.Every)},
		{Key: "letters-template", Help: "JSON file that describes a print house's REST interface", Set: config.File(&s.Template)},
		{Key: "letters-secret", Secret: true, Help: "what {{secret}} in letters-template stands for", Set: config.Text(&s.Secret)},
	}
}

// waysURL matches the URLs of the ways of letters. What opens them reads them closer.
var waysURL = regexp.MustCompile(`^(|(sftp|ipp|ipps|https|http)://.+)$`)

func (s *Settings) setURL(value string) error {
	if value == "file:" {
		value = ""
	}
	if !waysURL.MatchString(value) { // the error does not repeat it: it may hold a password
		return errors.New("must be file:, sftp://USER@HOST/FOLDER, ipp://HOST/PATH, ipps://HOST/PATH or https://HOST/PATH")
	}
	return s.SetURL(value)
}

// Scheme returns the scheme of the URL, or "" for the outbox.
func (s *Settings) Scheme() string {
	scheme, _, _ := strings.Cut(s.URL, ":")
	return scheme
}

// ByTemplate reports whether letters go by a template's REST interface.
func (s *Settings) ByTemplate() bool { return s.Scheme() == "https" || s.Scheme() == "http" }

func (s *Settings) check() error {
	var wrong []error
	if s.ByTemplate() && s.Template == "" {
		wrong = append(wrong, errors.New("letters-url, letters-template: an https URL needs a template of the interface there"))
	}
	if s.Template != "" && !s.ByTemplate() {
		wrong = append(wrong, errors.New("letters-template, letters-url: a template is of an https URL"))
	}
	if s.Secret != "" && s.Template == "" {
		wrong = append(wrong, errors.New("letters-secret: only a letters-template has use for it"))
	}
	if s.Scheme() == "sftp" && s.KeyFile == "" && s.Password == "" {
		wrong = append(wrong, errors.New("letters-url: an SFTP server needs letters-key-file or letters-password"))
	}
	if s.Scheme() != "sftp" && (s.KeyFile != "" || s.HostKey != "") {
		wrong = append(wrong, errors.New("letters-key-file, letters-host-key: only an sftp URL has use for them"))
	}
	return errors.Join(wrong...)
}
