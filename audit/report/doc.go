// Package report is the answer of an audit, of whatever it was made: how much was looked at, and each finding with its law, its sum and its
// sentence. It writes the answer in the forms that people and programs read (rules U5, U12).
package report
