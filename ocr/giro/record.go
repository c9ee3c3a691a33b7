package giro

import (
	"bytes"
	"encoding/binary"

	"purr/models"
)

// recordLen is the length of every record, in bytes and in characters.
const recordLen = 80

// record is one line of the file. The layouts below slice it, to read a field or to write it. Positions are 0-based and
// half-open; the specification's are 1-based.
type record [recordLen]byte

func (r *record) service() []byte    { return r[2:4] }
func (r *record) kind() []byte       { return r[4:6] } // type of transmission, assignment or transaction
func (r *record) recordType() []byte { return r[6:8] }

// transaction is the number of the transaction, in amount items.
func (r *record) transaction() []byte { return r[8:15] }

// The tags, the first eight bytes, of the records around transactions.
const (
	tagTransmissionStart = "NY000010"
	tagAssignmentStart   = "NY090020"
	tagAssignmentEnd     = "NY090088"
	tagTransmissionEnd   = "NY000089"
)

func (r *record) tag() []byte { return r[0:8] }

// transmissionStart is record 10 (section 2.2).
type transmissionStart record

func (r *transmissionStart) sender() []byte    { return r[8:16] }
func (r *transmissionStart) number() []byte    { return r[16:23] }
func (r *transmissionStart) recipient() []byte { return r[23:31] }
func (r *transmissionStart) filler() []byte    { return r[31:80] }

// assignmentStart is record 20 (section 2.3).
type assignmentStart record

func (r *assignmentStart) agreementID() []byte { return r[8:17] }
func (r *assignmentStart) number() []byte      { return r[17:24] }
func (r *assignmentStart) account() []byte     { return r[24:35] }
func (r *assignmentStart) filler() []byte      { return r[35:80] }

// item1 is record 30, amount item 1 (section 2.4).
type item1 record

func (r *item1) number() []byte            { return r[8:15] }
func (r *item1) netsDate() []byte          { return r[15:21] }
func (r *item1) centre() []byte            { return r[21:23] }
func (r *item1) dayCode() []byte           { return r[23:25] }
func (r *item1) partialSettlement() []byte { return r[25:26] }
func (r *item1) serial() []byte            { return r[26:31] }
func (r *item1) lumpSum() []byte           { return r[15:31] } // Nets date to serial: a line of the bank statement
func (r *item1) sign() []byte              { return r[31:32] }
func (r *item1) amount() []byte            { return r[32:49] }
func (r *item1) kid() []byte               { return r[49:74] }
func (r *item1) cardIssuer() []byte        { return r[74:76] }
func (r *item1) filler() []byte            { return r[76:80] }

// item2 is record 31, amount item 2 (section 2.4).
type item2 record

func (r *item2) number() []byte           { return r[8:15] }
func (r *item2) formNumber() []byte       { return r[15:25] }
func (r *item2) archiveReference() []byte { return r[25:34] }
func (r *item2) filler1() []byte          { return r[34:41] } // not zeros in the specification's own example
func (r *item2) bankDate() []byte         { return r[41:47] }
func (r *item2) debitAccount() []byte     { return r[47:58] }
func (r *item2) filler2() []byte          { return r[58:80] }

// item3 is record 32, amount item 3, of transaction types 20 and 21 only (section 2.4).
type item3 record

func (r *item3) number() []byte { return r[8:15] }
func (r *item3) text() []byte   { return r[15:55] }
func (r *item3) filler() []byte { return r[55:80] }

// assignmentEnd is record 88 (section 2.5).
type assignmentEnd record

func (r *assignmentEnd) transactions() []byte { return r[8:16] }
func (r *assignmentEnd) records() []byte      { return r[16:24] }
func (r *assignmentEnd) amount() []byte       { return r[24:41] }
func (r *assignmentEnd) created() []byte      { return r[41:47] }
func (r *assignmentEnd) earliest() []byte     { return r[47:53] }
func (r *assignmentEnd) latest() []byte       { return r[53:59] }
func (r *assignmentEnd) filler() []byte       { return r[59:80] }

// transmissionEnd is record 89 (section 2.6).
type transmissionEnd record

func (r *transmissionEnd) transactions() []byte { return r[8:16] }
func (r *transmissionEnd) records() []byte      { return r[16:24] }
func (r *transmissionEnd) amount() []byte       { return r[24:41] }
func (r *transmissionEnd) created() []byte      { return r[41:47] }
func (r *transmissionEnd) filler() []byte       { return r[47:80] }

// Nearly all of a file is digits. To be fast, the functions below check eight of them at a time. The reader checks an
// item that is not plain again, field by field, to name its faults.

// plain reports whether the item has no fault, no oddity and no card issuer. It does not check KID, date and type.
func (r *item1) plain() bool {
	return eightDigits(r[8:]) && eightDigits(r[16:]) && eightDigits(r[23:]) && // number to serial
		(r[23] < '3' || r[23] == '3' && r[24] <= '1') && // day code
		(r[31] == '0' || r[31] == '-') && // sign
		eightDigits(r[32:]) && eightDigits(r[40:]) && eightDigits(r[41:]) && // amount
		string(r[74:80]) == "000000" // card issuer and filler
}

// plain reports whether all number fields hold digits and the fillers zeros.
func (r *item2) plain() bool {
	return eightDigits(r[15:]) && eightDigits(r[23:]) && eightDigits(r[26:]) && // form number and archive reference
		string(r[34:41]) == "0000000" &&
		eightDigits(r[41:]) && eightDigits(r[49:]) && eightDigits(r[50:]) && // bank date and debit account
		string(r[58:74]) == "0000000000000000" && string(r[74:80]) == "000000"
}

// amountValue returns the amount, in øre, of an item whose amount is digits.
func (r *item1) amountValue() models.Amount {
	const eight = 100_000_000
	return models.Amount((int64(r[32]-'0')*eight+eightDigitNumber(r[33:]))*eight + eightDigitNumber(r[41:]))
}

// trimmedKID returns the KID without the blanks around it. The KID is right-aligned, so most blanks come first.
func (r *item1) trimmedKID() []byte {
	kid := r.kid()
	for len(kid) > 8 && string(kid[:8]) == "        " {
		kid = kid[8:]
	}
	return bytes.Trim(kid, " ")
}

// eightDigits reports whether each of the first eight bytes is 0x30 to 0x39. The upper half of such a byte is 3, even
// after 6 is added.
func eightDigits(b []byte) bool {
	const high, threes, sixes = 0xf0f0f0f0f0f0f0f0, 0x3030303030303030, 0x0606060606060606
	v := binary.LittleEndian.Uint64(b)
	return v&high == threes && (v+sixes)&high == threes
}

// eightDigitNumber returns the value of the first eight bytes, which are digits. It joins digits to pairs, pairs to
// numbers of four digits, and those to one number.
func eightDigitNumber(b []byte) int64 {
	v := binary.LittleEndian.Uint64(b)
	twos := (v & 0x0f0f0f0f0f0f0f0f) * (10<<8 + 1) >> 8
	fours := (twos & 0x00ff00ff00ff00ff) * (100<<16 + 1) >> 16
	return int64((fours & 0x0000ffff0000ffff) * (10_000<<32 + 1) >> 32)
}
