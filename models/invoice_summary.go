package models

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
}

// TableName names the store's table.
func (InvoiceSummary) TableName() string { return "invoices" }

// Status returns where the invoice stands on a day (rule D26).
func (i InvoiceSummary) Status(today Date) Status { return statusOf(i.Stage, i.Deadline, today) }
