package models

import "time"

// Session is a browser that is signed in to the console, with one API key or with several (rule E10). Its token itself is
// not kept, only its hash.
type Session struct {
	ID        int64
	Hash      string // SHA-256 of the token, in hex
	KeyIDs    IDs    `gorm:"type:text"` // in the order in which they were given
	CreatedAt time.Time
	SeenAt    time.Time // its last use, to the minute
	ExpiresAt time.Time
}

// TableName names the store's table.
func (Session) TableName() string { return "console_sessions" }
