package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// addOldCreditor writes a creditor as a program of schema 19 did. The least amount that it duns is in øre.
func addOldCreditor(t *testing.T, db *store.DB, id int, name, registered, minimum string) {
	t.Helper()
	must(t, db.Exec(t.Context(), fmt.Sprintf(`INSERT INTO creditors (id, name, organisation_number, vat_registered, address1, address2, postal_code, postal_name,
		country_code, email, bank_account, kid_length, kid_modulus, first_number, time_zone, dunning_enabled, dunning_first_notice_days, dunning_second_notice_days,
		dunning_add_interest, dunning_days_to_pay, dunning_debt_collection_notice, dunning_minimum_balance, dunning_weekdays_only, dunning_require_payment_file, created_at)
		VALUES (%d, '%s', '', %s, '', '', '', '', 'NO', '', '', 10, 10, 1, 'Europe/Oslo', 1, 14, 14, 1, 14, 'second', %s, 1, 1, '2026-03-02 11:00:00')`,
		id, name, registered, minimum)))
}

// TestL9WhatIsKnownOfVATAfterAnUpgrade: of a creditor that was there before the program asked, it is known that it is
// registered, or that somebody changed it back. A 0 that nobody has set says nothing.
func TestL9WhatIsKnownOfVATAfterAnUpgrade(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := open(t, databaseURL)
		must(t, db.MigrateTo(t.Context(), 19))
		for id, c := range []struct{ name, registered, event string }{
			{"Registered AS", "1", ""},
			{"Never asked AS", "0", `{"email":{"was":"","is":"post@example.no"}}`},
			{"Changed back AS", "0", `{"vat_registered":{"was":true,"is":false}}`},
		} {
			addOldCreditor(t, db, id+1, c.name, c.registered, "0")
			must(t, db.Exec(t.Context(), `INSERT INTO events (creditor_id, at, type, actor, invoice_id, customer_id, subject_id, text, data)
				VALUES (?, '2026-03-02 11:00:00', 'creditor.changed', 'a test', 0, 0, 0, 'x', ?)`, id+1, c.event))
		}
		_, err := db.Migrate(t.Context())
		must(t, err)
		for id, want := range []bool{true, false, true} {
			c, err := db.Creditor(t.Context(), int64(id+1))
			must(t, err)
			if c.VATKnown != want || !c.Policy.Enabled || c.IssuesVAT() != (id < 2) {
				t.Errorf("of %s it is known: %t, want %t; it may issue VAT: %t", c.Name, c.VATKnown, want, c.IssuesVAT())
			}
		}
	})
}

// TestL7TheLeastAmountAfterAnUpgrade: whoever never set the least amount gets the new default, and what was set stays.
func TestL7TheLeastAmountAfterAnUpgrade(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := open(t, databaseURL)
		must(t, db.MigrateTo(t.Context(), 19))
		addOldCreditor(t, db, 1, "Never set AS", "1", "0")
		addOldCreditor(t, db, 2, "Set AS", "1", "2000")
		_, err := db.Migrate(t.Context())
		must(t, err)
		for id, want := range map[int64]models.Amount{1: 50_00, 2: 20_00} {
			c, err := db.Creditor(t.Context(), id)
			must(t, err)
			if p := c.Policy; p.MinimumBalance != want || p.Remainder != models.RemainderLeave || p.SettleCredit {
				t.Errorf("%s duns from %s on, want %s; what is left: %s, credit is moved: %t", c.Name, p.MinimumBalance, want, p.Remainder, p.SettleCredit)
			}
		}
	})
}

// TestD96WhatIsOwedAsARepaymentAfterAnUpgrade: of invoices whose payment was deleted after a payout, in schema 35, the upgrade reckons
// what is a repayment, once.
func TestD96WhatIsOwedAsARepaymentAfterAnUpgrade(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := open(t, databaseURL)
		must(t, db.MigrateTo(t.Context(), 35))
		for id, out := range map[int]int{1: 500000, 2: 0} {
			must(t, db.Exec(t.Context(), `INSERT INTO invoices (id, creditor_id, customer_id, number, issue_date, due_date, num_due_days, gross, net, note, kid,
				bank_account, recipient_name1, recipient_name2, recipient_address1, recipient_address2, recipient_postal_code, recipient_postal_name,
				recipient_country_code, recipient_email, recipient_customer_number, search, search_digit, balance, notices, warned, deadline, closed,
				hold_held, hold_comment, pdf, created_at)
				VALUES (?, 1, 1, ?, '2026-03-02', '2026-03-16', 14, 100000, 100000, '', ?, '', 'Kari', '', '', '', '', '', 'NO', '', '', '', 0, ?, 0, 0,
				'2026-03-16', '', 0, '', '', '2026-03-02 11:00:00')`, id, id, fmt.Sprint(id), 100000+out))
			for kind, amount := range map[models.EntryType]int{models.EntryInvoice: 100000, models.EntryPayment: out} {
				must(t, db.Exec(t.Context(), `INSERT INTO entries (creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, comment,
					from_account_number, notice_id, payment_file_id, created_at) VALUES (1, 1, ?, 0, ?, ?, '2026-03-02', '', '', 0, 0, '2026-03-02 11:00:00')`,
					id, kind, amount))
			}
		}
		for range 2 {
			_, err := db.Migrate(t.Context())
			must(t, err)
		}
		for id, want := range map[int64]models.Amount{1: 5000_00, 2: 0} {
			invoice, err := db.Invoice(t.Context(), 1, id)
			if err != nil || invoice.RepaymentOwed != want {
				t.Errorf("of invoice %d %s are a repayment, want %s (%v)", id, invoice.RepaymentOwed, want, err)
			}
			if invoice.Claimed() != 1000_00 || invoice.Recipient.Name1 != "Kari" || invoice.KID != fmt.Sprint(id) {
				t.Errorf("after the upgrade an invoice is %+v", invoice)
			}
		}
		must(t, db.Exec(t.Context(), "UPDATE invoices SET balance = 500000"))
		for status, want := range map[models.Status]int64{models.InvoiceSent: 1, models.InvoiceOverdueChargeable: 1} {
			filter := store.InvoiceFilter{Statuses: []models.Status{status}, Today: rows.Day("2026-05-01")}
			if _, n, err := db.Invoices(t.Context(), 1, filter, store.Page{Number: 1, Size: 10}); err != nil || n != want {
				t.Errorf("%d invoices are %s, want %d (%v)", n, status, want, err)
			}
		}
		if wrong, err := db.StageMismatches(t.Context(), 1); err != nil || len(wrong) > 0 {
			t.Errorf("other stages than their fields give have %v, %v", wrong, err)
		}
	})
}

// TestD105WaysAreRememberedAcrossAnUpgrade: an installation of schema 42 knows by what its documents left from their receipts, the last
// one of each method. A folder is no real way, and a person's word that it is meant stands.
func TestD105WaysAreRememberedAcrossAnUpgrade(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		receipts [][2]string // method and receipt, oldest first
		meant    string      // the method whose folder a person has meant
		want     string
	}{
		{"nothing has left", [][2]string{{"EMAIL", ""}}, "", ""},
		{"folders", [][2]string{{"EMAIL", "invoice-1-shipment-1.eml"}, {"PAPER", "invoice-2-shipment-2.pdf"}, {"EHF", "invoice-3-shipment-3.xml"}}, "", ""},
		{"real ways", [][2]string{
			{"EMAIL", "250 2.0.0 Ok: queued as 4X"}, {"PAPER", "batch-7"}, {"EHF", "2d69016b-404e-5c5c-8023-5756df928a67"}, {"EMAIL", ""},
		}, "", "EHF=ap EMAIL=smtp PAPER=sftp"},
		{"a printer", [][2]string{{"PAPER", "invoice-2-shipment-2.pdf"}, {"PAPER", "job 17"}}, "", "PAPER=ipp"},
		{"a folder since", [][2]string{{"EMAIL", "250 ok"}, {"EMAIL", "invoice-1-shipment-2.eml"}}, "", ""},
		{"a folder that is meant", [][2]string{{"EMAIL", "250 ok"}, {"PAPER", "job 17"}}, "EMAIL", "EMAIL= PAPER=ipp"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
				db := open(t, databaseURL)
				must(t, db.MigrateTo(t.Context(), 42))
				for i, r := range tt.receipts {
					must(t, db.Exec(t.Context(), `INSERT INTO shipments (creditor_id, document_kind, document_id, copy, method, recipient_name1, recipient_name2,
						recipient_address1, recipient_address2, recipient_postal_code, recipient_postal_name, recipient_country_code, recipient_email,
						recipient_customer_number, state, attempts, next_attempt, failure, created_at, receipt)
						VALUES (1, 'invoice', ?, 0, ?, 'Kari', '', '', '', '', '', 'NO', '', '', 'sent', 1, '2026-03-02 11:00:00', '', '2026-03-02 11:00:00', ?)`,
						i+1, r[0], r[1]))
				}
				if tt.meant != "" {
					must(t, db.Exec(t.Context(), "INSERT INTO ways_out (creditor_id, method) VALUES (0, ?)", tt.meant))
				}
				_, err := db.Migrate(t.Context())
				must(t, err)
				kept, err := db.InstallationWays(t.Context())
				must(t, err)
				var ways []string
				for _, w := range kept {
					ways = append(ways, string(w.Method)+"="+w.LeftBy)
				}
				slices.Sort(ways)
				if got := strings.Join(ways, " "); got != tt.want {
					t.Errorf("it remembers %q, want %q", got, tt.want)
				}
			})
		})
	}
}

// TestD95WhomPaymentsPointedAtAfterAnUpgrade: a customer at whom a payment in the queue had pointed before stays a likely payer.
func TestD95WhomPaymentsPointedAtAfterAnUpgrade(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := open(t, databaseURL)
		must(t, db.MigrateTo(t.Context(), 42))
		for id, payer := range []string{"17", "0", "NULL"} {
			must(t, db.Exec(t.Context(), fmt.Sprintf(`INSERT INTO unmatched_payments (id, creditor_id, payment_file_id, line, line_key, account, transaction_type, amount,
				transaction_date, kid, from_account_number, archive_reference, text, reason, status, entry_id, comment, suggested_customer_id, created_at)
				VALUES (%d, 1, 1, 1, 'line %d', '', 10, 70000, '2026-03-02', '', '', '', '', 'no_kid', 'open', 0, '', %s, '2026-03-02 11:00:00')`, id+1, id, payer)))
		}
		_, err := db.Migrate(t.Context())
		must(t, err)
		kept, err := db.LikelyPayers(t.Context(), 1)
		must(t, err)
		if len(kept) != 1 || len(kept[1]) != 1 || kept[1][0] != 17 {
			t.Errorf("the payments have pointed at %v, want customer 17 by payment 1", kept)
		}
	})
}

// TestD9WhatWasKeptBeforeMediaTypes: an answer of schema 46 is kept after the upgrade, in the form that nobody named then.
func TestD9WhatWasKeptBeforeMediaTypes(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := open(t, databaseURL)
		must(t, db.MigrateTo(t.Context(), 46))
		must(t, db.Exec(t.Context(), `INSERT INTO idempotency_keys (creditor_id, idempotency_key, request_hash, status, location, body, work, created_at)
			VALUES (1, 'k', 'hash', 201, '/there', '<x/>', '', '2026-03-02 11:00:00')`))
		_, err := db.Migrate(t.Context())
		must(t, err)
		kept, found, err := db.AnswerTo(t.Context(), 1, "k", rows.Start)
		if err != nil || !found || kept.MediaType != "" || kept.Status != 201 || kept.Location != "/there" || kept.Body != "<x/>" || kept.RequestHash != "hash" {
			t.Errorf("what is kept is %+v, %t, %v", kept, found, err)
		}
	})
}

// TestN1RowsFromBeforeThereWereWordsAreFound: customers and payments of an earlier release get their words when it is upgraded, once.
func TestN1RowsFromBeforeThereWereWordsAreFound(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := open(t, databaseURL)
		must(t, db.MigrateTo(t.Context(), 48))
		for id, name := range []string{"Kari Nordmann", "Ola Nordmann"} {
			must(t, db.Exec(t.Context(), fmt.Sprintf(`INSERT INTO customers (id, creditor_id, name1, name2, address1, address2, postal_code, postal_name, country_code, email,
				customer_number, organisation_number, language, hold_held, hold_comment, search, created_at)
				VALUES (%d, 1, '%s', '', '', '', '0155', 'Oslo', 'NO', '', %s, '', '', 0, '', '', '2026-03-02 11:00:00')`, id+1, name, "''")))
		}
		for range 2 {
			_, err := db.Migrate(t.Context())
			must(t, err)
			alike, err := db.CustomersAlike(t.Context(), 1, []models.UnmatchedPayment{{PayerName: "NORDMANN KARI"}})
			if err != nil || len(alike[0]) != 1 || alike[0][0] != 1 {
				t.Errorf("of the name are the customers %v, %v", alike, err)
			}
		}
	})
}

// TestL26WhenClaimsLapseAfterAnUpgrade: of invoices of an earlier release that are open, by their due dates and by what was paid or agreed on them.
func TestL26WhenClaimsLapseAfterAnUpgrade(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := open(t, databaseURL)
		must(t, db.MigrateTo(t.Context(), 66))
		for id, i := range []struct {
			due, paid, planned string
			balance            int
		}{
			{"2024-02-29", "", "", 100},
			{"2024-03-01", "2025-05-01", "", 60},
			{"2024-03-02", "2025-05-01", "2025-06-02", 60},
			{"2024-03-03", "", "", 0},
		} {
			must(t, db.Exec(t.Context(), `INSERT INTO invoices (id, creditor_id, customer_id, number, issue_date, due_date, num_due_days, gross, net, note, kid,
				bank_account, recipient_name1, recipient_name2, recipient_address1, recipient_address2, recipient_postal_code, recipient_postal_name, recipient_country_code,
				recipient_email, recipient_customer_number, search, balance, notices, warned, deadline, closed, hold_held, hold_comment, pdf, created_at)
				VALUES (?, 1, 1, ?, ?, ?, 0, 100, 100, '', '', '', 'Kari', '', '', '', '', '', 'NO', '', '', '', ?, 0, 0, ?, '', 0, '', '', '2026-03-02 11:00:00')`,
				id+1, id+1, i.due, i.due, i.balance, i.due))
			entry := func(kind, on string, amount int) {
				must(t, db.Exec(t.Context(), `INSERT INTO entries (creditor_id, customer_id, invoice_id, credit_note_id, type, amount, transaction_date, comment, from_account_number,
					notice_id, payment_file_id, created_at) VALUES (1, 1, ?, 0, ?, ?, ?, '', '', 0, 0, '2026-03-02 11:00:00')`, id+1, kind, amount, on))
			}
			entry("INVOICE", i.due, 100)
			if i.paid != "" {
				entry("OCR", i.paid, i.balance-100)
			}
			if i.planned != "" {
				must(t, db.Exec(t.Context(), `INSERT INTO payment_plans (creditor_id, customer_id, invoice_id, since, sum, last_entry_id, instalments, state, ended_on, language, seller_id,
					recipient_name1, recipient_name2, recipient_address1, recipient_address2, recipient_postal_code, recipient_postal_name, recipient_country_code, recipient_email,
					recipient_customer_number, recipient_organisation_number, created_at)
					VALUES (1, 1, ?, ?, 60, 1, '[]', 'broken', '2025-07-01', 'nb', 0, '', '', '', '', '', '', '', '', '', '', '2026-03-02 11:00:00')`, id+1, i.planned))
			}
		}
		for range 2 {
			_, err := db.Migrate(t.Context())
			must(t, err)
			for id, want := range []string{"2027-02-28", "2028-05-01", "2028-06-02", ""} {
				i, err := db.Invoice(t.Context(), 1, int64(id+1))
				if err != nil || i.LapsesOn.String() != want {
					t.Errorf("invoice %d lapses on %q (%v), want %q", id+1, i.LapsesOn, err, want)
				}
			}
			wrong, err := db.LapseMismatches(t.Context(), 1)
			if err != nil || len(wrong) > 0 {
				t.Errorf("verify finds %v, %v", wrong, err)
			}
		}
	})
}
