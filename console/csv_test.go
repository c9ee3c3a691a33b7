package console

import (
	"testing"

	"purr/models"
)

func TestE10CellsOfCSV(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		value         any
		norwegian, en string
	}{
		{models.Amount(-123456), "-1234,56", "-1234.56"},
		{"=1+1", "'=1+1", "'=1+1"},
		{"Å", "Å", "Å"},
		{models.NewDate(2026, 11, 22), "2026-11-22", "2026-11-22"},
		{4711, "4711", "4711"},
	} {
		if got := cell(test.value, false); got != test.norwegian {
			t.Errorf("%v is %s, want %s", test.value, got, test.norwegian)
		}
		if got := cell(test.value, true); got != test.en {
			t.Errorf("%v is %s in English, want %s", test.value, got, test.en)
		}
	}
}
