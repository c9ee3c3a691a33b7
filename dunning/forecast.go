package dunning

import (
	"context"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
)

// MaxForecastDays is how far ahead dunning is foreseen.
const MaxForecastDays = 366

// Forecast is what the runs of some days will do under a policy if nothing more is paid.
type Forecast struct {
	Policy models.Policy // the creditor's; what a customer has of its own goes before it (rule E6e)
	Days   []ForecastDay // without a gap, from the day of the next run on
}

// ForecastDay is what a day's run does.
type ForecastDay struct {
	Date models.Date `json:"date"`
	Sums
}

// Total returns the sums of all days.
func (f Forecast) Total() (total Sums) {
	for _, d := range f.Days {
		total.Reminders += d.Reminders
		total.Warnings += d.Warnings
		total.HandOvers += d.HandOvers
		total.Fees += d.Fees
		total.Interest += d.Interest
		total.HandedOver += d.HandedOver
	}
	return total
}

// Forecast foresees some days, of which the first is that of the next run, under the creditor's policy and under
// others in its place, and returns one for each. It reads the invoices as they stand at one moment, and writes nothing.
func (o *Outlook) Forecast(ctx context.Context, days int, others ...models.Policy) ([]Forecast, error) {
	first, err := o.firstRun(ctx)
	if err != nil {
		return nil, err
	}
	f := foresight{outlooks: []*Outlook{o}, first: first, last: first + models.Date(days) - 1}
	for _, policy := range others {
		other := *o
		other.creditor.Policy = policy
		f.outlooks = append(f.outlooks, &other)
	}
	for _, other := range f.outlooks {
		f.forecasts = append(f.forecasts, newForecast(other.creditor.Policy, f.first, f.last))
	}
	err = o.db.View(ctx, func(v store.View) error {
		return o.eachOverdue(ctx, v, f.last, func(page []models.Invoice) error { return f.add(ctx, v, page) })
	})
	return f.forecasts, err
}

func newForecast(policy models.Policy, first, last models.Date) Forecast {
	f := Forecast{Policy: policy, Days: make([]ForecastDay, last-first+1)}
	for i := range f.Days {
		f.Days[i].Date = first + models.Date(i)
	}
	return f
}

// foresight is several forecasts of the same days, one for each outlook, while they are made.
type foresight struct {
	outlooks    []*Outlook
	forecasts   []Forecast
	first, last models.Date
}

// add adds what will be done to some invoices.
func (f *foresight) add(ctx context.Context, v store.View, invoices []models.Invoice) error {
	courses, err := f.outlooks[0].courses(ctx, v, invoices)
	if err != nil {
		return err
	}
	noticed := map[int]bool{}
	f.follow(courses, func(place, _ int, s Step) {
		if s.notices() > 0 {
			noticed[place] = true
		}
	})
	if err := f.outlooks[0].addAccounts(ctx, v, courses, slices.Collect(maps.Keys(noticed))); err != nil {
		return err
	}
	f.follow(courses, func(_, n int, s Step) { f.forecasts[n].Days[s.On-f.first].Add(s) })
	return nil
}

// follow calls did with each step on each of the courses under each of the outlooks, and the places of both.
func (f *foresight) follow(courses []course, did func(place, outlook int, s Step)) {
	for n, o := range f.outlooks {
		for place, c := range courses {
			c.Outlook = o
			c.follow(f.first, f.last, func(s Step) { did(place, n, s) })
		}
	}
}
