package api

import (
	"errors"
	"net/url"
	"strings"

	"purr/internal/config"
)

// Settings say how the interface is reached.
type Settings struct {
	BaseURL string // scheme, host and perhaps a path prefix; empty for that of each request
}

// Declare returns the settings of the interface.
func (s *Settings) Declare() []config.Setting {
	return []config.Setting{{Key: "base-url", Help: "beginning of all URIs (default: scheme and host of each request; URIs in webhooks are then paths)", Set: s.setBaseURL}}
}

func (s *Settings) setBaseURL(value string) error {
	if value == "" {
		return nil
	}
	u, err := url.Parse(value)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("must be a URL such as https://invoices.example.no, with no query")
	}
	s.BaseURL = strings.TrimRight(value, "/")
	return nil
}
