//go:build whole

package lives_test

import (
	"fmt"
	"slices"

	"purr/models"
	"purr/test/testkit/law"
)

// finding is what is wrong with an invoice: a word for its kind, and what was found.
type finding struct {
	invoice    int64
	kind, what string
}

// judge holds rows against the rules, by what is known in the end.
type judge struct {
	books
	post   post
	byHand map[int64]bool          // the hand-overs that a person asked for, by invoice
	told   func(invoice int64) int // how many events say that what the debt collector has is not right
	found  []finding
}

// all judges every invoice.
func (j judge) all() []finding {
	for _, i := range j.invoices {
		j.money(i)
		notices := j.ladder(i)
		j.charges(i, notices)
		j.handedOver(i)
	}
	for _, c := range j.credits {
		if sum := j.sum(j.entries, func(e entry) bool { return e.credit == c.id }); sum != c.balance {
			j.find(invoice{id: c.invoice}, "balance", "the entries of credit note %d make %s, its balance is %s", c.id, sum, c.balance)
		}
	}
	return j.found
}

func (j *judge) find(i invoice, kind, format string, args ...any) {
	j.found = append(j.found, finding{i.id, kind, fmt.Sprintf(format, args...)})
}

// sum adds up entries.
func (j *judge) sum(of []entry, is func(entry) bool) (sum models.Amount) {
	for _, e := range of {
		if is(e) {
			sum += e.amount
		}
	}
	return sum
}

func (e entry) fee() bool      { return e.kind == models.EntryOverdueCharge }
func (e entry) interest() bool { return e.kind == models.EntryInterest }
func (e entry) charge() bool   { return e.fee() || e.interest() }

// most returns the most that an invoice may owe as principal: its gross less its credit notes (rule D96).
func (j *judge) most(i invoice) models.Amount {
	most := i.gross
	for _, c := range j.credits {
		if c.invoice == i.id {
			most -= c.gross
		}
	}
	return max(0, most)
}

// money judges the balance, the principal and the moves of credit (rules L5, D33, D96).
func (j *judge) money(i invoice) {
	entries := j.of(i.id)
	if sum := j.sum(entries, func(entry) bool { return true }); sum != i.balance {
		j.find(i, "balance", "the entries make %s, the balance is %s", sum, i.balance)
	}
	principal := j.sum(entries, func(e entry) bool { return !e.charge() }) - i.repaysOwing
	if most := j.most(i); principal > most {
		j.find(i, "principal", "the principal is %s, and gross less credit notes %s", principal, most)
	}
	away := map[int64]models.Amount{} // what each half of a move took away
	for _, e := range j.entries {
		if e.movedFrom != 0 {
			away[e.movedFrom] = -e.amount
		}
	}
	paidOut, moved := models.Amount(0), models.Amount(0)
	for _, e := range j.entries {
		if e.invoice != i.id || e.amount <= 0 || e.kind == models.EntryInvoice || e.charge() {
			continue
		}
		switch amount, half := away[e.id]; {
		case half && amount != e.amount:
			j.find(i, "move", "entry %d takes %s away, and %s came", e.id, e.amount, amount)
		case half:
			moved += e.amount
		case e.kind == models.EntryPayment || e.kind == models.EntryOCR: // a person, or the bank that took money back
			paidOut += e.amount
		}
	}
	if i.repaysOwing < 0 || i.repaysOwing > paidOut {
		j.find(i, "repayment", "a repayment of %s is owed, and %s was paid out", i.repaysOwing, paidOut)
	}
	if moved > 0 && principal > i.writtenOff {
		j.find(i, "moved", "%s of credit is moved away, and principal of %s is owed", moved, principal)
	}
	for _, n := range j.notices {
		if asked := j.lines[n.id]; n.invoice == i.id && asked > i.gross {
			j.find(i, "letter", "notice %d of %s asks for a principal of %s, and the gross is %s", n.id, n.issued, asked, i.gross)
		}
	}
}

// judged is a notice in force, and what the law says of it.
type judged struct {
	notice
	due     models.Date // from which fee and interest count: the invoice's, moved by its late leaving and off weekends
	feeable bool        // it may charge a fee
}

// ladder judges the notices in force of an invoice, one after the other (rules L1, L2, D94, D98, inkassoforskriften §§ 1-2, 1-3).
func (j *judge) ladder(i invoice) (all []judged) {
	var last *notice
	for _, n := range j.inForce(i.id) {
		s, left := j.post.before(models.InvoiceDocument, i.id, n.issued)
		if !left {
			j.find(i, "not left", "notice %d of %s stands, and the invoice had not left", n.id, n.issued)
			continue
		}
		of := judged{notice: n, due: law.Moved(i.due + max(0, s.left-i.issued))}
		if n.issued <= of.due {
			j.find(i, "early", "notice %d of %s stands, and the invoice is due on %s", n.id, n.issued, of.due)
		}
		of.feeable = n.issued >= of.due+14
		if last != nil {
			counts := j.post.counts(*last)
			of.feeable = of.feeable && n.issued >= counts+14
			if m, known := j.post.first(last.id); n.issued <= counts && (!known || !m.known.After(n.made)) {
				j.find(i, "second", "notice %d of %s came while notice %d ran until %s", n.id, n.issued, last.id, counts)
			}
		}
		j.letter(i, n)
		all, last = append(all, of), &n
	}
	return all
}

// letter judges the letter of a notice in force: it did not fail, and its printed deadline leaves 14 days (rules L2, D94, inkassoloven
// § 9).
func (j *judge) letter(i invoice, n notice) {
	all := j.post[document{models.NoticeDocument, n.id}]
	s, left := j.post.first(n.id)
	switch {
	case !left && len(all) > 0 && !slices.ContainsFunc(j.shipments, func(s shipment) bool {
		return s.kind == models.NoticeDocument && s.document == n.id && s.state == models.ShipmentOwed
	}):
		j.find(i, "failed", "notice %d of %s stands, and its letter failed", n.id, n.issued)
	case left && n.due < s.left+14 && !s.settled:
		j.find(i, "too short", "notice %d is due on %s, left on %s, and stands", n.id, n.due, s.left)
	case left && n.counts < n.due+s.left-n.issued && s.left > n.issued && !s.settled:
		j.find(i, "counts", "notice %d of %s left on %s, and counts until %q", n.id, n.issued, s.left, n.counts)
	}
}

// charges judges the fees and the interest that are in force on an invoice, given its notices in force.
func (j *judge) charges(i invoice, notices []judged) {
	entries := j.of(i.id)
	fees, interest := j.sum(entries, entry.fee), j.sum(entries, entry.interest)
	if fees < 0 || interest < 0 {
		j.find(i, "taken back", "more was taken back than was charged: fees of %s, interest of %s", fees, interest)
	}
	right := models.Amount(0)
	for _, n := range notices {
		if n.feeable {
			right += min(n.fee, law.MaximumFee(n.issued))
		}
	}
	if fees > right {
		j.find(i, "fee", "fees of %s are in force, and %s have come on their day", fees, right)
	}
	if right := j.interest(i, entries, notices); interest > right {
		j.find(i, "interest", "interest of %s is in force, and at most %s has accrued", interest, right)
	}
}

// from is a legal rate of late-payment interest, in hundredths of a percent, and the day from which it holds.
type from struct {
	day  string
	rate int64
}

// rates are the legal rates, the newest first (forsinkelsesrenteloven § 3).
var rates = []from{
	{"2026-07-01", 1225}, {"2026-01-01", 1200}, {"2025-07-01", 1225}, {"2024-01-01", 1250}, {"2023-07-01", 1175}, {"2023-01-01", 1075},
}

// interest returns the most interest that an invoice can have charged: simple, day by day, on the unpaid principal, from the due date
// until the last of its notices that charges any (forsinkelsesrenteloven §§ 2, 3). Each notice rounds each period to øre: that is half
// an øre for each day on which something changes, and for each notice.
func (j *judge) interest(i invoice, entries []entry, notices []judged) models.Amount {
	first, through, half := models.Date(0), models.Date(0), int64(0)
	for _, n := range notices {
		if n.interest > 0 {
			if first == 0 || n.due < first {
				first = n.due
			}
			through = n.issued
			half++
		}
	}
	if through == 0 {
		return 0
	}
	const parts = 100 * 100 * 365 * 366 // of an øre
	sum, was, of := int64(0), [4]int64{}, ofClaim(i, entries)
	for day := first + 1; day <= through; day++ {
		at := slices.IndexFunc(rates, func(r from) bool { return r.day <= day.String() })
		principal, year := int64(j.unpaid(i, of, day)), int64(day.DaysInYear())
		sum += principal * rates[at].rate * (parts / 10_000 / year)
		if is := [4]int64{principal, int64(at), year, int64(day.Time().Month()-1) / 6}; is != was {
			was, half = is, half+1
		}
	}
	return models.Amount((sum + half*parts/2) / parts)
}

// ofClaim returns the entries that an invoice's principal is made of: of the money that went out, the last day's first, it leaves out
// what is owed as a repayment (rule D96). A match that was taken back has the day of its payment, and both are gone.
func ofClaim(i invoice, entries []entry) (of []entry) {
	left := i.repaysOwing
	byDay := slices.SortedStableFunc(slices.Values(entries), func(a, b entry) int { return int(a.on - b.on) })
	for _, e := range slices.Backward(byDay) {
		if e.charge() {
			continue
		}
		if left > 0 && e.amount > 0 && e.kind != models.EntryInvoice {
			part := min(left, e.amount)
			e.amount -= part
			left -= part
		}
		of = append(of, e)
	}
	return of
}

// unpaid returns the principal that was unpaid in the morning of a day: it is never above the gross (rules D29, D96).
func (j *judge) unpaid(i invoice, of []entry, morning models.Date) models.Amount {
	return min(i.gross, max(0, j.sum(of, func(e entry) bool { return e.on < morning })))
}

// handedOver judges the hand-over in force of an invoice (rules L1, D94, inkassoloven § 9). What turned out only afterwards must have
// been told, so that a person speaks with the debt collector.
func (j *judge) handedOver(i invoice) {
	at := slices.IndexFunc(j.handOvers, func(h handOver) bool { return h.invoice == i.id && h.taken == 0 })
	if i.handedOver == 0 || at < 0 {
		return
	}
	h := j.handOvers[at]
	var warning *notice
	for _, n := range j.notices {
		since := n.withdrawn > h.on || n.withdrawn == h.on && j.told(i.id) > 0 // withdrawn since
		if n.invoice == i.id && n.warning && n.made.Before(h.made) && (n.withdrawn == 0 || since) {
			warning = &n
		}
	}
	if warning == nil {
		if !j.byHand[i.id] {
			j.find(i, "unwarned", "it was handed over on %s without a warning", h.on)
		}
		return
	}
	afterwards := false
	s, left := j.post.first(warning.id)
	switch counts := j.post.counts(*warning); {
	case warning.withdrawn != 0:
		afterwards = true
	case !left:
		all := j.post[document{models.NoticeDocument, warning.id}]
		afterwards = len(all) > 0 && all[len(all)-1].failed.After(h.made)
	case s.back != 0 && s.backKnown.Before(h.made) && len(j.post[document{models.NoticeDocument, warning.id}]) == 1: // it waits until it is sent again
	case h.on > counts:
		return
	default:
		afterwards = s.known.After(h.made)
	}
	if !afterwards || j.told(i.id) == 0 {
		j.find(i, "hand-over", "it was handed over on %s, and its warning %d of %s counts until %s; known afterwards: %v", h.on, warning.id, warning.issued, j.post.counts(*warning), afterwards)
	}
}
