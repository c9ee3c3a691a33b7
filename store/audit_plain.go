package store

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// plain is how an audit reads the rows of a table of which it reads very many: these columns, straight into these fields. Dates and
// times are asked for as text: SQLite's driver takes longer to read a date by its layouts than SQLite to find the row.
type plain[T any] struct {
	columns string // texts that an audit does not look at stay where they are
	fields  func(*T) []any
}

// read returns all rows that the query finds, in whichever order it finds them. There is room for as many as are expected: rows are large, and a slice
// that grows copies them.
func (p plain[T]) read(g *gorm.DB, expected int) (rows []T, err error) {
	var row T
	rows = make([]T, 0, expected)
	err = eachRow(g.Model(new(T)).Select(p.columns), func() {
		rows = append(rows, row)
		row = *new(T)
	}, p.fields(&row)...)
	return rows, err
}

// groups returns all rows that the query finds in groups, by key, each in the order of an ID. They are put in order here: a database would
// take the whole rows through its sorting.
func (p plain[T]) groups(g *gorm.DB, expected int, key, id func(*T) int64) (map[int64][]T, error) {
	rows, err := p.read(g, expected)
	if err != nil {
		return nil, err
	}
	if by := (byKey[T]{rows, key, id}); !sort.IsSorted(by) {
		sort.Sort(by)
	}
	groups := make(map[int64][]T)
	for from := 0; from < len(rows); {
		k, to := key(&rows[from]), from+1
		for to < len(rows) && key(&rows[to]) == k {
			to++
		}
		groups[k] = rows[from:to:to]
		from = to
	}
	return groups, nil
}

// byKey puts rows in the order of a key, and of their IDs. It looks at them where they are: they are large.
type byKey[T any] struct {
	rows    []T
	key, id func(*T) int64
}

func (b byKey[T]) Len() int      { return len(b.rows) }
func (b byKey[T]) Swap(i, j int) { b.rows[i], b.rows[j] = b.rows[j], b.rows[i] }
func (b byKey[T]) Less(i, j int) bool {
	x, y := &b.rows[i], &b.rows[j]
	if k, l := b.key(x), b.key(y); k != l {
		return k < l
	}
	return b.id(x) < b.id(y)
}

const recipientColumns = "recipient_name1, recipient_name2, recipient_address1, recipient_address2, recipient_postal_code, recipient_postal_name, recipient_country_code, recipient_organisation_number"

// audited are the tables that an audit reads so. The creditor is the one that was asked for.
var (
	auditedInvoices = plain[models.Invoice]{
		"id, creditor_id, customer_id, number, CAST(issue_date AS CHAR), CAST(due_date AS CHAR), gross, kid, bank_account, seller_id, balance, repayment_owed, written_off, notices, warned, " +
			"CAST(deadline AS CHAR), closed, kept_open, CAST(handed_over AS CHAR), interest_free, plan_id, CAST(acknowledged AS CHAR), adopted, drawn, CAST(created_at AS CHAR)",
		func(i *models.Invoice) []any {
			return []any{
				&i.ID, &i.CreditorID, &i.CustomerID, &i.Number, &i.IssueDate, &i.DueDate, &i.Gross, &i.KID, &i.BankAccount, &i.SellerID, &i.Balance, &i.RepaymentOwed, &i.WrittenOff, &i.Notices,
				&i.Warned, &i.Deadline, &i.Closed, &i.KeptOpen, &i.HandedOver, &i.InterestFree, &i.PlanID, &i.Acknowledged, &i.Adopted, &i.Drawn, moment{&i.CreatedAt},
			}
		},
	}
	auditedEntries = plain[models.Entry]{
		"id, creditor_id, customer_id, invoice_id, credit_note_id, type, amount, CAST(transaction_date AS CHAR), notice_id, moved_from, moved_to, adopted, hand_over_id, CAST(created_at AS CHAR)",
		func(e *models.Entry) []any {
			return []any{
				&e.ID, &e.CreditorID, &e.CustomerID, &e.InvoiceID, &e.CreditNoteID, &e.Type, &e.Amount, &e.TransactionDate, &e.NoticeID, &e.MovedFrom, &e.MovedTo, &e.Adopted, &e.HandOverID,
				moment{&e.CreatedAt},
			}
		},
	}
	auditedNotices = plain[models.Notice]{
		"id, creditor_id, customer_id, invoice_id, letter_id, sequence, CAST(issue_date AS CHAR), CAST(due_date AS CHAR), CAST(counts_until AS CHAR), warning, announces, fee, compensation, " +
			"interest, gross, kid, " + recipientColumns + ", seller_id, language, sheet, pdf, ehf, CAST(withdrawn AS CHAR), asked_by, asked_fee, asked_interest, adopted, CAST(created_at AS CHAR)",
		func(n *models.Notice) []any {
			return slices.Concat(
				[]any{
					&n.ID, &n.CreditorID, &n.CustomerID, &n.InvoiceID, &n.LetterID, &n.Sequence, &n.IssueDate, &n.DueDate, &n.CountsUntil, &n.Warning, &n.Announces, &n.Fee, &n.Compensation,
					&n.Interest, &n.Gross, &n.KID,
				},
				recipientFields(&n.Recipient),
				[]any{
					&n.SellerID, &n.Language, &n.Sheet, &n.PDF, &n.EHF, &n.Withdrawn, &n.AskedBy, &n.AskedFee, &n.AskedInterest, &n.Adopted, moment{&n.CreatedAt},
				})
		},
	}
	auditedLines = plain[models.NoticeLine]{
		"notice_id, position, gross, type, CAST(transaction_date AS CHAR)",
		func(l *models.NoticeLine) []any {
			return []any{&l.NoticeID, &l.Position, &l.Gross, &l.Type, &l.TransactionDate}
		},
	}
	auditedShipments = plain[models.Shipment]{
		"id, document_kind, document_id, CAST(ordinary AS CHAR), method, " + recipientColumns +
			", state, CAST(sent_at AS CHAR), CAST(reported_at AS CHAR), CAST(retried_at AS CHAR), fallback_of, CAST(created_at AS CHAR)",
		func(s *models.Shipment) []any {
			return slices.Concat(
				[]any{&s.ID, &s.DocumentKind, &s.DocumentID, &s.Ordinary, &s.Method},
				recipientFields(&s.Recipient),
				[]any{&s.State, perhaps{&s.SentAt}, perhaps{&s.ReportedAt}, perhaps{&s.RetriedAt}, &s.FallbackOf, moment{&s.CreatedAt}})
		},
	}
	auditedHandOvers = plain[models.HandOver]{
		"id, creditor_id, invoice_id, CAST(handed_over AS CHAR), forced, last_entry_id, bundle, state, CAST(delivered_at AS CHAR), CAST(taken_back AS CHAR), CAST(created_at AS CHAR)",
		func(h *models.HandOver) []any {
			return []any{
				&h.ID, &h.CreditorID, &h.InvoiceID, &h.HandedOver, &h.Forced, &h.LastEntryID, &h.Bundle, &h.State, perhaps{&h.DeliveredAt}, &h.TakenBack, moment{&h.CreatedAt},
			}
		},
	}
	auditedCustomers = plain[models.Customer]{
		"id, name1, name2, address1, address2, postal_code, postal_name, country_code, organisation_number, dunning_policy",
		func(c *models.Customer) []any {
			return slices.Concat([]any{&c.ID}, recipientFields(&c.Recipient), []any{&c.Policy})
		},
	}
	auditedEvents = plain[models.Event]{
		"id, CAST(at AS CHAR), type, actor, invoice_id, customer_id, subject_id, data",
		func(e *models.Event) []any {
			return []any{&e.ID, moment{&e.At}, &e.Type, &e.Actor, &e.InvoiceID, &e.CustomerID, &e.SubjectID, &e.Data}
		},
	}
)

// recipientFields are those of recipientColumns.
func recipientFields(r *models.Recipient) []any {
	return []any{&r.Name1, &r.Name2, &r.Address1, &r.Address2, &r.PostalCode, &r.PostalName, &r.CountryCode, &r.OrganisationNumber}
}

// moment scans a time that was asked for as text.
type moment struct{ into *time.Time }

// Scan takes the time from a database.
func (m moment) Scan(src any) (err error) {
	switch v := src.(type) {
	case time.Time:
		*m.into = v
	case string:
		*m.into, err = momentOf(v)
	case []byte:
		*m.into, err = momentOf(string(v))
	default:
		err = fmt.Errorf("a %T is not a moment", src)
	}
	return err
}

// perhaps scans a time that may be missing.
type perhaps struct{ into **time.Time }

// Scan takes the time from a database: nil for NULL.
func (p perhaps) Scan(src any) error {
	if *p.into = nil; src == nil {
		return nil
	}
	var at time.Time
	if err := (moment{&at}).Scan(src); err != nil {
		return err
	}
	*p.into = &at
	return nil
}

// momentOf reads a moment as the databases write it: yyyy-mm-dd hh:mm:ss, a fraction of a second or none, and the offset +00:00 or none.
func momentOf(s string) (time.Time, error) {
	if whole := len("2006-01-02 15:04:05"); len(s) >= whole && s[10] == ' ' && s[13] == ':' && s[16] == ':' {
		day, err := models.ParseDate(s[:10])
		hour, minute, second := pair(s[11:]), pair(s[14:]), pair(s[17:])
		nanos, rest := fraction(s[whole:])
		if err == nil && hour < 24 && minute < 60 && second < 60 && nanos >= 0 && (rest == "" || rest == "+00:00") {
			return day.Time().Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second + time.Duration(nanos)), nil
		}
	}
	at, err := time.Parse("2006-01-02 15:04:05.999999999-07:00", s)
	return at.UTC(), err
}

// pair returns the number that two digits write; what are none write a hundred.
func pair(s string) int {
	if s[0] < '0' || s[0] > '9' || s[1] < '0' || s[1] > '9' {
		return 100
	}
	return 10*int(s[0]-'0') + int(s[1]-'0')
}

// fraction reads a point and up to nine digits as nanoseconds, and returns what comes after them. It returns less than zero if there are more.
func fraction(s string) (nanos int, rest string) {
	if s == "" || s[0] != '.' {
		return 0, s
	}
	n := 1
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n == 1 || n > 10 {
		return -1, s
	}
	nanos, err := strconv.Atoi((s[1:n] + "000000000")[:9])
	if err != nil {
		return -1, s
	}
	return nanos, s[n:]
}
