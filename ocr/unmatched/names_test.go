package unmatched

import (
	"context"
	"errors"
	"slices"
	"testing"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// named writes a customer with a name, who owes amounts, and returns the invoices.
func (b *books) named(t *testing.T, c models.Creditor, name string, amounts ...models.Amount) (invoices []models.Invoice) {
	t.Helper()
	customer := rows.Customer(t, b.DB, c, func(r *models.Customer) { r.Recipient.Name1 = name })
	for _, amount := range amounts {
		invoices = append(invoices, rows.Invoice(t, b.DB, c, rows.To(customer), rows.Of(amount)))
	}
	return invoices
}

// from returns a payment of 499 in the queue under a name.
func from(name string) models.UnmatchedPayment {
	return models.UnmatchedPayment{Amount: 499_00, PayerName: name}
}

// found returns what is suggested for each payment, and whom each points at.
func (b *books) found(t *testing.T, c models.Creditor, queue []models.UnmatchedPayment) (suggestions [][]Suggestion, pointed [][]int64) {
	t.Helper()
	must(t, b.DB.View(t.Context(), func(v store.View) (err error) {
		if suggestions, err = SuggestEach(t.Context(), v, c, queue); err != nil {
			return err
		}
		pointed, err = pointing(t.Context(), v, c, queue)
		return err
	}))
	return suggestions, pointed
}

// TestN1ANameFindsTheOneAmongMany has nine customers of a subscription firm owe the same. Each payment is under a name alone, written as
// banks and people do. It finds the one, and shields nobody else.
func TestN1ANameFindsTheOneAmongMany(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c, other := rows.Creditor(t, b.DB), rows.Creditor(t, b.DB)
		of := map[string]models.Invoice{}
		for _, name := range []string{
			"Kari Nordmann", "Jørgen Ærlig-Hansen", "Åse Håkonsen", "O. Nilsen", "Elisabeth Wilhelmine Gyldenstjerneskjold",
			"Solheim AS", "Bjørn Berg Bygg ANS", "Per Persen", "Ole Bull",
		} {
			of[name] = b.named(t, c, name, 499_00)[0]
		}
		b.named(t, other, "Kari Nordmann", 499_00)
		queue, want := []models.UnmatchedPayment{
			from("NORDMANN KARI"), from("AERLIG HANSEN JOERGEN"), from("ASE M HAAKONSEN"), from("NILSEN OLA"), from("ELISABETH WILHELMINE GYLDENSTJERNES"),
			from("SOLHEIM"), from("BJORN BERG BYGG"),
			{Amount: 499_00, Text: "Abonnement mars, Per Persen"},
			{Amount: 499_00, PayerName: "Eva Wang", UltimatePayer: "BULL OLE"},
			from("NORDMANN"), from("Kari Hansen"), from(""),
		}, []string{
			"Kari Nordmann", "Jørgen Ærlig-Hansen", "Åse Håkonsen", "O. Nilsen", "Elisabeth Wilhelmine Gyldenstjerneskjold", "Solheim AS",
			"Bjørn Berg Bygg ANS", "Per Persen", "Ole Bull", "", "", "",
		}
		b.queues(t, c, queue)
		var asked store.Queries
		var suggestions [][]Suggestion
		must(t, b.DB.View(asked.Counting(t.Context()), func(v store.View) (err error) {
			suggestions, err = SuggestEach(asked.Counting(t.Context()), v, c, queue)
			return err
		}))
		if asked.Count() > 6 {
			t.Errorf("%d payments took %d questions", len(queue), asked.Count())
		}
		_, pointed := b.found(t, c, queue)
		for n, name := range want {
			who := queue[n].PayerName + queue[n].Text
			if name == "" {
				if len(suggestions[n]) != 0 || len(pointed[n]) != 0 {
					t.Errorf("%q: suggested is %v, and it points at %v", who, suggestions[n], pointed[n])
				}
				continue
			}
			i := of[name]
			if len(suggestions[n]) != 1 || suggestions[n][0].CustomerID != i.CustomerID || !slices.Equal(suggestions[n][0].Reasons, []models.Hint{models.HintName, models.HintOpenAmount}) {
				t.Errorf("%q: suggested is %+v, want %s", who, suggestions[n], name)
			}
			if !slices.Equal(pointed[n], []int64{i.CustomerID}) {
				t.Errorf("%q points at %v, want %d", who, pointed[n], i.CustomerID)
			}
		}
	})
}

// TestN1WhatWasOwedBefore has a reminder's fee on an invoice. Its gross is a hint, with the name. A customer whose name is alike and who
// owes something else is shielded too.
func TestN1WhatWasOwedBefore(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		i := b.named(t, c, "Kari Nordmann", 499_00)[0]
		rows.Write(t, b.DB, func(tx *store.Tx) error {
			return ledger.Post(t.Context(), tx, []models.Entry{{
				CreditorID: c.ID, CustomerID: i.CustomerID, InvoiceID: i.ID, Type: models.EntryOverdueCharge, Amount: 38_00, TransactionDate: today,
			}}, "")
		})
		queue := []models.UnmatchedPayment{from("Kari Nordmann"), {Amount: 1_00, PayerName: "Kari Nordmann"}}
		b.queues(t, c, queue)
		suggestions, pointed := b.found(t, c, queue)
		if best := suggestions[0]; len(best) != 1 || !slices.Equal(best[0].Reasons, []models.Hint{models.HintName, models.HintOriginal}) || Certain(queue[0], best) {
			t.Errorf("suggested is %+v", best)
		}
		if best := suggestions[1]; len(best) != 1 || !slices.Equal(best[0].Reasons, []models.Hint{models.HintName}) || !slices.Equal(pointed[1], []int64{i.CustomerID}) {
			t.Errorf("of a part is suggested %+v, and it points at %v", best, pointed[1])
		}
	})
}

// TestN1N6NamesakesAreShieldedUntilSomebodyDecides: seven have the name, more than are suggested. All are left alone. The one of whom a
// person says that it is not his is not any more, until that is taken back.
func TestN1N6NamesakesAreShieldedUntilSomebodyDecides(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		ctx, c, other := t.Context(), rows.Creditor(t, b.DB), rows.Creditor(t, b.DB)
		var ids []int64
		for range 7 {
			ids = append(ids, b.named(t, c, "Kari Nordmann", 499_00)[0].CustomerID)
		}
		stranger := b.named(t, other, "Kari Nordmann", 499_00)[0].CustomerID
		queue := []models.UnmatchedPayment{from("KARI NORDMANN")}
		b.queues(t, c, queue)
		must(t, FindLikelyPayers(ctx, b.DB, c))
		shielded := func(want ...int64) {
			t.Helper()
			payers := b.pointed(t, c)
			for _, id := range ids {
				if payers[id] != slices.Contains(want, id) {
					t.Errorf("customer %d is shielded: %t", id, payers[id])
				}
				must(t, b.DB.View(ctx, func(v store.View) error {
					if q, err := PaymentsPerhapsOf(ctx, v, c, id, 10); err != nil || q.Points != payers[id] || (len(q.Perhaps) == 1) != payers[id] || q.More {
						t.Errorf("of customer %d there is in the queue %+v, %v", id, q, err)
					}
					return nil
				}))
			}
		}
		shielded(ids...)
		if suggestions, _ := b.found(t, c, queue); len(suggestions[0]) != mostSuggestions || Certain(queue[0], suggestions[0]) {
			t.Errorf("suggested is %+v", suggestions[0])
		}
		say := func(do func() error) (code string) {
			var refused *models.Error
			if err := do(); errors.As(err, &refused) {
				return refused.Code
			} else if err != nil {
				t.Fatal(err)
			}
			return ""
		}
		deny := func(customer int64) func() error {
			return func() error {
				return b.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
					_, err := DenyPayer(ctx, tx, c, queue[0].ID, customer, "a person")
					return err
				})
			}
		}
		for range 2 { // the second time says nothing new
			wantCode(t, say(deny(ids[2])), "")
		}
		shielded(slices.Concat(ids[:2], ids[3:])...)
		must(t, b.DB.View(ctx, func(v store.View) error {
			for id, want := range map[int64]int{ids[2]: 1, ids[3]: 0} {
				if q, err := PaymentsPerhapsOf(ctx, v, c, id, 10); err != nil || len(q.Denied) != want || want == 1 && q.Denied[0].Seen != "1" {
					t.Errorf("of customer %d there is in the queue %+v, %v", id, q, err)
				}
			}
			return nil
		}))
		must(t, RememberLikelyPayers(ctx, b.DB, c))
		shielded(slices.Concat(ids[:2], ids[3:])...)
		wantCode(t, say(deny(stranger)), "not_found")
		for range 2 {
			rows.Write(t, b.DB, func(tx *store.Tx) error {
				_, err := AllowPayer(ctx, tx, c, queue[0].ID, ids[2], "a person")
				return err
			})
		}
		shielded(ids...)
		k := clerk{b, t, c}
		_, code := k.dismiss(b.Queue(t, c)[0], "sent back")
		wantCode(t, code, "")
		shielded()
		wantCode(t, say(deny(ids[0])), "payment_resolved")
		if told := b.eventsOf(t, c, models.EventPayerDenied, models.EventPayerAllowed); told != 2 {
			t.Errorf("%d events tell of it", told)
		}
	})
}

// TestN1OfVeryManyNamesakesThoseWhoOweAreMeant: more than sixty are called the same, and the last of them owe what was paid, each in another
// way. They are suggested and shielded, none of them for certain, and nobody else is.
func TestN1OfVeryManyNamesakesThoseWhoOweAreMeant(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		for range mostNamesakes {
			b.named(t, c, "Jan Hansen", 120_00)
		}
		var meant []int64
		for _, owed := range [][]models.Amount{{499_00}, {120_00, 379_00}, {120_00, 499_00}} {
			meant = append(meant, b.named(t, c, "Jan Hansen", owed...)[0].CustomerID)
		}
		before := b.named(t, c, "Jan Hansen", 499_00)[0]
		b.came(t, before, "", 1_00)
		meant = append(meant, before.CustomerID)
		queue := []models.UnmatchedPayment{from("HANSEN JAN"), {Amount: 77_00, PayerName: "Jan Hansen"}}
		b.queues(t, c, queue)
		suggestions, pointed := b.found(t, c, queue)
		if !slices.Equal(pointed[0], meant) {
			t.Errorf("it points at %v, want %v", pointed[0], meant)
		}
		for _, customer := range meant {
			if !slices.ContainsFunc(suggestions[0], func(s Suggestion) bool { return s.CustomerID == customer }) {
				t.Errorf("customer %d is not suggested", customer)
			}
		}
		for _, s := range suggestions[0] {
			if !slices.Contains(meant, s.CustomerID) || !s.Namesakes {
				t.Errorf("suggested is %+v", s)
			}
		}
		if len(pointed[1]) != 0 || len(suggestions[1]) != 0 {
			t.Errorf("what nobody owes points at %v; suggested is %+v", pointed[1], suggestions[1])
		}
	})
}

// eventsOf counts a creditor's events of some types.
func (b *books) eventsOf(t *testing.T, c models.Creditor, types ...models.EventType) (n int) {
	t.Helper()
	events, err := b.DB.NewestEvents(t.Context(), c.ID, store.EventFilter{}, 0, 100)
	must(t, err)
	for _, e := range events {
		if slices.Contains(types, e.Type) {
			n++
		}
	}
	return n
}

// TestN2WhatIsLeftAlone has payments whose name and amount are right. Certain is only the one against which nothing speaks.
func TestN2WhatIsLeftAlone(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		ctx, c := t.Context(), rows.Creditor(t, b.DB)
		sure := b.named(t, c, "Kari Nordmann", 499_00)[0]
		b.named(t, c, "Ola Twice", 499_00)
		b.named(t, c, "Two Bills", 499_00, 499_00)
		disputed := b.named(t, c, "Dis Puted", 499_00)[0]
		held := b.named(t, c, "Cus Tomer", 499_00)[0]
		rows.Write(t, b.DB, func(tx *store.Tx) error {
			disputed.Hold = models.Hold{Held: true, Reason: models.HoldDispute}
			if err := tx.UpdateInvoice(ctx, disputed); err != nil {
				return err
			}
			customer, err := tx.LockCustomer(ctx, c.ID, held.CustomerID)
			if err != nil {
				return err
			}
			customer.Hold = disputed.Hold
			return tx.UpdateCustomer(ctx, &customer)
		})
		queue := []models.UnmatchedPayment{from("Kari Nordmann"), from("Ola Twice"), from("Two Bills"), from("Dis Puted"), from("Cus Tomer"), from("OLA TWICE")}
		b.queues(t, c, queue)
		must(t, FindLikelyPayers(ctx, b.DB, c))
		must(t, b.DB.View(ctx, func(v store.View) error {
			_, certain, err := ChooseCertain(ctx, v, c, queue[:5], today) // the last one is not on the page
			if err != nil || len(certain) != 1 || certain[0].PaymentID != queue[0].ID || certain[0].Invoices[0].InvoiceID != sure.ID {
				t.Errorf("certain is %+v, %v", certain, err)
			}
			return nil
		}))
	})
}

// TestN7APaymentIsDivided gives two invoices a part each, and what is left over is free credit on the last. Taking it back undoes all.
func TestN7APaymentIsDivided(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		ctx, c := t.Context(), rows.Creditor(t, b.DB)
		first, last := b.named(t, c, "Kari Nordmann", 700_00)[0], b.named(t, c, "Ola Nordmann", 300_00)[0]
		queue := []models.UnmatchedPayment{{Amount: 1000_00}, {Amount: -50_00}}
		b.queues(t, c, queue)
		divide := func(payment int64, parts ...Part) (code string) {
			err := b.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
				_, err := MatchParts(ctx, tx, c, payment, parts, "a person")
				return err
			})
			var refused *models.Error
			if err != nil && !errors.As(err, &refused) {
				t.Fatal(err)
			}
			if refused == nil {
				return ""
			}
			return refused.Code
		}
		stale := models.Amount(1)
		for _, tt := range []struct {
			parts []Part
			code  string
		}{
			{nil, "required"},
			{[]Part{{first.ID, 0, nil}}, "not_positive"},
			{[]Part{{first.ID, 700_00, nil}, {last.ID, 300_01, nil}}, "amounts_differ"},
			{[]Part{{first.ID, 1_00, nil}, {first.ID, 2_00, nil}}, "duplicate_element"},
			{[]Part{{first.ID, 1_00, &stale}}, "balance_changed"},
		} {
			wantCode(t, divide(queue[0].ID, tt.parts...), tt.code)
		}
		wantCode(t, divide(queue[1].ID, Part{first.ID, 1_00, nil}), "amounts_differ") // money out
		wantCode(t, divide(queue[0].ID, Part{first.ID, 200_00, &first.Balance}, Part{last.ID, 300_00, nil}), "")
		b.owes(t, first, 500_00)
		b.owes(t, last, -500_00)
		k := clerk{b, t, c}
		_, code := k.unmatch(b.Queue(t, c)[0])
		wantCode(t, code, "")
		b.owes(t, first, 700_00)
		b.owes(t, last, 300_00)
		if wrong, err := ledger.Verify(ctx, b.DB, c); err != nil || len(wrong) > 0 {
			t.Errorf("the books: %v, %v", wrong, err)
		}
	})
}

// owes expects what is owed on an invoice.
func (b *books) owes(t *testing.T, i models.Invoice, want models.Amount) {
	t.Helper()
	if now, err := b.DB.Invoice(t.Context(), i.CreditorID, i.ID); err != nil || now.Balance != want {
		t.Errorf("on invoice %d %s is owed (%v), want %s", i.Number, now.Balance, err, want)
	}
}
