package console

import (
	"context"
	"html/template"

	"purr/console/locale"
	"purr/law"
	"purr/models"
)

// calculationPage shows how a notice's amounts were reckoned (rule E6c).
type calculationPage struct {
	view
	Invoice models.Invoice
	Notice  models.Notice
	Before  models.Amount // what was owed before the notice
	Sheet   law.Sheet
	Later   []laterSheet
}

// laterSheet is a recalculation: with money in its place that was booked late (rule L4).
type laterSheet struct {
	At    template.HTML
	Sheet law.Sheet
	Why   string // the notice would not have been issued, in words; empty if it would (rule D97)
}

func (rq *request) laterSheet(r models.Recalculation) (laterSheet, error) {
	sheet, err := law.ReadSheet(r.Sheet)
	if err != nil {
		return laterSheet{}, err
	}
	later := laterSheet{At: locale.Moment(r.At, rq.zone), Sheet: sheet}
	if sheet.NotTaken != "" {
		later.Why = rq.words.Say("reason." + string(sheet.NotTaken))
	}
	return later, nil
}

func (s *Server) calculationPage(ctx context.Context, rq *request) (reply, error) {
	i, n, err := s.noticeIn(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	p := &calculationPage{Invoice: i, Notice: n, Before: n.Gross - n.Fee - n.Interest}
	if p.Sheet, err = law.ReadSheet(n.Sheet); err != nil {
		return reply{}, err
	}
	again, err := s.db.RecalculationsOf(ctx, n.ID)
	if err != nil {
		return reply{}, err
	}
	for _, r := range again {
		later, err := rq.laterSheet(r)
		if err != nil {
			return reply{}, err
		}
		p.Later = append(p.Later, later)
	}
	p.view = rq.view("reckoned.title")
	kind := "fact.reminder"
	if n.Warning {
		kind = "fact.warning"
	}
	p.Lead = rq.words.SayHTML("reckoned.lead", "notice", rq.words.Say(kind), "number", numberOf(i), "issued", n.IssueDate)
	return show("calculation", p)
}
