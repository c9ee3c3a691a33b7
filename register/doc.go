// Package register keeps the creditors, their customers, their API keys and their webhooks. Each act that changes one
// of them is a function here: it locks, checks, writes, and logs one event that names the actor. The package knows
// nothing of requests, of commands, or of where the figures of the law come from.
//
// Begin with ChangeCreditor, the longest of them: what a creditor is, which of it documents show, and what it may not change alone. Package
// register/payee decides which bank account a creditor is paid on: an account waits until the operator has approved
// it, or until nobody else could be meant.
package register
