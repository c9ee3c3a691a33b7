package models

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// Scope is what a key may do (rule D1).
type Scope string

// The scopes. Each includes what the one before it may do.
const (
	ScopeRead  Scope = "read"  // GET
	ScopeWrite Scope = "write" // also POST, PUT and DELETE
	ScopeAdmin Scope = "admin" // also changing the creditor, and the test clock
)

// ParseScope reads the name of a scope.
func ParseScope(s string) (Scope, bool) {
	switch v := Scope(s); v {
	case ScopeRead, ScopeWrite, ScopeAdmin:
		return v, true
	}
	return "", false
}

// Allows reports whether a key of this scope may do what needs the given scope.
func (s Scope) Allows(needed Scope) bool {
	rank := map[Scope]int{ScopeRead: 1, ScopeWrite: 2, ScopeAdmin: 3}
	return rank[s] >= rank[needed]
}

// ActorAtConsole begins the actor of what a person with a key does at the console.
const ActorAtConsole = "console, "

// Actor names the key in events, as whoever did something by the interface.
func (k Key) Actor() string { return fmt.Sprintf("API key %d (%s)", k.ID, k.Name) }

// Key is an API key. The key itself is not kept, only its hash (rule D3).
type Key struct {
	ID         int64
	CreditorID int64
	Name       string
	Scope      Scope
	Hash       string // SHA-256 of the key, in hex
	CreatedAt  time.Time
	LastUsedAt *time.Time
	RevokedAt  *time.Time
}

// TableName names the store's table.
func (Key) TableName() string { return "api_keys" }

// HashKey returns the SHA-256 of an API key in hex, which is all that is kept of it (rule D3). A fast hash is
// enough, because keys are random and long.
func HashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}
