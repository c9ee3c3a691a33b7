package models

import "time"

// SentStatement is a customer's statement that was sent (rule L16). It shows the account as it is when its PDF is made.
type SentStatement struct {
	ID         int64
	CreditorID int64
	CustomerID int64
	FromDate   Date   // inclusive; zero for the beginning
	ToDate     Date   // inclusive
	SellerID   int64  // what it shows of the creditor, as an invoice's
	PDF        string // SHA-256 of the kept PDF; empty until it is made
	CreatedAt  time.Time
}

// TableName names the table.
func (SentStatement) TableName() string { return "statements" }

// Document points at the statement.
func (s SentStatement) Document() Document { return Document{StatementDocument, s.ID} }
