package giro

import (
	"bytes"
	"encoding/binary"

	"purr/models"
)

// What follows is what makes the reader fast: nearly all of a file is digits, and these look at eight
// of them at a time. They are never more than a first look: what is not plain is looked at again
// field by field, to say what is wrong with it.

// plain reports whether all digits of the item are digits and its filler zeros, the sign is one, and
// there is neither a card nor an impossible day code.
func (r *item1) plain() bool {
	return eightDigits(r[8:]) && eightDigits(r[16:]) && eightDigits(r[23:]) && // number to serial
		(r[23] < '3' || r[23] == '3' && r[24] <= '1') && // day code
		(r[31] == '0' || r[31] == '-') && // sign
		eightDigits(r[32:]) && eightDigits(r[40:]) && eightDigits(r[41:]) && // amount
		string(r[74:80]) == "000000" // card issuer and filler
}

// plain reports whether all digits of the item are digits, and its fillers zeros.
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

// trimmedKID returns the KID without the blanks around it. It is right-aligned, so that there are many.
func (r *item1) trimmedKID() []byte {
	kid := r.kid()
	for len(kid) > 8 && string(kid[:8]) == "        " {
		kid = kid[8:]
	}
	return bytes.Trim(kid, " ")
}

// eightDigits reports whether each of the first eight bytes is 0x30 to 0x39: it begins with 3, and
// still does with 6 added.
func eightDigits(b []byte) bool {
	const high, threes, sixes = 0xf0f0f0f0f0f0f0f0, 0x3030303030303030, 0x0606060606060606
	v := binary.LittleEndian.Uint64(b)
	return v&high == threes && (v+sixes)&high == threes
}

// eightDigitNumber returns the value of the first eight bytes, which are digits. It joins them to
// numbers of two digits, those to numbers of four, and those to one.
func eightDigitNumber(b []byte) int64 {
	v := binary.LittleEndian.Uint64(b)
	twos := (v & 0x0f0f0f0f0f0f0f0f) * (10<<8 + 1) >> 8
	fours := (twos & 0x00ff00ff00ff00ff) * (100<<16 + 1) >> 16
	return int64((fours & 0x0000ffff0000ffff) * (10_000<<32 + 1) >> 32)
}
