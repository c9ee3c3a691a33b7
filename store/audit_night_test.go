package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestU7ANightAsksByIndex has many rows of which few are new, and asks the databases how they find those: no question of a night reads a table
// through, or as much of a creditor's rows as there are.
func TestU7ANightAsksByIndex(t *testing.T) {
	t.Parallel()
	const many, fresh = 3000, 30
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c, other := rows.Creditor(t, db), rows.Creditor(t, db)
		rows.Write(t, db, func(tx *store.Tx) error { return fillNight(t, tx, many, c.ID, other.ID) })
		if db.IsMySQL() {
			must(t, db.Exec(t.Context(), "ANALYZE TABLE events, entries, overdue_notices, shipments, shipment_reports, direct_entries, invoices"))
		}
		marks := models.AuditMarks{}
		for table, mark := range map[string]*int64{
			"events": &marks.Events, "entries": &marks.Entries, "overdue_notices": &marks.Notices, "shipment_reports": &marks.Reports, "direct_entries": &marks.Direct,
		} {
			must(t, db.Query(t.Context(), mark, fmt.Sprintf("SELECT id FROM %s ORDER BY id DESC LIMIT 1 OFFSET %d", table, fresh)))
		}
		questions := store.NightQuestions(c.ID, marks, db.Now().Add(time.Hour))
		if len(questions) < 8 {
			t.Fatalf("%d questions", len(questions))
		}
		for _, q := range questions {
			if why := readsThrough(t, db, q, many/3); why != "" {
				t.Errorf("%s\nreads through: %s", q.SQL, why)
			}
		}
		if ids, err := db.ChangedSince(t.Context(), c.ID, marks); err != nil || len(ids) == 0 || len(ids) > 4*fresh {
			t.Errorf("%d changed, %v", len(ids), err)
		}
	})
}

// fillNight writes so many rows of each kind, of two creditors by turns.
func fillNight(t *testing.T, tx *store.Tx, many int, creditors ...int64) error {
	t.Helper()
	invoices, entries := make([]models.Invoice, many), make([]models.Entry, many)
	notices, shipments := make([]models.Notice, many), make([]models.Shipment, many)
	for n := range many {
		owner, number := creditors[n%2], int64(n+1)
		invoices[n] = models.Invoice{CreditorID: owner, CustomerID: number, Number: number, IssueDate: rows.Today, DueDate: rows.Today, Deadline: rows.Today, CreatedAt: tx.Now}
	}
	if err := tx.Insert(t.Context(), &invoices); err != nil {
		return err
	}
	for n, i := range invoices {
		entries[n] = models.Entry{CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID, Type: models.EntryInvoice, Amount: 1, TransactionDate: rows.Today, CreatedAt: tx.Now}
		notices[n] = models.Notice{CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID, Sequence: 1, IssueDate: rows.Today, DueDate: rows.Today, LetterID: int64(n%3) * i.ID, CreatedAt: tx.Now}
	}
	if err := tx.Insert(t.Context(), &notices); err != nil {
		return err
	}
	for n, i := range invoices {
		of := [3]models.Document{{Kind: models.InvoiceDocument, ID: i.ID}, notices[n].Document(), {Kind: models.LetterDocument, ID: i.ID}}[n%3]
		shipments[n] = models.Shipment{
			CreditorID: i.CreditorID, DocumentKind: of.Kind, DocumentID: of.ID, Method: models.ByPaper, State: models.ShipmentSent, NextAttempt: tx.Now, CreatedAt: tx.Now,
		}
	}
	if err := tx.Insert(t.Context(), &shipments); err != nil {
		return err
	}
	var events []models.Event
	var reports []models.ShipmentReport
	var direct []models.DirectEntry
	for n, i := range invoices {
		e := models.Event{CreditorID: i.CreditorID, At: tx.Now, Type: models.EventInvoiceCreated, InvoiceID: i.ID, CustomerID: i.CustomerID}
		if n%5 == 0 {
			e.InvoiceID = 0
		}
		events = append(events, e)
		reports = append(reports, models.ShipmentReport{CreditorID: i.CreditorID, ShipmentID: shipments[n].ID, State: models.ShipmentSent, At: tx.Now, CreatedAt: tx.Now})
		direct = append(direct, models.DirectEntry{CreditorID: i.CreditorID, InvoiceID: i.ID, EntryID: int64(n + 1), Date: rows.Today, CreatedAt: tx.Now})
	}
	for _, all := range []any{&entries, &events, &reports, &direct} {
		if err := tx.Insert(t.Context(), all); err != nil {
			return err
		}
	}
	return nil
}

// readsThrough returns the step in which a database reads a table through to answer a question, or more rows than few; empty if there is none.
func readsThrough(t *testing.T, db *store.DB, q store.Statement, few int) string {
	t.Helper()
	keyword := "EXPLAIN QUERY PLAN "
	if db.IsMySQL() {
		keyword = "EXPLAIN "
	}
	var plan []map[string]any
	must(t, db.Query(t.Context(), &plan, keyword+q.SQL, q.Args...))
	for _, step := range plan {
		if !db.IsMySQL() {
			if detail := fmt.Sprint(step["detail"]); strings.HasPrefix(detail, "SCAN") && !strings.HasPrefix(detail, "SCAN CONSTANT") {
				return fmt.Sprint(plan)
			}
			continue
		}
		table, how := fmt.Sprint(step["table"]), fmt.Sprint(step["type"])
		n, _ := step["rows"].(int64)
		if !strings.HasPrefix(table, "<") && (how == "ALL" || how == "index" || n > int64(few)) {
			return fmt.Sprint(plan)
		}
	}
	return ""
}
