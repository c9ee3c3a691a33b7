package console

import (
	"context"
	"strconv"

	"purr/console/chart"
	"purr/console/locale"
	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
)

func (s *Server) moneyRoutes() []route {
	return []route{
		{path: "/c/{creditor}/money", area: "money", get: s.moneyPage},
		{path: "/c/{creditor}/money/open", area: "money", get: s.openItemsPage, csv: s.openItemsCSV},
		{path: "/c/{creditor}/money/month", area: "money", get: s.monthPage, csv: s.monthCSV},
		{path: "/c/{creditor}/money/ledger", area: "money", get: s.ledgerPage, csv: s.ledgerCSV},
	}
}

// moneyPage shows what is owed, what came in, what is expected, and what reminders achieve.
type moneyPage struct {
	view
	receivables.Figures
	Overdue  receivables.Part
	Share    string // the part of what is owed that is overdue
	First    receivables.Effect
	Rate     string // of the first notices, the part that was paid
	Aged     []agedRow
	ByAge    chart.Chart
	Weeks    []expectedRow
	ByWeek   chart.Chart
	Past     []moneyRow
	ByPast   chart.Chart
	Achieved []effectRow
}

type agedRow struct {
	Name string
	receivables.Part
}

// expectedRow is what is expected in a week, or before or after the weeks.
type expectedRow struct {
	Name       string
	Due, Usual models.Amount
}

type moneyRow struct {
	Name string
	receivables.Money
}

type effectRow struct {
	Name string
	receivables.Effect
	Rate string
}

// pastWeeks is how many weeks the page looks back on what was invoiced and paid.
const pastWeeks = 13

func (s *Server) moneyPage(ctx context.Context, rq *request) (reply, error) {
	p := &moneyPage{view: rq.view("money.title")}
	today := rq.today()
	err := s.db.View(ctx, func(v store.View) (err error) {
		p.Figures, err = receivables.ReadFigures(ctx, v, rq.creditor.ID, today)
		return err
	})
	if err != nil {
		return reply{}, err
	}
	p.Lead = rq.words.SayHTML("money.lead", "day", today)
	p.Overdue = p.Ages.Overdue()
	p.Share = share(int64(p.Overdue.Amount), int64(p.Ages.Amount))
	p.age()
	p.expect()
	p.lookBack(today)
	p.achieve()
	return show("money", p)
}

// age fills the table and the chart of what is owed by age.
func (p *moneyPage) age() {
	values := make([]int64, len(p.Ages.By))
	labels := make([]string, len(values))
	for age, part := range p.Ages.By {
		name := p.rq.words.Say("money.age." + receivables.Age(age).String())
		p.Aged = append(p.Aged, agedRow{name, part})
		labels[age], values[age] = name, int64(part.Amount)
	}
	name := p.rq.words.Say("money.by_age")
	p.ByAge = chart.New(name, labels, []chart.Series{{Name: name, Values: values}}, kroner)
}

// expect fills the table and the chart of what is expected.
func (p *moneyPage) expect() {
	w := p.rq.words
	row := func(name string, e receivables.Expected) {
		p.Weeks = append(p.Weeks, expectedRow{name, e.Due, e.Usual})
	}
	row(w.Say("money.before"), p.Forecast.Past)
	for _, e := range p.Forecast.Weeks {
		row(w.Week(e.From), e)
	}
	row(w.Say("money.later"), p.Forecast.Later)
	labels := make([]string, len(p.Weeks))
	due, usual := make([]int64, len(p.Weeks)), make([]int64, len(p.Weeks))
	for i, r := range p.Weeks {
		labels[i], due[i], usual[i] = r.Name, int64(r.Due), int64(r.Usual)
	}
	p.ByWeek = chart.New(w.Say("money.expected"), labels, []chart.Series{{Name: w.Say("money.as_usual"), Values: usual}, {Name: w.Say("money.by_due_date"), Values: due}}, kroner)
}

// lookBack fills the table and the chart of what was invoiced and paid, week by week.
func (p *moneyPage) lookBack(today models.Date) {
	w := p.rq.words
	monday := today - models.Date((today.Weekday()+6)%7)
	labels := make([]string, pastWeeks)
	invoiced, paid := make([]int64, pastWeeks), make([]int64, pastWeeks)
	for i := range pastWeeks {
		from := monday - models.Date(7*(pastWeeks-1-i))
		r := moneyRow{w.Week(from), receivables.MoneyOf(p.Days, from, from+6)}
		p.Past = append(p.Past, r)
		labels[i], invoiced[i], paid[i] = r.Name, max(int64(r.Invoiced), 0), max(int64(r.Paid), 0)
	}
	p.ByPast = chart.New(w.Say("money.past"), labels, []chart.Series{{Name: w.Say("money.invoiced"), Values: invoiced}, {Name: w.Say("money.paid"), Values: paid}}, kroner)
}

// achieve fills the table of what notices achieve.
func (p *moneyPage) achieve() {
	for i, e := range p.Effects {
		r := effectRow{p.rq.words.Say("money.sequence", "n", e.Sequence), e, share(int64(e.Paid), int64(e.Notices))}
		if i == 0 && e.Sequence == 1 {
			p.First, p.Rate = e, r.Rate
		}
		p.Achieved = append(p.Achieved, r)
	}
}

// kroner writes øre as whole kroner, for the scale of a chart.
func kroner(ore int64) string { return locale.Number(strconv.FormatInt(ore/100, 10)) }

// share writes a part of a whole in percent, rounded to the nearest whole one; nothing if there is no whole.
func share(part, whole int64) string {
	if whole <= 0 {
		return ""
	}
	return locale.Number(strconv.FormatInt(int64(models.MulDiv(models.Amount(part), 100, whole)), 10)) + "\u00A0%"
}
