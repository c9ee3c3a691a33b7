package dunning

import (
	"context"

	"purr/models"
	"purr/store"
)

// MaxForecastDays is the longest period of a forecast, in days.
const MaxForecastDays = 366

// Totals are the totals of some steps. Amounts are in øre.
type Totals struct {
	Reminders  int           `json:"reminders"`
	Warnings   int           `json:"warnings"` // debt-collection warnings
	HandOvers  int           `json:"hand_overs"`
	Emails     int           `json:"by_email"`                 // of the reminders, those that go by e-mail (rule L22)
	Shared     int           `json:"share_a_letter,omitempty"` // of the notices, those that ride in the letter of another: so many letters fewer leave (rule L23)
	Closed     int           `json:"closed,omitempty"`         // invoices that are closed for a small remainder: no steps (rule L25)
	WrittenOff models.Amount `json:"written_off,omitempty"`    // the principal that is left on these
	Friendly   int           `json:"friendly_reminders"`       // e-mails that are no notices (rule L14)
	Fees       models.Amount `json:"fees"`
	Interest   models.Amount `json:"interest"`
	HandedOver models.Amount `json:"handed_over"` // what is owed on the invoices that are handed over
}

// Notices returns the number of reminders and warnings.
func (t Totals) Notices() int { return t.Reminders + t.Warnings }

// Letters returns the number of letters by which the notices go.
func (t Totals) Letters() int { return t.Notices() - t.Shared }

// Steps returns the number of notices and hand-overs.
func (t Totals) Steps() int { return t.Notices() + t.HandOvers }

// Add adds a step. A step whose action is Nothing adds nothing.
func (t *Totals) Add(s Step) {
	if s.Rides {
		t.Shared++
	}
	switch s.Action {
	case Remind:
		t.Reminders++
		if s.Method == models.ByEmail {
			t.Emails++
		}
	case Befriend:
		t.Friendly++
	case Warn:
		t.Warnings++
	case HandOver:
		t.HandOvers++
		t.HandedOver += s.Invoice.Claimed()
	case Close:
		t.Closed++
		t.WrittenOff += s.Left
	case Waive, Nothing:
	}
	t.Fees += s.Notice.Fee
	t.Interest += s.Notice.Interest
}

// Forecast is what the runs of some days will do under a policy if nothing more is paid.
type Forecast struct {
	Policy models.Policy // the creditor's; a customer's own elements replace its elements (rule E6e)
	Days   []ForecastDay // every day, beginning with the next run's
}

// ForecastDay is what one day's run will do.
type ForecastDay struct {
	Date models.Date `json:"date"`
	Totals
}

// Total returns the totals of all days.
func (f Forecast) Total() (total Totals) {
	for _, d := range f.Days {
		total.Reminders += d.Reminders
		total.Warnings += d.Warnings
		total.HandOvers += d.HandOvers
		total.Emails += d.Emails
		total.Shared += d.Shared
		total.Friendly += d.Friendly
		total.Closed += d.Closed
		total.WrittenOff += d.WrittenOff
		total.Fees += d.Fees
		total.Interest += d.Interest
		total.HandedOver += d.HandedOver
	}
	return total
}

// Forecast returns one forecast under the creditor's policy, and one under each other policy. The first day is
// that of the next run. Forecast reads the invoices as they are at one moment, and writes nothing.
func (s *Snapshot) Forecast(ctx context.Context, days int, others ...models.Policy) ([]Forecast, error) {
	f := forecaster{first: s.nextRun, last: s.nextRun + models.Date(days) - 1}
	f.add(s)
	for _, policy := range others {
		other := *s
		other.creditor.Policy = policy
		f.add(&other)
	}
	err := s.db.View(ctx, func(v store.View) error {
		return s.eachOverdue(ctx, v, f.farAhead(), func(page []models.Invoice) error { return f.simulate(ctx, v, page) })
	})
	if err != nil {
		return nil, err
	}
	return f.forecasts, nil
}

// forecaster makes several forecasts of the same days, one for each snapshot.
type forecaster struct {
	snapshots   []*Snapshot
	forecasts   []Forecast
	shares      []sharer
	first, last models.Date
}

// add adds an empty forecast for a snapshot.
func (f *forecaster) add(s *Snapshot) {
	days := make([]ForecastDay, f.last-f.first+1)
	for i := range days {
		days[i].Date = f.first + models.Date(i)
	}
	f.shares = append(f.shares, sharer{})
	f.snapshots, f.forecasts = append(f.snapshots, s), append(f.forecasts, Forecast{Policy: s.creditor.Policy, Days: days})
}

// simulate adds the steps of some invoices to the forecasts.
func (f *forecaster) simulate(ctx context.Context, v store.View, invoices []models.Invoice) error {
	sims, err := simulations(ctx, v, invoices, f.last, f.snapshots...)
	if err != nil {
		return err
	}
	return inFull(ctx, v, sims, func(i int) {
		days := f.forecasts[i%len(f.snapshots)].Days
		sims[i].runDays(f.last, func(step Step) {
			f.shares[i%len(f.snapshots)].take(&step)
			days[step.On-f.first].Add(step)
		})
	})
}
