package rows

import (
	"errors"
	"strings"

	"purr/models"
)

// Day reads a date of a test's table. It panics if s is not a date.
func Day(s string) models.Date {
	d, err := models.ParseDate(s)
	if err != nil {
		panic(err)
	}
	return d
}

// Faults describes the faults of an error, as "field code" or "code" for each in order, joined by "; ". It returns ""
// for no error. For an error without faults it returns the error's text.
func Faults(err error) string {
	var faults models.Errors
	var fault *models.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &faults):
	case errors.As(err, &fault):
		faults = models.Errors{fault}
	default:
		return err.Error()
	}
	all := make([]string, len(faults))
	for i, f := range faults {
		all[i] = strings.TrimSpace(f.Place.String() + " " + f.Code)
	}
	return strings.Join(all, "; ")
}
