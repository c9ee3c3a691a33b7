// Package smtpserver is a mail server for tests. It speaks SMTP over TCP on the loopback interface, keeps accepted
// e-mails, and misbehaves on request. It knows nothing of the program.
package smtpserver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/test/testkit"
)

// Message is one accepted e-mail.
type Message struct {
	From string    // the envelope's, without angle brackets
	To   []string  // the envelope's
	Data []byte    // header and body, lines ended by CRLF
	User string    // who had signed in; empty for nobody
	TLS  bool      // it came over TLS
	UTF8 bool      // the client asked for SMTPUTF8
	At   time.Time // when it was accepted

	FromParameters string   // of the MAIL command, such as " RET=HDRS"
	ToParameters   []string // of each RCPT command
}

// Server is a running mail server.
type Server struct {
	t       testing.TB
	address string
	mode    string // the tls of its URL
	login   login
	dsn     bool
	tls     *tls.Config
	roots   *x509.CertPool

	mu       sync.Mutex
	listener net.Listener
	conns    map[net.Conn]bool
	taken    int // connections since the server was started
	messages []Message
	changed  chan struct{} // closed and replaced at every message
	script   map[Step][]action
	down     chan struct{} // closed by Down

	sessions sync.WaitGroup
}

// login holds the user who may sign in, and the mechanisms. It is empty if no login is required.
type login struct {
	user, password string
	mechanisms     []string
}

// Option changes how a server is started.
type Option func(*Server)

// WithSTARTTLS makes the server offer STARTTLS, with a certificate that Roots accepts. The server offers login only
// after it.
func WithSTARTTLS() Option { return func(s *Server) { s.mode = "starttls" } }

// WithTLS makes the server speak TLS from the first byte on.
func WithTLS() Option { return func(s *Server) { s.mode = "implicit" } }

// WithLogin makes the server accept e-mails only from the user, signed in by one of the given mechanisms. It knows
// PLAIN and LOGIN. The default is PLAIN.
func WithLogin(user, password string, mechanisms ...string) Option {
	return func(s *Server) {
		if len(mechanisms) == 0 {
			mechanisms = []string{"PLAIN"}
		}
		s.login = login{user, password, mechanisms}
	}
}

// WithDSN makes the server offer delivery reports (RFC 3461). It makes none.
func WithDSN() Option { return func(s *Server) { s.dsn = true } }

// Start starts a server on a free port. It stops when the test ends.
func Start(t testing.TB, options ...Option) *Server {
	t.Helper()
	s := &Server{
		t: t, address: "127.0.0.1:0", mode: "none",
		conns: map[net.Conn]bool{}, changed: make(chan struct{}), script: make(map[Step][]action),
	}
	for _, o := range options {
		o(s)
	}
	if s.mode != "none" {
		made := testkit.NewCertificate(t)
		pair, err := tls.X509KeyPair(made.Chain, made.Key)
		testkit.Must(t, err)
		s.tls, s.roots = &tls.Config{Certificates: []tls.Certificate{pair}}, made.Roots
	}
	s.Up()
	t.Cleanup(s.Down)
	return s
}

// URL returns the server's URL in the form of --smtp-url (rule R5c). It has user and password if the server requires
// login.
func (s *Server) URL() string {
	u := url.URL{Scheme: "smtp", Host: s.address, RawQuery: "tls=" + s.mode}
	if s.login.user != "" {
		u.User = url.UserPassword(s.login.user, s.login.password)
	}
	return u.String()
}

// Roots returns the pool that accepts the certificate of a server with TLS, nil for a server without TLS.
func (s *Server) Roots() *x509.CertPool { return s.roots }

// Messages returns the accepted e-mails in the order of acceptance.
func (s *Server) Messages() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.messages)
}

// Connections returns how many connections the server has taken.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}

// Wait returns the messages as soon as there are at least n. The test fails if they do not come.
func (s *Server) Wait(n int) []Message {
	s.t.Helper()
	deadline := time.After(testkit.Patience)
	for {
		s.mu.Lock()
		messages, changed := slices.Clone(s.messages), s.changed
		s.mu.Unlock()
		if len(messages) >= n {
			return messages
		}
		select {
		case <-changed:
		case <-deadline:
			s.t.Fatalf("the mail server got %d e-mails, want %d", len(messages), n)
		}
	}
}

func (s *Server) accept(m Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m.At = clock.System{}.Now()
	s.messages = append(s.messages, m)
	close(s.changed)
	s.changed = make(chan struct{})
}

// Down closes all connections and refuses new ones.
func (s *Server) Down() {
	s.mu.Lock()
	if s.listener != nil {
		_ = s.listener.Close() // An error would only say that it is closed.
		s.listener = nil
		close(s.down)
	}
	for c := range s.conns {
		_ = c.Close() // The client may have been faster.
	}
	s.mu.Unlock()
	s.sessions.Wait()
}

// Up accepts clients again after Down, at the same address.
func (s *Server) Up() {
	s.t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(context.Background(), "tcp", s.address)
	if err != nil {
		s.t.Fatalf("start a mail server: %v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listener, s.down = listener, make(chan struct{})
	s.address = listener.Addr().String()
	s.sessions.Go(func() { s.serve(listener) })
}

// serve accepts connections until the listener is closed.
func (s *Server) serve(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		if !s.register(listener, conn) {
			return
		}
		s.sessions.Go(func() {
			s.converse(conn)
			s.forget(conn)
		})
	}
}

// register keeps the connection for Down. It reports false if Down was called first.
func (s *Server) register(listener net.Listener, conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener != listener {
		_ = conn.Close() // Nothing was said on it.
		return false
	}
	s.conns[conn] = true
	s.taken++
	return true
}

func (s *Server) forget(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = conn.Close() // The client may have been faster.
	delete(s.conns, conn)
}
