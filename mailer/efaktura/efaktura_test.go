package efaktura_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"purr/mailer"
	"purr/mailer/efaktura"
	"purr/mailer/rest"
	"purr/models"
	"purr/test/testkit/operator"
)

const root = "../.."

// channelTo returns the channel to an operator, by the template of docs/efaktura.md.
func channelTo(t *testing.T, o *operator.Operator, change ...string) mailer.Channel {
	t.Helper()
	text := strings.NewReplacer(change...).Replace(string(operator.Template(t, root)))
	template, err := rest.Parse(o.URL+"/v1/einvoices", []byte(text), operator.Secret, efaktura.Form)
	if err != nil {
		t.Fatal(err)
	}
	return efaktura.New(rest.NewService(template))
}

const instance = "2f1c8d4b-6a0e-5c57-9f0b-3a9d7f2f6f1e"

func aParcel() mailer.Parcel {
	return mailer.Parcel{
		Name: "invoice-10001-shipment-17", ShipmentID: 17, InstanceID: instance, Creditor: "974760673", DocumentKind: models.InvoiceDocument, DocumentNumber: 10001,
		Recipient: models.Recipient{
			Name1: `Kari "K" Nordmann`, Address1: "Storgata 1", PostalCode: "0155", PostalName: "Oslo", CountryCode: "NO", Email: "kari@example.no", Phone: "+4791234567",
		},
		PDF: []byte("%PDF-1.7\n"), EFaktura: mailer.EFaktura{KID: "0010001" + "4", Account: "12345678903", Amount: 1250_05, DueDate: models.DateOf(day())},
	}
}

// TestE20TheOperatorGetsWhatTheBankNeeds: each word of the template stands for what it says.
func TestE20TheOperatorGetsWhatTheBankNeeds(t *testing.T) {
	t.Parallel()
	o := operator.Start(t)
	c, p := channelTo(t, o), aParcel()
	p.EFaktura.AvtaleGiro = true
	answer, err := c.HandOver(t.Context(), p)
	if err != nil || answer != (mailer.Answer{Receipt: "E-2f1c8d4b", Pending: true}) {
		t.Fatalf("%+v, %v", answer, err)
	}
	got := o.Taken()[0]
	if got.Reference != instance || got.Issuer != "974760673" || got.InvoiceNumber != "10001" || got.Recipient.Name != p.Recipient.Name1 || got.Recipient.Address != "Storgata 1" ||
		got.Recipient.PostalCode != "0155" || got.Recipient.City != "Oslo" || got.Recipient.Country != "NO" || got.Recipient.Email != "kari@example.no" || got.Recipient.Mobile != "+4791234567" {
		t.Errorf("it got %+v", got)
	}
	pay := got.Payment
	if pay.KID != "00100014" || pay.Account != "12345678903" || pay.Amount != "1250.05" || pay.Ore != "125005" || pay.DueDate != "2026-12-24" || !pay.AvtaleGiro ||
		string(got.Document.PDF) != string(p.PDF) || len(got.Document.SHA256) != 64 {
		t.Errorf("it got %+v", pay)
	}
}

// TestE20WhatAnAnswerMeans: of the first attempt, as far as the template tells.
func TestE20WhatAnAnswerMeans(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		fault operator.Fault
		want  string
	}{
		{"an empty answer", operator.Fault{Takes: true, Body: " "}, "accepted"},
		{"malformed JSON", operator.Fault{Takes: true, Body: `{"id":`}, "accepted"},
		{"an answer about another invoice", operator.Fault{Takes: true, Another: true}, "later"},
		{"no answer", operator.Fault{Takes: true, Silent: true}, "later"},
		{"500", operator.Fault{Status: 500}, "later"},
		{"500 with the word", operator.Fault{Status: 500, Body: `{"code":"RECIPIENT_NOT_FOUND"}`}, "later"},
		{"429", operator.Fault{Status: 429}, "later"},
		{"no such recipient", operator.Fault{Status: 422, Body: `{"code":"RECIPIENT_NOT_FOUND"}`}, "unknown"},
		{"no such recipient with 200", operator.Fault{Status: 200, Body: `{"code":"RECIPIENT_NOT_FOUND"}`}, "unknown"},
		{"no such recipient with 403", operator.Fault{Status: 403, Body: `{"code":"RECIPIENT_NOT_FOUND"}`}, "unknown"},
		{"a word with the word in it", operator.Fault{Status: 422, Body: `{"code":"NO_RECIPIENT_NOT_FOUND"} {"code":"RECIPIENT_NOT_FOUND_YET"}`}, "refused"},
		{"a redirect", operator.Fault{Status: 307}, "settings"},
		{"a redirect with the word", operator.Fault{Status: 302, Body: `RECIPIENT_NOT_FOUND`}, "settings"},
		{"401", operator.Fault{Status: 401}, "settings"},
		{"404", operator.Fault{Status: 404}, "settings"},
		{"400", operator.Fault{Status: 400, Body: `{"code":"KID"}`}, "refused"},
	} {
		o := operator.Start(t)
		o.Misbehave(tt.fault)
		answer, err := channelTo(t, o).HandOver(t.Context(), aParcel())
		if got := meaning(err); got != tt.want || (err == nil) != answer.Pending {
			t.Errorf("%s is %s, want %s: %+v, %v", tt.name, got, tt.want, answer, err)
		}
		if err != nil && strings.Contains(err.Error(), operator.Secret) {
			t.Errorf("%s: the error shows the secret: %v", tt.name, err)
		}
	}
}

// meaning says what an error of a channel says.
func meaning(err error) string {
	refused, is := errors.AsType[*models.Refused](err)
	switch {
	case err == nil:
		return "accepted"
	case models.KindOf(err) == models.KindNotFound:
		return "not there"
	case !is:
		return "later"
	}
	return map[models.Blame]string{models.BlameRecipient: "refused", models.BlameSettings: "settings", models.BlameUnknown: "unknown"}[refused.Blame]
}

// TestE20AStatusMayNameTheUnknownRecipient: for operators who say no more than 404.
func TestE20AStatusMayNameTheUnknownRecipient(t *testing.T) {
	t.Parallel()
	o := operator.Start(t)
	c := channelTo(t, o, `["RECIPIENT_NOT_FOUND"]`, `[404,"410"]`)
	for status, want := range map[int]string{404: "unknown", 410: "unknown", 422: "refused", 401: "settings"} {
		o.Misbehave(operator.Fault{Status: status})
		if _, err := c.HandOver(t.Context(), aParcel()); meaning(err) != want {
			t.Errorf("%d is %s, want %s", status, meaning(err), want)
		}
	}
}

// TestE20TheStatusTells what became of an invoice, and nothing that the operator does not say of this one.
func TestE20TheStatusTells(t *testing.T) {
	t.Parallel()
	o := operator.Start(t)
	asker, is := channelTo(t, o).(mailer.Asker)
	if !is {
		t.Fatal("the operator cannot be asked")
	}
	ask := func(ctx context.Context, receipt string) (mailer.Answer, error) {
		p := aParcel()
		p.Receipt = receipt
		return asker.Ask(ctx, p)
	}
	if _, err := ask(t.Context(), ""); meaning(err) != "not there" {
		t.Errorf("before it was sent: %v", err)
	}
	o.Begin(operator.Received)
	if _, err := asker.HandOver(t.Context(), aParcel()); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, state string
		fault       operator.Fault
		want        string
		pending     bool
	}{
		{"it is at work", operator.Received, operator.Fault{}, "accepted", true},
		{"an unknown state", "QUEUED", operator.Fault{}, "accepted", true},
		{"it is presented", operator.Presented, operator.Fault{}, "accepted", false},
		{"it is rejected", operator.Rejected, operator.Fault{}, "refused", false},
		{"no such recipient, later", operator.Presented, operator.Fault{Body: `{"state":"REJECTED","reason":"RECIPIENT_NOT_FOUND"}`}, "unknown", false},
		{"another invoice is presented", operator.Presented, operator.Fault{Another: true}, "later", false},
		{"an empty answer", operator.Presented, operator.Fault{Body: " "}, "later", false},
		{"malformed JSON", operator.Presented, operator.Fault{Body: `{"state":"PRESENTED"`}, "later", false},
		{"no state", operator.Presented, operator.Fault{Body: `{"state":null}`}, "later", false},
		{"503", operator.Presented, operator.Fault{Status: 503}, "later", false},
		{"400", operator.Presented, operator.Fault{Status: 400}, "later", false},
		{"401", operator.Presented, operator.Fault{Status: 401}, "settings", false},
		{"a redirect", operator.Presented, operator.Fault{Status: 301}, "settings", false},
		{"it is gone", operator.Presented, operator.Fault{Status: 404}, "not there", false},
	} {
		o.Move(tt.state)
		o.MisbehaveAsked()
		if tt.fault != (operator.Fault{}) {
			o.MisbehaveAsked(tt.fault)
		}
		answer, err := ask(t.Context(), "E-7")
		if got := meaning(err); got != tt.want || answer.Pending != tt.pending || err == nil && answer.Receipt != "E-7" {
			t.Errorf("%s is %s, want %s: %+v, %v", tt.name, got, tt.want, answer, err)
		}
	}
	if answer, err := ask(t.Context(), ""); err != nil || answer.Receipt != "E-2f1c8d4b" {
		t.Errorf("after no answer the receipt is %+v, %v", answer, err)
	}
	if n := len(o.Taken()); n != 1 {
		t.Errorf("it has %d invoices", n)
	}
}

// TestE20NothingIsPostedTwiceUnasked: also on a connection that was used before, which HTTP clients like to try again.
func TestE20NothingIsPostedTwiceUnasked(t *testing.T) {
	t.Parallel()
	o := operator.Start(t)
	c := channelTo(t, o)
	if _, err := c.HandOver(t.Context(), aParcel()); err != nil {
		t.Fatal(err)
	}
	o.Misbehave(operator.Fault{Takes: true, Silent: true})
	if _, err := c.HandOver(t.Context(), aParcel()); meaning(err) != "later" {
		t.Error(err)
	}
	if got := o.Requests(); len(got) != 2 {
		t.Errorf("it was asked %q", got)
	}
}

// TestE20AnOperatorThatCannotBeAsked: the answer alone says that it is sent.
func TestE20AnOperatorThatCannotBeAsked(t *testing.T) {
	t.Parallel()
	o := operator.Start(t)
	const status = ",\n  \"status\""
	_, after, there := strings.Cut(string(operator.Template(t, root)), status)
	if !there {
		t.Fatal("the template has no status")
	}
	c := channelTo(t, o, status+after, "\n}\n")
	if _, is := c.(mailer.Asker); is {
		t.Error("it can be asked")
	}
	o.Misbehave(operator.Fault{Takes: true, Silent: true})
	if _, err := c.HandOver(t.Context(), aParcel()); meaning(err) != "later" {
		t.Error(err)
	}
	if answer, err := c.HandOver(t.Context(), aParcel()); err != nil || answer.Pending || answer.Receipt != "E-2f1c8d4b" {
		t.Errorf("%+v, %v", answer, err)
	}
	if got := o.Requests(); len(o.Taken()) != 1 || len(got) != 2 || got[0] != got[1] || got[0] != "POST "+instance {
		t.Errorf("it was asked %q", got)
	}
}

// TestE20NothingLeavesThatMayNot: what others may have taken is not posted.
func TestE20NothingLeavesThatMayNot(t *testing.T) {
	t.Parallel()
	o := operator.Start(t)
	p := aParcel()
	p.MayLeave = func() error { return errors.New("it is another's") }
	if _, err := channelTo(t, o).HandOver(t.Context(), p); err == nil || len(o.Requests()) != 0 {
		t.Errorf("%v, after %q", err, o.Requests())
	}
}

// TestE20ATemplateThatCannotWorkIsRefused by the place of what is wrong.
func TestE20ATemplateThatCannotWorkIsRefused(t *testing.T) {
	t.Parallel()
	const right = `{"method":"POST","headers":{"Content-Type":"application/json","Idempotency-Key":"{{instance_id}}"},"body":"[{{amount}},{{amount_ore}},{{avtalegiro}},\"{{kid}}\"]","no_recipient":["404","NO_AGREEMENT"],"reference":"json:ref",
		"status":{"url":"/s/{{instance_id}}","state":"json:state","sent":["OK"],"failed":["NO"]}}`
	const home = "https://api.example.no/v1/einvoices"
	if _, err := rest.Parse(home, []byte(right), "s", efaktura.Form); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ old, fresh, want string }{
		{`"404"`, `"401"`, "no_recipient: 401 does not say"},
		{`"404"`, `"500"`, "no_recipient: 500 does not say"},
		{`"404"`, `"200"`, "no_recipient: 200 does not say"},
		{`"404"`, `"429"`, "no_recipient: 429 does not say"},
		{`"404"`, `"307"`, "no_recipient: 307 does not say"},
		{`"404"`, `401`, "no_recipient: 401 does not say"},
		{`"404"`, `true`, "cannot unmarshal bool"},
		{`"404"`, `""`, "no_recipient: \"\" must be a status, or a word"},
		{`"404"`, `"no such"`, "no_recipient: \"no such\" must be"},
		{`"json:ref"`, `"xml:ref"`, "reference: must be json:NAME"},
		{`/s/{{instance_id}}`, `/s/{{kid}}`, "status: the URL or a header must hold {{instance_id}}, {{name}} or {{id}}"},
		{`/s/{{instance_id}}`, `/s/{{ink}}`, "status: URL: there is no word {{ink}}"},
		{`/s/{{instance_id}}`, `http://api.example.no/{{instance_id}}`, "status: URL: must begin with https://"},
		{`/s/{{instance_id}}`, `s/{{instance_id}}`, "status: URL: must be like"},
		{`"state":"json:state",`, ``, "status: state, sent: must say"},
		{`"sent":["OK"]`, `"sent":[]`, "status: state, sent: must say"},
		{`"failed":["NO"]`, `"failed":["OK"]`, "status: sent, failed: a state stands in both"},
		{`"failed":["NO"]`, `"lost":["NO"]`, `unknown field "lost"`},
		{`\"{{kid}}\"`, `{{kid}}`, "body: is no JSON"},
	} {
		text := strings.Replace(right, tt.old, tt.fresh, 1)
		if _, err := rest.Parse(home, []byte(text), "s", efaktura.Form); err == nil || text == right || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s in the place of %s: the error is %v, want %q", tt.fresh, tt.old, err, tt.want)
		}
	}
	for _, of := range []string{`"no_recipient":["404"]`, `"reference":"json:a"`, `"status":{"url":"/"}`} {
		if _, err := rest.Parse(home, []byte(`{"method":"POST",`+of+`}`), "s", rest.Form{}); err == nil || !strings.Contains(err.Error(), "only an efaktura-template") {
			t.Errorf("%s in the template of another way: %v", of, err)
		}
	}
	if _, err := rest.Parse(home+"/{{kid}}", []byte(`{"method":"POST"}`), "s", rest.Form{}); err == nil {
		t.Error("a letter's template knows a KID")
	}
}
