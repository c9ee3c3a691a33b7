package api

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"purr/clock"
)

// Pace is how long a client may take over its side of a request.
type Pace struct {
	Header time.Duration // for TLS and the headers of a request
	Idle   time.Duration // between two requests on a connection
	Body   time.Duration // to send a body, beside what Rate gives for that which has come
	Answer time.Duration // to take an answer, beside what Rate gives for its length
	Rate   int64         // bytes a second
}

// DefaultPace lets a payment file of 256 MiB come over half a megabit a second, and gives up within a
// minute or so a client that sends or takes next to nothing.
var DefaultPace = Pace{Header: 10 * time.Second, Idle: 2 * time.Minute, Body: 30 * time.Second, Answer: 30 * time.Second, Rate: 64 << 10}

// maxHeader is how many bytes of headers a request may have.
const maxHeader = 64 << 10

// HTTP returns an HTTP server that answers with s and holds its clients to the pace. With a TLSConfig it
// speaks HTTP/2 too.
func (s *Server) HTTP() *http.Server {
	p := s.cfg.Pace
	return &http.Server{
		Handler: s, ReadHeaderTimeout: p.Header, WriteTimeout: p.Answer, IdleTimeout: p.Idle, MaxHeaderBytes: maxHeader,
		HTTP2:                        &http.HTTP2Config{SendPingTimeout: p.Idle, WriteByteTimeout: p.Answer},
		DisableGeneralOptionsHandler: true, // OPTIONS * is a path like others, with a request ID
		ErrorLog:                     slog.NewLogLogger(s.cfg.Log.Handler(), slog.LevelWarn),
	}
}

// timeOf is how long that many bytes may take.
func (p Pace) timeOf(size int64) time.Duration {
	return time.Duration(size) * time.Second / time.Duration(p.Rate)
}

// receive holds the client to the pace with the request's body, whether it is read or not, and returns the
// request to go on with.
func (p Pace) receive(w http.ResponseWriter, r *http.Request) *http.Request {
	if r.ProtoMajor == 2 {
		// HTTP/2 counts WriteTimeout from the request on, our work included. See answer.
		setDeadline(http.NewResponseController(w).SetWriteDeadline, time.Time{})
	}
	if r.Body == http.NoBody {
		return r
	}
	b := &pacedBody{ReadCloser: r.Body, pace: p, until: http.NewResponseController(w).SetReadDeadline}
	setDeadline(b.until, deadlines.Now().Add(p.Body))
	paced := *r // the server's own must keep its body, by which it knows what to do with the rest
	paced.Body = b
	return &paced
}

// answer holds the client to the pace with an answer of so many bytes, which is written next. The server
// may wait for the rest of a body before it writes.
func (p Pace) answer(w http.ResponseWriter, size int64) {
	setDeadline(http.NewResponseController(w).SetWriteDeadline, deadlines.Now().Add(p.Body+p.Answer+p.timeOf(size)))
}

// deadlines is the clock of connections: the operating system's, whatever the program goes by.
var deadlines clock.System

// setDeadline sets a deadline of a connection. One that takes none has no client who could be slow.
func setDeadline(set func(time.Time) error, at time.Time) { _ = set(at) }

// pacedBody is a body that must come at the pace.
type pacedBody struct {
	io.ReadCloser
	pace  Pace
	until func(deadline time.Time) error
	begun time.Time // the first read; our own work may come before it
	came  int64     // bytes
	ended bool      // from then on a deadline would end the work on the request instead
}

func (b *pacedBody) Read(to []byte) (int, error) {
	if b.begun.IsZero() {
		b.begun = deadlines.Now()
	}
	if !b.ended {
		setDeadline(b.until, b.begun.Add(b.pace.Body+b.pace.timeOf(b.came)))
	}
	n, err := b.ReadCloser.Read(to)
	b.came += int64(n)
	if errors.Is(err, io.EOF) && !b.ended {
		b.ended = true
		setDeadline(b.until, time.Time{})
	}
	return n, err
}
