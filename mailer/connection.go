package mailer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"sync"
	"time"

	"github.com/wneessen/go-mail/smtp"

	"purr/internal/address"
)

const (
	// keepFor is how long a connection waits for the next e-mail. Mail servers wait for minutes.
	keepFor = 5 * time.Second
	// mostSent is how many e-mails go by one connection. Some servers take no more.
	mostSent = 100
)

// connection is a connection to the mail server on which e-mails may be sent: it is encrypted and signed in, as the URL says.
type connection struct {
	conn   net.Conn
	client *smtp.Client
	sent   int
	expiry *time.Timer // while it is kept
}

func (c *connection) hangUp() { _ = c.conn.Close() }

// quit says goodbye. It does not matter what the server says to that.
func (c *connection) quit() {
	defer time.AfterFunc(quitTimeout, c.hangUp).Stop()
	_ = c.client.Quit()
	c.hangUp()
}

// kept are the connections that wait for the next e-mail. A connection is in use, or it is kept.
type kept struct {
	mu   sync.Mutex
	idle []*connection
}

// take takes the connection that was used last, or nil if none is kept.
func (k *kept) take() *connection {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.idle) == 0 {
		return nil
	}
	last := len(k.idle) - 1
	c := k.idle[last]
	k.idle = k.idle[:last]
	c.expiry.Stop()
	return c
}

// keep keeps a connection whose e-mail was accepted.
func (k *kept) keep(c *connection) {
	if c.sent++; c.sent >= mostSent {
		go c.quit()
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.idle = append(k.idle, c)
	c.expiry = time.AfterFunc(keepFor, func() { k.drop(c) })
}

// drop ends a connection that has waited for too long, unless it was taken.
func (k *kept) drop(c *connection) {
	k.mu.Lock()
	for i, other := range k.idle {
		if other == c {
			k.idle = append(k.idle[:i], k.idle[i+1:]...)
			k.mu.Unlock()
			c.quit()
			return
		}
	}
	k.mu.Unlock()
}

// begin has the conversation until the server takes the content of the e-mail. It uses a connection that was kept, if there
// is one. The server may have closed that one meanwhile: then begin tries the next one, and at last a new one. The end of
// ctx hangs up, until stop is called.
func (s *SMTP) begin(ctx context.Context, p Parcel) (c *connection, body io.WriteCloser, stop func() bool, err error) {
	for {
		c = s.kept.take()
		old := c != nil
		if !old {
			if c, err = s.connect(ctx); err != nil {
				return nil, nil, nil, fmt.Errorf("%w: %w", errOfSender, err)
			}
		}
		stop = context.AfterFunc(ctx, c.hangUp)
		if body, err = s.envelope(c.client, p); err == nil {
			return c, body, stop, nil
		}
		stop()
		c.hangUp()
		reply, said := errors.AsType[*textproto.Error](err)
		if closed := !said || reply.Code == goodbye; !old || !closed || ctx.Err() != nil {
			return nil, nil, nil, err
		}
	}
}

// goodbye is the code with which a server ends a connection (RFC 5321, section 3.8).
const goodbye = 421

// connect makes a new connection.
func (s *SMTP) connect(ctx context.Context) (*connection, error) {
	dialer := net.Dialer{Timeout: dialTimeout}
	if s.Public {
		address.OnlyPublic(&dialer)
	}
	conn, err := dialer.DialContext(ctx, "tcp", s.address())
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	client, err := s.open(conn)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return &connection{conn: conn, client: client}, nil
}
