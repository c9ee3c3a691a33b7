package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"purr/calendar"
	"purr/ocr/giro"
)

// act is something that the creditor does, or its bank.
type act struct {
	day int // from the first Monday; if banks are closed, the next day on which they are open
	do  func(ctx context.Context, d *demo) error
}

// invoiced issues the invoices of a week.
func invoiced(week int) func(context.Context, *demo) error {
	return func(ctx context.Context, d *demo) error {
		for _, o := range orders {
			if o.week != week {
				continue
			}
			var issued link
			if err := d.api.send(ctx, http.MethodPost, "/invoices", o.xml(d.customers[o.to]), &issued); err != nil {
				return err
			}
			d.invoices = append(d.invoices, issued)
		}
		return nil
	}
}

// settled registers by hand that what is owed on an invoice was paid, or that what was paid too much was paid back.
func settled(nth int, comment string) func(context.Context, *demo) error {
	return func(ctx context.Context, d *demo) error {
		invoice, err := d.invoice(ctx, nth)
		if err != nil {
			return err
		}
		body := xmlf(`<ar_transaction><amount>%s</amount><transaction_date>%s</transaction_date><comment>%s</comment></ar_transaction>`,
			-invoice.Ledger.Balance, d.today, comment)
		return d.api.send(ctx, http.MethodPost, invoice.URI+"/ar_transactions", body, nil)
	}
}

// credited credits an invoice.
func credited(nth int, comment string) func(context.Context, *demo) error {
	return func(ctx context.Context, d *demo) error {
		body := xmlf(`<credit_note><comment>%s</comment>%s</credit_note>`, comment, customers[orders[nth-1].to].shipments())
		return d.api.send(ctx, http.MethodPost, d.invoices[nth-1].URI+"/credit_notes", body, &d.creditNote)
	}
}

// delivered has the bank deliver a file.
func delivered(lines []bankLine) func(context.Context, *demo) error {
	return func(ctx context.Context, d *demo) (err error) {
		d.files++
		if d.lastFile, err = d.writeFile(ctx, lines); err != nil {
			return err
		}
		return d.deliver(ctx)
	}
}

// deliveredAgain has the bank deliver its latest file once more, which the API must recognise.
func deliveredAgain(ctx context.Context, d *demo) error {
	err := d.deliver(ctx)
	if refusedAs(err, "duplicate_file") {
		return nil
	}
	return errors.Join(errors.New("a file that came a second time was not recognised"), err)
}

func (d *demo) deliver(ctx context.Context) error {
	query := url.Values{"filename": {"OCR.D" + d.today.Time().Format("060102")}}
	return d.api.do(ctx, http.MethodPost, "/payment_files?"+query.Encode(), "text/plain", d.lastFile, nil)
}

// invoice returns an invoice of the plan as it now is.
func (d *demo) invoice(ctx context.Context, nth int) (document, error) {
	var now document
	if err := d.api.get(ctx, d.invoices[nth-1].URI, &now); err != nil {
		return document{}, err
	}
	return now, nil
}

// writeFile writes an OCR giro file as the bank delivers it in the morning: what it settled on the last bank day, and was
// ordered to the bank day before.
func (d *demo) writeFile(ctx context.Context, lines []bankLine) ([]byte, error) {
	settlement := calendar.LastBankDayBefore(d.today)
	number := fmt.Sprint(d.files)
	var file bytes.Buffer
	w := giro.NewWriter(&file)
	if err := w.StartTransmission(giro.TransmissionHeader{Number: number, Recipient: "00712345", Created: settlement}); err != nil {
		return nil, err
	}
	if err := w.StartAssignment(giro.AssignmentHeader{AgreementID: "1234567", Number: number, Account: creditorAccount, Created: settlement}); err != nil {
		return nil, err
	}
	for _, line := range lines {
		p, err := d.payment(ctx, line)
		if err != nil {
			return nil, err
		}
		if p.Negative {
			d.written.add(-p.Amount)
		} else {
			d.written.add(p.Amount)
		}
		p.NetsDate, p.BankDate, p.DayCode = settlement, calendar.LastBankDayBefore(settlement), settlement.Time().Format("02")
		p.ArchiveReference = fmt.Sprint(600_200_000 + d.written.Transactions)
		if err := w.Write(p); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return file.Bytes(), nil
}

// payment returns the transaction of a line, as what is owed now makes it.
func (d *demo) payment(ctx context.Context, line bankLine) (giro.Payment, error) {
	switch {
	case line.invoice > 0:
		invoice, err := d.invoice(ctx, line.invoice)
		if err != nil {
			return giro.Payment{}, err
		}
		amount := line.amount
		if amount == 0 {
			amount = invoice.Ledger.Balance + line.extra
		}
		account := customers[orders[line.invoice-1].to].account
		return giro.Payment{Type: giro.TypeCorporateGiro, Amount: amount, KID: invoice.KID, DebitAccount: account}, nil
	case line.payout:
		var note document
		if err := d.api.get(ctx, d.creditNote.URI, &note); err != nil {
			return giro.Payment{}, err
		}
		return giro.Payment{Type: giro.TypeCorporateGiro, Negative: true, Amount: -note.Ledger.Balance, KID: note.KID}, nil
	case line.text != "":
		return giro.Payment{Type: giro.TypePurchaseWithText, Amount: line.amount, Text: line.text}, nil
	default:
		return giro.Payment{Type: giro.TypeCashGiro, Amount: line.amount, KID: line.kid}, nil
	}
}
