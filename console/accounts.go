package console

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"purr/ledger/accounts"
	"purr/models"
	"purr/store"
)

// accountRoutes are what hands the ledger over to the accounts (rule A1c).
func (s *Server) accountRoutes() []route {
	const page = "/c/{creditor}/money/accounts"
	return []route{
		{path: page, area: "money", get: s.accountsPage, csv: s.accountsCSV, post: s.makeExport, scope: models.ScopeWrite},
		{path: page + "/plan", area: "money", get: s.accountPlanPage, post: s.changeAccountPlan, scope: models.ScopeAdmin},
		{path: page + "/{export}", area: "money", get: s.exportPage},
		{path: page + "/{export}/sums.csv", area: "money", get: s.exportSumsCSV, long: true},
		{path: page + "/{export}/file/{format}", area: "money", get: s.exportFile, long: true},
	}
}

// accountsPage shows what was handed over to the accounts, and hands over more.
type accountsPage struct {
	view
	Last      models.Date // the last day that was handed over; zero if none was
	Rows      []exportRow
	Pager     pager
	Month     models.Month // the last that is over
	Made      *models.AccountExport
	Partly    bool                   // a part of the month was handed over with other days
	Gaps      []store.Dates          // days between exports that were not handed over
	From, To  models.Date            // the days that come next
	Shared    []models.AccountExport // those with which the days that were refused have some in common
	UsualPlan bool
}

// exportRow is an export with its files.
type exportRow struct {
	models.AccountExport
	Files []models.AccountExportFile
}

func (s *Server) accountsPage(ctx context.Context, rq *request) (reply, error) {
	p := &accountsPage{view: rq.view("accounts.title"), Month: accounts.LastMonth(rq.creditor, rq.now), UsualPlan: rq.creditor.AccountPlan.IsZero()}
	err := s.db.View(ctx, func(v store.View) error {
		all, err := v.AllAccountExports(ctx, rq.creditor.ID)
		if err != nil {
			return err
		}
		p.fill(all)
		page := store.Page{Number: rq.pageNumber(), Size: perPage}
		p.Pager = p.pages(page, int64(len(all)))
		p.Rows, err = exportRows(ctx, v, rq.creditor.ID, rowsOn(newestFirst(all), page))
		return err
	})
	if err != nil {
		return reply{}, err
	}
	return show("accounts", p)
}

// fill says of all exports what the page does: how far they reach, whether the last month is among them, and which days come next.
func (p *accountsPage) fill(all []models.AccountExport) {
	from, to := p.Month.First(), p.Month.Last()
	for _, e := range all {
		p.Last = max(p.Last, e.To)
		switch {
		case e.From == from && e.To == to:
			p.Made = &e
		case hasDayOf(e, from, to):
			p.Partly = true
		}
	}
	p.Gaps = gaps(all)
	switch p.From, p.To = from, to; {
	case len(p.Gaps) > 0:
		p.From, p.To = p.Gaps[0].From, p.Gaps[0].To
	case p.Last >= from:
		p.From, p.To = p.Last+1, 0
	}
	p.Lead = p.rq.words.SayHTML("accounts.none_yet")
	if p.Last != 0 {
		p.Lead = p.rq.words.SayHTML("accounts.lead", "n", len(all), "day", p.Last)
	}
	if !refusedFor(p.rq.refused, "period_exported") {
		return
	}
	f := p.rq.fields()
	first, last := f.date("from"), f.date("to")
	for _, e := range all {
		if hasDayOf(e, first, last) {
			p.Shared = append(p.Shared, e)
		}
	}
}

// gaps returns the days between exports that are in none.
func gaps(all []models.AccountExport) (missing []store.Dates) {
	byDay := slices.SortedFunc(slices.Values(all), func(a, b models.AccountExport) int { return cmp.Compare(a.From, b.From) })
	for n := 1; n < len(byDay); n++ {
		if from, to := byDay[n-1].To+1, byDay[n].From-1; from <= to {
			missing = append(missing, store.Dates{From: from, To: to})
		}
	}
	return missing
}

// hasDayOf reports whether an export has one of the days.
func hasDayOf(e models.AccountExport, from, to models.Date) bool { return e.From <= to && from <= e.To }

// refusedFor reports whether a form was refused for a fault with the code.
func refusedFor(err error, code string) bool {
	return slices.ContainsFunc(faultsIn(err), func(e *models.Error) bool { return e.Code == code })
}

// MonthName returns the last month that is over in words.
func (p *accountsPage) MonthName() string { return p.rq.words.Month(p.Month) }

// Forms returns the field with the forms, under an id of its own: the page has it twice.
func (p *accountsPage) Forms(id string) input {
	in := p.Select("format", "accounts.format", string(models.FormCSV), p.rq.exportForms()...)
	in.ID = id
	return in
}

// exportForms returns the names of the forms with those of their labels.
func (rq *request) exportForms() (pairs []string) {
	for _, f := range models.AccountForms {
		pairs = append(pairs, string(f), exportFormLabel(rq, f))
	}
	return pairs
}

// exportFormLabel returns the name of a form's label in the catalogue; the form's own name where it has none.
func exportFormLabel(rq *request, f models.AccountForm) string {
	if label := "accounts.format." + string(f); rq.words.Knows(label) {
		return label
	}
	return string(f)
}

// FormName returns the name of a form in words.
func (v *view) FormName(f models.AccountForm) string { return v.rq.words.Say(exportFormLabel(v.rq, f)) }

func newestFirst(all []models.AccountExport) []models.AccountExport {
	newest := slices.Clone(all)
	slices.Reverse(newest)
	return newest
}

// rowsOn returns the rows of a page.
func rowsOn[T any](all []T, page store.Page) []T {
	first := min((page.Number-1)*page.Size, len(all))
	return all[first:min(first+page.Size, len(all))]
}

// exportRows adds to exports their files.
func exportRows(ctx context.Context, v store.View, creditorID int64, of []models.AccountExport) ([]exportRow, error) {
	ids := make([]int64, len(of))
	for n, e := range of {
		ids[n] = e.ID
	}
	files, err := v.AccountExportFiles(ctx, creditorID, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]exportRow, len(of))
	for n, e := range of {
		rows[n] = exportRow{e, files[e.ID]}
	}
	return rows, nil
}

// makeExport hands the journal of some days over, as POST /api/v1/account_exports does, and leads to the export. The same days in the same
// form are the same file.
func (s *Server) makeExport(ctx context.Context, rq *request) (reply, error) {
	rq.fieldOf = func(e *models.Error) string {
		if e.Code == "period_exported" {
			return "from"
		}
		return fieldAtPlace(e)
	}
	f := rq.fields()
	r := accounts.Request{From: f.date("from"), To: f.date("to"), Form: models.AccountForm(f.text("format"))}
	if err := f.done(r.Validate(rq.creditor, rq.now)); err != nil {
		return reply{}, err
	}
	return rq.actEach(ctx, func() (done, error) {
		made, err := s.cfg.Accounts.Make(ctx, rq.creditor, r, rq.actor())
		if err != nil {
			return done{}, err
		}
		e := made.Export
		return done{
			to:      rq.base + "/money/accounts/" + toPath(e.ID),
			message: rq.said("accounts.made", "number", toPath(e.Number), "from", e.From, "to", e.To, "format", rq.words.Say(exportFormLabel(rq, r.Form)), "n", e.Vouchers),
		}, nil
	})
}

// accountsCSV answers with all exports, the newest first.
func (s *Server) accountsCSV(ctx context.Context, rq *request) (reply, error) {
	header := rq.words.Header("accounts.number", "accounts.from", "accounts.to", "accounts.vouchers", "accounts.debit", "accounts.opening", "accounts.closing", "accounts.files", "accounts.made_by")
	return rq.csv("account-exports", header, func(write func(...any) error) error {
		return s.db.View(ctx, func(v store.View) error {
			all, err := v.AllAccountExports(ctx, rq.creditor.ID)
			if err != nil {
				return err
			}
			for batch := range slices.Chunk(newestFirst(all), csvBatch) {
				rows, err := exportRows(ctx, v, rq.creditor.ID, batch)
				if err != nil {
					return err
				}
				for _, r := range rows {
					var forms []string
					for _, f := range r.Files {
						forms = append(forms, string(f.Form))
					}
					if err := write(r.Number, r.From, r.To, r.Vouchers, r.Debit, r.Opening, r.Closing, strings.Join(forms, " "), rq.words.Actor(r.MadeBy)); err != nil {
						return err
					}
				}
			}
			return nil
		})
	})
}
