// Package kept reads the kept bytes of letters, as whoever got them does, and holds them against the rows: each sum, date, KID and account (rule U3).
//
// It shares nothing with what draws and writes the documents. Texts takes the text out of a PDF, Reminder the elements out of an EHF; a Letter is what the
// rows say, and its methods name what differs. A difference is of the bytes that left: what a debtor was asked for.
package kept
