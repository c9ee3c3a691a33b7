package rows

import (
	"fmt"
	"testing"

	"purr/models"
	"purr/register"
)

// OtherCreditor returns a creditor each of whose elements differs from that of a new one. It is in no database, and need not be valid.
// It fails the test if it does not know the kind of an element.
func OtherCreditor(t testing.TB) models.Creditor {
	t.Helper()
	c := models.NewCreditor("")
	for n, e := range register.Settings(&c) {
		if !change(e.At, n+1) {
			t.Errorf("%s: there is no other value of a %T", e.Name, e.At)
		}
	}
	return c
}

// change gives an element its nth other value, and reports false if its kind is not known.
func change(at any, n int) bool {
	switch to := at.(type) {
	case *string:
		*to = fmt.Sprint("text ", n)
	case *bool:
		*to = !*to
	case **bool:
		*to = new(true)
	case register.Said:
		*to.Flag, *to.Known = true, true
	case *int:
		*to = 100 + n
	case **int:
		*to = new(n)
	case *int64:
		*to = int64(100 + n)
	case *models.Amount:
		*to = models.Amount(n) * 1_01
	case **models.Amount:
		*to = new(models.Amount(n) * 1_01)
	case **models.Percent:
		*to = new(models.Percent(n) * 1_01)
	case *models.Date:
		*to = Today
	case *models.WarningStep:
		*to = models.WarningFirst
	case *models.Remainder:
		*to = models.RemainderWaive
	case *models.ShipmentMethod:
		*to = models.Auto
	case *models.DayList:
		*to = "-3 5"
	case *models.VATRates:
		*to = models.VATRates{{Name: models.VATLow, Percent: 12_00, FromDate: Today}}
	case *models.AccountPlan:
		*to = models.DefaultAccountPlan()
	default:
		return false
	}
	return true
}
