package models

import (
	"strconv"
	"time"
)

// MostJoint is the most invoices that share a letter (rule L23).
const MostJoint = 40

// Letter is a reminder or a debt-collection warning for several invoices of one customer. Each of them has a notice of its own, which names the
// letter (rule L23). Only its withdrawal changes it.
type Letter struct {
	ID         int64
	CreditorID int64
	CustomerID int64
	Number     int64 // of the creditor's series of letters
	Warning    bool
	IssueDate  Date
	DueDate    Date      // as printed, of all its notices
	DaysToPay  int       // from the issue date to the due date
	Gross      Amount    // all that it asks for: the sum of its notices
	KID        string    `gorm:"column:kid"` // by which the whole can be paid; empty if none was left
	Recipient  Recipient `gorm:"embedded;embeddedPrefix:recipient_"`
	SellerID   int64
	Language   string
	PDF        string // SHA-256 of the stored PDF, in hex; empty until it is made
	Withdrawn  Date   // the day on which it was withdrawn with all its notices, or zero
	ReplacedBy int64  // the letter that took its place, or zero
	CreatedAt  time.Time
}

// Document points at the letter.
func (l Letter) Document() Document { return Document{LetterDocument, l.ID} }

// LetterKID returns the KID of a letter: 9 where the number of a document stands, with the letter's number behind it (rules D20, L23). It
// reports false if there is none: the number is too long, or the check character would be "-".
func LetterKID(number int64, length, modulus int) (string, bool) {
	digits := strconv.FormatInt(number, 10)
	zeros := length - 2 - len(digits)
	if number < 0 || zeros < 0 {
		return "", false
	}
	base := make([]byte, 0, length)
	base = append(base, '9')
	for range zeros {
		base = append(base, '0')
	}
	kid := NewKID(string(append(base, digits...)), modulus)
	return kid, kid[length-1] != '-'
}
