package api

import (
	"context"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"purr/api/form"
	"purr/billing"
	"purr/documents"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// adoptInvoice follows an invoice of another system (rule L17).
func (s *Server) adoptInvoice(ctx context.Context, rq *request, _ int64, body form.Body) (effect, error) {
	f, err := form.Parse(body, "adopted_invoice")
	if err != nil {
		return nil, err
	}
	f.Require("invoice_number", "issue_date", "due_date", "gross_amount", "balance", "kid")
	a := rq.readAdoption(f)
	a.CustomerID, a.NewCustomer = rq.readRecipient(f)
	pdf := readPDF(f)
	if err := f.Done(a.Validate(rq.creditor, rq.today())); err != nil {
		return nil, err
	}
	if len(pdf) > 0 {
		if a.PDF, err = s.cfg.Documents.Keep(ctx, pdf); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		made, err := billing.Adopt(ctx, tx, rq.creditor.ID, []billing.Adoption{a})
		if err != nil {
			return answer{}, err
		}
		if made[0].Err != nil {
			return answer{}, made[0].Err
		}
		shown, err := rq.invoiceDetail(ctx, tx.View(), made[0].Invoice)
		if err != nil {
			return answer{}, err
		}
		return rq.created(shown.URI, shown)
	}, nil
}

// readAdoption reads the body of an invoice that is to be adopted, without its recipient and its PDF.
func (rq *request) readAdoption(f *form.Form) billing.Adoption {
	a := billing.Adoption{Actor: rq.actor()}
	a.Number = readNumber(f)
	a.IssueDate, _ = f.Date("issue_date")
	a.DueDate, _ = f.Date("due_date")
	a.Gross, _ = f.Amount("gross_amount")
	a.Balance, _ = f.Amount("balance")
	a.Currency, _ = f.Token("currency")
	a.KID, _ = f.Token("kid")
	a.BankAccount, _ = f.Token("bank_account")
	a.Note, _ = f.Text("invoice_note")
	a.Order = readReferences(f)
	if f.Child("lines") != nil {
		a.Lines = readLines(f)
	}
	for _, e := range f.Child("notices").Each("notice") {
		var n billing.AdoptedNotice
		e.Require("issue_date", "due_date")
		n.IssueDate, _ = e.Date("issue_date")
		n.DueDate, _ = e.Date("due_date")
		n.Warning, _ = e.Flag("is_incasso_notice")
		n.Charge, _ = e.Amount("charge")
		n.Interest, _ = e.Amount("interest")
		a.Notices = append(a.Notices, n)
	}
	return a
}

// readNumber reads the number of an invoice that another system has issued.
func readNumber(f *form.Form) int64 {
	text, sent := f.Token("invoice_number")
	number, err := strconv.ParseUint(text, 10, 63)
	if sent && (err != nil || len(text) > 12) {
		f.Fault("invoice_number", "invalid_number", "must be at most 12 digits")
	}
	return int64(number) //nolint:gosec // of 63 bits
}

// readPDF reads the PDF that an adopted invoice comes with.
func readPDF(f *form.Form) []byte {
	text, _ := f.Text("pdf")
	content, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err == nil && len(content) > 0 {
		err = documents.CheckPDF(content)
	}
	fault, is := errors.AsType[*models.Error](err)
	switch {
	case is:
		f.Fault("pdf", fault.Code, "%s", fault.Msg)
	case err != nil:
		f.Fault("pdf", "invalid_pdf", "must be base64")
	}
	return content
}

// tellBalance books what the system that issued an adopted invoice says is owed of it now (rule L17a). The invoice is the one with the
// number in the path. What else the body holds, such as that of the POST, must be of the same invoice; it changes nothing.
func tellBalance(rq *request, number int64, body form.Body) (act, error) {
	f, err := form.Parse(body, "adopted_invoice")
	if err != nil {
		return nil, err
	}
	f.Require("balance")
	same := rq.readAdoption(f)
	if f.Child("recipient") != nil {
		rq.readRecipient(f)
	}
	readPDF(f)
	told := ledger.Told{Number: number, Balance: same.Balance, Actor: rq.actor()}
	if err := f.Done(nil); err != nil {
		return nil, err
	}
	return rq.onInvoice(func(ctx context.Context, tx *store.Tx) (models.Invoice, error) {
		i, err := tx.InvoiceByNumber(ctx, rq.creditor.ID, number)
		if err != nil {
			return models.Invoice{}, err
		}
		if err := differences(same, i).ErrorOrNil(); err != nil {
			return models.Invoice{}, err
		}
		change, err := ledger.TellBalance(ctx, tx, rq.creditor.ID, told)
		if err != nil {
			return models.Invoice{}, err
		}
		if err := change.Refusal(); err != nil {
			return models.Invoice{}, err
		}
		return tx.InvoiceByNumber(ctx, rq.creditor.ID, number)
	}), nil
}

// differences returns what a body says of an invoice that is not so. Zero values were not sent.
func differences(said billing.Adoption, i models.Invoice) (faults models.Errors) {
	for _, of := range []struct {
		name  string
		other bool
		has   any
	}{
		{"invoice_number", said.Number != 0 && said.Number != i.Number, i.Number},
		{"issue_date", said.IssueDate != 0 && said.IssueDate != i.IssueDate, i.IssueDate},
		{"due_date", said.DueDate != 0 && said.DueDate != i.DueDate, i.DueDate},
		{"gross_amount", said.Gross != 0 && said.Gross != i.Gross, i.Gross},
		{"kid", said.KID != "" && said.KID != i.KID, i.KID},
	} {
		if of.other {
			faults.Add("differs", of.name, "is %v", of.has)
		}
	}
	return faults
}
