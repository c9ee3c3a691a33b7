package accounts

import (
	"fmt"
	"slices"
	"time"

	"purr/models"
	"purr/store"
)

// Line is one line of a voucher: an amount on an account.
type Line struct {
	Account string
	Kind    models.AccountKind // what the amount is; empty of sales and their VAT
	Class   models.SalesClass  // of sales and their VAT
	Percent models.Percent     // of VAT
	VATCode string             // empty where VAT has nothing to do with it, and of the VAT itself
	IsVAT   bool               // it is the VAT of the line before it
	Amount  models.Amount      // debit above zero, credit below
	VAT     models.Amount      // of a line with a VAT code: what VAT the next line has, likewise
}

// Voucher is one entry of the ledger, or its deletion, as it is booked in the accounts.
type Voucher struct {
	Number   int64       // without gap in the year of Date, by creditor
	Date     models.Date // in the exported period
	BookedOn models.Date // when the ledger got it
	Kind     string      // the movement of the month's report, or told
	Text     string
	Entry    store.BookedEntry
	Lines    []Line
}

// ID names the voucher among all of the creditor's.
func (v Voucher) ID() string { return fmt.Sprintf("%d-%d", v.Date.Year(), v.Number) }

// Document returns the number of the credit note that the voucher is about, or else of the invoice.
func (v Voucher) Document() int64 {
	if v.Entry.CreditNoteNumber != 0 {
		return v.Entry.CreditNoteNumber
	}
	return v.Entry.InvoiceNumber
}

// kindTold is the kind of a voucher of what another system told of its invoice.
const kindTold = string(models.AccountTold)

// posting is what was booked, with what the accounts must know besides.
type posting struct {
	entry store.BookedEntry
	told  bool
	parts []store.VATPart // of what was invoiced or credited
}

// booking is by what the postings of a period are booked.
type booking struct {
	plan      models.AccountPlan
	days      store.Dates
	zone      *time.Location
	exemption models.VATExemption // the creditor's, for lines that say nothing
	words     words
}

// voucher returns a posting as a voucher without its number. It has no lines if it moves nothing.
func (b booking) voucher(p posting) (Voucher, error) {
	v := Voucher{BookedOn: models.DateOf(p.entry.BookedAt.In(b.zone)), Kind: string(p.entry.Movement), Entry: p.entry}
	if p.told {
		v.Kind = kindTold
	}
	v.Date = v.BookedOn
	if own := p.entry.TransactionDate; p.entry.DeletionID == 0 && own >= b.days.From && own <= b.days.To {
		v.Date = own
	}
	v.Text = b.words.of(v)
	against, err := b.against(p)
	if err != nil {
		return Voucher{}, err
	}
	receivables := b.plan.Kind(models.AccountReceivables)
	v.Lines = append([]Line{{Account: receivables.Account, Kind: receivables.Kind, Amount: p.entry.Amount}}, against...)
	v.Lines = slices.DeleteFunc(v.Lines, func(l Line) bool { return l.Amount == 0 && l.VAT == 0 })
	var sum models.Amount
	for _, l := range v.Lines {
		sum += l.Amount
	}
	if sum != 0 {
		return Voucher{}, fmt.Errorf("the voucher of entry %d does not balance: its lines add up to %s", p.entry.ID, sum)
	}
	return v, nil
}

// against returns the lines that stand against the receivables.
func (b booking) against(p posting) ([]Line, error) {
	var kind models.AccountKind
	switch m := p.entry.Movement; m {
	case models.MovementInvoiced, models.MovementCredited:
		return b.sales(p), nil
	case models.MovementFee:
		kind = models.AccountFee
	case models.MovementInterest:
		kind = models.AccountInterest
	case models.MovementReversal:
		kind = models.AccountFee
		if p.entry.Type == models.EntryInterest {
			kind = models.AccountInterest
		}
	case models.MovementPaidBank:
		kind = models.AccountPaidBank
	case models.MovementPaidByHand, models.MovementCollector:
		kind = models.AccountPaidByHand
		if p.told {
			kind = models.AccountTold
		}
	case models.MovementPaidBack:
		kind = models.AccountPaidBack
	case models.MovementMoved:
		kind = models.AccountTransfer
	case models.MovementAdopted:
		kind = models.AccountOpening
	default:
		return nil, fmt.Errorf("entry %d is %q, and there is no account for that", p.entry.ID, m)
	}
	account := b.plan.Kind(kind)
	return []Line{{Account: account.Account, Kind: kind, VATCode: account.VATCode, Amount: -p.entry.Amount}}, nil
}

// sales returns what was invoiced or credited, by class and percent of VAT, each with its VAT.
func (b booking) sales(p posting) (lines []Line) {
	sign := models.Amount(-1)
	if p.entry.Movement == models.MovementCredited {
		sign = 1
	}
	if p.entry.DeletionID != 0 {
		sign = -sign
	}
	for _, part := range p.parts {
		exemption := part.VATExemption
		if exemption == "" {
			exemption = b.exemption
		}
		account := b.plan.Class(models.SalesClassOf(part.VAT, exemption))
		net, vat := sign*part.Net, sign*(part.Gross-part.Net)
		at := slices.IndexFunc(lines, func(l Line) bool { return l.Class == account.Class && l.Percent == part.VATPercent && !l.IsVAT })
		if at < 0 {
			at = len(lines)
			lines = append(lines, Line{Account: account.Account, Class: account.Class, Percent: part.VATPercent, VATCode: account.VATCode},
				Line{Account: account.VATAccount, Class: account.Class, Percent: part.VATPercent, IsVAT: true})
		}
		lines[at].Amount, lines[at].VAT = lines[at].Amount+net, lines[at].VAT+vat
		lines[at+1].Amount += vat
	}
	return lines
}
