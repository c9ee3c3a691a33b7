package giro

import (
	"fmt"
	"strings"

	"purr/models"
	"purr/test/testkit/vectors"
)

// plainFile is what most vectors are made from. Its lines are
//
//	1  start of transmission
//	2  start of assignment
//	3  4    payment of 1250.00
//	5  6 7  purchase of 80.00 with text
//	8  9    credit note, -250.00
//	10 end of assignment
//	11 end of transmission
func plainFile() string {
	return written(
		payment(125000),
		payment(8000).with(asPurchase),
		payment(25000).with(func(p *Payment) { p.Negative = true }),
	)
}

func asPurchase(p *Payment) {
	p.Type, p.KID, p.Text, p.CardIssuer, p.DebitAccount = TypePurchaseWithText, "", "Blåbær 2 kg", "02", ""
}

// edit is damage, or another change, to the lines of a file.
type edit func(lines []string) []string

func edited(file string, edits ...edit) string {
	lines := strings.SplitAfter(file, "\n")
	for _, e := range edits {
		lines = e(lines)
	}
	return strings.Join(lines, "")
}

// lineOf returns a line of a file with its end. Lines count from 1.
func lineOf(file string, line int) string { return strings.SplitAfter(file, "\n")[line-1] }

// set overwrites a line from a position on, which is 0-based as in record.go.
func set(line, from int, text string) edit {
	return func(lines []string) []string {
		old := lines[line-1]
		lines[line-1] = old[:from] + text + old[from+len(text):]
		return lines
	}
}

// to replaces a line altogether.
func to(line int, text string) edit {
	return func(lines []string) []string {
		lines[line-1] = text
		return lines
	}
}

func drop(line int) edit {
	return func(lines []string) []string { return append(lines[:line-1:line-1], lines[line:]...) }
}

// insert puts texts before a line.
func insert(line int, texts ...string) edit {
	return func(lines []string) []string {
		return append(append(lines[:line-1:line-1], texts...), lines[line-1:]...)
	}
}

// mandates is an assignment of AvtaleGiro with one mandate.
var mandates = []string{
	"NY212420000000000000004312345678903000000000000000000000000000000000000000000000\n",
	"NY21947000000011            0000421003179J00000000000000000000000000000000000000\n",
	"NY212488000000010000000300000000000000000000000000000000000000000000000000000000\n",
}

// otherService is an assignment of a service that we know nothing of, which counts five transactions.
var otherService = []string{
	"NY420020000000000000004412345678903000000000000000000000000000000000000000000000\n",
	"NY420055ANYTHING                       THAT SERVICE HAS                         \n",
	"NY420088000000050000000300000000000000000000000000000000000000000000000000000000\n",
}

func rightFiles() []vectors.Vector {
	plain := plainFile()
	crlf := strings.ReplaceAll(plain, "\n", "\r\n")
	return []vectors.Vector{
		{"plain", plain},
		{"crlf", crlf},
		{"doubled_cr", strings.ReplaceAll(plain, "\n", "\r\r\n")},
		{"no_final_newline", strings.TrimSuffix(plain, "\n")},
		{"byte_order_mark", "\xef\xbb\xbf" + plain},
		{"blank_lines", "\n\n" + strings.ReplaceAll(plain, "\n", "\n \t\n")},
		{"ctrl_z_line", crlf + "\x1a"},
		{"ctrl_z_without_newline", strings.TrimSuffix(plain, "\n") + "\x1a\x1a"},
		{"all_types", allTypesFile()},
		{"kid_with_minus", written(payment(100).with(func(p *Payment) { p.KID = "1000005-" }))},
		{"kid_of_25_digits", written(payment(100).with(func(p *Payment) { p.KID = "9999999999999999999999994" }))},
		{"kid_of_zeros", written(payment(100).with(func(p *Payment) { p.KID = strings.Repeat("0", 25) }))},
		{"kid_blank_in_a_giro", written(payment(100).with(func(p *Payment) { p.KID = "" }))},
		{"kid_filled_with_zeros", written(payment(100).with(func(p *Payment) { p.KID = strings.Repeat("0", 12) + "0000421003179" }))},
		{"line_ends_mixed", strings.Replace(plain, "\n", "\r\n", 5)},
		{"no_bank_date", written(payment(100).with(func(p *Payment) { p.BankDate = 0 }))},
		{"day_code_00", written(payment(100).with(func(p *Payment) { p.DayCode = "00" }))},
		{"nothing_in_use_but_amount_and_kid", written(Payment{Type: TypeAvtaleGiro, NetsDate: testToday, Amount: 1, KID: "1230"})},
		{"no_dates_of_creation", writtenAs(
			TransmissionHeader{Number: "0000124", Recipient: "00012345"},
			AssignmentHeader{AgreementID: "001234567", Number: "0000042", Account: testAccount}, payment(100))},
		{"of_the_year_1992", written(payment(100).with(func(p *Payment) { p.NetsDate -= 34 * 365; p.BankDate = 0 }))},
		{"sum_above_32_bits", written(payment(2147483647), payment(100))},
		{"largest_amount", written(payment(MaxAmount))},
		{"net_zero", written(payment(100), payment(100).with(func(p *Payment) { p.Negative = true }))},
		{"no_transactions", written()},
		{"no_assignments", edited(written(), drop(3), drop(2), set(2, 16, "00000002"))},
		{"mandates_and_payments", edited(plain, insert(11, mandates...), set(14, 8, "0000000400000014"))},
		{"mandates_only", edited(plain, keepFrame, insert(2, mandates...), set(5, 8, "0000000100000005"), set(5, 24, strings.Repeat("0", 23)))},
		{"an_unknown_service", edited(plain, insert(2, otherService...), set(14, 8, "0000000800000014"))},
		{"same_assignment_number_twice", assignmentTwiceFile()},
		{"two_transmissions", plain + allTypesFile()},
		{"two_transmissions_joined_with_marks", crlf + "\x1a\xef\xbb\xbf" + crlf + "\x1a"},
	}
}

// keepFrame leaves only the first and the last record of plainFile.
func keepFrame(lines []string) []string { return append(lines[:1:1], lines[10:]...) }

func allTypesFile() string {
	var payments []Payment
	for typ := firstType; typ <= lastType; typ++ {
		payments = append(payments, payment(100*models.Amount(typ)).with(func(p *Payment) {
			p.Type = typ
			if typ >= TypeCardReversal {
				p.CardIssuer, p.DebitAccount, p.PartialSettlement = "01", "", "0"
			}
			if typ.HasText() {
				p.KID, p.Text = "", fmt.Sprintf("Kjøp nr. %d, æ ø å og fyll til førti tegn", typ)
				p.Text = string([]rune(p.Text)[:40])
			}
		}))
	}
	return written(payments...)
}

func assignmentTwiceFile() string {
	var out strings.Builder
	w := NewWriter(&out)
	must(w.StartTransmission(testTransmission))
	for _, account := range []string{testAccount, otherAccount} {
		a := testAssignment
		a.Account = account
		must(w.StartAssignment(a))
		must(w.Write(payment(100)))
	}
	must(w.Close())
	return out.String()
}

func oddFiles() []vectors.Vector {
	plain := plainFile()
	return []vectors.Vector{
		{"sender_is_not_nets.unknown_sender.line1", edited(plain, set(1, 8, "00001234"))},
		{"account_with_wrong_check_digit.bad_account.line2", edited(plain, set(2, 24, "12345678901"))},
		{"mandate_of_no_known_change.bad_mandate.line12", edited(plain, insert(11, mandates...), set(12, 15, "7"), set(14, 8, "0000000400000014"))},
		{"filler_in_item2.filler.line4", edited(plain, set(4, 34, "0160000"))},
		{"filler_at_the_end_of_item2.filler.line4", edited(plain, set(4, 79, " "))},
		{"filler_in_starts.filler.line1.filler.line2", edited(plain, set(1, 31, "1"), set(2, 79, "X"))},
		{"filler_in_item1_and_item3.filler.line3.filler.line7", edited(plain, set(3, 76, "    "), set(7, 55, "1"))},
		{"filler_in_ends.filler.line10.filler.line11", edited(plain, set(10, 59, "1"), set(11, 79, "9"))},
		{"card_issuer_in_a_giro.filler.line3", edited(plain, set(3, 74, "01"))},
		{"kid_left_aligned.kid_alignment.line3", edited(plain, set(3, 49, "0000421003179            "))},
		{"kid_in_a_transaction_with_text.kid_not_expected.line5", edited(plain, set(5, 61, "0000421003179"))},
		{"number_twice.transaction_order.line8", edited(plain, set(8, 8, "0000002"), set(9, 8, "0000002"))},
		{"latest_date_a_week_later.date_range.line10", edited(plain, set(10, 53, "090326"))},
		{"no_earliest_and_latest_date.date_range.line10", edited(plain, set(10, 47, "000000000000"))},
		{"minus_reversal_added.reversals_added.line9", reversalFile(130000)},
		{"minus_reversal_subtracted", reversalFile(120000)},
	}
}

// reversalFile has a payment of 1250.00 and a card reversal of 50.00 with sign "-", and says that they
// add up to the given sum.
func reversalFile(sum models.Amount) string {
	file := written(payment(125000), payment(0), payment(5000).with(func(p *Payment) {
		p.Type, p.Negative, p.CardIssuer = TypeCardReversal, true, "01"
	}))
	field := fmt.Sprintf("%017d", sum)
	return edited(file, set(9, 24, field), set(10, 24, field))
}
