package models_test

import (
	"errors"
	"strings"
	"testing"

	"purr/models"
)

// day reads a date of a test's table, and an empty text as the zero Date.
func day(s string) models.Date {
	var d models.Date
	if err := d.UnmarshalText([]byte(s)); err != nil {
		panic(err)
	}
	return d
}

// places returns the faults of an error, as "field code" for each in order, joined by "; ".
func places(t testing.TB, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var faults models.Errors
	if !errors.As(err, &faults) {
		t.Fatalf("%v is a %T, not models.Errors", err, err)
	}
	var all []string
	for _, f := range faults {
		if f.Kind != models.KindInvalid {
			t.Errorf("%v is of kind %d", f, f.Kind)
		}
		all = append(all, f.Place.String()+" "+f.Code)
	}
	return strings.Join(all, "; ")
}
