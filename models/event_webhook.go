package models

import "slices"

// The events of the webhooks themselves.
const (
	EventWebhookCreated  EventType = "webhook.created"
	EventWebhookChanged  EventType = "webhook.changed"
	EventWebhookDeleted  EventType = "webhook.deleted"
	EventWebhookDisabled EventType = "webhook.disabled"
	EventDeliveryFailed  EventType = "webhook_delivery.failed"
)

// postedTypes are the types of events that webhooks can have posted: all but those of the webhooks
// themselves, of which each that fails would make another.
var postedTypes = []EventType{
	EventInvoiceCreated, EventInvoiceOverdue, EventInvoiceChargeable, EventInvoiceHandedOver, EventBundleDelivered, EventBundleWithdrawn,
	EventInvoiceClosed, EventInvoiceReopened,
	EventCreditNoteCreated, EventNoticeCreated, EventNoticeWithdrawn, EventNoticeOverdue,
	EventPaymentRegistered, EventPaymentDeleted, EventPaymentReceived, EventPaymentUnmatched, EventPaymentMatched, EventPaymentReopened, EventPaymentDismissed,
	EventPaymentInCollection,
	EventEntryReversed, EventFileImported, EventFileRejected, EventFileDuplicate, EventTransmissionsMissing, EventTransmissionDismissed, EventShipmentSent, EventShipmentFailed, EventShipmentRetried,
	EventHoldSet, EventHoldRemoved, EventCustomerCreated, EventCustomerChanged, EventCustomerDeleted, EventDunningRun,
	EventCreditorCreated, EventCreditorChanged, EventKeyCreated, EventKeyRevoked,
	EventBankFilesLate, EventBankConfirmed, EventBankUnreachable,
	EventRunWaiting, EventRunApproved, EventRulesEnding, EventRulesChanged,
}

// Posted reports whether webhooks can have events of the type posted (rule E7).
func (t EventType) Posted() bool { return slices.Contains(postedTypes, t) }
