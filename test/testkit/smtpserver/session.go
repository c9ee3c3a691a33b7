package smtpserver

import (
	"bufio"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"strings"
)

// errOver ends a conversation.
var errOver = errors.New("the conversation is over")

// session is one conversation.
type session struct {
	*Server
	conn   net.Conn
	in     *bufio.Reader
	secure bool
	user   string  // the user who has signed in
	mail   Message // the e-mail under way
	begun  bool    // there is one; a delivery report has no sender
}

// converse talks with a client until either hangs up.
func (s *Server) converse(conn net.Conn) {
	c := &session{Server: s}
	c.use(conn, false)
	if s.mode == "implicit" {
		c.use(tls.Server(conn, s.tls), true)
	}
	err := c.answer(Connect, 220, "mail.test ESMTP")
	for err == nil {
		var line string
		if line, err = c.line(); err == nil {
			err = c.command(line)
		}
	}
}

func (c *session) use(conn net.Conn, secure bool) {
	c.conn, c.in, c.secure = conn, bufio.NewReader(conn), secure
}

func (c *session) line() (string, error) {
	line, err := c.in.ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}

// say sends a reply, whose text may have several lines (RFC 5321, section 4.2).
func (c *session) say(code int, text string) error {
	lines := strings.Split(text, "\n")
	var b strings.Builder
	for _, l := range lines[:len(lines)-1] {
		fmt.Fprintf(&b, "%d-%s\r\n", code, l)
	}
	fmt.Fprintf(&b, "%d %s\r\n", code, lines[len(lines)-1])
	_, err := c.conn.Write([]byte(b.String()))
	return err
}

// answer replies as usual, or as the script says for the step. It returns errOver after a hang-up, and errRejected
// after another reply.
func (c *session) answer(at Step, code int, text string) error {
	return c.answerAfter(at, code, text, func() {})
}

// answerAfter does the same as answer, and calls the function right before the usual reply.
func (c *session) answerAfter(at Step, code int, text string, before func()) error {
	a := c.next(at)
	switch {
	case a.hangUp:
		return errOver
	case a.code != 0:
		if err := c.say(a.code, a.text); err != nil {
			return err
		}
		return errRejected
	}
	before()
	if err := c.say(code, text); err != nil {
		return err
	}
	if a.thenClose {
		return errOver
	}
	return nil
}

// errRejected means that the script replied with a rejection.
var errRejected = errors.New("rejected")

// command answers one command. An error ends the conversation.
func (c *session) command(line string) error {
	verb, rest, _ := strings.Cut(line, " ")
	var err error
	switch verb = strings.ToUpper(verb); verb {
	case "EHLO":
		err = c.answer(Hello, 250, c.capabilities())
	case "HELO":
		err = c.answer(Hello, 250, "mail.test")
	case "STARTTLS":
		err = c.startTLS()
	case "AUTH":
		err = c.auth(rest)
	case "MAIL":
		err = c.sender(rest)
	case "RCPT":
		err = c.recipient(rest)
	case "DATA":
		err = c.data()
	case "RSET":
		c.mail, c.begun = Message{}, false
		err = c.say(250, "flushed")
	case "NOOP":
		err = c.say(250, "still here")
	case "QUIT":
		if err = c.answer(Quit, 221, "bye"); err == nil {
			err = errOver
		}
	default:
		err = c.say(500, "command not recognized: "+line)
	}
	if errors.Is(err, errRejected) {
		return nil
	}
	return err
}

func (c *session) capabilities() string {
	lines := []string{"mail.test", "8BITMIME", "SMTPUTF8"}
	if c.dsn {
		lines = append(lines, "DSN")
	}
	if c.mode == "starttls" && !c.secure {
		return strings.Join(append(lines, "STARTTLS"), "\n")
	}
	if len(c.login.mechanisms) > 0 {
		lines = append(lines, "AUTH "+strings.Join(c.login.mechanisms, " "))
	}
	return strings.Join(lines, "\n")
}

func (c *session) startTLS() error {
	if c.mode != "starttls" || c.secure {
		return c.say(502, "no STARTTLS here")
	}
	if err := c.answer(StartTLS, 220, "go ahead"); err != nil {
		return err
	}
	c.use(tls.Server(c.conn, c.tls), true)
	return nil
}

func (c *session) auth(rest string) error {
	mechanism, initial, _ := strings.Cut(rest, " ")
	var user, password string
	var err error
	switch mechanism {
	case "PLAIN":
		var text string
		if text, err = decode(initial); err == nil {
			user, password, _ = strings.Cut(strings.TrimPrefix(text, "\x00"), "\x00")
		}
	case "LOGIN":
		if user, err = c.challenge("Username:"); err == nil {
			password, err = c.challenge("Password:")
		}
	default:
		return c.say(504, "unknown mechanism")
	}
	if err != nil {
		return err
	}
	if user != c.login.user || password != c.login.password {
		return c.say(535, "wrong user or password")
	}
	return c.answerAfter(Auth, 235, "welcome", func() { c.user = user })
}

// challenge asks for one text of AUTH LOGIN.
func (c *session) challenge(text string) (string, error) {
	if err := c.say(334, base64.StdEncoding.EncodeToString([]byte(text))); err != nil {
		return "", err
	}
	line, err := c.line()
	if err != nil {
		return "", err
	}
	return decode(line)
}

func decode(s string) (string, error) {
	b, err := base64.StdEncoding.DecodeString(s)
	return string(b), err
}

func (c *session) sender(rest string) error {
	address, parameters, ok := path(rest, "FROM:")
	switch {
	case !ok:
		return c.say(501, "want MAIL FROM:<address>")
	case len(c.login.mechanisms) > 0 && c.user == "":
		return c.say(530, "sign in first")
	}
	return c.answerAfter(Mail, 250, "ok", func() {
		c.mail = Message{From: address, User: c.user, TLS: c.secure, UTF8: strings.Contains(parameters, "SMTPUTF8"), FromParameters: parameters}
		c.begun = true
	})
}

func (c *session) recipient(rest string) error {
	address, parameters, ok := path(rest, "TO:")
	switch {
	case !ok:
		return c.say(501, "want RCPT TO:<address>")
	case !c.begun:
		return c.say(503, "MAIL first")
	}
	return c.answerAfter(Rcpt, 250, "ok", func() {
		c.mail.To, c.mail.ToParameters = append(c.mail.To, address), append(c.mail.ToParameters, parameters)
	})
}

// path reads "FROM:<address> parameters".
func path(s, prefix string) (address, parameters string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return "", "", false
	}
	address, parameters, ok = strings.Cut(s[len(prefix):], ">")
	address, opened := strings.CutPrefix(address, "<")
	return address, parameters, ok && opened
}

func (c *session) data() error {
	if len(c.mail.To) == 0 {
		return c.say(503, "RCPT first")
	}
	if err := c.answer(Data, 354, "end with a dot"); err != nil {
		return err
	}
	m := c.mail
	c.mail, c.begun = Message{}, false
	for {
		line, err := c.in.ReadBytes('\n')
		if err != nil {
			return err
		}
		if string(line) == ".\r\n" {
			break
		}
		if line[0] == '.' {
			line = line[1:]
		}
		m.Data = append(m.Data, line...)
	}
	return c.answerAfter(Content, 250, "accepted", func() { c.accept(m) })
}
