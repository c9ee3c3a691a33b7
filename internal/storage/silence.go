package storage

import (
	"context"
	"net"
	"net/http"
	"time"

	"purr/internal/clock"
)

// How long purr waits for a server. A request ends, with all its tries, so that a caller of the API hears of it within 20 s
// (rules O7, K9).
const (
	connectTime = 3 * time.Second
	silence     = 20 * time.Second // of a connection in use
	requestTime = 14 * time.Second // of a request for something small
	perMiB      = 2 * time.Second  // more for what is larger
)

// within returns how long a request for so many bytes may take.
func within(size int64) time.Duration { return requestTime + time.Duration(size>>20)*perMiB }

// impatiently lets the connections of a transport break when the server falls silent.
func impatiently(t *http.Transport) {
	dialer := &net.Dialer{Timeout: connectTime}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return impatient{c}, nil
	}
	t.TLSHandshakeTimeout, t.IdleConnTimeout = connectTime, silence/2
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 4*atOnce, 4*atOnce
}

// impatient is a connection that breaks after a silence in both directions.
type impatient struct{ net.Conn }

func (c impatient) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(clock.System{}.Now().Add(silence)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

func (c impatient) Write(p []byte) (int, error) {
	if err := c.SetDeadline(clock.System{}.Now().Add(silence)); err != nil { // who waits for the answer waits from now on
		return 0, err
	}
	return c.Conn.Write(p)
}
