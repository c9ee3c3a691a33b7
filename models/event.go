package models

import "time"

// EventType names what happened.
type EventType string

// The events of the log.
const (
	EventInvoiceCreated    EventType = "invoice.created"
	EventCreditNoteCreated EventType = "credit_note.created"
	EventNoticeCreated     EventType = "overdue_notice.created"
	EventNoticeWithdrawn   EventType = "overdue_notice.withdrawn"
	EventInvoiceOverdue    EventType = "invoice.overdue"
	EventInvoiceChargeable EventType = "invoice.chargeable"
	EventNoticeOverdue     EventType = "overdue_notice.overdue"
	EventInvoiceHandedOver EventType = "invoice.handed_over"
	EventInvoiceClosed     EventType = "invoice.closed"
	EventInvoiceReopened   EventType = "invoice.reopened"
	EventPaymentRegistered EventType = "payment.registered"
	EventPaymentDeleted    EventType = "payment.deleted"
	EventPaymentReceived   EventType = "payment.received"
	EventPaymentUnmatched  EventType = "payment.unmatched"
	EventPaymentMatched    EventType = "payment.matched"
	EventPaymentReopened   EventType = "payment.reopened" // a match was taken back
	EventPaymentDismissed  EventType = "payment.dismissed"
	EventEntryReversed     EventType = "entry.reversed"
	EventFileImported      EventType = "payment_file.imported"
	EventFileRejected      EventType = "payment_file.rejected"
	EventFileDuplicate     EventType = "payment_file.duplicate"
	EventShipmentSent      EventType = "shipment.sent"
	EventShipmentFailed    EventType = "shipment.failed"
	EventShipmentRetried   EventType = "shipment.retried"
	EventHoldSet           EventType = "hold.set"
	EventHoldRemoved       EventType = "hold.removed"
	EventCustomerCreated   EventType = "customer.created"
	EventCustomerChanged   EventType = "customer.changed"
	EventCustomerDeleted   EventType = "customer.deleted"
	EventDunningRun        EventType = "dunning.run"
)

// ActorProgram is the actor of what the program does by itself.
const ActorProgram = "purr"

// Event is one line of the audit log. It is never changed.
type Event struct {
	ID         int64
	CreditorID int64
	At         time.Time
	Type       EventType
	Actor      string // who did it: an API key, a person at the command line, or ActorProgram
	InvoiceID  int64  // the invoice it is about, if one is
	CustomerID int64  // the customer it is about, if one is
	SubjectID  int64  // id of the thing the type names
	Text       string // what happened, for a person
	Data       string // what a program needs, as a JSON object; empty where the ids say it all
}
