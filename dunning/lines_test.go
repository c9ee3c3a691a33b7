package dunning_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/law"
	"purr/ledger"
	"purr/models"
)

func TestNoticeLinesD28(t *testing.T) {
	t.Parallel()
	entries := []models.Entry{
		invoiced("1250.00", "2026-08-03"),
		paid("400.00", "2026-08-20"),
		fee("38.00", "2026-09-01"),
		interest("6.29", "2026-09-01"),
		fee("-38.00", "2026-09-03"),
		interest("-6.29", "2026-09-03"),
		byOCR("900.00", "2026-09-10"),
		repaid("50.00", "2026-09-12"),
		credited("100.00", "2026-09-14"),
		{Type: models.EntryCreditNote, Amount: 100_00, TransactionDate: day("2026-09-14"), CreditNoteID: 9},
		fee("38.00", "2026-10-01"),
		interest("2.70", "2026-10-01"),
	}
	norwegian := `
1 Fakturabeløp 2026-08-03 1250.00
2 Betaling 2026-08-20 -400.00
3 Purregebyr 2026-09-01 38.00
4 Forsinkelsesrente 2026-09-01 6.29
5 Tilbakeført purregebyr 2026-09-03 -38.00
6 Tilbakeført forsinkelsesrente 2026-09-03 -6.29
7 Betaling 2026-09-10 -900.00
8 Tilbakebetaling 2026-09-12 50.00
9 Kreditnota 2026-09-14 -100.00
10 Purregebyr 2026-10-01 38.00
11 Forsinkelsesrente 2026-10-01 2.70
`
	english := `
1 Invoice amount 2026-08-03 1250.00
2 Payment 2026-08-20 -400.00
3 Reminder fee 2026-09-01 38.00
4 Late-payment interest 2026-09-01 6.29
5 Reminder fee reversed 2026-09-03 -38.00
6 Late-payment interest reversed 2026-09-03 -6.29
7 Payment 2026-09-10 -900.00
8 Repayment 2026-09-12 50.00
9 Credit note 2026-09-14 -100.00
10 Reminder fee 2026-10-01 38.00
11 Late-payment interest 2026-10-01 2.70
`
	nynorsk := strings.NewReplacer("Forsinkelsesrente", "Forseinkingsrente", "forsinkelsesrente", "forseinkingsrente").Replace(norwegian)
	for language, want := range map[string]string{"": norwegian, "nb": norwegian, "nn": nynorsk, "en": english} {
		t.Run("language "+language, func(t *testing.T) {
			got := "\n"
			for _, l := range ledger.NoticeLines(entries, nil, language) {
				got += fmt.Sprintln(l.Position, l.Text, l.Gross)
			}
			if got != want {
				t.Errorf("the lines are%s\nwant%s", got, want)
			}
		})
	}
}

// TestNoticeLinesTellCompensationFromFees has a fee of a first notice, compensation of a second, reversed by a person, and
// the fee or compensation of a new notice.
func TestNoticeLinesTellCompensationFromFees(t *testing.T) {
	t.Parallel()
	of := func(noticeID int64, e models.Entry) models.Entry {
		e.NoticeID = noticeID
		return e
	}
	entries := []models.Entry{
		invoiced("1250.00", "2026-08-03"), of(1, fee("38.00", "2026-09-01")), of(2, fee("422.00", "2026-10-01")),
		fee("-10.00", "2026-10-02"), fee("5.00", "2026-10-03"),
	}
	for _, tt := range []struct {
		second, last bool
		want         string
	}{
		{false, false, "Purregebyr, Purregebyr, Tilbakeført purregebyr, Purregebyr"},
		{true, false, "Purregebyr, Standardkompensasjon (forsinkelsesrenteloven § 3a), Tilbakeført standardkompensasjon, Purregebyr"},
		{false, true, "Purregebyr, Purregebyr, Tilbakeført purregebyr, Standardkompensasjon (forsinkelsesrenteloven § 3a)"},
	} {
		var got []string
		for _, l := range ledger.NoticeLines(entries, []models.Notice{{ID: 1}, {ID: 2, Compensation: tt.second}, {Compensation: tt.last}}, "nb")[1:] {
			got = append(got, l.Text[:len(l.Text)-len(" 2026-10-01")])
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("the lines are %q, want %s", got, tt.want)
		}
	}
}

// TestD96ALetterAsksForNothingThatIsCredited has an invoice of 1000.00 of which 400.00 was credited while it was paid, and paid out; then the
// payment was deleted.
func TestD96ALetterAsksForNothingThatIsCredited(t *testing.T) {
	t.Parallel()
	entries := []models.Entry{
		invoiced("1000.00", "2026-08-03"),
		{Type: models.EntryCreditNote, Amount: -400_00, TransactionDate: day("2026-08-20"), CreditNoteID: 9},
		{Type: models.EntryPayment, Amount: 400_00, TransactionDate: day("2026-08-25"), CreditNoteID: 9},
		fee("38.00", "2026-09-01"),
	}
	got := "\n"
	for _, l := range ledger.NoticeLines(entries, nil, "nb") {
		got += fmt.Sprintln(l.Position, l.Text, l.Gross)
	}
	if want := `
1 Fakturabeløp 2026-08-03 1000.00
2 Kreditnota 2026-08-20 -400.00
3 Purregebyr 2026-09-01 38.00
`; got != want {
		t.Errorf("the lines are%s\nwant%s", got, want)
	}
}

// TestNoticeLinesAddUpToWhatIsClaimed checks also that the original amount comes first, and the entries are not changed.
func TestNoticeLinesAddUpToWhatIsClaimed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries := anyEntries(t, day("2026-01-05"))
		slices.Reverse(entries)
		before := slices.Clone(entries)
		var sum models.Amount
		lines := ledger.NoticeLines(entries, nil, "nb")
		for i, l := range lines {
			sum += l.Gross
			if l.Position != i+1 || l.Text == "" || strings.HasPrefix(l.Text, "Fakturabeløp") != (i == 0) {
				t.Fatalf("line %d is %+v", i+1, l)
			}
		}
		if want := law.Allocate(entries).Claimed(); sum != want {
			t.Fatalf("the lines add up to %s, what may be asked for is %s", sum, want)
		}
		if fmt.Sprint(entries) != fmt.Sprint(before) {
			t.Fatal("the entries were changed")
		}
	})
}
