package accounts

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"purr/models"
)

// gbatMedia is the media type of GBAT10.
const gbatMedia = "text/plain; charset=ISO-8859-1"

// What GBAT10 has room for.
const (
	gbatColumns  = 30
	mostName     = 30
	mostGBATText = 100
	mostCustomer = 9
	mostVoucher  = 99_999_999
)

// gbat10 writes a journal as GBAT10: semicolons, no titles, a line for each line of a voucher, CR LF, ISO-8859-1. The VAT codes are the
// receiver's. Of each voucher the net amounts add up to nothing, and so do the gross amounts.
type gbat10 struct {
	nothingToClose
	to       *bufio.Writer
	plan     models.AccountPlan
	receiver string
}

// gbat10For returns how GBAT10 for a receiver begins; without a name it has the plan's own VAT codes.
func gbat10For(receiver string) func(to io.Writer, h head) (writer, error) {
	return func(to io.Writer, h head) (writer, error) {
		return gbat10{to: bufio.NewWriter(to), plan: h.plan, receiver: receiver}, nil
	}
}

func (f gbat10) end(*summary) error { return f.to.Flush() }

func (f gbat10) voucher(v Voucher) error {
	if v.Number > mostVoucher {
		return fmt.Errorf("voucher %s has more digits than GBAT10 has room for", v.ID())
	}
	for _, l := range v.Lines {
		if _, err := f.to.WriteString(strings.Join(f.row(v, l), ";") + "\r\n"); err != nil {
			return err
		}
	}
	return nil
}

// row returns a line of a voucher. VAT has a line of its own, which says F: who reckons VAT by the gross amounts leaves it out.
func (f gbat10) row(v Voucher, l Line) []string {
	c := make([]string, gbatColumns)
	day := v.Date.Time()
	c[0], c[1], c[2], c[3] = "GBAT10", strconv.FormatInt(v.Number, 10), compact(v.Date), voucherType(v)
	c[4], c[5], c[6], c[7] = strconv.Itoa(int(day.Month())), strconv.Itoa(day.Year()), l.Account, "0"
	c[8], c[20], c[26], c[27] = l.Amount.String(), latin(v.Text, mostGBATText), "T", (l.Amount + l.VAT).String()
	switch {
	case l.IsVAT:
		c[26], c[27] = "F", models.Amount(0).String()
	case l.Class != "":
		c[7] = f.plan.CodeOf(f.receiver, l.Class)
	case l.VATCode != "":
		c[7] = l.VATCode
	case l.Kind == models.AccountReceivables:
		c[9], c[11] = customerOf(v), latin(v.Entry.CustomerName, mostName)
		c[15], c[16], c[21] = strconv.FormatInt(v.Document(), 10), v.Entry.KID, latin(v.Text, mostGBATText)
		if v.Entry.CreditNoteNumber == 0 {
			c[17] = compact(v.Entry.DueDate)
		}
	}
	return c
}

// voucherType returns the type of a voucher in GBAT10: 1 an invoice, 2 a credit note, 3 money, 4 all else.
func voucherType(v Voucher) string {
	switch v.Entry.Movement {
	case models.MovementInvoiced:
		return "1"
	case models.MovementCredited:
		return "2"
	case models.MovementPaidBank, models.MovementPaidByHand, models.MovementCollector, models.MovementPaidBack:
		return "3"
	case models.MovementFee, models.MovementInterest, models.MovementReversal, models.MovementMoved, models.MovementAdopted:
	}
	return "4"
}

// customerOf returns the creditor's number of the customer where GBAT10 has room for it, and else purr's own ID.
func customerOf(v Voucher) string {
	if n := v.Entry.CustomerNumber; n != "" && len(n) <= mostCustomer && models.IsNumber(n) && !strings.Contains(n, " ") {
		return n
	}
	return strconv.FormatInt(v.Entry.CustomerID, 10)
}

func compact(d models.Date) string { return strings.ReplaceAll(d.String(), "-", "") }

// latin returns at most so many characters of a text as ISO-8859-1. A character that it does not have is a question mark, and what would
// end a column or a line is a blank.
func latin(text string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n++; n > most {
			break
		}
		switch {
		case r == ';' || r < ' ' || r >= 0x7f && r < 0xa0:
			b.WriteByte(' ')
		case r > 0xff:
			b.WriteByte('?')
		default:
			b.WriteByte(byte(r))
		}
	}
	return b.String()
}
