package app

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

// renewalPause is how long a certificate is shown without a look at its files.
const renewalPause = 3 * time.Second

// certificate is what the API shows as HTTPS begins. When its files have changed it is read again, at the
// next handshake; while they cannot be used the old one goes on.
type certificate struct {
	chainFile, keyFile string
	clock              clock.Clock // real time
	log                *slog.Logger
	shown              atomic.Pointer[tls.Certificate]

	looking    sync.Mutex // guards what follows; while one handshake looks, others go on with what is shown
	looked     time.Time
	chain, key []byte // of what is shown
	failure    string // of the last look; empty where it went well
}

// newCertificate reads the certificate for the first time.
func newCertificate(chainFile, keyFile string, clock clock.Clock, log *slog.Logger) (*certificate, error) {
	c := &certificate{chainFile: chainFile, keyFile: keyFile, clock: clock, log: log, looked: clock.Now()}
	if _, err := c.read(); err != nil {
		return nil, fmt.Errorf("tls-certificate, tls-key: %w; give the paths of two PEM files, one with the server's certificate "+
			"followed by those that vouch for it, one with its private key, without a password", err)
	}
	return c, nil
}

// config returns how the API speaks HTTPS.
func (c *certificate) config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}
}

// get is asked at every handshake.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	if c.looking.TryLock() {
		defer c.looking.Unlock()
		if now := c.clock.Now(); now.Sub(c.looked) >= renewalPause {
			c.looked = now
			c.renew()
		}
	}
	return c.shown.Load(), nil
}

// renew shows what has changed. Files that cannot be used are told of once.
func (c *certificate) renew() {
	changed, err := c.read()
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

// read shows what is in the files, and reports whether that is anything new.
func (c *certificate) read() (changed bool, err error) {
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
