package mailer

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wneessen/go-mail/smtp"

	"purr/models"
)

// Overrun is the most by which SMTP.SendEmail may outlast its context.
const Overrun = answerGrace + quitPatience

// How long a server may take.
const (
	dialTimeout  = 15 * time.Second // to answer the call
	sendTimeout  = 2 * time.Minute  // for the whole conversation
	answerGrace  = 8 * time.Second  // to accept a complete e-mail after the context has ended
	quitPatience = 2 * time.Second  // to say goodbye, when nothing hangs on it any more
)

// SMTP sends e-mails to one server, one connection for each. It may be used by many at once.
type SMTP struct {
	host, port     string
	mode           tlsMode
	tls            *tls.Config
	user, password string // both empty where the server asks for none
}

// String returns the URL of the server without user and password.
func (s *SMTP) String() string {
	return fmt.Sprintf("smtp://%s?tls=%s", s.address(), s.mode)
}

// GoString returns what String does, so that no form of printing shows the password.
func (s *SMTP) GoString() string { return s.String() }

func (s *SMTP) address() string { return net.JoinHostPort(s.host, s.port) }

// SendEmail sends the e-mail and returns nil once the server has accepted it, even when the goodbye
// fails. A 5xx reply and an invalid address are models.KindInvalid. All else is models.KindUnavailable,
// also where the connection broke before the server's answer was heard: the e-mail is then sent again,
// with the same Message-ID. When ctx ends, the e-mail is given up, but for a complete one the server's
// answer is awaited for up to Overrun.
func (s *SMTP) SendEmail(ctx context.Context, e Email) error {
	raw, err := message(e)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	err = s.deliver(ctx, e, raw)
	if err == nil {
		return nil
	}
	if reply, ok := errors.AsType[*textproto.Error](err); ok && reply.Code/100 == 5 {
		return &models.Error{Kind: models.KindInvalid, Code: "mail_refused", Msg: "the mail server refused the e-mail", Err: err}
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	return models.Unavailable("the mail server "+s.address(), err)
}

// deliver has the conversation with the server.
func (s *SMTP) deliver(ctx context.Context, e Email, raw []byte) error {
	dialer := net.Dialer{Timeout: dialTimeout}
	conn, err := dialer.DialContext(ctx, "tcp", s.address())
	if err != nil {
		return err
	}
	hangUp := func() { _ = conn.Close() }
	defer hangUp()
	stop := context.AfterFunc(ctx, hangUp)
	defer stop()

	client, err := s.open(conn)
	if err != nil {
		return err
	}
	body, err := envelope(client, e)
	if err != nil {
		return err
	}
	if _, err := body.Write(raw); err != nil {
		return fmt.Errorf("the e-mail's content: %w", err)
	}
	// Closing the body makes the e-mail complete. From here on the server may accept it, and who does not
	// wait to hear so sends it twice.
	if !stop() {
		return errors.New("given up before the e-mail was complete")
	}
	stop = context.AfterFunc(ctx, func() { time.AfterFunc(answerGrace, hangUp) })
	defer stop()
	if err := body.Close(); err != nil {
		return fmt.Errorf("after the e-mail: %w", err)
	}
	defer time.AfterFunc(quitPatience, hangUp).Stop()
	_ = client.Quit() // The e-mail is accepted, whatever the server says now.
	return nil
}

// open greets the server, encrypts the connection and signs in, as the URL says.
func (s *SMTP) open(conn net.Conn) (*smtp.Client, error) {
	if s.mode == implicitTLS {
		conn = tls.Client(conn, s.tls)
	}
	client, err := smtp.NewClient(conn, s.host)
	if err != nil {
		return nil, fmt.Errorf("greeting: %w", err)
	}
	name, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("name of this host: %w", err)
	}
	if err := client.Hello(name); err != nil {
		return nil, fmt.Errorf("EHLO: %w", err)
	}
	if s.mode == startTLS {
		if offered, _ := client.Extension("STARTTLS"); !offered {
			return nil, errors.New("the server does not offer STARTTLS")
		}
		if err := client.StartTLS(s.tls); err != nil {
			return nil, fmt.Errorf("STARTTLS: %w", err)
		}
	}
	if s.user == "" {
		return client, nil
	}
	return client, s.signIn(client)
}

// signIn proves who we are by PLAIN or else LOGIN: NewSMTP has seen to it that nobody listens.
func (s *SMTP) signIn(client *smtp.Client) error {
	_, offered := client.Extension("AUTH")
	mechanisms := strings.Fields(offered)
	var auth smtp.Auth
	switch {
	case slices.Contains(mechanisms, "PLAIN"):
		auth = smtp.PlainAuth("", s.user, s.password, s.host, s.mode == withoutTLS)
	case slices.Contains(mechanisms, "LOGIN"):
		auth = smtp.LoginAuth(s.user, s.password, s.host, s.mode == withoutTLS)
	default:
		return errors.New("the server offers neither AUTH PLAIN nor AUTH LOGIN")
	}
	err := client.Auth(auth)
	if reply, ok := errors.AsType[*textproto.Error](err); ok {
		// The reply's text is dropped: some servers repeat the command in it, and so the password.
		err = &textproto.Error{Code: reply.Code, Msg: "user and password were not accepted"}
	}
	if err != nil {
		return fmt.Errorf("AUTH: %w", err)
	}
	return nil
}

// envelope tells the server from whom and to whom, and returns the writer that takes the e-mail.
func envelope(client *smtp.Client, e Email) (io.WriteCloser, error) {
	// A server hands an e-mail that asks for SMTPUTF8 only to servers that know it too (RFC 6531).
	client.SkipSMTPUTF8(isASCII(e.From.Address + e.To))
	if err := client.Mail("<" + e.From.Address + ">"); err != nil {
		return nil, fmt.Errorf("MAIL FROM: %w", err)
	}
	if err := client.Rcpt("<" + e.To + ">"); err != nil {
		return nil, fmt.Errorf("RCPT TO: %w", err)
	}
	body, err := client.Data()
	if err != nil {
		return nil, fmt.Errorf("DATA: %w", err)
	}
	return body, nil
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
