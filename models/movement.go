package models

import "slices"

// Movement says what an entry is in a month's report (rule N5): by what it moves what customers owe.
type Movement string

// The movements. Together they are all entries.
const (
	MovementInvoiced   Movement = "invoiced"
	MovementCredited   Movement = "credited" // what credit notes credit, when they are issued
	MovementFee        Movement = "fee"
	MovementInterest   Movement = "interest"
	MovementReversal   Movement = "reversal"       // of a fee or interest
	MovementPaidBank   Movement = "paid_bank"      // payments from bank files, less those that were taken back
	MovementPaidByHand Movement = "paid_by_hand"   // payments that a person registered
	MovementCollector  Movement = "paid_collector" // payments that a debt collector reported (rule C1)
	MovementPaidBack   Movement = "paid_back"      // what was paid out to customers
	MovementAdopted    Movement = "adopted"        // how invoices of other systems stood when they were adopted (rule L17)
	MovementMoved      Movement = "moved"          // from one document to another: credit, and a credit note that is set off. In all it is nothing
)

// Movements are all movements, in the order of the report.
var Movements = []Movement{
	MovementInvoiced, MovementCredited, MovementFee, MovementInterest, MovementReversal,
	MovementPaidBank, MovementPaidByHand, MovementCollector, MovementPaidBack, MovementMoved, MovementAdopted,
}

// ParseMovement reads the name of a movement.
func ParseMovement(s string) (Movement, bool) {
	m := Movement(s)
	return m, slices.Contains(Movements, m)
}

// Types returns the types of the entries that may be the movement.
func (m Movement) Types() []EntryType {
	switch m {
	case MovementInvoiced:
		return []EntryType{EntryInvoice}
	case MovementCredited:
		return []EntryType{EntryCreditNote}
	case MovementFee:
		return []EntryType{EntryOverdueCharge}
	case MovementInterest:
		return []EntryType{EntryInterest}
	case MovementReversal:
		return []EntryType{EntryOverdueCharge, EntryInterest}
	case MovementPaidBank:
		return []EntryType{EntryOCR}
	case MovementPaidByHand, MovementCollector:
		return []EntryType{EntryPayment}
	case MovementPaidBack:
		return []EntryType{EntryPayment, EntryRepayment}
	case MovementAdopted:
		return []EntryType{EntryInvoice, EntryOverdueCharge, EntryInterest, EntryPayment}
	case MovementMoved:
		return []EntryType{EntryCreditNote, EntryPayment}
	}
	return nil
}
