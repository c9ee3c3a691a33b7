package camt

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"purr/models"
)

// Writer writes files that the Reader accepts. Call StartMessage, then for each account StartNotification and Write
// for each entry, then Close. Close returns the first error of the underlying writer.
type Writer struct {
	w       *bufio.Writer
	version Version
	started bool // the message
	open    bool // a notification
}

// NewWriter returns a writer to w. It buffers: w has the whole file only after Close.
func NewWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriter(w)} }

// Payment is a transaction to be written. The fields are those of Transaction.
type Payment struct {
	Amount        models.Amount // øre, not negative; the entry has the direction
	Name          string
	KID           string
	Text          string // up to 140 characters
	DebitAccount  string
	BankReference string
	TransactionID string
	EndToEndID    string
	BankDate      models.Date // zero for none
	Invoices      []Invoice   // for a payment of several invoices, instead of the KID
}

// Invoice is one of several invoices that a payment is for.
type Invoice struct {
	KID      string        // or empty
	Number   string        // of the invoice, or empty
	Amount   models.Amount // negative for a credit note
	NoAmount bool          // writes no amount
}

// StartMessage starts the message. An empty version means Version02.
func (w *Writer) StartMessage(h MessageHeader) error {
	if w.started {
		return errors.New("camt: a file is one message")
	}
	if h.Version == "" {
		h.Version = Version02
	}
	if grammars[h.Version] == nil {
		return fmt.Errorf("camt: there is no version %q", h.Version)
	}
	w.started, w.version = true, h.Version
	w.raw(xml.Header, `<Document xmlns="`, namespace, string(h.Version), "\">\n<BkToCstmrDbtCdtNtfctn>\n<GrpHdr>")
	w.leaf("MsgId", h.ID)
	w.leaf("CreDtTm", noon(h.Created))
	w.optional("MsgRcpt/Id/OrgId/Othr/Id", h.Recipient)
	w.page("MsgPgntn", h.Page)
	w.raw("</GrpHdr>\n")
	return nil
}

// StartNotification ends the open notification and starts another. A Norwegian account is written as 11 digits in Version02,
// and as its IBAN in Version08.
func (w *Writer) StartNotification(h NotificationHeader) error {
	if !w.started {
		return errors.New("camt: a notification needs a message")
	}
	w.endNotification()
	w.open = true
	w.raw("<Ntfctn>")
	w.leaf("Id", h.ID)
	if w.version == Version08 {
		w.page("NtfctnPgntn", h.Page)
	}
	w.optional("CreDtTm", noon(h.Created))
	w.optional("CpyDplctInd", h.Copy)
	w.raw("<Acct><Id>")
	w.account(h.Account)
	w.raw("</Id>")
	w.leaf("Ccy", Currency)
	w.optional("Svcr/FinInstnId/"+w.either("BIC", "BICFI"), h.Servicer)
	w.raw("</Acct>\n")
	return nil
}

// Write writes an entry and its transactions. Empty status, direction and currency mean a booked credit in kroner.
func (w *Writer) Write(e EntryHeader, payments ...Payment) error {
	if !w.open {
		return errors.New("camt: an entry needs a notification")
	}
	w.raw("<Ntry>")
	w.optional("NtryRef", e.Reference)
	w.money("Amt", e.Amount, cmp.Or(e.Currency, Currency))
	w.leaf("CdtDbtInd", cmp.Or(e.Direction, Credit))
	if e.Reversal {
		w.leaf("RvslInd", "true")
	}
	w.leaf(w.either("Sts", "Sts/Cd"), cmp.Or(e.Status, StatusBooked))
	w.optional("BookgDt/Dt", e.Booked.String())
	w.optional("ValDt/Dt", e.Value.String())
	w.optional("AcctSvcrRef", e.BankReference)
	w.raw("<BkTxCd>")
	w.optional("Prtry/Cd", e.Code)
	w.raw("</BkTxCd>")
	if len(payments) > 0 {
		w.details(e, payments)
	}
	w.raw("</Ntry>\n")
	return nil
}

func (w *Writer) details(e EntryHeader, payments []Payment) {
	w.raw("<NtryDtls>")
	if len(payments) > 1 {
		w.leaf("Btch/NbOfTxs", strconv.Itoa(len(payments)))
	}
	for _, p := range payments {
		w.payment(p, cmp.Or(e.Currency, Currency), cmp.Or(e.Direction, Credit))
	}
	w.raw("</NtryDtls>")
}

func (w *Writer) payment(p Payment, currency, direction string) {
	w.raw("\n<TxDtls><Refs>")
	w.optional("AcctSvcrRef", p.BankReference)
	w.optional("EndToEndId", p.EndToEndID)
	w.optional("TxId", p.TransactionID)
	w.raw("</Refs>")
	if w.version == Version08 {
		w.money("Amt", p.Amount, currency)
		w.leaf("CdtDbtInd", direction)
	}
	w.money("AmtDtls/TxAmt/Amt", p.Amount, currency)
	w.raw("<RltdPties>")
	w.optional(w.either("Dbtr/Nm", "Dbtr/Pty/Nm"), p.Name)
	if p.DebitAccount != "" {
		w.raw("<DbtrAcct><Id>")
		w.account(p.DebitAccount)
		w.raw("</Id></DbtrAcct>")
	}
	w.raw("</RltdPties>")
	w.remittance(p, currency)
	w.optional("RltdDts/AccptncDtTm", noon(p.BankDate))
	w.raw("</TxDtls>")
}

func (w *Writer) remittance(p Payment, currency string) {
	invoices := p.Invoices
	if p.KID != "" {
		invoices = []Invoice{{KID: p.KID, NoAmount: true}}
	}
	if len(invoices) == 0 && p.Text == "" {
		return
	}
	w.raw("<RmtInf>")
	w.optional("Ustrd", p.Text)
	for _, i := range invoices {
		w.invoice(i, currency)
	}
	w.raw("</RmtInf>")
}

func (w *Writer) invoice(i Invoice, currency string) {
	kind, element, amount := "CINV", "RmtdAmt", i.Amount
	if amount < 0 {
		kind, element, amount = "CREN", "CdtNoteAmt", -amount
	}
	w.raw("<Strd>")
	if i.Number != "" {
		w.raw("<RfrdDocInf>")
		w.leaf("Tp/CdOrPrtry/Cd", kind)
		w.leaf("Nb", i.Number)
		w.raw("</RfrdDocInf>")
	}
	if !i.NoAmount {
		w.money("RfrdDocAmt/"+element, amount, currency)
	}
	if i.KID != "" {
		w.raw("<CdtrRefInf>")
		w.leaf("Tp/CdOrPrtry/Cd", "SCOR")
		w.leaf("Ref", i.KID)
		w.raw("</CdtrRefInf>")
	}
	w.raw("</Strd>")
}

// Close ends the message and flushes the buffer. It does not close the underlying writer.
func (w *Writer) Close() error {
	w.endNotification()
	if w.started {
		w.raw("</BkToCstmrDbtCdtNtfctn>\n</Document>\n")
	}
	if err := w.w.Flush(); err != nil {
		return fmt.Errorf("writing a camt.054 file: %w", err)
	}
	return nil
}

func (w *Writer) endNotification() {
	if w.open {
		w.raw("</Ntfctn>\n")
		w.open = false
	}
}

// either returns the value that belongs to the version.
func (w *Writer) either(in02, in08 string) string {
	if w.version == Version08 {
		return in08
	}
	return in02
}

// raw writes texts without escaping.
func (w *Writer) raw(texts ...string) {
	for _, t := range texts {
		w.w.WriteString(t) //nolint:errcheck // Flush returns the first error of a bufio.Writer
	}
}

// leaf writes an element of text and the elements around it. path holds their names, the outermost first.
func (w *Writer) leaf(path, text string) {
	name, rest, more := strings.Cut(path, "/")
	w.raw("<", name, ">")
	if more {
		w.leaf(rest, text)
	} else {
		w.text(text)
	}
	w.raw("</", name, ">")
}

// optional writes an element of text like leaf, unless the text is empty.
func (w *Writer) optional(path, text string) {
	if text != "" {
		w.leaf(path, text)
	}
}

func (w *Writer) text(s string) {
	_ = xml.EscapeText(w.w, []byte(s)) // Flush returns the first error
}

// money writes an amount, and the elements around it like leaf.
func (w *Writer) money(path string, amount models.Amount, currency string) {
	if name, rest, more := strings.Cut(path, "/"); more {
		w.raw("<", name, ">")
		w.money(rest, amount, currency)
		w.raw("</", name, ">")
		return
	}
	w.raw("<", path, ` Ccy="`)
	w.text(currency)
	w.raw(`">`, amount.String(), "</", path, ">")
}

// account writes the identification of an account.
func (w *Writer) account(account string) {
	norwegian := models.ValidBankAccount(account)
	if norwegian && w.version == Version08 {
		w.leaf("IBAN", IBAN(account))
		return
	}
	w.raw("<Othr>")
	w.leaf("Id", account)
	if norwegian {
		w.leaf("SchmeNm/Cd", "BBAN")
	}
	w.raw("</Othr>")
}

// page writes a pagination. It writes nothing for the zero Page.
func (w *Writer) page(name string, p Page) {
	if p != (Page{}) {
		w.raw("<", name, ">")
		w.leaf("PgNb", strconv.Itoa(p.Number))
		w.leaf("LastPgInd", strconv.FormatBool(p.Last))
		w.raw("</", name, ">")
	}
}

// noon returns noon of a day in the form of a moment, empty without a day.
func noon(d models.Date) string {
	if d == 0 {
		return ""
	}
	return d.String() + "T12:00:00+01:00"
}
