package api

import (
	"context"
	"net/http"

	"purr/models"
)

// route is one thing that can be asked. A path that ends in a slash is a collection: it is the same
// without the slash (rule D8).
type route struct {
	method string
	path   string
	scope  models.Scope // the least that a key must have; anyone: none is needed
	handle handler
}

// handler does what a request asks. An error is answered by its kind.
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

// routes lists everything that can be asked.
func (s *Server) routes() []route {
	routes := []route{
		{get, "/api/v1/invoices/", read, s.listInvoices},
		{post, "/api/v1/invoices/", write, s.keyed(s.createInvoice)},
		{get, "/api/v1/invoice/{id}", read, s.show(showInvoice)},
		{get, "/api/v1/invoice/{id}/pdf", read, s.invoicePDF},
		{post, "/api/v1/invoice/{id}/credit_notes/", write, s.once(s.createCreditNote)},
		{post, "/api/v1/invoice/{id}/overdue_notices/", write, s.once(s.createNotice)},
		{post, "/api/v1/invoice/{id}/ar_transactions/", write, s.once(s.createInvoiceEntry)},
		{post, "/api/v1/invoice/{id}/close", write, s.once(s.closeInvoice)},
		{post, "/api/v1/invoice/{id}/reopen", write, s.once(s.reopenInvoice)},
		{post, "/api/v1/invoice/{id}/debt_collection", write, s.once(s.handInvoiceOver)},
		{get, "/api/v1/invoice/{id}/collection_bundle", read, s.collectionBundle},
		{put, "/api/v1/invoice/{id}/dunning_hold", write, s.holdInvoice},
		{remove, "/api/v1/invoice/{id}/dunning_hold", write, s.releaseInvoice},

		{get, "/api/v1/credit_notes/", read, s.listCreditNotes},
		{get, "/api/v1/credit_note/{id}", read, s.show(showCreditNote)},
		{get, "/api/v1/credit_note/{id}/pdf", read, s.creditNotePDF},
		{post, "/api/v1/credit_note/{id}/ar_transactions/", write, s.once(s.createCreditNoteEntry)},

		{get, "/api/v1/overdue_notices/", read, s.listNotices},
		{get, "/api/v1/overdue_notice/{id}", read, s.show(showNotice)},
		{get, "/api/v1/overdue_notice/{id}/pdf", read, s.noticePDF},
		{get, "/api/v1/overdue_notice/{id}/calculation", read, s.show(showCalculation)},
		{get, "/api/v1/dunning_plan", read, s.showDunningPlan},
		{get, "/api/v1/dunning_rules", read, s.showDunningRules},
		{put, "/api/v1/dunning_rules", admin, s.setDunningRule},
		{get, "/api/v1/dunning_runs/", read, s.listDunningRuns},
		{get, "/api/v1/dunning_run/{id}", read, s.show(showDunningRun)},
		{post, "/api/v1/dunning_run/{id}/approve", admin, s.once(s.approveDunningRun)},

		{get, "/api/v1/customers/", read, s.listCustomers},
		{post, "/api/v1/customers/", write, s.once(s.createCustomer)},
		{get, "/api/v1/customer/{id}", read, s.show(showCustomer)},
		{put, "/api/v1/customer/{id}", write, s.changeCustomer},
		{remove, "/api/v1/customer/{id}", write, s.deleteCustomer},
		{put, "/api/v1/customer/{id}/dunning_hold", write, s.holdCustomer},
		{remove, "/api/v1/customer/{id}/dunning_hold", write, s.releaseCustomer},
		{get, "/api/v1/customer/{id}/invoices/", read, s.ofCustomer(s.listInvoices)},
		{get, "/api/v1/customer/{id}/credit_notes/", read, s.ofCustomer(s.listCreditNotes)},
		{get, "/api/v1/customer/{id}/ar_transactions/", read, s.ofCustomer(s.listEntries)},

		{get, "/api/v1/ar_transactions/", read, s.listEntries},
		{get, "/api/v1/ar_transaction/{id}", read, s.show(showEntry)},
		{remove, "/api/v1/ar_transaction/{id}", write, s.deleteEntry},

		{get, "/api/v1/creditor", read, s.showCreditor},
		{put, "/api/v1/creditor", admin, s.changeCreditor},
		{get, "/api/v1/events/", read, s.listEvents},

		{get, "/api/v1/webhooks/", write, s.listWebhooks},
		{post, "/api/v1/webhooks/", write, s.once(s.createWebhook)},
		{get, "/api/v1/webhook/{id}", write, s.show(showWebhook)},
		{put, "/api/v1/webhook/{id}", write, s.changeWebhook},
		{remove, "/api/v1/webhook/{id}", write, s.deleteWebhook},
		{post, "/api/v1/webhook/{id}/secret", write, s.once(s.renewSecret)},
		{get, "/api/v1/webhook/{id}/deliveries/", write, s.listWebhookDeliveries},
		{get, "/api/v1/webhook_delivery/{id}", write, s.show(showWebhookDelivery)},
		{post, "/api/v1/webhook_delivery/{id}/redeliver", write, s.once(s.redeliver)},

		{get, "/api/v1/payment_files/", read, s.listPaymentFiles},
		{post, "/api/v1/payment_files/", write, s.importPaymentFile},
		{get, "/api/v1/payment_file/{id}", read, s.show(showPaymentFile)},
		{get, "/api/v1/payment_file/{id}/raw", read, s.rawPaymentFile},
		{get, "/api/v1/payment_file/{id}/statement_lines/", read, s.listFileStatementLines},
		{get, "/api/v1/statement_lines/", read, s.listStatementLines},
		{get, "/api/v1/unmatched_payments/", read, s.listUnmatchedPayments},
		{get, "/api/v1/unmatched_payment/{id}", read, s.show(showUnmatchedPayment)},
		{post, "/api/v1/unmatched_payment/{id}/match", write, s.once(s.matchPayment)},
		{post, "/api/v1/unmatched_payment/{id}/unmatch", write, s.once(s.unmatchPayment)},
		{post, "/api/v1/unmatched_payment/{id}/dismiss", write, s.once(s.dismissPayment)},

		{get, "/api/v1/schema.xsd", anyone, s.showSchema},
		{get, "/healthz", anyone, s.healthy},
		{get, "/readyz", anyone, s.ready},
	}
	if s.cfg.TestClock != nil {
		routes = append(routes,
			route{get, "/api/v1/test_clock", admin, s.showTestClock},
			route{post, "/api/v1/test_clock", admin, s.moveTestClock})
	}
	return routes
}
