package store

import (
	"cmp"
	"slices"
	"strings"

	"purr/models"
)

// selectHits are the columns of hits by kind, each kind's with the same names. MySQL takes the types from all of them.
var selectHits = map[models.HitKind]string{ //nolint:exhaustive // letters are read by their documents
	models.HitCustomer: `SELECT 'customer' AS kind, h.id, 0 AS number, h.id AS customer_id, 0 AS of_id, '' AS of_kind, h.name1, h.name2, h.postal_name AS place,
		h.customer_number AS code, h.email AS account, '' AS text, NULL AS date, NULL AS due_date, 0 AS amount,
		(SELECT COALESCE(SUM(i.balance), 0) FROM invoices i WHERE i.creditor_id = h.creditor_id AND i.customer_id = h.id AND i.balance > 0) AS balance,
		'' AS state, NULL AS deadline FROM customers h`,
	models.HitInvoice: `SELECT 'invoice' AS kind, h.id, h.number, h.customer_id, 0 AS of_id, '' AS of_kind, h.recipient_name1 AS name1, h.recipient_name2 AS name2,
		h.recipient_postal_name AS place, h.kid AS code, '' AS account, '' AS text, h.issue_date AS date, h.due_date, h.gross AS amount, h.balance,
		h.stage AS state, h.deadline FROM invoices h`,
	models.HitCreditNote: `SELECT 'credit_note' AS kind, h.id, h.number, h.customer_id, h.invoice_id AS of_id, '' AS of_kind, h.recipient_name1 AS name1,
		h.recipient_name2 AS name2, h.recipient_postal_name AS place, h.kid AS code, '' AS account, '' AS text, h.issue_date AS date, NULL AS due_date,
		h.gross AS amount, h.balance, CASE WHEN h.balance < 0 THEN 'not_paid' ELSE 'paid' END AS state, NULL AS deadline FROM credit_notes h`,
	models.HitNotice: `SELECT 'overdue_notice' AS kind, h.id, i.number, h.customer_id, h.invoice_id AS of_id, '' AS of_kind, h.recipient_name1 AS name1,
		h.recipient_name2 AS name2, h.recipient_postal_name AS place, h.kid AS code, '' AS account, '' AS text, h.issue_date AS date, h.due_date,
		h.gross AS amount, i.balance, CASE WHEN h.warning = 1 THEN 'warning' ELSE 'reminder' END AS state, NULL AS deadline
		FROM overdue_notices h JOIN invoices i ON i.id = h.invoice_id`,
	models.HitUnmatched: `SELECT 'unmatched_payment' AS kind, h.id, 0 AS number, 0 AS customer_id, h.entry_id AS of_id, '' AS of_kind, h.payer_name AS name1,
		h.ultimate_payer AS name2, '' AS place, h.kid AS code, h.from_account_number AS account, h.text, h.transaction_date AS date, NULL AS due_date,
		h.amount, 0 AS balance, h.status AS state, NULL AS deadline FROM unmatched_payments h`,
	models.HitPayment: `SELECT 'ar_transaction' AS kind, h.id, COALESCE(n.number, i.number) AS number, h.customer_id, h.invoice_id AS of_id,
		CASE WHEN h.credit_note_id = 0 THEN 'invoice' ELSE 'credit_note' END AS of_kind, c.name1, c.name2,
		c.postal_name AS place, '' AS code, h.from_account_number AS account, h.comment AS text, h.transaction_date AS date, NULL AS due_date,
		-h.amount AS amount, 0 AS balance, h.type AS state, NULL AS deadline FROM entries h JOIN customers c ON c.id = h.customer_id
		JOIN invoices i ON i.id = h.invoice_id LEFT JOIN credit_notes n ON n.id = h.credit_note_id`,
}

// readCustomers reads the customers that were found, the best first, and forgets the others.
func (s *searching) readCustomers() error {
	ids := s.ids(models.HitCustomer, 2*mostNamed, nil)
	if len(ids) == 0 {
		return nil
	}
	qs := s.questions()
	qs.add(selectHits[models.HitCustomer]+" WHERE h.creditor_id = ? AND h.id IN ?", s.creditorID, ids)
	hits, err := ask[models.Hit](s, qs)
	if err != nil {
		return err
	}
	places := s.places[models.HitCustomer]
	slices.SortFunc(hits, func(a, b models.Hit) int {
		return cmp.Or(cmp.Compare(places[a.ID], places[b.ID]), cmp.Compare(s.whole(b), s.whole(a)), cmp.Compare(len(a.Name1), len(b.Name1)), cmp.Compare(a.ID, b.ID))
	})
	hits = hits[:min(len(hits), mostAsked)]
	s.hits[models.HitCustomer] = hits
	return nil
}

// whole returns how many words of the query stand in the customer's names or place as they were typed.
func (s *searching) whole(h models.Hit) (n int) {
	has := slices.Concat(models.NameOf(h.Name1).Words(), models.NameOf(h.Name2).Words(), models.Words(h.Place))
	for _, w := range s.q.Words {
		if slices.Contains(has, w) {
			n++
		}
	}
	return n
}

// byItsName reports whether the customer was found by its name, and not by its place alone or by a number.
func (s *searching) byItsName(h models.Hit) bool {
	switch s.places[models.HitCustomer][h.ID] {
	case placeSlip:
		return true
	case placeName:
		has := slices.Concat(models.NameOf(h.Name1).Words(), models.NameOf(h.Name2).Words())
		return slices.ContainsFunc(s.q.Words, func(typed string) bool {
			return slices.ContainsFunc(has, func(w string) bool { return strings.HasPrefix(w, typed) })
		})
	case placeNumber, placeKID, placeAccount, placeBalance, placeSum, placeID:
	}
	return false
}

// askDocuments finds what belongs to the customers who were found by name: the newest of each kind. It finds too what belongs to an
// invoice by whose number something else is sought, and the payments of the sum on those that were found by it.
func (s *searching) askDocuments() error {
	qs := s.questions()
	if slices.Equal(s.q.Kinds, []models.HitKind{models.HitCustomer}) {
		return nil
	}
	for _, h := range s.hits[models.HitCustomer][:min(len(s.hits[models.HitCustomer]), MostFound)] {
		if s.byItsName(h) {
			s.ofCustomer(qs, h.ID)
		}
	}
	paid := "SELECT 'ar_transaction' AS kind, id, ? AS place FROM entries" + qs.forced("entries_document") + " WHERE type IN ('OCR', 'PAYMENT') AND "
	if ids := s.ids(models.HitInvoice, 2*mostAsked, func(at place) bool { return at == placeBalance || at == placeSum }); len(ids) > 0 {
		qs.add(limited(paid+"invoice_id IN ? AND credit_note_id = 0 AND amount = ? ORDER BY id DESC", mostAsked), placeSum, ids, -s.q.Sum)
	}
	if ids := s.ids(models.HitInvoice, mostAsked, place.leads); len(ids) > 0 && !s.q.Wants(models.HitInvoice) {
		if s.q.Wants(models.HitPayment) {
			qs.add(limited(paid+"invoice_id IN ? ORDER BY id DESC", mostAsked), placeNumber, ids)
		}
		if s.q.Wants(models.HitCreditNote) {
			qs.add("SELECT 'credit_note' AS kind, id, ? AS place FROM credit_notes WHERE invoice_id IN ?", placeNumber, ids)
		}
	}
	return s.askFor(qs)
}

// mostOfCustomer is how many of a customer's newest entries are looked through for payments.
const mostOfCustomer = 30

func (s *searching) ofCustomer(qs *questions, id int64) {
	at := s.places[models.HitCustomer][id]
	for _, of := range []struct {
		kind  models.HitKind
		table string
	}{{models.HitInvoice, "invoices"}, {models.HitCreditNote, "credit_notes"}} {
		qs.add(limited("SELECT ? AS kind, id, ? AS place FROM "+of.table+qs.forced(of.table+"_customer")+" WHERE customer_id = ? ORDER BY id DESC", mostAsked), of.kind, at, id)
	}
	newest := limited("SELECT id, type FROM entries"+qs.forced("entries_customer")+" WHERE customer_id = ? ORDER BY id DESC", mostOfCustomer)
	qs.add("SELECT 'ar_transaction' AS kind, id, ? AS place FROM ("+newest+") AS newest WHERE type IN ('OCR', 'PAYMENT')", at, id)
}

// readHits reads what was found of all kinds but customers and letters, and with it the notices on the invoices.
func (s *searching) readHits() error {
	qs := s.questions()
	for _, of := range []struct {
		kind models.HitKind
		most int
	}{{models.HitInvoice, mostAsked}, {models.HitCreditNote, mostAsked}, {models.HitUnmatched, 2 * mostNamed}, {models.HitPayment, 2 * mostAsked}} {
		if ids := s.ids(of.kind, of.most, nil); len(ids) > 0 {
			qs.add(selectHits[of.kind]+" WHERE h.creditor_id = ? AND h.id IN ?", s.creditorID, ids)
		}
	}
	const notices = " WHERE h.creditor_id = ? AND h.withdrawn IS NULL AND "
	if ids := s.ids(models.HitNotice, mostAsked, nil); len(ids) > 0 {
		qs.add(selectHits[models.HitNotice]+notices+"h.id IN ?", s.creditorID, ids)
	}
	if ids := s.ids(models.HitInvoice, MostFound*mostAsked, place.leads); len(ids) > 0 {
		qs.add(limited(selectHits[models.HitNotice]+notices+"h.invoice_id IN ? ORDER BY h.id DESC", mostAsked), s.creditorID, ids)
	}
	hits, err := ask[models.Hit](s, qs)
	if err != nil {
		return err
	}
	for _, h := range hits {
		if !slices.ContainsFunc(s.hits[h.Kind], func(other models.Hit) bool { return other.ID == h.ID }) {
			s.hits[h.Kind] = append(s.hits[h.Kind], h)
		}
	}
	s.order()
	return nil
}

// order puts the best first, of payments those that wait for a person, and of equals the newest. A payment that a person has matched
// is shown once.
func (s *searching) order() {
	matched := map[int64]bool{}
	for _, h := range s.hits[models.HitUnmatched] {
		matched[h.OfID] = true
	}
	s.hits[models.HitPayment] = slices.DeleteFunc(s.hits[models.HitPayment], func(h models.Hit) bool { return matched[h.ID] })
	for _, kind := range models.HitKinds {
		if kind == models.HitCustomer {
			continue
		}
		at := func(h models.Hit) place {
			if p, known := s.places[kind][h.ID]; known {
				return p
			}
			return placeName // a notice on an invoice
		}
		waits := func(h models.Hit) int {
			if kind == models.HitUnmatched && h.State != models.PaymentOpen {
				return 1
			}
			return 0
		}
		slices.SortFunc(s.hits[kind], func(a, b models.Hit) int {
			return cmp.Or(cmp.Compare(at(a), at(b)), cmp.Compare(waits(a), waits(b)), cmp.Compare(b.ID, a.ID))
		})
		s.hits[kind] = s.hits[kind][:min(len(s.hits[kind]), mostAsked)]
	}
}

// readLetters reads the newest letters of the documents that were found by number or name.
func (s *searching) readLetters() error {
	if !s.q.Wants(models.HitLetter) {
		return nil
	}
	documents := map[models.Document]models.Hit{}
	for _, kind := range []models.HitKind{models.HitInvoice, models.HitCreditNote, models.HitNotice} {
		for _, h := range s.hits[kind] {
			if at, known := s.places[kind][h.ID]; !known || at.leads() {
				documents[h.Document()] = h
			}
		}
	}
	if len(documents) == 0 {
		return nil
	}
	ids := make(map[models.DocumentKind][]int64)
	for d := range documents {
		ids[d.Kind] = append(ids[d.Kind], d.ID)
	}
	qs := s.questions()
	for _, kind := range models.DocumentKinds() {
		if len(ids[kind]) == 0 {
			continue
		}
		slices.Sort(ids[kind])
		qs.add(limited(`SELECT 'shipment' AS kind, h.id, document_kind AS of_kind, document_id AS of_id, recipient_name1 AS name1, recipient_name2 AS name2,
			recipient_postal_name AS place, method AS code, recipient_email AS account, failure AS text, h.state, DATE(COALESCE(sent_at, created_at)) AS date
			FROM shipments h`+qs.forced("shipments_document")+" WHERE document_kind = ? AND document_id IN ? AND creditor_id = ? ORDER BY h.id DESC", mostAsked),
			kind, ids[kind], s.creditorID)
	}
	letters, err := ask[models.Hit](s, qs)
	if err != nil {
		return err
	}
	for n, h := range letters {
		of := documents[h.Document()]
		letters[n].Number, letters[n].CustomerID = of.Number, of.CustomerID
		letters[n].Name1, letters[n].Name2 = cmp.Or(h.Name1, of.Name1), cmp.Or(h.Name2, of.Name2)
	}
	slices.SortFunc(letters, func(a, b models.Hit) int { return cmp.Compare(b.ID, a.ID) })
	s.hits[models.HitLetter] = letters[:min(len(letters), mostAsked)]
	return nil
}
