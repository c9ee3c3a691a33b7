package mailer

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"purr/models"
	"purr/test/testkit"
)

func mustMessage(t interface{ Fatal(...any) }, e Parcel) []byte {
	raw, err := message(e)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestMessageGolden(t *testing.T) {
	t.Parallel()
	e := anEmail()
	testkit.Golden(t, "testdata/with_attachment.eml", string(mustMessage(t, e)))
	e.PDF = nil
	testkit.Golden(t, "testdata/text_only.eml", string(mustMessage(t, e)))
}

func TestTheSameEmailMakesTheSameBytes(t *testing.T) {
	t.Parallel()
	if first, second := mustMessage(t, anEmail()), mustMessage(t, anEmail()); !bytes.Equal(first, second) {
		t.Errorf("the second time it was\n%s\nafter\n%s", second, first)
	}
}

func TestMessageRefusesWhatCannotBeSent(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*Parcel)
		kind   models.Kind
	}{
		{"a creditor without an address", func(e *Parcel) { e.Mail.From.Address = "" }, models.KindInvalid},
		{"no recipient", func(e *Parcel) { e.Mail.To = "" }, models.KindInvalid},
		{"a recipient without a host", func(e *Parcel) { e.Mail.To = "kari" }, models.KindInvalid},
		{"two recipients", func(e *Parcel) { e.Mail.To = "a@kunde.example, b@kunde.example" }, models.KindInvalid},
		{"a header hidden in the recipient", func(e *Parcel) { e.Mail.To = "a@kunde.example\r\nBcc: b@kunde.example" }, models.KindInvalid},
		{"an ID that leads out of the folder", func(e *Parcel) { e.Name = "../invoice" }, models.KindInternal},
		{"no ID", func(e *Parcel) { e.Name = "" }, models.KindInternal},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := anEmail()
			tt.change(&e)
			if raw, err := message(e); err == nil || models.KindOf(err) != tt.kind {
				t.Errorf("got the error %v of kind %d, want kind %d\n%s", err, models.KindOf(err), tt.kind, raw)
			}
		})
	}
}

// TestMessageReadsBack: whatever the texts are, a reader sees exactly them. No text can forge a header or a part.
func TestMessageReadsBack(t *testing.T) {
	t.Parallel()
	line := rapid.StringMatching(`[A-ZÆØÅa-zæøå0-9€&"<>,;:@%=?_.-]{1,12}( [A-ZÆØÅa-zæøå0-9€&"<>,;:@%=_.-]{1,40}){0,8}`)
	rapid.Check(t, func(rt *rapid.T) {
		e := anEmail()
		e.Mail.From.Name = line.Draw(rt, "name")
		e.Mail.Subject = "Faktura: " + line.Draw(rt, "subject")
		e.Mail.Text = strings.Join(rapid.SliceOfN(rapid.String(), 0, 5).Draw(rt, "text"), "\n")
		e.Mail.Text = strings.NewReplacer("\r", "").Replace(e.Mail.Text)
		e.PDF = rapid.SliceOfN(rapid.Byte(), 1, 3000).Draw(rt, "attachment")

		m := read(rt, mustMessage(rt, e))
		if m.from != e.Mail.From.Name || m.subject != e.Mail.Subject || m.text != e.Mail.Text || !bytes.Equal(m.attachment, e.PDF) {
			rt.Fatalf("sent %+v\nread %+v", e, m)
		}
	})
}

func TestMessageKeepsTextsOutOfTheHeader(t *testing.T) {
	t.Parallel()
	e := anEmail()
	e.Mail.Subject = "Faktura\r\nBcc: tyv@kunde.example"
	e.Mail.From.Name = "Per\r\nBcc: tyv@kunde.example"
	m, err := mail.ReadMessage(bytes.NewReader(mustMessage(t, e)))
	if err != nil {
		t.Fatal(err)
	}
	if m.Header.Get("Bcc") != "" {
		t.Errorf("a Bcc got in: %v", m.Header)
	}
}

func TestMessageIDTellsInstallationsApart(t *testing.T) {
	t.Parallel()
	one, other := anEmail(), anEmail()
	other.Date = one.Date.Add(time.Hour)
	if messageID(one) == messageID(other) {
		t.Errorf("both have the Message-ID %s", messageID(one))
	}
	if want := "invoice-10001-shipment-17.20260102091500@blabaer.example"; messageID(one) != want {
		t.Errorf("got the Message-ID %s, want %s", messageID(one), want)
	}
}

// received is an e-mail as its recipient sees it.
type received struct {
	from, subject, text string
	attachment          []byte
}

func read(t interface{ Fatal(...any) }, raw []byte) received {
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	must(err)
	from, err := mail.ParseAddress(m.Header.Get("From"))
	must(err)
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	must(err)
	_, parameters, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	must(err)
	parts := multipart.NewReader(m.Body, parameters["boundary"])
	part, err := parts.NextRawPart()
	must(err)
	text, err := io.ReadAll(quotedprintable.NewReader(part))
	must(err)
	part, err = parts.NextRawPart()
	must(err)
	attachment, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, part))
	must(err)
	if _, err := parts.NextRawPart(); !errors.Is(err, io.EOF) {
		t.Fatal("there is a third part:", err)
	}
	return received{from.Name, subject, strings.ReplaceAll(string(text), "\r\n", "\n"), attachment}
}

// TestNamesThatLookEncodedAreShownAsTheyAre reads the headers as a mail program does.
func TestNamesThatLookEncodedAreShownAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"=?utf-8?q?Skatteetaten?=", "Kari =?utf-8?b?U2thdHRlZXRhdGVu?=", "a =? b", "=?", "Ærlig =?x?= " + strings.Repeat("ø", 100), "Kari Nordmann", `"Kari" <k>`,
	} {
		e := anEmail()
		e.Mail.From.Name, e.Mail.Subject = name, "Faktura 1 fra "+name
		read, err := mail.ReadMessage(bytes.NewReader(mustMessage(t, e)))
		if err != nil {
			t.Fatal(err)
		}
		from, err := mail.ParseAddress(read.Header.Get("From"))
		if err != nil || from.Name != name || from.Address != e.Mail.From.Address {
			t.Errorf("From is read as %v, %v, want %q", from, err, name)
		}
		if subject, err := new(mime.WordDecoder).DecodeHeader(read.Header.Get("Subject")); err != nil || subject != e.Mail.Subject {
			t.Errorf("the subject is read as %q, %v, want %q", subject, err, e.Mail.Subject)
		}
	}
}
