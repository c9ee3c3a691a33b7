//go:build whole

package lives_test

import (
	"fmt"
	"net/http"
	"slices"

	"purr/models"
	"purr/test/testkit/house"
)

// alike are the amounts of invoices and of payments without KID, in øre: few, so that many are alike.
var alike = []int{499_00, 499_00, 1000_00, 6000_00}

// act lets somebody do something, on most days.
func (l *life) act() {
	if l.w.chance(8) {
		return
	}
	acts := []func(){
		l.newInvoice, l.newInvoice, l.newInvoice, l.newInvoice, l.newInvoice, l.newInvoice, l.newInvoice, l.newInvoice, l.newInvoice,
		l.pay, l.pay, l.overpay, l.overpay, l.unpay, l.unpay, l.repay, l.repay, l.settle, l.settle, l.credit,
		l.queueUp, l.queueUp, l.match, l.match, l.unmatch, l.unmatch, l.dismiss, l.reverse, l.hold, l.release, l.release,
		l.tellLetter, l.tellLetter, l.tellLetter, l.tellLetter, l.tellLetter, l.tellLetter, l.tellLetter, l.retry, l.retry, l.handOver, l.reopen,
	}
	acts[l.w.IntN(len(acts))]()
}

// try asks for what may be refused: with a conflict, as invalid, or because it is gone.
func (l *life) try(about, method, path, body string) bool {
	l.w.Helper()
	switch a := l.Send(method, path, body); {
	case a.Status < http.StatusBadRequest:
		l.note("%s: %s %s %s", about, method, path, body)
		return true
	case a.Status == http.StatusConflict, a.Status == http.StatusUnprocessableEntity, a.Status == http.StatusNotFound:
		return false
	default:
		l.w.Fatalf("%s: answered %d: %s", a.Asked, a.Status, a.Body)
		return false
	}
}

// some draws one of the rows that meet a condition, a recent one more often than an old one.
func some[R any](w *world, rows []R, is func(R) bool) (r R, there bool) {
	var of []R
	for _, candidate := range rows {
		if is(candidate) {
			of = append(of, candidate)
		}
	}
	if len(of) == 0 {
		return r, false
	}
	if recent := len(of) - 6; recent > 0 && !w.chance(4) {
		of = of[recent:]
	}
	return of[w.IntN(len(of))], true
}

func owes(i invoice) bool   { return i.balance > 0 && !i.closed && i.handedOver == 0 }
func anyOf[R any](_ R) bool { return true }

func (i invoice) path() string  { return fmt.Sprintf("/invoice/%d", i.id) }
func (i invoice) about() string { return fmt.Sprintf("invoice %d of customer %d ", i.id, i.customer) }

func (l *life) newInvoice() {
	customers := l.List("/customers")
	line := tag("line", tag("line_text", "Arbeid"), tag("unit_price", kroner(one(l.w, alike...))), tag("num_items", "1"), tag("vat_rate", "NONE"))
	uri := customers[l.w.IntN(len(customers))].URI()
	l.Post("/invoices", tag("invoice", tag("num_due_days", one(l.w, "0", "0", "5", "14")), `<recipient uri="`+house.PathOf(uri)+`"/>`, tag("lines", line),
		tag("shipments", tag(`shipment type="original"`, tag("shipment_method", "PAPER"))))).Created()
}

// enter registers a payment, or a repayment, on a document.
func (l *life) enter(about, path string, amount models.Amount, on models.Date) {
	l.try(about, http.MethodPost, path+"/ar_transactions", tag("ar_transaction", tag("amount", amount.String()), tag("transaction_date", on.String())))
}

// back draws a day on which money came: today, or some days before.
func (l *life) back(i invoice) models.Date {
	return max(i.issued, l.w.in.Today()-models.Date(one(l.w, 0, 0, 1, 3, l.w.IntN(40))))
}

// pay has a part of what is owed, or all, registered by hand.
func (l *life) pay() {
	if i, there := some(l.w, l.books.invoices, owes); there {
		amount := one(l.w, i.balance, i.balance-i.repaysOwing, i.balance/2, models.Amount(1+l.w.IntN(int(i.balance))))
		l.enter(i.about(), i.path(), -max(1, amount), l.back(i))
	}
}

// overpay pays more than is owed, by hand or through the bank.
func (l *life) overpay() {
	i, there := some(l.w, l.books.invoices, anyOf)
	if !there {
		return
	}
	amount := max(0, i.balance) + models.Amount(one(l.w, 499_00, 1000_00, 5000_00, 7000_00))
	if l.w.chance(2) {
		l.enter(i.about(), i.path(), -amount, l.back(i))
		return
	}
	l.bank(amount, i.kid, l.back(i))
	l.note("%s: the bank brings a payment of %s with its KID", i.about(), amount)
}

// unpay deletes a payment, a repayment or a move of credit.
func (l *life) unpay() {
	e, there := some(l.w, l.books.entries, func(e entry) bool { return e.kind == models.EntryPayment })
	if there {
		l.try(l.books.invoice(e.invoice).about(), http.MethodDelete, fmt.Sprintf("/ar_transaction/%d", e.id), "")
	}
}

// repay pays out what a customer has paid too much, or what a credit note has outstanding.
func (l *life) repay() {
	if i, there := some(l.w, l.books.invoices, func(i invoice) bool { return i.balance < 0 }); there && l.w.chance(2) {
		l.enter(i.about(), i.path(), one(l.w, -i.balance, max(1, -i.balance/2)), l.w.in.Today())
		return
	}
	if c, there := some(l.w, l.books.credits, func(c creditNote) bool { return c.balance < 0 }); there {
		l.enter(l.books.invoice(c.invoice).about(), fmt.Sprintf("/credit_note/%d", c.id), one(l.w, -c.balance, max(1, -c.balance/2)), l.w.in.Today())
	}
}

func (l *life) settle() {
	if i, there := some(l.w, l.books.invoices, func(i invoice) bool { return i.balance < 0 }); there {
		l.try(fmt.Sprintf("customer %d ", i.customer), http.MethodPost, fmt.Sprintf("/customer/%d/settle", i.customer), "")
	}
}

func (l *life) credit() {
	if i, there := some(l.w, l.books.invoices, anyOf); there {
		l.try(i.about(), http.MethodPost, i.path()+"/credit_notes", tag("credit_note", tag("shipments", tag(`shipment type="original"`, tag("shipment_method", "PAPER")))))
	}
}

// queueUp has the bank bring a payment without KID, of a like amount or of what is claimed on an invoice.
func (l *life) queueUp() {
	amount := models.Amount(one(l.w, alike...))
	if i, there := some(l.w, l.books.invoices, owes); there && l.w.chance(2) {
		amount = one(l.w, i.balance, i.balance-i.repaysOwing)
	}
	if amount > 0 {
		l.bank(amount, "", l.w.in.Today())
		l.note("the bank brings a payment of %s without KID", amount)
	}
}

func (l *life) match() {
	p, waits := some(l.w, l.books.payments, func(p payment) bool { return p.open })
	i, there := some(l.w, l.books.invoices, func(i invoice) bool { return p.amount < 0 || owes(i) })
	if waits && there {
		l.try(i.about(), http.MethodPost, fmt.Sprintf("/unmatched_payment/%d/match", p.id), tag("match", `<invoice uri="/api/v1`+i.path()+`"/>`))
	}
}

func (l *life) unmatch() {
	if p, there := some(l.w, l.books.payments, func(p payment) bool { return !p.open }); there {
		l.try("payment", http.MethodPost, fmt.Sprintf("/unmatched_payment/%d/unmatch", p.id), "")
	}
}

func (l *life) dismiss() {
	if p, there := some(l.w, l.books.payments, func(p payment) bool { return p.open }); there {
		l.try("payment", http.MethodPost, fmt.Sprintf("/unmatched_payment/%d/dismiss", p.id), tag("dismiss", tag("comment", "ikke vår")))
	}
}

// reverse has the bank take a payment back, which a person then matches with its invoice.
func (l *life) reverse() {
	e, there := some(l.w, l.books.entries, func(e entry) bool { return e.kind == models.EntryOCR && e.amount < 0 && e.credit == 0 })
	if !there {
		return
	}
	i := l.books.invoice(e.invoice)
	l.bank(e.amount, i.kid, l.w.in.Today())
	l.note("%s: the bank takes a payment of %s back", i.about(), -e.amount)
	l.read()
	if p, waits := some(l.w, l.books.payments[len(l.books.payments)-1:], func(p payment) bool { return p.open && p.amount == e.amount }); waits {
		l.try(i.about(), http.MethodPost, fmt.Sprintf("/unmatched_payment/%d/match", p.id), tag("match", `<invoice uri="/api/v1`+i.path()+`"/>`))
	}
}

func (l *life) hold() {
	if i, there := some(l.w, l.books.invoices, owes); there {
		l.try(i.about(), http.MethodPut, i.path()+"/dunning_hold", tag("dunning_hold", tag("until", (l.w.in.Today()+models.Date(1+l.w.IntN(30))).String())))
	}
}

func (l *life) release() {
	if i, there := some(l.w, l.books.invoices, owes); there {
		l.try(i.about(), http.MethodDelete, i.path()+"/dunning_hold", "")
	}
}

// tellLetter has a channel tell of a letter: that it left some days later than it was handed over, that it came back, that it never
// left, or that it arrived.
func (l *life) tellLetter() {
	today := l.w.in.Today()
	s, there := some(l.w, l.books.shipments, func(s shipment) bool { return s.state == models.ShipmentSent && s.sent >= today-40 })
	if !there {
		return
	}
	of := l.post[document{s.kind, s.document}]
	going := of[slices.IndexFunc(of, func(k *sending) bool { return k.shipment == s.id && !k.ended() })]
	state := one(l.w, models.ShipmentSent, models.ShipmentSent, models.ShipmentSent, models.ShipmentSent, models.ShipmentReturned, models.ShipmentFailed, models.ShipmentDelivered)
	on := today
	if state == models.ShipmentSent || state == models.ShipmentReturned {
		on = min(today, going.left+models.Date(l.w.IntN(21)))
	}
	at := moment(on.String() + " 12:00")
	_, err := l.w.in.App.ReportShipment(l.w.Context(), fmt.Sprint(s.id), string(state), "", &at)
	must(l.w.T, err)
	about := l.books.documentOf(s)
	l.note("%sits %s %d (shipment %d) is reported %s of %s", about.about(), s.kind, s.document, s.id, state, on)
	now := l.w.now()
	switch state { //nolint:exhaustive // a life reports no others
	case models.ShipmentReturned:
		going.back, going.backKnown = on, now
	case models.ShipmentFailed:
		going.failed = now
	case models.ShipmentDelivered:
		going.delivered = true
	case models.ShipmentSent:
		if on > going.left {
			going.left, going.known, going.settled = on, now, about.balance-about.repaysOwing <= 0
		}
	}
}

// documentOf returns the invoice that a shipment is of.
func (b books) documentOf(s shipment) invoice {
	switch s.kind {
	case models.NoticeDocument:
		return b.invoice(b.notices[slices.IndexFunc(b.notices, func(n notice) bool { return n.id == s.document })].invoice)
	case models.CreditNoteDocument:
		return b.invoice(b.credits[slices.IndexFunc(b.credits, func(c creditNote) bool { return c.id == s.document })].invoice)
	default:
		return b.invoice(s.document)
	}
}

// retry has everything sent again that failed or came back.
func (l *life) retry() {
	for _, c := range l.List("/customers") {
		l.try("letters", http.MethodDelete, house.Below(c.URI())+"/letters_held", "")
	}
	for _, s := range l.books.shipments {
		if s.state == models.ShipmentFailed || s.state == models.ShipmentReturned {
			l.try(l.books.documentOf(s).about(), http.MethodPost, fmt.Sprintf("/shipment/%d/retry", s.id), "")
		}
	}
}

// handOver hands an invoice over by hand, as far as the program lets a person without force.
func (l *life) handOver() {
	if i, there := some(l.w, l.books.invoices, owes); there && l.try(i.about(), http.MethodPost, i.path()+"/debt_collection", "") {
		l.byHand[i.id] = true
	}
}

// reopen takes an invoice back from the debt collector.
func (l *life) reopen() {
	if i, there := some(l.w, l.books.invoices, func(i invoice) bool { return i.handedOver != 0 }); there && l.try(i.about(), http.MethodPost, i.path()+"/reopen", "") {
		delete(l.byHand, i.id)
	}
}
