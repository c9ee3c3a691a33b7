package models

// The statuses of an unmatched payment (rule E5).
const (
	PaymentOpen      = "open" // it waits for a person
	PaymentMatched   = "matched"
	PaymentDismissed = "dismissed" // money sent back, or not ours
)
