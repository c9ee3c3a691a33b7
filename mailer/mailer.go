// Package mailer sends documents by the channels by which they leave: e-mail, by SMTP or as files in an outbox folder;
// paper, as PDF files in that folder; and what the debt collector gets, as files in that folder or by SFTP. It knows
// nothing of the database or the queue. Its callers decide by the kind of an error when to try again: an error of
// models.KindUnavailable is worth another attempt, and one of models.KindInvalid is final (rule R5c). What a channel has
// accepted is a success, whatever happens afterwards.
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

// Channel is a way out for shipments.
type Channel interface {
	// HandOver gives a shipment to the channel. Once the channel has accepted it, HandOver returns the receipt: what the
	// channel answered. An error of models.KindInvalid says that the channel refuses it for good. Any other error says that
	// it is worth another attempt later.
	HandOver(ctx context.Context, p Parcel) (receipt string, err error)
}

// Parcel is a shipment as its channel gets it. The same Parcel always makes the same bytes.
type Parcel struct {
	Name string // models.Shipment.Name; part of an e-mail's Message-ID, and the file's name in an outbox
	PDF  []byte // the document; its first page has the address of a letter (rule D30)

	// The rest is of an e-mail alone.
	From           mail.Address // the creditor
	To             string       // a bare address
	Subject        string
	Text           string // plain text, lines ended by line feeds
	AttachmentName string
	Date           time.Time // of the shipment, not of the attempt, so that another attempt sends the same bytes
	Tag            string    // names the shipment in the envelope, for reports of what became of it (see shipments.Tag)
	// MayLeave is asked when all but the end of the e-mail is sent; its error keeps the e-mail back. Nil keeps nothing
	// back.
	MayLeave func() error
}

// Checker is a channel that can be asked whether it works without sending anything. Check returns nil if it does.
type Checker interface {
	Check(ctx context.Context) error
}

// CollectorSender is a channel to the debt collector. SendToCollector returns nil once the channel has the file. A
// file replaces one of the same name, so a repeated delivery leaves one file.
type CollectorSender interface {
	SendToCollector(ctx context.Context, name string, content []byte) error
}

// SentFile is a file that an outbox was given, as its name tells.
type SentFile struct {
	Path       string
	Kind       models.DocumentKind
	Number     int64 // of the document; of a notice, the invoice's
	ShipmentID int64
}

// sentFile reads the name of a file. It reports false for a file of another name.
func sentFile(path string) (SentFile, bool) {
	name, extension, _ := strings.Cut(filepath.Base(path), ".")
	if extension != "eml" && extension != "pdf" {
		return SentFile{}, false
	}
	kind, number, id, is := models.ParseShipmentName(name)
	return SentFile{path, kind, number, id}, is
}

// nameForm matches a name that is safe both as a file's name and in a Message-ID.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,99}$`)

func checkName(name string) error {
	if !nameForm.MatchString(name) {
		return fmt.Errorf("mailer: %q is not a name of letters, digits and hyphens", name)
	}
	return nil
}

// checkFileName fails if it is not such a name with an extension.
func checkFileName(name string) error {
	stem, _, extended := strings.Cut(name, ".")
	if !extended || filepath.Base(name) != name {
		return fmt.Errorf("mailer: %q is not the name of a file", name)
	}
	return checkName(stem)
}
