package e2e_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// step is a status and the last day on which an invoice has it.
type step struct{ status, until string }

// followed is an invoice whose months are foretold, day by day.
type followed struct {
	name  string
	uri   string
	steps []step
}

// on returns the status foretold for a day.
func (f followed) on(day string) string {
	for _, s := range f.steps {
		if day <= s.until {
			return s.status
		}
	}
	return "not foretold"
}

// TestMorningsOfTwoMonths is the second flow: four invoices of 3 January 2026, a Saturday, on their way. Each
// day at one minute past midnight, when no job has run, lists, details and filters show the status of that
// very day (rule D26); what happens in between is done by the run at six.
//
// The figures are reckoned here, by the law and not by the program: the fee is a twentieth of the
// inkassosats of 750.00, rounded to 38.00; late interest in the first half of 2026 is 12.00 % of 365 days.
func TestMorningsOfTwoMonths(t *testing.T) {
	eachSetup(t, func(t *testing.T, in *installation) {
		in.api.Put("/api/v1/creditor", policyBody("<require_payment_file>0</require_payment_file><hand_over_days>1</hand_over_days>")).Shown()
		kari := in.api.customer(t, "Kari Nordmann")
		send := func(days int, net string) string {
			return in.api.invoice(t, invoiceOf{customer: kari, days: days, net: net}).At("@uri")
		}
		invoices := []followed{
			{"never paid", send(2, "10000.00"), []step{
				{"invoice_sent", "2026-01-05"},
				{"invoice_overdue", "2026-01-18"},
				{"invoice_overdue_chargeable", "2026-01-19"},
				{"overdue_notice_sent", "2026-02-02"},
				{"overdue_notice_overdue", "2026-02-16"},
				{"debt_collection_notice_sent", "2026-03-02"},
				{"debt_collection_notice_overdue", "2026-03-03"},
				{"debt_collection", "2026-03-05"},
			}},
			{"paid late, before a reminder", send(18, "800.00"), []step{
				{"invoice_sent", "2026-01-21"}, {"invoice_overdue", "2026-01-27"}, {"invoice_paid", "2026-03-05"},
			}},
			{"paid in two parts", send(2, "10000.00"), []step{
				{"invoice_sent", "2026-01-05"},
				{"invoice_overdue", "2026-01-18"},
				{"invoice_overdue_chargeable", "2026-01-19"},
				{"overdue_notice_sent", "2026-01-27"},
				{"invoice_paid", "2026-03-05"},
			}},
			{"due on a Saturday, credited", send(0, "4000.00"), []step{
				{"invoice_sent", "2026-01-03"},
				{"invoice_overdue", "2026-01-16"},
				{"invoice_overdue_chargeable", "2026-01-19"},
				{"overdue_notice_sent", "2026-01-27"},
				{"invoice_paid", "2026-03-05"},
			}},
		}
		in.live("2026-01-04", "2026-01-12", invoices)
		in.at("2026-01-12 12:00")
		in.api.pay(t, invoices[2].uri, "-2500.00", "2026-01-12")
		in.live("2026-01-13", "2026-01-27", invoices)

		in.at("2026-01-27 12:00")
		in.api.pay(t, invoices[1].uri, "-1000.00", "2026-01-27")
		in.api.pay(t, invoices[2].uri, "-10089.78", "2026-01-27")
		in.api.Post(invoices[3].uri+"/credit_notes", creditBody("PAPER")).Created()
		in.live("2026-01-28", "2026-03-05", invoices)

		in.checkNotice(invoices[0].uri, 1, "reminder of 2026-01-19, due 2026-02-02: 12500.00 + 38.00 + 57.53 = 12595.53",
			"2026-01-06 to 2026-01-19: 14 of 365 days, 12500.00 at 12 is 57.53")
		in.checkNotice(invoices[0].uri, 2, "warning of 2026-02-16, due 2026-03-02: 12500.00 + 38.00 + 57.53 + 38.00 + 115.07 = 12748.60",
			"2026-01-20 to 2026-02-16: 28 of 365 days, 12500.00 at 12 is 115.07")
		in.checkNotice(invoices[2].uri, 1, "reminder of 2026-01-19, due 2026-02-02: 12500.00 + -2500.00 + 38.00 + 51.78 = 10089.78",
			"2026-01-06 to 2026-01-12: 7 of 365 days, 12500.00 at 12 is 28.77",
			"2026-01-13 to 2026-01-19: 7 of 365 days, 10000.00 at 12 is 23.01")
		// Interest and automatic dunning count from the Monday after the Saturday (rules D29, E6d).
		in.checkNotice(invoices[3].uri, 1, "reminder of 2026-01-19, due 2026-02-02: 5000.00 + 38.00 + 23.01 = 5061.01",
			"2026-01-06 to 2026-01-19: 14 of 365 days, 5000.00 at 12 is 23.01")
		in.checkAmounts(invoices[3].uri, "INVOICE 5000.00, OVERDUE_CHARGE 38.00, INTEREST 23.01, OVERDUE_CHARGE -38.00, INTEREST -23.01, CREDIT_NOTE -5000.00")
		for i, notices := range []int{2, 0, 1, 1} {
			equal(t, "notices on the invoice "+invoices[i].name, len(in.api.Get(invoices[i].uri).Shown().All("overdue_notices/overdue_notice")), notices)
		}
		in.checkNoticeLetters(4)
		in.checkRuns("2026-01-03", "2026-03-04")
		in.checkBooks()
	}, from("2026-01-03 08:00"))
}

// TestMorningsAcrossTheHalfYear charges interest at the rates in force day by day: 12.00 % through June,
// 12.25 % from 1 July 2026 on (rule D29).
func TestMorningsAcrossTheHalfYear(t *testing.T) {
	eachSetup(t, func(t *testing.T, in *installation) {
		in.api.Put("/api/v1/creditor", policyBody("")).Shown()
		invoice := in.api.invoice(t, invoiceOf{customer: in.api.customer(t, "Kari Nordmann"), days: 0, net: "16000.00"}).At("@uri")
		in.at("2026-07-28 08:00")
		in.checkNotice(invoice, 1, "reminder of 2026-06-29, due 2026-07-13: 20000.00 + 38.00 + 92.05 = 20130.05",
			"2026-06-16 to 2026-06-29: 14 of 365 days, 20000.00 at 12 is 92.05")
		in.checkNotice(invoice, 2, "warning of 2026-07-27, due 2026-08-10: 20000.00 + 38.00 + 92.05 + 38.00 + 187.81 = 20355.86",
			"2026-06-30 to 2026-06-30: 1 of 365 days, 20000.00 at 12 is 6.58",
			"2026-07-01 to 2026-07-27: 27 of 365 days, 20000.00 at 12.25 is 181.23")
		in.checkNoticeLetters(2)
		in.checkBooks()
	}, from("2026-06-15 08:00"))
}

// TestNothingRanForDays starts the program again on a day after those on which steps were due: the next run
// does them, dated the day on which they really go out, and the run table shows what was missed (rule E6f).
func TestNothingRanForDays(t *testing.T) {
	eachSetup(t, func(t *testing.T, in *installation) {
		in.api.Put("/api/v1/creditor", policyBody("")).Shown()
		invoice := in.api.invoice(t, invoiceOf{customer: in.api.customer(t, "Kari Nordmann"), days: 0, net: "10000.00"}).At("@uri")
		in.at("2026-02-01 12:00")
		must(t, in.Stop())
		in.Config.TestClock = moment("2026-02-05 10:00")
		must(t, in.Run())

		eventually(t, "the notice of the day of the start", func() (bool, any) {
			notices := in.api.List("/api/v1/overdue_notices")
			return len(notices) == 1, notices
		})
		in.checkNotice(invoice, 1, "reminder of 2026-02-05, due 2026-02-19: 12500.00 + 38.00 + 69.86 = 12607.86",
			"2026-01-20 to 2026-02-05: 17 of 365 days, 12500.00 at 12 is 69.86")
		in.at("2026-02-06 12:00")
		in.checkNoticeLetters(1)
		in.checkRuns("2026-01-19", "2026-02-06")
		missed := query(t, openDatabase(t, in.Config.Database.URL), "SELECT business_date, caught_up_by FROM runs WHERE kind = 'dunning' AND state = 'missed' ORDER BY 1")
		var days []string
		for _, m := range missed {
			from, by, _ := strings.Cut(m, " ")
			days = append(days, from[:len(time.DateOnly)]+" by "+by[:len(time.DateOnly)])
		}
		equal(t, "missed days", strings.Join(days, ", "), "2026-02-02 by 2026-02-05, 2026-02-03 by 2026-02-05, 2026-02-04 by 2026-02-05")
		in.checkBooks()
	}, from("2026-01-19 08:00"))
}

// live lets the days pass, both included. At one minute past midnight of each, every invoice must stand
// where it was foretold: in its detail, in the list, and in the filters.
func (in *installation) live(first, last string, invoices []followed) {
	in.t.Helper()
	for day := moment(first + " 00:01"); !day.After(moment(last + " 00:01")); day = day.AddDate(0, 0, 1) {
		in.api.MoveClock(day)
		today := day.Format(time.DateOnly)
		want := map[string]string{}
		for _, i := range invoices {
			want[i.uri] = i.on(today)
			equal(in.t, today+": detail of the invoice "+i.name, in.api.Get(i.uri).Shown().At("@status"), i.on(today))
		}
		listed := map[string]string{}
		for _, i := range in.api.List("/api/v1/invoices") {
			listed[i.At("@uri")] = i.At("@status")
		}
		if !maps.Equal(listed, want) {
			in.t.Errorf("%s: the list shows %v, want %v", today, listed, want)
		}
		in.checkFilters(today, want)
		if in.t.Failed() {
			in.t.FailNow()
		}
	}
}

// checkFilters asks for each status that there is, and for the meta status overdue (rule D23).
func (in *installation) checkFilters(today string, want map[string]string) {
	in.t.Helper()
	overdue := []string{"invoice_overdue", "invoice_overdue_chargeable", "overdue_notice_overdue", "debt_collection_notice_overdue"}
	for _, filter := range append(slices.Compact(slices.Sorted(maps.Values(want))), "overdue") {
		found := texts(in.api.List("/api/v1/invoices?status="+filter), "@uri")
		for uri, status := range want {
			belongs := status == filter || filter == "overdue" && slices.Contains(overdue, status)
			if slices.Contains(found, uri) != belongs {
				in.t.Errorf("%s: the filter %s has %s: %t, want %t: it is %s", today, filter, uri, !belongs, belongs, status)
			}
		}
	}
}

// checkNotice holds the nth notice on an invoice against its description and the segments of its interest.
func (in *installation) checkNotice(invoice string, nth int, want string, segments ...string) {
	in.t.Helper()
	notices := in.api.Get(invoice).Shown().All("overdue_notices/overdue_notice")
	if len(notices) < nth {
		in.t.Fatalf("%d notices were sent, want: %s", len(notices), want)
	}
	equal(in.t, "sequence number", notices[nth-1].At("sequence_number"), fmt.Sprint(nth))
	uri := notices[nth-1].At("@uri")
	detail := in.api.Get(uri).Shown()
	kind := map[string]string{"0": "reminder", "1": "warning"}[notices[nth-1].At("is_incasso_notice")]
	lines := texts(detail.All("lines/line"), "gross_amount")
	got := fmt.Sprintf("%s of %s, due %s: %s = %s", kind, detail.At("issue_date"), detail.At("due_date"), strings.Join(lines, " + "), detail.At("gross_amount"))
	equal(in.t, "notice", got, want)
	equal(in.t, "sum of the notice's lines", sum(in.t, lines), detail.At("gross_amount"))

	var reckoned []string
	for _, s := range in.api.Get(uri + "/calculation").Shown().All("interest/segment") {
		reckoned = append(reckoned, fmt.Sprintf("%s to %s: %s of %s days, %s at %s is %s", s.At("@from"), s.At("@to"),
			s.At("@days"), s.At("@year_days"), s.At("@principal"), s.At("@rate"), s.At("@amount")))
	}
	equal(in.t, "calculation", strings.Join(reckoned, "\n"), strings.Join(segments, "\n"))
}

// checkAmounts holds an invoice's entries against types and amounts.
func (in *installation) checkAmounts(invoice, want string) {
	in.t.Helper()
	var got []string
	for _, e := range in.api.Get(invoice).Shown().All("ar_transactions/ar_transaction") {
		got = append(got, e.At("transaction_type")+" "+e.At("amount"))
	}
	equal(in.t, "entries", strings.Join(got, ", "), want)
}

// checkNoticeLetters holds the letters of notices against the notices: one for each, with the API's bytes.
func (in *installation) checkNoticeLetters(want int) {
	in.t.Helper()
	var sent []string
	for name, letter := range in.Letters(in.t) {
		if strings.HasPrefix(name, "overdue-notice-") {
			sent = append(sent, string(letter))
		}
	}
	var pdfs []string
	for _, n := range in.api.List("/api/v1/overdue_notices") {
		pdfs = append(pdfs, string(in.api.Get(n.At("@uri")+"/pdf").PDF()))
	}
	slices.Sort(sent)
	slices.Sort(pdfs)
	equal(in.t, "number of letters with notices", len(sent), want)
	if !slices.Equal(sent, pdfs) {
		in.t.Error("the letters are not the PDFs of the notices")
	}
}

// checkRuns proves that the run table has each kind of run once for every business date, done or shown as
// missed (rule E6f).
func (in *installation) checkRuns(first, last string) {
	in.t.Helper()
	days := int(moment(last).Sub(moment(first)).Hours()+12)/24 + 1
	db := openDatabase(in.t, in.Config.Database.URL)
	rows := query(in.t, db, "SELECT kind, COUNT(*), COUNT(DISTINCT business_date), SUM(CASE WHEN state = 'started' THEN 1 ELSE 0 END) FROM runs GROUP BY kind ORDER BY kind")
	var want []string
	for _, kind := range []string{"dunning", "status", "verify"} {
		want = append(want, fmt.Sprintf("%s %d %d 0", kind, days, days))
	}
	equal(in.t, "runs (kind, rows, days, unfinished)", strings.Join(rows, "\n"), strings.Join(want, "\n"))
}
