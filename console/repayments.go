package console

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"strings"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

func (s *Server) repaymentRoutes() []route {
	const file = "/c/{creditor}/money/repayments/file/{id}"
	return []route{
		{path: "/c/{creditor}/money/repayments", area: "money", get: s.repaymentsPage, csv: s.repaymentsCSV},
		{path: "/c/{creditor}/money/repayments/file", area: "money", post: s.makeRepaymentFile, again: s.repaymentsPage, scope: models.ScopeWrite},
		{path: "/c/{creditor}/money/repayments/{id}/withdraw", area: "money", post: s.withdrawRepayment, again: s.repaymentsPage, scope: models.ScopeWrite},
		{path: file + "/pain", area: "money", get: s.repaymentFile("xml", func(b models.RepaymentFileBytes) []byte { return b.Pain })},
		{path: file + "/csv", area: "money", get: s.repaymentFile("csv", func(b models.RepaymentFileBytes) []byte { return b.CSV })},
		{path: file + "/paid", area: "money", get: s.paidPage, post: s.payRepaymentFile, scope: models.ScopeWrite},
		{path: file + "/unpaid", area: "money", post: s.unpayRepaymentFile, again: s.repaymentsPage, scope: models.ScopeWrite},
		{path: file + "/withdraw", area: "money", post: s.withdrawRepaymentFile, again: s.repaymentsPage, scope: models.ScopeWrite},
	}
}

// repaymentsPage lists the repayments, the newest first, and the newest files (rule N12).
type repaymentsPage struct {
	view
	State     models.RepaymentState // that the list is narrowed to
	Waiting   int64
	Sum       models.Amount // of what waits
	Rows      []repaymentRow
	Files     []models.RepaymentFile
	FilesLead template.HTML // the number of all files, and their sum
	Pager     pager
	SeenQueue models.Seen
}

// repaymentRow is a repayment with its customer and its file.
type repaymentRow struct {
	models.Repayment
	Customer models.Customer
	File     models.RepaymentFile
}

// filesShown is how many files the page shows.
const filesShown = 20

func (s *Server) repaymentsPage(ctx context.Context, rq *request) (reply, error) {
	p := &repaymentsPage{view: rq.view("repayments.title"), State: models.RepaymentWaiting}
	if state, known := models.ParseRepaymentState(rq.query("status")); known {
		p.State = state
	}
	page := store.Page{Number: rq.pageNumber(), Size: perPage}
	if err := s.db.View(ctx, func(v store.View) error { return p.read(ctx, v, page) }); err != nil {
		return reply{}, err
	}
	return show("money_repayments", p)
}

func (p *repaymentsPage) read(ctx context.Context, v store.View, page store.Page) error {
	of := p.Creditor.ID
	rs, total, sum, err := v.NewestRepayments(ctx, of, store.RepaymentFilter{State: p.State}, page)
	if err != nil {
		return err
	}
	p.Pager = p.pages(page, total)
	p.Lead = p.rq.words.SayHTML("repayments.lead."+string(p.State), "n", total, "sum", sum)
	if p.State == models.RepaymentWaiting {
		p.Waiting, p.Sum = total, sum
	}
	if p.Rows, err = repaymentRows(ctx, v, of, rs); err != nil {
		return err
	}
	if p.Files, err = v.NewestRepaymentFiles(ctx, of, filesShown); err != nil {
		return err
	}
	if len(p.Files) > 0 {
		files, err := v.RepaymentFileSum(ctx, of)
		if err != nil {
			return err
		}
		p.FilesLead = p.rq.summed("repayments.files_lead", "repayments.files_lead_many", files)
	}
	things := []models.Thing{{Kind: models.ThingWaiting, ID: of}}
	for _, f := range p.Files {
		things = append(things, models.Thing{Kind: models.ThingRepaid, ID: f.ID})
	}
	return p.lookAt(ctx, v, things...)
}

// repaymentRows adds to repayments their customers and files.
func repaymentRows(ctx context.Context, v store.View, creditorID int64, rs []models.Repayment) ([]repaymentRow, error) {
	customerIDs, fileIDs := make([]int64, len(rs)), make([]int64, len(rs))
	for n, r := range rs {
		customerIDs[n], fileIDs[n] = r.CustomerID, r.FileID
	}
	customers, err := v.CustomersByID(ctx, creditorID, customerIDs)
	if err != nil {
		return nil, err
	}
	files, err := v.RepaymentFilesByID(ctx, creditorID, fileIDs)
	if err != nil {
		return nil, err
	}
	all := make([]repaymentRow, len(rs))
	for n, r := range rs {
		all[n] = repaymentRow{r, customers[r.CustomerID], files[r.FileID]}
	}
	return all, nil
}

// repaymentsCSV answers with all repayments of the state that the URL names.
func (s *Server) repaymentsCSV(_ context.Context, rq *request) (reply, error) {
	filter := store.RepaymentFilter{State: models.RepaymentWaiting}
	if state, known := models.ParseRepaymentState(rq.query("status")); known {
		filter.State = state
	}
	header := rq.words.Header("repayments.id", "customers.id", "customers.number", "customers.name", "repayments.account", "repayments.amount",
		"repayments.state", "repayments.file", "repayments.paid_on", "repayments.by")
	return rq.csv("repayments", header, func(write func(values ...any) error) error {
		for page := (store.Page{Number: 1, Size: csvBatch}); ; page.Number++ {
			var rows []repaymentRow
			var total int64
			err := s.db.View(rq.r.Context(), func(v store.View) error {
				rs, n, _, err := v.NewestRepayments(rq.r.Context(), rq.creditor.ID, filter, page)
				if err != nil {
					return err
				}
				total = n
				rows, err = repaymentRows(rq.r.Context(), v, rq.creditor.ID, rs)
				return err
			})
			if err != nil {
				return err
			}
			for _, r := range rows {
				to, number := r.Customer.Recipient, ""
				if r.File.ID != 0 {
					number = toPath(r.File.Number)
				}
				state := rq.words.Say("repayments.state." + string(r.State))
				if err := write(r.ID, r.CustomerID, to.CustomerNumber, to.Name1, r.Account, r.Amount, state, number, r.PaidOn, rq.words.Actor(r.OrderedBy)); err != nil {
					return err
				}
			}
			if int64(page.Number) >= page.Pages(total) {
				return nil
			}
		}
	})
}

// makeRepaymentFile puts what waits into a file for the bank.
func (s *Server) makeRepaymentFile(ctx context.Context, rq *request) (reply, error) {
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		made, err := ledger.MakeRepaymentFile(ctx, tx, rq.creditor.ID, rq.today(), rq.actor(), rq.surelySeen())
		if err != nil {
			return done{}, err
		}
		var stopped models.Amount
		for _, r := range made.Stopped {
			stopped += r.Amount
		}
		said := rq.said("repayments.nothing")
		if f := made.File; f.ID != 0 {
			said, err = rq.undoable(rq.ofRepaymentFile(f.ID, "/withdraw"), "repayments.made", "number", toPath(f.Number), "n", f.Transactions, "sum", f.Amount).
				undoes(ctx, tx, rq.creditor.ID, models.ThingRepaid, f.ID)
			if err != nil {
				return done{}, err
			}
		}
		if len(made.Stopped) > 0 {
			said.Text += " " + rq.words.Say("repayments.stopped", "n", len(made.Stopped), "sum", stopped)
		}
		return done{to: rq.base + "/money/repayments", message: said}, nil
	})
}

// ofRepaymentFile returns the path of an act on a file of repayments.
func (rq *request) ofRepaymentFile(id int64, act string) string {
	return rq.base + "/money/repayments/file/" + toPath(id) + act
}

// withdrawRepayment takes a repayment back that is in no file yet.
func (s *Server) withdrawRepayment(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("id")
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		r, err := ledger.WithdrawRepayment(ctx, tx, rq.creditor.ID, id, rq.actor(), models.RepaymentState(rq.surelySeen()))
		if err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.base + "/money/repayments"), message: rq.said("repayments.withdrawn", "amount", r.Amount)}, nil
	})
}

// paidPage asks on which day the bank has paid a file.
type paidPage struct {
	view
	Today models.Date
	File  models.RepaymentFile
	Seen  models.Seen
}

func (s *Server) paidPage(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("id")
	if err != nil {
		return reply{}, err
	}
	f, err := s.db.RepaymentFile(ctx, rq.creditor.ID, id)
	if err != nil {
		return reply{}, err
	}
	p := &paidPage{view: rq.view("repayments.pay", "number", toPath(f.Number)), Today: rq.today(), File: f}
	p.Lead = rq.words.SayHTML("repayments.pay_lead", "n", f.Transactions, "sum", f.Amount)
	if p.Seen, err = s.db.Look(ctx, rq.creditor.ID, models.Thing{Kind: models.ThingRepaid, ID: id}); err != nil {
		return reply{}, err
	}
	return show("repayment_paid", p)
}

// payRepaymentFile posts that the bank has paid a file. Its undo takes that back.
func (s *Server) payRepaymentFile(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	paidOn := f.date("paid_on")
	if f.text("paid_on") == "" {
		f.faults.Add("required", "paid_on", "is required")
	}
	if err := f.done(nil); err != nil {
		return reply{}, err
	}
	return rq.onRepaymentFile(ctx, func(ctx context.Context, tx *store.Tx, id int64) (message, error) {
		file, err := ledger.PayRepaymentFile(ctx, tx, rq.creditor.ID, id, paidOn, rq.today(), rq.actor(), rq.surelySeen())
		if err != nil {
			return message{}, err
		}
		return rq.undoable(rq.ofRepaymentFile(id, "/unpaid"), "repayments.paid", "number", toPath(file.Number), "sum", file.Amount).
			undoes(ctx, tx, rq.creditor.ID, models.ThingRepaid, id)
	})
}

// unpayRepaymentFile takes back that the bank has paid a file.
func (s *Server) unpayRepaymentFile(ctx context.Context, rq *request) (reply, error) {
	return rq.onRepaymentFile(ctx, func(ctx context.Context, tx *store.Tx, id int64) (message, error) {
		file, err := ledger.UnpayRepaymentFile(ctx, tx, rq.creditor.ID, id, rq.today(), rq.actor(), rq.surelySeen())
		if err != nil {
			return message{}, err
		}
		return rq.said("repayments.unpaid", "number", toPath(file.Number)), nil
	})
}

// withdrawRepaymentFile withdraws a file that the bank did not take.
func (s *Server) withdrawRepaymentFile(ctx context.Context, rq *request) (reply, error) {
	return rq.onRepaymentFile(ctx, func(ctx context.Context, tx *store.Tx, id int64) (message, error) {
		file, err := ledger.WithdrawRepaymentFile(ctx, tx, rq.creditor.ID, id, rq.actor(), rq.surelySeen())
		if err != nil {
			return message{}, err
		}
		return rq.said("repayments.file_withdrawn", "number", toPath(file.Number)), nil
	})
}

// onRepaymentFile does an act on the file in the path, and leads back to the list.
func (rq *request) onRepaymentFile(ctx context.Context, do func(ctx context.Context, tx *store.Tx, id int64) (message, error)) (reply, error) {
	id, err := rq.pathID("id")
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		said, err := do(ctx, tx, id)
		if err != nil {
			return done{}, err
		}
		return done{to: rq.base + "/money/repayments", message: said}, nil
	})
}

// repaymentFile answers with the bytes of a file, as they were made.
func (s *Server) repaymentFile(suffix string, of func(models.RepaymentFileBytes) []byte) handler {
	return func(ctx context.Context, rq *request) (reply, error) {
		id, err := rq.pathID("id")
		if err != nil {
			return reply{}, err
		}
		f, err := s.db.RepaymentFile(ctx, rq.creditor.ID, id)
		if err != nil {
			return reply{}, err
		}
		kept, err := s.db.RepaymentFileBytes(ctx, rq.creditor.ID, id)
		if err != nil {
			return reply{}, err
		}
		a := reply{status: http.StatusOK, contentType: "application/octet-stream", file: io.NopCloser(bytes.NewReader(of(kept)))}
		a.set("Content-Disposition", fmt.Sprintf(`attachment; filename="repayments-%d.%s"`, f.Number, suffix))
		return a, nil
	}
}

// accountTyped returns an account as people write it, with blanks or points, as its digits.
func accountTyped(text string) string {
	return strings.NewReplacer(" ", "", ".", "", "\u00A0", "").Replace(text)
}
