// Package demo lets ten simulated weeks of a small creditor pass and tells what happens (rule R7). It is
// a client of the HTTP API like any other: it knows nothing of the program's inside, and what it tells it
// has read from the API.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"purr/models"
)

// Options say where the demo finds the API and where it tells.
type Options struct {
	BaseURL string    // of the API, without /api/v1; it must run on a test clock and have no invoices yet
	Key     string    // an API key of scope admin
	Out     io.Writer // what is told goes here, a day as soon as it is over
	Color   bool      // whether Out is a terminal that shows colours
	Width   int       // of a line, in characters; 100 where it is zero
	Data    string    // the installation's folder, for what lies in its outbox; empty where it is elsewhere

	transport http.RoundTripper // of the requests; nil is the default
}

// demo is one run through the ten weeks.
type demo struct {
	api  client
	out  *teller
	data string

	monday     models.Date // the first day
	today      models.Date
	zone       *time.Location
	customers  []link     // in the order of the plan
	invoices   []document // in the order of the plan, as they were issued
	creditNote document
	files      [][]byte // the bank's files, as they were delivered
	written    sum      // what the demo has written into them

	lastEvent   int64
	bankEntries int // OCR entries that have been told of
	begun       map[string]bool
}

// Run lets the ten weeks pass, tells them, and proves at the end that the books add up. It fails where
// the API refuses something, and where a proof fails. What it tells depends only on where the test clock
// stood.
func Run(ctx context.Context, opt Options) error {
	if opt.Width == 0 {
		opt.Width = 100
	}
	d := &demo{
		api:  client{base: opt.BaseURL + "/api/v1", key: opt.Key, http: http.Client{Transport: opt.transport}},
		out:  &teller{w: opt.Out, color: opt.Color, width: opt.Width},
		data: opt.Data, begun: map[string]bool{},
	}
	for _, part := range []func(context.Context) error{d.findMonday, d.setUpCreditor, d.createCustomers, d.letWeeksPass, d.close} {
		if err := part(ctx); err != nil {
			return errors.Join(fmt.Errorf("the demo: %w", err), d.out.err)
		}
	}
	return d.out.err
}

// setUpCreditor makes the API's creditor the one of the plan, and lets it dun.
func (d *demo) setUpCreditor(ctx context.Context) error {
	d.out.title("Ten weeks of a small creditor, %s to %s, on a simulated clock", longDay(d.monday), longDay(d.monday+7*weeks))
	d.out.chapter("The creditor. Overdue invoices are dunned by the program: a reminder %d days after the due date, a debt-collection "+
		"warning %d days after the reminder's, with the highest fee that the law allows and interest at the legal rate. "+
		"Less than %s is left alone. Dunning does not wait for bank files (require_payment_file 0): only two will come.",
		policy.FirstNoticeDays, policy.SecondNoticeDays, policy.MinimumBalance)
	if err := d.api.send(ctx, http.MethodPut, "/creditor", creditor, nil); err != nil {
		return err
	}
	d.out.line("%s, organisation number %s, bank account %s", creditor.Name, creditor.OrganisationNumber, creditor.BankAccount)
	return nil
}

// createCustomers creates the plan's customers.
func (d *demo) createCustomers(ctx context.Context) error {
	d.out.chapter("Its customers, who get their invoices by e-mail or on paper.")
	table := d.out.texts()
	for _, c := range customers {
		var created link
		if err := d.api.send(ctx, http.MethodPost, "/customers", c.form(), &created); err != nil {
			return err
		}
		d.customers = append(d.customers, created)
		kind, channel := "private", "on paper"
		if c.organisationNumber != "" {
			kind = "business"
		}
		if c.method() == models.ByEmail {
			channel = c.email
		}
		table.row("  "+c.name, kind, c.postalCode+" "+c.postalName, channel)
	}
	return table.flush()
}
