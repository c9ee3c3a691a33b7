package console

import (
	"html/template"
	"io"
	"testing"

	"purr/console/locale"
	"purr/models"
)

// TestD91FunctionsOfTemplatesRefuseWhatIsNotOfTheirType calls them with things of other types, as a template would whose data have a
// field of that name in two places.
func TestD91FunctionsOfTemplatesRefuseWhatIsNotOfTheirType(t *testing.T) {
	type count int64
	quantity, err := models.ParseQuantity("1.5")
	if err != nil {
		t.Fatal(err)
	}
	functions := newTemplates("").functions(locale.Catalogue()["en"])
	for _, test := range []struct {
		call  string
		value any
		good  bool
	}{
		{"number .", 7, true},
		{"number .", int64(7), true},
		{"number .", quantity, true},
		{"number .", "12.50", true},
		{"number .", "-3", true},
		{"number .", models.Amount(7_00), false}, // which is written with its decimals
		{"number .", models.Date(20_000), false},
		{"number .", count(7), false},
		{"number .", []int{7}, false},
		{"number .", []string{}, false},
		{"number .", map[string]int{}, false},
		{"number .", 7.5, false},
		{"number .", true, false},
		{"number .", nil, false},
		{"number .", "", false},
		{"number .", "NaN", false},
		{"number .", "1e9", false},
		{"number .", "seven", false},
		{"amount .", models.Amount(7_00), true},
		{"amount .", 7, false},
		{"amount .", int64(7), false},
		{"amount .", "7.00", false},
		{"amount .", []models.Amount{7_00}, false},
		{"amount .", nil, false},
		{"date .", models.Date(20_000), true},
		{"date .", 20_000, false},
		{"long .", models.Amount(20_000), false},
		{"weekday .", "2026-03-02", false},
		{"account .", 12345678903, false},
		{`t "files.all" "n" . "amount" 1`, 7, true},
		{`t "files.all" "n" . "amount" 1`, models.Amount(7_00), true},
		{`t "files.all" "n" . "amount" 1`, []string{"a", "b"}, false},
		{`t "files.all" "n" . "amount" 1`, []string(nil), false},
		{`t "files.all" "n" . "amount" 1`, map[string]int{"a": 1}, false},
		{`t "files.all" "n" . "amount" 1`, struct{ N int }{7}, false},
		{`t "files.all" "n" . "amount" 1`, new(7), false},
		{`t "files.all" "n" . "amount" 1`, 7.5, false},
		{`t "files.all" "n" . "amount" 1`, true, false},
		{`t "files.all" "n" . "amount" 1`, nil, false},
		{`t "files.all" "n" . "amount"`, 7, false}, // a value without a name
		{`th "files.all" "n" . "amount" 1`, 7, true},
		{`th "files.all" "n" . "amount" 1`, []int{7}, false},
	} {
		page, err := template.New("").Funcs(functions).Parse("{{" + test.call + "}}")
		if err != nil {
			t.Fatal(err)
		}
		if err := page.Execute(io.Discard, test.value); (err == nil) != test.good {
			t.Errorf("{{%s}} with %#v: %v, want it to be good: %t", test.call, test.value, err, test.good)
		}
	}
}
