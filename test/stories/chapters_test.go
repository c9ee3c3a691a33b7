//go:build whole

package stories_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"purr/test/testkit/house"
)

// The chapters. Their stories are in the files of their subjects.

// TestWinterOf2026 is the chapter of most stories: before Easter, with late interest of 12 percent all the time and 38
// kroner as the highest fee. Payments by the bank hold nobody back.
func TestWinterOf2026(t *testing.T) {
	t.Parallel()
	chapter{
		begins: "2026-01-05", ends: "2026-03-09", policy: tag("require_payment_file", "0"),
		stories: slices.Concat(ladders, payments, creditNotes, holdings, endings, requests, bookedLate, owed, remainders, moving, hurried),
	}.tellInBothForms(t)
}

// TestTheDebtCollectorAnswersC1C2C4 is told until May: the collector needs its time.
func TestTheDebtCollectorAnswersC1C2C4(t *testing.T) {
	t.Parallel()
	chapter{begins: "2026-01-05", ends: "2026-05-11", policy: tag("require_payment_file", "0"), stories: collected}.tell(t, house.Embedded)
}

// TestChristmasBeforeALeapYear is told where late interest was 11.75 percent until New Year, and 12.50 from then on,
// in a year of 366 days. The highest fee was 35 kroner.
func TestChristmasBeforeALeapYear(t *testing.T) {
	t.Parallel()
	chapter{begins: "2023-12-11", ends: "2024-01-10", stories: christmas}.tell(t, house.Embedded)
}

// TestSummerOf2026 is told where late interest rises from 12 to 12.25 percent on 1 July.
func TestSummerOf2026(t *testing.T) {
	t.Parallel()
	chapter{begins: "2026-06-15", ends: "2026-07-15", stories: summer}.tell(t, house.Embedded)
}

// TestBankFilesInAutumn is told of creditors of their own, each with a bank that delivers or does not.
func TestBankFilesInAutumn(t *testing.T) {
	t.Parallel()
	chapter{begins: "2026-09-07", ends: "2026-09-21", stories: autumn}.tell(t, house.Embedded)
}

// TestEasterWithTroubles is told of Easter 2026, from 2 to 6 April, and of a program that is not always there. It is told
// on MySQL and Redis too.
func TestEasterWithTroubles(t *testing.T) {
	t.Parallel()
	easter := chapter{begins: "2026-03-09", ends: "2026-04-21", stories: easter}
	for _, s := range house.Setups {
		t.Run(s.Name, func(t *testing.T) { t.Parallel(); easter.tell(t, s.Change) })
	}
}

// TestLettersThatWaitL1L2 is told of a printer that is away twice.
func TestLettersThatWaitL1L2(t *testing.T) {
	t.Parallel()
	chapter{begins: "2026-01-05", ends: "2026-02-24", policy: tag("require_payment_file", "0"), stories: waiting}.tell(t, house.Embedded)
}

// TestEveryJournalHasAStory: no two stories have the same title, and no journal is left of a story that is gone.
func TestEveryJournalHasAStory(t *testing.T) {
	var told []string
	for _, s := range slices.Concat(ladders, payments, creditNotes, holdings, endings, requests, bookedLate, owed, remainders, moving, hurried, waiting, christmas, summer, autumn, easter, mailed, friendly, unmailed, adopted, joint, planned, limited, collected) {
		told = append(told, s.fileName())
	}
	slices.Sort(told)
	files, err := os.ReadDir("testdata")
	must(t, err)
	var kept []string
	for _, f := range files {
		kept = append(kept, f.Name())
	}
	if !slices.Equal(told, kept) {
		t.Errorf("the journals are\n%s\nand the stories'\n%s", strings.Join(kept, "\n"), strings.Join(told, "\n"))
	}
}
