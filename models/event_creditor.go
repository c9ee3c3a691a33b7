package models

// EventCreditorChanged is logged when the creditor itself is changed: its name, account, policy and so on.
const EventCreditorChanged EventType = "creditor.changed"
