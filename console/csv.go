package console

import (
	"context"
	"encoding/csv"
	"fmt"
	"html"
	"html/template"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"purr/dunning"
	"purr/models"
	"purr/store"
)

// csv answers with a list as a CSV file, which is written while it is read, so that memory stays flat. each calls write with
// the values of each row: texts, amounts, dates, numbers. For Norwegian readers the file is as their spreadsheets open it:
// semicolons, a decimal comma, a byte order mark. With ?format=en it has commas and points. A route's csv calls it.
func (rq *request) csv(name string, header []string, each func(write func(values ...any) error) error) (reply, error) {
	from, to := io.Pipe()
	go func() {
		defer func() {
			if p := recover(); p != nil {
				to.CloseWithError(fmt.Errorf("panic: %v", p))
			}
		}()
		english := rq.query("format") == "en"
		if !english {
			if _, err := io.WriteString(to, "\uFEFF"); err != nil {
				return // the browser is gone
			}
		}
		err := writeCSV(to, english, header, each)
		if err != nil {
			rq.s.cfg.Log.Warn("a CSV file broke off", "id", rq.id, "error", err)
		}
		to.CloseWithError(err)
	}()
	a := reply{status: http.StatusOK, contentType: "text/csv; charset=utf-8", file: from}
	a.set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s.csv"`, name))
	return a, nil
}

// writeCSV writes the rows until one of them fails.
func writeCSV(to io.Writer, english bool, header []string, each func(write func(values ...any) error) error) error {
	out := csv.NewWriter(to)
	defer out.Flush()
	if !english {
		out.Comma = ';'
	}
	if err := out.Write(header); err != nil {
		return err
	}
	return each(func(values ...any) error {
		cells := make([]string, len(values))
		for i, v := range values {
			cells[i] = cell(v, english)
		}
		return out.Write(cells)
	})
}

// cell returns a value as a cell. A text that a spreadsheet would take for a formula is disarmed.
func cell(v any, english bool) string {
	switch v := v.(type) {
	case models.Amount:
		if english {
			return v.String()
		}
		return models.GroupDigits(v.String(), "", ",")
	case string:
		return models.CSVCell(v)
	}
	return fmt.Sprint(v)
}

// plainText returns the text of HTML that sayHTML made: no elements but those of dates.
func plainText(h template.HTML) string {
	return html.UnescapeString(element.ReplaceAllString(string(h), ""))
}

var element = regexp.MustCompile("<[^>]*>")

// csvBatch is how many rows of a list are read at a time for its CSV file.
const csvBatch = 500

// bankCSV answers with all payments that wait, or with those that a person has matched or dismissed.
func (s *Server) bankCSV(ctx context.Context, rq *request) (reply, error) {
	done := rq.query("status") == "resolved"
	header := rq.words.Header("bank.date", "bank.from", "bank.account", "bank.amount", "bank.kid", "bank.text", "bank.reference", "bank.why", "bank.matched_with", "log.comment")
	return rq.csv("payments", header, func(write func(...any) error) error {
		for last := int64(0); ; {
			read := s.db.PaymentsToMatch
			if done {
				read = s.db.PaymentsDone
			}
			found, err := read(ctx, rq.creditor.ID, last, csvBatch)
			if err != nil || len(found) == 0 {
				return err
			}
			numbers, err := s.paidBy(ctx, rq, found)
			if err != nil {
				return err
			}
			for _, u := range found {
				invoices := strings.Trim(fmt.Sprint(slices.Compact(inOrder(u, numbers))), "[]")
				why := rq.words.Say("unmatched." + string(u.Reason))
				if err := write(u.TransactionDate, u.PayerName, u.FromAccountNumber, u.Amount, u.KID, u.Text, u.ArchiveReference, why, invoices, u.Comment); err != nil {
					return err
				}
				last = u.ID
			}
		}
	})
}

// filesCSV answers with all payment files, the newest first.
func (s *Server) filesCSV(ctx context.Context, rq *request) (reply, error) {
	header := append([]string{"id"}, rq.words.Header("files.received", "bank.file", "files.state", "files.payments", "bank.amount", "files.matched", "files.unmatched", "files.duplicates", "files.ignored")...)
	return rq.csv("payment-files", header, func(write func(...any) error) error {
		for before := int64(0); ; {
			found, err := s.newestFiles(ctx, rq.creditor.ID, before, csvBatch)
			if err != nil || len(found) == 0 {
				return err
			}
			for _, f := range found {
				of := f.Part
				err := write(f.ID, f.ReceivedAt.In(rq.zone).Format("2006-01-02 15:04:05"), f.Filename, rq.words.Say("file_state."+string(f.State)),
					of.Transactions, of.Amount, of.Matched, of.Unmatched, of.Duplicates, of.Ignored)
				if err != nil {
					return err
				}
				before = f.ID
			}
		}
	})
}

// lettersCSV answers with all e-mails and letters of a tab, the newest first.
func (s *Server) lettersCSV(ctx context.Context, rq *request) (reply, error) {
	tab := letterTabs[max(0, slices.IndexFunc(letterTabs, func(t letterTab) bool { return t.state == rq.query("state") }))]
	header := append([]string{"id"}, rq.words.Header("letters.when", "letters.document", "customers.name", "letters.to", "letters.how", "letters.state", "letters.fault", "letters.why")...)
	return rq.csv("letters", header, func(write func(...any) error) error {
		f := store.ShipmentFilter{States: tab.states, Pending: tab.state == letterTabs[0].state}
		for {
			found, err := s.db.NewestShipments(ctx, rq.creditor.ID, f, csvBatch)
			if err != nil || len(found) == 0 {
				return err
			}
			numbers, err := s.db.NumbersOf(ctx, found...)
			if err != nil {
				return err
			}
			slices.Reverse(found)
			for _, sent := range found {
				if err := write(rq.letterRow(sent, numbers[sent.Document()])...); err != nil {
					return err
				}
				f.Before = sent.ID
			}
		}
	})
}

func (rq *request) letterRow(s models.Shipment, number int64) []any {
	at := s.CreatedAt
	if s.SentAt != nil {
		at = *s.SentAt
	}
	say, fault := rq.words.Say, ""
	if f := s.Fault(); f != "" {
		fault = say("sending_fault." + string(f))
	}
	return []any{
		s.ID, at.In(rq.zone).Format("2006-01-02 15:04:05"), rq.nameOfShipment(s, number),
		s.Recipient.Name1, letter{Shipment: s}.Way(), say("letter_method." + string(s.Method)), say("letter_state." + string(s.State)), fault, s.Reason,
	}
}

// planCSV answers with the plan of a day: the steps, or what is left alone for a reason.
func (s *Server) planCSV(ctx context.Context, rq *request) (reply, error) {
	day, err := rq.planDay()
	if err != nil {
		return reply{}, err
	}
	plan, err := s.cfg.Outlook.Plan(ctx, rq.creditor, day)
	if err != nil {
		return reply{}, err
	}
	p := &dunningPage{view: rq.view("dunning.title")}
	header := rq.words.Header("dunning.invoice", "dunning.customer", "dunning.deadline", "dunning.step", "dunning.fee", "dunning.interest", "dunning.owed_then")
	return rq.csv("plan-"+day.String(), header, func(write func(...any) error) error {
		for _, l := range plan.Lines[dunning.Reason(rq.query("show"))] {
			if err := write(l.Number, l.Name, l.Deadline, p.StepName(l), l.Fee, l.Interest, l.Owed); err != nil {
				return err
			}
		}
		return nil
	})
}

// runsCSV answers with all dunning runs and missed dates, the newest first.
func (s *Server) runsCSV(ctx context.Context, rq *request) (reply, error) {
	header := rq.words.Header("runs.date", "runs.state", "runs.steps", "dunning.reminders", "dunning.warnings", "dunning.hand_overs", "dunning.fees", "dunning.interest", "runs.approved_by")
	return rq.csv("runs", header, func(write func(...any) error) error {
		for before := rq.today() + 1; ; {
			found, err := s.db.RunsBefore(ctx, rq.creditor.ID, models.RunDunning, before, csvBatch)
			if err != nil || len(found) == 0 {
				return err
			}
			for _, r := range found {
				err := write(r.BusinessDate, rq.words.Say("run.state."+string(r.State)), r.Done, r.Reminders, r.Warnings, r.HandOvers, r.Fees, r.Interest, rq.words.Actor(r.ApprovedBy))
				if err != nil {
					return err
				}
				before = r.BusinessDate
			}
		}
	})
}
