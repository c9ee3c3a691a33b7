package store_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// wordless are the columns of texts and bytes, by table, that hold no word about a customer, or that are emptied by code of their own.
// Whoever adds a column says here that it holds none, or has it emptied (store/forget.go).
var wordless = map[string]string{
	"account_export_files": "form sha256", "account_exports": "time_zone plan series sums made_by", "api_keys": "name scope hash",
	"audits": "asked_by state failure kinds", "audit_findings": "class code row_names held_for", "audit_nights": "marks up_to", "audit_repayments": "code",
	"bank_checks": "remote failure", "bank_claims": "account kid state reason", "bank_confirmations": "actor", "bank_folders": "remote",
	"booked_days": "movement", "claim_files": "sender_id sha256 state taken_by answer failure", "claim_receipts": "name sha256",
	"collection_reports": "state identity actor", "collector_files": "xml_sum csv_sum state taken_by failure", "console_sessions": "hash key_ids",
	"credit_note_lines": "vat vat_exemption", "credit_notes": "kid bank_account recipient_country_code language", "creditor_accounts": "account",
	"creditor_faults": "work reason", "creditor_ways": "method settings",
	"creditors": "name organisation_number address1 address2 postal_code postal_name country_code email bank_account time_zone dunning_debt_collection_notice vat_rates phone website " +
		"iban bic vat_exemption told_missing dunning_remainder ehf_default_reference fallback waiting_account waiting_iban waiting_bic named_account dunning_reminder_method " +
		"dunning_friendly_reminder_days language footer_text logo account_plan avtalegiro_sender_id avtalegiro_notice",
	"customers": "country_code language customer_number_key dunning_policy hold_reason fallback", "deleted_entries": "type", "direct_entries": "kind",
	"dunning_rule_warnings": "kind", "dunning_rules": "kind value source set_by", "entries": "type line_key",
	"events": "type text data actor", "new_events": "type text data actor", // Forget rewrites texts and data
	"hand_overs":       "state taken_by",
	"idempotency_keys": "idempotency_key request_hash location body work media_type", // Forget empties the bodies
	"invoice_lines":    "vat vat_exemption",
	"invoice_texts":    "texts", // Forget writes them anew
	"invoices":         "kid bank_account recipient_country_code closed hold_reason language interest_free", "last_acts": "thing event actor", "letter_batches": "state manifest taken_by failure",
	"letters": "kid recipient_country_code language", "list_days": "list type", "list_marks": "list", "mandates": "account kid", "notice_recalculations": "sheet",
	"overdue_notice_lines": "type", "overdue_notices": "kid recipient_country_code sheet asked_by asked_method language", "payment_files": "filename source sha256 format sender transmission_number recipient_unit state arrival identity faults warnings",
	"payment_plans": "instalments state language recipient_country_code", "payment_references": "kid", "payment_twins": "line_key account kid",
	"removals": "kind sha256", "repayment_file_bytes": "pain csv", // Forget empties them
	"repayment_files": "account state made_by", "repayments": "state ordered_by", "runs": "kind state approved_by",
	"sellers":  "content name organisation_number vat_exemption address1 address2 postal_code postal_name country_code email phone website bank_account iban bic ehf_default_reference footer_text logo",
	"settings": "name value", "shipment_reports": "state", "shipments": "document_kind method recipient_country_code state taken_by kept_back more_time correction trace_parent",
	"skipped_transmissions": "sender recipient", "standstills": "kind hold_reason started_by ended_by", "statement_lines": "account format reference", "statements": "",
	"transmissions": "sender recipient number account content", "unmatched_payments": "line_key account kid archive_reference reason status further_entries not_of",
	"ways_out": "method left_by refusal refused told lacks", "webhook_deliveries": "event_type state failure body taken_by", // Forget empties bodies
	"webhooks": "url description event_types secret old_secret", "words": "word", // Forget drops them
	"workers": "id machine ways", "parts": "id kind host version", "goose_db_version": "",
}

// dumped returns what a database holds, table by table.
func dumped(t *testing.T, db *store.DB) (text []byte, columns map[string][]string) {
	t.Helper()
	var out bytes.Buffer
	must(t, db.View(t.Context(), func(v store.View) error { return v.Dump(t.Context(), &out) }))
	columns = map[string][]string{}
	lines := bufio.NewScanner(bytes.NewReader(out.Bytes()))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		if lines.Bytes()[0] != '{' {
			continue
		}
		var of struct {
			Table          string
			Columns, Kinds []string
		}
		must(t, json.Unmarshal(lines.Bytes(), &of))
		columns[of.Table] = []string{}
		for i, c := range of.Columns {
			if of.Kinds[i] == "text" || of.Kinds[i] == "bytes" {
				columns[of.Table] = append(columns[of.Table], c)
			}
		}
	}
	return out.Bytes(), columns
}

// TestO14EachColumnIsEmptiedOrHoldsNoWords: a new column of texts must be said to hold none, or be emptied.
func TestO14EachColumnIsEmptiedOrHoldsNoWords(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		_, columns := dumped(t, db)
		emptied := store.WordColumns()
		for table, names := range columns {
			for _, name := range names {
				said, gone := slices.Contains(strings.Fields(wordless[table]), name), slices.Contains(emptied[table], name)
				if said == gone {
					t.Errorf("%s.%s: said to hold no words about a customer: %t; emptied when it is forgotten: %t", table, name, said, gone)
				}
			}
		}
	})
}

// TestO14NoWordIsLeftInTheRows: each column that is emptied is filled with a word before, in each row of a customer, and none is
// there afterwards. On SQLite no byte of it is left in the file and its log.
func TestO14NoWordIsLeftInTheRows(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		h := hold(t, db)
		const word = "Zqxhemmelig"
		for table, columns := range store.WordColumns() {
			for _, column := range columns {
				if column == "pdf" || column == "ehf" || column == "bundle" || strings.HasPrefix(column, "ehf_") && column != "ehf_organisation_number" {
					continue
				}
				value := word
				if strings.HasSuffix(column, "organisation_number") || strings.HasSuffix(column, "postal_code") || strings.HasSuffix(column, "account") || column == "from_account_number" {
					value = "Zqxhe"
				}
				must(t, db.Exec(t.Context(), "UPDATE "+table+" SET "+column+" = ?", value))
			}
		}
		must(t, db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			return tx.Log(ctx, models.Event{
				CreditorID: h.owner.ID, Type: models.EventInvoiceClosed, InvoiceID: h.invoice.ID, CustomerID: h.customer.ID, SubjectID: h.invoice.ID, Text: "Closed: " + word,
				Facts: models.Facts{"invoice_number": 1, "balance": "0.00", "reason": "other", "comment": word},
			})
		}))
		must(t, db.Exec(t.Context(), "UPDATE unmatched_payments SET status = 'dismissed', suggested_customer_id = ?", h.customer.ID)) // one that waits is nobody's
		if before, _ := dumped(t, db); !bytes.Contains(before, []byte(word)) {
			t.Fatal("the rows were not filled")
		}
		must(t, db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			_, done, err := tx.Forget(ctx, h.owner.ID, h.customer.ID, models.Forgetting{}, rows.Today, always)
			if !done {
				t.Error("it did not forget")
			}
			return err
		}))
		for line := range bytes.SplitSeq(first(dumped(t, db)), []byte("\n")) {
			if i := bytes.Index(line, []byte("Zqxhe")); i >= 0 {
				t.Errorf("left: %.300s", line[max(i-150, 0):])
			}
		}
		must(t, db.RewritePages(t.Context()))
		for _, path := range files(t, db) {
			content, err := os.ReadFile(path)
			must(t, err)
			if bytes.Contains(content, []byte("Zqxhe")) {
				t.Errorf("%s holds it still", filepath.Base(path))
			}
		}
	})
}

func first[A, B any](a A, _ B) A { return a }

// files returns the files of an SQLite database; none of a server's.
func files(t *testing.T, db *store.DB) []string {
	t.Helper()
	if !db.IsSQLite() {
		return nil
	}
	found, err := filepath.Glob(filepath.Join(t.TempDir(), "..", "*", "*.db*"))
	must(t, err)
	return found
}
