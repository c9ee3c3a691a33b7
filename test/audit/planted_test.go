package audit_test

import "slices"

// faults are the faults that are planted, in the order of the table.
var faults = []fault{
	// What was owed.
	{"the invoice was paid the day before the letter, and the payment booked that day", []string{
		"UPDATE entries SET created_at = '2026-02-01 11:00:00', transaction_date = '2026-02-01', id = 0 WHERE invoice_id = {told late} AND type = 'PAYMENT'",
	}, "told late", "nothing_owed", "0.00"},
	{"all was paid before the letter", []string{
		"INSERT INTO entries (id, creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, comment, from_account_number, notice_id, payment_file_id, created_at) VALUES (0, 1, {held to}, {held}, 0, 'PAYMENT', -150000, '2026-01-19', '', '', 0, 0, '2026-01-19 11:00:00')",
		"UPDATE invoices SET balance = balance - 150000 WHERE id = {held}",
	}, "held", "nothing_owed", "44.90"},
	{"the principal was below the minimum", []string{"UPDATE overdue_notices SET sheet = json_set(sheet, '$.floor.minimum_balance', '9000.00') WHERE id = {unpaid 1}"}, "unpaid", "below_minimum", "47.21"},
	{"the customer had as much to its credit", []string{"UPDATE entries SET amount = -400000 WHERE invoice_id = {overpaid} AND type = 'PAYMENT'", "UPDATE invoices SET balance = -300000 WHERE id = {overpaid}"}, "beside it", "credit_elsewhere", "0.00"},
	{"a step in a hold", []string{"UPDATE standstills SET since = '2026-01-30 11:00:00', kind = 'hold' WHERE invoice_id = {held}"}, "held", "on_hold", "0.00"},
	{"a step while a payment plan ran", []string{"UPDATE standstills SET since = '2026-01-30 11:00:00', kind = 'payment_plan' WHERE invoice_id = {held}"}, "held", "on_plan", "0.00"},
	{"a fee while the claim was disputed", []string{"UPDATE standstills SET since = '2026-01-30 11:00:00' WHERE invoice_id = {held}"}, "held", "fee_in_dispute", "38.00"},
	{"a payment in the queue that pointed at the customer", []string{
		"INSERT INTO unmatched_payments (id, creditor_id, payment_file_id, line, line_key, account, transaction_type, amount, transaction_date, kid, from_account_number, archive_reference, text, reason, status, entry_id, comment, created_at) " +
			"VALUES (77, 1, 1, 1, x'01', '1', 10, 200000, '2026-01-20', '', '', '', '', 'no_kid', 'open', 0, '', '2026-01-20 11:00:00')",
		"INSERT INTO likely_payers (creditor_id, customer_id, payment_id) VALUES (1, {unpaid to}, 77)",
	}, "unpaid", "payment_in_queue", "0.00"},
	{"the principal was below the minimum, of which a sheet of an earlier release says nothing", []string{
		"UPDATE overdue_notices SET sheet = json_remove(sheet, '$.floor') WHERE id = {unpaid 1}",
		"UPDATE creditors SET dunning_minimum_balance = 900000 WHERE id = (SELECT creditor_id FROM invoices WHERE id = {unpaid})",
	}, "unpaid", "below_minimum", "47.21"},
	{"credit that came before the letter and was booked after it", []string{
		"UPDATE entries SET id = 90001, amount = -400000, created_at = '2026-08-31 11:00:00' WHERE invoice_id = {overpaid} AND type = 'PAYMENT'",
		"UPDATE invoices SET balance = -300000 WHERE id = {overpaid}",
	}, "beside it", "credit_elsewhere_known", "87.04"},
	{"a payment in the queue of what one invoice alone owed, which pointed at nobody", []string{
		"INSERT INTO unmatched_payments (id, creditor_id, payment_file_id, line, line_key, account, transaction_type, amount, transaction_date, kid, from_account_number, archive_reference, text, reason, status, entry_id, comment, created_at) " +
			"VALUES (77, 1, 1, 1, x'01', '1', 10, 200000, '2026-01-20', '', '', '', '', 'no_kid', 'open', 0, '', '2026-01-20 11:00:00')",
	}, "unpaid", "payment_waited", "0.00"},
	{"a notice on an invoice that was closed", []string{
		"INSERT INTO events (creditor_id, at, type, actor, invoice_id, customer_id, subject_id, text, data) VALUES (1, '2026-06-20 10:00:00', 'invoice.closed', 'Kari', {summer}, {summer to}, {summer}, '', '')",
		"UPDATE invoices SET closed = 'lost' WHERE id = {summer}",
	}, "summer", "after_closing", "131.08"},
	{"a notice on a claim that was with the debt collector", []string{"UPDATE hand_overs SET created_at = '2026-02-20 11:00:00', handed_over = '2026-02-20' WHERE invoice_id = {unpaid}", "UPDATE invoices SET handed_over = '2026-02-20' WHERE id = {unpaid}"}, "unpaid", "after_hand_over", "56.41"},
	{"a letter of a creditor without an address", []string{"UPDATE sellers SET address1 = '' WHERE id = (SELECT seller_id FROM overdue_notices WHERE id = {person 1})"}, "person", "creditor_not_ready", "0.00"},
	{"a policy with 10 days to pay", []string{"UPDATE creditors SET dunning_days_to_pay = 10 WHERE id = (SELECT creditor_id FROM invoices WHERE id = {person})"}, "person", "illegal_policy", "0.00"},
	{"dunning that was switched off", []string{"UPDATE creditors SET dunning_enabled = 0 WHERE id = (SELECT creditor_id FROM invoices WHERE id = {person})"}, "person", "policy_off", "0.00"},
	{"an invoice from before dunning began", []string{"UPDATE creditors SET dunning_due_after = '2026-02-01' WHERE id = (SELECT creditor_id FROM invoices WHERE id = {person})"}, "person", "before_start", "0.00"},

	// Order and time.
	{"a reminder on the due date", []string{"UPDATE overdue_notices SET issue_date = '2026-01-19' WHERE id = {held 1}"}, "held", "not_overdue", "44.90"},
	{"a second step while the first deadline ran", []string{"UPDATE overdue_notices SET due_date = '2026-03-02' WHERE id = {person 1}"}, "person", "deadline_running", "38.00"},
	{"a step a day before its day", []string{"UPDATE overdue_notices SET issue_date = '2026-03-01' WHERE id = {person 2}"}, "person", "step_too_early", "38.40"},
	{"a notice number skipped", []string{"UPDATE overdue_notices SET sequence = 2 WHERE id = {held 1}", "UPDATE invoices SET notices = 2 WHERE id = {held}"}, "held", "step_skipped", "0.00"},
	{"a notice with a number that is not its turn", []string{"UPDATE overdue_notices SET sequence = 2 WHERE id = {held 1}", "UPDATE invoices SET notices = 2 WHERE id = {held}"}, "held", "sequence_wrong", "0.00"},
	{"a third notice", []string{"UPDATE overdue_notices SET sequence = 3 WHERE id = {person 2}", "UPDATE invoices SET notices = 3 WHERE id = {person}"}, "person", "too_many_notices", "0.00"},
	{"a notice after a warning", []string{"UPDATE overdue_notices SET warning = 1 WHERE id = {person 1}"}, "person", "after_warning", "38.00"},
	{"a deadline of 13 days in a warning", []string{"UPDATE overdue_notices SET due_date = '2026-03-15' WHERE id = {person 2}", "UPDATE invoices SET deadline = '2026-03-15' WHERE id = {person}"}, "person", "warning_days_short", "38.00"},
	{"a deadline of 13 days in a reminder", []string{"UPDATE overdue_notices SET due_date = '2026-02-15' WHERE id = {held 1}", "UPDATE invoices SET deadline = '2026-02-15' WHERE id = {held}"}, "held", "reminder_days_short", "0.00"},
	{"a reminder while the bank's files were late", []string{
		"INSERT INTO payment_files (id, owner_id, filename, source, sha256, size, format, sender, transmission_number, recipient_unit, state, duplicate_of, faults, warnings, lines_done, latest_date, received_at) " +
			"VALUES (77, 1, 'OCR.txt', 'api', '', 1, 'ocr_giro', '', '', '', 'imported', 0, '', '', 1, '2026-01-29', '2026-01-30 05:00:00')",
		"INSERT INTO payment_file_parts (payment_file_id, creditor_id, transactions, amount, matched, matched_amount, unmatched, unmatched_amount, duplicates, duplicates_amount, ignored, ignored_amount, latest_date) VALUES (77, 1, 1, 100, 0, 0, 1, 100, 0, 0, 0, 0, '2026-01-29')",
		"INSERT INTO unmatched_payments (id, creditor_id, payment_file_id, line, line_key, account, transaction_type, amount, transaction_date, kid, from_account_number, archive_reference, text, reason, status, entry_id, comment, created_at) " +
			"VALUES (77, 1, 77, 1, x'01', '1', 10, 100, '2026-01-29', '', '', '', '', 'no_kid', 'dismissed', 0, '', '2026-01-30 05:00:00')",
	}, "held", "bank_files_late", "0.00"},
	{"a second fee after a reminder of 13 days", []string{"UPDATE overdue_notices SET due_date = '2026-02-15' WHERE id = {person 1}"}, "person", "fee_without_deadline", "38.00"},
	{"a warning that left three days later", []string{"UPDATE shipments SET sent_at = datetime(sent_at, '+3 days') WHERE document_kind = 'overdue_notice' AND document_id = {person 2}"}, "person", "warning_left_late", "38.00"},
	{"a reminder that left three days later", []string{"UPDATE shipments SET sent_at = datetime(sent_at, '+3 days') WHERE document_kind = 'overdue_notice' AND document_id = {held 1}"}, "held", "reminder_left_late", "0.00"},
	{"a letter with days to spare that left a day later, and whose deadline was not moved", []string{
		"UPDATE shipments SET sent_at = datetime(sent_at, '+1 days') WHERE document_kind = 'overdue_notice' AND document_id = {held 1}",
		"UPDATE overdue_notices SET due_date = '2026-02-20' WHERE id = {held 1}", "UPDATE invoices SET deadline = '2026-02-20' WHERE id = {held}",
	}, "held", "counts_until_wrong", "0.00"},
	{"a letter that left before its day", []string{"UPDATE shipments SET sent_at = datetime(sent_at, '-2 days') WHERE document_kind = 'overdue_notice' AND document_id = {held 1}"}, "held", "left_before_its_day", "0.00"},
	{"a notice of a Saturday", []string{"UPDATE overdue_notices SET issue_date = '2026-02-07', due_date = '2026-02-21' WHERE id = {held 1}", "UPDATE invoices SET deadline = '2026-02-21' WHERE id = {held}"}, "held", "not_a_sending_day", "0.00"},
	{"an invoice that left after the reminder", []string{"UPDATE shipments SET sent_at = '2026-02-05 11:00:00' WHERE document_kind = 'invoice' AND document_id = {held}"}, "held", "invoice_not_left", "44.90"},
	{"an invoice that failed", []string{"UPDATE shipments SET state = 'failed', sent_at = NULL WHERE document_kind = 'invoice' AND document_id = {held}"}, "held", "invoice_not_left_known", "44.90"},
	{"a reminder that came back before its warning", []string{"UPDATE shipments SET state = 'returned', reported_at = '2026-02-10 11:00:00' WHERE document_kind = 'overdue_notice' AND document_id = {person 1}"}, "person", "last_letter_not_left", "0.00"},
	{"a claim that had lapsed", []string{"UPDATE invoices SET due_date = '2022-12-19' WHERE id = {held}"}, "held", "lapsed", "44.90"},

	// Fees.
	{"a fee above the cap", charge(fee, "held", 1, 3_00), "held", "fee_above_cap", "3.00"},
	{"a fee of last year's cap, a year too late", []string{"UPDATE overdue_notices SET issue_date = '2025-12-31' WHERE id = {held 1}"}, "held", "fee_above_cap", "44.90"},
	{"a fee 13 days after the due date", []string{"UPDATE overdue_notices SET issue_date = '2026-02-01' WHERE id = {held 1}"}, "held", "fee_too_early", "38.49"},
	{"a second fee that came too early", []string{"UPDATE overdue_notices SET due_date = '2026-02-18' WHERE id = {person 1}"}, "person", "second_fee_too_early", "38.00"},
	{"a second fee that is too early, since the letter before it left late", []string{
		"UPDATE shipments SET sent_at = datetime(sent_at, '+1 days') WHERE document_kind = 'overdue_notice' AND document_id = {person 1}",
		"INSERT INTO shipment_reports (shipment_id, state, at, reason, created_at) SELECT id, 'sent', sent_at, '', '2026-04-01 11:00:00' FROM shipments WHERE document_kind = 'overdue_notice' AND document_id = {person 1}",
	}, "person", "fee_too_early_known", "38.00"},
	{"a third fee", []string{
		"INSERT INTO overdue_notices (id, creditor_id, customer_id, invoice_id, sequence, issue_date, due_date, warning, fee, interest, gross, comment, kid, recipient_name1, recipient_name2, recipient_address1, recipient_address2, recipient_postal_code, recipient_postal_name, recipient_country_code, recipient_email, recipient_customer_number, sheet, pdf, created_at, seller_id) " +
			"SELECT 900, creditor_id, customer_id, invoice_id, 3, '2026-08-20', '2026-09-10', 0, 3800, 0, gross + 3800, '', kid, recipient_name1, recipient_name2, recipient_address1, recipient_address2, recipient_postal_code, recipient_postal_name, recipient_country_code, '', '', '{\"overdue_charge\":{\"amount\":\"38.00\",\"maximum\":\"38.00\"},\"interest\":{\"amount\":\"0.00\"}}', '', '2026-08-20 04:00:00', seller_id FROM overdue_notices WHERE id = {summer 2}",
		"INSERT INTO entries (id, creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, comment, from_account_number, notice_id, payment_file_id, created_at) SELECT 900, creditor_id, customer_id, id, 0, 'OVERDUE_CHARGE', 3800, '2026-08-20', '', '', 900, 0, '2026-08-20 04:00:00' FROM invoices WHERE id = {summer}",
		"UPDATE invoices SET balance = balance + 3800 WHERE id = {summer}",
	}, "summer", "third_fee", "38.00"},
	{"a fee to a trader beside compensation", newFee("trader", 2, 38_00), "trader", "fee_beside_compensation", "38.00"},
	{"compensation of a person", []string{"UPDATE overdue_notices SET recipient_organisation_number = '' WHERE id = {trader 1}"}, "trader", "compensation_to_person", "422.00"},
	{"compensation above its figure", charge(fee, "trader", 1, 10_00), "trader", "compensation_above", "10.00"},
	{"compensation twice", append(newFee("trader", 2, 460_00), "UPDATE overdue_notices SET compensation = 1 WHERE id = {trader 2}"), "trader", "compensation_twice", "460.00"},
	{"two fees for a letter that invoices share", newFee("joint two", 1, 38_00), "joint two", "joint_fee_twice", "38.00"},
	{"a fee above the creditor's policy", []string{"UPDATE creditors SET dunning_fee = 2000 WHERE id = (SELECT creditor_id FROM invoices WHERE id = {joint one})"}, "joint one", "fee_above_policy", "36.00"},
	{"a fee above the cap that stands in the books alone", []string{"UPDATE entries SET amount = 4100 WHERE notice_id = {held 1} AND type = 'OVERDUE_CHARGE'", "UPDATE invoices SET balance = balance + 300 WHERE id = {held}"}, "held", "fee_above_cap", "3.00"},
	{"a fee above the cap that stands in the calculation alone", []string{"UPDATE overdue_notices SET sheet = json_set(sheet, '$.overdue_charge.amount', '41.00') WHERE id = {held 1}"}, "held", "fee_above_cap", "0.00"},
	{"a fee that nobody asked for", []string{"UPDATE overdue_notices SET asked_by = 'Kari', asked_interest = 1 WHERE id = {held 1}"}, "held", "fee_not_asked", "0.00"},
	{"a fee that is not the calculated one", []string{"UPDATE overdue_notices SET fee = 3700 WHERE id = {held 1}"}, "held", "fee_not_as_sheet", "0.00"},
	{"a fee that is booked higher than the letter says", []string{"UPDATE entries SET amount = 4000 WHERE notice_id = {held 1} AND type = 'OVERDUE_CHARGE'", "UPDATE invoices SET balance = balance + 200 WHERE id = {held}"}, "held", "fee_not_as_booked", "2.00"},
	{"a calculation with another maximum", []string{"UPDATE overdue_notices SET sheet = json_set(sheet, '$.overdue_charge.maximum', '70.00') WHERE id = {held 1}"}, "held", "maximum_wrong", "0.00"},
	{"a warning under the act of 2026", []string{
		"INSERT INTO dunning_rules (creditor_id, kind, from_date, value, source, set_by, created_at) VALUES (0, 'act', '2026-07-01', '2026', 'the King in Council', 'Kari', '2026-01-01 00:00:00')",
	}, "summer", "own_warning", "38.00"},

	// Interest.
	{"one øre of interest", charge(interest, "summer", 2, 1), "summer", "interest_arithmetic", "0.01"},
	{"a rate of the half-year before", []string{"UPDATE overdue_notices SET sheet = json_set(sheet, '$.interest.segments[1].rate', '12.00', '$.interest.segments[1].amount', '49.32', '$.interest.amount', '92.06') WHERE id = {summer 2}"}, "summer", "rate_not_legal", "1.02"},
	{"a rate above the legal one", append(charge(interest, "held", 1, 29), "UPDATE overdue_notices SET sheet = json_set(sheet, '$.interest.segments[0].rate', '12.50') WHERE id = {held 1}"), "held", "rate_above_legal", "0.29"},
	{"a rate that no trader agreed to", append(charge(interest, "trader", 1, 2_30), "UPDATE overdue_notices SET sheet = json_set(sheet, '$.interest.segments[0].rate', '15.00') WHERE id = {trader 1}"), "trader", "rate_above_agreed", "2.30"},
	{"interest on fees", append(charge(interest, "person", 2, 40), "UPDATE overdue_notices SET sheet = json_set(sheet, '$.interest.segments[0].principal', '1243.52') WHERE id = {person 2}"), "person", "interest_too_high", "0.40"},
	{"money moved a day earlier", []string{"UPDATE entries SET transaction_date = '2026-02-09' WHERE invoice_id = {part} AND type = 'PAYMENT'"}, "part", "interest_too_high_known", "0.14"},
	{"money that came before the letter and was booked after it", []string{"UPDATE entries SET transaction_date = '2026-01-25' WHERE invoice_id = {part} AND type = 'PAYMENT'"}, "part", "interest_too_high_known", "2.11"},
	{"interest from before the due date", append(charge(interest, "held", 1, 49), "UPDATE overdue_notices SET sheet = json_set(sheet, '$.interest.segments[0].from', '2026-01-19', '$.interest.segments[0].days', 15) WHERE id = {held 1}"), "held", "interest_before_due", "0.49"},
	{"interest for days after the letter", append(charge(interest, "held", 1, 49), "UPDATE overdue_notices SET sheet = json_set(sheet, '$.interest.segments[0].to', '2026-02-03', '$.interest.segments[0].days', 15) WHERE id = {held 1}"), "held", "interest_after_issue", "0.49"},
	{"a day that is charged twice", append(charge(interest, "person", 2, 39), "UPDATE overdue_notices SET sheet = json_set(sheet, '$.interest.segments[0].from', '2026-02-02', '$.interest.segments[0].days', 29) WHERE id = {person 2}"), "person", "interest_twice", "0.39"},
	{"interest on days that were waived", []string{"UPDATE invoices SET interest_free = '[{\"from\":\"2026-01-25\",\"to\":\"2026-01-29\"}]' WHERE id = {held}"}, "held", "interest_on_free_days", "2.47"},
	{"interest that the policy does not charge", []string{"UPDATE creditors SET dunning_add_interest = 0 WHERE id = (SELECT creditor_id FROM invoices WHERE id = {person})"}, "person", "interest_off", "44.19"},
	{"interest that is booked higher than the letter says", []string{"UPDATE entries SET amount = amount + 5 WHERE notice_id = {held 1} AND type = 'INTEREST'", "UPDATE invoices SET balance = balance + 5 WHERE id = {held}"}, "held", "interest_not_as_booked", "0.05"},
	{"interest that is not the calculated one", []string{"UPDATE overdue_notices SET interest = interest - 5 WHERE id = {held 1}"}, "held", "interest_not_as_sheet", "0.00"},
	{"periods that do not add up to the interest", []string{"UPDATE overdue_notices SET sheet = json_set(sheet, '$.interest.amount', '6.95') WHERE id = {held 1}"}, "held", "interest_sum", "0.00"},
}

func init() { faults = slices.Concat(faults, faultsOfLetters) }
