package mailer

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/wneessen/go-mail/smtp"

	"purr/models"
)

// Longest is the longest time that SMTP.HandOver may take.
const Longest = sendTimeout + answerTimeout + quitTimeout

// How long a server may take.
const (
	dialTimeout   = 15 * time.Second // to accept the connection
	sendTimeout   = 2 * time.Minute  // for the conversation until the e-mail is complete
	answerTimeout = 10 * time.Minute // to accept the complete e-mail, as RFC 5321, section 4.5.3.2.6, says
	quitTimeout   = 2 * time.Second  // to answer the QUIT, whose answer does not matter
)

// SMTP sends e-mails to one server, many by one connection. It is safe for concurrent use, once its fields are set.
type SMTP struct {
	// BounceAddress gets what the mail servers report of the e-mails, each under an address of its own that is made of this
	// one and the shipment (rule S3). If it is empty, the creditor gets it.
	BounceAddress string
	DKIM          *DKIM // signs the e-mails; nil signs none
	Public        bool  // only a public address is connected to

	host, port     string
	mode           tlsMode
	tls            *tls.Config
	user, password string // both empty if the server asks for none
	kept           kept
	version        atomic.Uint32 // of TLS, on the newest connection; 0 before there was one
}

// String returns the URL of the server without user and password.
func (s *SMTP) String() string {
	return fmt.Sprintf("smtp://%s?tls=%s", s.address(), s.mode)
}

// GoString returns what String does, so that no form of printing shows the password.
func (s *SMTP) GoString() string { return s.String() }

func (s *SMTP) address() string { return net.JoinHostPort(s.host, s.port) }

// errOfSender says that the server has refused before it heard of the recipient: who signs in, or the sender's address.
var errOfSender = errors.New("before it heard of the recipient")

// HandOver sends the e-mail and returns the server's answer once it has accepted the e-mail. A 5xx reply and an invalid
// address are refusals, for a fault of the settings if the recipient has no part in it, and nobody's yet if the reply does not say
// whose fault it is (rule D107). All other
// errors are of models.KindUnavailable, also if the connection breaks before the server's answer. The next attempt then sends
// the e-mail with the same Message-ID. If ctx ends, HandOver gives up an e-mail that is not complete. For the answer to a
// complete e-mail it waits on: the server may have accepted it.
func (s *SMTP) HandOver(ctx context.Context, p Parcel) (Answer, error) {
	raw, err := signed(p, s.DKIM)
	if err != nil {
		return Answer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	receipt, err := s.deliver(ctx, p, raw)
	if err == nil {
		return Answer{Receipt: receipt}, nil
	}
	if reply, ok := errors.AsType[*textproto.Error](err); ok && reply.Code/100 == 5 {
		blame := models.BlameOfReply(reply.Code, reply.Msg)
		if errors.Is(err, errOfSender) {
			blame = models.BlameSettings
		}
		return Answer{}, models.Refuse(blame, err, "the mail server refused the e-mail")
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	return Answer{}, models.Unavailable("the mail server "+s.address(), err)
}

// deliver has the conversation with the server, and returns its answer to the complete e-mail.
func (s *SMTP) deliver(ctx context.Context, p Parcel, raw []byte) (answer string, err error) {
	accepted, complete := false, false
	defer func() {
		if err != nil && !complete {
			err = unfinishedError{err}
		}
	}()
	c, body, stop, err := s.begin(ctx, p)
	if err != nil {
		return "", err
	}
	defer stop()
	defer func() {
		if !accepted {
			c.hangUp()
		}
	}()
	if _, err := body.Write(raw); err != nil {
		return "", fmt.Errorf("the e-mail's content: %w", err)
	}
	// Closing the body completes the e-mail. From here on the server may accept it. Without a wait for its answer,
	// the e-mail would be sent twice.
	if p.MayLeave != nil {
		if err := p.MayLeave(); err != nil {
			return "", fmt.Errorf("given up before the e-mail was complete: %w", err)
		}
	}
	if !stop() {
		return "", errors.New("given up before the e-mail was complete")
	}
	complete = true
	defer time.AfterFunc(answerTimeout, c.hangUp).Stop()
	if err := body.Close(); err != nil {
		if receipt, is := accepts(err); is { // by another code than 250, after which the connection is not used again
			return receipt, nil
		}
		return "", fmt.Errorf("after the e-mail: %w", err)
	}
	accepted = true
	answer = "250"
	if said, is := body.(*smtp.DataCloser); is {
		answer += " " + said.ServerResponse()
	}
	s.kept.keep(c)
	return answer, nil
}

// open sends the EHLO, encrypts the connection and signs in, as the URL says.
func (s *SMTP) open(conn net.Conn) (*smtp.Client, error) {
	conn = &bounded{Conn: conn}
	if s.mode == implicitTLS {
		conn = tls.Client(conn, s.tls)
	}
	replies := &lines{Conn: conn, from: conn}
	client, err := smtp.NewClient(replies, s.host)
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
		if err := replies.startTLS(client, s.tls); err != nil {
			return nil, fmt.Errorf("STARTTLS: %w", err)
		}
	}
	if s.user == "" {
		return client, nil
	}
	return client, s.signIn(client)
}

// signIn signs in by PLAIN or else LOGIN. NewSMTP has ensured that no password is sent unencrypted unless that is meant. The client
// cannot see that a connection is TLS from its first byte on.
func (s *SMTP) signIn(client *smtp.Client) error {
	_, offered := client.Extension("AUTH")
	mechanisms := strings.Fields(offered)
	var auth smtp.Auth
	switch {
	case slices.Contains(mechanisms, "PLAIN"):
		auth = smtp.PlainAuth("", s.user, s.password, s.host, s.mode != startTLS)
	case slices.Contains(mechanisms, "LOGIN"):
		auth = smtp.LoginAuth(s.user, s.password, s.host, s.mode != startTLS)
	default:
		return errors.New("the server offers neither AUTH PLAIN nor AUTH LOGIN")
	}
	err := client.Auth(auth)
	if reply, ok := errors.AsType[*textproto.Error](err); ok {
		// The reply's text is dropped: some servers repeat the command in it, with the password.
		err = &textproto.Error{Code: reply.Code, Msg: "user and password were not accepted"}
	}
	if err != nil {
		return fmt.Errorf("AUTH: %w", err)
	}
	return nil
}

// envelope tells the server the sender and the recipient, and returns the writer that takes the e-mail. Where the server
// can, it asks for reports of failure and delay, with the header of the e-mail alone (RFC 3461, rule S3a).
func (s *SMTP) envelope(client *smtp.Client, p Parcel) (io.WriteCloser, error) {
	// A server relays an e-mail that asks for SMTPUTF8 only to servers that support it too (RFC 6531).
	beyondASCII := func(r rune) bool { return r >= utf8.RuneSelf }
	client.SkipSMTPUTF8(!strings.ContainsFunc(p.Mail.From.Address+p.Mail.To, beyondASCII))
	client.SetDSNMailReturnOption("HDRS")
	client.SetDSNRcptNotifyOption("FAILURE,DELAY")
	from := "<" + s.sender(p) + ">"
	if reports, _ := client.Extension("DSN"); reports && p.Mail.Tag != "" {
		from += " ENVID=" + p.Mail.Tag
	}
	if err := client.Mail(from); err != nil {
		return nil, fmt.Errorf("MAIL FROM, %w: %w", errOfSender, err)
	}
	if err := client.Rcpt("<" + p.Mail.To + ">"); err != nil {
		return nil, fmt.Errorf("RCPT TO: %w", err)
	}
	body, err := client.Data()
	if err != nil {
		return nil, fmt.Errorf("DATA: %w", err)
	}
	return body, nil
}

// sender returns the address in the envelope to which reports of what became of the e-mail go: bounce+ID-TOKEN@DOMAIN, or
// the creditor's.
func (s *SMTP) sender(p Parcel) string {
	local, domain, is := strings.Cut(s.BounceAddress, "@")
	if !is || p.Mail.Tag == "" {
		return p.Mail.From.Address
	}
	return local + "+" + p.Mail.Tag + "@" + domain
}

// tlsMode says how a connection is encrypted.
type tlsMode string

const (
	startTLS    tlsMode = "starttls" // required, on the open connection
	implicitTLS tlsMode = "implicit" // from the first byte
	withoutTLS  tlsMode = "none"
)

// usualPorts are the ports of RFC 6409, RFC 8314 and RFC 5321.
var usualPorts = map[tlsMode]string{startTLS: "587", implicitTLS: "465", withoutTLS: "25"}

// errURLForm is the error for a URL that cannot be read. It quotes nothing: any part of such a URL may be part of a
// password.
var errURLForm = errors.New("the SMTP URL must have the form smtp://USER:PASSWORD@HOST:PORT?tls=starttls|implicit|none, " +
	"with special characters in USER and PASSWORD written as %XX")

// NewSMTP returns the channel to the server of the URL smtp://USER:PASSWORD@HOST:PORT?tls=starttls|implicit|none (rule
// R5c). USER and PASSWORD may be omitted together. tls is starttls by default. PORT is by default 587 for starttls, 465
// for implicit and 25 for none. A password goes without encryption only if plain says so (rule Q1). NewSMTP does not connect. Its errors
// never contain the password.
func NewSMTP(rawURL string, plain bool) (*SMTP, error) {
	u, err := url.Parse(rawURL)
	if err != nil || strings.Contains(u.Path+u.RawQuery+u.Fragment, "@") {
		return nil, errURLForm
	}
	if u.Scheme != "smtp" {
		return nil, errors.New("the SMTP URL must begin with smtp://")
	}
	if u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.Fragment != "" {
		return nil, errURLForm
	}
	mode, err := tlsModeOf(u)
	if err != nil {
		return nil, err
	}
	port := cmp.Or(u.Port(), usualPorts[mode])
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return nil, fmt.Errorf("the SMTP URL's port must be from 1 to 65535, not %s", port)
	}
	s := &SMTP{
		host: u.Hostname(), port: port, mode: mode,
		tls: &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12},
	}
	s.tls.VerifyConnection = func(c tls.ConnectionState) error { // after the certificate was verified
		s.version.Store(uint32(c.Version))
		return nil
	}
	if u.User != nil {
		s.user = u.User.Username()
		s.password, _ = u.User.Password()
		if s.user == "" || s.password == "" {
			return nil, errors.New("the SMTP URL must have both a user and a password, or neither")
		}
		if mode == withoutTLS && !plain {
			return nil, fmt.Errorf("the SMTP URL would send the password to %s without encryption: use tls=starttls or tls=implicit, or set smtp-plain if that is meant", s.host)
		}
	}
	return s, nil
}

func tlsModeOf(u *url.URL) (tlsMode, error) {
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return "", errURLForm
	}
	mode := startTLS
	for name, values := range query {
		if name != "tls" {
			return "", fmt.Errorf("the SMTP URL has an unknown parameter %q: it takes only tls", name)
		}
		if mode = tlsMode(values[0]); usualPorts[mode] == "" || len(values) > 1 {
			return "", fmt.Errorf("the SMTP URL's tls must be one of starttls, implicit and none, not %q", strings.Join(values, ","))
		}
	}
	return mode, nil
}
