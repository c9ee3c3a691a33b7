package ocr

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit/rows"
)

// Transmissions come one after the other, to a recipient of their own.
func TestE4GapsInTheNumbersOfTransmissions(t *testing.T) {
	tests := []struct {
		name    string
		numbers string // of the transmissions as they come
		warned  string // those that are warned of, each with the first and last number that is missing before it
		missing int    // in the end
	}{
		{"one after the other", "1 2 3", "", 0},
		{"the first is where a series begins", "900 901", "", 0},
		{"one is missing", "1 3", "3: 0000002", 1},
		{"several are missing", "1 5", "5: 0000002 to 0000004", 3},
		{"each gap is warned of once", "1 5 6 9", "5: 0000002 to 0000004; 9: 0000007 to 0000008", 5},
		{"a late one closes its gap", "1 3 2", "3: 0000002", 0},
		{"one of several leaves the others", "1 5 3", "5: 0000002 to 0000004", 2},
		{"what comes before the first is no gap", "10 7 11", "", 0},
		{"as many as can be missing", "1 1002", "1002: 0000002 to 0001001", 1000},
		{"more are another series", "1 1003 1005", "1005: 0001004", 1},
		{"a series that began anew", "9999999 1 3", "3: 0000002", 1},
		{"numbers made of the date and a count", "0203261 0203264 0303261 0403262", "", 0},
		{"numbers that look like a date far from theirs", "0203271 0203273", "0203273: 0203272", 1},
		{"a series that others get files of too", "1 50 93 131", "50: 0000002 to 0000049", 48},
		{"a series that has been all there for a while", "1 2 3 4 6 9", "6: 0000005; 9: 0000007 to 0000008", 3},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		for n, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				c := rows.Creditor(t, b.DB)
				before, err := b.DB.CountMissingTransmissions(t.Context())
				must(t, err)
				var warned []string
				for i, number := range strings.Fields(tt.numbers) {
					f := transmissionOf(number, c.BankAccount, models.Amount(i+1))
					f.Recipient = fmt.Sprint(1000 + n)
					taken := b.take(t, f.Bytes(t))
					if gap := gapOf(t, taken); gap != "" {
						warned = append(warned, number+": "+gap)
					}
				}
				if got := strings.Join(warned, "; "); got != tt.warned {
					t.Errorf("warned is of %q, want %q", got, tt.warned)
				}
				if told := b.Events(t, c, models.EventTransmissionsMissing); len(told) != len(warned) {
					t.Errorf("the creditor is told %q", told)
				}
				if now, err := b.DB.CountMissingTransmissions(t.Context()); err != nil || now-before != int64(tt.missing) {
					t.Errorf("%d are missing, %v, want %d", now-before, err, tt.missing)
				}
			})
		}
	})
}

// gapOf returns the first and last number that a file's warning says are missing.
func gapOf(t *testing.T, f models.PaymentFile) string {
	t.Helper()
	if f.State != models.FileImported {
		t.Fatalf("the file is %s: %v", f.State, f.Faults)
	}
	i := slices.IndexFunc(f.Warnings, func(n models.FileFinding) bool { return n.Code == CodeTransmissionGap })
	if i < 0 {
		return ""
	}
	if f.Warnings[i].Line != 1 {
		t.Errorf("the warning is at line %d", f.Warnings[i].Line)
	}
	numbers, _, _ := strings.Cut(f.Warnings[i].Text, " from ")
	_, numbers, _ = strings.Cut(numbers, " ") // after "transmission" or "transmissions"
	return numbers
}

// TestE4WhoseTransmissionsMakeASeries: what came for all counts for everybody, what a creditor posted does not count
// for another.
func TestE4WhoseTransmissionsMakeASeries(t *testing.T) {
	tests := []struct {
		name    string
		files   string // each with who brings it, all or a creditor's number, and its number
		warned  int
		missing int
	}{
		{"each for itself", "1/1 2/9 1/2", 0, 0},
		{"each for itself, where one is missing", "1/1 2/2 1/3", 1, 1},
		{"what came for all counts for a creditor", "1/1 all/2 1/3", 0, 0},
		{"what a creditor posted counts for all", "all/1 1/2 all/3", 0, 0},
		{"a creditor closes a gap of all", "all/1 all/3 1/2", 1, 0},
		{"what comes for all closes a creditor's gap", "1/1 1/3 all/2", 1, 0},
		{"another creditor does not", "1/1 1/3 2/2", 1, 1},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		for n, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				creditors := []models.Creditor{rows.Creditor(t, b.DB), rows.Creditor(t, b.DB)}
				before, err := b.DB.CountMissingTransmissions(t.Context())
				must(t, err)
				warned := 0
				for i, file := range strings.Fields(tt.files) {
					who, number, _ := strings.Cut(file, "/")
					var owner int64
					if who != "all" {
						owner = creditors[who[0]-'1'].ID
					}
					f := transmissionOf(number, creditors[0].BankAccount, models.Amount(i+1))
					f.Recipient = fmt.Sprint(1000 + n)
					if gapOf(t, b.takeFor(t, owner, f.Bytes(t))) != "" {
						warned++
					}
				}
				now, err := b.DB.CountMissingTransmissions(t.Context())
				must(t, err)
				if warned != tt.warned || now-before != int64(tt.missing) {
					t.Errorf("%d are warned of and %d missing, want %d and %d", warned, now-before, tt.warned, tt.missing)
				}
			})
		}
	})
}

// TestE4EachCreditorOfATransmissionIsToldOfAGap: a file that is missing may have been for any of them.
func TestE4EachCreditorOfATransmissionIsToldOfAGap(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		kari, ola, other := rows.Creditor(t, b.DB), rows.Creditor(t, b.DB), rows.Creditor(t, b.DB)
		b.take(t, transmissionOf("1", kari.BankAccount, 1_00).Bytes(t))
		f := transmissionOf("3", kari.BankAccount, 2_00)
		f.Assignments = append(f.Assignments, transmissionOf("", ola.BankAccount, 3_00).Assignments...)
		b.take(t, f.Bytes(t))
		const told = "transmission 0000002 from 00008080 to 00012345 is missing before transmission 0000003"
		for _, c := range []models.Creditor{kari, ola} {
			if got := b.Events(t, c, models.EventTransmissionsMissing); len(got) != 1 || got[0] != told {
				t.Errorf("%s is told %q", c.Name, got)
			}
		}
		if got := b.Events(t, other, models.EventTransmissionsMissing); len(got) != 0 {
			t.Errorf("who has no part in it is told %q", got)
		}
	})
}
