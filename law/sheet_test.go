package law_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/law"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/values"
)

// sheetOf is the calculation of a first notice on 20 November 2026, with a part payment and a new half-year.
func sheetOf() (law.Sheet, models.Notice) {
	due := day("2026-06-15")
	sheet := law.Sheet{
		OverdueCharge: law.Default().Fee(models.DefaultPolicy(), due, due, day("2026-11-20")),
		Interest: law.Default().Interest(law.Claim{
			DueDate: due,
			Entries: []models.Entry{invoiced("10000.00", "2026-06-01"), paid("2500.00", "2026-07-20")},
		}, day("2026-11-20")),
	}
	return sheet, models.Notice{Fee: sheet.OverdueCharge.Amount, Interest: sheet.Interest.Amount}
}

func TestSheetAsJSON(t *testing.T) {
	t.Parallel()
	sheet, _ := sheetOf()
	got, err := json.MarshalIndent(sheet, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	testkit.Golden(t, "testdata/sheet.golden.json", string(got))
}

func TestSheetSurvivesJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := anyClaim(t)
		through := dateIn(t, "through", c.DueDate, c.DueDate+800)
		sheet := law.Sheet{
			OverdueCharge: law.Default().Fee(models.DefaultPolicy(), c.DueDate, c.DueDate, through),
			Interest:      law.Default().Interest(c, through),
		}
		text, err := json.Marshal(sheet)
		if err != nil {
			t.Fatal(err)
		}
		var back law.Sheet
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(sheet, back) {
			t.Fatalf("%+v came back as %+v", sheet, back)
		}
		if err := values.CheckSheet(back, models.Notice{Fee: sheet.OverdueCharge.Amount, Interest: sheet.Interest.Amount}); err != nil {
			t.Fatal(err)
		}
	})
}

func TestSheetCheckFinds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		spoil func(*law.Sheet, *models.Notice)
		want  string
		why   string
	}{
		{func(*law.Sheet, *models.Notice) {}, "", "nothing in a right sheet"},
		{func(_ *law.Sheet, n *models.Notice) { n.Fee-- }, "the sheet's fee is 38.00, the notice's 37.99", "another fee on the notice"},
		{func(_ *law.Sheet, n *models.Notice) { n.Interest++ }, "the sheet's interest is", "another interest on the notice"},
		{func(s *law.Sheet, _ *models.Notice) { s.Interest.Segments[1].Amount++ }, "the interest from 2026-07-01 to 2026-07-20 is", "a wrong segment"},
		{func(s *law.Sheet, _ *models.Notice) { s.Interest.Segments = s.Interest.Segments[1:] }, "its segments add up to", "a missing segment"},
		{func(s *law.Sheet, _ *models.Notice) { s.OverdueCharge.Maximum = 35_00 }, "above its maximum 35.00", "a fee above the maximum"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			sheet, notice := sheetOf()
			tt.spoil(&sheet, &notice)
			err := values.CheckSheet(sheet, notice)
			if tt.want == "" && err == nil {
				return
			}
			if err == nil || tt.want == "" || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, want %q", err, tt.want)
			}
		})
	}
}
