package models

// The events of an invoice that went to debt collection.
const (
	EventBundleDelivered     EventType = "collection_bundle.delivered"
	EventBundleWithdrawn     EventType = "collection_bundle.withdrawn" // nobody is to collect by it
	EventPaymentInCollection EventType = "payment.after_hand_over"
)
