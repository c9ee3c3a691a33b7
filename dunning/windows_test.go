package dunning_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"purr/dunning"
	"purr/law"
	"purr/models"
)

func inWindows(windows []models.Window, invoice models.Invoice) bool {
	return slices.ContainsFunc(windows, func(w models.Window) bool {
		return w.Stage == invoice.Stage() && (w.From == 0 || invoice.Deadline >= w.From) && (w.To == 0 || invoice.Deadline <= w.To)
	})
}

func TestWindows(t *testing.T) {
	t.Parallel()
	open := func(to string) models.Window { return models.Window{Stage: models.StageOpen, To: day(to)} }
	reminded := func(to string) models.Window { return models.Window{Stage: models.StageReminded, To: day(to)} }
	warned := func(to string) models.Window { return models.Window{Stage: models.StageWarned, To: day(to)} }
	tests := []struct {
		policy models.Policy
		want   []models.Window
		why    string
	}{
		{policy(secondAfter(10)), []models.Window{open("2026-11-06"), reminded("2026-11-10")}, "the two notices of the default ladder"},
		{policy(warning(models.WarningFirst)), []models.Window{open("2026-11-06")}, "a ladder of one notice"},
		{
			policy(handOverAfter(7)),
			[]models.Window{open("2026-11-06"), reminded("2026-11-06"), warned("2026-11-13")},
			"a ladder that ends at the agency",
		},
		{models.DefaultPolicy(), nil, "dunning is off"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			if got := dunning.Windows(day("2026-11-20"), tt.policy); !slices.Equal(got, tt.want) {
				t.Errorf("the windows are %+v, want %+v", got, tt.want)
			}
		})
	}
}

// TestWindowsMissNothing checks that an invoice that Decide takes a step with is in a window.
func TestWindowsMissNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := anyPolicy(t)
		on := dateIn(t, "on", day("2026-01-01"), day("2026-12-31"))
		notices := rapid.IntRange(0, 2).Draw(t, "notices")
		invoice := models.Invoice{
			Balance: 400_00, Notices: notices, Warned: notices > 0 && rapid.Bool().Draw(t, "warned"),
			DueDate: on - 100, Deadline: dateIn(t, "deadline", on-60, on+3),
		}
		if notices == 0 {
			invoice.DueDate = invoice.Deadline
		}
		d := dunning.Decide(dunning.State{Invoice: invoice}, p, law.Default(), on)
		if d.Action == dunning.Nothing {
			return
		}
		if !inWindows(dunning.Windows(on, p), invoice) {
			t.Fatalf("%s of %+v is in no window", d.Action, invoice)
		}
	})
}
