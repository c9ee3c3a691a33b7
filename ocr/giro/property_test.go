package giro

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
)

func digitString(most int) *rapid.Generator[string] {
	return rapid.StringMatching(fmt.Sprintf("[0-9]{%d}", most))
}

// drawPayment draws any payment that can be written.
func drawPayment(t *rapid.T) Payment {
	p := Payment{
		Type:              Type(rapid.IntRange(int(firstType), int(lastType)).Draw(t, "type")),
		NetsDate:          testToday + models.Date(rapid.IntRange(-1000, 100).Draw(t, "Nets date")),
		Amount:            models.Amount(rapid.Int64Range(0, 1e15).Draw(t, "amount")),
		Negative:          rapid.IntRange(0, 9).Draw(t, "negative") == 0,
		DebitAccount:      rapid.OneOf(rapid.Just(""), rapid.StringMatching("[1-9][0-9]{10}")).Draw(t, "debit account"),
		ArchiveReference:  digitString(9).Draw(t, "archive reference"),
		FormNumber:        digitString(10).Draw(t, "form number"),
		Centre:            digitString(2).Draw(t, "centre"),
		DayCode:           fmt.Sprintf("%02d", rapid.IntRange(0, 31).Draw(t, "day code")),
		PartialSettlement: digitString(1).Draw(t, "partial settlement"),
		Serial:            digitString(5).Draw(t, "serial"),
		CardIssuer:        "00",
	}
	if rapid.Bool().Draw(t, "has a bank date") {
		p.BankDate = p.NetsDate - models.Date(rapid.IntRange(0, 5).Draw(t, "days in the bank"))
	}
	if p.Type >= TypeCardReversal {
		p.CardIssuer = digitString(2).Draw(t, "card issuer")
	}
	if p.Type.HasText() {
		p.Text = strings.TrimRight(rapid.StringMatching(`[ -~¡-ÿ]{0,40}`).Draw(t, "text"), " ")
	} else {
		p.KID = rapid.StringMatching(`([0-9]{1,24}[0-9-])?`).Draw(t, "KID")
	}
	return p
}

// drawn is a file as it is meant.
type drawn struct {
	transmission TransmissionHeader
	assignments  []AssignmentHeader
	payments     [][]Payment
}

func drawFile(t *rapid.T) drawn {
	d := drawn{transmission: TransmissionHeader{
		Sender: NetsSender, Number: digitString(7).Draw(t, "number"), Recipient: digitString(8).Draw(t, "recipient"),
		Created: rapid.SampledFrom([]models.Date{0, testToday}).Draw(t, "created"),
	}}
	for range rapid.IntRange(0, 3).Draw(t, "assignments") {
		d.assignments = append(d.assignments, AssignmentHeader{
			AgreementID: digitString(9).Draw(t, "agreement"), Number: digitString(7).Draw(t, "number"),
			Account: rapid.SampledFrom([]string{testAccount, otherAccount}).Draw(t, "account"), Created: d.transmission.Created,
		})
		var sum models.Amount
		var payments []Payment
		for range rapid.IntRange(0, 5).Draw(t, "transactions") {
			p := drawPayment(t)
			if p.Negative && p.Amount > sum {
				p.Negative = false // no end record can say what is below zero
			}
			if sum += p.Amount; p.Negative {
				sum -= 2 * p.Amount
			}
			payments = append(payments, p)
		}
		d.payments = append(d.payments, payments)
	}
	return d
}

func (d drawn) write(crlf bool) string {
	var out strings.Builder
	w := NewWriter(&out)
	w.UseCRLF = crlf
	must(w.StartTransmission(d.transmission))
	for i, a := range d.assignments {
		must(w.StartAssignment(a))
		for _, p := range d.payments[i] {
			must(w.Write(p))
		}
	}
	must(w.Close())
	return out.String()
}

// paymentOf returns what a transaction was written from.
func paymentOf(tx *Transaction) Payment {
	return Payment{
		Type: tx.Type, NetsDate: tx.NetsDate, BankDate: tx.BankDate, Amount: tx.Amount, Negative: tx.Negative,
		KID: tx.KID(), DebitAccount: tx.DebitAccount(), ArchiveReference: tx.ArchiveReference(), FormNumber: tx.FormNumber(),
		Centre: tx.Centre(), DayCode: tx.DayCode(), PartialSettlement: tx.PartialSettlement(), Serial: tx.Serial(),
		CardIssuer: tx.CardIssuer(), Text: tx.Text(),
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawFile(t)
		text := want.write(rapid.Bool().Draw(t, "CR LF"))
		file, err := Parse(strings.NewReader(text), testToday)
		if err != nil {
			t.Fatal(err)
		}
		if len(file.Warnings) > 0 {
			t.Fatal(file.Warnings)
		}
		got := drawn{transmission: file.Transmissions[0].TransmissionHeader}
		rest := file.Transactions
		var sum models.Amount
		for i, a := range file.Transmissions[0].Assignments {
			got.assignments = append(got.assignments, a.AssignmentHeader)
			var payments []Payment
			for len(rest) > 0 && rest[0].Assignment == a {
				payments = append(payments, paymentOf(&rest[0]))
				sum += rest[0].Signed()
				rest = rest[1:]
			}
			if !slices.Equal(payments, want.payments[i]) {
				t.Fatalf("got %+v, want %+v", payments, want.payments[i])
			}
		}
		if got.transmission != want.transmission || !slices.Equal(got.assignments, want.assignments) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		if file.Amount != sum || file.Totals.Transactions != len(file.Transactions) || file.Records != strings.Count(text, "\n") {
			t.Fatalf("the totals are %+v", file.Totals)
		}
	})
}

// TestNoLossOfMoneyGoesUnseen changes a digit of an amount, a sign, a sum or a count.
func TestNoLossOfMoneyGoesUnseen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := strings.SplitAfter(drawFile(t).write(false), "\n")
		n := rapid.IntRange(0, len(lines)-2).Draw(t, "line")
		var from, end int
		switch lines[n][6:8] {
		case "30":
			from, end = 32, 49
		case "88", "89":
			from, end = 8, 41
		default:
			return
		}
		at := rapid.IntRange(from, end-1).Draw(t, "at")
		digit := string('0' + (lines[n][at]-'0'+byte(rapid.IntRange(1, 9).Draw(t, "by")))%10)
		lines[n] = lines[n][:at] + digit + lines[n][at+1:]
		if _, err := Check(strings.NewReader(strings.Join(lines, "")), testToday); err == nil {
			t.Fatalf("line %d is taken as %s", n+1, lines[n])
		}
	})
}

// TestNoLostRecordGoesUnseen drops, doubles, or moves a record.
func TestNoLostRecordGoesUnseen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := strings.SplitAfter(strings.TrimSuffix(drawFile(t).write(false), "\n"), "\n")
		n := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		damaged := slices.Clone(lines)
		switch rapid.SampledFrom([]string{"drop", "double", "cut off"}).Draw(t, "damage") {
		case "drop":
			damaged = slices.Delete(damaged, n, n+1)
		case "double":
			damaged = slices.Insert(damaged, n, lines[n][:recordLen]+"\n")
		case "cut off":
			damaged = damaged[:n]
		}
		if _, err := Check(strings.NewReader(strings.Join(damaged, "")), testToday); err == nil {
			t.Fatalf("it is taken without or with two of line %d", n+1)
		}
	})
}
