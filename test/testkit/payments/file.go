// Package payments makes payment files as a bank writes them, and the books to import them into, for tests.
package payments

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"purr/models"
	"purr/ocr/giro"
	"purr/test/testkit/rows"
)

// File is a file as the bank delivers it: one transmission.
type File struct {
	Number      string // of the transmission; if empty, it is made from the content
	Sender      string // Nets if empty
	Recipient   string // "12345" where empty
	CRLF        bool
	Assignments []Assignment
}

// Assignment holds the payments of one account.
type Assignment struct {
	Account  string
	Number   string // "1" where empty
	Payments []giro.Payment
	Mandates int // AvtaleGiro mandates instead of payments
}

// Paid returns a payment of an amount in øre. Two payments with the same KID and amount are equal in all data of the
// bank.
func Paid(kid string, amount models.Amount) giro.Payment {
	return giro.Payment{
		Type: giro.TypeCorporateGiro, NetsDate: rows.Today - 1, BankDate: rows.Today - 2, Amount: amount, KID: kid,
		DebitAccount: "98765432103", ArchiveReference: "600200001", Centre: "26", DayCode: "02", PartialSettlement: "1", Serial: "06053",
	}
}

// Out returns a payment with the sign "-".
func Out(kid string, amount models.Amount) giro.Payment {
	p := Paid(kid, amount)
	p.Negative = true
	return p
}

// ByCard returns a transaction of the types 18 to 21.
func ByCard(typ giro.Type, kid string, amount models.Amount, text string) giro.Payment {
	return giro.Payment{Type: typ, NetsDate: rows.Today - 1, Amount: amount, KID: kid, Text: text, CardIssuer: "1"}
}

// FileOf returns the file of one account's payments.
func FileOf(account string, payments ...giro.Payment) File {
	return File{Assignments: []Assignment{{Account: account, Payments: payments}}}
}

// Bytes writes the file.
func (f File) Bytes(t T) []byte {
	t.Helper()
	if f.Number == "" {
		f.Number = strconv.Itoa(int(crc32.ChecksumIEEE(fmt.Append(nil, f.Assignments)) % 10_000_000))
	}
	var b bytes.Buffer
	w := giro.NewWriter(&b)
	w.UseCRLF = f.CRLF
	Must(t, w.StartTransmission(giro.TransmissionHeader{Sender: f.Sender, Number: f.Number, Recipient: cmp.Or(f.Recipient, "12345"), Created: rows.Today}))
	mandates := ""
	added := 0
	for _, a := range f.Assignments {
		if a.Mandates > 0 {
			mandates += mandateRecords(a)
			added += a.Mandates
			continue
		}
		Must(t, w.StartAssignment(giro.AssignmentHeader{AgreementID: "1234567", Number: a.Number, Account: a.Account, Created: rows.Today}))
		for _, p := range a.Payments {
			Must(t, w.Write(p))
		}
	}
	Must(t, w.Close())
	if added == 0 {
		return b.Bytes()
	}
	return withRecords(b.String(), mandates, added)
}

// mandateRecords returns an assignment of AvtaleGiro mandates (service 21).
func mandateRecords(a Assignment) string {
	var b strings.Builder
	record := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		b.WriteString(text + strings.Repeat("0", 80-len(text)) + "\n")
	}
	record("NY212420000000000%07s%s", "0000043", a.Account)
	for n := range a.Mandates {
		record("NY219470%07d1            %013dJ", n+1, n)
	}
	record("NY212488%08d%08d", a.Mandates, a.Mandates+2)
	return b.String()
}

// withRecords inserts records before the end of the transmission. The end record counts them and their transactions.
func withRecords(file, records string, transactions int) []byte {
	end := strings.LastIndex(file, "NY000089")
	var counted, lines int
	if _, err := fmt.Sscanf(file[end+8:end+24], "%08d%08d", &counted, &lines); err != nil {
		panic(err)
	}
	return fmt.Appendf(nil, "%s%sNY000089%08d%08d%s", file[:end], records,
		counted+transactions, lines+strings.Count(records, "\n"), file[end+24:])
}

// NobodysAccount is a valid account that no creditor of a test has.
const NobodysAccount = "86011117947"

// OtherKID returns a valid KID that no document of the creditor has.
func OtherKID(length, modulus int) string {
	return models.NewKID(fmt.Sprintf("%0*d", length-1, 987_650), modulus)
}

// Mistyped returns the KID with its check digit wrong.
func Mistyped(kid string) string {
	last := len(kid) - 1
	return kid[:last] + string('0'+(kid[last]-'0'+1)%10)
}
