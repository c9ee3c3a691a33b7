// Package bounce reads delivery reports: e-mails in which a mail server tells what became of an e-mail (RFC 3464). What
// it reads comes from anybody, and is believed in nothing: it says what a report tells and which tags stand in it. It
// knows nothing of shipments and keys, and opens nothing.
package bounce

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-message"
)

// MaxSize is how many bytes of an e-mail are read. What a report tells stands near its beginning; the e-mail that it is
// about follows, and is not looked at.
const MaxSize = 4 << 20

// The limits of what is read of one report.
const (
	maxDepth      = 5   // of parts within parts
	maxParts      = 100 // in all
	maxStatus     = 256 << 10
	maxRecipients = 100
	maxTags       = 20
)

// Report is a delivery report. Without recipients, the e-mail was none.
type Report struct {
	// Tags are what may name the shipment, ID-TOKEN, in the order in which they are to be tried: of the addresses in To,
	// Delivered-To and X-Original-To, and then of the Original-Envelope-Id (rule S3a).
	Tags       []string
	Sent       time.Time // when the report was written, by its Date; zero if it does not say
	Arrived    time.Time // when the e-mail had come to the server that reports; zero if it does not say
	Recipients []Recipient
	// CutOff says that the e-mail ends before its parts do: it may be half of one that is still being written.
	CutOff bool
}

// Recipient is what a report tells of one recipient.
type Recipient struct {
	Action     string    // failed, delayed, delivered, relayed or expanded, in small letters
	Status     string    // such as 5.1.1 (RFC 3463); may be empty
	Diagnostic string    // what a server said, without the kind of server; may be empty
	Attempted  time.Time // when it was last tried; zero if the report does not say
}

// Read reads an e-mail. It fails only if r does.
func Read(r io.Reader) (report Report, err error) {
	content, err := io.ReadAll(io.LimitReader(r, MaxSize))
	if err != nil {
		return Report{}, err
	}
	defer func() { // a fault in a library must not stop the program, again at each start
		if fault := recover(); fault != nil {
			report, err = Report{}, nil
		}
	}()
	p := &parser{}
	p.read(content)
	if len(content) == MaxSize {
		p.report.CutOff = false // it is longer than what was read
	}
	return p.report, nil
}

type parser struct {
	report Report
	parts  int
}

func (p *parser) read(content []byte) {
	content = withoutFromLine(content)
	entity, err := message.Read(bytes.NewReader(content))
	p.report.CutOff = !headerEnd.Match(content)
	if isUnreadable(err) {
		return
	}
	for _, name := range []string{"To", "Delivered-To", "X-Original-To"} {
		for fields := entity.Header.FieldsByKey(name); fields.Next(); {
			for _, found := range addressTag.FindAllStringSubmatch(fields.Value(), maxTags) {
				p.addTag(found[1])
			}
		}
	}
	p.report.Sent = date(entity.Header.Get("Date"))
	p.walk(entity, 0)
}

// withoutFromLine leaves out the line that mailboxes, and some programs that pipe an e-mail, put before it.
func withoutFromLine(content []byte) []byte {
	if bytes.HasPrefix(content, []byte("From ")) {
		_, content, _ = bytes.Cut(content, []byte("\n"))
	}
	return content
}

// isUnreadable reports whether an error leaves nothing to read. A character set or an encoding that is unknown leaves the
// bytes as they are.
func isUnreadable(err error) bool {
	return err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err)
}

// headerEnd is the blank line after a header.
var headerEnd = regexp.MustCompile(`\n\r?\n`)

// A tag in an address, bounce+ID-TOKEN@example.no, and by itself. Servers may change the case of letters.
var (
	addressTag = regexp.MustCompile(`\+([0-9]{1,18}-[0-9A-Za-z]{8,40})"?@`)
	bareTag    = regexp.MustCompile(`^[0-9]{1,18}-[0-9A-Za-z]{8,40}$`)
)

func (p *parser) addTag(tag string) {
	tag = strings.ToLower(tag)
	if len(p.report.Tags) < maxTags && !slices.Contains(p.report.Tags, tag) {
		p.report.Tags = append(p.report.Tags, tag)
	}
}

// walk looks for the part that is for programs. It looks into no e-mail that this one carries: what others have reported
// and somebody forwards or quotes is not told by this one's sender. It reports true if it has found the part.
func (p *parser) walk(entity *message.Entity, depth int) bool {
	kind, _, _ := entity.Header.ContentType() // what cannot be read is no report
	switch {
	case depth > 0 && (kind == "message/delivery-status" || kind == "message/global-delivery-status"):
		p.status(entity.Body)
		return true
	case !strings.HasPrefix(kind, "multipart/") || depth == maxDepth:
		return false
	}
	parts := entity.MultipartReader()
	for p.parts < maxParts {
		p.parts++
		part, err := parts.NextPart()
		if isUnreadable(err) {
			p.report.CutOff = p.report.CutOff || !errors.Is(err, io.EOF)
			return false
		}
		if p.walk(part, depth+1) {
			return true
		}
	}
	return false
}

// status reads what a report tells (RFC 3464, section 2): fields of the e-mail, and then fields of each recipient.
func (p *parser) status(body io.Reader) {
	content, err := io.ReadAll(io.LimitReader(body, maxStatus))
	p.report.CutOff = errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
	for _, group := range groups(content) {
		if id := group["original-envelope-id"]; bareTag.MatchString(id) {
			p.addTag(id)
		}
		if arrived, known := group["arrival-date"]; known && p.report.Arrived.IsZero() {
			p.report.Arrived = date(arrived)
		}
		action := strings.ToLower(firstWord(group["action"]))
		if !actions[action] || len(p.report.Recipients) == maxRecipients {
			continue
		}
		p.report.Recipients = append(p.report.Recipients, Recipient{
			Action: action, Status: statusForm.FindString(group["status"]), Diagnostic: diagnostic(group["diagnostic-code"]),
			Attempted: date(group["last-attempt-date"]),
		})
	}
}

var (
	actions    = map[string]bool{"failed": true, "delayed": true, "delivered": true, "relayed": true, "expanded": true}
	statusForm = regexp.MustCompile(`\b[245]\.[0-9]{1,3}\.[0-9]{1,3}\b`)
)

// groups returns groups of fields, which blank lines separate. Names are in small letters; of a field that comes twice
// the first counts. A line that is no field is left out.
func groups(content []byte) []map[string]string {
	var found []map[string]string
	group, last := map[string]string{}, ""
	lines := bufio.NewScanner(bytes.NewReader(append(content, "\n\n"...)))
	lines.Buffer(nil, maxStatus+2)
	for lines.Scan() {
		line := strings.TrimRight(lines.Text(), " \t\r")
		name, value, is := strings.Cut(line, ":")
		switch {
		case line == "":
			if len(group) > 0 {
				found = append(found, group)
			}
			group, last = map[string]string{}, ""
		case line[0] == ' ' || line[0] == '\t':
			if last != "" {
				group[last] += " " + strings.TrimSpace(line)
			}
		case is:
			if last = strings.ToLower(strings.TrimSpace(name)); group[last] != "" {
				last = ""
				continue
			}
			group[last] = strings.TrimSpace(value)
		}
	}
	return found
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return word
}

// diagnostic returns what a server said. Before that stands the kind of server, as in "smtp; 550 no such user".
func diagnostic(field string) string {
	if kind, said, is := strings.Cut(field, ";"); is && !strings.Contains(strings.TrimSpace(kind), " ") {
		return strings.TrimSpace(said)
	}
	return field
}

// date reads a date of a header, and returns zero for what is none.
func date(field string) time.Time {
	at, err := mail.ParseDate(strings.TrimSpace(field))
	if err != nil {
		return time.Time{}
	}
	return at
}

// Take reads all of an e-mail, as whoever pipes it expects, and keeps as much of it as Read would read.
func Take(r io.Reader) ([]byte, error) {
	kept, err := io.ReadAll(io.LimitReader(r, MaxSize))
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	if err != nil {
		return nil, fmt.Errorf("read the e-mail: %w", err)
	}
	return kept, nil
}
