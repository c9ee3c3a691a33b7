package efaktura

import (
	"errors"
	"regexp"

	"purr/internal/config"
)

// Settings say how eFaktura leaves (rule E20). The zero value is no eFaktura.
type Settings struct {
	URL      string // https:, of the operator's interface; empty if eFaktura is not set up
	Template string // path of the template of the interface
	Secret   string // what {{secret}} stands for in the template
}

// Declare returns the settings of the way of eFaktura.
func (s *Settings) Declare() []config.Setting {
	return []config.Setting{
		{Key: "efaktura-url", Help: "where invoices to consumers' banks go: https://HOST/PATH of an operator of eFaktura, with efaktura-template (default: no eFaktura)", Set: s.setURL, Check: s.check},
		{Key: "efaktura-template", Help: "JSON file that describes the operator's REST interface", Set: config.File(&s.Template)},
		{Key: "efaktura-secret", Secret: true, Help: "what {{secret}} in efaktura-template stands for", Set: config.Text(&s.Secret)},
	}
}

// waysURL matches the URLs of operators. What opens them reads them closer.
var waysURL = regexp.MustCompile(`^(|https?://.+)$`)

func (s *Settings) setURL(value string) error {
	if !waysURL.MatchString(value) { // the error does not repeat it: it may hold a password
		return errors.New("must be https://HOST/PATH, or empty for no eFaktura")
	}
	s.URL = value
	return nil
}

func (s *Settings) check() error {
	var wrong []error
	if s.URL != "" && s.Template == "" {
		wrong = append(wrong, errors.New("efaktura-url, efaktura-template: the URL needs a template of the interface there"))
	}
	if s.URL == "" && s.Template != "" {
		wrong = append(wrong, errors.New("efaktura-template, efaktura-url: a template is of a URL"))
	}
	if s.URL == "" && s.Secret != "" {
		wrong = append(wrong, errors.New("efaktura-secret, efaktura-url: a secret is of a URL"))
	}
	return errors.Join(wrong...)
}
