// Package certificate shows the TLS certificate in two files, and takes up a renewed one without a restart.
package certificate

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"purr/clock"
)

// renewalPause is how long a certificate is shown before its files are read again.
const renewalPause = 3 * time.Second

// Certificate is what a server shows as HTTPS begins. When its files have changed it reads them at the next
// handshake; while they cannot be used the old certificate goes on. It is safe for concurrent use.
type Certificate struct {
	chainFile, keyFile string
	clock              clock.Clock // real time
	log                *slog.Logger
	shown              atomic.Pointer[tls.Certificate]

	reading    sync.Mutex // guards what follows; while one handshake reads, others go on with what is shown
	read       time.Time
	chain, key []byte // of what is shown
	failure    string // of the last reading; empty where it went well
}

// Load reads the certificate for the first time. It fails where the files cannot be used, and says what they must be.
func Load(chainFile, keyFile string, clock clock.Clock, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{chainFile: chainFile, keyFile: keyFile, clock: clock, log: log, read: clock.Now()}
	if _, err := c.load(); err != nil {
		return nil, fmt.Errorf("tls-certificate, tls-key: %w; give the paths of two PEM files, one with the server's certificate "+
			"followed by those that vouch for it, one with its private key, without a password", err)
	}
	return c, nil
}

// Config returns how a server speaks HTTPS with the certificate.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}
}

// get is asked at every handshake.
func (c *Certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	if c.reading.TryLock() {
		defer c.reading.Unlock()
		if now := c.clock.Now(); now.Sub(c.read) >= renewalPause {
			c.read = now
			c.renew()
		}
	}
	return c.shown.Load(), nil
}

// renew shows what has changed. It logs once that files cannot be used.
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

// load shows what is in the files, and reports whether that is anything new.
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
