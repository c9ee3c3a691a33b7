//go:build whole

package lives_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"

	"purr/ledger"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/house"
	"purr/test/testkit/law"
	"purr/test/testkit/validate"
)

// manager is a life whose credit manager does what people who dun for a living do: letters for several invoices, payment plans, invoices of
// another system, parts credited.
type manager struct {
	*life
	letters   []letter
	unmatched models.Amount // what payments in the queue, and dismissed ones, add up to
	adopted   []int         // the numbers of the invoices of another system

	told                 int // reports of the debt collector's
	reported, befriended int // its reports that were taken, and friendly reminders that left
	kills                int
}

// letter is a letter for several invoices.
type letter struct {
	id     int64
	kid    string
	gross  models.Amount
	issued models.Date
	fees   models.Amount // in force, on all its invoices
}

// TestEachOreHasOneOwner lets credit managers live for two years, at random: letters for several invoices that are paid whole, in part or
// too much, by their KIDs or invoice by invoice, and taken back; plans that are kept, broken and ended; invoices of another system whose
// balances rise and fall; credit notes for parts, up to the whole; small remainders; friendly reminders; what the debt collector reports, on the day of
// a direct payment too. Now and then the program is killed amid some days. Each month the books prove themselves, and this test reckons
// by itself: what the bank brought is on invoices or in the queue, no letter has two fees, no day bears interest twice, and nobody owes more
// than he was invoiced (rules C1, C2, L14, L15, L17, L23, L25, L27, D33, D96).
func TestEachOreHasOneOwner(t *testing.T) {
	t.Parallel()
	seed := testkit.Seed(t)
	for n, setup := range house.Setups {
		t.Run(setup.Name, func(t *testing.T) {
			t.Parallel()
			newManager(t, rand.New(rand.NewPCG(seed, uint64(1000+n))), setup).manage()
		})
	}
}

func newManager(t *testing.T, choices *rand.Rand, setup house.Setup) *manager {
	t.Helper()
	w := &world{T: t, Rand: choices}
	w.in = house.Start(t, moment("2023-03-01 12:00"), setup.Change)
	w.open()
	m := &manager{life: w.newLife(&http.Client{Timeout: testkit.Patience, Transport: validate.Described(t, http.DefaultTransport)})}
	w.lives = []*life{m.life}
	m.policy = tag("dunning_policy", tag("enabled", "1"), tag("days_to_pay", "14"), tag("joint_letters", "1"), tag("friendly_reminder_days", one(w, "", "-3", "-3 5")),
		tag("second_notice_days", one(w, "14", "1")), tag("debt_collection_notice", one(w, "second", "first")), tag("hand_over_days", "10"),
		tag("remainder", one(w, "leave", "waive", "chase")), tag("settle_credit", one(w, "0", "1")), tag("close_below", one(w, "0", "50")), tag("require_payment_file", "0"))
	m.Put("/creditor", tag("creditor", tag("first_number", "10000"), tag("dunning_ceiling", "1000"), m.policy)).Is(http.StatusOK)
	for n := range 3 {
		m.Post("/customers", tag("customer", tag("name1", fmt.Sprintf("Kunde med e-post %d", n+1)), tag("address1", "Kirkeveien 2"), tag("postal_code", "0155"), tag("postal_name", "Oslo"),
			tag("email", fmt.Sprintf("kunde%d@example.no", n+1)))).Created()
	}
	return m
}

// manage lets all days of two years pass, and proves the books each month.
func (m *manager) manage() {
	w := m.w
	m.several()
	w.settle()
	judged := w.in.Today()
	for end := w.in.Today() + models.Date(years*year); w.in.Today() < end; {
		w.reach(w.in.Today() + models.Date(one(w, 1, 2, 3, 5)))
		m.look()
		m.actManaged()
		w.settle()
		if today := w.in.Today(); today >= judged+30 || today >= end {
			judged = today
			m.look()
			m.prove()
		}
	}
	w.Logf("%d invoices, %d of them adopted, %d closed for a small remainder, %d letters for several, %d notices, %d friendly reminders, %d reports of the collector, %d entries, %d payments in the queue, %d kills",
		len(m.books.invoices), len(m.adopted), m.small(), len(m.letters), len(m.books.notices), m.befriended, m.reported, len(m.books.entries), len(m.books.payments), m.kills)
	if len(m.letters) == 0 || len(m.adopted) == 0 || m.reported == 0 || m.kills == 0 {
		w.Error("a life without letters for several invoices, invoices of another system, reports of the debt collector or kills proves nothing")
	}
}

// look reads the rows.
func (m *manager) look() {
	m.w.Helper()
	m.read()
	m.letters = nil
	rows, err := m.w.db.QueryContext(m.w.Context(), `SELECT l.id, l.kid, l.gross, l.issue_date, COALESCE((SELECT SUM(e.amount) FROM entries e JOIN overdue_notices n ON n.id = e.notice_id
		WHERE n.letter_id = l.id AND e.type = 'OVERDUE_CHARGE'), 0) FROM letters l WHERE l.creditor_id = ? ORDER BY l.id`, m.id)
	must(m.w.T, err)
	defer func() { must(m.w.T, rows.Close()) }()
	for rows.Next() {
		var l letter
		must(m.w.T, rows.Scan(&l.id, &l.kid, &l.gross, &l.issued, &l.fees))
		m.letters = append(m.letters, l)
	}
	must(m.w.T, rows.Err())
	m.openings()
	must(m.w.T, m.w.db.QueryRowContext(m.w.Context(), "SELECT COALESCE(SUM(amount), 0) FROM unmatched_payments WHERE creditor_id = ? AND status IN ('open', 'dismissed')", m.id).Scan(&m.unmatched))
}

// openings lets the opening entries of adopted invoices count from the day of issue: what was paid before was never owed here (rule L17).
func (m *manager) openings() {
	m.w.Helper()
	rows, err := m.w.db.QueryContext(m.w.Context(), "SELECT id FROM entries WHERE creditor_id = ? AND adopted = 1", m.id)
	must(m.w.T, err)
	defer func() { must(m.w.T, rows.Close()) }()
	opening := map[int64]bool{}
	for rows.Next() {
		var id int64
		must(m.w.T, rows.Scan(&id))
		opening[id] = true
	}
	must(m.w.T, rows.Err())
	for n := range m.books.entries {
		if e := &m.books.entries[n]; opening[e.id] {
			e.on = m.books.invoice(e.invoice).issued
		}
	}
}

// prove has the program prove its books, and reckons with an arithmetic of its own.
func (m *manager) prove() {
	m.w.Helper()
	must(m.w.T, m.w.in.App.Verify(m.w.Context(), func(_ models.Creditor, d ledger.Difference) { m.w.Errorf("%s: the books: %s", m.books.today, d) }))
	j := &judge{books: m.books}
	for _, i := range j.invoices {
		j.money(i)
		var notices []judged
		for _, n := range j.inForce(i.id) {
			notices = append(notices, judged{notice: n, due: law.Moved(i.due)})
		}
		entries := j.of(i.id)
		fees, interest := j.sum(entries, entry.fee), j.sum(entries, entry.interest)
		if fees < 0 || interest < 0 {
			j.find(i, "taken back", "more was taken back than was charged: fees of %s, interest of %s", fees, interest)
		}
		if right := j.interest(i, entries, notices); interest > right {
			j.find(i, "interest", "interest of %s is in force, and at most %s has accrued", interest, right)
		}
	}
	for _, l := range m.letters {
		if most := law.MaximumFee(l.issued); l.fees < 0 || l.fees > most {
			m.w.Errorf("%s: fees of %s are in force for letter %d, at most %s are allowed", m.books.today, l.fees, l.id, most)
		}
	}
	posted := j.sum(j.entries, func(e entry) bool { return e.kind == models.EntryOCR })
	if m.brought != m.unmatched-posted {
		m.w.Errorf("%s: the bank brought %s, %s are posted and %s wait", m.books.today, m.brought, -posted, m.unmatched)
	}
	m.proveFriendly()
	for _, f := range j.found {
		m.find(f)
	}
}

// actManaged lets somebody do something.
func (m *manager) actManaged() {
	acts := []func(){
		m.several, m.several, m.several, m.newInvoice, m.pay, m.overpay, m.unpay, m.settle, m.repay, m.credit,
		m.payLetter, m.payLetter, m.payLetter, m.takeLetterBack, m.reverse, m.match, m.unmatch, m.queueUp,
		m.creditPart, m.creditPart, m.plan, m.plan, m.payInstalment, m.payInstalment, m.endPlan, m.adopt, m.tellBalance, m.tellBalance,
		m.hold, m.release, m.handOver, m.handOver, m.reopen, m.report, m.report, m.payBoth, m.payNearly,
	}
	if m.w.chance(30) {
		m.killed()
	}
	acts[m.w.IntN(len(acts))]()
}

// several invoices one customer some times on one day, so that the invoices take their steps together.
func (m *manager) several() {
	customers := m.List("/customers")
	uri, days := customers[m.w.IntN(len(customers))].URI(), one(m.w, "0", "5", "14")
	for range 2 + m.w.IntN(3) {
		line := tag("line", tag("line_text", "Arbeid"), tag("unit_price", kroner(one(m.w, alike...))), tag("num_items", "1"), tag("vat_rate", one(m.w, "NONE", "HIGH")))
		m.Post("/invoices", tag("invoice", tag("num_due_days", days), `<recipient uri="`+house.PathOf(uri)+`"/>`, tag("lines", line),
			tag("shipments", tag(`shipment type="original"`, tag("shipment_method", "PAPER"))))).Created()
	}
}

// payLetter has the bank bring a payment by a letter's KID: of the whole, of a part, or of too much.
func (m *manager) payLetter() {
	if l, there := some(m.w, m.letters, func(l letter) bool { return l.kid != "" }); there {
		amount := one(m.w, l.gross, l.gross, l.gross/2, l.gross+500_00, models.Amount(1+m.w.IntN(int(l.gross))))
		m.bank(amount, l.kid, m.w.in.Today())
		m.note("the bank brings a payment of %s by the KID of letter %d", amount, l.id)
	}
}

// takeLetterBack has the bank take a payment by a letter's KID back, which a person matches with the letter.
func (m *manager) takeLetterBack() {
	l, there := some(m.w, m.letters, func(l letter) bool { return l.kid != "" })
	if !there {
		return
	}
	var amount models.Amount
	err := m.w.db.QueryRowContext(m.w.Context(), "SELECT COALESCE(MAX(amount), 0) FROM unmatched_payments WHERE letter_id = ? AND amount > 0 AND status = 'matched'", l.id).Scan(&amount)
	must(m.w.T, err)
	if amount == 0 {
		return
	}
	m.bank(-amount, l.kid, m.w.in.Today())
	m.note("the bank takes a payment of %s by the KID of letter %d back", amount, l.id)
	m.read()
	if p, waits := some(m.w, m.books.payments[len(m.books.payments)-1:], func(p payment) bool { return p.open && p.amount == -amount }); waits {
		m.try("payment", http.MethodPost, fmt.Sprintf("/unmatched_payment/%d/match", p.id), tag("match", fmt.Sprintf(`<letter uri="/api/v1/letter/%d"/>`, l.id)))
	}
}

// creditPart credits a part of an invoice, or what is left of it.
func (m *manager) creditPart() {
	if i, there := some(m.w, m.books.invoices, anyOf); there {
		net := models.Amount(1 + m.w.IntN(int(i.gross)))
		m.try(i.about(), http.MethodPost, i.path()+"/credit_notes", tag("credit_note", tag("lines", tag("line", tag("line_text", "Avslag"), tag("net_amount", net.String()), tag("vat_rate", one(m.w, "NONE", "HIGH")))),
			tag("shipments", tag(`shipment type="original"`, tag("shipment_method", "PAPER")))))
	}
}

// plan agrees on instalments for what is claimed on an invoice.
func (m *manager) plan() {
	i, there := some(m.w, m.books.invoices, owes)
	if !there {
		return
	}
	claimed, parts, body := i.balance-i.repaysOwing, models.Amount(1+m.w.IntN(4)), ""
	due := m.w.in.Today() + models.Date(1+m.w.IntN(20))
	for n := range parts {
		amount := claimed / parts
		if n == parts-1 {
			amount = claimed - (parts-1)*(claimed/parts)
		}
		body += fmt.Sprintf(`<instalment due_date="%s" amount="%s"/>`, due, amount)
		due += models.Date(7 + m.w.IntN(30))
	}
	m.try(i.about(), http.MethodPut, i.path()+"/payment_plan", tag("payment_plan", body))
}

// payInstalment has the bank bring a part of what is owed, by the invoice's KID.
func (m *manager) payInstalment() {
	if i, there := some(m.w, m.books.invoices, owes); there {
		amount := max(1, i.balance/models.Amount(1+m.w.IntN(4)))
		m.bank(amount, i.kid, m.back(i))
		m.note("%s: the bank brings an instalment of %s", i.about(), amount)
	}
}

func (m *manager) endPlan() {
	if i, there := some(m.w, m.books.invoices, owes); there {
		m.try(i.about(), http.MethodDelete, i.path()+"/payment_plan", "")
	}
}

// adopt has purr follow an invoice of another system, of which a part may be paid.
func (m *manager) adopt() {
	customers := m.List("/customers")
	number := len(m.adopted) + 1
	gross := models.Amount(one(m.w, alike...))
	due := m.w.in.Today() - models.Date(m.w.IntN(60))
	if m.try("adopted", http.MethodPost, "/adopted_invoices", tag("adopted_invoice", tag("invoice_number", fmt.Sprint(number)), tag("issue_date", (due-14).String()), tag("due_date", due.String()),
		tag("gross_amount", gross.String()), tag("balance", one(m.w, gross, gross/3).String()), tag("kid", models.NewKID(fmt.Sprintf("7%09d", number), models.Modulus10)),
		`<recipient uri="`+house.PathOf(customers[m.w.IntN(len(customers))].URI())+`"/>`)) {
		m.adopted = append(m.adopted, number)
	}
}

// tellBalance has the other system tell what is owed of an invoice now: less, or as much as before.
func (m *manager) tellBalance() {
	if len(m.adopted) == 0 {
		return
	}
	m.try("adopted", http.MethodPut, fmt.Sprintf("/adopted_invoice/%d", one(m.w, m.adopted...)),
		tag("adopted_invoice", tag("balance", one(m.w, models.Amount(0), 100_00, 499_00, models.Amount(m.w.IntN(1000_00))).String())))
}
