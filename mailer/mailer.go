// Package mailer sends documents by the channels by which they leave: e-mail, by SMTP or as files in an outbox folder;
// paper, as PDF files in that folder; and what the debt collector gets, as files in that folder or by SFTP. It knows
// nothing of the database or the queue. Its callers decide by the kind of an error when to try again: an error of
// models.KindUnavailable is worth another attempt, and one of models.KindInvalid is final (rule R5c). What a channel has
// accepted is a success, whatever happens afterwards.
package mailer

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"purr/models"
)

// EmailSender is a channel for e-mails. SendEmail returns nil once the channel has accepted the e-mail.
type EmailSender interface {
	SendEmail(ctx context.Context, e Email) error
}

// LetterSender is a channel for letters. SendLetter returns nil once the channel has accepted the letter.
type LetterSender interface {
	SendLetter(ctx context.Context, l Letter) error
}

// Checker is a channel that can be asked whether it works without sending anything. Check returns nil if it does.
type Checker interface {
	Check(ctx context.Context) error
}

// Letter is one document to go out on paper (rule D30). The address is printed on its first page.
type Letter struct {
	ID  string // see ShipmentID; the file's name in an outbox
	PDF []byte
}

// CollectorSender is a channel to the debt collector. SendToCollector returns nil once the channel has the file. A
// file replaces one of the same name, so a repeated delivery leaves one file.
type CollectorSender interface {
	SendToCollector(ctx context.Context, name string, content []byte) error
}

// ShipmentID returns the name of a shipment outside the program, such as "invoice-10001-shipment-17". number is
// the document's number; for a notice it is the invoice's. The name never changes, so the receiver recognises a
// shipment that is dispatched twice.
func ShipmentID(s models.Shipment, number int64) string {
	kind := strings.ReplaceAll(string(s.DocumentKind), "_", "-")
	return fmt.Sprintf("%s-%d-shipment-%d", kind, number, s.ID)
}

// shipmentFile matches the name of a file that an outbox was given for a shipment.
var shipmentFile = regexp.MustCompile(`^([a-z-]+)-([0-9]{1,18})-shipment-([0-9]{1,18})\.(?:eml|pdf)$`)

// SentFile is a file that an outbox was given, as its name tells.
type SentFile struct {
	Path       string
	Kind       models.DocumentKind
	Number     int64 // of the document; of a notice, the invoice's
	ShipmentID int64
}

// sentFile reads the name of a file. It reports false for a file of another name.
func sentFile(path string) (SentFile, bool) {
	parts := shipmentFile.FindStringSubmatch(filepath.Base(path))
	if parts == nil {
		return SentFile{}, false
	}
	number, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil {
		return SentFile{}, false
	}
	id, err := strconv.ParseInt(parts[3], 10, 64)
	if err != nil {
		return SentFile{}, false
	}
	return SentFile{path, models.DocumentKind(strings.ReplaceAll(parts[1], "-", "_")), number, id}, true
}

// idForm matches an ID that is safe both as a file's name and in a Message-ID.
var idForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,99}$`)

func checkID(id string) error {
	if !idForm.MatchString(id) {
		return fmt.Errorf("mailer: %q is not an ID of letters, digits and hyphens", id)
	}
	return nil
}

// checkFileName fails if a name is not an ID with an extension.
func checkFileName(name string) error {
	id, _, extended := strings.Cut(name, ".")
	if !extended || filepath.Base(name) != name {
		return fmt.Errorf("mailer: %q is not the name of a file", name)
	}
	return checkID(id)
}
