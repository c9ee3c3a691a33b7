package retries_test

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"purr/models"
)

// table is how the rows of one creditor are found in a table of the database.
type table struct{ name, query string }

// owners say for a column how the rows of one creditor are found by it. The first that a table has counts.
var owners = [][2]string{
	{"creditor_id", "creditor_id = ?"},
	{"owner_id", "owner_id = ?"},
	{"invoice_id", "invoice_id IN (SELECT id FROM invoices WHERE creditor_id = ?)"},
	{"notice_id", "notice_id IN (SELECT id FROM overdue_notices WHERE creditor_id = ?)"},
	{"credit_note_id", "credit_note_id IN (SELECT id FROM credit_notes WHERE creditor_id = ?)"},
	{"shipment_id", "shipment_id IN (SELECT id FROM shipments WHERE creditor_id = ?)"},
	{"payment_file_id", "payment_file_id IN (SELECT id FROM payment_files WHERE owner_id = ?)"},
}

// tablesOf returns the tables that hold rows of creditors.
func tablesOf(ctx context.Context, db *sql.DB) ([]table, error) {
	const query = `SELECT table_name, GROUP_CONCAT(column_name) FROM information_schema.columns WHERE table_schema = DATABASE()
		GROUP BY table_name ORDER BY table_name = 'creditors' DESC, table_name`
	found, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = found.Close() }()
	tables := []table{{"creditors", "SELECT * FROM creditors WHERE id = ?"}}
	for found.Next() {
		var name, columns string
		if err := found.Scan(&name, &columns); err != nil {
			return nil, err
		}
		of := strings.Split(columns, ",")
		for _, o := range owners {
			if slices.Contains(of, o[0]) {
				tables = append(tables, table{name, fmt.Sprintf("SELECT * FROM %s WHERE %s ORDER BY 1, 2", name, o[1])})
				break
			}
		}
	}
	return tables, found.Err()
}

// rowsOf writes all rows of a creditor. IDs stand as their rank among those of their kind, so that two creditors with whom
// the same was done have the same rows. Whether there is a time counts, not which.
func rowsOf(ctx context.Context, db *sql.DB, tables []table, c models.Creditor) (string, error) {
	var b strings.Builder
	ranks := map[string]map[string]int{}
	rank := func(kind, id string) string {
		if ranks[kind] == nil {
			ranks[kind] = map[string]int{"0": 0}
		}
		if _, known := ranks[kind][id]; !known {
			ranks[kind][id] = len(ranks[kind])
		}
		return fmt.Sprint(ranks[kind][id])
	}
	for _, t := range tables {
		if err := writeRows(ctx, db, t, c, rank, &b); err != nil {
			return "", fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return anonymous(b.String(), c), nil
}

func writeRows(ctx context.Context, db *sql.DB, t table, c models.Creditor, rank func(kind, id string) string, b *strings.Builder) error {
	found, err := db.QueryContext(ctx, t.query, c.ID)
	if err != nil {
		return err
	}
	defer func() { _ = found.Close() }()
	types, err := found.ColumnTypes()
	if err != nil {
		return err
	}
	values, into := make([]sql.NullString, len(types)), make([]any, len(types))
	for i := range values {
		into[i] = &values[i]
	}
	for found.Next() {
		if err := found.Scan(into...); err != nil {
			return err
		}
		b.WriteString(t.name)
		of := ""   // the list, the type or the kind of a row that has one; a list's day has two
		items := 0 // of a row that has several
		for i, v := range values {
			if !v.Valid {
				continue
			}
			name, value := types[i].Name(), v.String
			switch kind, isID := strings.CutSuffix(name, "_id"); {
			case name == "id":
				value = rank(strings.TrimPrefix(strings.TrimSuffix(t.name, "s"), "overdue_")+of, value) // a mark's is of its list
			case references[name] != "":
				value = rank(references[name], value)
			case isID:
				value = rank(kind+of, value) // what an event is about depends on its type, and what a shipment sends on the document's kind
			case types[i].DatabaseTypeName() == "DATETIME", types[i].DatabaseTypeName() == "BINARY", secret[name], secret[t.name+"."+name]:
				value = "…"
			case name == "texts":
				value = value[8*items:] // before them stand the IDs of as many invoices
			case name == "text", name == "data", name == "actor", name == "body", name == "location", name == "set_by", name == "asked_by", name == "receipt",
				name == "ordered_by", name == "started_by", name == "ended_by", name == "made_by", name == "comment", name == "not_of", name == "pain", name == "csv", name == "row_names", name == "marks":
				value = number.ReplaceAllString(varying.ReplaceAllString(value, "…"), "#")
			}
			switch name {
			case "list", "type", "document_kind", "kind", "thing":
				of = cmp.Or(of, value)
			case "items":
				if items, err = strconv.Atoi(value); err != nil {
					return err
				}
			}
			fmt.Fprintf(b, " %s=%s", name, value)
		}
		b.WriteByte('\n')
	}
	return found.Err()
}

// references are the columns with IDs whose names do not say so, with the kind of what they point at: the table's name
// without the s at its end.
var references = map[string]string{"fallback_of": "shipment", "held_for": "customer", "moved_from": "entrie", "moved_to": "customer"}

// secret are the columns whose content is drawn at random, or is a sum of what holds IDs or the account.
var secret = map[string]bool{
	"secret": true, "old_secret": true, "hash": true, "sha256": true, "pdf": true, "ehf": true, "bundle": true, "request_hash": true, "identity": true,
	"content": true, "transmissions.number": true, "serial": true, "transmission_number": true,
	"work": true, "arrival": true, "payment_files.size": true,
}

var number = regexp.MustCompile(`[0-9]+`)

// anonymous leaves out what tells a creditor from others.
func anonymous(s string, c models.Creditor) string {
	return strings.NewReplacer(c.Name, "NAME", c.BankAccount, "ACCOUNT").Replace(s)
}
