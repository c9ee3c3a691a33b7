package api

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/xml"
	"io"
	"slices"
	"strconv"
	"time"

	"purr/models"
	"purr/store"
)

// standingStillXML is a page of what stands still (rule N11).
type standingStillXML struct {
	XMLName    xml.Name        `xml:"standing_still"`
	Page       int             `xml:"page,attr"`
	TotalPages int64           `xml:"total_pages,attr"`
	PerPage    int             `xml:"per_page,attr"`
	Number     int64           `xml:"number,attr"`
	Sum        models.Amount   `xml:"sum,attr"`
	Items      []standstillXML `xml:"standstill"`
}

// standstillXML is what a person did to stop dunning.
type standstillXML struct {
	Kind          models.StandstillKind `xml:"kind"`
	Reason        string                `xml:"reason"` // of a hold as it was given; of more time what was typed
	Since         models.Date           `xml:"since"`
	Until         models.Date           `xml:"until"`
	By            string                `xml:"by"`
	Sum           models.Amount         `xml:"sum"`
	Comment       string                `xml:"comment,omitempty"`
	Ended         models.Date           `xml:"ended,omitempty"` // the first day on which it stopped nothing
	EndedBy       string                `xml:"ended_by,omitempty"`
	Invoice       *link                 `xml:"invoice"`
	InvoiceNumber int64                 `xml:"invoice_number,omitempty"`
	Customer      link                  `xml:"customer"`
	Name1         string                `xml:"name1"`
}

// standstillFilter reads what narrows a list of what stands still.
func (q *query) standstillFilter() store.StandstillFilter {
	f := store.StandstillFilter{Today: q.rq.today()}
	switch status, sent := q.text("status"); {
	case status == "ended":
		f.Ended = true
	case sent && status != "running":
		q.fault("unknown_status", "status", "must be running or ended")
	}
	kind, sent := q.text("kind")
	if f.Kind = models.StandstillKind(kind); sent && !slices.Contains(models.StandstillKinds, f.Kind) {
		q.fault("unknown_kind", "kind", "must be hold, dispute, more_time or payment_plan")
	}
	return f
}

// listStandingStill lists what stands still, or has ended: a page, or all in CSV.
func (s *Server) listStandingStill(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	f := q.standstillFilter()
	p, all := q.pageOrCSV()
	if err := q.done(); err != nil {
		return answer{}, err
	}
	if all {
		return s.standingStillCSV(rq, f), nil
	}
	shown := standingStillXML{Page: p.Number, PerPage: p.Size}
	err := s.db.View(ctx, func(v store.View) error {
		sums, err := v.StandstillSums(ctx, rq.creditor.ID, f)
		if err != nil {
			return err
		}
		shown.Number, shown.Sum, shown.TotalPages = sums.Number, sums.Owed, p.Pages(sums.Number)
		found, err := v.StandstillPage(ctx, rq.creditor.ID, f, p, sums.Number)
		if err != nil {
			return err
		}
		for _, one := range found {
			shown.Items = append(shown.Items, rq.standstill(one))
		}
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	return rq.ok(shown)
}

func (rq *request) standstill(s store.StoodStill) standstillXML {
	shown := standstillXML{
		Kind: s.Kind, Reason: string(cmp.Or(s.HoldReason, models.HoldOther)), Since: dayOf(s.Since, rq.zone), Until: s.Until, By: s.StartedBy, Sum: s.Owed,
		Comment: s.Comment, EndedBy: s.EndedBy, InvoiceNumber: s.InvoiceNumber, Customer: link{rq.uri("customer", s.CustomerID)}, Name1: s.Name1,
	}
	if s.Kind == models.StandsMoreTime || s.Kind == models.StandsOnPlan {
		shown.Reason, shown.Comment = s.Comment, ""
	}
	if s.InvoiceID != 0 {
		shown.Invoice = &link{rq.uri("invoice", s.InvoiceID)}
	}
	if !s.Running(rq.today()) {
		shown.Ended = s.LastDay + 1
	}
	return shown
}

// dayOf returns the day of a moment in a zone, zero if there is no moment.
func dayOf(at *time.Time, zone *time.Location) models.Date {
	if at == nil {
		return 0
	}
	return models.DateOf(at.In(zone))
}

// standingStillTitles are the titles of what stands still in CSV.
var standingStillTitles = []string{
	"kind", "reason", "since", "until", "by", "sum", "comment", "ended", "ended_by", "invoice", "invoice_number", "customer", "customer_number", "name1",
}

// csvPart is how many rows are read at a time for a list in CSV.
const csvPart = 1000

func (s *Server) standingStillCSV(rq *request, f store.StandstillFilter) answer {
	return s.streamed("standing_still.csv", func(to io.Writer) error {
		w := csv.NewWriter(to)
		_ = w.Write(standingStillTitles) // the writer keeps its first error until the end
		for after := (store.StandstillMark{}); ; {
			part, err := s.db.Standstills(rq.r.Context(), rq.creditor.ID, f, after, csvPart)
			if err != nil {
				return err
			}
			for _, one := range part {
				_ = w.Write(rq.standstillRow(one))
				after = one.Mark()
			}
			if len(part) < csvPart {
				break
			}
		}
		w.Flush()
		return w.Error()
	})
}

func (rq *request) standstillRow(s store.StoodStill) []string {
	shown := rq.standstill(s)
	id := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	return []string{
		string(shown.Kind), models.CSVCell(shown.Reason), shown.Since.String(), shown.Until.String(), models.CSVCell(shown.By), shown.Sum.String(), models.CSVCell(shown.Comment),
		shown.Ended.String(), models.CSVCell(shown.EndedBy), id(s.InvoiceID), id(s.InvoiceNumber), id(s.CustomerID), models.CSVCell(s.CustomerNumber), models.CSVCell(s.Name1),
	}
}
