package models

import "time"

// Notice is an overdue notice: a reminder or a debt-collection warning on one invoice.
type Notice struct {
	ID            int64
	CreditorID    int64
	CustomerID    int64
	InvoiceID     int64
	LetterID      int64 // the letter that it shares with notices on other invoices, or zero (rule L23)
	Sequence      int   // 1 or 2
	IssueDate     Date
	DueDate       Date   // as printed
	CountsUntil   Date   // until when it runs if its letter left late, else zero (rule D94); see RunsUntil
	Warning       bool   // a debt-collection warning (is_incasso_notice)
	Announces     bool   // a reminder in place of a warning that only agencies may send; it says what can follow
	Fee           Amount // øre charged by this notice
	Compensation  bool   // the fee is standard compensation (forsinkelsesrenteloven § 3a)
	Interest      Amount // øre charged by this notice
	Gross         Amount // the sum of the lines: all that the notice asks for (rule D28)
	Comment       string
	KID           string         `gorm:"column:kid"`                         // the invoice's
	Recipient     Recipient      `gorm:"embedded;embeddedPrefix:recipient_"` // the customer on the issue date (rule L6)
	SellerID      int64          // as an invoice's, of the day of the notice
	Language      string         // as an invoice's
	Sheet         string         // the calculation sheet behind fee and interest, as JSON (rule E6c)
	PDF           string         // SHA-256 of the stored PDF, in hex; empty until it is made
	EHF           string         `gorm:"column:ehf"` // SHA-256 of the stored EHF, likewise (rule H2)
	Withdrawn     Date           // the day on which it was withdrawn, or zero (rules E6f, L2)
	AskedBy       string         // the person who asked for it, as in the event log; empty for automatic dunning
	AskedFee      bool           // the person asked for a fee
	AskedInterest bool           // the person asked for interest
	AskedMethod   ShipmentMethod // the way that the person asked for; empty if none (rule L22)
	Adopted       bool           // another system sent it: what it charged is that system's (rule L17)
	AnewFrom      Date           // from which day on it is issued anew on paper, as the person asked for it, because its e-mail bounced; zero if it is not
	CreatedAt     time.Time
}

// NoticeLine is one line of an overdue notice.
type NoticeLine struct {
	ID       int64
	NoticeID int64
	Position int    // from 1
	Text     string // ends with the date
	Gross    Amount

	// What the line stands for. Both are empty in lines that an old release wrote.
	Type            EntryType
	TransactionDate Date
}

// Recalculation is what a notice charged, reckoned again with money that came before the notice and was booked after it
// (rule L4). It is never changed.
type Recalculation struct {
	ID       int64
	NoticeID int64
	EntryID  int64 // the entry that reverses what was charged too much; of two the later one
	At       time.Time
	Sheet    string // the calculation sheet behind what is still charged, as JSON
}

// TableName names the store's table.
func (Recalculation) TableName() string { return "notice_recalculations" }

// TableName names the store's table.
func (Notice) TableName() string { return "overdue_notices" }

// TableName names the store's table.
func (NoticeLine) TableName() string { return "overdue_notice_lines" }

// Outdated reports whether the notice may not leave on a day as it is, because it is of an earlier day (rule L2).
func (n Notice) Outdated(on Date) bool { return n.IssueDate < on }

// RunsUntil returns the last day of the notice's deadline: its due date, or a later day if its letter left late (rule D94).
// Whatever waits for a notice waits for this day.
func (n Notice) RunsUntil() Date { return max(n.DueDate, n.CountsUntil) }

// LeftOn returns until when the notice runs if its letter left on a day: its due date, moved by as many days as the letter
// left late. It reports false if the printed due date then leaves fewer than MinNoticeDays to pay (rule D94).
func (n Notice) LeftOn(day Date) (until Date, keeps bool) {
	late := max(0, day-n.IssueDate)
	return n.DueDate + late, n.DueDate-n.IssueDate-late >= MinNoticeDays
}

// SentAs points at what the notice is sent as: the letter that it shares, or else itself (rule L23).
func (n Notice) SentAs() Document {
	if n.LetterID != 0 {
		return Document{LetterDocument, n.LetterID}
	}
	return n.Document()
}

// Document points at the notice.
func (n Notice) Document() Document { return Document{NoticeDocument, n.ID} }
