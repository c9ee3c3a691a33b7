package mailer

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"purr/models"
)

// Channel is a way out for shipments.
type Channel interface {
	// HandOver gives a shipment to the channel, and returns the channel's answer once the channel has accepted it. A models.Refused
	// says that the channel refuses it for good. Any other error says that it is worth another attempt
	// later; the channel may have got it nevertheless.
	HandOver(ctx context.Context, p Parcel) (Answer, error)
}

// Answer is what a channel answered when it accepted a shipment.
type Answer struct {
	Receipt string
	// Pending says that the channel does not know yet whether it can send the shipment. The shipment stays owed, and the
	// channel, which must be an Asker, is asked with growing pauses.
	Pending bool
	// Ago is how long ago the shipment was sent, by the channel's own clock; 0 if that is now, or nobody knows.
	Ago time.Duration
	// Canceled is the answer of Cancel alone: the channel does not send the shipment.
	Canceled bool
	// Repeatable says that another HandOver of the same parcel does no harm: what it gives takes the place of this one.
	Repeatable bool
}

// Bulk is a channel that takes several shipments together for little more than one costs.
type Bulk interface {
	Channel
	// HandOverAll does with several parcels what HandOver does with one, and returns what came of each, in order.
	HandOverAll(ctx context.Context, ps []Parcel) []Result
}

// NotThere reports whether an error says that what was handed over surely has not reached the channel: nobody answered there, the certificate was
// not trusted, or the channel says that it broke off before all was there. Such an attempt may be made again by another way.
func NotThere(err error) bool {
	_, unfinished := errors.AsType[unfinishedError](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	dialed, is := errors.AsType[*net.OpError](err)
	return unfinished || untrusted || is && dialed.Op == "dial"
}

// unfinishedError is the error of an attempt that broke off before all of it had reached the channel.
type unfinishedError struct{ error }

// Unwrap returns the cause.
func (u unfinishedError) Unwrap() error { return u.error }

// Result is what came of a parcel that was handed over: an answer, or an error.
type Result struct {
	Answer
	Err error
}

// Asker is a channel that can be asked what became of a shipment.
type Asker interface {
	Channel
	// Ask asks for a shipment that the channel has accepted, or that may have reached it: an attempt broke off, or the
	// worker was killed before it noted the answer. Ask changes nothing. It returns a pending answer if that is not decided
	// yet, any other answer if the shipment is sent, and a models.Refused if it has failed. An error of
	// models.KindNotFound says that the channel knows no such shipment: it is handed over again. After any other error the
	// channel is asked again later.
	Ask(ctx context.Context, p Parcel) (Answer, error)
}

// Canceler is a channel that can take back what it has accepted.
type Canceler interface {
	Asker
	// Cancel takes back a shipment of which Ask has just said that it is pending. It returns a canceled answer if the channel
	// does not send it, a pending one if it will not or cannot say so yet, and any other answer if the shipment was sent
	// before: then Cancel came too late. After an error it is asked and canceled again later.
	Cancel(ctx context.Context, p Parcel) (Answer, error)
}

// Parcel is a shipment as its channel gets it. The same shipment always makes the same bytes, whatever the attempt.
type Parcel struct {
	Name           string // models.Shipment.Name; part of an e-mail's Message-ID, and a file's or a job's name
	ShipmentID     int64  // the last part of Name
	InstanceID     string // a UUID made from the installation and the shipment, never of another shipment
	Creditor       string // the creditor's organisation number
	DocumentKind   models.DocumentKind
	DocumentNumber int64            // of the document; of a notice, the invoice's
	Recipient      models.Recipient // the shipment's; of a copy, only the e-mail address
	PDF            []byte           // the document; its first page has the address of a letter (rule D30)
	Date           time.Time        // of the shipment, not of the attempt, so that another attempt sends the same bytes
	// Attempt counts the attempts since the shipment was made, or since a person last had it sent again.
	Attempt int
	// Receipt is what an earlier attempt was answered, if the channel has accepted the shipment and is asked what became
	// of it; else empty.
	Receipt string
	// DayOver says that the day on which the shipment may leave has ended: what its channel has accepted and not sent is to be
	// canceled (rule D94).
	DayOver bool
	// SinceRetry is how long ago a person last had it sent again, or 0 if none did. What the channel knows from before is of
	// an earlier round.
	SinceRetry time.Duration
	// MayLeave is asked at the last moment at which the shipment can be kept back; its error keeps it back. Nil keeps
	// nothing back.
	MayLeave func() error

	Mail Mail // zero unless the shipment is one by e-mail
	EHF  EHF  // zero unless it is one by EHF

	EFaktura EFaktura // zero unless it is one by eFaktura
}

// Mail is what an e-mail is besides the document that is attached to it.
type Mail struct {
	From           mail.Address // the creditor
	To             string       // a bare address
	Subject        string
	Text           string // plain text, lines ended by line feeds
	AttachmentName string
	Tag            string // names the shipment in the envelope, for reports of what became of it (see shipments.Tag)
}

// EHF is what the network of e-invoices gets.
type EHF struct {
	UBL    []byte // the document
	Sender string // the organisation number of the seller inside
}

// EFaktura is what the recipient's bank needs to pay an invoice.
type EFaktura struct {
	KID        string
	Account    string        // 11 digits
	Amount     models.Amount // in øre: what the invoice asks for, whatever was paid since
	DueDate    models.Date
	AvtaleGiro bool // the bank draws the amount by AvtaleGiro, and shows the invoice alone
}

// Leave asks MayLeave.
func (p Parcel) Leave() error {
	if p.MayLeave == nil {
		return nil
	}
	return p.MayLeave()
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
	Name       string
	Kind       models.DocumentKind
	Number     int64 // of the document; of a notice, the invoice's
	ShipmentID int64
	At         time.Time // when it was given, by the file's own time; zero if that cannot be told
}

// sentFile reads the name of a file. It reports false for a file of another name.
func sentFile(file string) (SentFile, bool) {
	name, extension, _ := strings.Cut(file, ".")
	if extension != "eml" && extension != "pdf" && extension != "xml" {
		return SentFile{}, false
	}
	kind, number, id, is := models.ParseShipmentName(name)
	return SentFile{Name: file, Kind: kind, Number: number, ShipmentID: id}, is
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
