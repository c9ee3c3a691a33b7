package foreign_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"purr/audit/report"
	"purr/test/testkit"
)

const (
	invoiceHead = "invoice,customer,debtor,issued,due,amount,agreed_rate,disputed\n"
	paymentHead = "invoice,date,amount,kind\n"
	noticeHead  = "notice,invoice,kind,date,sent,due,fee,compensation,interest,interest_to,waived\n"
)

// written writes the files of a case into a folder.
func written(t testing.TB, invoices, payments, notices string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{"invoices.csv": invoices, "payments.csv": payments, "notices.csv": notices} {
		testkit.Must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	return folder
}

// told says what was found: code, notice and sum, in the order of the report.
func told(r report.Report) string {
	var all []string
	for f := range r.Findings {
		word := fmt.Sprintf("%s %s", f.Notice, f.Code)
		if f.Back != 0 {
			word += " " + f.Back.String()
		}
		all = append(all, word)
	}
	return strings.Join(all, ", ")
}

// TestU9WhatIsFoundOfALetter has invoices of 10000.00 that are due on Thursday 15 January 2026, and letters on them.
func TestU9WhatIsFoundOfALetter(t *testing.T) {
	t.Parallel()
	const (
		private = "1,Kari,private,2026-01-01,2026-01-15,10000.00,,\n"
		trader  = "1,Fjord AS,trader,2026-01-01,2026-01-15,10000.00,,\n"
	)
	for _, test := range []struct {
		what, invoice, payments, notices, want string
	}{
		{"all is lawful", private, "", "a,1,reminder,2026-01-29,,2026-02-12,38,,46.03,,\nb,1,warning,2026-02-13,,2026-02-27,38,,49.32,,", ""},
		{"no letter", private, "", "", ""},
		{"a fee of last year's cap for a demand", private, "", "a,1,reminder,2026-01-29,,2026-02-12,39.00,,,,", "a fee_above_cap 1.00"},
		{"a fee on day 13", private, "", "a,1,reminder,2026-01-28,,2026-02-12,38,,,,", "a fee_too_early 38.00"},
		{"an øre of interest too much", private, "", "a,1,reminder,2026-01-29,,2026-02-12,38,,46.04,,", "a interest_above 0.01"},
		{"two rates, each rounded to øre", "1,K,private,,2025-12-22,25000,,\n", "", "a,1,reminder,2026-02-03,,2026-02-17,38,,354.96,,", ""},
		{"or both at once", "1,K,private,,2025-12-22,25000,,\n", "", "a,1,reminder,2026-02-03,,2026-02-17,38,,354.97,,", ""},
		{"an øre above both", "1,K,private,,2025-12-22,25000,,\n", "", "a,1,reminder,2026-02-03,,2026-02-17,38,,354.98,,", "a interest_above 0.02"},
		{"interest reckoned through another day", private, "", "a,1,reminder,2026-01-29,,2026-02-12,38,,92.05,2026-02-12,", "a interest_in_advance"},
		{"interest twice for a day", private, "", "a,1,reminder,2026-01-29,,2026-02-12,,,46.03,,\nb,1,reminder,2026-02-13,,2026-02-27,,,95.34,,", "b interest_above 46.02"},
		{"the second letter charges what the first one did not", private, "", "a,1,reminder,2026-01-29,,2026-02-12,,,40.03,,\nb,1,reminder,2026-02-13,,2026-02-27,,,55.32,,", ""},
		{"interest on what was paid", private, "1,2026-01-20,4000,\n", "a,1,reminder,2026-01-29,,2026-02-12,,,46.03,,", "a interest_above 11.84"},
		{"money of the letter's day was not known", private, "1,2026-01-29,10000,\n", "a,1,reminder,2026-01-29,,2026-02-12,38,,46.03,,", ""},
		{"paid on the due date", private, "1,2026-01-15,10000,\n", "a,1,reminder,2026-01-29,,2026-02-12,38,,46.03,,", "a nothing_owed 38.00, a interest_above 46.03"},
		{"credited before", private, "1,2026-01-20,10000,credit\n", "a,1,reminder,2026-01-29,,2026-02-12,38,,,,", "a only_charges_owed"}, // five days' interest is left
		{"the payment was taken back", private, "1,2026-01-15,10000,\n1,2026-01-16,-10000,\n", "a,1,reminder,2026-01-29,,2026-02-12,38,,,,", ""},
		{"a warning of 13 days", private, "", "a,1,warning,2026-01-29,,2026-02-11,38,,,,", "a warning_days"},
		{"a warning that left three days late", private, "", "a,1,warning,2026-01-29,2026-02-01,2026-02-12,38,,,,", "a warning_days"},
		{"a reminder of ten days may be", private, "", "a,1,reminder,2026-01-29,,2026-02-08,38,,,,", ""},
		{"but no second fee follows it", private, "", "a,1,reminder,2026-01-29,,2026-02-08,38,,,,\nb,1,warning,2026-02-20,,2026-03-06,38,,,,", "b fee_after_short_deadline 38.00"},
		{"a warning on the due date", private, "", "a,1,warning,2026-01-15,,2026-01-29,,,,,", "a warning_before_due"},
		{"a second fee in the deadline", private, "", "a,1,reminder,2026-01-29,,2026-02-12,38,,,,\nb,1,warning,2026-02-12,,2026-02-26,38,,,,", "b fee_in_deadline 38.00"},
		{"a third fee", private, "", "a,1,reminder,2026-01-29,,2026-02-12,38,,,,\nb,1,reminder,2026-02-13,,2026-02-27,38,,,,\nc,1,warning,2026-02-28,,2026-03-14,38,,,,", "c fee_third 38.00"},
		{"the first fee was unlawful, so it does not count", private, "", "a,1,reminder,2026-01-20,,2026-02-03,38,,,,\nb,1,reminder,2026-02-04,,2026-02-18,38,,,,\nc,1,warning,2026-02-19,,2026-03-05,38,,,,", "a fee_too_early 38.00"},
		{"two warnings", private, "", "a,1,warning,2026-01-29,,2026-02-12,38,,,,\nb,1,warning,2026-02-13,,2026-02-27,38,,,,", "b fee_second_warning 38.00"},
		{"letters stand in another order than they left", private, "", "b,1,warning,2026-02-13,,2026-02-27,38,,,,\na,1,reminder,2026-01-29,,2026-02-12,38,,,,", ""},
		{"compensation to a person", private, "", "a,1,reminder,2026-01-29,,2026-02-12,,460,,,", "a compensation_private 422.00"},
		{"and beside a fee", private, "", "a,1,reminder,2026-01-29,,2026-02-12,38,460,,,", "a compensation_private 460.00"},
		{"compensation to a trader on the day after the due date", trader, "", "a,1,reminder,2026-01-16,,2026-01-30,,460,,,", ""},
		{"one krone more", trader, "", "a,1,reminder,2026-01-16,,2026-01-30,,461,,,", "a compensation_above 1.00"},
		{"on the due date", trader, "", "a,1,reminder,2026-01-15,,2026-01-30,,460,,,", "a compensation_before_due 460.00"},
		{"twice", trader, "", "a,1,reminder,2026-01-29,,2026-02-12,,460,,,\nb,1,warning,2026-02-13,,2026-02-27,,460,,,", "b compensation_twice 460.00"},
		{"after a fee", trader, "", "a,1,reminder,2026-01-29,,2026-02-12,38,,,,\nb,1,warning,2026-02-13,,2026-02-27,,460,,,", "b compensation_above 38.00"},
		{"less the fee", trader, "", "a,1,reminder,2026-01-29,,2026-02-12,38,,,,\nb,1,warning,2026-02-13,,2026-02-27,,422,,,", ""},
		{"a fee after it", trader, "", "a,1,reminder,2026-01-29,,2026-02-12,,460,,,\nb,1,warning,2026-02-13,,2026-02-27,38,,,,", "b fee_beside_compensation 38.00"},
		{"a demand without a warning", private, "", "a,1,demand,2026-02-13,,2026-02-27,,,,,", "a demand_before_warning"},
		{"a demand in the warning's deadline", private, "", "a,1,warning,2026-01-29,,2026-02-12,,,,,\nb,1,demand,2026-02-12,,2026-02-26,,,,,", "b demand_before_warning"},
		{"a demand after it, with its fee", private, "", "a,1,warning,2026-01-29,,2026-02-12,38,,,,\nb,1,demand,2026-02-13,,2026-02-27,113,,,,", ""},
		{"a demand of 13 days", private, "", "a,1,warning,2026-01-29,,2026-02-12,38,,,,\nb,1,demand,2026-02-13,,2026-02-26,113,,,,", "b demand_days"},
		{"what was let off is not paid back", private, "", "a,1,reminder,2026-01-28,,2026-02-12,38,,,,20", "a fee_too_early 18.00"},
		{"all of it", private, "", "a,1,reminder,2026-01-28,,2026-02-12,38,,,,38", "a fee_too_early"},
		{"a claim of three years", private, "", "a,1,reminder,2029-01-16,,2029-01-30,,,,,", "a claim_lapsed"},
		{"acknowledged by a payment", private, "1,2028-01-15,10,\n", "a,1,reminder,2029-01-16,,2029-01-30,,,,,", ""},
		{"due on a Saturday: day 14 and the interest of the weekend", "1,Kari,private,,2026-01-17,10000,,\n", "", "a,1,reminder,2026-01-31,,2026-02-14,38,,46.03,,", "a fee_weekend, a interest_weekend"},
		{"a lower rate was agreed", "1,Kari,private,,2026-01-15,10000,6,\n", "", "a,1,reminder,2026-01-29,,2026-02-12,,,46.03,,", "a interest_above 23.02"},
		{"a higher rate with a person", "1,Kari,private,,2026-01-15,10000,24,\n", "", "a,1,reminder,2026-01-29,,2026-02-12,,,92.05,,", "a interest_above 46.02"},
		{"a higher rate with a trader", "1,Fjord,trader,,2026-01-15,10000,24,\n", "", "a,1,reminder,2026-01-29,,2026-02-12,,,92.05,,", ""},
		{"a disputed claim", "1,Kari,private,,2026-01-15,10000,,2026-01-29\n", "", "a,1,reminder,2026-01-29,,2026-02-12,38,,,,", "a fee_disputed 38.00"},
		{"disputed after the letter", "1,Kari,private,,2026-01-15,10000,,2026-01-30\n", "", "a,1,reminder,2026-01-29,,2026-02-12,38,,,,", ""},
		{"one letter, two claims, two fees", private + "2,Kari,private,,2026-01-12,500,,\n", "", "a,1,reminder,2026-01-29,,2026-02-12,38,,,,\na,2,reminder,2026-01-29,,2026-02-12,38,,,,", "a fee_joint_letter"},
		{"one letter, two claims, one fee", private + "2,Kari,private,,2026-01-12,500,,\n", "", "a,1,reminder,2026-01-29,,2026-02-12,38,,,,\na,2,reminder,2026-01-29,,2026-02-12,0,,,,", ""},
	} {
		r := judged(t, written(t, invoiceHead+test.invoice, paymentHead+test.payments, noticeHead+test.notices), "en")
		if got := told(r); got != test.want || r.Unknown != 0 {
			t.Errorf("%s: %q (%d unknown), want %q", test.what, got, r.Unknown, test.want)
		}
	}
}

// TestU9WhatCannotBeKnown counts what has no figure, and finds nothing.
func TestU9WhatCannotBeKnown(t *testing.T) {
	t.Parallel()
	r := judged(t, written(t, invoiceHead+"1,K,private,,2026-12-01,10000,,\n2,F,trader,,2014-08-01,100,,\n", paymentHead,
		noticeHead+"a,1,warning,2027-01-04,,,999,,999,,\nb,2,reminder,2014-08-20,,,,999,,,"), "nn")
	if told(r) != "" || r.Unknown != 4 || r.Unlawful() {
		t.Errorf("%d unknown, found %s", r.Unknown, told(r))
	}
}

// TestU9EachCodeHasItsWords in each language, and a class and a law.
func TestU9EachCodeHasItsWords(t *testing.T) {
	t.Parallel()
	folder := written(t, invoiceHead+"1,K,private,,2026-01-15,10,,\n", paymentHead, noticeHead+"a,1,reminder,2026-01-16,,,38,,,,")
	seen := map[string]bool{}
	for _, language := range []string{"nb", "nn", "en"} {
		for f := range judged(t, folder, language).Findings {
			if f.Text == "" || f.Law == "" || !slices.Contains([]string{report.Law, report.Doubt}, f.Class) || seen[f.Text] || strings.Contains(f.Text, "{") {
				t.Errorf("%s: %+v", language, f)
			}
			seen[f.Text] = true
		}
	}
	if len(seen) != 3 {
		t.Errorf("found %v", seen)
	}
}
