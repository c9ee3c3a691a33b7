package demo

import (
	"strings"
	"testing"
	"time"

	"purr/models"
)

func TestKroner(t *testing.T) {
	for _, c := range []struct {
		amount models.Amount
		want   string
	}{
		{0, "0.00"},
		{35, "0.35"},
		{-35, "-0.35"},
		{999_99, "999.99"},
		{1_000_00, "1 000.00"},
		{-100_000_00, "-100 000.00"},
		{1_234_567_89, "1 234 567.89"},
	} {
		if got := kroner(c.amount); got != c.want {
			t.Errorf("kroner(%d) = %q, want %q", c.amount, got, c.want)
		}
	}
}

func TestInvoicesAreNamedByTheirNumbers(t *testing.T) {
	for _, c := range []struct {
		numbers []int64
		want    string
	}{
		{[]int64{7}, "invoice 7"},
		{[]int64{7, 8}, "invoices 7 and 8"},
		{[]int64{9, 7, 8}, "invoices 7 to 9"},
		{[]int64{7, 8, 10}, "invoices 7, 8 and 10"},
	} {
		invoices := make([]document, len(c.numbers))
		for i, n := range c.numbers {
			invoices[i].Number = n
		}
		if got := named(invoices); got != c.want {
			t.Errorf("%v are named %q, want %q", c.numbers, got, c.want)
		}
	}
}

func TestADayIsNamedOnceAndAnEmptyOneNot(t *testing.T) {
	var told strings.Builder
	teller := &teller{w: &told, width: 50}
	teller.startDay(models.NewDate(2026, time.January, 5))
	teller.startDay(models.NewDate(2026, time.January, 6))
	teller.happened("first")
	teller.happenedTo(-1_250_00, "Åse pays")
	teller.chapter("New")
	teller.happenedTo(5, "this is longer than there is room for it")
	const want = `Tue  6 Jan  first
            Åse pays                     -1 250.00

New
Tue  6 Jan  this is longer than there is room for it 0.05
`
	if told.String() != want {
		t.Errorf("told\n%swant\n%s", told.String(), want)
	}
}

func TestColoursAreForTerminals(t *testing.T) {
	for color, want := range map[bool]string{false: "  ok  it holds\n", true: "  \x1b[32mok\x1b[0m  it holds\n"} {
		var told strings.Builder
		(&teller{w: &told, color: color}).proof(true, "it holds")
		if told.String() != want {
			t.Errorf("with colour %t it writes %q, want %q", color, told.String(), want)
		}
	}
}
