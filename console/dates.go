package console

import (
	"context"
	"strings"

	"purr/console/locale"
	"purr/models"
	"purr/store"
)

// dayIn reads a day that a person typed, in a form or in a filter: zero if nothing was typed.
func dayIn(field, text string) (models.Date, *models.Error) {
	if text == "" {
		return 0, nil
	}
	d, err := locale.ReadDate(text)
	if err != nil {
		return 0, models.Malformed("invalid_date", field, "must be a date, such as 22.11.2026")
	}
	return d, nil
}

// day returns the day that the URL asks for under a name, and usual without one.
func (rq *request) day(name string, usual models.Date) (models.Date, error) {
	d, wrong := dayIn(name, models.OneLine(rq.query(name)))
	if wrong != nil {
		return 0, wrong
	}
	if d == 0 {
		return usual, nil
	}
	return d, nil
}

// days returns the period that the URL asks for; a day that it does not name is usual's. All that is wrong is told at once.
func (rq *request) days(usual store.Dates) (store.Dates, error) {
	var faults models.Errors
	for _, at := range []struct {
		name string
		day  *models.Date
	}{{"from_date", &usual.From}, {"to_date", &usual.To}} {
		day, wrong := dayIn(at.name, models.OneLine(rq.query(at.name)))
		if wrong != nil {
			faults = append(faults, wrong)
		} else if day != 0 {
			*at.day = day
		}
	}
	return usual, faults.ErrorOrNil()
}

// wrongDay are the codes of what is wrong with a day or a month that a filter was given.
var wrongDay = map[string]bool{"invalid_date": true, "invalid_month": true, "date_in_past": true, "out_of_range": true}

// showFiltered shows a page again that a filter's day was wrong for: without it, with the fault at the field (rule N14). A file is
// refused as a whole.
func (rq *request) showFiltered(ctx context.Context) (reply, error) {
	shown, err := rq.route.get(ctx, rq)
	kind := models.KindOf(err)
	if err == nil || kind != models.KindMalformed && kind != models.KindInvalid || strings.Contains(rq.route.path, ".") {
		return shown, err
	}
	for _, e := range faultsIn(err) {
		field := rq.fieldOf(e)
		if !wrongDay[e.Code] || rq.query(field) == "" {
			return shown, err
		}
		rq.aside = append(rq.aside, field)
	}
	rq.refused = err
	again, failed := rq.route.get(ctx, rq)
	if failed != nil || again.page == "" {
		return shown, err
	}
	again.refuse(err)
	return again, nil
}

// pick makes the field of a day or a month one that Norwegians read: text as they write days, with a picker beside it. In English a
// day's is the browser's own, unless that could not show what was typed (rule N14).
func (in *input) pick(words *locale.Words) {
	if in.Type != "date" && in.Type != "month" {
		return
	}
	kind, day, readable := in.Type, models.Date(0), true
	if in.Value != "" {
		read, err := locale.ReadDate(in.Value)
		if readable = err == nil; readable {
			day = read
		}
	}
	in.Type = "text"
	switch {
	case words.Language != "en":
		in.Pick, in.Autocomplete = kind, "off"
		if day != 0 {
			in.Value = locale.ShortDate(day)
		}
	case kind == "date" && readable:
		in.Type, in.Value = kind, ""
		if day != 0 {
			in.Value = day.String()
		}
	}
}
