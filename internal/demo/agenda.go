package demo

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"purr/calendar"
	"purr/models"
)

// act is something that the creditor does, or its bank.
type act struct {
	day int // from the first Monday; a day on which banks are closed is moved to the next on which they are open
	do  func(ctx context.Context, d *demo) error
}

// agenda is what is done besides the invoices, in the order of the days.
var agenda = []act{
	{11, settled(2, "kontant i resepsjonen")},
	{23, delivered(firstFile)},
	{24, deliveredAgain},
	{30, settled(8, "dobbeltbetaling tilbakeført")},
	{36, credited(18, "Kurset ble avlyst")},
	{39, settled(14, "kort i resepsjonen")},
	{43, delivered(secondFile)},
	{45, settled(32, "kort i resepsjonen")},
	{46, settled(29, "kort i resepsjonen")},
	{50, settled(15, "kort i resepsjonen")},
	{53, settled(23, "nettbank, uten KID")},
	{55, settled(33, "kort i resepsjonen")},
}

// acts returns what is done on each date.
func (d *demo) acts() map[models.Date][]act {
	all := make([]act, weeks, weeks+len(agenda))
	for week := range all {
		all[week] = act{7 * week, invoiced(week)}
	}
	byDate := map[models.Date][]act{}
	for _, a := range append(all, agenda...) {
		date := calendar.NextBankDay(d.monday + models.Date(a.day))
		byDate[date] = append(byDate[date], a)
	}
	return byDate
}

// invoiced issues the invoices of a week.
func invoiced(week int) func(context.Context, *demo) error {
	return func(ctx context.Context, d *demo) error {
		for _, o := range orders {
			if o.week != week {
				continue
			}
			var issued document
			if err := d.api.send(ctx, http.MethodPost, "/invoices", o.form(d.customers[o.to]), &issued); err != nil {
				return err
			}
			d.invoices = append(d.invoices, issued)
		}
		return nil
	}
}

// settled registers by hand that what is owed on an invoice was paid, or that what was paid too much was
// paid back.
func settled(nth int, comment string) func(context.Context, *demo) error {
	return func(ctx context.Context, d *demo) error {
		invoice, err := d.invoice(ctx, nth)
		if err != nil {
			return err
		}
		form := entryForm{Amount: -invoice.Ledger.Balance, Date: d.today, Comment: comment}
		return d.api.send(ctx, http.MethodPost, invoice.URI+"/ar_transactions", form, nil)
	}
}

// credited credits an invoice.
func credited(nth int, comment string) func(context.Context, *demo) error {
	return func(ctx context.Context, d *demo) error {
		form := creditNoteForm{Comment: comment, Shipments: []shipmentForm{{"original", customers[orders[nth-1].to].method()}}}
		return d.api.send(ctx, http.MethodPost, d.invoices[nth-1].URI+"/credit_notes", form, &d.creditNote)
	}
}

// delivered has the bank deliver a file.
func delivered(lines []bankLine) func(context.Context, *demo) error {
	return func(ctx context.Context, d *demo) error {
		file, err := d.writeFile(ctx, lines)
		if err != nil {
			return err
		}
		d.files = append(d.files, file)
		return d.deliver(ctx, file)
	}
}

// deliveredAgain has the bank deliver its latest file once more, which the API must recognise.
func deliveredAgain(ctx context.Context, d *demo) error {
	err := d.deliver(ctx, d.files[len(d.files)-1])
	if refusedAs(err, "duplicate_file") {
		return nil
	}
	return errors.Join(errors.New("a file that came a second time was not recognised"), err)
}

func (d *demo) deliver(ctx context.Context, file []byte) error {
	query := url.Values{"filename": {"OCR.D" + d.today.Time().Format("060102")}}
	return d.api.do(ctx, http.MethodPost, "/payment_files?"+query.Encode(), "text/plain", file, nil)
}

// invoice returns an invoice of the plan as it now is.
func (d *demo) invoice(ctx context.Context, nth int) (document, error) {
	var now document
	err := d.api.get(ctx, d.invoices[nth-1].URI, &now)
	return now, err
}
