package models

import (
	"slices"
	"strings"
	"time"
)

// ActorProgram is the actor of what the program does by itself.
const ActorProgram = "purr"

// Event is one line of the audit log. It is never changed.
type Event struct {
	ID         int64 // given after the commit, ascending (rule O15)
	CreditorID int64
	At         time.Time
	Type       EventType
	Actor      string // who did it: an API key, a person at the command line, or ActorProgram
	InvoiceID  int64  // the invoice that the event is about, if any
	CustomerID int64  // the customer that the event is about, if any
	SubjectID  int64  // the ID of the thing that EventFacts.Subject names
	Text       string // what happened, for a person
	Data       string // the facts, as a JSON object; empty if there are none
	Facts      Facts  `gorm:"-"` // what is logged as Data; nil in an event that was read
}

// Facts are what an event tells of, by name: for programs, and for a sentence in any language. EventFact.Facts says which
// facts each type of event has. Amounts and dates are texts, as in the interface. Nothing personal is among them, but for the values of
// a customer that was changed.
type Facts map[string]any

// EventType names what happened.
type EventType string

// The types of events. EventFacts says what each means.
const (
	EventInvoiceCreated    EventType = "invoice.created"
	EventInvoiceAdopted    EventType = "invoice.adopted"
	EventBalanceAdopted    EventType = "invoice.balance_adopted"
	EventInvoiceOverdue    EventType = "invoice.overdue"
	EventInvoiceChargeable EventType = "invoice.chargeable"
	EventInvoiceHandedOver EventType = "invoice.handed_over"
	EventInvoiceClosed     EventType = "invoice.closed"
	EventInvoiceReopened   EventType = "invoice.reopened"
	EventInvoiceLapses     EventType = "invoice.lapses"

	EventInvoiceAcknowledged    EventType = "invoice.acknowledged"
	EventAcknowledgementRemoved EventType = "invoice.acknowledgement_removed"

	EventCreditNoteCreated EventType = "credit_note.created"

	EventNoticeCreated      EventType = "overdue_notice.created"
	EventNoticeWithdrawn    EventType = "overdue_notice.withdrawn"
	EventNoticeOverdue      EventType = "overdue_notice.overdue"
	EventNoticeRecalculated EventType = "notice.recalculated"
	EventNoticeLeftLate     EventType = "notice.left_late"
	EventHoldSet            EventType = "hold.set"
	EventHoldRemoved        EventType = "hold.removed"
	EventMoreTimeGiven      EventType = "more_time.given"
	EventMoreTimeEnded      EventType = "more_time.ended"
	EventPlanMade           EventType = "payment_plan.made"
	EventPlanEnded          EventType = "payment_plan.ended"
	EventPlanBroken         EventType = "payment_plan.broken"
	EventPlanKept           EventType = "payment_plan.kept"
	EventBundleDelivered    EventType = "collection_bundle.delivered"
	EventBundleWithdrawn    EventType = "collection_bundle.withdrawn"
	EventCollectionReported EventType = "collection.reported"
	EventCollectorFile      EventType = "collector_file.made"

	EventPaymentRegistered   EventType = "payment.registered"
	EventPaymentDeleted      EventType = "payment.deleted"
	EventPaymentReceived     EventType = "payment.received"
	EventPaymentInCollection EventType = "payment.after_hand_over"
	EventPaymentUnmatched    EventType = "payment.unmatched"
	EventPaymentWaitingLong  EventType = "payment.waiting_long"
	EventPaymentMatched      EventType = "payment.matched"
	EventPaymentReopened     EventType = "payment.reopened"
	EventPaymentDismissed    EventType = "payment.dismissed"
	EventPayerDenied         EventType = "payment.payer_denied"
	EventPayerAllowed        EventType = "payment.payer_allowed"
	EventEntryReversed       EventType = "entry.reversed"
	EventCreditMoved         EventType = "credit.moved"
	EventCreditMovedBack     EventType = "credit.moved_back"
	EventChargesWaived       EventType = "charges.waived"
	EventChargesRestored     EventType = "charges.restored"
	EventCreditTransferred   EventType = "credit.transferred"

	EventRepaymentOrdered       EventType = "repayment.ordered"
	EventRepaymentWithdrawn     EventType = "repayment.withdrawn"
	EventRepaymentStopped       EventType = "repayment.stopped"
	EventRepaymentPaid          EventType = "repayment.paid"
	EventRepaymentUnpaid        EventType = "repayment.unpaid"
	EventRepaymentFileMade      EventType = "repayment_file.made"
	EventRepaymentFileWithdrawn EventType = "repayment_file.withdrawn"
	EventRepaymentFilePaid      EventType = "repayment_file.paid"
	EventRepaymentFileUnpaid    EventType = "repayment_file.unpaid"

	EventAccountsExported EventType = "accounts.exported"

	EventMandatesRead      EventType = "mandates.read"
	EventClaimFileMade     EventType = "avtalegiro_file.made"
	EventClaimFileSent     EventType = "avtalegiro_file.sent"
	EventClaimFileAccepted EventType = "avtalegiro_file.accepted"
	EventClaimFileRejected EventType = "avtalegiro_file.rejected"
	EventClaimFileGivenUp  EventType = "avtalegiro_file.given_up"
	EventClaimRejected     EventType = "avtalegiro.rejected"
	EventClaimCancelled    EventType = "avtalegiro.cancelled"
	EventClaimNotCancelled EventType = "avtalegiro.not_cancelled"
	EventClaimUnpaid       EventType = "avtalegiro.unpaid"

	EventFileImported          EventType = "payment_file.imported"
	EventFileRejected          EventType = "payment_file.rejected"
	EventFileDuplicate         EventType = "payment_file.duplicate"
	EventFileDatedAhead        EventType = "payment_file.date_ahead"
	EventTransmissionsMissing  EventType = "payment_file.gap"
	EventTransmissionDismissed EventType = "transmission.dismissed"
	EventBankFilesLate         EventType = "bank_files.late"
	EventBankConfirmed         EventType = "bank_files.none"
	EventBankUnreachable       EventType = "bank_folder.unreachable"

	EventLetterCreated     EventType = "letter.created"
	EventShipmentSent      EventType = "shipment.sent"
	EventShipmentDelivered EventType = "shipment.delivered"
	EventShipmentFailed    EventType = "shipment.failed"
	EventShipmentReturned  EventType = "shipment.returned"
	EventShipmentRetried   EventType = "shipment.retried"
	EventCopySent          EventType = "copy.sent"
	EventShipmentFallback  EventType = "shipment.fallback"
	EventFriendlyReminder  EventType = "friendly_reminder.sent"
	EventWayRefused        EventType = "way.refused"
	EventWayPaused         EventType = "way.paused"
	EventWayResumed        EventType = "way.resumed"
	EventWayFolder         EventType = "way.folder"
	EventWayChanged        EventType = "way.changed"
	EventLettersReleased   EventType = "letters.released"
	EventEHFVATRate        EventType = "ehf.vat_rate"
	EventSignsLeftOut      EventType = "document.signs_left_out"

	EventStatementCreated EventType = "statement.created"

	EventCustomerCreated   EventType = "customer.created"
	EventCustomerChanged   EventType = "customer.changed"
	EventCustomerDeleted   EventType = "customer.deleted"
	EventCustomerForgotten EventType = "customer.forgotten"
	EventAddressWanted     EventType = "customer.address_wanted"
	EventCreditorCreated   EventType = "creditor.created"
	EventCreditorChanged   EventType = "creditor.changed"
	EventNotReady          EventType = "creditor.not_ready"
	EventNotReadyToSend    EventType = "creditor.not_ready_to_send"
	EventVATUnknown        EventType = "creditor.vat_unknown"
	EventAccountWaiting    EventType = "bank_account.waiting"
	EventAccountApproved   EventType = "bank_account.approved"
	EventAccountReleased   EventType = "bank_account.released"
	EventKeyCreated        EventType = "key.created"
	EventKeyRevoked        EventType = "key.revoked"
	EventHeldAccepted      EventType = "restore.accepted"
	EventDegraded          EventType = "creditor.degraded"
	EventRecovered         EventType = "creditor.recovered"
	EventClockBack         EventType = "clock.went_back"

	EventAuditDisagreed EventType = "audit.disagreed"
	EventAuditRepaid    EventType = "audit.repaid"
	EventAuditFinding   EventType = "audit.finding"

	EventDunningRun   EventType = "dunning.run"
	EventRunWaiting   EventType = "dunning.run_waiting"
	EventRunApproved  EventType = "dunning.run_approved"
	EventRulesEnding  EventType = "dunning_rules.ending"
	EventRulesChanged EventType = "dunning_rules.changed"

	EventWebhookCreated  EventType = "webhook.created"
	EventWebhookChanged  EventType = "webhook.changed"
	EventWebhookDeleted  EventType = "webhook.deleted"
	EventWebhookDisabled EventType = "webhook.disabled"
	EventDeliveryFailed  EventType = "webhook_delivery.failed"
	EventRedelivered     EventType = "webhook_delivery.redelivered"
)

// EventFact says what a type of event means.
type EventFact struct {
	Type    EventType
	Posted  bool   // webhooks can have it posted (rule E7)
	Subject string // the thing whose ID is in Event.SubjectID
	Tells   string // what happened
	Facts   string // the names of its facts, between blanks; one with ? is there only where it applies
}

// EventFacts are all types of events. Webhooks can have every type except the webhooks' own: a failed delivery of
// such an event would create another one.
var EventFacts = []EventFact{
	{EventInvoiceCreated, true, "invoice", "an invoice was issued", "invoice_number gross_amount due_date"},
	{EventInvoiceAdopted, true, "invoice", "an invoice of another system was adopted: it is followed here from now on, and nothing of it was sent (rule L17)", "invoice_number gross_amount balance due_date"},
	{EventBalanceAdopted, true, "invoice", "the system that issued an adopted invoice told that another amount is owed; a payment is booked, or earlier ones are taken back (rule L17)", "invoice_number balance_before balance"},
	{EventInvoiceOverdue, true, "invoice", "the invoice's due date has passed", "invoice_number balance due_date"},
	{EventInvoiceChargeable, true, "invoice", "the invoice is so long overdue that a notice may carry a fee", "invoice_number balance due_date"},
	{EventInvoiceHandedOver, true, "invoice", "the claim was handed over to debt collection", "invoice_number balance forced? comment? actor?"},
	{EventInvoiceClosed, true, "invoice", "a person closed the invoice; without an actor a run did, because so little of its principal was left (rule L25)", "invoice_number balance reason comment? actor? written_off? overdue_charge? interest?"},
	{EventInvoiceReopened, true, "invoice", "a person opened a closed invoice again, or took a hand-over back; without an actor the program did, because the warning does not bear a run's hand-over of which nothing was delivered, or because money was taken back from an invoice that a run had closed for a small remainder (rule L25)", "invoice_number balance was actor? written_off?"},
	{EventInvoiceLapses, true, "invoice", "the claim lapses on a day, 180 days from now or sooner, unless it is acknowledged, paid on or taken to court before (foreldelsesloven); told once for each such day (rule L26)", "invoice_number balance due_date lapses_on"},
	{EventInvoiceAcknowledged, true, "invoice", "a person set the day on which the claim was acknowledged, or taken to court", "invoice_number balance date was? lapses_on actor?"},
	{EventAcknowledgementRemoved, true, "invoice", "a person removed the day that was set on which the claim was acknowledged", "invoice_number balance was lapses_on actor?"},
	{EventCreditNoteCreated, true, "credit note", "an invoice was credited", "invoice_number credit_note_number gross_amount"},

	{EventNoticeCreated, true, "notice", "a reminder or a warning was made", "invoice_number sequence_number is_incasso_notice overdue_charge interest gross_amount due_date letter_number?"},
	{EventNoticeWithdrawn, true, "notice", "a notice was withdrawn: it is needless, its letter failed or left too late, it is issued anew on a later day, or its invoice had not left, or left late; with handed_over the debt collector claims it, and wants to be told", "invoice_number sequence_number is_incasso_notice reason failure? left? handed_over? balance?"},
	{EventNoticeOverdue, true, "invoice", "the deadline of the invoice's last notice has passed", "invoice_number balance is_incasso_notice due_date"},
	{EventNoticeRecalculated, true, "notice", "what the notice had charged too much was reversed: money was booked that had come before it (since), or its invoice or the notice before it turned out to have left late (left)", "invoice_number sequence_number since? reason? left? overdue_charge interest"},
	{EventNoticeLeftLate, true, "notice", "a notice's letter left on a later day than its own: the notice runs until counts_until", "invoice_number sequence_number is_incasso_notice left due_date counts_until handed_over?"},
	{EventHoldSet, true, "invoice, or the customer where there is none", "automatic dunning was put on hold", "invoice_number? balance? reason? until? comment? actor?"},
	{EventHoldRemoved, true, "invoice, or the customer where there is none", "a hold was removed", "invoice_number? balance? actor?"},
	{EventMoreTimeGiven, true, "invoice", "a customer was given more time for an invoice, until a day: no step is taken before it is over (rule N11)", "invoice_number balance until comment? interest_waived? method? letter_withdrawn? actor?"},
	{EventMoreTimeEnded, true, "invoice", "the time that a customer was given was ended before its day", "invoice_number balance until interest_waived? letter_withdrawn? actor?"},
	{EventPlanMade, true, "payment plan", "a customer may pay an invoice by instalments: no step is taken while each that is due is covered (rule L15); a plan that there was is replaced", "invoice_number balance instalments until method? replaced? letter_withdrawn? actor?"},
	{EventPlanEnded, true, "payment plan", "a payment plan was ended by a person, or because its invoice was closed or handed over; the ladder goes on where it was", "invoice_number balance letter_withdrawn? actor?"},
	{EventPlanBroken, true, "payment plan", "an instalment was missed, and the plan with it; the ladder goes on where it was, and a person is told", "invoice_number balance due_date instalment missing letter_withdrawn?"},
	{EventPlanKept, true, "payment plan", "all instalments of a payment plan are covered, or nothing is owed on the invoice any more", "invoice_number balance letter_withdrawn?"},
	{EventBundleDelivered, true, "hand-over", "the debt collector has the bundle", "invoice_number name"},
	{EventBundleWithdrawn, true, "hand-over", "a hand-over was taken back: nobody is to collect by its bundle", "invoice_number reason delivered"},
	{EventCollectionReported, true, "hand-over", "the debt collector told what became of a claim (rule C1); of a payment the data also holds the amount and the entry", "invoice_number state at balance reference? reason? amount? entry? actor?"},
	{EventCollectorFile, true, "file for the collector", "a file was made that tells the debt collector what came on its claims without it (rule C2)", "file_number day entries amount"},

	{EventPaymentRegistered, true, "entry", "a payment, repayment or payout was registered", "kind amount transaction_date invoice_number? credit_note_number? comment?"},
	{EventPaymentDeleted, true, "entry", "a registered payment was deleted; the data holds what the entry was", "id kind invoice credit_note amount transaction_date comment created_at removed_by"},
	{EventPaymentReceived, true, "entry", "reserved: no event of this type is written", ""},
	{EventPaymentInCollection, true, "entry", "something was paid on an invoice that is with the debt collector", "invoice_number handed_over hand_over entry amount balance"},
	{EventPaymentUnmatched, true, "payment file", "a payment found no invoice and waits in the queue", "amount kid reason"},
	{EventPaymentWaitingLong, true, "unmatched payment", "a payment has waited in the queue for 10 days (rule L3)", "amount since"},
	{EventPaymentMatched, true, "unmatched payment", "a person matched a payment", "amount transaction_date invoice_number part entry comment? actor"},
	{EventPaymentReopened, true, "unmatched payment", "a person took a match or a dismissal back", "amount transaction_date invoice_number? part? entry? comment? actor"},
	{EventPaymentDismissed, true, "unmatched payment", "a person dismissed a payment: it was sent back, or is not ours", "amount transaction_date comment? actor"},
	{EventPayerDenied, true, "unmatched payment", "a person said that a payment in the queue is not a customer's (rule N6)", "amount transaction_date name actor"},
	{EventPayerAllowed, true, "unmatched payment", "a person took back that a payment in the queue is not a customer's", "amount transaction_date name actor"},
	{EventEntryReversed, true, "entry", "a fee or interest was reversed", "type amount transaction_date invoice_number comment?"},
	{EventCreditMoved, true, "customer", "free credit was moved to the customer's open invoices; the data holds the moves", "amount moves"},
	{EventCreditMovedBack, true, "customer", "credit was moved back to the document that it came from, because the money that it was made of was taken back (rule D96)", "amount moves"},
	{EventChargesWaived, true, "invoice", "the principal is paid, and a run or a person reversed the fees and interest that were left", "invoice_number overdue_charge interest comment?"},
	{EventChargesRestored, true, "invoice", "a person took back that the fees and interest that were left were waived: they are owed again", "invoice_number overdue_charge interest"},
	{EventCreditTransferred, true, "customer", "a person moved free credit from one document to an invoice, perhaps another customer's: there is an event for each of the two", "amount from_number to_number"},

	{EventRepaymentOrdered, true, "repayment", "a person ordered that a customer is paid back free credit (rule N12)", "amount"},
	{EventRepaymentWithdrawn, true, "repayment", "a person took a repayment back before it was in a file", "amount"},
	{EventRepaymentStopped, true, "repayment", "a repayment was stopped before it was in a file: the money that it was to be paid from was taken back", "amount"},
	{EventRepaymentPaid, true, "repayment", "a repayment was paid, and its entries are posted", "amount file_number"},
	{EventRepaymentUnpaid, true, "repayment", "a person took back that a repayment was paid: its entries are deleted", "amount file_number"},
	{EventRepaymentFileMade, true, "repayment file", "a person had the waiting repayments put into a file for the bank", "file_number repayments amount"},
	{EventRepaymentFileWithdrawn, true, "repayment file", "a person withdrew a file of repayments: they wait again", "file_number repayments amount"},
	{EventRepaymentFilePaid, true, "repayment file", "a person said that the bank has paid a file of repayments", "file_number repayments amount paid_on"},
	{EventRepaymentFileUnpaid, true, "repayment file", "a person took back that the bank has paid a file of repayments", "file_number repayments amount"},

	{EventAccountsExported, true, "account export", "the journal of a period was handed over to the accounts in a form; the same period is always the same vouchers", "export_number from to format vouchers amount closing"},

	{EventMandatesRead, true, "payment file", "a payment file told of mandates of AvtaleGiro: how many stand by it, and how many have ended (rule G2)", "filename mandates ended"},
	{EventClaimFileMade, true, "file of claims", "the day's file of claims and cancellations of AvtaleGiro was made (rule G3)", "file_number day claims cancellations amount"},
	{EventClaimFileSent, true, "file of claims", "a file of claims has reached the bank", "file_number claims cancellations amount"},
	{EventClaimFileAccepted, true, "file of claims", "the bank's receipt says that a file of claims is taken (rule G3a)", "file_number claims cancellations amount"},
	{EventClaimFileRejected, true, "file of claims", "the bank has refused a whole file of claims; what was in it is owed again, for another file", "file_number claims cancellations amount"},
	{EventClaimFileGivenUp, true, "file of claims", "a file of claims did not reach the bank before its hour was over; what was in it is owed again, or taken back if the bank may have it", "file_number claims cancellations amount"},
	{EventClaimRejected, true, "invoice", "a claim of AvtaleGiro is not drawn, because the bank refused it or it could not leave in time: the invoice goes out as an ordinary one", "invoice_number amount due_date reason"},
	{EventClaimCancelled, true, "invoice", "a claim of AvtaleGiro was taken back, because its invoice was paid, credited, closed, held or otherwise stopped", "invoice_number amount due_date reason"},
	{EventClaimNotCancelled, true, "invoice", "a claim of AvtaleGiro could not be taken back any more, or the bank refused it: what it draws is to be paid back", "invoice_number amount due_date reason"},
	{EventClaimUnpaid, true, "invoice", "no money came by AvtaleGiro until two bank days after the due date: dunning goes on (rule G3a)", "invoice_number balance due_date"},
	{EventFileImported, true, "payment file", "the creditor's part of a payment file was posted", "filename transactions amount matched unmatched duplicates ignored"},
	{EventFileRejected, true, "payment file", "a payment file was rejected", "filename faults first"},
	{EventFileDuplicate, true, "payment file", "a payment file had come before", "filename duplicate_of"},
	{EventFileDatedAhead, true, "payment file", "a payment file has payments dated after the day on which it came (rule D110)", "filename received latest"},
	{EventTransmissionsMissing, true, "payment file", "a payment file shows that others before it have not come", "sender recipient before first last files"},
	{EventTransmissionDismissed, true, "missing transmission", "a person says that a missing transmission will not come", "sender recipient number"},
	{EventBankFilesLate, true, "run", "no payment file reached the last bank day", "bank_day reached"},
	{EventBankConfirmed, true, "nothing", "a person says that no payment file comes for a bank day", "bank_day actor?"},
	{EventBankUnreachable, true, "bank folder", "the bank's folder could not be reached for a day", "remote since failure"},

	{EventShipmentSent, true, "shipment", "a document was sent", "document method invoice_number? customer? credit_note_number? is_incasso_notice? letter_number? copy? more_time? friendly_reminder?"},
	{EventShipmentDelivered, true, "shipment", "a report says that a document has arrived", "document method invoice_number? customer? credit_note_number? is_incasso_notice? letter_number? copy? more_time? friendly_reminder? reason?"},
	{EventShipmentFailed, true, "shipment", "a document could not be sent; it waits for a person", "document method invoice_number? customer? credit_note_number? is_incasso_notice? letter_number? copy? more_time? friendly_reminder? reason"},
	{EventShipmentReturned, true, "shipment", "a document came back; it waits for a person, and so do further letters to the customer", "document method invoice_number? customer? credit_note_number? is_incasso_notice? letter_number? copy? more_time? friendly_reminder? reason?"},
	{EventShipmentFallback, true, "shipment", "a method was refused, or a document bounced, and the next method of the fallback is tried", "document method instead_of invoice_number? credit_note_number? is_incasso_notice? letter_number? customer? reason"},
	{EventLetterCreated, true, "letter", "a reminder or a warning was made for several invoices of a customer; each has a notice too (rule L23)", "letter_number is_incasso_notice gross_amount due_date invoices"},
	{EventFriendlyReminder, true, "shipment", "a customer was reminded of an invoice by e-mail, before any notice: nothing is charged, and no step moves (rule L14)", "invoice_number due_date balance"},
	{EventShipmentRetried, true, "shipment", "a failed or returned shipment is tried again: a person wants it, its channel works again, or a report tells that it was refused for a fault of the settings (rule D107)", "document method invoice_number? customer? credit_note_number? is_incasso_notice? letter_number? copy? more_time? friendly_reminder?"},
	{EventCopySent, true, "shipment", "a person has a copy of a document sent: nothing is claimed by it, and no deadline moves (rule N4)", "document method invoice_number credit_note_number? is_incasso_notice? copy"},
	{EventWayRefused, true, "shipment", "a channel refused a shipment for a fault of the settings: it stays owed, and a person is to look (rule D107)", "method reason"},
	{EventWayPaused, true, "shipment", "three different recipients in a row got the same refusal: what goes by the method stays owed, but for one on trial now and then (rule D107)", "method reason"},
	{EventWayResumed, true, "shipment", "a paused way has accepted a shipment, and all that waited for it goes on", "method since"},
	{EventWayFolder, true, "creditor", "a person says that what goes by a method is to go to the folder, though it has left by a real way before (rule D105)", "method before"},
	{EventWayChanged, true, "creditor", "a person changed by which ways the creditor's documents leave: the names of the settings, never their values (rule Q7)", "changed"},
	{EventStatementCreated, true, "statement", "a person has a customer's statement sent by e-mail", "from? to"},
	{EventLettersReleased, true, "customer", "a person lets letters go to the customer again", ""},
	{EventEHFVATRate, true, "document", "an EHF was made with VAT at a rate that Norway does not have: LOW at 8 %", "document invoice_number credit_note_number? percent"},
	{EventSignsLeftOut, true, "document", "a document was printed without signs that its fonts lack, such as emoji; they stay in the data", "document invoice_number? credit_note_number? sequence_number? signs"},

	{EventCustomerCreated, true, "customer", "a customer was created", ""},
	{EventCustomerChanged, true, "customer", "a customer was changed; the data also holds the old and the new value of each changed element, by its path (rule J6)", "changed letters_released?"},
	{EventCustomerDeleted, true, "customer", "a customer was deleted", ""},
	{EventCustomerForgotten, true, "customer", "a customer was forgotten: its names, addresses and texts are gone; sums, numbers and dates stay (rule O14)", "customer"},
	{EventAddressWanted, true, "customer", "a run would have sent a notice, but the customer has no address; it waits for a person", ""},
	{EventCreditorCreated, true, "creditor", "the creditor was created", "name"},
	{EventCreditorChanged, true, "creditor", "the creditor was changed: its name, account, policy and so on; the data holds the old and the new value of each changed element", ""},
	{EventNotReady, true, "creditor", "dunning takes no step, because the creditor lacks something that it needs (rule L8)", "missing"},
	{EventNotReadyToSend, true, "creditor", "documents wait, because the creditor lacks something that a document that leaves must have (rule D108)", "method missing"},
	{EventVATUnknown, true, "creditor", "an invoice with VAT was issued, and nobody has said whether the creditor is registered for VAT (rule L9)", "invoice_number"},
	{EventAccountWaiting, true, "creditor", "a bank account that the creditor's own key has set waits for the operator: documents keep the account before it, and payments to it are nobody's (rule D101)", "bank_account until_then?"},
	{EventAccountApproved, true, "creditor", "the operator said yes to a bank account of the creditor's", "bank_account was?"},
	{EventAccountReleased, true, "creditor", "the operator said no to a bank account that waited, or took one away that no document names", "bank_account"},
	{EventKeyCreated, true, "key", "an API key was created", "name scope"},
	{EventKeyRevoked, true, "key", "an API key was revoked", "name scope"},
	{EventHeldAccepted, true, "creditor", "a person accepted that the installation was restored or copied; the data holds next_number if it was set, and how many claims of AvtaleGiro the bank may have, which are taken back", "reason held_since next_number? claims?"},
	{EventDegraded, true, "creditor", "work for this creditor alone fails, such as its run, because of its time zone, a setting or a row (rule D102); it is tried on", "work failure"},
	{EventRecovered, true, "creditor", "work that failed for this creditor alone succeeds again", "work since"},
	{EventClockBack, true, "creditor", "the clock was ahead and went back; what had been put off by it is due at once (rule D117)", "shipments hand_overs batches webhook_deliveries paused_ways? collector_files? claim_files?"},

	{EventAuditDisagreed, true, "shipment, or the hand-over where there is no sequence_number", "before the letter of a notice, or a bundle, left, the audit reckoned otherwise: amount is what is asked for, lawful_amount what the audit takes for lawful, findings the codes of what it is against (rule U8)", "invoice_number sequence_number? amount lawful_amount findings held_back"},
	{EventAuditRepaid, true, "audit", "what an audit found was put right on an invoice (rule U6): findings are its codes, sequence_number is of a debt-collection warning that was withdrawn, was is handed_over where the claim came back from the debt collector, method is how the customer hears of it", "invoice_number overdue_charge interest findings balance sequence_number? was? method? actor?"},
	{EventAuditFinding, true, "finding", "the audit of a night found something for the first time: of class law, somebody was dunned or charged unlawfully, and the invoice is on hold (held) unless it is closed, paid or with the debt collector; of class rule, a rule of purr's was not kept (rule U7)", "audit class code invoice_number sequence_number? hand_over? expected? found? back held"},

	{EventDunningRun, true, "run", "a person had the dunning run of today made", "date notices hand_overs"},
	{EventRunWaiting, true, "run", "a run would take more steps than the ceiling allows, and waits for a person", "date notices hand_overs ceiling"},
	{EventRunApproved, true, "run", "a person approved a waiting run", "date ceiling"},
	{EventRulesEnding, true, "creditor", "a figure of the law is known for a few weeks more, or no longer (rule E6h)", "kind from"},
	{EventRulesChanged, true, "creditor", "a figure of the law was set or removed", "kind from value? source?"},

	{EventWebhookCreated, false, "webhook", "a webhook was created", ""},
	{EventWebhookChanged, false, "webhook", "a webhook was changed", "changed"},
	{EventWebhookDeleted, false, "webhook", "a webhook was deleted", ""},
	{EventWebhookDisabled, false, "webhook", "a webhook was switched off because its receiver is gone", "failure"},
	{EventDeliveryFailed, false, "delivery", "a delivery failed for good; it waits for a person", "event type webhook attempts failure"},
	{EventRedelivered, false, "delivery", "a person has an event delivered once more", "event type webhook"},
}

// Missing returns the names of the facts that an event of the type lacks.
func (t EventType) Missing(facts Facts) (names []string) {
	for _, f := range EventFacts {
		if f.Type != t {
			continue
		}
		for name := range strings.FieldsSeq(f.Facts) {
			if _, has := facts[name]; !has && !strings.HasSuffix(name, "?") {
				names = append(names, name)
			}
		}
	}
	return names
}

// Posted reports whether webhooks can have events of the type posted (rule E7).
func (t EventType) Posted() bool {
	return slices.ContainsFunc(EventFacts, func(f EventFact) bool { return f.Type == t && f.Posted })
}
