package locale

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"purr/dunning"
	"purr/models"
)

// TestL12EachReasonHasItsWords holds that the console can say why an invoice is left alone, for each reason.
func TestL12EachReasonHasItsWords(t *testing.T) {
	t.Parallel()
	for _, r := range []dunning.Reason{
		dunning.PolicyOff, dunning.CreditorNotReady, dunning.DueBeforeStart, dunning.OnHold, dunning.OnPlan, dunning.PaymentInQueue, dunning.CreditBalance, dunning.BelowMinimum, dunning.OnlyChargesLeft,
		dunning.LastNoticeSent, dunning.NotSent, dunning.NoAddress, dunning.DeadlineRunning, dunning.TooEarly, dunning.WarningTooOld, dunning.PaymentFileLate,
		dunning.NotASendingDay, dunning.Closed, dunning.HandedOver, dunning.Paid, dunning.NotOverdue,
	} {
		if !Catalogue()["en"].Knows("reason." + string(r)) {
			t.Errorf("there are no words for %s", r)
		}
	}
}

// TestEveryKindOfDocumentHasItsWords holds that events and letters can name each kind, in each language.
func TestEveryKindOfDocumentHasItsWords(t *testing.T) {
	t.Parallel()
	for _, kind := range models.DocumentKinds() {
		for language, words := range Catalogue() {
			named, known := documentNames[kind]
			if !known || named.number == "" || !words.Knows(named.words) || !words.Knows("letter_of."+string(kind)) {
				t.Errorf("%s: there are no words for %s", language, kind)
			}
		}
	}
}

// TestE10EachEventIsTold tells an event of each type with all its facts, in each language: no sentence is missing, and none
// has a place that nothing fills, and no type is named by its code. An event of an earlier release shows its English text.
func TestE10EachEventIsTold(t *testing.T) {
	t.Parallel()
	for _, f := range models.EventFacts {
		facts := map[string]any{}
		for name := range strings.FieldsSeq(f.Facts) {
			facts[strings.TrimSuffix(name, "?")] = sample(f.Type, strings.TrimSuffix(name, "?"))
		}
		data, err := json.Marshal(facts)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range languages {
			w := Catalogue()[l]
			told := w.Tell(models.Event{Type: f.Type, Text: "In English", Data: string(data)}, time.UTC)
			switch text := string(told.Text); {
			case f.Type == models.EventPaymentReceived: // is not written
			case text == "In English", strings.ContainsAny(text, "{}"), strings.Contains(text, "fact."), strings.Contains(text, "scope."):
				t.Errorf("%s in %s is told as %q", f.Type, l, text)
			}
			if kind := w.KindOfEvent(f.Type); kind == string(f.Type) && f.Type != models.EventPaymentReceived {
				t.Errorf("%s has no name in %s", f.Type, l)
			}
			if old := w.Tell(models.Event{Type: f.Type, Text: "In <English>"}, time.UTC); strings.Contains(f.Facts, "_") && !strings.Contains(f.Facts, "?") &&
				(string(old.Text) != "In &lt;English&gt;" || old.English != (l != "en")) {
				t.Errorf("an old %s in %s is told as %q, English %t", f.Type, l, old.Text, old.English)
			}
		}
	}
}

// TestK3AnEventOfANewerProgramIsTold by its English text: this one may still work beside it.
func TestK3AnEventOfANewerProgramIsTold(t *testing.T) {
	t.Parallel()
	for language, words := range Catalogue() {
		told := words.Tell(models.Event{Type: "invoice.sung", Text: "the invoice was sung", Data: `{"melody":"x"}`}, time.UTC)
		if string(told.Text) != "the invoice was sung" || told.English != (language != "en") {
			t.Errorf("%s: it is told as %q", language, told.Text)
		}
	}
}

// sample returns a fact as an event of the type may have it.
func sample(t models.EventType, name string) any {
	switch name {
	case "amount", "gross_amount", "balance", "overdue_charge", "interest", "part":
		return "1250.00"
	case "due_date", "transaction_date", "since", "bank_day", "date", "from", "to", "until", "more_time":
		return "2026-03-02"
	case "invoice_number", "credit_note_number", "sequence_number", "number", "transactions", "notices", "hand_overs", "ceiling", "matched", "unmatched", "duplicates", "ignored", "faults":
		return 4711
	case "is_incasso_notice", "forced", "copy":
		return true
	case "reason":
		if t == models.EventInvoiceClosed {
			return "lost"
		}
		return "paid"
	case "kind":
		return "payment"
	case "document":
		return "overdue_notice"
	case "method":
		return "EMAIL"
	case "scope":
		return "write"
	case "type":
		return "INTEREST"
	}
	return "x"
}
