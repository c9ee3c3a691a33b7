package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"purr/models/calendar"
	"purr/ocr/giro"
)

// do does what the plan says.
func (d *demo) do(ctx context.Context, a act) error {
	switch a.XMLName.Local {
	case "invoice":
		return d.issue(ctx, a)
	case "settle":
		return d.settle(ctx, a)
	case "credit":
		return d.credit(ctx, a)
	case "bank_file":
		if err := d.writeFile(ctx, a.Payments); err != nil {
			return err
		}
		return d.deliver(ctx)
	case "mandates":
		return d.mandates(ctx, a.Text)
	case "same_file":
		return d.deliverAgain(ctx)
	}
	return fmt.Errorf("the plan has an unknown act %q", a.XMLName.Local)
}

// issue issues an invoice.
func (d *demo) issue(ctx context.Context, a act) error {
	to, err := d.plan.customer(a.To)
	if err != nil {
		return err
	}
	lines, err := d.plan.lines(a.Text)
	if err != nil {
		return err
	}
	body := xmlf(`<invoice><num_due_days>%d</num_due_days><recipient uri="%s"/><lines>%s</lines>%s</invoice>`,
		a.Due, to.URI, lines, to.shipments())
	issued := invoice{payer: to}
	if err := d.api.send(ctx, http.MethodPost, "/invoices", body, &issued.link); err != nil {
		return err
	}
	d.invoices = append(d.invoices, issued)
	return nil
}

// settle registers by hand a payment of what is owed on an invoice, or a repayment of what was paid too much.
func (d *demo) settle(ctx context.Context, a act) error {
	var now document
	if err := d.api.get(ctx, d.invoices[a.Invoice-1].URI, &now); err != nil {
		return err
	}
	body := xmlf(`<ar_transaction><amount>%s</amount><transaction_date>%s</transaction_date><comment>%s</comment></ar_transaction>`,
		-now.Ledger.Balance, d.today, a.Text)
	return d.api.send(ctx, http.MethodPost, now.URI+"/ar_transactions", body, nil)
}

// credit credits an invoice.
func (d *demo) credit(ctx context.Context, a act) error {
	on := d.invoices[a.Invoice-1]
	body := xmlf(`<credit_note><comment>%s</comment>%s</credit_note>`, a.Text, on.payer.shipments())
	return d.api.send(ctx, http.MethodPost, on.URI+"/credit_notes", body, &d.creditNote)
}

// deliver has the bank deliver its latest file.
func (d *demo) deliver(ctx context.Context) error {
	query := url.Values{"filename": {"OCR.D" + d.today.Time().Format("060102")}}
	return d.api.do(ctx, http.MethodPost, "/payment_files?"+query.Encode(), "text/plain", d.lastFile, nil)
}

// deliverAgain has the bank deliver its latest file once more, which the API must recognise.
func (d *demo) deliverAgain(ctx context.Context) error {
	var r *refusal
	err := d.deliver(ctx)
	if errors.As(err, &r) && len(r.Errors) > 0 && r.Errors[0].Code == "duplicate_file" {
		return nil
	}
	return errors.Join(errors.New("a file that came a second time was not recognised"), err)
}

// writeFile writes an OCR giro file as the bank delivers it in the morning. The bank settled its payments on the last bank
// day. The payers ordered them the bank day before.
func (d *demo) writeFile(ctx context.Context, payments []payment) error {
	d.files++
	number, settlement := fmt.Sprint(d.files), calendar.LastBankDayBefore(d.today)
	var file bytes.Buffer
	w := giro.NewWriter(&file)
	err := errors.Join(
		w.StartTransmission(giro.TransmissionHeader{Number: number, Recipient: "00712345", Created: settlement}),
		w.StartAssignment(giro.AssignmentHeader{AgreementID: "1234567", Number: number, Account: d.plan.Creditor.Account, Created: settlement}),
	)
	if err != nil {
		return err
	}
	for _, planned := range payments {
		p, err := d.transaction(ctx, planned)
		if err != nil {
			return err
		}
		p.NetsDate, p.BankDate, p.DayCode = settlement, calendar.LastBankDayBefore(settlement), settlement.Time().Format("02")
		p.ArchiveReference = fmt.Sprint(600_200_000 + d.written.Transactions)
		if err := w.Write(p); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	d.lastFile = file.Bytes()
	return nil
}

// transaction returns a payment as the bank writes it, with what is owed now. It counts the payment as written.
func (d *demo) transaction(ctx context.Context, p payment) (giro.Payment, error) {
	t := giro.Payment{Type: giro.TypeCashGiro, KID: p.KID, Text: p.Text}
	if p.Text != "" {
		t.Type = giro.TypePurchaseWithText
	}
	if p.Invoice > 0 || p.Payout {
		uri := d.creditNote.URI
		if p.Invoice > 0 {
			uri, t.DebitAccount = d.invoices[p.Invoice-1].URI, d.invoices[p.Invoice-1].payer.PaysFrom
		}
		var now document
		if err := d.api.get(ctx, uri, &now); err != nil {
			return giro.Payment{}, err
		}
		t.Type, t.KID = giro.TypeCorporateGiro, now.KID
		if p.Drawn {
			t.Type = giro.TypeAvtaleGiro
		}
		if p.Amount == 0 {
			p.Amount = now.Ledger.Balance + p.Extra
		}
	}
	d.written.add(p.Amount)
	t.Amount, t.Negative = max(p.Amount, -p.Amount), p.Amount < 0
	return t, nil
}
