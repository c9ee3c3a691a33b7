package accounts

import (
	"bufio"
	"encoding/xml"
	"io"
	"os"
	"strconv"
	"strings"

	"purr/models"
)

// What SAF-T Financial has room for, in characters.
const (
	saftShort  = 18
	saftMiddle = 35
	saftText   = 70
	saftLong   = 256
)

// saft writes a journal as SAF-T Financial (rule A1b), the form in which Norway's tax authority may ask for the accounts: header, accounts,
// customers with their balances, VAT codes, then the vouchers in one journal. What stands before the vouchers follows from them, so they are
// written into a draft first. What purr keeps is the customers' ledger; the other accounts
// begin with nothing.
type saft struct {
	x     saftXML
	head  head
	words words
	to    io.Writer
	draft *os.File
}

// saftVersion returns the version of SAF-T Financial for a period: each is the only valid one for periods that begin in its years.
// purr books kroner alone, and for them both have the same elements.
func saftVersion(from models.Date) string {
	if from.Year() >= 2027 {
		return "1.40"
	}
	return "1.30"
}

func newSAFT(to io.Writer, h head) (writer, error) {
	draft, err := h.draft()
	if err != nil {
		return nil, err
	}
	return saft{saftXML{bufio.NewWriterSize(draft, 1<<16)}, h, wordsOf(h.creditor), to, draft}, nil
}

func (f saft) close() { _ = f.draft.Close() }

// end writes what stands before the vouchers, and then the vouchers.
func (f saft) end(s *summary) error {
	if err := f.x.to.Flush(); err != nil {
		return err
	}
	if _, err := f.draft.Seek(0, io.SeekStart); err != nil {
		return err
	}
	f.x.to.Reset(f.to)
	f.x.raw(xml.Header + `<AuditFile xmlns="urn:StandardAuditFile-Taxation-Financial:NO">` + "\n")
	f.header()
	if err := f.masters(s); err != nil {
		return err
	}
	f.x.open("GeneralLedgerEntries")
	f.x.element("NumberOfEntries", strconv.Itoa(s.totals.Vouchers))
	f.x.element("TotalDebit", s.totals.Debit.String())
	f.x.element("TotalCredit", s.totals.Debit.String())
	f.x.open("Journal")
	f.x.element("JournalID", "AR")
	f.x.element("Description", f.words.journal)
	f.x.element("Type", "AR")
	if err := f.x.to.Flush(); err != nil {
		return err
	}
	if _, err := io.CopyBuffer(struct{ io.Writer }{f.to}, struct{ io.Reader }{f.draft}, make([]byte, 1<<18)); err != nil {
		return err
	}
	f.x.shut("Journal")
	f.x.shut("GeneralLedgerEntries")
	f.x.shut("AuditFile")
	return f.x.to.Flush()
}

// voucher writes a transaction.
func (f saft) voucher(v Voucher) error {
	x, day := f.x, v.Date.Time()
	x.open("Transaction")
	x.element("TransactionID", v.ID())
	x.element("Period", strconv.Itoa(int(day.Month())))
	x.element("PeriodYear", strconv.Itoa(day.Year()))
	x.element("TransactionDate", v.Date.String())
	x.element("VoucherType", v.Kind)
	x.text("Description", v.Text, saftLong)
	x.element("SystemEntryDate", v.BookedOn.String())
	x.element("GLPostingDate", v.BookedOn.String())
	for n, l := range v.Lines {
		f.line(v, n, l)
	}
	x.shut("Transaction")
	return x.failed()
}

func (f saft) line(v Voucher, n int, l Line) {
	x := f.x
	x.open("Line")
	x.element("RecordID", strconv.Itoa(n+1))
	x.element("AccountID", l.Account)
	if own := v.Entry.TransactionDate; own != v.Date {
		x.element("ValueDate", own.String())
	}
	document := strconv.FormatInt(v.Document(), 10)
	x.element("SourceDocumentID", document)
	ofCustomer := l.Kind == models.AccountReceivables
	if ofCustomer {
		x.element("CustomerID", strconv.FormatInt(v.Entry.CustomerID, 10))
	}
	x.text("Description", v.Text, saftLong)
	x.amount("DebitAmount", "CreditAmount", l.Amount)
	if l.VATCode != "" {
		f.tax(l)
	}
	if ofCustomer {
		x.element("ReferenceNumber", document)
		x.text("CID", v.Entry.KID, saftMiddle)
		if v.Entry.CreditNoteNumber == 0 {
			x.element("DueDate", v.Entry.DueDate.String())
		}
	}
	x.shut("Line")
}

// tax writes the VAT of a line: its base and its amount on the side of the VAT, or without VAT on the side of the line.
func (f saft) tax(l Line) {
	x, base, vat := f.x, l.Amount, l.VAT
	side := "DebitTaxAmount"
	if vat < 0 || vat == 0 && base < 0 {
		side, base, vat = "CreditTaxAmount", -base, -vat
	}
	x.open("TaxInformation")
	x.element("TaxType", "MVA")
	x.element("TaxCode", l.VATCode)
	x.element("TaxPercentage", l.Percent.String())
	x.element("Country", "NO")
	x.element("TaxBase", base.String())
	x.open(side)
	x.element("Amount", vat.String())
	x.shut(side)
	x.shut("TaxInformation")
}

// saftXML writes elements, each on a line of its own. A million entries have some forty million elements.
type saftXML struct{ to *bufio.Writer }

// failed returns the first error of writing.
func (x saftXML) failed() error {
	_, err := x.to.WriteString("") // a bufio.Writer keeps its first error
	return err
}

func (x saftXML) raw(text string) { _, _ = x.to.WriteString(text) }

func (x saftXML) open(name string) {
	_ = x.to.WriteByte('<')
	x.raw(name)
	x.raw(">\n")
}

func (x saftXML) shut(name string) {
	x.raw("</")
	x.raw(name)
	x.raw(">\n")
}

// element writes an element whose text needs no escaping and has no bound.
func (x saftXML) element(name, text string) {
	_ = x.to.WriteByte('<')
	x.raw(name)
	_ = x.to.WriteByte('>')
	if strings.ContainsAny(text, "&<>\"'\t\r\n") {
		_ = xml.EscapeText(x.to, []byte(text))
	} else {
		x.raw(text)
	}
	x.shut(name)
}

// text writes an element with at most so many characters of a text, and none where nothing is left of it.
func (x saftXML) text(name, text string, most int) {
	if text = cut(text, most); text != "" {
		x.element(name, text)
	}
}

// amount writes an amount in the element of its side, debit above zero.
func (x saftXML) amount(debit, credit string, a models.Amount) {
	side := debit
	if a < 0 {
		side, a = credit, -a
	}
	x.open(side)
	x.element("Amount", a.String())
	x.shut(side)
}

// balance writes a balance in the element of its side, debit above zero.
func (x saftXML) balance(when string, a models.Amount) {
	side := "DebitBalance"
	if a < 0 {
		side, a = "CreditBalance", -a
	}
	x.element(when+side, a.String())
}

// cut returns at most so many characters of a text, without blanks at its ends.
func cut(text string, most int) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, ""))
	n := 0
	for at := range text {
		if n++; n > most {
			return strings.TrimSpace(text[:at])
		}
	}
	return text
}
