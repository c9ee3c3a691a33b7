package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"

	"purr/api/guard"
	"purr/console/locale"
	"purr/models"
	"purr/ocr"
	"purr/store"
)

func (s *Server) bankFileRoutes() []route {
	return []route{
		{path: "/c/{creditor}/bank/files", area: "bank", get: s.filesPage, csv: s.filesCSV, post: s.importFile, scope: models.ScopeWrite, long: true},
		{path: "/c/{creditor}/bank/files/{file}", area: "bank", get: s.filePage},
		{path: "/c/{creditor}/bank/files/{file}/raw", area: "bank", get: s.rawFile, long: true},
		{path: "/c/{creditor}/bank/statement", area: "bank", get: s.bankStatementPage, csv: s.bankStatementCSV},
	}
}

// filesPage lists the payment files, the newest first, and takes another one.
type filesPage struct {
	view
	Files []fileRow
	Pager pager
}

// fileRow is a payment file with the creditor's part of it.
type fileRow struct {
	models.PaymentFile
	Part models.PaymentFilePart
}

func (s *Server) filesPage(ctx context.Context, rq *request) (reply, error) {
	p := &filesPage{view: rq.view("files.title")}
	before, err := rq.idOr("before", "")
	if err != nil {
		return reply{}, err
	}
	if p.Files, err = s.newestFiles(ctx, rq.creditor.ID, before, perPage+1); err != nil {
		return reply{}, err
	}
	p.Files = onPage(p.Files, &p.Pager, func(f fileRow) string { return rq.base + "/bank/files?before=" + toPath(f.ID) })
	if before != 0 {
		p.Pager.Previous = rq.base + "/bank/files"
	}
	sum, err := s.db.PaymentFileSum(ctx, rq.creditor.ID)
	if err != nil {
		return reply{}, err
	}
	p.Lead = rq.summed("files.lead", "files.lead_many", sum)
	return show("files", p)
}

func (s *Server) newestFiles(ctx context.Context, creditorID, before int64, limit int) ([]fileRow, error) {
	files, err := s.db.NewestPaymentFiles(ctx, creditorID, before, limit)
	if err != nil {
		return nil, err
	}
	parts, err := s.db.FilePartsOf(ctx, creditorID, files)
	if err != nil {
		return nil, err
	}
	rows := make([]fileRow, len(files))
	for i, f := range files {
		rows[i] = fileRow{f, parts[f.ID]}
	}
	return rows, nil
}

// importFile keeps a file that a person sends, and leads to its page, where the import is watched. The same form sent again
// leads to the same file; with another file it is refused.
func (s *Server) importFile(ctx context.Context, rq *request) (reply, error) {
	body, err := guard.Body(rq.w, rq.r, ocr.MaxFile+maxForm, "multipart/form-data")
	if err != nil {
		return reply{}, err
	}
	rq.r.Body = io.NopCloser(body)
	parts, err := rq.r.MultipartReader()
	if err != nil {
		return reply{}, errBadForm()
	}
	kept, filename, err := rq.keepFile(ctx, parts)
	if err != nil {
		return reply{}, err
	}
	importer := s.cfg.Importer.By(rq.actor())
	file, err := importer.Receive(ctx, kept, ocr.Source{
		OwnerID: rq.creditor.ID, Filename: filename, Kind: ocr.FromConsole, Arrival: fmt.Sprintf("console %d %s", rq.creditor.ID, rq.once()),
	})
	if err != nil {
		return reply{}, err
	}
	if file.SHA256 != kept.SHA256 {
		return reply{}, errFormWasSent()
	}
	if file.UnderWay() {
		s.cfg.Background.Start(ctx, "importing a payment file", func(ctx context.Context) error {
			_, err := importer.Process(ctx, file.ID)
			return err
		})
	}
	return rq.to(rq.base + "/bank/files/" + toPath(file.ID)), nil
}

// keepFile reads the form, and keeps the bytes of its file in the archive as they come.
func (rq *request) keepFile(ctx context.Context, parts *multipart.Reader) (kept ocr.Kept, filename string, err error) {
	rq.form = url.Values{}
	for {
		part, err := parts.NextPart()
		switch {
		case errors.Is(err, io.EOF):
			return kept, "", models.Invalid("required", "file", "is required")
		case err != nil:
			return kept, "", guard.BrokenBody(err)
		case part.FormName() != "file":
			value, err := io.ReadAll(io.LimitReader(part, maxOpenForm))
			if err != nil {
				return kept, "", guard.BrokenBody(err)
			}
			rq.form.Add(part.FormName(), string(value))
			continue
		case part.FileName() == "":
			return kept, "", models.Invalid("required", "file", "is required")
		}
		broken := &brokenOff{r: part}
		kept, err := rq.s.cfg.Importer.Keep(ctx, broken)
		if broken.err != nil {
			err = guard.BrokenBody(broken.err)
		}
		if err != nil {
			return ocr.Kept{}, "", err
		}
		return kept, part.FileName(), nil
	}
}

// brokenOff reads what a browser sends, and keeps the error that broke it off.
type brokenOff struct {
	r   io.Reader
	err error
}

func (b *brokenOff) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.err = err
	}
	return n, err
}

// filePage is one payment file: how far it has come, its totals, its faults.
type filePage struct {
	view
	File   fileRow
	Totals []fileTotal
	Whole  bool // the creditor may see all of its bytes
}

// Format names the file's format as banks do, nothing where it has none.
func (p *filePage) Format() string {
	if name := "format." + p.File.Format; p.rq.words.Knows(name) {
		return p.rq.words.Say(name)
	}
	return p.File.Format
}

// Findings returns what is wrong or unusual in the file, in the reader's language (rule N13).
func (p *filePage) Findings(found models.FileFindings) (all []locale.Finding) {
	for _, f := range found {
		all = append(all, p.rq.words.Finding(f))
	}
	return all
}

// fileTotal is a row of a file's totals.
type fileTotal struct {
	Label  string
	Number int
	Amount models.Amount
}

// filePage shows a file; with ?part=progress it says how far the import has come, as JSON.
func (s *Server) filePage(ctx context.Context, rq *request) (reply, error) {
	file, err := s.fileInPath(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	text := rq.words.Say("files.progress", "n", file.LinesDone)
	if rq.query("part") == "progress" {
		return progress(text, int64(file.LinesDone), 0, !file.UnderWay())
	}
	p := &filePage{view: rq.view("files.nameless", "id", toPath(file.ID))}
	if file.Filename != "" {
		p.view = rq.view("files.file", "name", models.Shorten(file.Filename, 200))
	}
	parts, err := s.db.FilePartsOf(ctx, rq.creditor.ID, []models.PaymentFile{file})
	if err != nil {
		return reply{}, err
	}
	p.File = fileRow{file, parts[file.ID]}
	if p.Whole, err = ocr.SeesWhole(ctx, s.db, rq.creditor.ID, file); err != nil {
		return reply{}, err
	}
	p.Lead = rq.words.SayHTML("files.came", "state", rq.words.Say("file_state."+string(file.State)), "at", locale.Moment(file.ReceivedAt, rq.zone))
	if file.UnderWay() {
		p.Lead = rq.words.SayHTML("files.under_way")
		return show("file_under_way", p)
	}
	p.Totals = rq.totalsOf(p.File.Part)
	return show("file", p)
}

// fileInPath returns the file in the path, if the creditor may see it. While it is under way, only its owner does.
func (s *Server) fileInPath(ctx context.Context, rq *request) (models.PaymentFile, error) {
	id, err := rq.pathID("file")
	if err != nil {
		return models.PaymentFile{}, err
	}
	file, err := s.db.PaymentFileOf(ctx, rq.creditor.ID, id)
	if err == nil && file.UnderWay() && file.OwnerID != rq.creditor.ID {
		err = models.NotFound("payment file")
	}
	return file, err
}

func (rq *request) totalsOf(part models.PaymentFilePart) []fileTotal {
	return []fileTotal{
		{rq.words.Say("files.matched"), part.Matched, part.MatchedAmount},
		{rq.words.Say("files.unmatched"), part.Unmatched, part.UnmatchedAmount},
		{rq.words.Say("files.duplicates"), part.Duplicates, part.DuplicatesAmount},
		{rq.words.Say("files.ignored"), part.Ignored, part.IgnoredAmount},
	}
}

// rawFile answers with the bytes of a file as they came, if no other creditor has a part in it.
func (s *Server) rawFile(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("file")
	if err != nil {
		return reply{}, err
	}
	file, err := s.db.PaymentFileOf(ctx, rq.creditor.ID, id)
	if err != nil {
		return reply{}, err
	}
	whole, err := ocr.SeesWhole(ctx, s.db, rq.creditor.ID, file)
	if err != nil {
		return reply{}, err
	}
	if !whole {
		return reply{}, models.NotFound("payment file of this creditor alone")
	}
	raw, err := s.cfg.Importer.Raw(file)
	if err != nil {
		return reply{}, err
	}
	a := reply{status: http.StatusOK, contentType: "application/octet-stream", file: raw}
	a.set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": ocr.RawName(file)}))
	return a, nil
}

// bankStatementPage lists the lines of the bank's statement, the newest first.
type bankStatementPage struct {
	view
	Lines []models.StatementLine
	Pager pager
}

// statementFilter reads which lines are asked for.
func (rq *request) statementFilter() (f store.StatementFilter, err error) {
	if f.Dates, err = rq.days(store.Dates{}); err != nil {
		return f, err
	}
	f.Account = locale.Decimal(rq.query("account"))
	return f, nil
}

func (s *Server) bankStatementPage(ctx context.Context, rq *request) (reply, error) {
	p := &bankStatementPage{view: rq.view("statement_lines.title")}
	f, err := rq.statementFilter()
	if err != nil {
		return reply{}, err
	}
	after, err := rq.idOr("after", "") // how many pages come before this one
	if err != nil || after > 1<<30 {
		return reply{}, models.NotFound("page")
	}
	page := store.Page{Number: 1, Size: perPage}
	first, total, err := s.db.StatementLines(ctx, rq.creditor.ID, f, page)
	if err != nil {
		return reply{}, err
	}
	sum, err := s.db.StatementSum(ctx, rq.creditor.ID, f)
	if err != nil {
		return reply{}, err
	}
	p.Lead = rq.summed("statement_lines.lead", "statement_lines.lead_many", sum)
	page.Number = int(page.Pages(total) - after) // the store lists them the oldest first
	switch {
	case page.Number < 1:
		return reply{}, models.NotFound("page")
	case page.Number > 1:
		if first, _, err = s.db.StatementLines(ctx, rq.creditor.ID, f, page); err != nil {
			return reply{}, err
		}
		p.Pager.Next = p.With("after", toPath(after+1))
	}
	if after == 1 {
		p.Pager.Previous = p.With("after", "")
	} else if after > 1 {
		p.Pager.Previous = p.With("after", toPath(after-1))
	}
	for i := range first {
		p.Lines = append(p.Lines, first[len(first)-1-i])
	}
	return show("statement_lines", p)
}

// bankStatementCSV answers with the lines in the form that the API gives them, or as Norwegian spreadsheets open them.
func (s *Server) bankStatementCSV(ctx context.Context, rq *request) (reply, error) {
	f, err := rq.statementFilter()
	if err != nil {
		return reply{}, err
	}
	header := []string{
		rq.words.Say("bank.date"), rq.words.Say("statement_lines.account"), rq.words.Say("statement_lines.reference"), rq.words.Say("bank.file"), rq.words.Say("statement_lines.transactions"), rq.words.Say("bank.amount"),
		rq.words.Say("files.matched"), rq.words.Say("statement_lines.matched_amount"), rq.words.Say("files.unmatched"), rq.words.Say("statement_lines.unmatched_amount"),
		rq.words.Say("files.duplicates"), rq.words.Say("statement_lines.duplicates_amount"),
	}
	return rq.csv("statement", header, func(write func(values ...any) error) error {
		return s.db.EachStatementLine(ctx, rq.creditor.ID, f, func(l models.StatementLine) error {
			return write(l.TransactionDate.String(), l.Account, l.Reference, l.PaymentFileID, l.Transactions, l.Amount,
				l.Matched, l.MatchedAmount, l.Unmatched, l.UnmatchedAmount, l.Duplicates, l.DuplicatesAmount)
		})
	})
}
