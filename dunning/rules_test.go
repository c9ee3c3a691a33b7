package dunning_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
	"purr/test/testkit/values"
)

// must fails the test at an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sheetIn reads the sheet that a notice keeps.
func sheetIn(t *testing.T, n models.Notice) law.Sheet {
	t.Helper()
	var s law.Sheet
	must(t, json.Unmarshal([]byte(n.Sheet), &s))
	return s
}

// set returns a figure of the law that a person sets for a creditor, 0 for all.
func set(creditorID int64, kind models.RuleKind, from, value string) models.DunningRule {
	return models.DunningRule{CreditorID: creditorID, Kind: kind, FromDate: day(from), Value: value, Source: "a regulation", SetBy: "a person"}
}

// setRule sets a figure beside the program's own.
func setRule(t *testing.T, db *store.DB, rule models.DunningRule) error {
	t.Helper()
	return db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return dunning.SetRule(t.Context(), tx, law.Default(), rule)
	})
}

// rulesFor returns the rules as they stand for a creditor.
func rulesFor(t *testing.T, db *store.DB, creditorID int64) *law.Rules {
	t.Helper()
	rules, err := dunning.RulesFor(t.Context(), law.Default(), db, creditorID)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestE6hWhatIsSetHoldsAtOnceForThoseWhomItIsFor(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		db = rows.On(db, day("2026-12-20"))
		c, other := rows.Creditor(t, db), rows.Creditor(t, db)
		rate := func(creditorID int64, on string) string {
			rate, known := rulesFor(t, db, creditorID).InterestRate(day(on))
			return fmt.Sprintf("%s %t", rate, known)
		}
		check := func(why, on, wantAll, wantOwn string) {
			t.Helper()
			for _, creditorID := range []int64{0, other.ID} {
				if got := rate(creditorID, on); got != wantAll {
					t.Errorf("%s: for creditor %d the rate is %s, want %s", why, creditorID, got, wantAll)
				}
			}
			if got := rate(c.ID, on); got != wantOwn {
				t.Errorf("%s: for the creditor who set it the rate is %s, want %s", why, got, wantOwn)
			}
		}
		check("nothing set", "2027-01-15", "12.25 false", "12.25 false")
		must(t, setRule(t, db, set(c.ID, models.RuleLateInterest, "2027-01-01", "11.5")))
		check("a creditor's own is its own", "2027-01-15", "12.25 false", "11.5 true")
		must(t, setRule(t, db, set(0, models.RuleLateInterest, "2027-01-01", "11.75")))
		check("what is known to all takes its place", "2027-01-15", "11.75 true", "11.75 true")
		must(t, setRule(t, db, set(c.ID, models.RuleLateInterest, "2027-07-01", "11")))
		check("and it goes on from there", "2027-07-15", "11.75 false", "11 true")
		must(t, setRule(t, db, set(0, models.RuleLateInterest, "2026-07-01", "12.3")))
		check("an operator puts right what the program has", "2026-12-31", "12.3 true", "12.3 true")
		must(t, db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return dunning.RemoveRule(t.Context(), tx, set(0, models.RuleLateInterest, "2026-07-01", ""))
		}))
		check("and takes it back", "2026-12-31", "12.25 true", "12.25 true")
		told := func(c models.Creditor) int {
			events, err := db.Events(t.Context(), c.ID, 0, 100)
			must(t, err)
			return len(slices.DeleteFunc(events, func(e models.Event) bool { return e.Type != models.EventRulesChanged }))
		}
		if told(c) != 5 || told(other) != 3 {
			t.Errorf("%d and %d events tell of it", told(c), told(other))
		}
	})
}

func TestE6hWhatCannotBeSet(t *testing.T) {
	t.Parallel()
	tests := []struct {
		own               bool
		kind              models.RuleKind
		from, value, want string
		why               string
	}{
		{false, "interest", "2027-01-01", "12", "[unknown_kind]", "no figure of an unknown kind"},
		{false, models.RuleLateInterest, "", "12", "[required]", "none without a day"},
		{false, models.RuleLateInterest, "2027-01-01", "12 %", "[invalid_rule]", "none that is no number"},
		{false, models.RuleFeeFraction, "2027-01-01", "0", "[invalid_rule]", "no fraction of nothing"},
		{false, models.RuleAct, "2027-01-01", "2027", "[invalid_rule]", "no act that there is not"},
		{false, models.RuleInkassosats, "2027-01-01", "123456789012345678901", "[invalid_rule]", "none longer than a figure"},
		{false, models.RuleLateInterest, "2027-01-01", "1225", "[invalid_rule]", "no rate a hundred times as high by mistake"},
		{false, models.RuleLateInterest, "2027-02-01", "12", "[out_of_range]", "a rate of late interest is set for a half-year"},
		{false, models.RuleCompensation, "2027-06-30", "430", "[out_of_range]", "and so is standard compensation"},
		{false, models.RuleLateInterest, "2027-07-01", "12", "[out_of_range]", "no half-year is left out"},
		{false, models.RuleInkassosats, "2020-02-03", "7000", "", "an operator sets what it must"},
		{false, models.RuleAct, "2027-01-01", "2026", "", "an operator says when the act of 2026 is in force"},
		{true, models.RuleAct, "2027-01-01", "2026", "[unknown_kind]", "a creditor does not"},
		{true, models.RuleFeeFraction, "2027-01-01", "10", "[unknown_kind]", "nor how a fee is reckoned"},
		{true, models.RuleLateInterest, "2026-07-01", "12.25", "[rule_known]", "nor what is known"},
		{true, models.RuleLateInterest, "2027-01-01", "6.12", "[out_of_range]", "nor less than half of it"},
		{true, models.RuleLateInterest, "2027-01-01", "6.13", "", "down to half"},
		{true, models.RuleLateInterest, "2027-01-01", "24.5", "", "and up to twice as much"},
		{true, models.RuleLateInterest, "2027-01-01", "24.51", "[out_of_range]", "not more"},
		{true, models.RuleInkassosats, "2027-02-01", "760", "", "the inkassosats from any day"},
		{true, models.RuleCompensation, "2028-01-01", "440", "[out_of_range]", "nothing more than a year ahead"},
	}
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		db = rows.On(db, day("2026-12-20"))
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				c := rows.Creditor(t, db)
				rule := set(0, tt.kind, tt.from, tt.value)
				if tt.own {
					rule.CreditorID = c.ID
				}
				if got := codes(setRule(t, db, rule)); got != tt.want {
					t.Errorf("refused for %q, want %q", got, tt.want)
				}
			})
		}
		if err := setRule(t, db, models.DunningRule{Kind: models.RuleLateInterest, FromDate: day("2027-01-01"), Value: "12", Source: " "}); codes(err) != "[required]" {
			t.Errorf("without a source: %v", err)
		}
	})
}

// TestE6hTheActOf2026ByTheOperatorsWord sets the day on which the statute of 2026 is in force. From then on a
// request for a debt-collection warning is refused. A reminder without a fee replaces it in the ladder, even if
// the new statute lets other reminders have a fee.
func TestE6hTheActOf2026ByTheOperatorsWord(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		for _, rule := range []models.DunningRule{
			set(0, models.RuleAct, "2026-03-31", "2026"), set(0, models.RuleFee2026, "2026-04-01", "30"),
		} {
			must(t, setRule(t, d.db, rule))
		}
		rules := rulesFor(t, d.db, d.creditor.ID)
		warning := dunning.Request{Warning: true, AddFee: true}
		err := d.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			_, err := dunning.IssueNotice(t.Context(), tx, rules, d.creditor, d.invoice.ID, warning)
			return err
		})
		if err != nil {
			t.Fatalf("on the last day of the act of 1988: %v", err)
		}
		on := rows.On(d.db, day("2026-04-28"))
		second := rows.Invoice(t, d.db, d.creditor)
		err = on.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			_, err := dunning.IssueNotice(t.Context(), tx, rules, d.creditor, second.ID, warning)
			return err
		})
		if codes(err) != "debt_collection_notice_not_allowed" {
			t.Errorf("under the act of 2026: %v", err)
		}
	})
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.Policy.Enabled = true })
		invoice := rows.Invoice(t, db, c)
		must(t, setRule(t, db, set(0, models.RuleAct, "2026-04-15", "2026")))
		must(t, setRule(t, db, set(0, models.RuleFee2026, "2026-04-15", "30")))
		for date := day("2026-03-16"); date <= day("2026-05-31"); date++ {
			rows.Send(t, db, c)
			_, err := dunning.Run(t.Context(), rows.On(db, date), rulesFor(t, db, c.ID), c, date)
			must(t, err)
		}
		if got, want := noticesOn(t, db, invoice), "reminder of 38.00 and 4.60 due 2026-04-13; reminder of 0.00 and 9.21 due 2026-05-11"; got != want {
			t.Errorf("the notices are\n%s, want\n%s", got, want)
		}
	})
}

// TestE6cASheetRecomputesWhateverTheRulesSayLater changes figures of the past after a notice. Its sheet and its
// entries stay, and add up. The next notice uses the new figures, from the day after the first notice.
func TestE6cASheetRecomputesWhateverTheRulesSayLater(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.Policy.Enabled = true })
		invoice := rows.Invoice(t, db, c)
		run := func(date string) {
			t.Helper()
			rows.Send(t, db, c)
			_, err := dunning.Run(t.Context(), rows.On(db, day(date)), rulesFor(t, db, c.ID), c, day(date))
			must(t, err)
		}
		run("2026-03-30")
		must(t, setRule(t, db, set(0, models.RuleLateInterest, "2026-01-01", "6")))
		must(t, setRule(t, db, set(0, models.RuleInkassosats, "2026-01-01", "200")))
		run("2026-04-27")
		if got, want := noticesOn(t, db, invoice), "reminder of 38.00 and 4.60 due 2026-04-13; warning of 10.00 and 4.60 due 2026-05-11"; got != want {
			t.Errorf("the notices are\n%s, want\n%s", got, want)
		}
		notices, err := db.NoticesOf(t.Context(), invoice.ID)
		must(t, err)
		for _, n := range notices {
			if err := values.CheckSheet(sheetIn(t, n), n); err != nil {
				t.Errorf("notice %d: %v", n.Sequence, err)
			}
		}
	})
}
