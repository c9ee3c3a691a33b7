package models

// PaymentTwin is a line of a payment file that is the same payment as a line of the other format, which came
// before (rule E4). It is counted as a duplicate, and kept so that each line has no more than one twin.
type PaymentTwin struct {
	ID                int64
	CreditorID        int64 // zero while nobody has the account
	PaymentFileID     int64
	LineKey           LineKey
	Account           string // the account that was paid to
	KID               string `gorm:"column:kid"` // as received
	Amount            Amount // negative for money out
	TransactionDate   Date   // settlement or booking date
	FromAccountNumber string
}
