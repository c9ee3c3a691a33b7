package console

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"purr/models"
	"purr/store"
)

// standingStillRoutes are the list of what stands still (rule N11).
func (s *Server) standingStillRoutes() []route {
	return []route{{path: "/c/{creditor}/standing-still", area: "invoices", get: s.standingStillPage, csv: s.standingStillCSV}}
}

// standingStillPage lists what stops dunning, the first to end first, or what has ended, the last first.
type standingStillPage struct {
	view
	Ended bool
	Rows  []store.StoodStill
	Pager pager
}

// standstillFilter reads what narrows the list.
func (rq *request) standstillFilter() (store.StandstillFilter, error) {
	f := store.StandstillFilter{Today: rq.today(), Ended: rq.query("status") == "ended", Kind: models.StandstillKind(rq.query("kind"))}
	if f.Kind != "" && !slices.Contains(models.StandstillKinds, f.Kind) {
		return f, models.Malformed("unknown_kind", "kind", "must be hold, dispute, more_time or payment_plan")
	}
	return f, nil
}

// standstillMark reads where a page of the list begins: after the row with a last day and an ID, as markOfStandstill writes it.
func (rq *request) standstillMark() (m store.StandstillMark, err error) {
	text := rq.query("after")
	if text == "" {
		return m, nil
	}
	day, id, _ := strings.Cut(text, ".")
	if m.LastDay, err = models.ParseDate(day); err == nil {
		m.ID, err = strconv.ParseInt(id, 10, 64)
	}
	if err != nil || m.ID < 1 {
		return store.StandstillMark{}, models.Malformed("invalid_id", "after", "is not a place in this list")
	}
	return m, nil
}

func markOfStandstill(s store.StoodStill) string { return fmt.Sprintf("%s.%d", s.LastDay, s.ID) }

func (s *Server) standingStillPage(ctx context.Context, rq *request) (reply, error) {
	f, err := rq.standstillFilter()
	if err != nil {
		return reply{}, err
	}
	after, err := rq.standstillMark()
	if err != nil {
		return reply{}, err
	}
	p := &standingStillPage{view: rq.view("standing.title"), Ended: f.Ended}
	err = s.db.View(ctx, func(v store.View) error {
		sum, err := v.SummedStandstills(ctx, rq.creditor.ID, f)
		if err != nil {
			return err
		}
		p.Lead = rq.words.SayHTML("standing.lead_many", "n", sum.Number)
		if sum.Added {
			p.Lead = rq.words.SayHTML("standing.lead", "n", sum.Number, "sum", sum.Amount)
		}
		p.Rows, err = v.Standstills(ctx, rq.creditor.ID, f, after, perPage+1)
		return err
	})
	if err != nil {
		return reply{}, err
	}
	p.Rows = onPage(p.Rows, &p.Pager, func(last store.StoodStill) string { return p.With("after", markOfStandstill(last)) })
	return show("standing_still", p)
}

// Kind returns what stands still for what, in words.
func (p *standingStillPage) Kind(s store.StoodStill) string { return p.rq.kindOfStandstill(s) }

func (rq *request) kindOfStandstill(s store.StoodStill) string {
	if s.HoldReason == models.HoldPaid {
		return rq.words.Say("standing.says_paid")
	}
	if s.HoldReason == models.HoldCollector {
		return rq.words.Say("standing.collector_withdrew")
	}
	if s.HoldReason == models.HoldAudit {
		return rq.words.Say("standing.audit")
	}
	return rq.words.Say("standing." + string(s.Kind))
}

// Since returns the day on which it began, zero if nobody knows it.
func (p *standingStillPage) Since(s store.StoodStill) models.Date { return p.rq.dayOf(s.Since) }

// Last returns the last day on which it stopped dunning.
func (p *standingStillPage) Last(s store.StoodStill) models.Date {
	return max(s.LastDay, p.rq.dayOf(s.Since))
}

func (rq *request) dayOf(at *time.Time) models.Date {
	if at == nil {
		return 0
	}
	return models.DateOf(at.In(rq.zone))
}

func (s *Server) standingStillCSV(ctx context.Context, rq *request) (reply, error) {
	f, err := rq.standstillFilter()
	if err != nil {
		return reply{}, err
	}
	header := rq.words.Header("standing.what", "standing.reason", "standing.invoice", "invoices.customer", "customers.number", "standing.since", "standing.until", "standing.by",
		"standing.ended", "standing.ended_by", "standing.sum")
	return rq.csv("standing-still", header, func(write func(...any) error) error {
		for after := (store.StandstillMark{}); ; {
			found, err := s.db.Standstills(ctx, rq.creditor.ID, f, after, csvBatch)
			if err != nil || len(found) == 0 {
				return err
			}
			for _, one := range found {
				var ended models.Date
				if f.Ended {
					ended = cmp.Or(rq.dayOf(one.EndedAt), one.LastDay+1)
				}
				err := write(rq.kindOfStandstill(one), one.Comment, one.InvoiceNumber, one.Name1, one.CustomerNumber, rq.dayOf(one.Since), one.Until, rq.words.Actor(one.StartedBy),
					ended, rq.words.Actor(one.EndedBy), one.Owed)
				if err != nil {
					return err
				}
				after = one.Mark()
			}
		}
	})
}
