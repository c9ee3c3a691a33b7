//go:build chaos

package law_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
	"purr/test/testkit/house"
	"purr/test/testkit/law"
)

// one draws one of some values, each as often as another.
func one[V any](w *world, of ...V) V { return of[w.IntN(len(of))] }

func digit(b bool) string { return map[bool]string{false: "0", true: "1"}[b] }

func number(n house.Node, path string) int {
	n.T.Helper()
	v, err := strconv.Atoi(n.At(path))
	must(n.T, err)
	return v
}

// act lets somebody do something, on one day in two, and reports whether anybody did.
func (l *life) act() bool {
	if l.w.chance(2) {
		return false
	}
	acts := []func(){
		l.newInvoice, l.newInvoice, l.newInvoice, l.newInvoice, l.newInvoice, l.newInvoice, l.pay, l.pay, l.pay, l.pay, l.unpay, l.waive, l.credit, l.file, l.file, l.file, l.camt, l.camt,
		l.queue, l.queue, l.queue, l.queue, l.settleCredit, l.hold, l.holdCustomer, l.release, l.moveHouse, l.changePolicy, l.changeOwn, l.lack,
		l.close, l.handOver, l.handOver, l.reopen, l.ask, l.report, l.report, l.retry, l.retry,
	}
	acts[l.w.IntN(len(acts))]()
	l.acted = true
	return true
}

func (l *life) any() *invoice { return l.invoices[l.w.IntN(len(l.invoices))] }

// open returns an invoice that owes something, or any.
func (l *life) open() *invoice {
	for range 10 {
		if i := l.any(); i.balance > 0 {
			return i
		}
	}
	return l.any()
}

// try asks for what may be refused: with a conflict, as invalid, or because it is gone.
func (l *life) try(i *invoice, method, path, body string) bool {
	l.w.Helper()
	a := l.Send(method, path, body)
	switch {
	case a.Status < http.StatusBadRequest:
		l.noteOn(i, "%s %s %s", method, path, body)
		return true
	case a.Status == http.StatusConflict, a.Status == http.StatusUnprocessableEntity, a.Status == http.StatusNotFound:
		return false
	}
	l.w.Fatalf("%s: answered %d: %s", a.Asked, a.Status, a.Body)
	return false
}

func (l *life) newCustomer() {
	c := &customer{business: l.w.chance(3), own: func(*models.Policy) {}, address: "Kirkeveien 1"}
	elements := []string{
		tag("name1", "Kunde "+strconv.Itoa(len(l.customers)+1)), tag("address1", c.address), tag("postal_code", "0155"), tag("postal_name", "Oslo"),
		tag("email", "kunde@example.no"),
	}
	if c.business {
		elements = append(elements, tag("organisation_number", "974760673"))
	}
	c.path = below(l.Post("/customers", tag("customer", elements...)).Created().URI())
	l.customers = append(l.customers, c)
}

// newInvoice sends an invoice of 20 to 9000 kroner, on paper or by e-mail.
func (l *life) newInvoice() {
	c := one(l.w, l.customers...)
	gross := one(l.w, 20_00, 60_00, 500_00, 1000_00, 8000_00) + l.w.IntN(1000_00)
	method := one(l.w, "PAPER", "PAPER", "EMAIL")
	line := tag("line", tag("line_text", "Arbeid"), tag("unit_price", kroner(gross)), tag("num_items", "1"), tag("vat_rate", "NONE"))
	if c.address == "" && method == "PAPER" {
		method = "EMAIL"
	}
	a := l.Post("/invoices", tag("invoice", tag("num_due_days", one(l.w, "0", "3", "14", "30")), `<recipient uri="/api/v1`+c.path+`"/>`, tag("lines", line),
		tag("shipments", tag(`shipment type="original"`, tag("shipment_method", method)))))
	n := a.Created()
	i := &invoice{
		path: below(n.URI()), kid: n.At("ocr_kid_number"), number: number(n, "invoice_number"), to: c, issued: date(n, "issue_date"), due: date(n, "due_date"),
		balance: models.Amount(gross), left: sending{state: models.ShipmentOwed},
	}
	l.invoices = append(l.invoices, i)
	tally.invoices.Add(1)
	l.noteOn(i, "invoice %d of %s to %s, due %s, %s", i.number, kroner(gross), c.path, i.due, method)
}

// some draws an amount: all that is owed, the invoice itself, a part, or more.
func (l *life) some(i *invoice) int {
	principal := 0
	for _, e := range i.entries {
		if e.Type != models.EntryInterest && e.Type != models.EntryOverdueCharge {
			principal += int(e.Amount)
		}
	}
	return max(1, one(l.w, int(i.balance), int(i.balance), principal, principal, int(i.balance)/2, l.w.IntN(int(max(1, i.balance))+1)+1, int(i.balance)+l.w.IntN(500_00)))
}

// back draws a day on which money came: today, or some time before.
func (l *life) back(i *invoice) models.Date {
	today := l.w.in.Today()
	return max(i.issued, today-models.Date(one(l.w, 0, 0, 1, 3, l.w.IntN(20), l.w.IntN(60))))
}

func (l *life) enter(i *invoice, amount int, on models.Date, more ...string) (string, bool) {
	l.w.Helper()
	a := l.Post(i.path+"/ar_transactions", tag("ar_transaction", append([]string{tag("amount", kroner(amount)), tag("transaction_date", on.String())}, more...)...))
	if a.Status != http.StatusCreated {
		return "", false
	}
	l.noteOn(i, "entered %s of %s %v", kroner(amount), on, more)
	return below(a.Root().URI()), true
}

// pay has a payment registered by hand.
func (l *life) pay() {
	i := l.open()
	if path, done := l.enter(i, -l.some(i), l.back(i)); done {
		l.paid = append(l.paid, path)
	}
}

// unpay deletes a payment that a person registered.
func (l *life) unpay() {
	if len(l.paid) > 0 {
		last := len(l.paid) - 1
		l.try(nil, http.MethodDelete, l.paid[last], "")
		l.paid = l.paid[:last]
	}
}

// waive reverses a part of a fee or of interest.
func (l *life) waive() {
	i := l.open()
	l.enter(i, -1-l.w.IntN(40_00), l.w.in.Today(), tag("transaction_type", one(l.w, "OVERDUE_CHARGE", "INTEREST")))
}

var paperShipment = tag("shipments", tag(`shipment type="original"`, tag("shipment_method", "PAPER")))

func (l *life) credit() {
	i := l.any()
	l.try(i, http.MethodPost, i.path+"/credit_notes", tag("credit_note", paperShipment))
}

// kidOf returns the KID of an invoice, or one that is none.
func (l *life) kidOf(i *invoice) string {
	return one(l.w, i.kid, i.kid, i.kid, i.kid, i.kid, i.kid, "", i.kid[1:]+"0")
}

// file imports an OCR giro file with a payment that the bank has settled today or before.
func (l *life) file() {
	i, today := l.open(), l.w.in.Today()
	l.serial++
	serial := strconv.Itoa(l.serial)
	on, kid, amount := l.back(i), l.kidOf(i), models.Amount(l.some(i))
	var content bytes.Buffer
	w := giro.NewWriter(&content)
	must(l.w.T, w.StartTransmission(giro.TransmissionHeader{Number: serial, Recipient: "00012345", Created: today}))
	must(l.w.T, w.StartAssignment(giro.AssignmentHeader{AgreementID: "1234567", Number: serial, Account: l.account, Created: today}))
	must(l.w.T, w.Write(giro.Payment{
		Type: giro.TypeCorporateGiro, NetsDate: on, BankDate: on, Amount: amount, KID: kid, DebitAccount: "15030000010", ArchiveReference: serial,
	}))
	must(l.w.T, w.Close())
	l.Post("/payment_files", content.String(), house.ContentType("text/plain")).Created()
	l.lastFile = max(l.lastFile, on)
	l.noteOn(i, "OCR file: %s with KID %q, settled %s", amount, kid, on)
}

// camt imports a camt.054 file with such a payment.
func (l *life) camt() {
	i, today := l.open(), l.w.in.Today()
	l.serial++
	id := fmt.Sprintf("%s-%d", l.account, l.serial)
	on, kid, amount := l.back(i), l.kidOf(i), models.Amount(l.some(i))
	var content bytes.Buffer
	w := camt.NewWriter(&content)
	must(l.w.T, w.StartMessage(camt.MessageHeader{ID: id, Created: today}))
	must(l.w.T, w.StartNotification(camt.NotificationHeader{ID: id, Created: today, Account: l.account}))
	must(l.w.T, w.Write(camt.EntryHeader{Amount: amount, Booked: on, Value: on, Reference: id, Status: camt.StatusBooked, Direction: camt.Credit},
		camt.Payment{Amount: amount, KID: kid, Name: "Kunde", TransactionID: id}))
	must(l.w.T, w.Close())
	l.Post("/payment_files", content.String()).Created()
	l.lastFile = max(l.lastFile, on)
	l.noteOn(i, "camt file: %s with KID %q, booked %s", amount, kid, on)
}

// queue does something with an unmatched payment: matches it, dismisses it, or takes back what was done.
func (l *life) queue() {
	all := l.List("/unmatched_payments?status=all")
	if len(all) == 0 {
		return
	}
	path, i := below(all[len(all)-1-l.w.IntN(min(len(all), 4))].URI()), l.open() // the latest ones
	switch l.w.IntN(4) {
	case 0, 1:
		l.try(i, http.MethodPost, path+"/match", tag("match", `<invoice uri="/api/v1`+i.path+`"/>`))
	case 2:
		l.try(nil, http.MethodPost, path+"/dismiss", tag("dismiss", tag("comment", "ikke vår")))
	default:
		l.try(nil, http.MethodPost, path+"/unmatch", "")
	}
}

func (l *life) settleCredit() {
	l.try(nil, http.MethodPost, one(l.w, l.customers...).path+"/settle", "")
}

// anyHold draws a hold, and returns what sets it.
func (l *life) anyHold() (h models.Hold, body string) {
	h.Held = true
	if !l.w.chance(4) {
		h.Until = l.w.in.Today() + models.Date(one(l.w, 7, 0, 30))
		return h, tag("dunning_hold", tag("until", h.Until.String()))
	}
	h.Reason = models.HoldDispute
	return h, tag("dunning_hold", tag("until"), tag("reason", "dispute"))
}

func (l *life) hold() {
	i := l.any()
	h, body := l.anyHold()
	if l.try(i, http.MethodPut, i.path+"/dunning_hold", body) {
		i.hold = h
	}
}

func (l *life) holdCustomer() {
	c := one(l.w, l.customers...)
	h, body := l.anyHold()
	if l.try(nil, http.MethodPut, c.path+"/dunning_hold", body) {
		c.hold = h
	}
}

// release takes away all holds.
func (l *life) release() {
	for _, i := range l.invoices {
		if i.hold.Held {
			l.try(i, http.MethodDelete, i.path+"/dunning_hold", "")
			i.hold = models.Hold{}
		}
	}
	for _, c := range l.customers {
		if c.hold.Held {
			l.try(nil, http.MethodDelete, c.path+"/dunning_hold", "")
			c.hold = models.Hold{}
		}
	}
}

// moveHouse gives a customer another address, or none, or lets letters to it go again.
func (l *life) moveHouse() {
	c := one(l.w, l.customers...)
	if l.w.chance(4) {
		l.try(nil, http.MethodDelete, c.path+"/letters_held", "")
		return
	}
	address := one(l.w, "Kirkeveien 1", "Storgata 2", "Havnegata 3", "")
	if c.address == "" {
		address = "Fjellveien 4"
	}
	if l.try(nil, http.MethodPut, c.path, tag("customer", tag("address1", address))) {
		c.address = address
	}
}

func (l *life) anyPolicy() models.Policy {
	w := l.w
	return models.Policy{
		Enabled: !w.chance(12), FirstNoticeDays: one(w, 14, 14, 1, 5, 21), SecondNoticeDays: one(w, 14, 14, 1, 20),
		Fee: one(w, nil, nil, new(models.Amount(0)), new(models.Amount(12_34))), AddInterest: !w.chance(3),
		InterestRate: one(w, nil, nil, new(models.Percent(5_00)), new(models.Percent(20_00))), DaysToPay: one(w, 14, 14, 20), PostalDays: one(w, 0, 0, 3, 10), PrintDays: one(w, 0, 0, 2, 5),
		DebtCollectionNotice: one(w, models.WarningSecond, models.WarningSecond, models.WarningFirst, models.WarningNever),
		HandOverDays:         one(w, nil, new(1), new(10), new(150)), MinimumBalance: one(w, models.Amount(50_00), 0, models.Amount(200_00)),
		Remainder: one(w, models.RemainderLeave, models.RemainderWaive, models.RemainderChase), SettleCredit: w.chance(3), CloseBelow: one(w, models.Amount(0), 50_00, 100_00),
		WeekdaysOnly: !w.chance(3), RequirePaymentFile: w.chance(5), Compensation: w.chance(4),
	}
}

// tell writes a policy for a journal.
func tell(p models.Policy) string {
	handOver := "never"
	if p.HandOverDays != nil {
		handOver = strconv.Itoa(*p.HandOverDays)
	}
	fee, rate := any("max"), any("legal")
	if p.Fee != nil {
		fee = *p.Fee
	}
	if p.InterestRate != nil {
		rate = *p.InterestRate
	}
	return fmt.Sprintf("enabled %v, notices after %d and %d days, fee %v, interest %v at %v, %d+%d+%d days to pay, warning %s, hand-over %s, minimum %s, remainder %s, close below %s, settle %v, weekdays %v, files %v, compensation %v",
		p.Enabled, p.FirstNoticeDays, p.SecondNoticeDays, fee, p.AddInterest, rate, p.DaysToPay, p.PostalDays, p.PrintDays, p.DebtCollectionNotice, handOver, p.MinimumBalance,
		p.Remainder, p.CloseBelow, p.SettleCredit, p.WeekdaysOnly, p.RequirePaymentFile, p.Compensation)
}

func optional(name string, value fmt.Stringer, none bool) string {
	if none {
		return tag(name)
	}
	return tag(name, value.String())
}

func (l *life) changePolicy() {
	if len(l.missing) > 0 {
		return
	}
	p := l.anyPolicy()
	if l.w.newAct != 0 && l.w.in.Today() >= l.w.newAct {
		p.Fee = nil // the maximum is zero, and no amount is taken
	}
	handOver := tag("hand_over_days")
	if p.HandOverDays != nil {
		handOver = tag("hand_over_days", strconv.Itoa(*p.HandOverDays))
	}
	l.Put("/creditor", tag("creditor", tag("dunning_policy", tag("enabled", digit(p.Enabled)), tag("first_notice_days", strconv.Itoa(p.FirstNoticeDays)),
		tag("second_notice_days", strconv.Itoa(p.SecondNoticeDays)), optional("fee", p.Fee, p.Fee == nil), tag("add_interest", digit(p.AddInterest)),
		optional("interest_rate", p.InterestRate, p.InterestRate == nil), tag("days_to_pay", strconv.Itoa(p.DaysToPay)),
		tag("postal_days", strconv.Itoa(p.PostalDays)), tag("handover_days", strconv.Itoa(p.PrintDays)), tag("debt_collection_notice", string(p.DebtCollectionNotice)), handOver,
		tag("minimum_balance", p.MinimumBalance.String()), tag("remainder", string(p.Remainder)), tag("close_below", p.CloseBelow.String()), tag("settle_credit", digit(p.SettleCredit)),
		tag("weekdays_only", digit(p.WeekdaysOnly)), tag("require_payment_file", digit(p.RequirePaymentFile)),
		tag("compensation", digit(p.Compensation))))).Is(http.StatusOK)
	l.policy = p
	l.note("policy %s", tell(p))
}

// changeOwn gives a customer a policy of its own, or takes it away.
func (l *life) changeOwn() {
	c, p := one(l.w, l.customers...), l.anyPolicy()
	body, own := tag("dunning_policy", tag("first_notice_days", strconv.Itoa(p.FirstNoticeDays)), tag("postal_days", strconv.Itoa(p.PostalDays)),
		tag("handover_days", strconv.Itoa(p.PrintDays)), tag("minimum_balance", p.MinimumBalance.String()), tag("remainder", string(p.Remainder))), func(of *models.Policy) {
		of.FirstNoticeDays, of.PostalDays, of.PrintDays, of.MinimumBalance, of.Remainder = p.FirstNoticeDays, p.PostalDays, p.PrintDays, p.MinimumBalance, p.Remainder
	}
	if l.w.chance(2) {
		body, own = tag("dunning_policy"), func(*models.Policy) {}
	}
	if l.try(nil, http.MethodPut, c.path, tag("customer", body)) {
		c.own = own
	}
}

// lack takes something from the creditor that dunning wants, or gives it back.
func (l *life) lack() {
	if len(l.missing) > 0 {
		l.Put("/creditor", tag("creditor", ready[l.missing[0]])).Is(http.StatusOK)
		l.note("the creditor has %s again", l.missing[0])
		l.missing = nil
		return
	}
	name := one(l.w, "address1", "email")
	if l.try(nil, http.MethodPut, "/creditor", tag("creditor", tag(name))) {
		l.missing = []string{name}
	}
}

func (l *life) close() {
	i := l.any()
	l.try(i, http.MethodPost, i.path+"/close", tag("close", tag("reason", one(l.w, "lost", "other"))))
}

func (l *life) reopen() {
	i := l.any()
	for _, other := range l.invoices {
		if other.ended() {
			i = other
		}
	}
	closed := strings.HasPrefix(i.status, "closed")
	i.kept = l.try(i, http.MethodPost, i.path+"/reopen", "") && closed || i.kept
}

// handOver hands an invoice over by hand. What the law forbids must be refused (rules L1, L10).
func (l *life) handOver() {
	i, today := l.open(), l.w.in.Today()
	l.w.settle()
	l.review(today)
	forced := l.w.chance(3)
	body := map[bool]string{false: "", true: tag("debt_collection", tag("force", "1"))}[forced]
	wrong := l.standing(i, l.invoices, today, nil).NotToHandOverByHand(today, forced)
	i.asked = true
	if l.try(i, http.MethodPost, i.path+"/debt_collection", body) {
		tally.handOvers.Add(1)
		for _, fault := range wrong {
			l.find(i, "it was handed over by hand on %s: %s", today, fault)
		}
	}
}

// ask asks for a notice.
func (l *life) ask() {
	i := l.open()
	if l.try(i, http.MethodPost, i.path+"/overdue_notices", tag("overdue_notice", tag("add_overdue_charge", digit(!l.w.chance(3))),
		tag("add_interest", digit(!l.w.chance(3))), tag("is_incasso_notice", digit(l.w.chance(3))))) {
		i.wanted = true
	}
}

// shipments returns the shipments of an invoice and its last letter.
func (l *life) shipments(i *invoice) []house.Node {
	l.w.Helper()
	all := l.List("/shipments?document=/api/v1" + i.path)
	if n := len(i.letters); n > 0 {
		all = append(all, l.List("/shipments?document=/api/v1"+i.letters[n-1].path)...)
	}
	return all
}

// report has a channel report what became of a shipment (rule S1b): now, or only now of what was some days ago (rules D94,
// D98).
func (l *life) report() {
	i := l.open()
	all := l.shipments(i)
	if len(all) == 0 {
		return
	}
	s := one(l.w, all...)
	state := one(l.w, models.ShipmentReturned, models.ShipmentFailed, models.ShipmentDelivered, models.ShipmentDelivered, models.ShipmentSent, models.ShipmentSent, models.ShipmentSent)
	if !models.ShipmentState(s.At("state")).HasLeft() {
		return
	}
	on := max(date(s, "sent_at"), l.w.in.Today()-models.Date(one(l.w, 0, 0, 1, 2, 5, l.w.IntN(20))))
	at := moment(on.String() + noon)
	told, err := l.w.in.App.ReportShipment(l.w.Context(), s.At("@name"), string(state), "", &at)
	must(l.w.T, err)
	i.reported = true
	l.noteOn(i, "%s is reported %s of %s", s.At("@name"), state, on)
	if told.DocumentKind == models.InvoiceDocument && told.Role() == models.Original {
		l.foreseeWithdrawn(i, told.State, state, on)
	}
}

// foreseeWithdrawn notes which notices are withdrawn, since their invoice turns out not to have left when they were taken: it
// failed, had come back, or left later (rule D98). Of notices of the very day on which it came back nothing is said.
func (l *life) foreseeWithdrawn(i *invoice, is, told models.ShipmentState, on models.Date) {
	was := i.left.on
	now := l.sending(i.path)
	switch {
	case now.state.HasLeft() && told == models.ShipmentSent && now.on > was:
		p := l.policyFor(i.to)
		first := law.Moved(i.due+now.on-i.issued) + models.Date(max(p.FirstNoticeDays, p.SecondNoticeDays))
		i.moved = true
		i.unsettled = func(issued models.Date) bool { return issued < now.on }
		i.maybe = func(issued models.Date) bool { return issued < first }
	case now.state.HasLeft() || is != told:
	case told == models.ShipmentFailed:
		i.unsettled = func(models.Date) bool { return true }
		i.maybe = i.unsettled
	case told == models.ShipmentReturned:
		i.unsettled = func(issued models.Date) bool { return issued > on }
		i.maybe = func(issued models.Date) bool { return issued >= on }
	}
}

// retry sends again what failed or came back.
func (l *life) retry() {
	for _, state := range []string{"failed", "returned"} {
		for _, s := range l.List("/shipments?state=" + state) {
			l.try(nil, http.MethodPost, below(s.URI())+"/retry", "")
		}
	}
}
