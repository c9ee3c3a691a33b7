package models

import "database/sql/driver"

// AuditNight says how far the audits of a creditor's nights have come (rule U7).
type AuditNight struct {
	CreditorID int64      `gorm:"primaryKey;autoIncrement:false"`
	Day        Date       // the business date of the last night that had something to audit; zero if none had
	AuditID    int64      // the audit that is not done; zero if there is none
	Marks      AuditMarks `gorm:"type:text"` // what came after these is not audited yet
	UpTo       AuditMarks `gorm:"type:text"` // the marks when the audit is done
	RoundID    int64      // the last notice that was looked at again: see RoundNotices
	RoundUpTo  int64      // RoundID when the audit is done
}

// RoundNotices is how many notices each night looks at again, whether anything of them changed or not, one after the other and round and round:
// what somebody changes in the rows by hand leaves no event.
const RoundNotices = 400

// AuditMarks are the highest IDs, of one creditor's rows, that an audit has seen of what grows.
type AuditMarks struct {
	Events  int64 `json:"events,omitzero"`
	Entries int64 `json:"entries,omitzero"`
	Notices int64 `json:"notices,omitzero"`
	Reports int64 `json:"reports,omitzero"` // of shipments
	Direct  int64 `json:"direct,omitzero"`  // entries of which the debt collector is told
}

// Value gives the marks to a database: JSON, NULL if there are none.
func (m AuditMarks) Value() (driver.Value, error) { return jsonValue(m, m == AuditMarks{}) }

// Scan takes the marks from a database.
func (m *AuditMarks) Scan(src any) error {
	*m = AuditMarks{}
	return scanJSON(src, m)
}
