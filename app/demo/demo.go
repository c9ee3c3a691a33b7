// Package demo lets ten simulated weeks of a small creditor pass and tells what happens (rule R7). It is a client of the
// HTTP API like any other: it knows nothing of the program's inside, and it tells only what the API answers.
//
// The plan says who buys what and which acts happen on which day. Run moves the test clock from day to day, does the
// acts, and tells the events that the API has logged since.
package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"purr/models"
	"purr/models/calendar"
)

// Options say where the demo finds the API and where it writes.
type Options struct {
	BaseURL string    // of the API, without /api/v1; it must run on a test clock and have no invoices yet
	Key     string    // an API key of scope admin
	Out     io.Writer // each day is written here as soon as it is over
	Color   bool      // whether Out is a terminal that shows colours
	Data    string    // the installation's folder, to count the files in its outbox; empty if it is elsewhere

	transport http.RoundTripper // of the requests; nil is the default
}

// demo is one run through the ten weeks.
type demo struct {
	api  client
	out  *teller
	data string
	plan plan

	monday     models.Date // the first day
	today      models.Date
	invoices   []invoice // in the order of the plan
	creditNote link

	files    int    // that the bank has delivered
	lastFile []byte // the latest of them
	written  sum    // all payments in them

	claimFiles int64 // the number of the last file of claims that the bank has answered

	lastEvent   int64 // that was told
	bankEntries int   // OCR entries that were told
}

// invoice is an invoice that the demo has issued.
type invoice struct {
	link
	payer *customer
}

// Run lets the ten weeks pass, tells them, and proves at the end that the books add up. It fails where the API refuses
// something or a proof fails. What it tells depends only on where the test clock stood.
func Run(ctx context.Context, opt Options) error {
	d := &demo{
		api:  client{base: opt.BaseURL + "/api/v1", key: opt.Key, http: http.Client{Transport: opt.transport}},
		out:  &teller{w: opt.Out, color: opt.Color, width: 100},
		data: opt.Data,
	}
	for _, part := range []func(context.Context) error{d.prepare, d.setUp, d.letWeeksPass, d.closeBooks} {
		if err := part(ctx); err != nil {
			return errors.Join(fmt.Errorf("the demo: %w", err), d.out.err)
		}
	}
	return d.out.err
}

// The times of a day, in UTC, at which the clock stops.
const (
	morning = 7 * time.Hour  // the jobs of the night and the morning are done, and people come to work
	evening = 15 * time.Hour // what they did has been sent
)

// prepare reads the plan and finds the first Monday morning that has not passed yet.
func (d *demo) prepare(ctx context.Context) error {
	plan, err := readPlan()
	if err != nil {
		return err
	}
	d.plan = plan
	var clock struct {
		Now time.Time `xml:"now"`
	}
	if err := d.api.get(ctx, "/test_clock", &clock); err != nil {
		return err
	}
	d.monday = models.DateOf(clock.Now.UTC())
	for d.monday.Weekday() != time.Monday || d.monday.Time().Add(morning).Before(clock.Now) {
		d.monday++
	}
	return nil
}

// setUp makes the API's creditor the one of the plan and creates the customers.
func (d *demo) setUp(ctx context.Context) error {
	d.out.title("Ten weeks of a small creditor, %s to %s, on a simulated clock", longDay(d.monday), longDay(d.monday+7*weeks))
	d.introduce(models.EventCreditorChanged)
	us := d.plan.Creditor
	if err := d.api.send(ctx, http.MethodPut, "/creditor", xmlf(`<creditor>%s</creditor>`, us.Elements), nil); err != nil {
		return err
	}
	d.out.line("%s, organisation number %s, bank account %s", us.Name, us.Number, us.Account)
	d.introduce(models.EventCustomerCreated)
	for i := range d.plan.Customers {
		c := &d.plan.Customers[i]
		if err := d.api.send(ctx, http.MethodPost, "/customers", xmlf(`<customer>%s</customer>`, c.Elements), &c.link); err != nil {
			return err
		}
		kind := "private"
		if c.Number != "" {
			kind = "business"
		}
		d.out.line("%-22s%-11s%-17s%s", c.Name, kind, c.PostalCode+" "+c.PostalName, cmp.Or(c.Email, "on paper"))
	}
	return nil
}

// letWeeksPass lets day after day pass, with the acts of each.
func (d *demo) letWeeksPass(ctx context.Context) error {
	byDate := make(map[models.Date][]act)
	for _, a := range d.plan.Acts.List {
		date := calendar.NextBankDay(d.monday + models.Date(a.Day))
		byDate[date] = append(byDate[date], a)
	}
	end := d.monday + 7*weeks
	for d.today = d.monday; d.today < end; d.today++ {
		if err := d.letDayPass(ctx, byDate[d.today]); err != nil {
			return fmt.Errorf("%s: %w", longDay(d.today), err)
		}
	}
	return d.letDayPass(ctx, nil)
}

// letDayPass lets the night pass. If there are acts, it does them and lets the day pass as well.
func (d *demo) letDayPass(ctx context.Context, acts []act) error {
	d.out.startDay(d.today)
	if err := d.wait(ctx, morning); err != nil || len(acts) == 0 {
		return err
	}
	for _, a := range acts {
		if err := d.do(ctx, a); err != nil {
			return err
		}
	}
	if err := d.wait(ctx, evening); err != nil {
		return err
	}
	return d.answerClaims()
}

// wait moves the clock to a time of today, and tells what the program has done until then.
func (d *demo) wait(ctx context.Context, until time.Duration) error {
	body := xmlf(`<test_clock><now>%s</now></test_clock>`, d.today.Time().Add(until).Format(time.RFC3339))
	if err := d.api.send(ctx, http.MethodPost, "/test_clock", body, nil); err != nil {
		return err
	}
	return d.tellEvents(ctx)
}
