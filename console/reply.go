package console

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"purr/api/guard"
	"purr/console/assets"
	"purr/models"
)

// reply is the answer to a request.
type reply struct {
	status      int
	page        string // the template that shows data; empty for another kind of answer
	data        page
	contentType string
	header      http.Header // added to the headers of every answer
	location    string
	body        []byte
	file        io.ReadCloser // written after the body; send closes it
	err         error         // the failure behind the answer; for the log
}

// page is what a template shows. Each page is a struct that embeds view.
type page interface{ frame() *view }

// show answers with a page.
func show(name string, data page) (reply, error) {
	return reply{status: http.StatusOK, page: name, data: data}, nil
}

// to answers with the way to another page.
func (rq *request) to(location string) reply {
	return reply{status: http.StatusSeeOther, location: location}
}

// refuse turns a page into the answer to a form that was refused.
func (a *reply) refuse(err error) {
	a.status, a.err = guard.StatusOf(models.KindOf(err)), err
	if pause := guard.RetryAfter(err); pause != "" {
		a.set("Retry-After", pause)
	}
}

func (a *reply) set(name, value string) {
	if a.header == nil {
		a.header = http.Header{}
	}
	a.header.Set(name, value)
}

// pdf answers with a PDF, which the browser shows.
func pdf(name string, content []byte) reply {
	a := reply{status: http.StatusOK, contentType: "application/pdf", body: content}
	a.set("Content-Disposition", fmt.Sprintf(`inline; filename="%s"`, name))
	a.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'self'")
	return a
}

const contentJSON = "application/json"

// progress answers a browser that asks how far it is with something. most is 0 if nobody knows how far there is to go.
func progress(text string, value, most int64, over bool) (reply, error) {
	body, err := json.Marshal(map[string]any{"text": text, "value": value, "max": most, "done": over})
	if err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusOK, contentType: contentJSON, body: body}, nil
}

// patience is how long a page waits for figures that are being counted for the first time.
const patience = time.Second

// counted returns figures that may take long to count. If there are none, and none are there soon, the page is shown without
// them, and the browser asks for them until they are.
func counted[T any](ctx context.Context, v *view, count func(context.Context) (T, error)) (figures T, err error) {
	v.counts = true
	soon, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if figures, err = count(soon); errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		v.Counting = true
		return figures, nil
	}
	return figures, err
}

// draw makes the HTML of a page.
func (rq *request) draw(a reply) (reply, error) {
	if a.page == "" {
		return a, nil
	}
	if v := a.data.frame(); v.counts && rq.query("part") == "progress" {
		return progress(rq.words.Say("layout.counting"), 0, 0, !v.Counting)
	}
	var b bytes.Buffer
	if err := rq.s.templates.draw(&b, rq.words.Language, a.page, a.data); err != nil {
		return reply{}, fmt.Errorf("draw the page %s: %w", a.page, err)
	}
	a.contentType, a.body = "text/html; charset=utf-8", b.Bytes()
	return a, nil
}

// send writes the answer to the connection. It ignores an error there: the browser is gone.
func (a reply) send(w http.ResponseWriter, r *http.Request, t guard.Timeouts) {
	h := w.Header()
	for name, values := range a.header {
		h[name] = values
	}
	if a.location != "" {
		h.Set("Location", a.location)
	}
	if a.contentType != "" {
		h.Set("Content-Type", a.contentType)
	}
	if a.file == nil {
		h.Set("Content-Length", strconv.Itoa(len(a.body)))
	} else {
		defer func() { _ = a.file.Close() }() // it was only read
	}
	w.WriteHeader(a.status)
	if r.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(a.body)
	if a.file == nil {
		return
	}
	if _, err := io.Copy(t.Streaming(w), a.file); err != nil {
		panic(http.ErrAbortHandler) // the browser must not take a part for the whole
	}
}

// asset answers with a file that pages load. It needs no session.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	f, found := assets.At(r.URL.Path)
	if !found {
		s.serve(route{path: "/"}).ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", f.Media)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	s.secureHeaders(w, r)
	s.cfg.Timeouts.Answering(w, int64(len(f.Content)))
	_, _ = w.Write(f.Content)
}
