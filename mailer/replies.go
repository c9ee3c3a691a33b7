package mailer

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/textproto"
	"strconv"

	"github.com/wneessen/go-mail/smtp"
)

// The most bytes of a server's replies. RFC 5321 (section 4.5.3.1.5) knows lines of up to 512.
const (
	longestLine  = 4 << 10  // of one line; a longer one ends the connection (rule D114)
	longestReply = 64 << 10 // of all that comes before the next word of ours, with what TLS adds
)

// errTooLong ends the connection to a server whose reply has no end.
var errTooLong = errors.New("the server's reply is too long")

// bounded is a connection that ends if the server says too much before it hears the next word of ours.
type bounded struct {
	net.Conn
	heard int // bytes since then
}

// Write says the next word.
func (b *bounded) Write(p []byte) (int, error) {
	b.heard = 0
	return b.Conn.Write(p)
}

// Read fails, and hangs up, once the server has said too much.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	if b.heard += n; b.heard > longestReply {
		return 0, errors.Join(errTooLong, b.Close())
	}
	return n, err
}

// lines is a connection that ends at a line that is too long.
type lines struct {
	net.Conn
	from  io.Reader
	off   bool   // what comes is no lines, but TLS
	begun []byte // of the line that is being read: its first bytes
	width int    // bytes of that line so far
}

// Read fails, and hangs up, once a line is too long.
func (l *lines) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	if l.off {
		return n, err
	}
	for part := range bytes.Lines(p[:n]) {
		if l.width == 0 {
			l.begun = bytes.Clone(part[:min(len(part), codeLength)])
		}
		if l.width += len(part); l.width > longestLine {
			return 0, errors.Join(&longLine{string(l.begun)}, l.Close())
		}
		if part[len(part)-1] == '\n' {
			l.width = 0
		}
	}
	return n, err
}

// codeLength is how many digits begin a reply.
const codeLength = 3

// longLine is the error of a line that is too long. The code of the reply stood at its beginning.
type longLine struct{ begins string }

// Error says it.
func (*longLine) Error() string { return errTooLong.Error() }

// startTLS encrypts the connection, and goes on reading it line by line.
func (l *lines) startTLS(client *smtp.Client, settings *tls.Config) error {
	l.off = true // what comes next is bounded all the same
	if err := client.StartTLS(settings); err != nil {
		return err
	}
	client.Text.Reader = textproto.Reader{R: bufio.NewReader(&lines{Conn: l, from: client.Text.R})}
	return nil
}

// accepts reports whether the answer to a complete e-mail accepts it: any 2xx does (rule D114), even one whose line has no
// end. It returns the answer as a receipt.
func accepts(err error) (receipt string, is bool) {
	if reply, said := errors.AsType[*textproto.Error](err); said {
		return strconv.Itoa(reply.Code) + " " + reply.Msg, reply.Code/100 == 2
	}
	if long, said := errors.AsType[*longLine](err); said && len(long.begins) == codeLength && long.begins[0] == '2' {
		return long.begins, true
	}
	return "", false
}
