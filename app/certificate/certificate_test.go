package certificate

import (
	"bytes"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/test/testkit"
)

// site is an HTTPS server with certificate files in a folder.
type site struct {
	t           *testing.T
	chain, key  string // files
	clock       *clock.Test
	log         bytes.Buffer
	certificate *Certificate
	address     string
}

func open(t *testing.T, first testkit.Certificate) *site {
	t.Helper()
	dir := t.TempDir()
	s := &site{t: t, chain: filepath.Join(dir, "fullchain.pem"), key: filepath.Join(dir, "privkey.pem")}
	s.clock = clock.NewTest(time.Date(2026, time.March, 2, 11, 0, 0, 0, time.UTC))
	first.Write(t, s.chain, s.key)
	var err error
	if s.certificate, err = Load(s.chain, s.key, s.clock, slog.New(slog.NewTextHandler(&s.log, nil))); err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.NotFoundHandler(), TLSConfig: s.certificate.Config(), ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0)}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error)
	go func() { served <- server.ServeTLS(listener, "", "") }()
	t.Cleanup(func() {
		server.Close()
		<-served
	})
	s.address = listener.Addr().String()
	return s
}

// later lets time go by.
func (s *site) later(d time.Duration) { s.clock.Set(s.clock.Now().Add(d)) }

// shows fails the test unless a new connection is shown the certificate.
func (s *site) shows(when string, want testkit.Certificate) {
	s.t.Helper()
	conn, err := tls.Dial("tcp", s.address, &tls.Config{RootCAs: want.Roots})
	if err != nil {
		s.t.Fatalf("%s: %v", when, err)
	}
	defer conn.Close()
	if got := conn.ConnectionState().PeerCertificates[0].SerialNumber; got.Cmp(want.Serial) != 0 {
		s.t.Errorf("%s: another certificate is shown", when)
	}
}

func TestARenewedCertificateIsShownWithoutARestart(t *testing.T) {
	first, second := testkit.NewCertificate(t), testkit.NewCertificate(t)
	s := open(t, first)
	s.shows("at first", first)
	second.Write(t, s.chain, s.key)
	s.later(renewalPause - time.Microsecond)
	s.shows("before the files are looked at again", first)
	s.later(time.Microsecond)
	s.shows("from then on", second)
	if said := s.log.String(); strings.Count(said, "renewed") != 1 || !strings.Contains(said, "2999-12-31") {
		t.Errorf("the log says %q", said)
	}
}

func TestTheOldCertificateGoesOnWhileTheNewOneIsBroken(t *testing.T) {
	first, second := testkit.NewCertificate(t), testkit.NewCertificate(t)
	s := open(t, first)
	for _, broken := range []struct {
		name  string
		doing func() error
	}{
		{"the key is not there yet", func() error { return os.WriteFile(s.chain, second.Chain, 0o600) }},
		{"half of the chain is there", func() error { return os.WriteFile(s.chain, second.Chain[:100], 0o600) }},
		{"the chain is gone", func() error { return os.Remove(s.chain) }},
	} {
		s.log.Reset()
		if err := broken.doing(); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			s.later(renewalPause)
			s.shows(broken.name, first)
		}
		if said := s.log.String(); strings.Count(said, "level=ERROR") != 1 || strings.Contains(said, "BEGIN") {
			t.Errorf("%s: the log says %q, want it once", broken.name, said)
		}
	}
	second.Write(t, s.chain, s.key)
	s.later(renewalPause)
	s.shows("when all is there", second)
}

func TestTLSIsAtLeast12(t *testing.T) {
	first := testkit.NewCertificate(t)
	s := open(t, first)
	for version, taken := range map[uint16]bool{tls.VersionTLS10: false, tls.VersionTLS11: false, tls.VersionTLS12: true, tls.VersionTLS13: true} {
		conn, err := tls.Dial("tcp", s.address, &tls.Config{RootCAs: first.Roots, MinVersion: version, MaxVersion: version})
		if err == nil {
			conn.Close()
		}
		if (err == nil) != taken {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
	}
}

func TestCertificateFilesThatCannotBeUsedSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	first, other := testkit.NewCertificate(t), testkit.NewCertificate(t)
	file := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	chain, key := file("chain", first.Chain), file("key", first.Key)
	for _, test := range []struct{ name, chain, key, want string }{
		{"no such file", filepath.Join(dir, "none"), key, "no such file"},
		{"a folder", dir, key, "is a directory"},
		{"another's key", chain, file("other", other.Key), "does not match"},
		{"the files exchanged", key, chain, "switched"},
		{"an empty file", chain, file("empty", nil), "failed to find any PEM data"},
	} {
		_, err := Load(test.chain, test.key, clock.System{}, slog.New(slog.DiscardHandler))
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "tls-key") || !strings.Contains(err.Error(), "two PEM files") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if _, err := Load(filepath.Join(dir, "none"), key, clock.System{}, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the cause is lost: %v", err)
	}
}

// TestQ6ACertificateTellsWhenItEnds: the new one's end is told without a handshake.
func TestQ6ACertificateTellsWhenItEnds(t *testing.T) {
	s := open(t, testkit.NewCertificate(t))
	want := time.Date(2999, time.December, 31, 0, 0, 0, 0, time.UTC)
	if got := s.certificate.Ends(); !got.Equal(want) {
		t.Errorf("it ends on %s, want %s", got, want)
	}
	second := testkit.NewCertificate(t)
	second.Write(t, s.chain, s.key)
	s.later(renewalPause)
	s.certificate.Ends()
	if !strings.Contains(s.log.String(), "a renewed TLS certificate is in use") {
		t.Error("the files are not looked at")
	}
}
