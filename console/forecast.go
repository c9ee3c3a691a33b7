package console

import (
	"context"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"purr/console/chart"
	"purr/console/locale"
	"purr/dunning"
	"purr/models"
)

// forecastDays are the periods that the page offers; the URL may ask for any other, up to dunning.MaxForecastDays.
var forecastDays = []int{30, 90, 180, 366}

// forecastPage shows the coming letters under the policy in force, and under presets beside it.
type forecastPage struct {
	view
	Days    int
	Periods []int
	AsOf    time.Time
	Presets []forecastChoice
	Names   []string // of the policies, in the reader's language
	Use     []string // of each policy, its preset; empty for the one in force
	Totals  []forecastRow
	Chart   chart.Chart
	Weeks   []forecastRow
}

// forecastChoice is a preset that can be shown beside the policy in force.
type forecastChoice struct {
	Name  models.Preset
	Shown bool
}

// forecastRow is a row of a table with a cell for each policy.
type forecastRow struct {
	Name  string
	Cells []string
}

func (s *Server) forecastPage(ctx context.Context, rq *request) (reply, error) {
	days, with, err := rq.forecastAsked()
	if err != nil {
		return reply{}, err
	}
	p := &forecastPage{view: rq.view("forecast.title"), Days: days, Periods: forecastDays}
	p.Names, p.Use = []string{rq.words.Say("forecast.now")}, []string{""}
	for _, n := range models.Presets {
		p.Presets = append(p.Presets, forecastChoice{n, slices.Contains(with, n)})
	}
	for _, n := range with {
		p.Names, p.Use = append(p.Names, rq.words.Say("preset."+string(n))), append(p.Use, string(n))
	}
	found, err := counted(ctx, &p.view, func(ctx context.Context) (found []dunning.Forecast, err error) {
		found, p.AsOf, err = s.cfg.Outlook.Forecast(ctx, rq.creditor, days, with...)
		return found, err
	})
	if err != nil {
		return reply{}, err
	}
	if p.Counting {
		return show("forecast", p)
	}
	p.fillTotals(rq.words, found)
	p.fillWeeks(rq.words, found)
	p.Lead = rq.words.SayHTML("forecast.lead", "n", days, "first", found[0].Days[0].Date)
	return show("forecast", p)
}

// forecastAsked reads the period and the presets of the URL: with=gentle&with=firm, or with=gentle,firm.
func (rq *request) forecastAsked() (days int, with []models.Preset, err error) {
	days = 90
	if asked := rq.query("days"); asked != "" {
		if days, err = strconv.Atoi(asked); err != nil || days < 1 || days > dunning.MaxForecastDays {
			return 0, nil, models.Malformed("out_of_range", "days", "must be from 1 to %d", dunning.MaxForecastDays)
		}
	}
	for _, asked := range rq.r.URL.Query()["with"] {
		for name := range strings.SplitSeq(asked, ",") {
			n := models.Preset(name)
			if name == "" || slices.Contains(with, n) {
				continue
			}
			if !slices.Contains(models.Presets, n) {
				return 0, nil, models.Malformed("invalid_value", "with", "must be gentle, recommended or firm")
			}
			with = append(with, n)
		}
	}
	return days, with, nil
}

// fillTotals adds up what each policy does.
func (p *forecastPage) fillTotals(w *locale.Words, found []dunning.Forecast) {
	row := func(name string, cell func(dunning.Totals) string) {
		r := forecastRow{Name: w.Say(name)}
		for _, f := range found {
			r.Cells = append(r.Cells, cell(f.Total()))
		}
		p.Totals = append(p.Totals, r)
	}
	count := func(n int) string { return locale.Number(strconv.Itoa(n)) }
	row("dunning.reminders", func(t dunning.Totals) string { return count(t.Reminders) })
	row("dunning.by_email", func(t dunning.Totals) string { return count(t.Emails) })
	row("dunning.friendly", func(t dunning.Totals) string { return count(t.Friendly) })
	row("dunning.warnings", func(t dunning.Totals) string { return count(t.Warnings) })
	row("dunning.hand_overs", func(t dunning.Totals) string { return count(t.HandOvers) })
	if slices.ContainsFunc(found, func(f dunning.Forecast) bool { return f.Total().Closed > 0 }) {
		row("dunning.closed", func(t dunning.Totals) string { return count(t.Closed) })
		row("dunning.written_off", func(t dunning.Totals) string { return locale.Amount(t.WrittenOff) })
	}
	row("dunning.fees", func(t dunning.Totals) string { return locale.Amount(t.Fees) })
	row("dunning.interest", func(t dunning.Totals) string { return locale.Amount(t.Interest) })
}

// fillWeeks counts the notices of each week, in a table and in the chart.
func (p *forecastPage) fillWeeks(w *locale.Words, found []dunning.Forecast) {
	days := found[0].Days
	weeks, of := w.Weeks(days[0].Date, days[len(days)-1].Date)
	all := make([]chart.Series, len(found))
	for n, f := range found {
		all[n] = chart.Series{Name: p.Names[n], Values: make([]int64, len(weeks))}
		for _, day := range f.Days {
			all[n].Values[of(day.Date)] += int64(day.Notices())
		}
	}
	for i, week := range weeks {
		r := forecastRow{Name: week}
		for _, s := range all {
			r.Cells = append(r.Cells, locale.Number(strconv.FormatInt(s.Values[i], 10)))
		}
		p.Weeks = append(p.Weeks, r)
	}
	name := w.Say("forecast.chart."+strconv.Itoa(len(found)), "policies", strings.Join(p.Names, ", "))
	p.Chart = chart.New(name, weeks, all, func(v int64) string { return locale.Number(strconv.FormatInt(v, 10)) })
}

// Until returns the moment of the figures, in the creditor's time.
func (p *forecastPage) Until() template.HTML { return locale.Moment(p.AsOf, p.rq.zone) }

// Usual reports whether the period is one of those that the page offers.
func (p *forecastPage) Usual() bool { return slices.Contains(p.Periods, p.Days) }
