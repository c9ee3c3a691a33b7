package demo

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"purr/models"
)

// The hours at which the clock stops on a day.
const (
	morning = 8  // the night's and the morning's jobs are done, and people come to work
	evening = 16 // what they did has been sent
)

// findMonday finds the first Monday morning that has not passed yet.
func (d *demo) findMonday(ctx context.Context) error {
	var err error
	if d.zone, err = time.LoadLocation("Europe/Oslo"); err != nil {
		return err
	}
	var clock clockForm
	if err := d.api.get(ctx, "/test_clock", &clock); err != nil {
		return err
	}
	d.monday = models.DateOf(clock.Now.In(d.zone))
	for d.monday.Weekday() != time.Monday || d.at(d.monday, morning).Before(clock.Now) {
		d.monday++
	}
	return nil
}

// at returns an hour of a day.
func (d *demo) at(day models.Date, hour int) time.Time {
	y, m, dd := day.Time().Date()
	return time.Date(y, m, dd, hour, 0, 0, 0, d.zone)
}

// letWeeksPass lets day after day pass, with what is done on it.
func (d *demo) letWeeksPass(ctx context.Context) error {
	acts := d.acts()
	for d.today = d.monday; ; d.today++ {
		d.out.startDay(d.today)
		if err := d.wait(ctx, morning); err != nil {
			return err
		}
		if d.today == d.monday+7*weeks {
			return nil
		}
		for _, a := range acts[d.today] {
			if err := a.do(ctx, d); err != nil {
				return fmt.Errorf("%s: %w", longDay(d.today), err)
			}
		}
		if len(acts[d.today]) == 0 {
			continue
		}
		if err := d.wait(ctx, evening); err != nil {
			return err
		}
	}
}

// wait lets the hour of today come, with all that the program does until then, and tells of it.
func (d *demo) wait(ctx context.Context, hour int) error {
	form := clockForm{Now: d.at(d.today, hour)}
	if err := d.api.send(ctx, http.MethodPost, "/test_clock", form, nil); err != nil {
		return err
	}
	return d.tellEvents(ctx)
}
