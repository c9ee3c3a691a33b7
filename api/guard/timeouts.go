// Package guard limits what callers can use of the server: time, requests, bytes, and attempts at a key. It knows
// nothing of routes, of resources or of the database.
package guard

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"purr/internal/clock"
)

// Timeouts is how long a client may take for its part of a request.
type Timeouts struct {
	Header time.Duration // for TLS and the headers of a request
	Idle   time.Duration // between two requests on a connection
	Body   time.Duration // to send a body, plus the time of the received bytes at Rate
	Answer time.Duration // to receive an answer, plus the time of its length at Rate
	Rate   int64         // bytes a second
}

// DefaultTimeouts lets a client send a payment file of 256 MiB at half a megabit a second. It cuts off a client that
// sends or receives almost nothing within about a minute.
var DefaultTimeouts = Timeouts{Header: 10 * time.Second, Idle: 2 * time.Minute, Body: 30 * time.Second, Answer: 30 * time.Second, Rate: 64 << 10}

// maxHeader is the most bytes that the headers of a request may have.
const maxHeader = 64 << 10

// Server returns an HTTP server that answers with the handler and applies the timeouts to its clients. With a
// TLSConfig it speaks HTTP/2 too.
func (t Timeouts) Server(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: t.Header, WriteTimeout: t.Answer, IdleTimeout: t.Idle, MaxHeaderBytes: maxHeader,
		HTTP2:                        &http.HTTP2Config{SendPingTimeout: t.Idle, WriteByteTimeout: t.Answer},
		DisableGeneralOptionsHandler: true, // OPTIONS * then gets a request ID as other paths do
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// timeOf returns how long size bytes may take.
func (t Timeouts) timeOf(size int64) time.Duration {
	return time.Duration(size) * time.Second / time.Duration(t.Rate)
}

// Receive applies the timeouts to the request's body, whether the handler reads it or not. It returns the request to
// use from then on.
func (t Timeouts) Receive(w http.ResponseWriter, r *http.Request) *http.Request {
	if r.ProtoMajor == 2 {
		// HTTP/2 counts WriteTimeout from the start of the request, our own work included. See Answering.
		setDeadline(http.NewResponseController(w).SetWriteDeadline, time.Time{})
	}
	if r.Body == http.NoBody {
		return r
	}
	b := &timedBody{ReadCloser: r.Body, timeouts: t, until: http.NewResponseController(w).SetReadDeadline}
	setDeadline(b.until, deadlines.Now().Add(t.Body))
	timed := *r // a copy: the server needs its own request with its own body
	timed.Body = b
	return &timed
}

// Answering applies the timeouts to an answer of size bytes, which the caller writes next. The server may wait for the
// rest of a body before it writes.
func (t Timeouts) Answering(w http.ResponseWriter, size int64) {
	setDeadline(http.NewResponseController(w).SetWriteDeadline, deadlines.Now().Add(t.Body+t.Answer+t.timeOf(size)))
}

// Streaming returns a writer of an answer whose length nobody knows: the timeouts count anew for each part that is written.
func (t Timeouts) Streaming(w http.ResponseWriter) io.Writer { return streaming{w, t} }

type streaming struct {
	w http.ResponseWriter
	t Timeouts
}

// Write writes a part of the answer.
func (s streaming) Write(part []byte) (int, error) {
	s.t.Answering(s.w, int64(len(part)))
	return s.w.Write(part)
}

// deadlines is the clock for connections: always the operating system's, even if the program has a test clock.
var deadlines clock.System

// setDeadline sets a deadline of a connection. It ignores the error of a connection that has no deadlines: such a
// connection has no slow client.
func setDeadline(set func(time.Time) error, at time.Time) { _ = set(at) }

// timedBody is a body that must arrive within the timeouts.
type timedBody struct {
	io.ReadCloser
	timeouts Timeouts
	until    func(deadline time.Time) error
	begun    time.Time // the first read; our own work may precede it
	came     int64     // bytes received
	ended    bool      // at the body's end; a later deadline would break off the work on the request
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
