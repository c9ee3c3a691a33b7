package models

import (
	"slices"
	"strings"
	"time"
)

// Seen is what a person saw of a thing before deciding what to do with it, as words between blanks (rule D115). Whoever acts
// on a thing as it is, whatever that is, has seen nothing: the empty Seen.
type Seen string

// Holds reports whether what was seen still is so. It compares the words that were seen, in their order: a form of an earlier
// release has the first ones alone.
func (s Seen) Holds(now Seen) bool {
	saw, is := strings.Fields(string(s)), strings.Fields(string(now))
	return len(saw) <= len(is) && slices.Equal(saw, is[:len(saw)])
}

// Change is what somebody did with a thing since a person looked at it (rule D115).
type Change struct {
	Event EventType
	Actor string
	At    time.Time
}

// ChangedMeanwhile is the conflict of an act whose thing is not as it was seen. change is nil if nobody knows what was done
// with it.
func ChangedMeanwhile(change *Change) *Error {
	said := "it has changed since you looked"
	if change != nil {
		said += ": " + change.String()
	}
	return &Error{Kind: KindConflict, Code: "changed_meanwhile", Msg: said, Change: change}
}

// String says what was done, by whom and when.
func (c Change) String() string {
	return string(c.Event) + " by " + c.Actor + " at " + c.At.UTC().Format(time.DateTime)
}

// ThingKind is a kind of things on which people act.
type ThingKind string

// The kinds of things whose acts are counted. Two people may act on an invoice's hold and on its closing at the same time, so
// these are two things.
const (
	ThingHold         ThingKind = "hold"          // of the invoice with the ID, the time that its customer was given, and its payment plan
	ThingCustomerHold ThingKind = "customer_hold" // of the customer with the ID
	ThingClosing      ThingKind = "closing"       // of the invoice with the ID: closed, handed over, reopened
	ThingAcknowledged ThingKind = "acknowledged"  // of the invoice with the ID: on which day its claim was
	ThingCollection   ThingKind = "collection"    // of the invoice with the ID: what the debt collector told of it
	ThingPayment      ThingKind = "payment"       // an unmatched payment
	ThingEntry        ThingKind = "entry"         // one that a person registered
	ThingCredit       ThingKind = "credit"        // of the customer with the ID
	ThingCustomer     ThingKind = "customer"
	ThingSettings     ThingKind = "settings" // of the creditor with the ID: what is none of the following three
	ThingPolicy       ThingKind = "policy"   // of the creditor with the ID
	ThingVAT          ThingKind = "vat"      // of the creditor with the ID
	ThingAccountPlan  ThingKind = "account_plan"
	ThingWays         ThingKind = "ways"  // of the creditor with the ID
	ThingRules        ThingKind = "rules" // the figures of the law that the creditor with the ID goes by
	ThingKey          ThingKind = "key"
	ThingWebhook      ThingKind = "webhook"
	ThingDelivery     ThingKind = "delivery" // to a webhook
	ThingShipment     ThingKind = "shipment"
	ThingRepaid       ThingKind = "repayment_file"
	ThingWaiting      ThingKind = "repayments" // of the creditor with the ID: which repayments wait for a file
	ThingCharges      ThingKind = "charges"    // of the invoice with the ID: waived, owed again
	ThingCopies       ThingKind = "copies"     // of the documents of the invoice with the ID
)

// Thing is something on which people act.
type Thing struct {
	Kind ThingKind
	ID   int64
}

// ActsOn returns the things on which the act was that the event tells of; none if nobody undoes such acts, or decides by them.
func (e Event) ActsOn() []Thing {
	of := func(kind ThingKind, id int64) []Thing { return []Thing{{kind, id}} }
	switch e.Type { //nolint:exhaustive // the others are on nothing whose acts are counted
	case EventHoldSet, EventHoldRemoved, EventMoreTimeGiven, EventMoreTimeEnded, EventPlanMade, EventPlanEnded, EventPlanBroken, EventPlanKept:
		if e.InvoiceID == 0 {
			return of(ThingCustomerHold, e.CustomerID)
		}
		return of(ThingHold, e.InvoiceID)
	case EventInvoiceClosed, EventInvoiceReopened, EventInvoiceHandedOver:
		return of(ThingClosing, e.InvoiceID)
	case EventInvoiceAcknowledged, EventAcknowledgementRemoved:
		return of(ThingAcknowledged, e.InvoiceID)
	case EventCollectionReported:
		return of(ThingCollection, e.InvoiceID)
	case EventPaymentMatched, EventPaymentReopened, EventPaymentDismissed, EventPayerDenied, EventPayerAllowed:
		return of(ThingPayment, e.SubjectID)
	case EventPaymentDeleted:
		return of(ThingEntry, e.SubjectID)
	case EventRepaymentOrdered, EventRepaymentWithdrawn, EventRepaymentStopped:
		return []Thing{{ThingCredit, e.CustomerID}, {ThingWaiting, e.CreditorID}}
	case EventChargesWaived, EventChargesRestored:
		return of(ThingCharges, e.InvoiceID)
	case EventCreditMoved, EventCreditTransferred, EventRepaymentPaid, EventRepaymentUnpaid:
		return of(ThingCredit, e.CustomerID)
	case EventCustomerChanged, EventCustomerDeleted, EventLettersReleased:
		return of(ThingCustomer, e.SubjectID)
	case EventCreditorChanged:
		return e.settings()
	case EventRulesChanged:
		return of(ThingRules, e.CreditorID)
	case EventWayChanged:
		return of(ThingWays, e.CreditorID)
	case EventKeyRevoked:
		return of(ThingKey, e.SubjectID)
	case EventWebhookChanged, EventWebhookDeleted, EventWebhookDisabled:
		return of(ThingWebhook, e.SubjectID)
	case EventRedelivered:
		return of(ThingDelivery, e.SubjectID)
	case EventRepaymentFileMade, EventRepaymentFileWithdrawn:
		return []Thing{{ThingRepaid, e.SubjectID}, {ThingWaiting, e.CreditorID}}
	case EventRepaymentFilePaid, EventRepaymentFileUnpaid:
		return of(ThingRepaid, e.SubjectID)
	case EventCopySent:
		return of(ThingCopies, e.InvoiceID)
	case EventShipmentRetried:
		return of(ThingShipment, e.SubjectID)
	}
	return nil
}

// settings returns which of a creditor's settings were changed. Without facts it may be any.
func (e Event) settings() (things []Thing) {
	for _, kind := range []ThingKind{ThingSettings, ThingPolicy, ThingVAT, ThingAccountPlan} {
		changed := len(e.Facts) == 0
		for path := range e.Facts {
			changed = changed || SettingKind(path) == kind
		}
		if changed {
			things = append(things, Thing{kind, e.CreditorID})
		}
	}
	return things
}

// SettingKind returns of which of a creditor's settings the element with the path is.
func SettingKind(path string) ThingKind {
	switch {
	case strings.HasPrefix(path, "dunning_policy/"):
		return ThingPolicy
	case strings.HasPrefix(path, "vat_"):
		return ThingVAT
	case path == "account_plan":
		return ThingAccountPlan
	}
	return ThingSettings
}
