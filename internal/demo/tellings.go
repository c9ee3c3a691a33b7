package demo

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"purr/models"
)

// begin writes the heading of a chapter once.
func (d *demo) begin(heading string) {
	if !d.begun[heading] {
		d.begun[heading] = true
		d.out.chapter("%s", heading)
	}
}

func tellAsItIs(_ context.Context, d *demo, events []event) error {
	for _, e := range events {
		d.out.happened("%s", e.Text)
	}
	return nil
}

// documents reads the invoices that events are about, as they now are.
func (d *demo) documents(ctx context.Context, events []event) ([]document, error) {
	docs := make([]document, len(events))
	for i, e := range events {
		if err := d.api.get(ctx, e.Invoice.URI, &docs[i]); err != nil {
			return nil, err
		}
	}
	return docs, nil
}

func tellInvoices(ctx context.Context, d *demo, events []event) error {
	d.begin("Every Monday the invoices of the week go out. What is not paid in time turns up as overdue.")
	invoices, err := d.documents(ctx, events)
	if err != nil {
		return err
	}
	var gross models.Amount
	by := make(map[models.ShipmentMethod]int)
	for _, i := range invoices {
		gross += i.Gross
		by[i.Shipments[0].Method]++
	}
	var channels []string
	if n := by[models.ByEmail]; n > 0 {
		channels = append(channels, fmt.Sprintf("%d by e-mail", n))
	}
	if n := by[models.ByPaper]; n > 0 {
		channels = append(channels, fmt.Sprintf("%d on paper", n))
	}
	d.out.happenedTo(gross, "Sent: %s, %s", named(invoices), strings.Join(channels, ", "))
	return nil
}

// tellOwed tells of invoices on which something has run out, and what is owed on them.
func tellOwed(what string) telling {
	return func(ctx context.Context, d *demo, events []event) error {
		invoices, err := d.documents(ctx, events)
		if err != nil {
			return err
		}
		var owed models.Amount
		for _, i := range invoices {
			owed += i.Ledger.Balance
		}
		d.out.happenedTo(owed, "%s: %s", what, named(invoices))
		return nil
	}
}

func tellNotices(ctx context.Context, d *demo, events []event) error {
	invoices, err := d.documents(ctx, events)
	if err != nil {
		return err
	}
	for _, i := range invoices {
		n := i.Notices[len(i.Notices)-1]
		name := "Reminder"
		if n.Warning == 1 {
			d.begin("Whoever leaves the reminder too gets a debt-collection warning. Handing over is left to a person.")
			name = "Debt-collection warning"
		} else {
			d.begin("The first reminders, which are letters: a fee and interest are posted with them, to be paid within 14 days.")
		}
		var c calculation
		if err := d.api.get(ctx, n.URI+"/calculation", &c); err != nil {
			return err
		}
		d.out.happenedTo(n.Gross, "%s, invoice %d, %s: fee %s, interest %s",
			name, i.Number, i.Recipient.Name, kroner(c.Fee.Amount), kroner(c.Interest.Amount))
	}
	return nil
}

func tellCreditNote(ctx context.Context, d *demo, events []event) error {
	d.begin("A course was cancelled. Its invoice, paid already, is credited: what was paid stays the customer's until it is paid out.")
	credited, err := d.documents(ctx, events)
	if err != nil {
		return err
	}
	for i, e := range events {
		var note document
		if err := d.api.get(ctx, fmt.Sprintf("/credit_note/%d", e.Subject), &note); err != nil {
			return err
		}
		d.out.happenedTo(-note.Gross, "Credit note %d on invoice %d, %s: %s to be paid out",
			note.Number, credited[i].Number, note.Recipient.Name, kroner(-note.Ledger.Balance))
	}
	return nil
}

// tellPayments tells of what people have registered: money in, or, as a repayment, money out.
func tellPayments(ctx context.Context, d *demo, events []event) error {
	invoices, err := d.documents(ctx, events)
	if err != nil {
		return err
	}
	for i, e := range events {
		var entry entry
		if err := d.api.get(ctx, fmt.Sprintf("/ar_transaction/%d", e.Subject), &entry); err != nil {
			return err
		}
		d.out.happenedTo(-entry.Amount, "By hand, invoice %d, %s: %s", invoices[i].Number, invoices[i].Recipient.Name, entry.Comment)
	}
	return nil
}

// named names invoices by their numbers, a row of three or more by its ends.
func named(invoices []document) string {
	numbers := make([]int64, len(invoices))
	for i, invoice := range invoices {
		numbers[i] = invoice.Number
	}
	slices.Sort(numbers)
	last := len(numbers) - 1
	if last == 0 {
		return fmt.Sprintf("invoice %d", numbers[0])
	}
	if last > 1 && numbers[last]-numbers[0] == int64(last) {
		return fmt.Sprintf("invoices %d to %d", numbers[0], numbers[last])
	}
	text := "invoices "
	for i, n := range numbers[:last] {
		if i > 0 {
			text += ", "
		}
		text += strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%s and %d", text, numbers[last])
}
