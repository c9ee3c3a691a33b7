// Package guard bounds what callers can take of the server: time, requests, bytes, and attempts at a key. It
// knows nothing of routes, of resources or of the database.
package guard

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"purr/clock"
)

// Timeouts is how long a client may take over its side of a request.
type Timeouts struct {
	Header time.Duration // for TLS and the headers of a request
	Idle   time.Duration // between two requests on a connection
	Body   time.Duration // to send a body, beside the time that Rate gives for the bytes that have come
	Answer time.Duration // to take an answer, beside the time that Rate gives for its length
	Rate   int64         // bytes a second
}

// DefaultTimeouts let a payment file of 256 MiB come over half a megabit a second. A client that sends or
// takes next to nothing is cut off within a minute or so.
var DefaultTimeouts = Timeouts{Header: 10 * time.Second, Idle: 2 * time.Minute, Body: 30 * time.Second, Answer: 30 * time.Second, Rate: 64 << 10}

// maxHeader is how many bytes of headers a request may have.
const maxHeader = 64 << 10

// Server returns an HTTP server that answers with the handler and holds its clients to the timeouts. With a
// TLSConfig it speaks HTTP/2 too.
func (t Timeouts) Server(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: t.Header, WriteTimeout: t.Answer, IdleTimeout: t.Idle, MaxHeaderBytes: maxHeader,
		HTTP2:                        &http.HTTP2Config{SendPingTimeout: t.Idle, WriteByteTimeout: t.Answer},
		DisableGeneralOptionsHandler: true, // OPTIONS * is a path like others, with a request ID
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// timeOf is how long that many bytes may take.
func (t Timeouts) timeOf(size int64) time.Duration {
	return time.Duration(size) * time.Second / time.Duration(t.Rate)
}

// Receive holds the client to the timeouts with the request's body, whether it is read or not, and returns
// the request to go on with.
func (t Timeouts) Receive(w http.ResponseWriter, r *http.Request) *http.Request {
	if r.ProtoMajor == 2 {
		// HTTP/2 counts WriteTimeout from the request on, our work included. See Answering.
		setDeadline(http.NewResponseController(w).SetWriteDeadline, time.Time{})
	}
	if r.Body == http.NoBody {
		return r
	}
	b := &timedBody{ReadCloser: r.Body, timeouts: t, until: http.NewResponseController(w).SetReadDeadline}
	setDeadline(b.until, deadlines.Now().Add(t.Body))
	timed := *r // the server's own must keep its body, by which it knows what to do with the rest
	timed.Body = b
	return &timed
}

// Answering holds the client to the timeouts with an answer of so many bytes, which is written next. The
// server may wait for the rest of a body before it writes.
func (t Timeouts) Answering(w http.ResponseWriter, size int64) {
	setDeadline(http.NewResponseController(w).SetWriteDeadline, deadlines.Now().Add(t.Body+t.Answer+t.timeOf(size)))
}

// deadlines is the clock of connections: the operating system's, also where the program has a test clock.
var deadlines clock.System

// setDeadline sets a deadline of a connection. A connection without deadlines has no client who could be slow.
func setDeadline(set func(time.Time) error, at time.Time) { _ = set(at) }

// timedBody is a body that must come within the timeouts.
type timedBody struct {
	io.ReadCloser
	timeouts Timeouts
	until    func(deadline time.Time) error
	begun    time.Time // the first read; our own work may come before it
	came     int64     // bytes
	ended    bool      // from then on a deadline would break off the work on the request
}

func (b *timedBody) Read(to []byte) (int, error) {
	if b.begun.IsZero() {
		b.begun = deadlines.Now()
	}
	if !b.ended {
		setDeadline(b.until, b.begun.Add(b.timeouts.Body+b.timeouts.timeOf(b.came)))
	}
	n, err := b.ReadCloser.Read(to)
	b.came += int64(n)
	if errors.Is(err, io.EOF) && !b.ended {
		b.ended = true
		setDeadline(b.until, time.Time{})
	}
	return n, err
}
