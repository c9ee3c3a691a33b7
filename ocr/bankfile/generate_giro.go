package bankfile

import (
	"fmt"
	"io"
	"iter"
	"strconv"

	"purr/models"
	"purr/ocr/giro"
)

func (r *Recipe) writeGiro(w io.Writer, payments iter.Seq2[Payment, error]) error {
	file := giro.NewWriter(w)
	file.UseCRLF = r.UseCRLF
	err := file.StartTransmission(giro.TransmissionHeader{Number: strconv.Itoa(r.Number), Recipient: r.Recipient, Created: r.Date})
	if err != nil {
		return err
	}
	account, assignments := "", 0
	for p, err := range payments {
		if err != nil {
			return err
		}
		if assignments == 0 || p.Account != account {
			assignments++
			account = p.Account
			if err := file.StartAssignment(r.assignment(account, assignments)); err != nil {
				return err
			}
		}
		if err := file.Write(giroPayment(p)); err != nil {
			return err
		}
	}
	return file.Close()
}

func (r *Recipe) assignment(account string, number int) giro.AssignmentHeader {
	return giro.AssignmentHeader{
		Account: account, AgreementID: "00" + account[4:], Number: fmt.Sprintf("%07d", 10*r.Number%1_000_000+number), Created: r.Date,
	}
}

// giroPayment returns a payment as OCR giro has it: what has a text and no KID is a purchase by card.
func giroPayment(p Payment) giro.Payment {
	out := giro.Payment{
		Type: p.Type, NetsDate: p.Date, BankDate: p.BankDate, Amount: max(p.Amount, -p.Amount), Negative: p.Amount < 0,
		KID: p.KID, DebitAccount: p.FromAccount, ArchiveReference: p.Reference, Text: p.Text,
		Centre: "80", DayCode: p.Date.Time().Format("02"), PartialSettlement: strconv.Itoa(1 + p.lump%4), Serial: strconv.Itoa(p.lump % 100_000),
	}
	if out.Type == 0 {
		out.Type = giro.TypeCorporateGiro
		if p.KID == "" && p.Text != "" {
			out.Type = giro.TypePurchaseWithText
		}
	}
	if out.Type.HasText() || out.Type == giro.TypeCardPurchase || out.Type == giro.TypeCardReversal {
		out.CardIssuer, out.DebitAccount, out.PartialSettlement = "01", "", "0"
		if out.Type.Reversal() {
			out.Negative = false // the type says it
		}
	} else {
		out.Text = ""
	}
	return out
}

// lateBy returns a day after or before another one, as OCR giro has it.
func lateBy(d models.Date, days models.Date) string { return (d + days).Time().Format("020106") }
