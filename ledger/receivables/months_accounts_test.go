package receivables_test

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"purr/ledger/accounts"
	"purr/models"
	"purr/store/archive"
	"purr/test/testkit/saft"
)

// handOver hands some days over to the accounts in a form, which are a random part of those that were not.
func (j *journal) handOver(upTo models.Date) {
	kept, err := archive.Open(j.t.TempDir())
	must(j.t, err)
	s := accounts.New(j.db, kept, "v1.2.3")
	all, err := j.db.AllAccountExports(j.t.Context(), j.creditor.ID)
	must(j.t, err)
	from := models.MonthOf(j.start).First()
	if len(all) > 0 {
		from = all[len(all)-1].To + 1
	}
	for from <= upTo {
		to := min(from+models.Date(j.days.IntN(40)), upTo)
		seen := ""
		for _, form := range models.AccountForms {
			made, err := s.Make(j.t.Context(), j.creditor, accounts.Request{From: from, To: to, Form: form}, "a person")
			if err != nil {
				j.t.Fatalf("%s to %s as %s: %v", from, to, form, err)
			}
			if says := fmt.Sprint(made.Export.Vouchers, made.Export.Series, made.Export.Sums); seen == "" {
				seen = says
			} else if says != seen {
				j.t.Errorf("%s to %s as %s has %s, before it had %s", from, to, form, says, seen)
			}
			j.drawn[fmt.Sprint(from, to, form)] = made.File.SHA256
			if form == models.FormCSV {
				j.checkVouchers(kept, made)
			}
			if form == models.FormSAFT {
				j.checkSAFT(kept, made)
			}
		}
		from = to + 1
	}
}

// checkSAFT proves of an export in SAF-T that it adds up, and ends with what each customer owed (rule D33).
func (j *journal) checkSAFT(kept *archive.Archive, made accounts.Export) {
	content, err := kept.Read(made.File.SHA256)
	must(j.t, err)
	j.saft = append(j.saft, string(content))
	f, closing := saft.Read(j.t, content), map[string]models.Amount{}
	for _, c := range f.Parties {
		closing[c.ID] = c.Balances.Closing()
	}
	if f.Entries.Number != made.Export.Vouchers || f.Entries.Debit != made.Export.Debit {
		j.t.Errorf("SAF-T has %d vouchers of %s, the export %d of %s", f.Entries.Number, f.Entries.Debit, made.Export.Vouchers, made.Export.Debit)
	}
	for customer, owed := range j.owed[made.Export.To] {
		if got := closing[strconv.FormatInt(customer, 10)]; got != owed {
			j.t.Errorf("customer %d owed %s at the end of %s, SAF-T says %s", customer, owed, made.Export.To, got)
		}
	}
}

// checkVouchers proves of an export in CSV that each voucher balances, that their numbers have no gap, and that receivables move from the
// opening to the closing balance.
func (j *journal) checkVouchers(kept *archive.Archive, made accounts.Export) {
	content, err := kept.Read(made.File.SHA256)
	must(j.t, err)
	table, err := csv.NewReader(strings.NewReader(string(content))).ReadAll()
	must(j.t, err)
	column := map[string]int{}
	for n, title := range table[0] {
		column[title] = n
	}
	sums, moved, transfers := map[string]models.Amount{}, models.Amount(0), models.Amount(0)
	last := map[string]int64{}
	for _, s := range made.Export.Series {
		last[fmt.Sprint(s.Year)] = s.First - 1
	}
	for _, row := range table[1:] {
		of := func(title string) string { return row[column[title]] }
		amount := func(title string) (a models.Amount) {
			if of(title) != "" {
				a, err = models.ParseAmount(of(title))
				must(j.t, err)
			}
			return a
		}
		id, line := of("voucher"), amount("debit")-amount("credit")
		if _, known := sums[id]; !known {
			year, number, _ := strings.Cut(id, "-")
			if last[year]++; number != fmt.Sprint(last[year]) {
				j.t.Errorf("voucher %s comes after %d", id, last[year]-1)
			}
			if year != of("date")[:4] {
				j.t.Errorf("voucher %s is dated %s", id, of("date"))
			}
		}
		sums[id] += line
		switch of("kind") {
		case "receivables":
			moved += line
		case "transfer":
			transfers += line
		}
		if of("date") < made.Export.From.String() || of("date") > made.Export.To.String() {
			j.t.Errorf("voucher %s of %s to %s is dated %s", id, made.Export.From, made.Export.To, of("date"))
		}
	}
	for id, sum := range sums {
		if sum != 0 {
			j.t.Errorf("voucher %s adds up to %s", id, sum)
		}
	}
	if e := made.Export; e.Opening+moved != e.Closing || len(sums) != e.Vouchers || transfers != 0 {
		j.t.Errorf("%s to %s: %s + %s is not %s, or there are %d vouchers, not %d, or %s is left of transfers", e.From, e.To, e.Opening, moved, e.Closing, len(sums), e.Vouchers, transfers)
	}
}

// checkHandedOver proves that what was handed over of each month is what its balances were at its end (rules A1c, D33).
func (j *journal) checkHandedOver() {
	all, err := j.db.AllAccountExports(j.t.Context(), j.creditor.ID)
	must(j.t, err)
	numbers := map[int]int64{}
	for n, e := range all {
		if end, known := j.ends[models.MonthOf(e.To)]; known && e.To == models.MonthOf(e.To).Last() && e.Closing != end {
			j.t.Errorf("%s to %s closes with %s, and the balances were %s", e.From, e.To, e.Closing, end)
		}
		if n > 0 && all[n-1].Closing != e.Opening {
			j.t.Errorf("%s begins with %s after %s", e.From, e.Opening, all[n-1].Closing)
		}
		for _, s := range e.Series {
			if numbers[s.Year]++; s.First != numbers[s.Year] {
				j.t.Errorf("the numbers of %s to %s begin with %d in %d, want %d", e.From, e.To, s.First, s.Year, numbers[s.Year])
			}
			numbers[s.Year] = s.Last
		}
	}
	if len(all) < 5 {
		j.t.Errorf("there were %d exports in all those months", len(all))
	}
}
