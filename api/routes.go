package api

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"purr/models"
	"purr/store"
)

// route is one method of one path. A path that ends in a slash is a collection. It also works without the slash (rule
// D8).
type route struct {
	method string
	path   string
	scope  models.Scope // the least scope that the key must have; anyone needs no key
	handle handler
}

// bytesAnswered are the ends of paths that are answered with the bytes of a file or a document, in one form alone.
var bytesAnswered = []string{"/pdf", "/ehf", "/pain", "/csv", "/collection_bundle", "/raw", "/logo", "/file", "/export", "/reports/ledger", ".xsd", ".json"}

// showsResource reports whether the route is answered in XML or JSON.
func (r route) showsResource() bool {
	return r.method != get && r.method != post || !slices.ContainsFunc(bytesAnswered, func(end string) bool { return strings.HasSuffix(r.path, end) })
}

// handler answers a request. The kind of an error decides the answer (see statuses).
type handler func(ctx context.Context, rq *request) (answer, error)

const (
	get    = http.MethodGet
	post   = http.MethodPost
	put    = http.MethodPut
	remove = http.MethodDelete

	anyone = models.Scope("")
	read   = models.ScopeRead
	write  = models.ScopeWrite
	admin  = models.ScopeAdmin
)

// routes lists all routes. The comments name the files of the handlers; sections say what each does.
func (s *Server) routes() []route {
	routes := []route{
		// invoices.go, order.go, issuing.go; closings.go, hand_overs.go, holds.go
		{get, "/api/v1/invoices/", read, s.listInvoices},
		{post, "/api/v1/invoices/", write, s.keyed(bounded(s.createInvoice))},
		{post, "/api/v1/adopted_invoices/", write, s.once(s.adoptInvoice)},  // adopted_invoices.go
		{put, "/api/v1/adopted_invoice/{id}", write, s.change(tellBalance)}, // adopted_invoices.go
		{get, "/api/v1/invoice/{id}", read, s.show(whole(store.View.Invoice, (*request).invoiceDetail))},
		{get, "/api/v1/invoice/{id}/pdf", read, s.pdf(s.invoicePDF)},
		{get, "/api/v1/invoice/{id}/ehf", read, s.ehf(s.invoiceEHF)},
		{post, "/api/v1/invoice/{id}/credit_notes/", write, s.once(createCreditNote)},      // credit_notes.go
		{get, "/api/v1/invoice/{id}/overdue_notice_preview/pdf", read, s.noticePreviewPDF}, // notices.go
		{post, "/api/v1/invoice/{id}/overdue_notices/", write, s.once(s.createNotice)},     // notices.go
		{post, "/api/v1/invoice/{id}/ar_transactions/", write, s.once(createInvoiceEntry)}, // entries.go
		{post, "/api/v1/invoice/{id}/close", write, s.act(closeInvoice)},
		{post, "/api/v1/invoice/{id}/reopen", write, s.act(reopenInvoice)},
		{post, "/api/v1/invoice/{id}/debt_collection", write, s.act(handInvoiceOver)},
		{post, "/api/v1/invoice/{id}/move_credit", write, s.act(moveCredit)},            // free_credit.go
		{post, "/api/v1/invoice/{id}/waive_charges", write, s.act(waiveCharges)},        // only_charges.go
		{remove, "/api/v1/invoice/{id}/waive_charges", write, s.delete(restoreCharges)}, // only_charges.go
		{post, "/api/v1/invoice/{id}/copy", write, s.sendCopy(models.InvoiceDocument)},  // copies.go
		{get, "/api/v1/invoice/{id}/course", read, s.showCourse},                        // course.go
		{get, "/api/v1/invoice/{id}/collection_bundle", read, s.collectionBundle},
		{put, "/api/v1/invoice/{id}/dunning_hold", write, s.change(holdInvoice)},
		{remove, "/api/v1/invoice/{id}/dunning_hold", write, s.delete(releaseInvoice)},
		{put, "/api/v1/invoice/{id}/more_time", write, s.change(giveMoreTime)}, // more_time.go
		{remove, "/api/v1/invoice/{id}/more_time", write, s.delete(endMoreTime)},
		{put, "/api/v1/invoice/{id}/acknowledged", write, s.change(acknowledgeInvoice)}, // limitation.go
		{remove, "/api/v1/invoice/{id}/acknowledged", write, s.delete(removeAcknowledgement)},

		// payment_plans.go
		{get, "/api/v1/invoice/{id}/payment_plan", read, s.show(showPlanOfInvoice)},
		{put, "/api/v1/invoice/{id}/payment_plan", write, s.change(makePaymentPlan)},
		{remove, "/api/v1/invoice/{id}/payment_plan", write, s.delete(endPaymentPlan)},
		{get, "/api/v1/payment_plan/{id}", read, s.show(showPaymentPlan)},
		{get, "/api/v1/payment_plan/{id}/pdf", read, s.pdf(paymentPlanPDF)},

		// credit_notes.go
		{get, "/api/v1/credit_notes/", read, s.listCreditNotes},
		{get, "/api/v1/credit_note/{id}", read, s.show(whole(store.View.CreditNote, (*request).creditNoteDetail))},
		{get, "/api/v1/credit_note/{id}/pdf", read, s.pdf(s.creditNotePDF)},
		{get, "/api/v1/credit_note/{id}/ehf", read, s.ehf(s.creditNoteEHF)},
		{post, "/api/v1/credit_note/{id}/ar_transactions/", write, s.once(createCreditNoteEntry)},
		{post, "/api/v1/credit_note/{id}/copy", write, s.sendCopy(models.CreditNoteDocument)}, // copies.go

		// notices.go
		{get, "/api/v1/overdue_notices/", read, s.listNotices},
		{get, "/api/v1/overdue_notice/{id}", read, s.show(whole(store.View.Notice, (*request).noticeDetail))},
		{get, "/api/v1/overdue_notice/{id}/pdf", read, s.pdf(noticePDF)},
		{get, "/api/v1/overdue_notice/{id}/ehf", read, s.ehf(noticeEHF)},
		{get, "/api/v1/overdue_notice/{id}/calculation", read, s.show(showCalculation)},
		{get, "/api/v1/overdue_notice/{id}/audit", read, s.show(s.showNoticeAudit)},          // audit_proofs.go
		{post, "/api/v1/overdue_notice/{id}/copy", write, s.sendCopy(models.NoticeDocument)}, // copies.go

		{get, "/api/v1/letter/{id}", read, s.show(whole(store.View.Letter, (*request).letterDetail))}, // letters.go
		{get, "/api/v1/letter/{id}/pdf", read, s.pdf(letterPDF)},                                      // letters.go

		// shipments.go
		{get, "/api/v1/shipments/", read, s.listShipments},
		{get, "/api/v1/shipment/{id}", read, s.show(whole(store.View.CreditorShipment, (*request).shipmentDetail))},
		{post, "/api/v1/shipment/{id}/retry", write, s.once(s.retryShipment)},

		// dunning_plan.go, dunning_rules.go, dunning_runs.go
		{get, "/api/v1/dunning_plan", read, s.showDunningPlan},
		{get, "/api/v1/dunning_rules", read, s.showDunningRules},
		{put, "/api/v1/dunning_rules", admin, s.change(s.setDunningRule)},
		{get, "/api/v1/dunning_runs/", read, s.listDunningRuns},
		{get, "/api/v1/dunning_run/{id}", read, s.show(showDunningRun)},
		{post, "/api/v1/dunning_run/{id}/approve", admin, s.act(s.approveDunningRun)},

		// customers.go, holds.go
		{get, "/api/v1/customers/", read, s.listCustomers},
		{post, "/api/v1/customers/", write, s.once(s.createCustomer)},
		{get, "/api/v1/customer/{id}", read, s.show(whole(store.View.Customer, (*request).customerWithMandates))},
		{put, "/api/v1/customer/{id}", write, s.change(s.changeCustomer)},
		{remove, "/api/v1/customer/{id}", write, s.delete(deleteCustomer)},
		{put, "/api/v1/customer/{id}/dunning_hold", write, s.change(holdCustomer)},
		{remove, "/api/v1/customer/{id}/dunning_hold", write, s.delete(releaseCustomer)},
		{post, "/api/v1/customer/{id}/settle", write, s.act(settleCustomer)},
		{post, "/api/v1/customer/{id}/ehf", write, s.once(s.askReception)},
		{remove, "/api/v1/customer/{id}/letters_held", write, s.delete(releaseLetters)},
		{post, "/api/v1/customer/{id}/forget", admin, s.act(forgetCustomer)},       // privacy.go
		{get, "/api/v1/customer/{id}/export", admin, s.exportCustomer},             // privacy.go
		{get, "/api/v1/customer/{id}/statement", read, s.showCustomerStatement},    // customer_statements.go
		{get, "/api/v1/customer/{id}/statement/pdf", read, s.customerStatementPDF}, // customer_statements.go
		{post, "/api/v1/customer/{id}/statement", write, s.once(s.sendCustomerStatement)},
		{get, "/api/v1/customer/{id}/invoices/", read, s.ofCustomer(s.listInvoices)},
		{get, "/api/v1/customer/{id}/credit_notes/", read, s.ofCustomer(s.listCreditNotes)},
		{get, "/api/v1/customer/{id}/ar_transactions/", read, s.ofCustomer(s.listEntries)},
		{get, "/api/v1/customer/{id}/unmatched_payments/", read, s.ofCustomer(s.listPaymentsPerhapsOf)}, // payers.go

		// collections.go
		{get, "/api/v1/collections/", read, s.listCollections},
		{post, "/api/v1/collection_reports/", write, s.once(s.reportCollection)},

		// search.go
		{get, "/api/v1/search", read, s.search},

		// mandates.go
		{get, "/api/v1/mandates/", read, s.listMandates},

		// account_exports.go
		{get, "/api/v1/account_exports/", read, s.listAccountExports},
		{post, "/api/v1/account_exports/", write, s.keyed(s.makeAccountExport)},
		{get, "/api/v1/account_export/{id}", read, s.show(whole(store.View.AccountExport, (*request).accountExportDetail))},
		{get, "/api/v1/account_export/{id}/file", read, s.accountExportFile},

		// audits.go
		{get, "/api/v1/audits/", read, s.listAudits},
		{post, "/api/v1/audits/", write, s.once(s.startAudit)},
		{get, "/api/v1/audit/{id}", read, s.showAudit},
		{post, "/api/v1/audit/{id}/repay", admin, s.keyed(s.repayAudit)}, // audit_repayments.go

		// standing_still.go
		{get, "/api/v1/standing_still", read, s.listStandingStill},

		// free_credit.go, repayments.go, repayment_files.go
		{get, "/api/v1/free_credit", read, s.listFreeCredit},
		{get, "/api/v1/repayments/", read, s.listRepayments},
		{get, "/api/v1/repayment/{id}", read, s.show(row(store.View.Repayment, (*request).repayment))},
		{remove, "/api/v1/repayment/{id}", write, s.delete(withdrawRepayment)},
		{get, "/api/v1/customer/{id}/repayments/", read, s.ofCustomer(s.listRepayments)},
		{post, "/api/v1/customer/{id}/repayments/", write, s.once(orderRepayment)},
		{get, "/api/v1/repayment_files/", read, s.listRepaymentFiles},
		{post, "/api/v1/repayment_files/", write, s.once(makeRepaymentFile)},
		{get, "/api/v1/repayment_file/{id}", read, s.show(whole(store.View.RepaymentFile, (*request).repaymentFileDetail))},
		{remove, "/api/v1/repayment_file/{id}", write, s.delete(withdrawRepaymentFile)},
		{get, "/api/v1/repayment_file/{id}/pain", read, s.repaymentFilePain},
		{get, "/api/v1/repayment_file/{id}/csv", read, s.repaymentFileCSV},
		{post, "/api/v1/repayment_file/{id}/paid", write, s.act(payRepaymentFile)},
		{remove, "/api/v1/repayment_file/{id}/paid", write, s.delete(unpayRepaymentFile)},

		// receivables.go, only_charges.go
		{get, "/api/v1/receivables", read, s.showReceivables},

		// reports.go
		{get, "/api/v1/reports/month", read, s.showMonth},
		{get, "/api/v1/reports/ledger", read, s.ledgerReport},

		// entries.go
		{get, "/api/v1/ar_transactions/", read, s.listEntries},
		{get, "/api/v1/ar_transaction/{id}", read, s.show(row(store.View.Entry, (*request).entryDetail))},
		{remove, "/api/v1/ar_transaction/{id}", write, s.delete(deleteEntry)},

		// creditor.go, events.go
		{get, "/api/v1/creditor", read, s.showCreditor},
		{put, "/api/v1/creditor", admin, s.change(s.changeCreditor)},
		{get, "/api/v1/creditor/logo", read, s.showLogo}, // logo.go
		{put, "/api/v1/creditor/logo", admin, s.putLogo},
		{remove, "/api/v1/creditor/logo", admin, s.deleteLogo},
		{get, "/api/v1/creditor/ways", admin, s.showCreditorWays}, // creditor_ways.go
		{put, "/api/v1/creditor/ways", admin, s.change(s.changeCreditorWays)},
		{get, "/api/v1/events/", read, s.listEvents},

		// webhooks.go, webhook_deliveries.go
		{get, "/api/v1/webhooks/", write, s.listWebhooks},
		{post, "/api/v1/webhooks/", write, s.once(s.createWebhook)},
		{get, "/api/v1/webhook/{id}", write, s.show(row(store.View.Webhook, (*request).webhook))},
		{put, "/api/v1/webhook/{id}", write, s.change(s.changeWebhook)},
		{remove, "/api/v1/webhook/{id}", write, s.delete(deleteWebhook)},
		{post, "/api/v1/webhook/{id}/secret", write, s.act(renewSecret)},
		{get, "/api/v1/webhook/{id}/deliveries/", write, s.listWebhookDeliveries},
		{get, "/api/v1/webhook_delivery/{id}", write, s.show(row(store.View.WebhookDelivery, (*request).webhookDelivery))},
		{post, "/api/v1/webhook_delivery/{id}/redeliver", write, s.act(redeliver)},

		// payment_files.go, statement_lines.go
		{get, "/api/v1/payment_files/", read, s.listPaymentFiles},
		{post, "/api/v1/payment_files/", write, s.importPaymentFile},
		{get, "/api/v1/payment_file/{id}", read, s.show(showPaymentFile)},
		{get, "/api/v1/payment_file/{id}/raw", read, s.rawPaymentFile},
		{get, "/api/v1/payment_file/{id}/statement_lines/", read, s.listFileStatementLines},
		{get, "/api/v1/statement_lines/", read, s.listStatementLines},

		// unmatched_payments.go
		{get, "/api/v1/unmatched_payments/", read, s.listUnmatchedPayments},
		{get, "/api/v1/unmatched_payment/{id}", read, s.show(whole(store.View.UnmatchedPayment, (*request).unmatchedPaymentDetail))},
		{post, "/api/v1/unmatched_payment/{id}/match", write, s.act(matchPayment)},
		{post, "/api/v1/unmatched_payment/{id}/unmatch", write, s.act(unmatchPayment)},
		{post, "/api/v1/unmatched_payment/{id}/dismiss", write, s.act(dismissPayment)},
		{post, "/api/v1/unmatched_payment/{id}/reopen", write, s.act(reopenPayment)},
		{post, "/api/v1/unmatched_payment/{id}/not_payer", write, s.act(denyPayer)},        // payers.go
		{remove, "/api/v1/unmatched_payment/{id}/not_payer", write, s.delete(allowPayers)}, // payers.go

		// public.go, readiness.go
		{get, "/api/v1/schema.xsd", anyone, s.showSchema},
		{get, "/api/v1/openapi.json", anyone, s.showOpenAPI},
		{get, "/healthz", anyone, s.healthy},
		{get, "/readyz", anyone, s.ready},
	}
	if s.cfg.TestClock != nil {
		routes = append(routes,
			// test_clock.go
			route{get, "/api/v1/test_clock", admin, s.showTestClock},
			route{post, "/api/v1/test_clock", admin, s.keyed(s.moveTestClock)})
	}
	if s.cfg.HealthOnly {
		return slices.DeleteFunc(routes, func(r route) bool { return strings.HasPrefix(r.path, "/api/") })
	}
	return routes
}
