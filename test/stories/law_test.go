//go:build whole

package stories_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// charge is a notice, and what the law gives for it, reckoned by hand.
type charge struct {
	notice   string // "2026-02-02 Reminder 1 on invoice 1"
	fee      string // kroner
	interest string // "14/365 of 1000.00 at 12.25 + …": days and those of the calendar year, principal, percent
	due      string // its new deadline
}

// ore reads an amount with two decimals.
func ore(t testing.TB, s string) int {
	t.Helper()
	v, err := strconv.Atoi(strings.Replace(s, ".", "", 1))
	if point := strings.IndexByte(s, '.'); err != nil || point != len(s)-3 {
		t.Fatalf("%q is not an amount with two decimals", s)
	}
	return v
}

// hundredths reads a number with up to two decimals: 12, 8.5, 12.25.
func hundredths(t testing.TB, s string) int {
	t.Helper()
	whole, decimals, _ := strings.Cut(s, ".")
	return ore(t, whole+"."+(decimals + "00")[:2])
}

// kroner writes øre with two decimals.
func kroner(ore int) string {
	if ore < 0 {
		return "-" + kroner(-ore)
	}
	return fmt.Sprintf("%d.%02d", ore/100, ore%100)
}

// interest reckons simple interest as rule D29 has it: each span by itself, rounded half away from zero.
func interest(t testing.TB, spans string) (ore int) {
	t.Helper()
	if spans == "" {
		return 0
	}
	for span := range strings.SplitSeq(spans, " + ") {
		var days, year int
		var principal, rate string
		if _, err := fmt.Sscanf(span, "%d/%d of %s at %s", &days, &year, &principal, &rate); err != nil {
			t.Fatalf("%q is no span of interest: %v", span, err)
		}
		numerator, denominator := hundredths(t, principal)*hundredths(t, rate)*days, year*10_000
		ore += (2*numerator + denominator) / (2 * denominator)
	}
	return ore
}

// mustCharge fails the test unless these and no other notices were made, with these figures.
func (b books) mustCharge(t *testing.T, want []charge) {
	t.Helper()
	var got, expected []string
	for _, n := range b.notices {
		got = append(got, fmt.Sprintf("%s %s: fee %s, interest %s (%s), due %s", n.Issued, n.name, n.sheet.Charge.Amount, n.sheet.Interest.Amount, n.spans(), n.Due))
	}
	for _, c := range want {
		expected = append(expected, fmt.Sprintf("%s: fee %s, interest %s (%s), due %s", c.notice, c.fee, kroner(interest(t, c.interest)), c.interest, c.due))
	}
	if !slices.Equal(got, expected) {
		t.Errorf("the notices are\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(expected, "\n\t"))
	}
}

// spans writes the segments of a notice's interest as charges have them.
func (n notice) spans() string {
	var all []string
	for _, s := range n.sheet.Interest.Segments {
		all = append(all, fmt.Sprintf("%s/%s of %s at %s", s.Days, s.YearDays, s.Principal, s.Rate))
	}
	return strings.Join(all, " + ")
}

// mustBeLawful holds what is right in every story: what inkassoforskriften § 1-2 and § 1-3 allow, that a letter goes
// out once and only for what is owed, that the notices' figures are those of the ledger, and one run for a day.
func (b books) mustBeLawful(t *testing.T) {
	t.Helper()
	for _, i := range b.invoices {
		b.mustBeLawfulOn(t, i)
	}
	var days []string
	for _, r := range b.runs {
		days = append(days, r.Date)
	}
	slices.Sort(days)
	if len(slices.Compact(slices.Clone(days))) != len(days) {
		t.Errorf("a day has two runs: %v", days)
	}
}

func (b books) mustBeLawfulOn(t *testing.T, i invoiceXML) {
	t.Helper()
	sum, charged := 0, 0
	for _, e := range i.Ledger.Entries {
		sum += ore(t, e.Amount)
		if (e.Type == "OVERDUE_CHARGE" || e.Type == "INTEREST") && !strings.HasPrefix(e.Amount, "-") && e.Comment != "adopted" {
			charged += ore(t, e.Amount)
		}
	}
	if sum != ore(t, i.Ledger.Balance) {
		t.Errorf("invoice %d: the entries make %s, the balance is %s", i.Number, kroner(sum), i.Ledger.Balance)
	}
	fees, standing, deadline := 0, map[string]bool{}, i.Due
	for _, n := range b.notices {
		if n.invoice != i.Number {
			continue
		}
		fee, maximum := ore(t, n.sheet.Charge.Amount), maximumOn(n.Issued)
		charged -= fee + ore(t, n.sheet.Interest.Amount)
		switch {
		case n.sheet.Charge.Compensation == "1":
		case fee > maximum:
			t.Errorf("%s: the fee is %s, at most %s is lawful", n.name, kroner(fee), kroner(maximum))
		case fee > 0 && daysFrom(t, deadline, n.Issued) < 14:
			t.Errorf("%s: a fee on %s, less than 14 days after %s", n.name, n.Issued, deadline)
		}
		if daysFrom(t, n.Issued, n.Due) < 14 {
			t.Errorf("%s of %s is due on %s: less than 14 days", n.name, n.Issued, n.Due)
		}
		if n.Gross == "0.00" || strings.HasPrefix(n.Gross, "-") {
			t.Errorf("%s asks for %s", n.name, n.Gross)
		}
		if n.withdrawn {
			continue
		}
		if standing[n.name] {
			t.Errorf("%s twice", n.name)
		}
		standing[n.name], deadline = true, n.Due
		if fee > 0 {
			fees++
		}
	}
	if fees > 2 {
		t.Errorf("invoice %d has %d fees", i.Number, fees)
	}
	if charged != 0 {
		t.Errorf("invoice %d: the ledger charges %s more than the notices", i.Number, kroner(charged))
	}
}

// maximumOn returns the legal maximum of a fee in øre on a day since October 2020: the inkassosats of 700 or, from
// 2026, 750 kroner, of it a twentieth, from 2026 in whole kroner.
func maximumOn(day string) int {
	if day < "2026-01-01" {
		return 35_00
	}
	return 38_00
}

// daysFrom counts the days from one date to another.
func daysFrom(t testing.TB, from, to string) int {
	t.Helper()
	a, err := time.Parse(time.DateOnly, from)
	must(t, err)
	b, err := time.Parse(time.DateOnly, to)
	must(t, err)
	return int(b.Sub(a) / (24 * time.Hour))
}
