package bankfile

import (
	"bytes"
	"strings"

	"purr/models"
	"purr/ocr/giro"
)

// recordLength is the length of every record, in bytes.
const recordLength = 80

// Positions of fields in the amount items, from 0.
const (
	itemType, itemNumber, netsDate, dayCode, signField, amountField, kidField = 4, 8, 15, 23, 31, 32, 49
	kidEnd                                                                    = 74
	bankDateField, debitAccountEnd                                            = 41, 58
)

// giroFaults are the faults of OCR giro. Each changes the first record that it fits.
func giroFaults() []Fault {
	return append(giroWrong(), giroOdd()...)
}

func giroWrong() []Fault {
	return []Fault{
		newFault("empty_file", giro.CodeEmptyFile, "nothing of the file is left", emptyFile),
		newFault("short_line", giro.CodeBadLength, "a record has lost its last character", changeRecord("31", func(r string) string { return r[:79] })),
		newFault("long_line", giro.CodeBadLength, "a record has a character too many", changeRecord("30", func(r string) string { return r + "0" })),
		newFault("foreign_line", giro.CodeNotNY, "a record does not begin with NY", overwriteIn("30", 0, "XX")),
		newFault("unknown_record", giro.CodeUnexpectedRecord, "a record is of a type that there is not, 35", overwriteIn("31", 6, "35")),
		newFault("unknown_type", giro.CodeUnknownType, "a transaction is of a type that there is not, 22", unknownType),
		newFault("mixed_items", giro.CodeUnpairedItem, "amount item 2 has the number of another transaction", overwriteIn("31", itemNumber, "9999999")),
		newFault("no_end", giro.CodeMissingEnd, "the end of the transmission is missing", changeRecord("89", func(string) string { return "" })),
		newFault("letter_in_amount", giro.CodeBadNumber, "an amount has a letter O for a zero", overwriteIn("30", amountField, "O")),
		newFault("impossible_date", giro.CodeBadDate, "a Nets date is 31 February", overwriteIn("30", netsDate, "310226")),
		newFault("wrong_sign", giro.CodeBadSign, "the sign of an amount is + instead of 0 or -", overwriteIn("30", signField, "+")),
		newFault("letter_in_kid", giro.CodeBadKID, "a KID has a letter", overwriteIn("30", kidEnd-2, "A")),
		newFault("wrong_count", giro.CodeCountMismatch, "the transmission counts transactions that are not there", overwriteIn("89", 8, "99999999")),
		newFault("wrong_records", giro.CodeCountMismatch, "an assignment counts records that are not there", overwriteIn("88", 16, "99999999")),
		newFault("wrong_total", giro.CodeSumMismatch, "the transmission says another sum than that of its assignments", overwriteIn("89", 24, strings.Repeat("9", 17))),
		newFault("wrong_assignment_total", giro.CodeSumMismatch, "an assignment says another sum than that of its transactions", overwriteIn("88", 24, strings.Repeat("9", 17))),
	}
}

func giroOdd() []Fault {
	all := []Fault{
		newFault("unknown_sender", giro.CodeUnknownSender, "the sender is not Nets", overwriteIn("10", 8, "00001234")),
		newFault("wrong_account", giro.CodeBadAccount, "the check digit of an assignment's account is wrong", changeRecord("20", otherAt(34))),
		newFault("filler", giro.CodeFiller, "a filler is not zeros", overwriteIn("31", 34, "0160000")),
		newFault("left_aligned_kid", giro.CodeKIDAlignment, "a KID is left-aligned", changeRecord("30", alignLeft)),
		newFault("number_twice", giro.CodeTransactionOrder, "a transaction has the number of the one before it", numberTwice),
		newFault("wrong_check_digit", CodeKIDCheckDigit, "a KID ends in the check digit of no modulus", changeRecord("30", wrongCheckDigit)),
		newFault("no_kid", CodeNoKID, "a giro has no KID", changeRecord("30", func(r string) string { return r[:kidField] + strings.Repeat(" ", 25) + r[kidEnd:] })),
		newFault("wrong_payer", CodePayerAccount, "the check digit of a payer's account is wrong", changeRecord("31", wrongPayer)),
		newFault("wrong_day_code", CodeDayCode, "a day code is not the day of the Nets date", changeRecord("30", wrongDayCode)),
		{
			Name: "wrong_range", Code: giro.CodeDateRange, Sentence: "the latest date of an assignment is a week too late",
			start: func(date models.Date) damage { return overwriteIn("88", 53, lateBy(date, 7))() },
		},
		{
			Name: "late_order", Code: CodeBankDate, Sentence: "an order reached the bank after it was settled",
			start: func(date models.Date) damage { return overwriteIn("31", bankDateField, lateBy(date, 5))() },
		},
		{
			Name: "early_file", Code: CodeCreatedBefore, Sentence: "an assignment was made a week before its last payment",
			start: func(date models.Date) damage { return overwriteIn("88", 41, lateBy(date, -7))() },
		},
	}
	for i := range all {
		all[i] = asWarning(all[i])
	}
	return all
}

// changeRecord changes the first record of a type for which change returns another text. An empty text deletes the
// line.
func changeRecord(recordType string, change func(record string) string) func() damage {
	return func() damage {
		return func(line []byte) ([]byte, bool) {
			record := bytes.TrimRight(line, "\r\n")
			if len(record) != recordLength || string(record[6:8]) != recordType {
				return line, false
			}
			changed := change(string(record))
			if changed == "" {
				return nil, true
			}
			return append([]byte(changed), line[len(record):]...), changed != string(record)
		}
	}
}

// overwriteIn overwrites the first record of a type from a position on.
func overwriteIn(recordType string, from int, text string) func() damage {
	return changeRecord(recordType, overwrite(from, text))
}

func overwrite(from int, text string) func(string) string {
	return func(record string) string { return record[:from] + text + record[from+len(text):] }
}

// otherAt changes the digit at a position.
func otherAt(position int) func(string) string {
	return func(record string) string {
		return overwrite(position, string(otherDigit(record[position])))(record)
	}
}

// both makes the same change to an amount item 1 and to the amount item 2 after it.
func both(change func(string) string) damage {
	first, second := changeRecord("30", change)(), changeRecord("31", change)()
	firstDone := false
	return func(line []byte) ([]byte, bool) {
		if firstDone {
			return second(line)
		}
		line, firstDone = first(line)
		return line, false
	}
}

func unknownType() damage { return both(overwrite(itemType, "22")) }

// numberTwice gives a later transaction of an assignment the number of the first.
func numberTwice() damage {
	const first = "0000001"
	return both(func(record string) string {
		if record[itemNumber:netsDate] == first {
			return record
		}
		return overwrite(itemNumber, first)(record)
	})
}

func kidOf(record string) string { return strings.Trim(record[kidField:kidEnd], " ") }

func alignLeft(record string) string {
	kid := kidOf(record)
	return overwrite(kidField, kid+strings.Repeat(" ", 25-len(kid)))(record)
}

func wrongCheckDigit(record string) string {
	kid := kidOf(record)
	if kid == "" {
		return record
	}
	return overwrite(kidEnd-len(kid), invalidKID(kid))(record)
}

// wrongPayer changes the check digit of a payer's account, if there is one.
func wrongPayer(record string) string {
	if strings.Trim(record[debitAccountEnd-11:debitAccountEnd], "0") == "" {
		return record
	}
	return otherAt(debitAccountEnd - 1)(record)
}

func wrongDayCode(record string) string {
	if record[dayCode:dayCode+2] == "01" {
		return overwrite(dayCode, "02")(record)
	}
	return overwrite(dayCode, "01")(record)
}
