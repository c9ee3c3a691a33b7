// Package peppol knows the network over which e-invoices go: its identifiers, its envelope, how to look up what a business
// receives, and the channels that lead there: a folder, SFTP, and an access point's REST interface. It knows nothing of the
// database or the queue, makes no documents, and is no access point itself.
package peppol

import (
	"fmt"

	"github.com/google/uuid"

	"purr/documents/ehf"
	"purr/models"
)

// The schemes of Peppol's identifiers. Full identifiers have their scheme and two colons before them.
const (
	ParticipantScheme = "iso6523-actorid-upis"
	documentScheme    = "busdox-docid-qns"
	processScheme     = "cenbii-procid-ubl"
)

// Participant returns the identifier of a Norwegian business by its organisation number, without its scheme.
func Participant(organisationNumber string) string {
	return models.Recipient{OrganisationNumber: organisationNumber}.NetworkID()
}

// DocumentType is a kind of document as the network knows it.
type DocumentType struct {
	Root      string // the name of the XML's outermost element
	Namespace string // of that element
	ID        string // without its scheme
	Process   string // without its scheme
}

const (
	ublVersion    = "2.1"
	senderCountry = "NO"
)

func documentType(root, customization, process string) DocumentType {
	namespace := ehf.Namespace(root)
	return DocumentType{root, namespace, namespace + "::" + root + "##" + customization + "::" + ublVersion, process}
}

// types are the documents of EHF Billing 3.0 and EHF Reminder 3.0.
var types = map[models.DocumentKind]DocumentType{ //nolint:exhaustive // a statement is no document of the network
	models.InvoiceDocument:    documentType(ehf.InvoiceRoot, ehf.BillingCustomization, ehf.BillingProfile),
	models.CreditNoteDocument: documentType(ehf.CreditNoteRoot, ehf.BillingCustomization, ehf.BillingProfile),
	models.NoticeDocument:     documentType(ehf.InvoiceRoot, ehf.ReminderCustomization, ehf.ReminderProfile),
}

// TypeOf returns the type of a document of purr's.
func TypeOf(k models.DocumentKind) DocumentType { return types[k] }

// instances is the name space of instance IDs, a random UUID. It never changes: an access point recognises by it what it
// has already.
var instances = uuid.MustParse("5d1c8d4b-6a0e-4c57-9f0b-3a9d7f2f6f1e")

// InstanceID returns the UUID (version 5) of a shipment of an installation: the same one at each attempt, and no other
// shipment's (rule H3a).
func InstanceID(installation string, shipmentID int64) string {
	return uuid.NewSHA1(instances, fmt.Appendf(nil, "%s/%d", installation, shipmentID)).String()
}
