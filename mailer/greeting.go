package mailer

import (
	"context"
	"crypto/tls"
)

// Greeting is how far a mail server has let purr come.
type Greeting struct {
	Server string // HOST:PORT
	TLS    string // the version, as in "TLS 1.3"; empty without
	User   string // who has signed in; empty if nobody has
}

// Greet connects, encrypts and signs in as the URL says, and keeps the connection for the next e-mail. With an error it returns how far
// it has come (rule Q1).
func (s *SMTP) Greet(ctx context.Context) (Greeting, error) {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	g := Greeting{Server: s.address()}
	c, err := s.connect(ctx)
	if version := s.version.Load(); version != 0 {
		g.TLS = tls.VersionName(uint16(version)) //nolint:gosec // it was one
	}
	if err != nil {
		return g, err
	}
	g.User = s.user
	s.kept.keep(c)
	return g, nil
}

// Check returns nil if the server lets purr come so far that it could send an e-mail.
func (s *SMTP) Check(ctx context.Context) error {
	if _, err := s.Greet(ctx); err != nil {
		return err
	}
	if c := s.kept.take(); c != nil {
		c.quit()
	}
	return nil
}

// Signs returns the domain that the e-mails are signed for, and the selector; empty ones if they are not signed.
func (d *DKIM) Signs() (domain, selector string) {
	if d == nil {
		return "", ""
	}
	return d.domain, d.selector
}
