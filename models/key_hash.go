package models

import (
	"crypto/sha256"
	"encoding/hex"
)

// HashKey returns what is kept of an API key: its SHA-256 in hex (rule D3). Keys are random and long, so
// that a fast hash does.
func HashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}
