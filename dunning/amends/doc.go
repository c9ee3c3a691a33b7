// Package amends puts right what an audit found (rule U6): it gives charges back, withdraws debt-collection warnings that were unlawful, ends
// hand-overs, and tells the customer.
//
// It knows the audit, the ledger and dunning. What is lawful it does not decide: the audit does, from the rows as they are when they are put right.
package amends
