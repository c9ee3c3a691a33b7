// Package certificate loads the TLS certificate from two files. It uses a renewed certificate without a restart.
package certificate

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"purr/internal/clock"
)

// renewalPause is the least time between two readings of the files.
const renewalPause = 3 * time.Second

// Certificate is the certificate of an HTTPS server. If its files have changed, it reads them at the next handshake.
// If the new files cannot be used, it keeps the old certificate. It is safe for concurrent use.
type Certificate struct {
	chainFile, keyFile string
	clock              clock.Clock // real time
	log                *slog.Logger
	shown              atomic.Pointer[tls.Certificate]

	reading    sync.Mutex // guards the fields below; while one handshake reads the files, others use the old certificate
	read       time.Time
	chain, key []byte // of the present certificate
	failure    string // of the last reading; empty if it succeeded
}

// Load reads the certificate for the first time. If the files cannot be used, the error says what they must hold.
func Load(chainFile, keyFile string, clock clock.Clock, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{chainFile: chainFile, keyFile: keyFile, clock: clock, log: log, read: clock.Now()}
	if _, err := c.load(); err != nil {
		return nil, fmt.Errorf("tls-certificate, tls-key: %w; give the paths of two PEM files, one with the server's certificate "+
			"followed by those that vouch for it, one with its private key, without a password", err)
	}
	return c, nil
}

// Config returns the TLS configuration of a server with the certificate.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}
}

// get returns the certificate. Every handshake calls it.
func (c *Certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return c.present(), nil
}

// present returns the certificate, once it has looked for a new one.
func (c *Certificate) present() *tls.Certificate {
	if c.reading.TryLock() {
		defer c.reading.Unlock()
		if now := c.clock.Now(); now.Sub(c.read) >= renewalPause {
			c.read = now
			c.renew()
		}
	}
	return c.shown.Load()
}

// Ends returns when the certificate ends, or the first of those that vouch for it (rule Q6).
func (c *Certificate) Ends() time.Time {
	shown := c.present()
	ends := shown.Leaf.NotAfter
	for _, der := range shown.Certificate[1:] {
		if above, err := x509.ParseCertificate(der); err == nil && above.NotAfter.Before(ends) {
			ends = above.NotAfter
		}
	}
	return ends
}

// renew reads changed files. If they cannot be used, it logs that once.
func (c *Certificate) renew() {
	changed, err := c.load()
	until := c.shown.Load().Leaf.NotAfter
	switch {
	case err == nil && changed:
		c.log.Info("a renewed TLS certificate is in use", "until", until)
	case err != nil && err.Error() != c.failure:
		c.log.Error("the files of the TLS certificate cannot be used; the old one goes on", "until", until, "error", err)
	}
	c.failure = ""
	if err != nil {
		c.failure = err.Error()
	}
}

// load reads the files, and reports whether they hold a new certificate.
func (c *Certificate) load() (changed bool, err error) {
	chain, err := os.ReadFile(c.chainFile)
	if err != nil {
		return false, err
	}
	key, err := os.ReadFile(c.keyFile)
	if err != nil {
		return false, err
	}
	if bytes.Equal(chain, c.chain) && bytes.Equal(key, c.key) {
		return false, nil
	}
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return false, fmt.Errorf("%s with %s: %w", c.chainFile, c.keyFile, err)
	}
	c.shown.Store(&pair)
	c.chain, c.key = chain, key
	return true, nil
}
