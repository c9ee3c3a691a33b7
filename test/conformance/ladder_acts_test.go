package conformance_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"

	"pgregory.net/rapid"

	"purr/models"
	"purr/ocr/giro"
)

// number draws a number, inclusive.
func (s *shop) number(label string, from, to int) int {
	return rapid.IntRange(from, to).Draw(s.T.(tried).rt, label)
}

func (s *shop) anyBill() *bill   { return s.bills[s.index("invoice", len(s.bills))] }
func (s *shop) anyBuyer() *buyer { return s.buyers[s.index("customer", len(s.buyers))] }

// index draws the index of one of some things, each as often as another.
func (s *shop) index(label string, of int) int {
	all := make([]int, of)
	for i := range all {
		all[i] = i
	}
	return one(s, label, all...)
}

// try asks for what may be refused: where it is, with a conflict or as invalid.
func (s *shop) try(method, path, body string) *answer {
	s.T.Helper()
	a := s.Send(method, path, body)
	if a.Status != http.StatusConflict && a.Status != http.StatusUnprocessableEntity && a.Status >= http.StatusBadRequest {
		s.T.Fatalf("%s: answered %d: %s", a.Asked, a.Status, a.Body)
	}
	return a
}

func (s *shop) newBuyer() {
	b := &buyer{own: func(*models.Policy) {}}
	elements := []string{kari}
	if b.business = one(s, "business", false, true); b.business {
		elements = append(elements, tag("organisation_number", "974760673"))
	}
	if one(s, "own policy", false, false, true) {
		own := s.anyPolicy()
		elements = append(elements, tag("dunning_policy", tag("first_notice_days", fmt.Sprint(own.FirstNoticeDays)),
			tag("debt_collection_notice", string(own.DebtCollectionNotice)), tag("weekdays_only", digit(own.WeekdaysOnly))))
		b.own = func(p *models.Policy) {
			p.FirstNoticeDays, p.DebtCollectionNotice, p.WeekdaysOnly = own.FirstNoticeDays, own.DebtCollectionNotice, own.WeekdaysOnly
		}
	}
	b.path = below(s.customer(elements...).URI())
	s.buyers = append(s.buyers, b)
}

func digit(b bool) string { return map[bool]string{false: "0", true: "1"}[b] }

// invoice sends an invoice of 1 to 7600 kroner.
func (s *shop) invoice() {
	b := s.anyBuyer()
	gross := s.number("gross", 1_00, 100_00) + one(s, "more", 500_00, 0, 7500_00)
	n := s.invoices(order{days: one(s, "due in", "0", "3", "14"), to: s.in.Config.API.BaseURL + "/api/v1" + b.path, lines: of(kroner(gross))})
	due, err := models.ParseDate(n.At("due_date"))
	must(s.T, err)
	s.bills = append(s.bills, &bill{
		path: below(n.URI()), kid: n.At("ocr_kid_number"), number: number(n), buyer: b, due: due, known: map[string]bool{}, balance: gross,
	})
}

// pay has a payment registered by hand, of all or some that is owed, or more, dated at most five days back.
func (s *shop) pay() {
	b := s.anyBill()
	amount := s.number("paid", 1, max(1, b.balance+1_00))
	if one(s, "all of it", true, false) {
		amount = max(1, b.balance)
	}
	a := s.try(http.MethodPost, b.path+"/ar_transactions", entry(kroner(-amount), s.in.Today()-models.Date(s.number("days ago", 0, 5))))
	if a.Status == http.StatusCreated {
		s.paid = append(s.paid, below(a.Root().URI()))
	}
}

func (s *shop) payAll(b *bill) {
	if b.balance > 0 {
		s.Post(b.path+"/ar_transactions", entry(kroner(-b.balance), s.in.Today())).Created()
	}
}

// unpay deletes a payment that a person registered.
func (s *shop) unpay() {
	if len(s.paid) > 0 {
		last := len(s.paid) - 1
		s.Delete(s.paid[last]).Is(http.StatusNoContent)
		s.paid = s.paid[:last]
	}
}

// waive reverses a part of a fee or of interest.
func (s *shop) waive() {
	kind := one(s, "kind", models.EntryOverdueCharge, models.EntryInterest)
	s.try(http.MethodPost, s.anyBill().path+"/ar_transactions",
		entry(kroner(-s.number("waived", 1, 40_00)), s.in.Today(), tag("transaction_type", string(kind))))
}

func (s *shop) credit() { s.try(http.MethodPost, s.anyBill().path+"/credit_notes", creditNote()) }

// file imports a file from the bank, with a payment of an invoice or an unmatched one.
func (s *shop) file() {
	b, today := s.anyBill(), s.in.Today()
	kid := one(s, "KID", b.kid, "", b.kid[1:])
	amount := models.Amount(one(s, "paid", max(1, b.balance), s.number("some", 1, 500_00)))
	serial := strconv.Itoa(s.in.next())
	var content bytes.Buffer
	w := giro.NewWriter(&content)
	must(s.T, w.StartTransmission(giro.TransmissionHeader{Number: serial, Recipient: "00012345", Created: today}))
	must(s.T, w.StartAssignment(giro.AssignmentHeader{AgreementID: "1234567", Number: serial, Account: s.account, Created: today}))
	must(s.T, w.Write(giro.Payment{
		Type: giro.TypeCorporateGiro, NetsDate: today, BankDate: today, Amount: amount, KID: kid, DebitAccount: payer, ArchiveReference: serial,
	}))
	must(s.T, w.Close())
	s.Post("/payment_files", content.String(), contentType("text/plain")).Created()
}

func (s *shop) anyPolicy() models.Policy {
	return models.Policy{
		Enabled: one(s, "enabled", true, true, true, true, true, false), FirstNoticeDays: one(s, "first_notice_days", 14, 14, 1, 5, 21),
		SecondNoticeDays: one(s, "second_notice_days", 14, 14, 1, 20), Fee: one(s, "fee", nil, nil, new(models.Amount(0)), new(models.Amount(12_34))),
		Compensation: one(s, "compensation", false, true), AddInterest: one(s, "add_interest", true, true, false),
		InterestRate: one(s, "rate", nil, nil, new(models.Percent(5_00)), new(models.Percent(20_00))), DaysToPay: one(s, "days_to_pay", 14, 14, 20),
		DebtCollectionNotice: one(s, "warning", models.WarningSecond, models.WarningSecond, models.WarningFirst, models.WarningNever),
		HandOverDays:         one(s, "hand_over_days", nil, new(1), new(10)), MinimumBalance: one(s, "minimum_balance", 0, 0, models.Amount(50_00)),
		Remainder: one(s, "remainder", models.RemainderLeave, models.RemainderChase), PostalDays: one(s, "postal_days", 0, 3), PrintDays: one(s, "handover_days", 0, 2),
		WeekdaysOnly: one(s, "weekdays_only", true, false), RequirePaymentFile: one(s, "require_payment_file", false, false, false, true),
	}
}

func (s *shop) changePolicy() {
	p := s.anyPolicy()
	optional := func(name string, value fmt.Stringer, none bool) string {
		if none {
			return tag(name)
		}
		return tag(name, value.String())
	}
	handOver := tag("hand_over_days")
	if p.HandOverDays != nil {
		handOver = tag("hand_over_days", fmt.Sprint(*p.HandOverDays))
	}
	s.Put("/creditor", tag("creditor", tag("dunning_policy", tag("enabled", digit(p.Enabled)), tag("first_notice_days", fmt.Sprint(p.FirstNoticeDays)),
		tag("second_notice_days", fmt.Sprint(p.SecondNoticeDays)), optional("fee", p.Fee, p.Fee == nil), tag("compensation", digit(p.Compensation)),
		tag("add_interest", digit(p.AddInterest)), optional("interest_rate", p.InterestRate, p.InterestRate == nil),
		tag("days_to_pay", fmt.Sprint(p.DaysToPay)), tag("debt_collection_notice", string(p.DebtCollectionNotice)), handOver,
		tag("minimum_balance", p.MinimumBalance.String()), tag("remainder", string(p.Remainder)), tag("postal_days", fmt.Sprint(p.PostalDays)),
		tag("handover_days", fmt.Sprint(p.PrintDays)), tag("weekdays_only", digit(p.WeekdaysOnly)),
		tag("require_payment_file", digit(p.RequirePaymentFile))))).Is(http.StatusOK)
	s.policy = p
}

// policyFor returns the policy that holds for an invoice (rule E6e).
func (s *shop) policyFor(b *bill) models.Policy {
	p := s.policy
	b.buyer.own(&p)
	return p
}

// anyHold draws a hold, and returns what sets it.
func (s *shop) anyHold() (h models.Hold, body string) {
	h.Held = true
	if one(s, "for a while", true, true, true, false) {
		h.Until = s.in.Today() + models.Date(one(s, "until", 7, 0, 30))
		return h, tag("dunning_hold", tag("until", h.Until.String()))
	}
	return h, tag("dunning_hold", tag("until"), tag("reason", "dispute"))
}

func (s *shop) hold() {
	b := s.anyBill()
	h, body := s.anyHold()
	if s.try(http.MethodPut, b.path+"/dunning_hold", body).Status == http.StatusOK {
		b.hold = h
	}
}

func (s *shop) holdCustomer() {
	b := s.anyBuyer()
	h, body := s.anyHold()
	if s.try(http.MethodPut, b.path+"/dunning_hold", body).Status == http.StatusOK {
		b.hold = h
	}
}

// release takes away the holds of an invoice and of its customer.
func (s *shop) release() {
	b := s.anyBill()
	s.try(http.MethodDelete, b.path+"/dunning_hold", "")
	s.try(http.MethodDelete, b.buyer.path+"/dunning_hold", "")
	b.hold, b.buyer.hold = models.Hold{}, models.Hold{}
}

// end closes an invoice, or hands it over to debt collection.
func (s *shop) end() {
	b := s.anyBill()
	if s.asked = one(s, "hand over", true, false); s.asked {
		s.try(http.MethodPost, b.path+"/debt_collection", "")
		return
	}
	s.close(b)
}

func (s *shop) close(b *bill) {
	s.try(http.MethodPost, b.path+"/close", tag("close", tag("reason", "lost")))
}

func (s *shop) reopen() { s.try(http.MethodPost, s.anyBill().path+"/reopen", "") }

// ask asks for a notice.
func (s *shop) ask() {
	s.asked = true
	s.wanted = wish{one(s, "fee", true, false), one(s, "interest", true, false), one(s, "warning", false, true)}
	s.try(http.MethodPost, s.anyBill().path+"/overdue_notices", notice(s.wanted.fee, s.wanted.interest, s.wanted.warning))
}

// waiting returns an invoice with a letter that has not left, nil where there is none.
func (s *shop) waiting() *bill {
	for _, b := range s.bills {
		if b.sent < len(b.letters) {
			return b
		}
	}
	return nil
}
