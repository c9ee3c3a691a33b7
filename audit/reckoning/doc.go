// Package reckoning is the arithmetic and the law that the audit judges letters by, read anew (rule U1). It shares no thought with the
// rest of the program: it takes the law's dated figures, each with its source, and reads and applies them itself. The program's own
// reading is in package law.
//
// Everything in it is a function of values. It knows no clock, no database, no creditor, and nothing of how a letter came about. Amounts are
// whole øre; where a sum has a fraction of an øre, both are told. Days are counted from one date to another, so that 14 days from the
// 1st is the 15th.
//
// Begin with Law, the figures of which every other answer is made. Then:
//
//   - Law.Interest is what late payment costs, by segments of days that are alike; Principal is what it runs on.
//   - Law.Fee says what a letter may charge, and why no more; Law.Compensation does so between traders.
//   - DaysToPay, Shift and Lapses count days.
//   - Allocate says which part of an invoice's entries is principal, interest and fees.
package reckoning
