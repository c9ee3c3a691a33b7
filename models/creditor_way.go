package models

import (
	"database/sql/driver"
	"time"
)

// WayID says by which way something leaves, left, or may have left: a row of the creditor's own (CreditorWay), or one of the following.
type WayID int64

const (
	// InstallationsWay is the way that all creditors have which have none of their own.
	InstallationsWay WayID = 0
	// NumberedFolder is the installation's way too, in the folder there that has the creditor's number (rule Q7).
	NumberedFolder WayID = -1
)

// Own reports whether it is a row of the creditor's own.
func (w WayID) Own() bool { return w > 0 }

// CreditorWay is how what a creditor sends by a method leaves, where that is its own and not the installation's (rule Q7). A row never
// changes, but that another takes its place: what began to leave by it ends by it.
type CreditorWay struct {
	ID         WayID
	CreditorID int64
	Method     ShipmentMethod
	Settings   WaySettings `gorm:"type:text"`
	CreatedAt  time.Time
	ReplacedAt *time.Time // nil while it counts
}

// WaySettings are the settings of a way that somebody has set, by their names. They hold secrets, so no form of printing shows them.
type WaySettings map[string]string

// String hides the settings.
func (WaySettings) String() string { return "(settings)" }

// GoString hides the settings.
func (s WaySettings) GoString() string { return s.String() }

// Value gives the settings to a database, as JSON.
func (s WaySettings) Value() (driver.Value, error) { return jsonValue(map[string]string(s), false) }

// Scan takes the settings from a database.
func (s *WaySettings) Scan(src any) error {
	*s = nil
	return scanJSON(src, (*map[string]string)(s))
}
