package ocr

import (
	"fmt"
	"strings"
	"testing"

	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
	"purr/store"
	"purr/test/testkit/rows"
)

// statement returns a creditor's lines of the bank's statement, one a line.
func (b *books) statement(t tester, c models.Creditor) string {
	t.Helper()
	lines, _, err := b.DB.StatementLines(t.Context(), c.ID, store.StatementFilter{}, store.Page{Number: 1, Size: 1000})
	must(t, err)
	return inColumns(lines)
}

func inColumns(lines []models.StatementLine) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%s %s: %d of %s", l.TransactionDate, l.Reference, l.Transactions, l.Amount)
		if l.FileAmount != l.Amount {
			fmt.Fprintf(&b, " (%s in the file)", l.FileAmount)
		}
		fmt.Fprintf(&b, "; %d of %s matched, %d of %s unmatched, %d of %s duplicates\n",
			l.Matched, l.MatchedAmount, l.Unmatched, l.UnmatchedAmount, l.Duplicates, l.DuplicatesAmount)
	}
	return b.String()
}

func wantText(t tester, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%swant\n%s", what, got, want)
	}
}

// proveFile proves from its raw bytes what the books say of a file.
func (b *books) proveFile(t tester, f models.PaymentFile) {
	t.Helper()
	for _, d := range b.differences(t, f) {
		t.Errorf("file %d: %s", f.ID, d)
	}
}

func (b *books) differences(t tester, f models.PaymentFile) []string {
	t.Helper()
	var all []string
	must(t, b.im.Verify(t.Context(), []models.PaymentFile{f}, func(_ int, d FileDifference) { all = append(all, fmt.Sprintf("line %d: %s", d.Line, d.Text)) }))
	return all
}

// proveFiles proves all files.
func (b *books) proveFiles(t tester) {
	t.Helper()
	files, err := b.DB.FinishedFiles(t.Context(), 0, 1_000_000)
	must(t, err)
	for _, f := range files {
		b.proveFile(t, f)
	}
}

// inLump returns the payment in another lump sum of the bank's statement.
func inLump(p giro.Payment, date models.Date, serial string) giro.Payment {
	p.NetsDate, p.Serial = date, serial
	return p
}

// The sum of the lines of a file that share settlement date, centre, day code, partial settlement and serial number is
// one line of the bank's statement.
func TestE4LumpSumsAreTheLinesOfTheStatement(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c)
		f := b.take(t, fileOf(
			c.BankAccount,
			paid(invoice.KID, 100_00), paid(invoice.KID, 20_00), paid("", 5_00), out(invoice.KID, 2_00),
			inLump(paid(invoice.KID, 40_00), today-1, "06054"),
			inLump(paid(otherKID(10, 10), 3_00), today-2, "06053"),
		).Bytes(t))
		want := `2026-02-28 2602106053: 1 of 3.00; 0 of 0.00 matched, 1 of 3.00 unmatched, 0 of 0.00 duplicates
2026-03-01 2602106053: 4 of 123.00; 2 of 120.00 matched, 2 of 3.00 unmatched, 0 of 0.00 duplicates
2026-03-01 2602106054: 1 of 40.00; 1 of 40.00 matched, 0 of 0.00 unmatched, 0 of 0.00 duplicates
`
		wantText(t, "the statement", b.statement(t, c), want)
		of, n, err := b.DB.StatementLinesOf(t.Context(), c.ID, f.ID, store.Page{Number: 1, Size: 10})
		if must(t, err); n != 3 {
			t.Errorf("the file has %d lines of it", n)
		}
		wantText(t, "the file's part", inColumns(of), want)
		b.proveFile(t, f)
	})
}

// Card reversals (types 18 and 20) are added in the sums of the file, and are money out of the account.
func TestE4TheStatementShowsCardReversalsAsMoneyOut(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c)
		f := b.take(t, fileOf(c.BankAccount, byCard(19, invoice.KID, 100_00, ""), byCard(18, invoice.KID, 30_00, "")).Bytes(t))
		wantText(t, "the statement", b.statement(t, c),
			"2026-03-01 0000000000: 2 of 70.00 (130.00 in the file); 1 of 100.00 matched, 1 of 30.00 unmatched, 0 of 0.00 duplicates\n")
		b.proveFile(t, f)
	})
}

// A line that comes again is in its statement line once, under the file that brought it first; what is new in the
// other file is added.
func TestE4WhatComesAgainIsOnTheStatementOnce(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c)
		first := fileOf(c.BankAccount, paid(invoice.KID, 100_00), paid("", 5_00))
		first.Number = "1"
		b.take(t, first.Bytes(t))
		once := b.statement(t, c)
		again := first
		again.CRLF = true
		if f := b.take(t, again.Bytes(t)); f.State != models.FileDuplicate {
			t.Errorf("the file is %s", f.State)
		}
		repackaged := first
		repackaged.Number = "2"
		b.take(t, repackaged.Bytes(t))
		wantText(t, "the statement after the same twice more", b.statement(t, c), once)
		more := fileOf(c.BankAccount, paid(invoice.KID, 100_00), paid("", 5_00), paid(invoice.KID, 7_00))
		more.Number = "3"
		f := b.take(t, more.Bytes(t))
		wantText(t, "the statement", b.statement(t, c),
			"2026-03-01 2602106053: 3 of 112.00; 2 of 107.00 matched, 1 of 5.00 unmatched, 0 of 0.00 duplicates\n")
		of, _, err := b.DB.StatementLinesOf(t.Context(), c.ID, f.ID, store.Page{Number: 1, Size: 10})
		must(t, err)
		wantText(t, "what the last file brought", inColumns(of), "2026-03-01 2602106053: 1 of 7.00; 1 of 7.00 matched, 0 of 0.00 unmatched, 0 of 0.00 duplicates\n")
		b.proveFiles(t)
	})
}

// In camt.054 an entry is a line of the statement. One that is not booked is on none, and what came in OCR giro before
// is among its duplicates.
func TestE4AnEntryIsALineOfTheStatement(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c)
		b.take(t, fileOf(c.BankAccount, paid(invoice.KID, 100_00)).Bytes(t))
		pending := lump(credited(invoice.KID, 900_00)).changed(func(e *entry) { e.Status, e.BankReference = "PDNG", "LUMP-2" })
		back := lump(credited("", 15_00)).debited().changed(func(e *entry) { e.BankReference, e.Reference = "", "7" })
		same := lump(credited("", 8_00))
		f := b.take(t, messageOf(c.BankAccount, lump(credited(invoice.KID, 100_00), credited(invoice.KID, 50_00)), pending, back, same).Bytes(t))
		wantText(t, "the statement", b.statement(t, c), `2026-03-01 7: 1 of -15.00; 0 of 0.00 matched, 1 of -15.00 unmatched, 0 of 0.00 duplicates
2026-03-01 LUMP-1: 2 of 150.00; 1 of 50.00 matched, 0 of 0.00 unmatched, 1 of 100.00 duplicates
2026-03-01 LUMP-1: 1 of 8.00; 0 of 0.00 matched, 1 of 8.00 unmatched, 0 of 0.00 duplicates
2026-03-01 2602106053: 1 of 100.00; 1 of 100.00 matched, 0 of 0.00 unmatched, 0 of 0.00 duplicates
`)
		if got, want := b.sums(t, f, c.ID), (sums{5, 1, 2, 1, 1}); got != want {
			t.Errorf("the file's part is %+v, want %+v", got, want)
		}
		b.proveFiles(t)
	})
}

func TestE5ThePayersNameIsKept(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		for i, version := range []camt.Version{camt.Version02, camt.Version08} {
			m := messageOf(c.BankAccount, lump(camt.Payment{Amount: 5_00 + models.Amount(i), Name: "Åse Blåbærdal", Text: "husleie"}))
			m.version = version
			b.take(t, m.Bytes(t))
		}
		for _, u := range b.Queue(t, c) {
			if u.PayerName != "Åse Blåbærdal" || u.Text != "husleie" {
				t.Errorf("of the payer is kept %q, %q", u.PayerName, u.Text)
			}
		}
	})
}
