package audit

import (
	"errors"

	"purr/audit/kept"
	"purr/audit/reckoning"
	"purr/models"
	"purr/store/archive"
)

// Kept reads the bytes that are kept under a SHA-256. It fails with a *archive.Fault if they are lost or damaged.
type Kept func(sum string) ([]byte, error)

// kept asks whether the bytes of the letter that left say what the rows say (rule U3). A file that is lost, or that nobody can read any more, is
// unknown; one whose bytes are changed is a finding.
func (j *judge) kept() {
	n := j.notice
	sum := n.PDF
	if n.Letter != nil {
		sum = n.Letter.PDF
	}
	l := j.keptLetter()
	if file, is := j.readKept(sum); is {
		differences, err := l.InPDF(file)
		j.keptSays(differences, err, row("PDF of overdue_notices", n.ID), keptSum, keptDate, keptKID, keptAccount)
	}
	if n.Letter != nil {
		return // an EHF is of one notice
	}
	if document, is := j.readKept(n.EHF); is {
		differences, err := l.InEHF(document)
		j.keptSays(differences, err, row("EHF of overdue_notices", n.ID), keptSum, keptDate, keptKID, keptAccount, keptVAT)
	}
}

// readKept reads a kept file, and reports whether it is whole.
func (j *judge) readKept(sum string) (content []byte, whole bool) {
	if sum == "" {
		return nil, false // it was never made
	}
	content, err := j.files(sum)
	fault, is := errors.AsType[*archive.Fault](err)
	switch {
	case err == nil:
		j.ask(keptChanged, true, sum, sum)
		return content, true
	case is && fault.Word == archive.Damaged:
		j.ask(keptChanged, false, archive.Damaged, sum)
	default:
		j.unknown(keptChanged)
	}
	return nil, false
}

// keptSays asks questions, one for each kind of thing that a letter says.
func (j *judge) keptSays(differences []kept.Difference, err error, from named, asked ...Code) {
	codes := map[string]Code{"gross": keptSum, "sum": keptSum, "date": keptDate, "issued": keptDate, "due": keptDate, "KID": keptKID, "account": keptAccount, "VAT": keptVAT}
	first := make(map[Code]kept.Difference)
	for _, d := range differences {
		if _, known := first[codes[d.What]]; !known {
			first[codes[d.What]] = d
		}
	}
	for _, code := range asked {
		if err != nil {
			j.unknown(code)
			continue
		}
		d, differs := first[code]
		j.ask(code, !differs, d.Found, d.Expected, from, row("overdue_notices", j.notice.ID))
	}
}

// keptLetter returns what the rows say of the letter. Of a letter that several invoices share they do not say everything that stands in it: how
// the other invoices' sums are made up.
func (j *judge) keptLetter() kept.Letter {
	n := j.notice
	l := kept.Letter{
		Language: n.Language, KID: n.KID, Account: j.Invoice.BankAccount, Issued: n.IssueDate, Due: n.DueDate, Gross: n.Gross,
		Dates: []models.Date{j.Invoice.IssueDate, j.Invoice.DueDate},
	}
	if n.Letter != nil {
		l.KID, l.Gross, l.Partial = n.Letter.KID, n.Letter.Gross, true
		for _, o := range n.Sharing {
			l.Sums = append(l.Sums, o.Gross)
		}
		return l
	}
	var lines []models.Entry
	for _, line := range n.Lines {
		l.Sums = append(l.Sums, line.Gross)
		if line.Type == "" { // of an old release: its text alone says what it is
			l.Partial = true
			continue
		}
		l.Dates = append(l.Dates, line.TransactionDate)
		lines = append(lines, models.Entry{Type: line.Type, Amount: line.Gross, TransactionDate: line.TransactionDate})
	}
	owed := reckoning.Allocate(lines, 0)
	l.May = []models.Amount{owed.Principal, owed.Interest, owed.Fees}
	return l
}
