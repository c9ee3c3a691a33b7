package ocr

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"purr/models"
	"purr/ocr/giro"
)

// bankFile is a file as the bank delivers it: one transmission.
type bankFile struct {
	number      string // of the transmission; one that follows from the content where empty
	sender      string // Nets where empty
	recipient   string // "12345" where empty
	crlf        bool
	assignments []assignment
}

// assignment is what one account received.
type assignment struct {
	account  string
	number   string // "1" where empty
	payments []giro.Payment
	mandates int // AvtaleGiro mandates instead of payments
}

// paid returns a payment of an amount in øre. Two of the same KID and amount are equal in all that the
// bank says of them.
func paid(kid string, amount models.Amount) giro.Payment {
	return giro.Payment{
		Type: giro.TypeCorporateGiro, NetsDate: today - 1, BankDate: today - 2, Amount: amount, KID: kid,
		DebitAccount: "98765432103", ArchiveReference: "600200001", Centre: "26", DayCode: "02", PartialSettlement: "1", Serial: "06053",
	}
}

// out returns a "-" line.
func out(kid string, amount models.Amount) giro.Payment {
	p := paid(kid, amount)
	p.Negative = true
	return p
}

// byCard returns a transaction of the types 18 to 21.
func byCard(typ giro.Type, kid string, amount models.Amount, text string) giro.Payment {
	return giro.Payment{Type: typ, NetsDate: today - 1, Amount: amount, KID: kid, Text: text, CardIssuer: "1"}
}

// fileOf returns the file of one account's payments.
func fileOf(account string, payments ...giro.Payment) bankFile {
	return bankFile{assignments: []assignment{{account: account, payments: payments}}}
}

// bytes writes the file.
func (f bankFile) bytes(t tester) []byte {
	t.Helper()
	if f.number == "" {
		f.number = strconv.Itoa(int(crc32.ChecksumIEEE(fmt.Append(nil, f.assignments)) % 10_000_000))
	}
	var b bytes.Buffer
	w := giro.NewWriter(&b)
	w.UseCRLF = f.crlf
	must(t, w.StartTransmission(giro.TransmissionHeader{Sender: f.sender, Number: f.number, Recipient: cmp.Or(f.recipient, "12345"), Created: today}))
	mandates := ""
	added := 0
	for _, a := range f.assignments {
		if a.mandates > 0 {
			mandates += mandateRecords(a)
			added += a.mandates
			continue
		}
		must(t, w.StartAssignment(giro.AssignmentHeader{AgreementID: "1234567", Number: a.number, Account: a.account, Created: today}))
		for _, p := range a.payments {
			must(t, w.Write(p))
		}
	}
	must(t, w.Close())
	if added == 0 {
		return b.Bytes()
	}
	return withRecords(b.String(), mandates, added)
}

// mandateRecords returns an assignment of AvtaleGiro mandates (service 21).
func mandateRecords(a assignment) string {
	var b strings.Builder
	record := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		b.WriteString(text + strings.Repeat("0", 80-len(text)) + "\n")
	}
	record("NY212420000000000%07s%s", "0000043", a.account)
	for n := range a.mandates {
		record("NY219470%07d1            %013dJ", n+1, n)
	}
	record("NY212488%08d%08d", a.mandates, a.mandates+2)
	return b.String()
}

// withRecords puts records before the end of the transmission, which counts them and their transactions.
func withRecords(file, records string, transactions int) []byte {
	end := strings.LastIndex(file, "NY000089")
	var counted, lines int
	if _, err := fmt.Sscanf(file[end+8:end+24], "%08d%08d", &counted, &lines); err != nil {
		panic(err)
	}
	return fmt.Appendf(nil, "%s%sNY000089%08d%08d%s", file[:end], records,
		counted+transactions, lines+strings.Count(records, "\n"), file[end+24:])
}
