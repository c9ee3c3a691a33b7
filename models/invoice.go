package models

import (
	"math/big"
	"time"
)

// How many lines an invoice may have: a creditor chooses from the fewest to the most (rule L28).
const (
	fewestMaxLines = 8
	MostLines      = 500
)

// MaxDueDays is the most days from an invoice's issue to its due date (rule D15).
const MaxDueDays = 365

// Closing says how a person closed an invoice (rule E2).
type Closing string

// The ways of closing an invoice.
const (
	NotClosed   Closing = ""
	ClosedLost  Closing = "lost"
	ClosedOther Closing = "other"
)

// Invoice is a demand for payment that was sent to a customer. Only these fields ever change: Balance, RepaymentOwed, WrittenOff,
// Notices, Warned, Deadline, Closed, KeptOpen, HandedOver, Hold, MoreTime, InterestFree, PlanID, Acknowledged, LapsesOn, LapseTold,
// DrawnUntil, PDF and EHF.
type Invoice struct {
	ID          int64
	CreditorID  int64
	CustomerID  int64
	Number      int64 // in the creditor's gapless series (rule D18); of an adopted invoice below it
	IssueDate   Date
	DueDate     Date
	NumDueDays  int
	Gross       Amount // including VAT
	Net         Amount // excluding VAT
	Note        string
	Order       Order     `gorm:"embedded"`
	KID         string    `gorm:"column:kid"`
	BankAccount string    // the creditor's, as printed; empty if the creditor had none
	SellerID    int64     // what it shows of the creditor; zero in invoices of releases before that was kept (rule D112)
	Language    string    // of the document: nb, nn, en; empty in invoices of releases before that was kept, for the customer's
	Recipient   Recipient `gorm:"embedded;embeddedPrefix:recipient_"` // as it was when sent
	Search      string    // the text that searches read: SearchText of the recipient's names
	SearchDigit bool      // Search contains a digit
	Balance     Amount    // the sum of its entries (rule D33)
	// RepaymentOwed is the part of Balance that was paid out of money that was taken back later. It is neither principal nor
	// charge, is due when it is asked for, and bears no interest before (rule D96). It is never negative.
	RepaymentOwed Amount
	// WrittenOff is the principal that was left when a run closed the invoice for it (rule L25): it is no longer asked for, so what is
	// paid of it later is free credit. It is zero on all others, and never negative.
	WrittenOff Amount
	Notices    int  // how many overdue notices were sent
	Warned     bool // the last notice is a debt-collection warning
	Deadline   Date // until when the last document runs: the invoice's due date, or Notice.RunsUntil of the last notice
	Closed     Closing
	KeptOpen   bool     // a person opened it again: no run closes it for a small remainder (rule L25)
	HandedOver Date     // the day of the hand-over to debt collection, or zero
	Hold       Hold     `gorm:"embedded;embeddedPrefix:hold_"`
	MoreTime   MoreTime `gorm:"embedded;embeddedPrefix:more_time_"`
	// InterestFree are the days of which no interest is charged, because a person waived it (rule N11).
	InterestFree Periods `gorm:"type:text"`
	PlanID       int64   // the payment plan that runs (rule L15), or 0
	Acknowledged Date    // the day that a person has set on which it was acknowledged, or zero (rule L26)
	LapsesOn     Date    // as LapsesOn says of all that acknowledges it; of a paid invoice it may be as it was before the last payment
	LapseTold    Date    // the day of lapsing that was told, or zero
	PDF          string  // SHA-256 of the stored PDF, in hex; empty until it is made (rule D35)
	EHF          string  `gorm:"column:ehf"` // SHA-256 of the stored EHF, likewise (rule H2)
	Drawn        bool    // its document says that the amount is drawn by AvtaleGiro (rule G3)
	DrawnUntil   Date    // while a claim of AvtaleGiro lives: no step of dunning is taken before the day is over; else zero
	Adopted      bool    // another system issued it, and purr follows it (rule L17): its number lies below the series
	CreatedAt    time.Time
}

// Order is what an invoice may say of the order that it is for (rule L18). Everything may be empty.
type Order struct {
	YourReference string // whom or what the buyer asks to name
	OrderNumber   string // the buyer's
	DeliveryDate  Date
	DeliveryPlace string
}

// Validate returns every fault of the texts.
func (o Order) Validate() Errors {
	var faults Errors
	faults.text("your_reference", o.YourReference, MaxReference)
	faults.text("order_number", o.OrderNumber, MaxReference)
	faults.text("delivery_place", o.DeliveryPlace, MaxReference)
	return faults
}

// Claimed returns what documents may ask for: the balance without the repayment that is owed (rule D96). It is negative when the
// invoice is overpaid.
func (i Invoice) Claimed() Amount { return i.Balance - i.RepaymentOwed }

// Free returns the customer's free credit on the invoice: what was paid beyond all that is owed, or beyond what a run has written off
// (rules L5, L25).
func (i Invoice) Free() Amount { return max(i.WrittenOff-i.Balance, 0) }

// Document points at the invoice.
func (i Invoice) Document() Document { return Document{InvoiceDocument, i.ID} }

// InvoiceSummary is what lists show of an invoice.
type InvoiceSummary struct {
	ID        int64
	Number    int64
	IssueDate Date
	DueDate   Date
	Gross     Amount // including VAT
	Net       Amount // excluding VAT
	Stage     Stage  // as the store keeps it
	Deadline  Date
	Adopted   bool
}

// TableName names the store's table.
func (InvoiceSummary) TableName() string { return "invoices" }

// Status returns the invoice's status on a day (rule D26).
func (i InvoiceSummary) Status(today Date) Status { return statusOf(i.Stage, i.Deadline, today) }

// ListedInvoice is what a person sees of an invoice in a list.
type ListedInvoice struct {
	InvoiceSummary
	CustomerID     int64
	RecipientName1 string
	Balance        Amount
	Notices        int
	HoldHeld       bool
	HoldUntil      Date
	MoreTimeUntil  Date
}

// OnHold reports whether the invoice itself is on hold on a day, or its customer has more time for it.
func (i ListedInvoice) OnHold(on Date) bool {
	return Hold{Held: i.HoldHeld, Until: i.HoldUntil}.Active(on) || MoreTime{Until: i.MoreTimeUntil}.Active(on)
}

// Line is one line of an invoice.
type Line struct {
	ID           int64
	InvoiceID    int64
	Position     int // from 1
	Text         string
	UnitPrice    Price
	NumItems     Quantity
	Discount     *Percent // nil if there is no discount
	VAT          VATName
	VATPercent   Percent      // as it was when the invoice was made (rule D14)
	VATExemption VATExemption `gorm:"column:vat_exemption"` // what a line without VAT is; empty for what the creditor says
	Net          Amount       // excluding VAT
	Gross        Amount       // including VAT
}

// Price sets the line's net and gross amount (rule D13): net = unit price × items × (1 − discount/100)
// and VAT = net × percent, each rounded half away from zero to øre. It fails when either is beyond
// MaxAmount.
func (l *Line) Price() error {
	discount := int64(0)
	if l.Discount != nil {
		discount = int64(*l.Discount)
	}
	n := new(big.Int).Mul(big.NewInt(int64(l.UnitPrice)), big.NewInt(int64(l.NumItems)))
	n.Mul(n, big.NewInt(100*100-discount))
	// unit price is in 1/10 000 krone, items in 1/1 000, the discount factor in 1/10 000; øre are 1/100.
	net := roundDiv(n, big.NewInt(10_000*1_000*10_000/100))
	if !net.IsInt64() || Amount(net.Int64()) > MaxAmount || Amount(net.Int64()) < -MaxAmount {
		return Invalid("amount_too_large", "", "the line's amount is beyond %s", MaxAmount)
	}
	l.Net = Amount(net.Int64())
	l.Gross = l.Net + l.VATPercent.Of(l.Net)
	if l.Gross > MaxAmount || l.Gross < -MaxAmount {
		return Invalid("amount_too_large", "", "the line's amount including VAT is beyond %s", MaxAmount)
	}
	return nil
}

// Totals returns the totals of priced lines (rule D13). It fails if a total is beyond MaxAmount or the gross
// amount is not above zero.
func Totals(lines []Line) (net, gross Amount, err error) {
	for _, l := range lines {
		net += l.Net
		gross += l.Gross
	}
	switch {
	case net > MaxAmount || gross > MaxAmount:
		return 0, 0, Invalid("amount_too_large", "lines", "the invoice's amount is beyond %s", MaxAmount)
	case gross <= 0:
		return 0, 0, Invalid("amount_not_positive", "lines", "the invoice's amount must be above zero, not %s", gross)
	}
	return net, gross, nil
}

// TableName names the store's table.
func (Line) TableName() string { return "invoice_lines" }
