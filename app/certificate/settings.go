package certificate

import (
	"errors"

	"purr/internal/config"
)

// Settings say which certificate a server shows: both are set, or neither for HTTP without TLS.
type Settings struct {
	ChainFile string // PEM file of the certificate chain
	KeyFile   string // PEM file of the certificate's private key
}

// Declare returns the settings of the certificate.
func (s *Settings) Declare() []config.Setting {
	return []config.Setting{
		{Key: "tls-certificate", Help: "PEM file with the certificate chain; with tls-key the API speaks HTTPS (default: HTTP)", Set: config.File(&s.ChainFile), Check: s.check},
		{Key: "tls-key", Help: "PEM file with the certificate's private key", Set: config.File(&s.KeyFile)},
	}
}

func (s *Settings) check() error {
	if (s.ChainFile == "") != (s.KeyFile == "") {
		return errors.New("tls-certificate, tls-key: set both of them, or neither")
	}
	return nil
}
