package audit

import (
	"context"
	"sync"

	"purr/models"
	"purr/store"
)

// judges is how many batches are read and judged at the same time: a processor waits for the database while another judges.
const judges = 2

// part is a batch of invoices on its way through a judge.
type part struct {
	invoices []models.Invoice
	err      error // that no more could be read

	verdict Verdict
	judged  []judged // only if the options ask for each case
	done    chan struct{}
}

// judged is a case with what was found of it.
type judged struct {
	of    *Case
	found []Finding
}

// Judge judges the invoices that the filter takes, and adds to the verdict, in the order of the invoices. Several batches are read and judged at
// the same time, so what the auditor reads from must answer several at once: a database, and no transaction. after is called with the
// verdict so far after each batch; it may be nil, and ends the audit by an error. Memory does not grow with the number of invoices, only
// with that of findings.
func (a *Auditor) Judge(ctx context.Context, f store.AuditFilter, o Options, v *Verdict, after func(*Verdict) error) error {
	ctx, stop := context.WithCancel(ctx)
	var working sync.WaitGroup
	defer working.Wait()
	defer stop()
	parts, inOrder := make(chan *part), make(chan *part, judges) // so many are held, and one with each judge, one that waits
	working.Go(func() { a.deal(ctx, f, parts, inOrder) })
	for range judges {
		working.Go(func() {
			for p := range parts {
				p.err = a.judgePart(ctx, p, f, o)
				close(p.done)
			}
		})
	}
	for p := range inOrder {
		<-p.done
		if p.err != nil {
			return p.err
		}
		v.add(&p.verdict)
		for _, j := range p.judged {
			o.Judged(j.of, j.found)
		}
		if after != nil {
			if err := after(v); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// deal reads the invoices, batch by batch, and deals them out. It ends with the last one, or when the context does.
func (a *Auditor) deal(ctx context.Context, f store.AuditFilter, parts, inOrder chan<- *part) {
	defer close(parts)
	defer close(inOrder)
	for last := int64(0); ; {
		p := &part{done: make(chan struct{})}
		p.invoices, p.err = a.from.AuditedInvoices(ctx, a.of.ID, last, batch, f)
		if p.err == nil && len(p.invoices) == 0 {
			return
		}
		select {
		case inOrder <- p:
		case <-ctx.Done():
			return
		}
		if p.err != nil {
			close(p.done)
			return
		}
		last = p.invoices[len(p.invoices)-1].ID
		select {
		case parts <- p:
		case <-ctx.Done():
			p.err = ctx.Err()
			close(p.done)
			return
		}
	}
}

// judgePart judges the invoices of a part.
func (a *Auditor) judgePart(ctx context.Context, p *part, f store.AuditFilter, o Options) error {
	cases, err := a.casesOf(ctx, p.invoices)
	if err != nil {
		return err
	}
	if o.Judged != nil {
		o.Judged = func(c *Case, found []Finding) { p.judged = append(p.judged, judged{c, found}) }
	}
	o.Letters = [2]models.Date{f.Letters.From, f.Letters.To}
	for _, c := range cases {
		p.verdict.Judge(c, o)
	}
	return nil
}

// add adds what another verdict says of other cases.
func (v *Verdict) add(more *Verdict) {
	v.Letters, v.Checks, v.Unknown = v.Letters+more.Letters, v.Checks+more.Checks, v.Unknown+more.Unknown
	v.Findings, v.Answers = append(v.Findings, more.Findings...), append(v.Answers, more.Answers...)
	for i, asked := range more.kinds {
		v.kinds[i] = v.kinds[i] || asked
	}
}
