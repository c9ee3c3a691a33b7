package mailer

import (
	"context"
	"fmt"
	"net/mail"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"purr/models"
)

// Email is one e-mail to one address. The same Email always makes the same bytes.
type Email struct {
	ID             string       // see ShipmentID; part of the Message-ID, and the file's name in an outbox
	From           mail.Address // the creditor
	To             string       // a bare address
	Subject        string
	Text           string // plain text, lines ended by line feeds
	AttachmentName string
	Attachment     []byte    // a PDF; none where empty
	Date           time.Time // of the shipment, not of the attempt, so that another attempt sends the same bytes
}

// Letter is one document to go out on paper (rule D30). The address is printed on its first page.
type Letter struct {
	ID  string // see ShipmentID; the file's name in an outbox
	PDF []byte
}

// EmailSender is a channel for e-mails. SendEmail returns nil once the channel has accepted the e-mail.
type EmailSender interface {
	SendEmail(ctx context.Context, e Email) error
}

// LetterSender is a channel for letters. SendLetter returns nil once the channel has accepted the letter.
type LetterSender interface {
	SendLetter(ctx context.Context, l Letter) error
}

// CollectorSender is a channel to the debt collector. SendToCollector returns nil once the channel has the file; one
// of the same name takes its place, so that what is delivered twice is there once.
type CollectorSender interface {
	SendToCollector(ctx context.Context, name string, content []byte) error
}

// ShipmentID returns the name under which a shipment is known outside, "invoice-10001-shipment-17".
// The number is the document's, of a notice its invoice's. It never changes, so a shipment that is
// handed over twice is recognised as one.
func ShipmentID(s models.Shipment, number int64) string {
	kind := strings.ReplaceAll(string(s.DocumentKind), "_", "-")
	return fmt.Sprintf("%s-%d-shipment-%d", kind, number, s.ID)
}

// idForm is what is safe both as a file's name and in a Message-ID.
var idForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,99}$`)

// checkFileName fails where a name is not an ID with an extension.
func checkFileName(name string) error {
	id, _, extended := strings.Cut(name, ".")
	if !extended || filepath.Base(name) != name {
		return fmt.Errorf("mailer: %q is not the name of a file", name)
	}
	return checkID(id)
}

func checkID(id string) error {
	if !idForm.MatchString(id) {
		return fmt.Errorf("mailer: %q is not an ID of letters, digits and hyphens", id)
	}
	return nil
}
