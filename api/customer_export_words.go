package api

import "purr/models"

// exportText is what the index of an export says in a language.
type exportText struct {
	Language, Title, About, File, What, CustomerWord                             string
	Customer, Statement, Entries, Payments, Repayments, Shipment, Events, Bundle string
	Kinds                                                                        map[models.DocumentKind]string
}

// exportWords are these texts, by language.
var exportWords = map[string]exportText{
	"nb": {
		Language: "nb", Title: "Alt som er lagret om en kunde", File: "Fil", What: "Innhold", CustomerWord: "kunde",
		About:    "Dette er alt som er registrert om kunden i fakturasystemet. XML og JSON er for programmer, PDF er dokumentene slik de ble sendt.",
		Customer: "Kunden", Statement: "Kontoutdrag", Entries: "Posteringer", Payments: "Uplasserte innbetalinger som kan være fra kunden", Repayments: "Tilbakebetalinger",
		Shipment: "Utsending", Events: "Hendelser", Bundle: "Oversendt til inkasso, faktura",
		Kinds: map[models.DocumentKind]string{
			models.InvoiceDocument: "Faktura", models.CreditNoteDocument: "Kreditnota", models.NoticeDocument: "Purring på faktura", models.LetterDocument: "Samlebrev",
			models.PlanDocument: "Betalingsplan for faktura", models.StatementDocument: "Sendt kontoutdrag, kunde",
		},
	},
	"nn": {
		Language: "nn", Title: "Alt som er lagra om ein kunde", File: "Fil", What: "Innhald", CustomerWord: "kunde",
		About:    "Dette er alt som er registrert om kunden i fakturasystemet. XML og JSON er for program, PDF er dokumenta slik dei vart sende.",
		Customer: "Kunden", Statement: "Kontoutdrag", Entries: "Posteringar", Payments: "Uplasserte innbetalingar som kan vere frå kunden", Repayments: "Tilbakebetalingar",
		Shipment: "Utsending", Events: "Hendingar", Bundle: "Send til inkasso, faktura",
		Kinds: map[models.DocumentKind]string{
			models.InvoiceDocument: "Faktura", models.CreditNoteDocument: "Kreditnota", models.NoticeDocument: "Purring på faktura", models.LetterDocument: "Samlebrev",
			models.PlanDocument: "Betalingsplan for faktura", models.StatementDocument: "Sendt kontoutdrag, kunde",
		},
	},
	"en": {
		Language: "en", Title: "All that is stored about a customer", File: "File", What: "Content", CustomerWord: "customer",
		About:    "This is all that the invoicing system has about the customer. XML and JSON are for programs, PDFs are the documents as they were sent.",
		Customer: "The customer", Statement: "Statement of account", Entries: "Transactions", Payments: "Unmatched payments that may be the customer's", Repayments: "Repayments",
		Shipment: "Shipment", Events: "Events", Bundle: "Handed over to debt collection, invoice",
		Kinds: map[models.DocumentKind]string{
			models.InvoiceDocument: "Invoice", models.CreditNoteDocument: "Credit note", models.NoticeDocument: "Overdue notice on invoice", models.LetterDocument: "Letter for several invoices",
			models.PlanDocument: "Payment plan for invoice", models.StatementDocument: "Statement that was sent, customer",
		},
	},
}
