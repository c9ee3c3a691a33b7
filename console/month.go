package console

import (
	"cmp"
	"context"
	"slices"

	"purr/console/locale"
	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
)

// monthPage shows what moved receivables in a month, and leads from each figure to its list (rule N5).
type monthPage struct {
	view
	Report   receivables.MonthReport
	Moved    []movedRow
	Rates    []rateRow
	Previous string // the paths of the months before and after
	Next     string
}

// movedRow is what was booked of a movement.
type movedRow struct {
	Name, Path string
	receivables.Moved
}

// rateRow is what was invoiced and credited at one VAT rate.
type rateRow struct {
	Name               string
	Invoiced, Credited receivables.VATSum
}

// askedMonth returns the month that the URL asks for, the present one without it.
func (rq *request) askedMonth() (models.Month, error) {
	text := rq.query("month")
	if text == "" {
		return models.MonthOf(rq.today()), nil
	}
	month, err := locale.ReadMonth(text)
	if err != nil {
		return 0, models.Malformed("invalid_month", "month", "must be a month, such as 10.2026")
	}
	return month, nil
}

// readMonth reads the report of the month that the URL asks for.
func (s *Server) readMonth(ctx context.Context, rq *request) (r receivables.MonthReport, err error) {
	month, err := rq.askedMonth()
	if err != nil {
		return r, err
	}
	err = s.db.View(ctx, func(v store.View) (err error) {
		r, err = receivables.ReadMonth(ctx, v, rq.creditor, month)
		return err
	})
	return r, err
}

func (s *Server) monthPage(ctx context.Context, rq *request) (reply, error) {
	p := &monthPage{view: rq.view("money.month")}
	var err error
	if p.Report, err = s.readMonth(ctx, rq); err != nil {
		return reply{}, err
	}
	month := p.Report.Month
	p.Lead = rq.words.SayHTML("month.lead", "month", rq.words.Month(month))
	if month < models.MonthOf(rq.today()) {
		p.Lead = rq.words.SayHTML("month.lead_over", "month", rq.words.Month(month))
	}
	p.Previous, p.Next = p.With("month", month.Plus(-1).String()), p.With("month", month.Plus(1).String())
	for _, m := range p.Report.Kinds() {
		path := p.URL("money", "ledger") + "?month=" + month.String() + "&kind=" + string(m)
		p.Moved = append(p.Moved, movedRow{rq.words.Say("movement." + string(m)), path, p.Report.Of(m)})
	}
	p.Rates = rates(p.Report)
	return show("month", p)
}

// rates returns what was invoiced and credited by VAT rate, the highest first.
func rates(r receivables.MonthReport) (all []rateRow) {
	by := func(of []receivables.VATSum, rate models.Percent) receivables.VATSum {
		for _, v := range of {
			if v.Rate == rate {
				return v
			}
		}
		return receivables.VATSum{Rate: rate}
	}
	sums := slices.Concat(r.Invoiced.VAT, r.Credited.VAT)
	slices.SortFunc(sums, func(a, b receivables.VATSum) int { return cmp.Compare(b.Rate, a.Rate) })
	for n, v := range sums {
		if n == 0 || sums[n-1].Rate != v.Rate {
			all = append(all, rateRow{locale.Number(v.Rate.String()) + "\u00A0%", by(r.Invoiced.VAT, v.Rate), by(r.Credited.VAT, v.Rate)})
		}
	}
	return all
}

// Typed returns the month as people type it.
func (p *monthPage) Typed() string { return locale.ShortMonth(p.Report.Month) }

// Ledger returns the path of all that was booked in the month.
func (p *monthPage) Ledger() string {
	return p.URL("money", "ledger") + "?month=" + p.Report.Month.String()
}

// LedgerCSV returns the path of the same as a CSV file.
func (p *monthPage) LedgerCSV() string {
	return p.URL("money", "ledger") + ".csv?month=" + p.Report.Month.String()
}

// Closed returns the path of the events of closed invoices.
func (p *monthPage) Closed() string {
	return p.URL("log") + "?type=" + string(models.EventInvoiceClosed)
}

// monthCSV answers with the figures of a month.
func (s *Server) monthCSV(ctx context.Context, rq *request) (reply, error) {
	r, err := s.readMonth(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	return rq.csv("month-"+r.Month.String(), rq.words.Header("month.figure", "month.bookings", "money.amount"), func(write func(...any) error) error {
		if err := write(rq.words.Say("month.opening"), "", r.Opening); err != nil {
			return err
		}
		for _, m := range r.Kinds() {
			if err := write(rq.words.Say("movement."+string(m)), r.Of(m).Items, r.Of(m).Amount); err != nil {
				return err
			}
		}
		if err := write(rq.words.Say("month.closing"), "", r.Closing); err != nil {
			return err
		}
		for _, rate := range rates(r) {
			for _, of := range []struct {
				name string
				sum  models.Amount
			}{
				{"month.invoiced_net", rate.Invoiced.Net},
				{"month.invoiced_vat", rate.Invoiced.Amount},
				{"month.credited_net", rate.Credited.Net},
				{"month.credited_vat", rate.Credited.Amount},
			} {
				if err := write(rq.words.Say(of.name)+" "+rate.Name, "", of.sum); err != nil {
					return err
				}
			}
		}
		return write(rq.words.Say("month.written_off"), "", r.WrittenOff)
	})
}
