package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"
)

// unchanging are the columns, by table, that put leaves as they are: what a row says for good, and what has a method of its own. A
// column that is not named here is mutable. So is a new one from the day on which it comes, and no created_at.
var unchanging = map[string][]string{
	"creditors":       {"adopts", "avtalegiro_day"},                                                                               // NoteAdopting, NoteClaimsLookedAt
	"hand_overs":      {"bundle"},                                                                                                 // SetBundle
	"collector_files": {"creditor_id", "number", "day", "seller_id", "xml_sum", "csv_sum"},                                        // SetCollectorSum
	"claim_files":     {"creditor_id", "sender_id", "number", "day", "claims", "cancellations", "amount", "sha256", "deliver_by"}, // SetClaimFileSum
	"audits":          {"creditor_id", "customer_id", "from_date", "to_date", "asked_by", "night", "in_all"},
	"bank_claims":     {"creditor_id", "customer_id", "invoice_id", "mandate_id", "account", "kid", "due_date", "by_bank", "last_day"},
	"payment_plans": {
		"creditor_id", "customer_id", "invoice_id", "since", "sum", "last_entry_id", "instalments", "language", "seller_id", "pdf", // SetPDFs, SetSeller
		"recipient_name1", "recipient_name2", "recipient_address1", "recipient_address2", "recipient_postal_code", "recipient_postal_name",
		"recipient_country_code", "recipient_email", "recipient_phone", "recipient_customer_number", "recipient_organisation_number",
	},
	"shipments": { // whose they are, what they send, and to whom, but for the e-mail address: a retry may take another (rule D92)
		"creditor_id", "document_kind", "document_id", "copy", "once_more", "more_time", "correction", "friendly", "ordinary", "fallback_of", "recipient_customer_number", "recipient_organisation_number",
		"recipient_name1", "recipient_name2", "recipient_address1", "recipient_address2", "recipient_postal_code", "recipient_postal_name",
		"recipient_country_code", "recipient_phone",
	},
}

// put writes all mutable columns of rows that are there, a pointer to one or to a slice of them, with one statement. It finds them
// by their primary key. It fails if one is not there: the caller has locked them.
func (tx *Tx) put(ctx context.Context, rows any) error {
	all := structsOf(rows)
	if len(all) == 0 {
		return nil
	}
	t, err := tableOf(tx.db, rows)
	if err != nil {
		return err
	}
	statement, want := t.put, 1
	args := appendValues(ctx, appendValues(ctx, nil, t.mutable, all[0]), t.key, all[0])
	if len(all) > 1 {
		if statement, args, want, err = t.putMany(ctx, all); err != nil {
			return err
		}
	}
	done, err := tx.exec(ctx, statement, args)
	if err != nil {
		return classify(err, "")
	}
	found, err := done.RowsAffected() // a row that is the same as before is among them: see mysqlConfig
	if err == nil && found != int64(want) {
		err = fmt.Errorf("write %s: of %d rows %d are there", t.name, want, found)
	}
	return classify(err, "")
}

// equals returns the fields' columns, each with a place for its value.
func equals(fields []*schema.Field, between string) string {
	parts := make([]string, len(fields))
	for i, field := range fields {
		parts[i] = "`" + field.DBName + "` = ?"
	}
	return strings.Join(parts, between)
}

// putMany returns the statement that puts several rows, its arguments, and how many rows these are. Their key is one number.
func (t table) putMany(ctx context.Context, rows []reflect.Value) (statement string, args []any, want int, err error) {
	ids, values := make([]int64, len(rows)), make([]any, len(rows))
	for i, row := range rows {
		ids[i] = row.FieldByIndex(t.key[0].StructField.Index).Int()
	}
	set := make([]string, len(t.mutable))
	for n, field := range t.mutable {
		for i, row := range rows {
			value, _ := field.ValueOf(ctx, row)
			if values[i], err = driver.DefaultParameterConverter.ConvertValue(value); err != nil { // so that equal ones are seen
				return "", nil, 0, fmt.Errorf("write %s of %s: %w", field.DBName, t.name, err)
			}
		}
		to := byID(ids, values)
		set[n], args = "`"+field.DBName+"` = "+to.SQL, append(args, to.Vars...)
	}
	for _, id := range ids {
		args = append(args, id)
	}
	statement = "UPDATE `" + t.name + "` SET " + strings.Join(set, ", ") + " WHERE id IN (?" + strings.Repeat(", ?", len(ids)-1) + ")"
	slices.Sort(ids)
	return statement, args, len(slices.Compact(ids)), nil
}

// byID returns what sets a column of several rows to a value each.
func byID(ids []int64, values []any) clause.Expr {
	if !slices.ContainsFunc(values, func(v any) bool { return v != values[0] }) {
		return clause.Expr{SQL: "?", Vars: values[:1:1]}
	}
	set := clause.Expr{SQL: "CASE id" + strings.Repeat(" WHEN ? THEN ?", len(ids)) + " END"}
	for i, id := range ids {
		set.Vars = append(set.Vars, id, values[i])
	}
	return set
}

// set sets the named columns of the rows that meet the conditions.
func (tx *Tx) set(ctx context.Context, model any, columns map[string]any, where string, args ...any) error {
	_, err := tx.setSome(ctx, model, columns, where, args...)
	return err
}

// setSome does what set does, and returns how many rows met the conditions.
func (tx *Tx) setSome(ctx context.Context, model any, columns map[string]any, where string, args ...any) (int64, error) {
	g := tx.with(ctx).Model(model).Where(where, args...).UpdateColumns(columns)
	return g.RowsAffected, classify(g.Error, "")
}
