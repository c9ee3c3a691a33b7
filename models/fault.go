package models

import "time"

// CreditorWork names work that is done for one creditor at a time, and that may fail for one alone (rule D102).
type CreditorWork string

// The kinds of work. Each is one task at a time, so that its success is the end of its failure. That of a run is RunKind.Work,
// that of receipts ShipmentMethod.ReportsWork.
const (
	WorkDays        CreditorWork = "days"        // to reckon its days: which runs have fallen due
	WorkSuggestions CreditorWork = "suggestions" // to look for the likely payers of unmatched payments
	WorkClaims      CreditorWork = "claims"      // to look at claims of AvtaleGiro
	WorkDirect      CreditorWork = "direct"      // to tell the debt collector what came without it
)

// Work returns the work that runs of a kind are.
func (k RunKind) Work() CreditorWork { return CreditorWork(k + "_run") }

// ReportsWork returns the work of keeping what receipts tell of shipments by the method.
func (m ShipmentMethod) ReportsWork() CreditorWork {
	return CreditorWork(m.Key() + "_reports")
}

// CreditorFault is what of one creditor's work fails while that of the others goes on. It is kept until the work succeeds.
type CreditorFault struct {
	CreditorID int64        `gorm:"primaryKey;autoIncrement:false"`
	Work       CreditorWork `gorm:"primaryKey"`
	Reason     string       // at most MaxReason characters
	Since      time.Time
}
