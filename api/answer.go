package api

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	"purr/api/encode"
	"purr/api/guard"
	"purr/models"
)

// The media types of answers.
const (
	contentXML     = "application/xml; charset=utf-8"
	contentJSON    = "application/json"
	contentProblem = "application/problem+json"
)

// answer is the answer to a request.
type answer struct {
	status      int
	contentType string      // XML if empty
	header      http.Header // added to the headers of every answer
	location    string
	body        []byte
	file        io.ReadCloser    // written after the body; send closes it
	size        int64            // of the file, in bytes
	streamed    bool             // the file is written while it is read, and nobody knows its size
	made        *models.Document // a document that the request made; the queue is told of it after the commit

	code string // of the first fault; for the log
	err  error  // the failure behind the answer; for the log
}

// ok answers with a resource or a list.
func (rq *request) ok(resource any) (answer, error) { return rq.shown(http.StatusOK, resource) }

// shown answers with a resource or a list in the form that the request asks for (rule J1).
func (rq *request) shown(status int, resource any) (answer, error) {
	write, contentType := document, ""
	if rq.json {
		write, contentType = encode.JSON, contentJSON
	}
	body, err := write(resource)
	if err != nil {
		return answer{}, err
	}
	return answer{status: status, contentType: contentType, body: body}, nil
}

// created answers with a new resource and its address (rule D7).
func (rq *request) created(location string, resource any) (answer, error) {
	if err := rq.agrees(resource); err != nil {
		return answer{}, err
	}
	a, err := rq.shown(http.StatusCreated, resource)
	if err != nil {
		return answer{}, err
	}
	a.location = location
	return a, nil
}

// noContent answers with no body.
func noContent() answer { return answer{status: http.StatusNoContent} }

// file answers with a file. A browser shows it if the disposition is inline, and saves it if it is attachment.
func file(media, disposition, name string, content []byte) answer {
	header := http.Header{"Content-Disposition": {fmt.Sprintf(`%s; filename="%s"`, disposition, name)}}
	return answer{status: http.StatusOK, contentType: media, header: header, body: content}
}

// draft is a document that is being written. Its buffers serve one document after the other.
type draft struct {
	text bytes.Buffer
	end  *bufio.Writer // an encoder would make one of its own
}

var drafts = sync.Pool{New: func() any {
	d := new(draft)
	d.end = bufio.NewWriter(&d.text)
	return d
}}

// mostKept is the size in bytes of the largest buffer that serves again.
const mostKept = 64 << 10

// document returns the XML document of a resource (rule D4).
func document(resource any) ([]byte, error) {
	d := drafts.Get().(*draft) //nolint:errcheck // nothing else is in it
	d.text.Reset()
	d.text.WriteString(xml.Header)
	if err := xml.NewEncoder(d.end).Encode(resource); err != nil {
		return nil, fmt.Errorf("write a %T as XML: %w", resource, err) // what is left in the buffers goes with them
	}
	d.text.WriteByte('\n')
	if d.text.Cap() > mostKept {
		return d.text.Bytes(), nil
	}
	defer drafts.Put(d)
	return bytes.Clone(d.text.Bytes()), nil
}

// send writes the answer to the connection. It ignores an error there: the caller is gone.
func (a answer) send(w http.ResponseWriter, t guard.Timeouts) {
	h := w.Header()
	for name, values := range a.header {
		h[name] = values
	}
	if a.location != "" {
		h.Set("Location", a.location)
	}
	if a.status != http.StatusNoContent {
		h.Set("Content-Type", a.contentType)
		if a.contentType == "" {
			h.Set("Content-Type", contentXML)
		}
		if !a.streamed {
			h.Set("Content-Length", strconv.FormatInt(a.length(), 10))
		}
	}
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body)
	if a.file == nil {
		return
	}
	defer func() { _ = a.file.Close() }() // an error is harmless: the file was only read
	if _, err := io.Copy(t.Streaming(w), a.file); err != nil && a.streamed {
		panic(http.ErrAbortHandler) // the caller must not take a part for the whole
	}
}

// length returns the number of bytes in the answer.
func (a answer) length() int64 { return int64(len(a.body)) + a.size }
