package letters

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"purr/mailer"
	"purr/mailer/letters/ipp"
	"purr/models"
	"purr/test/testkit/printer"
)

// aLetter is a letter of one page.
func aLetter() mailer.Parcel {
	return mailer.Parcel{
		Name: "overdue-notice-10001-shipment-17", ShipmentID: 17, DocumentKind: models.NoticeDocument, DocumentNumber: 10001, Creditor: "974760673",
		Recipient: models.Recipient{Name1: "Kari & Co", Address1: "Storgata 1", PostalCode: "0155", PostalName: "Oslo", CountryCode: "NO"},
		PDF:       []byte("%PDF-1.4 one page"), Attempt: 1,
	}
}

// ofPages is the page tree of a PDF as package pdf writes it.
func ofPages(n int) []byte {
	return fmt.Appendf(nil, "%%PDF-1.4\n1 0 obj\n<</Type /Pages\n/Kids [3 0 R ]\n/Count %d\n/MediaBox", n)
}

func newPrinter(t *testing.T, p *printer.Printer) *Printer {
	t.Helper()
	c, err := NewPrinter(p.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestS4bALetterIsPrinted(t *testing.T) {
	t.Parallel()
	shop := printer.Start(t)
	c, p := newPrinter(t, shop), aLetter()
	p.PDF = ofPages(2)
	answer, err := c.HandOver(t.Context(), p)
	if err != nil || answer != (mailer.Answer{Receipt: "job 1", Pending: true}) {
		t.Fatalf("the answer is %+v, %v", answer, err)
	}
	got := shop.Jobs()[0]
	if got.Name != p.Name || got.User != "purr" || got.Format != "application/pdf" || got.Sides != "two-sided-long-edge" || !bytes.Equal(got.PDF, p.PDF) {
		t.Errorf("the job is %+v", got)
	}
	p.Receipt = answer.Receipt
	for _, state := range []int32{printer.Pending, 4, printer.Processing, 6} {
		shop.Finish(state)
		if answer, err := c.Ask(t.Context(), p); err != nil || !answer.Pending || answer.Receipt != "job 1" {
			t.Errorf("in the state %d the answer is %+v, %v", state, answer, err)
		}
	}
	shop.Finish(printer.Completed)
	if answer, err := c.Ask(t.Context(), p); err != nil || answer.Pending || answer.Receipt != "job 1" {
		t.Errorf("when it is printed the answer is %+v, %v", answer, err)
	}
	for state, word := range map[int32]string{printer.Aborted: "aborted", printer.Canceled: "canceled"} {
		shop.Finish(state)
		if _, err := c.Ask(t.Context(), p); models.KindOf(err) != models.KindInvalid || !strings.Contains(err.Error(), "job 1 was "+word) {
			t.Errorf("when it is %s the error is %v", word, err)
		}
	}
}

func TestS4bWhatAnAnswerMeans(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		fault printer.Fault
		want  models.Kind
		setup bool // any letter would be refused so
	}{
		{"busy", printer.Fault{Status: 0x0507}, models.KindUnavailable, false},
		{"not accepting jobs", printer.Fault{Status: 0x0506}, models.KindUnavailable, false},
		{"an error inside", printer.Fault{Status: 0x0500}, models.KindUnavailable, false},
		{"the last of its errors", printer.Fault{Status: 0x05ff}, models.KindUnavailable, false},
		{"no PDF", printer.Fault{Status: 0x040a}, models.KindInvalid, false},
		{"bad request", printer.Fault{Status: 0x0400}, models.KindInvalid, false},
		{"who may not", printer.Fault{Status: 0x0403}, models.KindInvalid, true},
		{"no such printer", printer.Fault{Status: 0x0406}, models.KindInvalid, true},
		{"silence", printer.Fault{Silent: true}, models.KindUnavailable, false},
		{"silence with the job taken", printer.Fault{Silent: true, Taken: true}, models.KindUnavailable, false},
		{"garbage", printer.Fault{Garbage: true}, models.KindUnavailable, false},
		{"a web server that has gone wrong", printer.Fault{HTTP: 502}, models.KindUnavailable, false},
		{"another web server", printer.Fault{HTTP: 404}, models.KindInvalid, true},
		{"a password", printer.Fault{HTTP: 401}, models.KindInvalid, true},
	} {
		shop := printer.Start(t)
		shop.Fail(func(uint16) printer.Fault { return tt.fault })
		_, err := newPrinter(t, shop).HandOver(t.Context(), aLetter())
		if models.KindOf(err) != tt.want || models.IsRefused(err) != (tt.want == models.KindInvalid) || models.IsSetupFault(err) != tt.setup {
			t.Errorf("%s: the error is %v", tt.name, err)
		}
	}
}

// TestS4bAfterSilenceTheQueueIsAsked lets the answer to a job be lost before and after the printer has taken it.
func TestS4bAfterSilenceTheQueueIsAsked(t *testing.T) {
	t.Parallel()
	for _, taken := range []bool{false, true} {
		shop := printer.Start(t)
		shop.Fail(func(uint16) printer.Fault { return printer.Fault{Silent: true, Taken: taken} })
		c, p := newPrinter(t, shop), aLetter()
		if _, err := c.HandOver(t.Context(), p); models.KindOf(err) != models.KindUnavailable {
			t.Fatal(err)
		}
		if _, err := c.Ask(t.Context(), p); models.KindOf(err) != models.KindUnavailable {
			t.Errorf("the printer is silent, and the error %v", err)
		}
		shop.Fail(nil)
		p.Attempt = 2
		answer, err := c.Ask(t.Context(), p)
		if taken && (err != nil || answer.Receipt != "job 1") {
			t.Errorf("the job waits, and the answer is %+v, %v", answer, err)
		}
		if !taken && models.KindOf(err) != models.KindNotFound {
			t.Errorf("there is no job, and the answer is %+v, %v", answer, err)
		}
		shop.Finish(printer.Completed)
		if answer, err := c.Ask(t.Context(), p); taken && (err != nil || answer.Pending) {
			t.Errorf("the job is printed, and the answer is %+v, %v", answer, err)
		}
	}
}

func TestS4bAJobThatThePrinterForgotIsForAPerson(t *testing.T) {
	t.Parallel()
	shop := printer.Start(t)
	c, p := newPrinter(t, shop), aLetter()
	p.Receipt = "job 1"
	if _, err := c.Ask(t.Context(), p); models.KindOf(err) != models.KindInvalid || !strings.Contains(err.Error(), "look whether it was printed") {
		t.Errorf("the error is %v", err)
	}
	p.Receipt = "99999999999" // of another channel
	if _, err := c.Ask(t.Context(), p); models.KindOf(err) != models.KindInvalid {
		t.Errorf("the error is %v", err)
	}
}

// TestS4bJobsOfAnEarlierRoundDoNotCount: a letter came back, and a person had it sent again.
func TestS4bJobsOfAnEarlierRoundDoNotCount(t *testing.T) {
	t.Parallel()
	old, fresh := ipp.Job{ID: 3, State: ipp.Completed, Age: time.Hour}, ipp.Job{ID: 4, State: 3, Age: 3 * time.Second}
	for _, tt := range []struct {
		jobs  []ipp.Job
		since time.Duration
		want  int32
	}{
		{[]ipp.Job{old}, 0, 3},
		{[]ipp.Job{old}, 10 * time.Minute, 0},
		{[]ipp.Job{fresh, old}, 10 * time.Minute, 4},
		{[]ipp.Job{old, fresh}, 0, 4},
		{[]ipp.Job{fresh}, time.Second, 4},
		{[]ipp.Job{{ID: 5}}, time.Minute, 5}, // a printer that does not tell
		{nil, 0, 0},
	} {
		if got, found := latest(tt.jobs, tt.since); got.ID != tt.want || found != (tt.want != 0) {
			t.Errorf("of %+v after %s it is %+v", tt.jobs, tt.since, got)
		}
	}
}

func TestThePrinterSaysWhetherItWorks(t *testing.T) {
	t.Parallel()
	shop := printer.Start(t)
	c := newPrinter(t, shop)
	if err := c.Check(t.Context()); err != nil || len(shop.Jobs()) != 0 {
		t.Errorf("%v, with the jobs %v", err, shop.Jobs())
	}
	shop.Fail(func(uint16) printer.Fault { return printer.Fault{Status: 0x0506} })
	if err := c.Check(t.Context()); models.KindOf(err) != models.KindUnavailable {
		t.Error(err)
	}
}

func TestNothingIsPrintedThatMayNotLeave(t *testing.T) {
	t.Parallel()
	shop := printer.Start(t)
	p := aLetter()
	p.MayLeave = func() error { return models.Unavailable("the database", errors.New("away")) }
	if _, err := newPrinter(t, shop).HandOver(t.Context(), p); err == nil || len(shop.Asked()) != 0 {
		t.Errorf("%v, it was asked %v", err, shop.Asked())
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newPrinter(t, shop).HandOver(ended, aLetter()); models.KindOf(err) != models.KindUnavailable {
		t.Error(err)
	}
}

func TestPrinterURLs(t *testing.T) {
	t.Parallel()
	for url, ok := range map[string]bool{
		"ipp://printer/ipp/print": true, "ipps://purr@printer.example.no:8631/printers/letters": true,
		"http://printer/": false, "ipp://": false, "ipp://purr:s3cret@printer/": false, "ipp://printer/?a=b": false, "printer": false,
	} {
		c, err := NewPrinter(url, "s3cret")
		if (err == nil) != ok || err != nil && strings.Contains(err.Error(), "s3cret") || c != nil && strings.Contains(fmt.Sprintf("%v %+v", c.printer, c.printer), "s3cret") {
			t.Errorf("%s: %v", url, err)
		}
	}
}
