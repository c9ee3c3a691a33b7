package ocr

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"purr/dunning"
	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
	"purr/store"
	"purr/test/testkit/rows"
)

// datedFiles are files of both formats with a payment without KID of one krone on a day.
var datedFiles = map[string]func(t tester, account string, day models.Date) []byte{
	"giro": func(t tester, account string, day models.Date) []byte {
		return fileOf(account, with(paid("", 1_00), func(p *giro.Payment) { p.NetsDate = day })).Bytes(t)
	},
	"camt": func(t tester, account string, day models.Date) []byte {
		return messageOf(account, lump(credited("", 1_00)).changed(func(e *entry) { e.Booked = day })).Bytes(t)
	},
}

// TestD110DatesOfBankFiles: a payment may be dated up to 31 days ahead, with a warning and an event. The bank's files then cover
// the account up to the day on which the file came. What is later, or before 2000, rejects the file with its place.
func TestD110DatesOfBankFiles(t *testing.T) {
	tests := []struct {
		why   string
		day   models.Date
		state models.FileState
		found string // a warning or a fault
		until models.Date
	}{
		{"yesterday", today - 1, models.FileImported, "", today - 1},
		{"today", today, models.FileImported, "", today},
		{"tomorrow", today + 1, models.FileImported, models.CodeDateAhead, today},
		{"31 days ahead", today + 31, models.FileImported, models.CodeDateAhead, today},
		{"32 days ahead", today + 32, models.FileRejected, models.CodeFileDate, 0},
		{"in 40 years", today + 40*365, models.FileRejected, models.CodeFileDate, 0},
		{"the first day of 2000", models.FirstFileDate, models.FileImported, "", models.FirstFileDate},
		{"the last day of 1999", models.FirstFileDate - 1, models.FileRejected, models.CodeFileDate, 0},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		for format, file := range datedFiles {
			for _, tt := range tests {
				c := rows.Creditor(t, b.DB)
				f := b.take(t, file(t, c.BankAccount, tt.day))
				found := slices.Concat(f.Faults, f.Warnings)
				if f.State != tt.state || len(found) != len(strings.Fields(tt.found)) || tt.found != "" && (found[0].Code != tt.found || found[0].Line == 0) {
					t.Errorf("%s, %s: %s with %v", format, tt.why, f.State, found)
				}
				news, err := dunning.ReadBankNews(t.Context(), b.DB, c)
				if err != nil || news.Reached != tt.until {
					t.Errorf("%s, %s: the files reach %s, %v, want %s", format, tt.why, news.Reached, err, tt.until)
				}
				if told := b.told(t, c, models.EventFileDatedAhead); told != (tt.found == models.CodeDateAhead) {
					t.Errorf("%s, %s: an event tells of it: %t", format, tt.why, told)
				}
				waiting, err := b.DB.WaitingOf(t.Context(), c.ID, today)
				if err != nil || (waiting.DatedAhead == 1) != (tt.found == models.CodeDateAhead) {
					t.Errorf("%s, %s: on Today are %d, %v", format, tt.why, waiting.DatedAhead, err)
				}
				b.Prove(t, c)
			}
		}
	})
}

// told reports whether an event of the type tells the creditor something.
func (b *books) told(t *testing.T, c models.Creditor, kind models.EventType) bool {
	t.Helper()
	events, err := b.DB.Events(t.Context(), c.ID, 0, 1000)
	must(t, err)
	for _, e := range events {
		if e.Type == kind {
			return true
		}
	}
	return false
}

// TestD110SumsBeyondInt64 reject the file with the place: of giro, where a person has joined transmissions; of camt, which need not
// say its sums. What is just below is taken.
func TestD110SumsBeyondInt64(t *testing.T) {
	const most = 92 // payments of the largest amount, 99 999 999 999 999 999 øre, whose sum an int64 holds
	files := map[string]func(t tester, account string, payments int) []byte{
		"giro": func(t tester, account string, payments int) []byte {
			var all []byte
			for i := range payments {
				f := fileOf(account, paid("", giro.MaxAmount))
				f.Number = string(rune('1'+i/64)) + string(rune('0'+i/8%8)) + string(rune('0'+i%8))
				all = append(all, f.Bytes(t)...)
			}
			return all
		},
		"camt": func(t tester, account string, payments int) []byte {
			var entries []entry
			for range payments {
				entries = append(entries, lump(credited("", camt.MaxAmount)))
			}
			return messageOf(account, entries...).Bytes(t)
		},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		for format, file := range files {
			c := rows.Creditor(t, b.DB)
			f := b.take(t, file(t, c.BankAccount, most+1))
			if f.State != models.FileRejected || len(f.Faults) != 1 || f.Faults[0].Code != giro.CodeSumTooLarge || f.Faults[0].Line < 90 {
				t.Errorf("%s: %s with %v", format, f.State, f.Faults)
			}
			f = b.take(t, file(t, c.BankAccount, most))
			if f.State != models.FileImported || b.sums(t, f, c.ID) != (sums{most, 0, most, 0, 0}) {
				t.Errorf("%s: %s with %v, %+v", format, f.State, f.Faults, b.sums(t, f, c.ID))
			}
			b.Prove(t, c)
		}
	})
}

// TestD110AFileThatWasBegunIsNoDuplicateOfItself: whoever brings it again goes on with the import that was broken off. Only then it
// is a duplicate.
func TestD110AFileThatWasBegunIsNoDuplicateOfItself(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		for _, ownerless := range []bool{true, false} {
			c := rows.Creditor(t, b.DB)
			src := Source{Filename: "OCR.txt", Kind: FromAPI}
			if !ownerless {
				src.OwnerID = c.ID
			}
			b.im.batch = 1
			file := fileOf(c.BankAccount, paid("", 1_00), paid("", 2_00), paid("", 3_00)).Bytes(t)
			var begun models.PaymentFile
			if !b.until(t, 4, func(ctx context.Context, im *Importer) (err error) {
				begun, err = im.Import(ctx, bytes.NewReader(file), src)
				return err
			}) {
				t.Fatal("the first import was not broken off")
			}
			again, err := b.im.Import(t.Context(), bytes.NewReader(file), src)
			must(t, err)
			if again.State != models.FileImported || b.sums(t, again, c.ID) != (sums{3, 0, 3, 0, 0}) {
				t.Errorf("brought again it is %s of %d (%s), with %+v", again.State, again.DuplicateOf, begun.State, b.sums(t, again, c.ID))
			}
			third, err := b.im.Import(t.Context(), bytes.NewReader(file), src)
			must(t, err)
			if third.State != models.FileDuplicate || third.DuplicateOf != again.ID {
				t.Errorf("the third time it is %s of %d", third.State, third.DuplicateOf)
			}
			if files, total, err := b.DB.PaymentFiles(t.Context(), c.ID, store.Page{Number: 1, Size: 10}); err != nil || total != 2 {
				t.Errorf("there are %d files, %v, %v", total, files, err)
			}
			b.Prove(t, c)
		}
	})
}

// TestD110AFileThatAnotherHasBegunIsNoDuplicate: the operator's inbox and a creditor bring the same content. While the import of
// one is broken off, the other goes on with it. Once all is posted, the other is a duplicate.
func TestD110AFileThatAnotherHasBegunIsNoDuplicate(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		for _, creditorFirst := range []bool{true, false} {
			c := rows.Creditor(t, b.DB)
			first, second := Source{Kind: FromInbox, Arrival: c.Name}, Source{Kind: FromAPI, OwnerID: c.ID}
			if creditorFirst {
				first, second = second, first
			}
			b.im.batch = 1
			file := fileOf(c.BankAccount, paid("", 1_00), paid("", 2_00), paid("", 3_00)).Bytes(t)
			if !b.until(t, 4, func(ctx context.Context, im *Importer) error {
				_, err := im.Import(ctx, bytes.NewReader(file), first)
				return err
			}) {
				t.Fatal("the first import was not broken off")
			}
			other, err := b.im.Import(t.Context(), bytes.NewReader(file), second)
			must(t, err)
			if other.State != models.FileImported || b.sums(t, other, c.ID) != (sums{3, 0, 3, 0, 0}) {
				t.Errorf("brought by the other it is %s of %d, with %+v", other.State, other.DuplicateOf, b.sums(t, other, c.ID))
			}
			third, err := b.im.Import(t.Context(), bytes.NewReader(file), second)
			must(t, err)
			if third.State != models.FileDuplicate || third.DuplicateOf != other.ID {
				t.Errorf("brought again it is %s of %d", third.State, third.DuplicateOf)
			}
			b.Prove(t, c)
		}
	})
}

// TestD110VerifyNamesPartsThatAreDatedAhead has a part as releases before the rule have kept it.
func TestD110VerifyNamesPartsThatAreDatedAhead(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		f := b.take(t, fileOf(c.BankAccount, paid("", 1_00)).Bytes(t))
		part := b.Part(t, f, c.ID)
		part.LatestDate = today + 10*365
		rows.Write(t, b.DB, func(tx *store.Tx) error { return tx.SaveFilePart(t.Context(), &part) })
		var found []string
		must(t, b.im.Verify(t.Context(), []models.PaymentFile{f}, func(_ int, d FileDifference) { found = append(found, d.Text) }))
		if len(found) != 1 || !strings.Contains(found[0], "after "+today.String()+", when it came") {
			t.Errorf("verify tells %q", found)
		}
	})
}
