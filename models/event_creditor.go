package models

// The events of the creditor itself and of its API keys.
const (
	EventCreditorCreated EventType = "creditor.created"
	EventCreditorChanged EventType = "creditor.changed" // its name, account, policy and so on
	EventKeyCreated      EventType = "key.created"
	EventKeyRevoked      EventType = "key.revoked"
)
