package console

import (
	"context"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"purr/console/locale"
	"purr/console/outlook"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

func (s *Server) dunningRoutes() []route {
	return []route{
		{path: "/c/{creditor}/dunning", area: "dunning", get: s.dunningPage, csv: s.planCSV},
		{path: "/c/{creditor}/dunning/approve", area: "dunning", post: s.approveRun, again: s.dunningPage, scope: models.ScopeAdmin},
		{path: "/c/{creditor}/dunning/forecast", area: "dunning", get: s.forecastPage},
		{path: "/c/{creditor}/dunning/runs", area: "dunning", get: s.runsPage, csv: s.runsCSV},
		{path: "/c/{creditor}/dunning/runs/{run}", area: "dunning", get: s.runPage},
	}
}

// dunningPage is the plan of a day: what its run does to each overdue invoice, or why it leaves the invoice alone.
type dunningPage struct {
	view
	Date    models.Date
	Today   bool
	Run     models.Run   // today's; without ID if it has not begun
	Done    bool         // today's run is made: its plan has no steps
	Plan    outlook.Plan // empty while it is being counted
	Shown   string       // the reason whose invoices are listed; empty for those with a step
	Tabs    []planTab
	Lines   []dunning.Line
	Listed  int           // how many lines the list has, on all its pages
	Sum     models.Amount // what is owed on them
	Missing []string
	Warned  []string
	Pager   pager
}

// planTab leads to the invoices with a step, or to those of one reason.
type planTab struct {
	Reason string
	Count  int
}

// Waits reports whether today's run waits for approval.
func (p *dunningPage) Waits() bool { return p.Today && p.Run.State == models.RunWaiting }

func (s *Server) dunningPage(ctx context.Context, rq *request) (reply, error) {
	p := &dunningPage{view: rq.view("dunning.title"), Shown: rq.query("show")}
	var err error
	if p.Date, err = rq.planDay(); err != nil {
		return reply{}, err
	}
	if p.Today = p.Date == rq.today(); !rq.isGet() || !p.Message.empty() {
		s.cfg.Outlook.Forget(rq.creditor.ID) // something was done: show what follows from it
	}
	if p.Plan, err = s.plan(ctx, rq, &p.view, p.Date); err != nil {
		return reply{}, err
	}
	if p.Run, _, err = s.db.RunOf(ctx, rq.creditor.ID, models.RunDunning, rq.today()); err != nil {
		return reply{}, err
	}
	p.Done, p.Missing = p.Today && p.Plan.RunDone, rq.creditor.MissingToDun()
	for _, w := range p.Plan.Outdated {
		p.Warned = append(p.Warned, w.Text)
	}
	p.Tabs = planTabs(p.Plan.Sums)
	lines := p.Plan.Lines[dunning.Reason(p.Shown)]
	for _, line := range lines {
		p.Sum += line.Owed
	}
	p.Listed = len(lines)
	p.Lines, p.Pager = pageOf(&p.view, lines)
	p.Lead = rq.words.SayHTML("dunning.lead", "date", rq.words.WeekdayTime(p.Date))
	return show("dunning", p)
}

// plan returns the plan of a day for a page, which notes it if the plan is still being counted.
func (s *Server) plan(ctx context.Context, rq *request, v *view, day models.Date) (outlook.Plan, error) {
	return counted(ctx, v, func(ctx context.Context) (outlook.Plan, error) { return s.cfg.Outlook.Plan(ctx, rq.creditor, day) })
}

// planDay returns the day whose plan the URL asks for: today unless it says otherwise.
func (rq *request) planDay() (models.Date, error) {
	day, err := rq.day("date", rq.today())
	if err != nil {
		return 0, err
	}
	return day, dunning.CanPlan(day, rq.today())
}

// planTabs returns the tabs of a plan: the steps first, then the reasons by how many invoices they have.
func planTabs(sums dunning.Sums) []planTab {
	tabs := []planTab{{"", len(sums.Lines[""])}}
	for reason, lines := range sums.Lines {
		if reason != "" {
			tabs = append(tabs, planTab{string(reason), len(lines)})
		}
	}
	slices.SortFunc(tabs[1:], func(a, b planTab) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Reason, b.Reason)
	})
	return tabs
}

// pageOf returns the part of a list that the URL's page asks for. A page after the last one is the last one.
func pageOf[T any](v *view, all []T) ([]T, pager) {
	n, err := strconv.Atoi(v.Asked("page"))
	last := max(0, (len(all)-1)/perPage)
	if err != nil {
		n = 1
	}
	n = min(max(n-1, 0), last)
	var p pager
	if n > 0 {
		p.Previous = v.With("page", strconv.Itoa(n))
	}
	if n < last {
		p.Next = v.With("page", strconv.Itoa(n+2))
	}
	return all[min(n*perPage, len(all)):min((n+1)*perPage, len(all))], p
}

// approveRun approves today's run, which waits, if the reader has typed the number of steps that the page showed and the run
// would still take as many.
func (s *Server) approveRun(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	typed, seen, id := f.number("steps"), f.number("seen"), f.number("run")
	if err := f.done(); err != nil {
		return reply{}, err
	}
	if typed != seen {
		return reply{}, models.Invalid("other_number", "steps", "type %d, the number of letters above", seen)
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		steps := int(typed)
		_, err := dunning.ApproveRun(ctx, tx, s.cfg.Runs.Rules, rq.creditor, dunning.Approval{RunID: id, Steps: &steps, Actor: rq.actor()})
		return done{to: rq.base + "/dunning", message: rq.said("dunning.approved", "n", typed)}, err
	})
}

// Sections returns the tabs of the dunning pages.
func (v *view) Sections(present string) []link {
	return v.tabs(present, tab{"plan", "dunning", "dunning.plan"}, tab{"forecast", "dunning/forecast", "forecast.title"}, tab{"runs", "dunning/runs", "runs.title"})
}

// Typed returns the field that takes the number of steps.
func (p *dunningPage) Typed() input {
	in := p.Input("steps", "dunning.type", "", "inputmode=numeric", "autocomplete=off", "key=a")
	in.Label = p.rq.words.Say("dunning.type", "n", p.Plan.Steps())
	return in
}

// At returns the moment as of which the figures are.
func (p *dunningPage) At() template.HTML { return locale.Moment(p.Plan.AsOf, p.rq.zone) }

// Finished returns when today's run ended.
func (p *dunningPage) Finished() template.HTML {
	if p.Run.FinishedAt == nil {
		return ""
	}
	return locale.Moment(*p.Run.FinishedAt, p.rq.zone)
}

// ReasonTab returns the name of a tab.
func (p *dunningPage) ReasonTab(reason string) string {
	if reason == "" {
		return p.rq.words.Say("dunning.steps")
	}
	return p.rq.words.Say("dunning.reason." + reason)
}

// StepName returns the name of a step, or of the reason for none.
func (p *dunningPage) StepName(step dunning.Line) string {
	if step.Reason != "" {
		return p.rq.words.Say("dunning.reason." + string(step.Reason))
	}
	name := p.rq.words.Say("dunning.step." + string(step.Action))
	if step.Method == models.ByEmail {
		name += ", " + p.rq.words.Say("send.email")
	}
	return name
}

// FromFirst returns a path and query without the page.
func (p *dunningPage) FromFirst(path string) string {
	at, query, _ := strings.Cut(path, "?")
	q, err := url.ParseQuery(query)
	if err != nil {
		return path
	}
	q.Del("page")
	if len(q) == 0 {
		return at
	}
	return at + "?" + q.Encode()
}
