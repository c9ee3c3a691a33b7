package models

// HoldReason says why dunning is on hold.
type HoldReason string

// The reasons of a hold. An empty reason means HoldOther.
const (
	HoldDispute HoldReason = "dispute"   // the customer has an objection: no fee may be charged (inkassoloven § 17)
	HoldPaid    HoldReason = "says_paid" // the customer says that the payment is on its way (rules N6, W3)
	HoldOther   HoldReason = "other"
	// HoldCollector is set when the debt collector gives a claim back: a person decides what becomes of it (rule C4). Nobody asks for it.
	HoldCollector HoldReason = "collector_withdrew"
	// HoldAudit is set when the audit of a night finds that the law was not kept on the invoice: a person decides (rule U7). Nobody asks for it.
	HoldAudit HoldReason = "audit"
)

// Hold stops automatic dunning of an invoice or of all invoices of a customer (rule E2).
type Hold struct {
	Held    bool
	Until   Date // inclusive; zero means until the hold is removed
	Reason  HoldReason
	Comment string
}

// Active reports whether the hold stops dunning on the date.
func (h Hold) Active(on Date) bool { return h.Held && (h.Until == 0 || on <= h.Until) }

// Disputed reports whether the claim is disputed on the date.
func (h Hold) Disputed(on Date) bool { return h.Reason == HoldDispute && h.Active(on) }

// Validate returns every fault of a hold that is set today, or nil (rules D16, E2).
func (h Hold) Validate(today Date) error {
	var faults Errors
	if h.Until != 0 && h.Until < today {
		faults.Add("date_in_past", "until", "must not be before today, %s", today)
	}
	switch h.Reason {
	case "", HoldDispute, HoldPaid, HoldOther:
	default:
		faults.Add("invalid_reason", "reason", "must be dispute, says_paid or other")
	}
	faults.Prose("comment", h.Comment, MaxComment)
	return faults.ErrorOrNil()
}
