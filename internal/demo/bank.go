package demo

import (
	"bytes"
	"context"
	"fmt"

	"purr/calendar"
	"purr/models"
	"purr/ocr/giro"
)

// bankLine is a transaction of a bank file, as what is owed when the file is written makes it.
type bankLine func(ctx context.Context, d *demo) (giro.Payment, error)

// The two files that the bank delivers.
var (
	firstFile = []bankLine{
		exact(1), exact(10), exact(11), exact(17), exact(18), exact(19), // all that is owed
		part(9, 4_000_00),  // less than is owed
		over(7, 50_00),     // more
		exact(8), exact(8), // the same twice
		stray(models.NewKID("700000001", models.Modulus10), 749_00), // a KID that no invoice has
	}
	secondFile = []bankLine{
		exact(4), // with the reminder's fee and interest
		exact(5), exact(6), exact(13), exact(16), exact(20), exact(22), exact(24), exact(25), exact(26),
		claimOnly(9),                  // without the fee and interest
		payout,                        // a "-" line
		stray("7000000110", 1_180_00), // a KID with a wrong check digit
		cardPurchase("Gave til kattene, hilsen Åse", 500_00),
	}
)

// exact pays all that is owed on an invoice of the plan.
func exact(nth int) bankLine { return over(nth, 0) }

// over pays more than is owed.
func over(nth int, extra models.Amount) bankLine {
	return pays(nth, func(invoice document) models.Amount { return invoice.Ledger.Balance + extra })
}

// part pays an amount of what is owed.
func part(nth int, amount models.Amount) bankLine {
	return pays(nth, func(document) models.Amount { return amount })
}

// claimOnly pays what is owed but for fees and interest.
func claimOnly(nth int) bankLine {
	return pays(nth, func(invoice document) models.Amount {
		claim := invoice.Ledger.Balance
		for _, e := range invoice.Ledger.Entries {
			if e.Type == models.EntryOverdueCharge || e.Type == models.EntryInterest {
				claim -= e.Amount
			}
		}
		return claim
	})
}

// pays pays on an invoice of the plan what the amount makes of it as it now is.
func pays(nth int, amount func(invoice document) models.Amount) bankLine {
	return func(ctx context.Context, d *demo) (giro.Payment, error) {
		invoice, err := d.invoice(ctx, nth)
		return giro.Payment{
			Type: giro.TypeCorporateGiro, Amount: amount(invoice), KID: invoice.KID, DebitAccount: customers[orders[nth-1].to].account,
		}, err
	}
}

// payout pays the outstanding credit of the credit note back to the customer.
func payout(ctx context.Context, d *demo) (giro.Payment, error) {
	var note document
	err := d.api.get(ctx, d.creditNote.URI, &note)
	return giro.Payment{Type: giro.TypeCorporateGiro, Negative: true, Amount: -note.Ledger.Balance, KID: note.KID}, err
}

// stray is a payment with a KID that is nobody's.
func stray(kid string, amount models.Amount) bankLine {
	return func(context.Context, *demo) (giro.Payment, error) {
		return giro.Payment{Type: giro.TypeCashGiro, Amount: amount, KID: kid}, nil
	}
}

// cardPurchase is a payment that has a text in the place of a KID.
func cardPurchase(text string, amount models.Amount) bankLine {
	return func(context.Context, *demo) (giro.Payment, error) {
		return giro.Payment{Type: giro.TypePurchaseWithText, Amount: amount, Text: text}, nil
	}
}

// writeFile writes an OCR giro file as the bank delivers it in the morning: what it settled on the last
// bank day, and was ordered to the bank day before.
func (d *demo) writeFile(ctx context.Context, lines []bankLine) ([]byte, error) {
	settlement := calendar.LastBankDayBefore(d.today)
	number := fmt.Sprint(len(d.files) + 1)
	var file bytes.Buffer
	w := giro.NewWriter(&file)
	if err := w.StartTransmission(giro.TransmissionHeader{Number: number, Recipient: "00712345", Created: settlement}); err != nil {
		return nil, err
	}
	if err := w.StartAssignment(giro.AssignmentHeader{AgreementID: "1234567", Number: number, Account: creditor.BankAccount, Created: settlement}); err != nil {
		return nil, err
	}
	for _, line := range lines {
		p, err := line(ctx, d)
		if err != nil {
			return nil, err
		}
		d.written.add(p)
		p.NetsDate, p.BankDate, p.DayCode = settlement, calendar.LastBankDayBefore(settlement), settlement.Time().Format("02")
		p.ArchiveReference = fmt.Sprint(600_200_000 + d.written.Transactions)
		if err := w.Write(p); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return file.Bytes(), err
}

// add counts a payment in the file's own arithmetic.
func (s *sum) add(p giro.Payment) {
	s.Transactions++
	if p.Negative {
		s.Amount -= p.Amount
	} else {
		s.Amount += p.Amount
	}
}
