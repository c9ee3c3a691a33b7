package e2e_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"

	"purr/app"
	"purr/test/testkit/smtpserver"
)

// email is an e-mail as its receiver reads it.
type email struct {
	id, from, to, subject, text string
	attachment                  []byte
}

func parseEmail(t *testing.T, raw []byte) email {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	must(t, err)
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	must(t, err)
	from, err := m.Header.AddressList("From")
	must(t, err)
	to, err := m.Header.AddressList("To")
	must(t, err)
	e := email{id: m.Header.Get("Message-Id"), from: from[0].Name + " " + from[0].Address, to: to[0].Address, subject: subject}
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	must(t, err)
	parts := multipart.NewReader(m.Body, params["boundary"])
	for {
		part, err := parts.NextPart() // quoted-printable is decoded by it
		if errors.Is(err, io.EOF) {
			return e
		}
		must(t, err)
		content, err := io.ReadAll(part)
		must(t, err)
		if part.FileName() == "" {
			e.text = string(content)
			continue
		}
		e.attachment, err = base64.StdEncoding.DecodeString(strings.ReplaceAll(string(content), "\r\n", ""))
		must(t, err)
	}
}

// eachChannel runs the test in each setup with e-mails as files in the outbox, and with e-mails to a mail server.
// The function emails returns what has been sent, in order of the addresses.
func eachChannel(t *testing.T, test func(t *testing.T, in *installation, emails func() []email)) {
	t.Helper()
	t.Parallel()
	t.Run("outbox", func(t *testing.T) {
		eachSetup(t, func(t *testing.T, in *installation) {
			test(t, in, func() []email {
				return parseEmails(t, slices.Collect(maps.Values(readFolder(t, in.Path("outbox", "email")))))
			})
		})
	})
	t.Run("smtp", func(t *testing.T) {
		eachMailServer(t, func(t *testing.T, in *installation, server *smtpserver.Server) {
			test(t, in, func() []email {
				var raw [][]byte
				for _, m := range server.Messages() {
					raw = append(raw, m.Data)
				}
				return parseEmails(t, raw)
			})
		})
	})
}

// eachMailServer runs the test in each setup with a mail server of its own.
func eachMailServer(t *testing.T, test func(t *testing.T, in *installation, server *smtpserver.Server)) {
	t.Helper()
	var started sync.Map // by the test that each is of
	eachSetup(t, func(t *testing.T, in *installation) {
		server, _ := started.Load(t)
		test(t, in, server.(*smtpserver.Server))
	}, func(t testing.TB, c *app.Settings) {
		server := smtpserver.Start(t)
		started.Store(t, server)
		c.Mail.URL = server.URL()
	})
}

func parseEmails(t *testing.T, raw [][]byte) []email {
	t.Helper()
	var found []email
	for _, r := range raw {
		found = append(found, parseEmail(t, r))
	}
	slices.SortFunc(found, func(a, b email) int { return strings.Compare(a.to+a.id, b.to+b.id) })
	return found
}
