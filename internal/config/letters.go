package config

import (
	"errors"
	"regexp"
	"strings"
	"time"
)

// LettersPrefix is the prefix of the settings of the way of letters.
const LettersPrefix = "letters"

// Letters says how letters leave (rule S4). Its folder's URL may also be that of a printer, or https: with a template.
type Letters struct {
	Folder
	Every    time.Duration // between two looks for a print shop's receipts
	Template string        // path of the template of a REST interface
	Secret   string        // what {{secret}} stands for in the template
}

// settings returns the settings of the way of letters.
func (l *Letters) settings() []setting {
	return []setting{
		{"letters-url", "", "where letters go: sftp://USER@HOST:PORT/FOLDER (a print shop), ipp://HOST/PATH or ipps:// (a printer), or https://HOST/PATH with letters-template (default: PDF files in the data folder)", l.setURL},
		{"letters-key-file", "", "private key to sign in with at the print shop, without a passphrase", file(&l.KeyFile)},
		{"letters-password", "", "password to sign in with at the print shop or the printer", text(&l.Password)},
		{"letters-host-key", "", "host key of the print shop's server: SHA256:FINGERPRINT, or a line of a known_hosts file", text(&l.HostKey)},
		{"letters-every", "15m", "pause between two looks for the print shop's receipts, in the folder receipts below letters-url", pollPause(&l.Every)},
		{"letters-template", "", "JSON file that describes a print house's REST interface", file(&l.Template)},
		{"letters-secret", "", "what {{secret}} in letters-template stands for", text(&l.Secret)},
	}
}

// lettersURL matches the URLs of the ways of letters. Their packages read them closer.
var lettersURL = regexp.MustCompile(`^(|(sftp|ipp|ipps|https|http)://.+)$`)

func (l *Letters) setURL(value string) error {
	if value == "file:" {
		value = ""
	}
	if !lettersURL.MatchString(value) { // the error does not repeat it: it may hold a password
		return errors.New("must be file:, sftp://USER@HOST/FOLDER, ipp://HOST/PATH, ipps://HOST/PATH or https://HOST/PATH")
	}
	return l.Folder.setURL(value)
}

// Scheme returns the scheme of the URL, or "" for the outbox.
func (l *Letters) Scheme() string {
	scheme, _, _ := strings.Cut(l.URL, ":")
	return scheme
}

// ByTemplate reports whether letters go by a template's REST interface.
func (l *Letters) ByTemplate() bool { return l.Scheme() == "https" || l.Scheme() == "http" }

// check returns what is wrong with the settings together.
func (l *Letters) check() error {
	switch {
	case l.ByTemplate() && l.Template == "":
		return errors.New("letters-url, letters-template: an https URL needs a template of the interface there")
	case l.Template != "" && !l.ByTemplate():
		return errors.New("letters-template, letters-url: a template is of an https URL")
	case l.Secret != "" && l.Template == "":
		return errors.New("letters-secret: only a letters-template has use for it")
	case l.Scheme() == "sftp" && l.KeyFile == "" && l.Password == "":
		return errors.New("letters-url: an SFTP server needs letters-key-file or letters-password")
	case l.Scheme() != "sftp" && (l.KeyFile != "" || l.HostKey != ""):
		return errors.New("letters-key-file, letters-host-key: only an sftp URL has use for them")
	}
	return nil
}
