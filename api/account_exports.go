package api

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"strings"

	"purr/api/form"
	"purr/api/once"
	"purr/ledger/accounts"
	"purr/models"
	"purr/store"
)

// accountExportXML is the journal of a period as it was handed over to the accounts (rule A1).
type accountExportXML struct {
	XMLName   xml.Name               `xml:"account_export"`
	URI       string                 `xml:"uri,attr"`
	Number    int64                  `xml:"number"`
	From      models.Date            `xml:"from"`
	To        models.Date            `xml:"to"`
	Vouchers  int                    `xml:"vouchers"`
	Debit     models.Amount          `xml:"debit"`
	Opening   models.Amount          `xml:"opening_balance"`
	Closing   models.Amount          `xml:"closing_balance"`
	Series    []voucherSeriesXML     `xml:"voucher_numbers"`
	Sums      []accountSumXML        `xml:"account_sum"`
	Files     []accountExportFileXML `xml:"file"`
	MadeBy    string                 `xml:"made_by"`
	CreatedAt string                 `xml:"created_at"`
}

type voucherSeriesXML struct {
	Year  int   `xml:"year,attr"`
	First int64 `xml:"first,attr"`
	Last  int64 `xml:"last,attr"`
}

type accountSumXML struct {
	Account string        `xml:"account,attr"`
	Debit   models.Amount `xml:"debit,attr"`
	Credit  models.Amount `xml:"credit,attr"`
}

type accountExportFileXML struct {
	Form   models.AccountForm `xml:"format,attr"`
	Size   int64              `xml:"size,attr"`
	SHA256 string             `xml:"sha256,attr"`
}

func (rq *request) accountExport(e models.AccountExport, files []models.AccountExportFile) accountExportXML {
	x := accountExportXML{
		URI: rq.uri("account_export", e.ID), Number: e.Number, From: e.From, To: e.To, Vouchers: e.Vouchers, Debit: e.Debit,
		Opening: e.Opening, Closing: e.Closing, MadeBy: e.MadeBy, CreatedAt: rq.stamp(e.CreatedAt),
	}
	for _, s := range e.Series {
		x.Series = append(x.Series, voucherSeriesXML(s))
	}
	for _, s := range e.Sums {
		x.Sums = append(x.Sums, accountSumXML(s))
	}
	for _, f := range files {
		x.Files = append(x.Files, accountExportFileXML{f.Form, f.Size, f.SHA256})
	}
	return x
}

// listAccountExports lists the journals that were handed over.
func (s *Server) listAccountExports(ctx context.Context, rq *request) (answer, error) {
	var files map[int64][]models.AccountExportFile
	show := func(e models.AccountExport) accountExportXML { return rq.accountExport(e, files[e.ID]) }
	return listed("account_exports", rq.query(), show, func(p store.Page) (found []models.AccountExport, total int64, err error) {
		if found, total, err = s.db.AccountExports(ctx, rq.creditor.ID, p); err != nil {
			return nil, 0, err
		}
		ids := make([]int64, len(found))
		for n, e := range found {
			ids[n] = e.ID
		}
		files, err = s.db.AccountExportFiles(ctx, rq.creditor.ID, ids)
		return found, total, err
	})
}

// accountExportDetail shows one of them.
func (rq *request) accountExportDetail(ctx context.Context, v store.View, e models.AccountExport) (accountExportXML, error) {
	files, err := v.AccountExportFiles(ctx, rq.creditor.ID, []int64{e.ID})
	if err != nil {
		return accountExportXML{}, err
	}
	return rq.accountExport(e, files[e.ID]), nil
}

// makeAccountExport hands the journal of a period over in a form. It is made once: the answer to the same request names the same file.
func (s *Server) makeAccountExport(ctx context.Context, rq *request, body form.Body, key *once.Key) (answer, error) {
	f, err := form.Parse(body, "account_export")
	if err != nil {
		return answer{}, err
	}
	var r accounts.Request
	r.From, _ = f.Date("from")
	r.To, _ = f.Date("to")
	format, sent := f.Token("format")
	if !sent {
		format = string(models.FormCSV)
	}
	r.Form = models.AccountForm(format)
	if err := f.Done(faultsOf(r.Validate(rq.creditor, s.db.Now()))); err != nil {
		return answer{}, err
	}
	return s.leased(ctx, rq, key, func(string) (answer, error) {
		made, err := s.cfg.Accounts.Make(ctx, rq.creditor, r, rq.actor())
		if err != nil {
			return answer{}, err
		}
		files, err := s.db.AccountExportFiles(ctx, rq.creditor.ID, []int64{made.Export.ID})
		if err != nil {
			return answer{}, err
		}
		shown := rq.accountExport(made.Export, files[made.Export.ID])
		return rq.created(shown.URI, shown)
	})
}

// accountExportFile answers with the file of the export in the path, in the form of the query.
func (s *Server) accountExportFile(ctx context.Context, rq *request) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	q := rq.query()
	format, sent := q.text("format")
	if !sent {
		format = string(models.FormCSV)
	}
	if _, known := models.ParseAccountForm(format); !known {
		q.fault("unknown_format", "format", "must be one of "+accounts.FormNames())
	}
	if err := q.done(); err != nil {
		return answer{}, err
	}
	e, err := s.db.AccountExport(ctx, rq.creditor.ID, id)
	if err != nil {
		return answer{}, err
	}
	files, err := s.db.AccountExportFiles(ctx, rq.creditor.ID, []int64{id})
	if err != nil {
		return answer{}, err
	}
	for _, f := range files[id] {
		if string(f.Form) == format {
			return s.keptExport(e, f)
		}
	}
	return answer{}, models.NotFound("file of the export in that format: POST its days and the format to make it")
}

func (s *Server) keptExport(e models.AccountExport, f models.AccountExportFile) (answer, error) {
	var kept io.ReadCloser
	kept, err := s.cfg.Accounts.Open(f)
	if err != nil {
		return answer{}, err
	}
	header := http.Header{
		"Content-Disposition": {fmt.Sprintf(`attachment; filename="%s"`, accounts.FileName(e, f.Form))},
	}
	return answer{status: http.StatusOK, contentType: accounts.MediaType(f.Form), header: header, file: kept, size: f.Size}, nil
}

// readAccountPlan returns the account plan in the request. Without any rows the default stands again. It tells all faults, each at its
// element.
func readAccountPlan(plan *form.Element) (p models.AccountPlan) {
	attr := func(e *form.Element, name string) string {
		text, _ := e.Attr(name)
		return text
	}
	kinds, sales, codes, groupings := plan.Each("account"), plan.Each("sales"), plan.Each("receiver"), plan.Each("grouping")
	for _, e := range kinds {
		p.Kinds = append(p.Kinds, models.KindAccount{Kind: models.AccountKind(attr(e, "kind")), Account: attr(e, "number"), VATCode: attr(e, "vat_code")})
	}
	for _, e := range sales {
		p.Sales = append(p.Sales, models.SalesAccount{
			Class: models.SalesClass(attr(e, "class")), Account: attr(e, "account"), VATAccount: attr(e, "vat_account"), VATCode: attr(e, "vat_code"),
		})
	}
	for _, e := range codes {
		p.Receivers = append(p.Receivers, models.ReceiverCode{Receiver: attr(e, "name"), Class: models.SalesClass(attr(e, "class")), VATCode: attr(e, "vat_code")})
	}
	for _, e := range groupings {
		p.Groupings = append(p.Groupings, models.AccountGrouping{Account: attr(e, "account"), Category: attr(e, "category"), Code: attr(e, "code")})
	}
	wrong := p.Faults()
	for _, f := range wrong.Whole {
		plan.Fault("", f.Code, "%s", f.Msg)
	}
	tell := func(at []*form.Element, faults []models.Errors) {
		for i, of := range faults {
			if len(of) == 0 {
				continue
			}
			var all []string // a place has one fault, and an attribute has no place of its own
			for _, f := range of {
				all = append(all, fmt.Sprintf("the attribute %s %s", f.Place, f.Msg))
			}
			at[i].Fault("", of[0].Code, "%s", strings.Join(all, "; "))
		}
	}
	tell(kinds, wrong.Kinds)
	tell(sales, wrong.Sales)
	tell(codes, wrong.Receivers)
	tell(groupings, wrong.Groupings)
	return p
}
