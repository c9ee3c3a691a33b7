package api

import (
	"strings"

	"purr/api/openapi"
)

// section is a part of the interface, as docs/interface.md and the OpenAPI document have it.
type section struct {
	title      string
	operations []operation
}

// operation is what is said of a route.
type operation struct {
	method, path string
	name         string // stable: clients are generated from it
	summary      string
	query        string // the names of its parameters
}

// sections say what each route does (rule J3). Tests hold them against the routes and what their handlers read.
var sections = []section{
	{"Invoices", []operation{
		{get, "/api/v1/invoices/", "listInvoices", "Lists the invoices.", "search status from_date to_date page per_page"},
		{post, "/api/v1/invoices/", "createInvoice", "Issues an invoice and sends it.", ""},
		{post, "/api/v1/adopted_invoices/", "adoptInvoice", "Follows an invoice that another system has issued: its number lies below the creditor's series, and nothing of it is sent.", ""},
		{put, "/api/v1/adopted_invoice/{id}", "tellBalance", "Books what the other system says is owed now of the adopted invoice whose number ends the path. A lower balance is a payment, a higher one takes earlier adopted payments back.", ""},
		{get, "/api/v1/invoice/{id}", "getInvoice", "Shows an invoice with its lines, shipments, entries, overdue notices and credit note.", ""},
		{get, "/api/v1/invoice/{id}/pdf", "getInvoicePDF", "Shows the invoice as a PDF.", ""},
		{get, "/api/v1/invoice/{id}/ehf", "getInvoiceEHF", "Shows the invoice as EHF, with its PDF inside.", ""},
		{post, "/api/v1/invoice/{id}/credit_notes/", "createCreditNote", "Issues a credit note on the whole of the invoice, and sends it.", ""},
		{post, "/api/v1/invoice/{id}/overdue_notices/", "createOverdueNotice", "Issues an overdue notice on the invoice, and sends it.", ""},
		{get, "/api/v1/invoice/{id}/overdue_notice_preview/pdf", "previewOverdueNotice", "Shows the overdue notice that would be sent on the invoice today, as a PDF that is marked as a preview. Nothing is booked or kept.", "is_incasso_notice"},
		{post, "/api/v1/invoice/{id}/ar_transactions/", "createInvoiceTransaction", "Registers a payment, a payout, or a reversal of a fee or of interest on the invoice.", ""},
		{post, "/api/v1/invoice/{id}/close", "closeInvoice", "Closes the invoice as lost, or for another reason.", ""},
		{post, "/api/v1/invoice/{id}/reopen", "reopenInvoice", "Opens the invoice again after it was closed or handed over to debt collection.", ""},
		{post, "/api/v1/invoice/{id}/debt_collection", "handInvoiceOver", "Hands the invoice over to debt collection, with force also while the deadline of its warning runs.", ""},
		{post, "/api/v1/invoice/{id}/move_credit", "moveCredit", "Moves free credit from the invoice, or from its credit note, to another invoice, also another customer's.", ""},
		{post, "/api/v1/invoice/{id}/waive_charges", "waiveCharges", "Waives the fees and interest that are left on the invoice, whose principal is paid.", ""},
		{remove, "/api/v1/invoice/{id}/waive_charges", "restoreCharges", "Takes the last waiver of charges back, while nothing else was done with the invoice since.", ""},
		{post, "/api/v1/invoice/{id}/copy", "sendInvoiceCopy", "Sends a copy of the invoice by e-mail or on paper. It is no new claim: no deadline moves, and nothing of the dunning.", ""},
		{get, "/api/v1/invoice/{id}/course", "getInvoiceCourse", "Shows what automatic dunning does next to an invoice, when and why.", ""},
		{get, "/api/v1/invoice/{id}/collection_bundle", "getCollectionBundle", "Shows the collection bundle of an invoice that is handed over, as a zip file.", ""},
		{put, "/api/v1/invoice/{id}/dunning_hold", "holdInvoice", "Stops automatic dunning of the invoice.", ""},
		{remove, "/api/v1/invoice/{id}/dunning_hold", "releaseInvoice", "Ends the hold of the invoice.", ""},
		{put, "/api/v1/invoice/{id}/more_time", "giveMoreTime", "Gives the customer more time for the invoice: no step is taken before the day is over. Interest runs, unless it is waived. With shipment_method a letter tells the customer of it.", ""},
		{remove, "/api/v1/invoice/{id}/more_time", "endMoreTime", "Ends the time that was given for the invoice, and the waiver of interest for the days that are not over.", ""},
		{put, "/api/v1/invoice/{id}/acknowledged", "acknowledgeInvoice", "Sets the day on which the claim was acknowledged, or taken to court: it lapses three years after that, unless it was acknowledged later in another way.", ""},
		{remove, "/api/v1/invoice/{id}/acknowledged", "removeAcknowledgement", "Removes the day that was set on which the claim was acknowledged.", ""},
		{get, "/api/v1/invoice/{id}/payment_plan", "getInvoicePaymentPlan", "Shows the last payment plan of the invoice: each instalment with what covers it and the day until which it is waited for.", ""},
		{put, "/api/v1/invoice/{id}/payment_plan", "makePaymentPlan", "Has the invoice paid by instalments, which are together what is owed. No step of dunning is taken while each that is due is covered. It replaces a plan that runs. A letter confirms it.", ""},
		{remove, "/api/v1/invoice/{id}/payment_plan", "endPaymentPlan", "Ends the payment plan of the invoice: dunning goes on where it was.", ""},
		{get, "/api/v1/payment_plan/{id}", "getPaymentPlan", "Shows a payment plan with what covers each instalment.", ""},
		{get, "/api/v1/payment_plan/{id}/pdf", "getPaymentPlanPDF", "Shows the letter that confirms the payment plan as a PDF.", ""},
	}},
	{"Credit notes", []operation{
		{get, "/api/v1/credit_notes/", "listCreditNotes", "Lists the credit notes.", "search status from_date to_date page per_page"},
		{get, "/api/v1/credit_note/{id}", "getCreditNote", "Shows a credit note with its lines, shipments and entries.", ""},
		{get, "/api/v1/credit_note/{id}/pdf", "getCreditNotePDF", "Shows the credit note as a PDF.", ""},
		{get, "/api/v1/credit_note/{id}/ehf", "getCreditNoteEHF", "Shows the credit note as EHF, with its PDF inside.", ""},
		{post, "/api/v1/credit_note/{id}/ar_transactions/", "createCreditNoteTransaction", "Registers a payout on the credit note.", ""},
		{post, "/api/v1/credit_note/{id}/copy", "sendCreditNoteCopy", "Sends a copy of the credit note by e-mail or on paper.", ""},
	}},
	{"Overdue notices", []operation{
		{get, "/api/v1/overdue_notices/", "listOverdueNotices", "Lists the overdue notices.", "from_date to_date page per_page"},
		{get, "/api/v1/overdue_notice/{id}", "getOverdueNotice", "Shows an overdue notice with its lines.", ""},
		{get, "/api/v1/overdue_notice/{id}/pdf", "getOverdueNoticePDF", "Shows the overdue notice as a PDF.", ""},
		{get, "/api/v1/overdue_notice/{id}/ehf", "getOverdueNoticeEHF", "Shows the overdue notice as EHF Reminder.", ""},
		{get, "/api/v1/overdue_notice/{id}/calculation", "getOverdueNoticeCalculation", "Shows how the amounts of an overdue notice were calculated.", ""},
		{get, "/api/v1/overdue_notice/{id}/audit", "getOverdueNoticeAudit", "Proves an overdue notice from its rows as they are now: each question with what it was answered from, and the law.", ""},
		{get, "/api/v1/letter/{id}", "getLetter", "Shows a letter for several invoices of a customer: the notices that share it, and the KID by which all of it can be paid.", ""},
		{get, "/api/v1/letter/{id}/pdf", "getLetterPDF", "Shows a letter for several invoices as a PDF.", ""},
		{post, "/api/v1/overdue_notice/{id}/copy", "sendOverdueNoticeCopy", "Sends a copy of the overdue notice by e-mail or on paper. It is no new claim: no deadline moves, and nothing of the dunning.", ""},
	}},
	{"Shipments", []operation{
		{get, "/api/v1/shipments/", "listShipments", "Lists the shipments of all documents, or of one.", "document method state page per_page"},
		{get, "/api/v1/shipment/{id}", "getShipment", "Shows a shipment with whom it goes to and what was reported of it.", ""},
		{post, "/api/v1/shipment/{id}/retry", "retryShipment", "Has the shipment sent again, if it failed or came back: as before, to another e-mail address, or by another method. A letter that came back goes to the address that the customer has by now, as a new shipment, and not to the old one again.", ""},
	}},
	{"Customers", []operation{
		{get, "/api/v1/customers/", "listCustomers", "Lists the customers.", "search page per_page"},
		{post, "/api/v1/customers/", "createCustomer", "Creates a customer.", ""},
		{get, "/api/v1/customer/{id}", "getCustomer", "Shows a customer.", ""},
		{put, "/api/v1/customer/{id}", "changeCustomer", "Changes the elements of a customer that the request holds.", ""},
		{remove, "/api/v1/customer/{id}", "deleteCustomer", "Deletes a customer who never got an invoice.", ""},
		{put, "/api/v1/customer/{id}/dunning_hold", "holdCustomer", "Stops automatic dunning of all invoices of the customer.", ""},
		{remove, "/api/v1/customer/{id}/dunning_hold", "releaseCustomer", "Ends the hold of the customer.", ""},
		{post, "/api/v1/customer/{id}/settle", "settleCustomer", "Moves the free credit of the customer to its open invoices, the oldest due date first: what was overpaid on other invoices, and what is outstanding on credit notes.", ""},
		{post, "/api/v1/customer/{id}/ehf", "askReception", "Asks the network now what the customer receives by EHF, and answers with that.", ""},
		{remove, "/api/v1/customer/{id}/letters_held", "releaseLetters", "Lets letters go to the customer again.", ""},
		{post, "/api/v1/customer/{id}/forget", "forgetCustomer", "Forgets the customer: its names, addresses and texts go everywhere purr keeps them; sums, numbers and dates stay. All that there is must be closed, and older than documents must be kept.", ""},
		{get, "/api/v1/customer/{id}/export", "exportCustomer", "Gives all that is known of the customer as a zip: XML, JSON, PDFs and letters, with an index in the customer's language.", ""},
		{get, "/api/v1/customer/{id}/statement", "getCustomerStatement", "Shows the statement of the customer for a period: the opening balance, each transaction, the closing balance, and the documents that are open at its end.", "from_date to_date"},
		{get, "/api/v1/customer/{id}/statement/pdf", "getCustomerStatementPDF", "Shows the same statement as a PDF, in the customer's language.", "from_date to_date"},
		{post, "/api/v1/customer/{id}/statement", "sendCustomerStatement", "Sends the statement of the customer by e-mail: to the customer, or to the address of the element email.", ""},
		{get, "/api/v1/customer/{id}/invoices/", "listCustomerInvoices", "Lists the invoices of the customer.", "search status from_date to_date page per_page"},
		{get, "/api/v1/customer/{id}/credit_notes/", "listCustomerCreditNotes", "Lists the credit notes of the customer.", "search status from_date to_date page per_page"},
		{get, "/api/v1/customer/{id}/ar_transactions/", "listCustomerTransactions", "Lists the entries of the customer.", "transaction_type from_date to_date page per_page"},
		{get, "/api/v1/customer/{id}/unmatched_payments/", "listCustomerUnmatchedPayments", "Lists the payments in the queue that may be the customer's.", "page per_page"},
	}},
	{"Search", []operation{
		{get, "/api/v1/search", "search", "Finds customers, invoices, credit notes, overdue notices, payments and shipments by numbers, sums and names: the best ten of each kind.", "q"},
	}},
	{"Ledger", []operation{
		{get, "/api/v1/standing_still", "listStandingStill", "Lists what stops automatic dunning, of invoices and of customers, or did: who did it, when, why, until when, and what is owed there.", "status kind format page per_page"},
		{get, "/api/v1/receivables", "getReceivables", "Shows what is owed by age, in all and by customer, who owes most first, or with only_charges=1 the invoices on which only fees and interest are left: a page, or all of them in CSV.", "date as_of format only_charges page per_page"},
		{get, "/api/v1/reports/month", "getMonthReport", "Shows what moved receivables in a month, by when it was booked: a month that is over stays as it is.", "month"},
		{get, "/api/v1/reports/ledger", "getLedger", "Shows in CSV all that was booked and deleted on some days, in the order of booking, with what all customers owe after each.", "from to format"},
		{get, "/api/v1/mandates/", "listMandates", "Lists the mandates of AvtaleGiro that the bank's files told of, those that ended too.", "page per_page"},
		{get, "/api/v1/account_exports/", "listAccountExports", "Lists the journals that were handed over to the accounts.", "page per_page"},
		{post, "/api/v1/account_exports/", "makeAccountExport", "Hands the journal of a period that is over to the accounts, in a format. It is made once: the same request is answered with the same file.", ""},
		{get, "/api/v1/account_export/{id}", "getAccountExport", "Shows a journal that was handed over, with what it books on each account.", ""},
		{get, "/api/v1/account_export/{id}/file", "getAccountExportFile", "Shows the file of a journal in a format, as it was made.", "format"},
		{get, "/api/v1/ar_transactions/", "listTransactions", "Lists the entries.", "transaction_type from_date to_date page per_page"},
		{get, "/api/v1/ar_transaction/{id}", "getTransaction", "Shows an entry.", ""},
		{remove, "/api/v1/ar_transaction/{id}", "deleteTransaction", "Deletes a payment that a person registered.", ""},
	}},
	{"Creditor", []operation{
		{get, "/api/v1/creditor", "getCreditor", "Shows the key's creditor.", ""},
		{put, "/api/v1/creditor", "changeCreditor", "Changes the elements of the creditor that the request holds.", ""},
		{get, "/api/v1/creditor/logo", "getLogo", "Shows the file of the creditor's logo, as it was put.", ""},
		{put, "/api/v1/creditor/logo", "putLogo", "Lets the documents that are issued from now on show a logo: the PNG or JPEG file that is the body, of at most 256 KiB and 2000 × 800 pixels.", ""},
		{remove, "/api/v1/creditor/logo", "deleteLogo", "Lets the documents that are issued from now on show no logo.", ""},
		{get, "/api/v1/creditor/ways", "getCreditorWays", "Shows by which ways of its own the creditor's documents leave, without secrets; what is absent is the installation's.", ""},
		{put, "/api/v1/creditor/ways", "changeCreditorWays", "Changes the settings that the request holds; an empty one is the installation's again, and one as GET shows it stays. It takes effect with the next shipment.", ""},
	}},
	{"Dunning", []operation{
		{get, "/api/v1/dunning_plan", "getDunningPlan", "Shows the steps that the automatic run of a day will take.", "date page per_page"},
		{get, "/api/v1/dunning_rules", "getDunningRules", "Shows the figures of the law on a day, and until when each is known.", "date"},
		{put, "/api/v1/dunning_rules", "setDunningRule", "Sets the next figure of a kind for this creditor alone.", ""},
		{get, "/api/v1/dunning_runs/", "listDunningRuns", "Lists the automatic runs and the missed dates.", "page per_page"},
		{get, "/api/v1/dunning_run/{id}", "getDunningRun", "Shows an automatic run or a missed date.", ""},
		{post, "/api/v1/dunning_run/{id}/approve", "approveDunningRun", "Approves a run that is above the ceiling, so that it goes on.", ""},
	}},
	{"Debt collection", []operation{
		{get, "/api/v1/collections/", "listCollections", "Lists the claims that the debt collector has, with what came on them since: a page, or all of them in CSV.", "status open format page per_page"},
		{post, "/api/v1/collection_reports/", "reportCollection", "Takes what the debt collector tells of claims: received, rejected, paid, withdrawn, closed unpaid. All of it is taken, or nothing; each once.", ""},
	}},
	{"Audits", []operation{
		{get, "/api/v1/audits/", "listAudits", "Lists the audits that were asked for.", "page per_page"},
		{post, "/api/v1/audits/", "startAudit", "Begins an audit: every letter, or those of a customer or of some days, is proved from its rows. One runs at a time; GET its address for how far it is.", ""},
		{get, "/api/v1/audit/{id}", "getAudit", "Shows how far an audit is, and a page of what it found.", "page per_page"},
		{post, "/api/v1/audit/{id}/repay", "repayAudit", "Puts right what an audit found: takes off each invoice what was charged too much, withdraws debt-collection warnings that were unlawful, takes claims back from the debt collector, and owes each customer a letter that says so. The second time it books nothing.", ""},
	}},
	{"Repayments", []operation{
		{get, "/api/v1/free_credit", "listFreeCredit", "Lists the customers with free credit, who has most first: a page, or all of them in CSV.", "format page per_page"},
		{get, "/api/v1/repayments/", "listRepayments", "Lists the repayments.", "status page per_page"},
		{get, "/api/v1/repayment/{id}", "getRepayment", "Shows a repayment.", ""},
		{remove, "/api/v1/repayment/{id}", "withdrawRepayment", "Takes a repayment back that is in no file yet.", ""},
		{get, "/api/v1/customer/{id}/repayments/", "listCustomerRepayments", "Lists the repayments of the customer.", "status page per_page"},
		{post, "/api/v1/customer/{id}/repayments/", "orderRepayment", "Orders that free credit is paid back to the customer. It is reserved until it is paid.", ""},
		{get, "/api/v1/repayment_files/", "listRepaymentFiles", "Lists the files of repayments.", "page per_page"},
		{post, "/api/v1/repayment_files/", "makeRepaymentFile", "Puts the repayments that wait into one file for the bank; without one that waits it makes none, and answers 200.", ""},
		{get, "/api/v1/repayment_file/{id}", "getRepaymentFile", "Shows a file of repayments with the repayments in it.", ""},
		{remove, "/api/v1/repayment_file/{id}", "withdrawRepaymentFile", "Withdraws a file that the bank did not take. Its repayments wait again.", ""},
		{get, "/api/v1/repayment_file/{id}/pain", "getRepaymentFilePain", "Shows the file for the bank, pain.001.001.09, as it was made.", ""},
		{get, "/api/v1/repayment_file/{id}/csv", "getRepaymentFileCSV", "Shows the list of the repayments in the file in CSV, as it was made.", ""},
		{post, "/api/v1/repayment_file/{id}/paid", "payRepaymentFile", "Posts that the bank has paid the file: a REPAYMENT transaction for each repayment.", ""},
		{remove, "/api/v1/repayment_file/{id}/paid", "unpayRepaymentFile", "Takes back that the bank has paid the file.", ""},
	}},
	{"Payment files", []operation{
		{get, "/api/v1/payment_files/", "listPaymentFiles", "Lists the payment files with the creditor's part of each.", "page per_page"},
		{post, "/api/v1/payment_files/", "importPaymentFile", "Imports the OCR giro or camt.054 file that is the body.", "accept_conflict filename"},
		{get, "/api/v1/payment_file/{id}", "getPaymentFile", "Shows a payment file with the creditor's part of it.", ""},
		{get, "/api/v1/payment_file/{id}/raw", "getPaymentFileBytes", "Shows the bytes of a payment file as they came.", ""},
		{get, "/api/v1/payment_file/{id}/statement_lines/", "listPaymentFileStatementLines", "Lists the statement lines of the payment file.", "page per_page"},
		{get, "/api/v1/statement_lines/", "listStatementLines", "Lists the statement lines: a page, or all of them in CSV.", "account format from_date to_date page per_page"},
	}},
	{"Unmatched payments", []operation{
		{get, "/api/v1/unmatched_payments/", "listUnmatchedPayments", "Lists the unmatched payments, open and resolved.", "status page per_page"},
		{get, "/api/v1/unmatched_payment/{id}", "getUnmatchedPayment", "Shows an unmatched payment, with suggestions while it is open.", ""},
		{post, "/api/v1/unmatched_payment/{id}/match", "matchPayment", "Posts the unmatched payment on one invoice, on several that together owe its amount, or on several with a part for each.", ""},
		{post, "/api/v1/unmatched_payment/{id}/unmatch", "unmatchPayment", "Withdraws a manual match of the payment.", ""},
		{post, "/api/v1/unmatched_payment/{id}/dismiss", "dismissPayment", "Resolves the unmatched payment without posting it.", ""},
		{post, "/api/v1/unmatched_payment/{id}/reopen", "reopenPayment", "Takes the dismissal of the payment back.", ""},
		{post, "/api/v1/unmatched_payment/{id}/not_payer", "denyPayer", "Notes that the payment is not a customer's: he is not suggested for it, and is dunned again.", ""},
		{remove, "/api/v1/unmatched_payment/{id}/not_payer", "allowPayers", "Takes back that the payment is not of some customers.", ""},
	}},
	{"Events and webhooks", []operation{
		{get, "/api/v1/events/", "listEvents", "Lists what happened.", "after page per_page"},
		{get, "/api/v1/webhooks/", "listWebhooks", "Lists the webhooks.", "page per_page"},
		{post, "/api/v1/webhooks/", "createWebhook", "Creates a webhook and shows its secret, only this once.", ""},
		{get, "/api/v1/webhook/{id}", "getWebhook", "Shows a webhook without its secret.", ""},
		{put, "/api/v1/webhook/{id}", "changeWebhook", "Changes the elements of a webhook that the request holds.", ""},
		{remove, "/api/v1/webhook/{id}", "deleteWebhook", "Deletes a webhook and its deliveries.", ""},
		{post, "/api/v1/webhook/{id}/secret", "renewWebhookSecret", "Gives the webhook a new secret and shows it.", ""},
		{get, "/api/v1/webhook/{id}/deliveries/", "listWebhookDeliveries", "Lists the deliveries to the webhook.", "status page per_page"},
		{get, "/api/v1/webhook_delivery/{id}", "getWebhookDelivery", "Shows a delivery.", ""},
		{post, "/api/v1/webhook_delivery/{id}/redeliver", "redeliverEvent", "Posts the event of the delivery once more.", ""},
	}},
	{"Test clock (only with --test-clock)", []operation{
		{get, "/api/v1/test_clock", "getTestClock", "Shows the time of the test clock.", ""},
		{post, "/api/v1/test_clock", "moveTestClock", "Moves the test clock forward, and answers when all work that fell due is done.", ""},
	}},
	{"The program itself", []operation{
		{get, "/api/v1/schema.xsd", "getXMLSchema", "Shows the XML Schema of answers, or that of requests.", "of"},
		{get, "/api/v1/openapi.json", "getOpenAPI", "Shows this interface as an OpenAPI document.", ""},
		{get, "/healthz", "getHealth", "Tells that the process runs.", ""},
		{get, "/readyz", "getReadiness", "Tells whether purr can do its work, and names the parts that cannot.", ""},
	}},
}

// media are what routes answer that show no resource, by the end of their path.
var media = map[string][]string{
	"/pdf": {"application/pdf"}, "/pain": {"application/xml"}, "/csv": {"text/csv"}, "/ehf": {"application/xml"}, "/collection_bundle": {"application/zip"}, "/export": {"application/zip"},
	"/raw": {"application/octet-stream", "text/plain"}, "/logo": {"image/png", "image/jpeg"}, "/reports/ledger": {"text/csv"}, "/file": {"text/csv", "text/plain"}, ".xsd": {"application/xml"}, ".json": {"application/json"}, "z": {"text/plain"},
}

// Operations returns what the interface can be asked, by section. What only a test clock brings is not among it.
func Operations() []openapi.Operation { return (&Server{}).operations() }

// operations returns what the server can be asked, by section.
func (s *Server) operations() []openapi.Operation {
	routes := map[string]route{}
	for _, r := range s.routes() {
		routes[r.method+" "+r.path] = r
	}
	var found []openapi.Operation
	for _, part := range sections {
		for _, o := range part.operations {
			r, there := routes[o.method+" "+o.path]
			if !there {
				continue
			}
			op := openapi.Operation{
				Method: o.method, Path: o.path, Scope: r.scope, Name: o.name, Section: part.title, Summary: o.summary, Parameters: strings.Fields(o.query),
			}
			for end, types := range media {
				if o.method == get && strings.HasSuffix(o.path, end) {
					op.Media = types
				}
			}
			found = append(found, op)
		}
	}
	return found
}
