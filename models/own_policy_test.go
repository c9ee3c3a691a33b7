package models_test

import (
	"reflect"
	"testing"

	"purr/models"
)

// everyElement is an own policy in which each element differs from the default policy.
func everyElement() models.CustomerPolicy {
	return models.CustomerPolicy{
		Enabled: new(true), FirstNoticeDays: new(3), SecondNoticeDays: new(4),
		Fee: &models.Choice[models.Amount]{Value: new(models.Amount(12_50))}, Compensation: new(true), AddInterest: new(false),
		InterestRate: &models.Choice[models.Percent]{Value: new(models.Percent(7_25))}, DaysToPay: new(30), PostalDays: new(5), PrintDays: new(6),
		DebtCollectionNotice: new(models.WarningNever), HandOverDays: &models.Choice[int]{Value: new(9)},
		MinimumBalance: new(models.Amount(100_00)), ReminderMethod: new(models.ByEmail), FriendlyReminderDays: &models.Choice[models.DayList]{Value: new(models.DayList("2"))}, Remainder: new(models.RemainderChase), CloseBelow: new(models.Amount(40_00)), SettleCredit: new(true), EHFReminder: new(true), JointLetters: new(true), WeekdaysOnly: new(false), RequirePaymentFile: new(false),
	}
}

func TestOwnPolicyAppliesWhatItHasE6e(t *testing.T) {
	creditors := models.DefaultPolicy()
	creditors.Fee, creditors.InterestRate, creditors.HandOverDays = new(models.Amount(20_00)), new(models.Percent(5_00)), new(14)
	if got := (models.CustomerPolicy{}).Apply(creditors); got != creditors {
		t.Errorf("with nothing of its own a customer has %+v", got)
	}

	want := models.Policy{
		Enabled: true, FirstNoticeDays: 3, SecondNoticeDays: 4, Fee: new(models.Amount(12_50)), Compensation: true, InterestRate: new(models.Percent(7_25)),
		DaysToPay: 30, PostalDays: 5, PrintDays: 6, DebtCollectionNotice: models.WarningNever, ReminderMethod: models.ByEmail, FriendlyReminderDays: "2", HandOverDays: new(9), MinimumBalance: 100_00, CloseBelow: 40_00,
		Remainder: models.RemainderChase, SettleCredit: true, EHFReminder: true, JointLetters: true,
	}
	if got := everyElement().Apply(creditors); !reflect.DeepEqual(got, want) {
		t.Errorf("with everything of its own a customer has\n%+v, want\n%+v", got, want)
	}

	none := models.CustomerPolicy{Fee: &models.Choice[models.Amount]{}, InterestRate: &models.Choice[models.Percent]{}, HandOverDays: &models.Choice[int]{}}
	want = creditors
	want.Fee, want.InterestRate, want.HandOverDays = nil, nil, nil
	if got := none.Apply(creditors); got != want {
		t.Errorf("with the legal maximum, the legal rate and by hand only a customer has %+v", got)
	}
}

// TestOwnPolicyAppliesEachElement checks that Apply forgets no element: each own element changes one of the
// policy.
func TestOwnPolicyAppliesEachElement(t *testing.T) {
	all := reflect.ValueOf(everyElement())
	for i := range all.NumField() {
		name := all.Type().Field(i).Name
		var one models.CustomerPolicy
		reflect.ValueOf(&one).Elem().Field(i).Set(all.Field(i))
		before, after := reflect.ValueOf(models.DefaultPolicy()), reflect.ValueOf(one.Apply(models.DefaultPolicy()))
		for n := range before.NumField() {
			field := before.Type().Field(n).Name
			if differs := !before.Field(n).Equal(after.Field(n)); differs != (field == name) {
				t.Errorf("%s of its own: %s differs %t", name, field, differs)
			}
		}
	}
}

func TestOwnPolicyValidateE6e(t *testing.T) {
	const maxFee = 35_00
	tests := []struct {
		own  models.CustomerPolicy
		want string
		why  string
	}{
		{models.CustomerPolicy{}, "", "nothing of its own"},
		{everyElement(), "", "everything within the law"},
		{models.CustomerPolicy{Fee: &models.Choice[models.Amount]{}}, "", "the legal maximum"},
		{models.CustomerPolicy{Fee: &models.Choice[models.Amount]{Value: new(models.Amount(maxFee + 1))}}, "dunning_policy/fee illegal_policy", "a fee above it"},
		{models.CustomerPolicy{DaysToPay: new(13)}, "dunning_policy/days_to_pay illegal_policy", "too few days to pay (D28)"},
		{
			models.CustomerPolicy{FirstNoticeDays: new(0), DebtCollectionNotice: new(models.WarningStep("third")), MinimumBalance: new(models.Amount(-1))},
			"dunning_policy/first_notice_days illegal_policy; dunning_policy/debt_collection_notice illegal_policy; " +
				"dunning_policy/minimum_balance illegal_policy", "several at once (D5)",
		},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			if got := places(t, tt.own.Validate(maxFee)); got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

func TestOwnPolicySurvivesTheDatabase(t *testing.T) {
	none := models.CustomerPolicy{Fee: &models.Choice[models.Amount]{}, InterestRate: &models.Choice[models.Percent]{}, HandOverDays: &models.Choice[int]{}}
	for _, p := range []models.CustomerPolicy{everyElement(), none, {Enabled: new(false)}} {
		value, err := p.Value()
		if err != nil {
			t.Fatal(err)
		}
		text, ok := value.(string)
		if !ok {
			t.Fatalf("a policy is kept as a %T", value)
		}
		for _, src := range []any{text, []byte(text)} {
			got := everyElement()
			if err := got.Scan(src); err != nil || !reflect.DeepEqual(got, p) {
				t.Errorf("it is kept as %s and comes back as %+v, %v", text, got, err)
			}
		}
	}
	if v, err := (models.CustomerPolicy{}).Value(); v != nil || err != nil {
		t.Errorf("no policy goes into a database as %v, %v", v, err)
	}
	got := everyElement()
	if err := got.Scan(nil); err != nil || !got.IsZero() {
		t.Errorf("and comes back as %+v, %v", got, err)
	}
	for _, src := range []any{17, "{"} {
		if err := got.Scan(src); err == nil {
			t.Errorf("%v is taken for a policy", src)
		}
	}
}
