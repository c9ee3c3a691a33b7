package jobs

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/billing"
	"purr/mailer"
	"purr/mailer/efaktura"
	"purr/mailer/rest"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit/operator"
	"purr/test/testkit/rows"
)

// operator gives the office an operator of eFaktura, by the template of docs/efaktura.md. Something has left by it before.
func (o *office) operator(t *testing.T) *operator.Operator {
	t.Helper()
	op := operator.Start(t)
	template, err := rest.Parse(op.URL+"/v1/einvoices", operator.Template(t, ".."), operator.Secret, efaktura.Form)
	must(t, err)
	o.worker.Dispatch.Channels[models.ByEFaktura] = efaktura.New(rest.NewService(template))
	o.worker.Dispatch.Ways = models.Ways{models.ByEFaktura: models.WayREST}
	rows.Write(t, o.db, func(tx *store.Tx) error {
		return shipments.NoteLeft(t.Context(), tx, models.ByEFaktura, models.WayREST)
	})
	return op
}

// toPerson sends an invoice by a method to a person with a telephone number and an e-mail address.
func toPerson(t *testing.T, o *office, c models.Creditor, m models.ShipmentMethod, change ...func(*models.Customer)) models.Invoice {
	t.Helper()
	phone := func(c *models.Customer) { c.Recipient.Phone, c.Recipient.OrganisationNumber = "+4791234567", "" }
	customer := rows.Customer(t, o.db, c, append([]func(*models.Customer){phone}, change...)...)
	return rows.Invoice(t, o.db, c, rows.To(customer), func(r *billing.InvoiceRequest) { r.Method = m })
}

// ways returns by which methods an invoice went, and what became of it, as "EFAKTURA failed, EMAIL sent".
func (o *office) ways(t *testing.T, i models.Invoice) string {
	t.Helper()
	var all []string
	for _, s := range o.shipments(t, i.Document()) {
		all = append(all, string(s.Method)+" "+string(s.State))
	}
	return strings.Join(all, ", ")
}

func (o *office) wantWays(t *testing.T, what string, i models.Invoice, want string) {
	t.Helper()
	if got := o.ways(t, i); got != want {
		t.Errorf("%s: it went %q, want %q: %+v", what, got, want, o.shipments(t, i.Document()))
	}
}

func nobody(operator.Invoice) bool { return false }

func noEmail(c *models.Customer) { c.Recipient.Email = "" }

// TestE20AnInvoiceReachesTheBank: the operator gets what the invoice says, is asked until the bank has it, and the invoice has left then.
func TestE20AnInvoiceReachesTheBank(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		op := o.operator(t)
		op.Begin(operator.Received)
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		i := toPerson(t, o, c, models.ByEFaktura)
		o.settle(t)
		o.wantWays(t, "while the operator is at work", i, "EFAKTURA owed")
		op.Move(operator.Presented)
		o.advance(t, time.Minute)
		o.wantWays(t, "when the bank has it", i, "EFAKTURA sent")
		taken := op.Taken()
		if len(taken) != 1 {
			t.Fatalf("the operator has %d invoices", len(taken))
		}
		got, s := taken[0], o.shipments(t, i.Document())[0]
		if got.Payment.KID != i.KID || got.Payment.Account != i.BankAccount || got.Payment.Amount.String() != i.Gross.String() || got.Payment.DueDate != i.DueDate.String() ||
			got.Payment.AvtaleGiro || got.Recipient.Mobile != "+4791234567" || got.Recipient.Name != i.Recipient.Name1 || !strings.HasPrefix(string(got.Document.PDF), "%PDF") {
			t.Errorf("the operator got %+v", got)
		}
		if s.Receipt != "E-"+got.Reference[:8] || s.SentAt == nil || s.To().Phone != "+4791234567" {
			t.Errorf("the shipment is %+v", s)
		}
	})
}

// TestE20WhoTheOperatorDoesNotKnowGetsItAnotherWay: by the fallback, and of what was asked for by AUTO as it would have gone without.
func TestE20WhoTheOperatorDoesNotKnowGetsItAnotherWay(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.operator(t).Knows(nobody)
		o.work(t, 2)
		for _, tt := range []struct {
			name     string
			fallback models.Fallback
			method   models.ShipmentMethod
			change   []func(*models.Customer)
			want     string
		}{
			{"without a fallback", "", models.ByEFaktura, nil, "EFAKTURA failed, EMAIL sent"},
			{"without a fallback and an address", "", models.ByEFaktura, []func(*models.Customer){noEmail}, "EFAKTURA failed"},
			{"a fallback to paper", "EFAKTURA>PAPER", models.ByEFaktura, nil, "EFAKTURA failed, PAPER sent"},
			{"a step that cannot be", "EFAKTURA>EMAIL>PAPER", models.ByEFaktura, []func(*models.Customer){noEmail}, "EFAKTURA failed, PAPER sent"},
			{"a fallback that does not name it", "EMAIL>PAPER", models.ByEFaktura, nil, "EFAKTURA failed"},
			{"AUTO", "", models.Auto, nil, "EFAKTURA failed, EMAIL sent"},
			{"AUTO without an address", "", models.Auto, []func(*models.Customer){noEmail}, "EFAKTURA failed, PAPER sent"},
			{"AUTO, a fallback that does not name it", "EMAIL>PAPER", models.Auto, nil, "EFAKTURA failed, EMAIL sent"},
			{"AUTO, a fallback that names it", "EFAKTURA>PAPER", models.Auto, nil, "EFAKTURA failed, PAPER sent"},
			{"AUTO, a fallback that leads nowhere", "EFAKTURA>EMAIL", models.Auto, []func(*models.Customer){noEmail}, "EFAKTURA failed, PAPER sent"},
		} {
			c := rows.Creditor(t, o.db, func(c *models.Creditor) { c.Fallback = tt.fallback })
			i := toPerson(t, o, c, tt.method, tt.change...)
			o.settle(t)
			o.wantWays(t, tt.name, i, tt.want)
			all := o.shipments(t, i.Document())
			if told := o.events(t, c, models.EventShipmentFallback); len(told) != len(all)-1 || len(all) == 2 && all[1].FallbackOf != all[0].ID {
				t.Errorf("%s: told is %q of %+v", tt.name, told, all)
			}
		}
	})
}

// TestE20AUTO: eFaktura for persons where it is set up, then as before; businesses and credit notes as before.
func TestE20AUTO(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		op := o.operator(t)
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		person := toPerson(t, o, c, models.Auto)
		business := toBusiness(t, o, c, models.Auto)
		o.advance(t, time.Minute)
		o.wantWays(t, "a person", person, "EFAKTURA sent")
		o.wantWays(t, "a business", business, "EMAIL sent")
		var note models.CreditNote
		rows.Write(t, o.db, func(tx *store.Tx) (err error) {
			note, err = billing.IssueCreditNote(t.Context(), tx, c, person.ID, billing.CreditNoteRequest{Method: models.Auto, Actor: "a test"})
			return err
		})
		o.settle(t)
		if s := o.shipments(t, note.Document()); len(s) != 1 || s[0].Method != models.ByEmail || s[0].State != models.ShipmentSent {
			t.Errorf("the credit note: %+v", s)
		}
		if n := len(op.Taken()); n != 1 {
			t.Errorf("the operator has %d invoices", n)
		}
		o.worker.Dispatch.Ways = nil
		off := toPerson(t, o, c, models.Auto)
		o.settle(t)
		o.wantWays(t, "a person where it is not set up", off, "EMAIL sent")
	})
}

// TestE20ManyUnknownRecipientsDoNotPauseTheWay: that they have no eFaktura says nothing of it. Three other refusals alike do pause it, and an
// answer that somebody is unknown ends that: the way works.
func TestE20ManyUnknownRecipientsDoNotPauseTheWay(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		op := o.operator(t)
		op.Knows(nobody)
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		named := func(name string) func(*models.Customer) {
			return func(c *models.Customer) { c.Recipient.Name1, c.Recipient.Address1 = name, name+" 1" }
		}
		send := func(names ...string) (all []models.Invoice) {
			for _, name := range names {
				all = append(all, toPerson(t, o, c, models.ByEFaktura, named(name)))
			}
			o.settle(t)
			return all
		}
		for _, i := range send("Anne", "Berit", "Cato", "Dag", "Eva", "Finn") {
			o.wantWays(t, "unknown", i, "EFAKTURA failed, EMAIL sent")
		}
		if told := o.events(t, c, models.EventWayPaused, models.EventWayRefused); len(told) != 0 {
			t.Errorf("told is %q", told)
		}
		refusal := operator.Fault{Status: 400, Body: `{"code":"BAD_ACCOUNT"}`}
		op.Misbehave(refusal, refusal, refusal)
		send("Gro", "Hans", "Ida")
		if told := o.events(t, c, models.EventWayPaused); len(told) != 1 {
			t.Fatalf("after three refusals alike told is %q", told)
		}
		i := send("Jon")[0]
		o.advance(t, time.Hour)
		o.wantWays(t, "after the pause", i, "EFAKTURA failed, EMAIL sent")
		if told := o.events(t, c, models.EventWayResumed); len(told) != 1 {
			t.Errorf("after an answer told is %q", told)
		}
	})
}

// TestE20AFaultOfTheSettingsFallsBackToNothing: a wrong secret leaves all owed, and a person is told.
func TestE20AFaultOfTheSettingsFallsBackToNothing(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		op := o.operator(t)
		o.work(t, 2)
		for _, f := range []operator.Fault{{Status: 401}, {Status: 307}, {Status: 403}, {Status: 404}} {
			c := rows.Creditor(t, o.db)
			op.Misbehave(slices.Repeat([]operator.Fault{f}, 50)...)
			i := toPerson(t, o, c, models.Auto)
			o.advance(t, 10*time.Minute)
			o.wantWays(t, "meanwhile", i, "EFAKTURA owed")
			if told := o.events(t, c, models.EventWayRefused); len(told) != 1 {
				t.Errorf("%d: told is %q", f.Status, told)
			}
			op.Misbehave()
			o.advance(t, 2*time.Hour)
			o.wantWays(t, "after it was set right", i, "EFAKTURA sent")
		}
	})
}

// TestE20AfterNoAnswerTheOperatorIsAskedFirst: whether it had taken the invoice or not, it has it once, with one reference.
func TestE20AfterNoAnswerTheOperatorIsAskedFirst(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		for _, tt := range []struct {
			name  string
			fault operator.Fault
			want  []string // what the operator was asked
		}{
			{"it had taken it", operator.Fault{Takes: true, Silent: true}, []string{"POST", "GET"}},
			{"it had not", operator.Fault{Silent: true}, []string{"POST", "GET", "POST", "GET"}},
			{"it answers 500 and has taken it", operator.Fault{Takes: true, Status: 500}, []string{"POST", "GET"}},
			{"it answers 503 and has not", operator.Fault{Status: 503}, []string{"POST", "GET", "POST", "GET"}},
			{"it answers with another's reference", operator.Fault{Takes: true, Another: true}, []string{"POST", "GET"}},
			{"it answers nothing", operator.Fault{Takes: true, Body: " "}, []string{"POST", "GET"}},
		} {
			op := o.operator(t)
			op.Misbehave(tt.fault)
			c := rows.Creditor(t, o.db)
			i := toPerson(t, o, c, models.ByEFaktura)
			for range 4 {
				must(t, o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID}))
				o.clock.Set(o.clock.Now().Add(10 * time.Minute))
			}
			o.wantWays(t, tt.name, i, "EFAKTURA sent")
			requests := op.Requests()
			var verbs []string
			for _, r := range requests {
				verb, reference, _ := strings.Cut(r, " ")
				verbs = append(verbs, verb)
				if reference != op.Taken()[0].Reference {
					t.Errorf("%s: it was asked %q", tt.name, requests)
				}
			}
			if !slices.Equal(verbs, tt.want) || len(op.Taken()) != 1 {
				t.Errorf("%s: it was asked %q, want %q, and has %d", tt.name, requests, tt.want, len(op.Taken()))
			}
		}
	})
}

// TestE20AKilledWorkersInvoiceIsAskedAfter: the worker is killed after the post, before it notes the answer. The next one asks, and posts
// nothing again.
func TestE20AKilledWorkersInvoiceIsAskedAfter(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		op := o.operator(t)
		c := rows.Creditor(t, o.db)
		i := toPerson(t, o, c, models.ByEFaktura)
		right := o.worker.Dispatch.Channels[models.ByEFaktura]
		o.worker.Dispatch.Channels[models.ByEFaktura] = killed{right.(mailer.Asker)}
		dying := o.join(t)
		load, by := o.batch(t, dying, c)
		dead(func() { load.Send(t.Context(), context.WithoutCancel(t.Context()), by) })
		dying.die()
		o.worker.Dispatch.Channels[models.ByEFaktura] = right
		o.holder.lookAround(t.Context())
		must(t, o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID}))
		o.wantWays(t, "after the kill", i, "EFAKTURA sent")
		reference := op.Taken()[0].Reference
		wantLines(t, op.Requests(), "POST "+reference, "GET "+reference)
	})
}

// killed is a channel whose worker is killed when the channel has accepted something.
type killed struct{ mailer.Asker }

func (k killed) HandOver(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	_, _ = k.Asker.HandOver(ctx, p)
	runtime.Goexit()
	return mailer.Answer{}, nil
}

// TestE20WhatIsToldLate: a report that it failed lets it fall back once. What is told after that changes nothing else.
func TestE20WhatIsToldLate(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		op := o.operator(t)
		op.Begin(operator.Received)
		o.work(t, 2)
		c := rows.Creditor(t, o.db, func(c *models.Creditor) { c.Fallback = "EFAKTURA>PAPER" })
		i := toPerson(t, o, c, models.ByEFaktura)
		o.settle(t)
		report := func(state models.ShipmentState, at time.Time) {
			rows.Write(t, o.db, func(tx *store.Tx) error {
				r := models.ShipmentReport{ShipmentID: o.shipments(t, i.Document())[0].ID, State: state, At: at, Reason: "the agreement has ended"}
				_, err := shipments.Report(t.Context(), tx, r, "a test")
				return err
			})
		}
		now := o.clock.Now()
		report(models.ShipmentFailed, now)
		report(models.ShipmentFailed, now) // once more
		o.settle(t)
		o.wantWays(t, "after the report", i, "EFAKTURA failed, PAPER sent")
		op.Move(operator.Presented)
		o.advance(t, time.Hour)
		o.wantWays(t, "after the operator had moved on", i, "EFAKTURA failed, PAPER sent")
		report(models.ShipmentDelivered, o.clock.Now())
		report(models.ShipmentFailed, o.clock.Now().Add(-time.Second))
		o.advance(t, time.Hour)
		o.wantWays(t, "after a late report", i, "EFAKTURA delivered, PAPER sent")
		if n := len(o.events(t, c, models.EventShipmentFallback)); n != 1 || len(op.Taken()) != 1 {
			t.Errorf("it fell back %d times, and the operator has %d", n, len(op.Taken()))
		}
	})
}

// TestE20TheOperatorRejectsItLater: after a while of work. It falls back then.
func TestE20TheOperatorRejectsItLater(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		op := o.operator(t)
		op.Begin(operator.Received)
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		i := toPerson(t, o, c, models.Auto)
		o.advance(t, time.Hour)
		op.Move(operator.Rejected)
		o.advance(t, 2*time.Hour)
		o.wantWays(t, "when it is rejected", i, "EFAKTURA failed, EMAIL sent")
	})
}
