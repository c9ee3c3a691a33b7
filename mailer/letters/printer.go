package letters

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"purr/documents/pdf"
	"purr/mailer"
	"purr/mailer/letters/ipp"
	"purr/models"
)

// Printer prints letters by IPP (rule S4b). A letter's job has the letter's name.
type Printer struct{ printer *ipp.Printer }

// NewPrinter returns the channel of the printer at ipp:// or ipps://. It does not connect.
func NewPrinter(url, password string) (*Printer, error) {
	p, err := ipp.NewPrinter(url, password)
	if err != nil {
		return nil, err
	}
	return &Printer{p}, nil
}

// OnlyPublic lets only a public address be connected to. It is called before the printer is used.
func (c *Printer) OnlyPublic() { c.printer.OnlyPublic() }

// receiptOf is how the receipt of a job begins, before its number.
const receiptOf = "job "

// sides says on how many sides of the paper a letter is printed.
func sides(pages int) ipp.Sides {
	if pages > 1 {
		return ipp.TwoSided
	}
	return ipp.OneSided
}

// HandOver has a letter printed. The answer is pending: the printer has the job, and nobody knows yet whether it has paper.
func (c *Printer) HandOver(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	if err := p.Leave(); err != nil {
		return mailer.Answer{}, err
	}
	job, err := c.printer.Print(ctx, p.Name, sides(pdf.Pages(p.PDF)), p.PDF)
	if err != nil {
		return mailer.Answer{}, err
	}
	return pending(job), nil
}

func pending(j ipp.Job) mailer.Answer {
	return mailer.Answer{Receipt: receiptOf + strconv.Itoa(int(j.ID)), Pending: true}
}

// Ask asks what became of a letter's job. A letter without a receipt may have a job all the same: the jobs are looked
// through for its name.
func (c *Printer) Ask(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	if id, err := strconv.ParseInt(strings.TrimPrefix(p.Receipt, receiptOf), 10, 32); err == nil {
		job, err := c.printer.Job(ctx, int32(id))
		if err == nil {
			return judge(job, p.DayOver)
		}
		if models.KindOf(err) != models.KindNotFound {
			return mailer.Answer{}, err
		}
	}
	jobs, err := c.printer.Jobs(ctx, p.Name)
	if err != nil {
		return mailer.Answer{}, err
	}
	job, found := latest(jobs, p.SinceRetry)
	switch {
	case found:
		return judge(job, p.DayOver)
	case p.Receipt != "": // printed and forgotten, or lost with the printer's memory: a person must look
		return mailer.Answer{}, models.Refuse(models.BlameRecipient, nil, "%s no longer knows %s: look whether it was printed", c.printer, p.Receipt)
	}
	return mailer.Answer{}, models.NotFound("job " + p.Name)
}

// Cancel cancels the job of a letter. What became of it is asked after, whatever the printer has answered: a job that was
// completed before is sent.
func (c *Printer) Cancel(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	id, err := strconv.ParseInt(strings.TrimPrefix(p.Receipt, receiptOf), 10, 32)
	if err != nil {
		return mailer.Answer{Receipt: p.Receipt, Pending: true}, nil //nolint:nilerr // it is of another channel, and is asked after
	}
	refused := c.printer.Cancel(ctx, int32(id))
	if refused != nil && !models.IsRefused(refused) {
		return mailer.Answer{}, refused
	}
	job, err := c.printer.Job(ctx, int32(id))
	gone := refused == nil && models.KindOf(err) == models.KindNotFound // canceled and forgotten
	if err != nil && !gone {
		return mailer.Answer{}, err
	}
	if gone || job.State == ipp.Canceled || job.State == ipp.Aborted {
		return mailer.Answer{Receipt: p.Receipt, Canceled: true}, nil
	}
	return judge(job, p.DayOver)
}

// clockGrain is by how much the age of a job, which the printer tells in whole seconds, may be wrong.
const clockGrain = 2 * time.Second

// latest returns the newest of a letter's jobs. It leaves out those from before a person had the letter sent again: they
// are of an earlier round.
func latest(jobs []ipp.Job, sinceRetry time.Duration) (ipp.Job, bool) {
	jobs = slices.DeleteFunc(slices.Clone(jobs), func(j ipp.Job) bool { return sinceRetry > 0 && j.Age > sinceRetry+clockGrain })
	if len(jobs) == 0 {
		return ipp.Job{}, false
	}
	return slices.MaxFunc(jobs, func(a, b ipp.Job) int { return int(a.ID) - int(b.ID) }), true
}

// judge says what the state of a job means for its letter. A job that is canceled once the letter's day is over was canceled by
// Cancel, whose answer was lost.
func judge(j ipp.Job, dayOver bool) (mailer.Answer, error) {
	answer := pending(j)
	if j.State == ipp.Canceled && dayOver {
		return mailer.Answer{Receipt: answer.Receipt, Canceled: true}, nil
	}
	switch j.State {
	case ipp.Completed:
		answer.Pending, answer.Ago = false, j.Over
	case ipp.Aborted:
		return mailer.Answer{}, models.Refuse(models.BlameRecipient, nil, "the printer's %s was aborted%s", answer.Receipt, reason(j.Why))
	case ipp.Canceled:
		return mailer.Answer{}, models.Refuse(models.BlameRecipient, nil, "the printer's %s was canceled%s", answer.Receipt, reason(j.Why))
	}
	return answer, nil
}

func reason(why string) string {
	if why == "" {
		return ""
	}
	return fmt.Sprintf(": %s", models.Foreign(why, models.MaxReceipt))
}

// Check returns nil if the printer answers and accepts jobs.
func (c *Printer) Check(ctx context.Context) error { return c.printer.Works(ctx) }
