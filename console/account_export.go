package console

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"purr/ledger/accounts"
	"purr/models"
	"purr/store"
)

// exportPage shows one export: its files, that it agrees with the ledger, and what it books on each account.
type exportPage struct {
	view
	Export models.AccountExport
	Files  []formFile
	Proof  accounts.Proof
	Sums   []sumRow
}

// formFile is a form of an export: with its file, or to be made.
type formFile struct {
	Form      models.AccountForm
	Name      string
	Made      bool
	RemovedOn models.Date // when its bytes were removed, since they name a customer who was forgotten (rule O14); zero if they were not
	File      models.AccountExportFile
}

// sumRow is what an export books on an account.
type sumRow struct {
	models.AccountSum
	For     string        // what is booked on it
	Balance models.Amount // debit less credit
}

// readExport reads the export that the path names.
func (s *Server) readExport(ctx context.Context, rq *request, from interface {
	AccountExport(ctx context.Context, creditorID, id int64) (models.AccountExport, error)
},
) (models.AccountExport, error) {
	id, err := rq.pathID("export")
	if err != nil {
		return models.AccountExport{}, err
	}
	return from.AccountExport(ctx, rq.creditor.ID, id)
}

func (s *Server) exportPage(ctx context.Context, rq *request) (reply, error) {
	p := &exportPage{}
	err := s.db.View(ctx, func(v store.View) (err error) {
		if p.Export, err = s.readExport(ctx, rq, v); err != nil {
			return err
		}
		files, err := v.AccountExportFiles(ctx, rq.creditor.ID, []int64{p.Export.ID})
		if err != nil {
			return err
		}
		p.Files = formFiles(rq, files[p.Export.ID])
		p.Proof, err = accounts.Prove(ctx, v, p.Export)
		return err
	})
	if err != nil {
		return reply{}, err
	}
	p.view = rq.view("accounts.export", "number", toPath(p.Export.Number))
	p.Lead = rq.words.SayHTML("accounts.export_lead", "from", p.Export.From, "to", p.Export.To, "n", p.Export.Vouchers, "sum", p.Export.Debit)
	p.Sums = sumRows(rq, p.Export)
	return show("account_export", p)
}

// formFiles returns all forms, those that were made with their files.
func formFiles(rq *request, made []models.AccountExportFile) (all []formFile) {
	for _, form := range models.AccountForms {
		of := formFile{Form: form, Name: rq.words.Say(exportFormLabel(rq, form))}
		for _, f := range made {
			if f.Form == form {
				of.Made, of.File, of.RemovedOn = true, f, rq.dayOf(f.RemovedAt)
			}
		}
		all = append(all, of)
	}
	return all
}

// sumRows returns what an export books on each account, with what the account is for by the plan as it was then.
func sumRows(rq *request, e models.AccountExport) (rows []sumRow) {
	uses := map[string][]string{}
	add := func(account, use string) {
		if account != "" {
			uses[account] = append(uses[account], rq.words.Say(use))
		}
	}
	for _, k := range e.Plan.Kinds {
		add(k.Account, "accounts.kind."+string(k.Kind))
	}
	for _, c := range e.Plan.Sales {
		add(c.Account, "accounts.sales."+string(c.Class))
		add(c.VATAccount, "accounts.vat."+string(c.Class))
	}
	for _, s := range e.Sums {
		rows = append(rows, sumRow{s, strings.Join(uses[s.Account], " · "), s.Debit - s.Credit})
	}
	return rows
}

// Series returns the numbers of the export's vouchers: 2026-1 to 2026-12.
func (p *exportPage) Series() string {
	var all []string
	for _, s := range p.Export.Series {
		year := strconv.Itoa(s.Year) + "-"
		all = append(all, year+strconv.FormatInt(s.First, 10)+" – "+year+strconv.FormatInt(s.Last, 10))
	}
	return strings.Join(all, ", ")
}

// exportSumsCSV answers with what an export books on each account.
func (s *Server) exportSumsCSV(ctx context.Context, rq *request) (reply, error) {
	e, err := s.readExport(ctx, rq, s.db)
	if err != nil {
		return reply{}, err
	}
	header := rq.words.Header("accounts.account", "accounts.for", "accounts.debit", "accounts.credit", "accounts.balance")
	return rq.csv(fmt.Sprintf("account-sums-%d", e.Number), header, func(write func(...any) error) error {
		for _, r := range sumRows(rq, e) {
			if err := write(r.Account, r.For, r.Debit, r.Credit, r.Balance); err != nil {
				return err
			}
		}
		return nil
	})
}

// exportFile answers with the file of an export in a form, as it was made.
func (s *Server) exportFile(ctx context.Context, rq *request) (reply, error) {
	e, err := s.readExport(ctx, rq, s.db)
	if err != nil {
		return reply{}, err
	}
	files, err := s.db.AccountExportFiles(ctx, rq.creditor.ID, []int64{e.ID})
	if err != nil {
		return reply{}, err
	}
	for _, f := range files[e.ID] {
		if string(f.Form) != rq.r.PathValue("format") {
			continue
		}
		kept, err := s.cfg.Accounts.Open(f)
		if err != nil {
			return reply{}, err
		}
		a := reply{status: http.StatusOK, contentType: accounts.MediaType(f.Form), file: kept}
		a.set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s"`, accounts.FileName(e, f.Form)))
		return a, nil
	}
	return reply{}, models.NotFound("page")
}
