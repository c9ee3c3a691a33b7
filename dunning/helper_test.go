package dunning_test

import (
	"fmt"

	"purr/models"
	"purr/test/testkit/values"
)

var (
	day, kroner                      = values.Day, values.Kroner
	invoiced, paid, repaid, credited = values.Invoiced, values.Paid, values.Repaid, values.Credited
	byOCR, fee, interest             = values.ByOCR, values.Fee, values.Interest
	dateIn, anyEntries               = values.DateIn, values.AnyEntries
	rules2026                        = values.Rules2026
)

// codes returns the codes of a refusal, in order.
func codes(err error) string {
	switch e := err.(type) { //nolint:errorlint // the function returns one of the two, unwrapped
	case nil:
		return ""
	case *models.Error:
		return e.Code
	case models.Errors:
		all := make([]string, len(e))
		for i, one := range e {
			all[i] = one.Code
		}
		return fmt.Sprint(all)
	}
	return err.Error()
}
