package models_test

import (
	"fmt"
	"strings"
	"testing"

	"purr/models"
)

// TestL15WhatInstalmentsAreRefused asks for plans of 1000.00 on 30 March.
func TestL15WhatInstalmentsAreRefused(t *testing.T) {
	t.Parallel()
	today := day("2026-03-30")
	many := func(n int, amount models.Amount) (all models.Instalments) {
		for i := range n {
			all = append(all, models.Instalment{DueDate: today + models.Date(i), Amount: amount})
		}
		return all
	}
	of := func(parts ...string) (all models.Instalments) {
		for _, p := range parts {
			date, amount, _ := strings.Cut(p, " ")
			a, err := models.ParseAmount(amount)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, models.Instalment{DueDate: day(date), Amount: a})
		}
		return all
	}
	for _, tt := range []struct {
		why  string
		all  models.Instalments
		want string
	}{
		{"one on the day itself is a new due date", of("2026-03-30 1000"), ""},
		{"two", of("2026-03-30 400", "2026-03-31 600"), ""},
		{"as many as there may be", append(many(35, 100), models.Instalment{DueDate: today + 100, Amount: 965_00}), ""},
		{"none", nil, "required at instalment"},
		{"one too many", many(37, 100), "too_many_instalments at instalment[37]"},
		{"one before today", of("2026-03-29 1000"), "plan_dates at instalment/due_date"},
		{"two on one day", of("2026-04-01 500", "2026-04-01 500"), "plan_dates at instalment[2]/due_date"},
		{"dates that go back, each told", of("2026-05-01 300", "2026-04-01 300", "2026-04-20 400"), "plan_dates at instalment[2]/due_date plan_dates at instalment[3]/due_date"},
		{"in eleven years", of("2037-03-30 1000"), "plan_dates at instalment/due_date"},
		{"too little", of("2026-04-01 999.99"), "plan_sum at instalment/amount"},
		{"too much", of("2026-04-01 500", "2026-05-01 500.01"), "plan_sum at instalment[2]/amount"},
		{"nothing in one", of("2026-04-01 0", "2026-05-01 1000"), "plan_sum at instalment[1]/amount"},
		{"both faults of one", of("2026-03-01 -1", "2026-05-01 1001"), "plan_dates at instalment[1]/due_date plan_sum at instalment[1]/amount"},
	} {
		var got []string
		if err := tt.all.Validate(1000_00, today); err != nil {
			for _, e := range err.(models.Errors) { //nolint:errorlint // it returns no other
				got = append(got, e.Code+" at "+e.Place.String())
			}
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, s, tt.want)
		}
	}
}

// TestL15InstalmentsOfASumAMonthOrOfMonths: the last one takes the rest, and each sum is what is owed.
func TestL15InstalmentsOfASumAMonthOrOfMonths(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		owed, first string
		sum         string
		months      int
		want        string
	}{
		{"1000", "2026-04-15", "400", 0, "[2026-04-15 400.00 2026-05-15 400.00 2026-06-15 200.00]"},
		{"1000", "2026-04-15", "500", 0, "[2026-04-15 500.00 2026-05-15 500.00]"},
		{"1000", "2026-04-15", "5000", 0, "[2026-04-15 1000.00]"},
		{"1000", "2026-01-31", "0", 3, "[2026-01-31 333.33 2026-02-28 333.33 2026-03-31 333.34]"},
		{"0.02", "2026-04-15", "0", 3, "[2026-04-15 0.01 2026-05-15 0.01]"},
		{"1000", "2026-04-15", "27", 0, "[]"}, // 38 months
		{"1000", "2026-04-15", "0", 37, "[]"},
		{"1000", "2026-04-15", "0", 0, "[]"},
		{"0", "2026-04-15", "100", 0, "[]"},
	} {
		owed, _ := models.ParseAmount(tt.owed)
		sum, _ := models.ParseAmount(tt.sum)
		all := models.MonthlyInstalments(owed, day(tt.first), sum, tt.months)
		var got []string
		for _, i := range all {
			got = append(got, i.DueDate.String()+" "+i.Amount.String())
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s from %s, %s a month or %d months: %s, want %s", tt.owed, tt.first, tt.sum, tt.months, fmt.Sprint(got), tt.want)
		}
		if all != nil && (all.Sum() != owed || all.Validate(owed, day(tt.first)) != nil) {
			t.Errorf("%s from %s makes a plan of %s: %v", tt.owed, tt.first, all.Sum(), all.Validate(owed, day(tt.first)))
		}
	}
}
