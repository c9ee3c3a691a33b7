package camt

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"

	"purr/models"
)

// Writer writes files that the Reader takes: StartMessage, then for each account StartNotification and its
// entries, then Close. The first error of the underlying writer is returned by Close.
type Writer struct {
	w       *bufio.Writer
	version Version
	started bool // a message
	open    bool // a notification
}

// NewWriter returns a writer to w. Nothing is certain to have reached w before Close.
func NewWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriter(w)} }

// Payment is a transaction to be written. The fields are those of Transaction.
type Payment struct {
	Amount        models.Amount // øre, not negative; the direction is the entry's
	Name          string
	KID           string
	Text          string // up to 140 characters
	DebitAccount  string
	BankReference string
	TransactionID string
	EndToEndID    string
	BankDate      models.Date // zero for none
	Invoices      []Invoice   // of a payment of several, instead of the KID
}

// Invoice is one of several invoices that a payment is for.
type Invoice struct {
	KID    string // a KID, or
	Number string // the invoice's number
	Amount models.Amount
	// Unsaid leaves the amount out. A negative amount is that of a credit note.
	Unsaid bool
}

// StartMessage starts the message. An empty version is Version02.
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
	w.leaf("CreDtTm", moments(h.Created))
	if h.Recipient != "" {
		w.raw("<MsgRcpt><Id><OrgId><Othr>")
		w.leaf("Id", h.Recipient)
		w.raw("</Othr></OrgId></Id></MsgRcpt>")
	}
	w.page("MsgPgntn", h.Page)
	w.raw("</GrpHdr>\n")
	return nil
}

// StartNotification ends the notification that is open, and starts another one. A Norwegian account is
// written as such in Version02, and as its IBAN in Version08.
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
	w.optional("CreDtTm", moments(h.Created))
	w.optional("CpyDplctInd", h.Copy)
	w.raw("<Acct><Id>")
	w.account(h.Account)
	w.raw("</Id>")
	w.leaf("Ccy", Currency)
	if h.Servicer != "" {
		w.raw("<Svcr><FinInstnId>")
		w.leaf(map[Version]string{Version02: "BIC", Version08: "BICFI"}[w.version], h.Servicer)
		w.raw("</FinInstnId></Svcr>")
	}
	w.raw("</Acct>\n")
	return nil
}

// Write writes an entry and its transactions. An empty status, direction or currency is that of a booked
// credit in kroner.
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
	if status := cmp.Or(e.Status, StatusBooked); w.version == Version02 {
		w.leaf("Sts", status)
	} else {
		w.raw("<Sts>")
		w.leaf("Cd", status)
		w.raw("</Sts>")
	}
	w.day("BookgDt", e.Booked)
	w.day("ValDt", e.Value)
	w.optional("AcctSvcrRef", e.BankReference)
	w.raw("<BkTxCd>")
	if e.Code != "" {
		w.raw("<Prtry>")
		w.leaf("Cd", e.Code)
		w.raw("</Prtry>")
	}
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
		w.raw("<Btch>")
		w.leaf("NbOfTxs", strconv.Itoa(len(payments)))
		w.raw("</Btch>")
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
	w.raw("<AmtDtls><TxAmt>")
	w.money("Amt", p.Amount, currency)
	w.raw("</TxAmt></AmtDtls><RltdPties>")
	if p.Name != "" {
		begin, end := "<Dbtr>", "</Dbtr>"
		if w.version == Version08 {
			begin, end = "<Dbtr><Pty>", "</Pty></Dbtr>"
		}
		w.raw(begin)
		w.leaf("Nm", p.Name)
		w.raw(end)
	}
	if p.DebitAccount != "" {
		w.raw("<DbtrAcct><Id>")
		w.account(p.DebitAccount)
		w.raw("</Id></DbtrAcct>")
	}
	w.raw("</RltdPties>")
	w.remittance(p, currency)
	if p.BankDate != 0 {
		w.raw("<RltdDts>")
		w.leaf("AccptncDtTm", moments(p.BankDate))
		w.raw("</RltdDts>")
	}
	w.raw("</TxDtls>")
}

func (w *Writer) remittance(p Payment, currency string) {
	invoices := p.Invoices
	if p.KID != "" {
		invoices = []Invoice{{KID: p.KID, Unsaid: true}}
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
		w.raw("<RfrdDocInf><Tp><CdOrPrtry>")
		w.leaf("Cd", kind)
		w.raw("</CdOrPrtry></Tp>")
		w.leaf("Nb", i.Number)
		w.raw("</RfrdDocInf>")
	}
	if !i.Unsaid {
		w.raw("<RfrdDocAmt>")
		w.money(element, amount, currency)
		w.raw("</RfrdDocAmt>")
	}
	if i.KID != "" {
		w.raw("<CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp>")
		w.leaf("Ref", i.KID)
		w.raw("</CdtrRefInf>")
	}
	w.raw("</Strd>")
}

// Close ends the message and writes out what is buffered. It does not close the underlying writer.
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
