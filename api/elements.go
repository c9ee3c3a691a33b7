package api

import (
	"purr/api/form"
	"purr/models"
	"purr/register"
)

// readElements changes the elements that the request holds, each as its kind is written. An empty one clears a text, and what may be
// none.
func readElements(e *form.Element, elements []register.Element) {
	for _, el := range elements {
		switch to := el.At.(type) {
		case *string:
			form.Set(to)(e.Line(el.Name))
		case *bool:
			form.Set(to)(e.Flag(el.Name))
		case **bool:
			form.Clearable(e, el.Name, el.None, to, e.Flag)
		case *int:
			form.Set(to)(e.Integer(el.Name))
		case **int:
			form.Clearable(e, el.Name, el.None, to, e.Integer)
		case *int64:
			form.Set(to)(e.Number(el.Name))
		case *models.Amount:
			form.Set(to)(e.Amount(el.Name))
		case **models.Amount:
			form.Clearable(e, el.Name, el.None, to, e.Amount)
		case **models.Percent:
			form.Clearable(e, el.Name, el.None, to, e.Percent)
		case *models.Date:
			readDay(e, el.Name, to)
		case *models.WarningStep:
			form.Set(to)(warningStep(e)(el.Name))
		case *models.Remainder:
			form.Set(to)(remainder(e)(el.Name))
		case *models.ShipmentMethod:
			form.Set(to)(reminderMethod(e)(el.Name))
		case *models.DayList:
			form.Set(to)(dayList(e)(el.Name))
		case register.Said:
			readSaid(e, el.Name, to)
		}
	}
}

// readDay changes a day. An empty one is none.
func readDay(e *form.Element, name string, to *models.Date) {
	day := to
	if form.Clearable(e, name, "", &day, e.Date); day == nil {
		day = new(models.Date)
	}
	*to = *day
}
