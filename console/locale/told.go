package locale

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
	"time"

	"purr/models"
)

// Told is an event as the timeline of an invoice and the log show it: a sentence in the reader's language, made of the
// event's facts. An event of an earlier release that lacks facts shows its English text.
type Told struct {
	ID       int64
	At       template.HTML
	Type     models.EventType
	Text     template.HTML
	English  bool
	Details  []string // what the sentence leaves out: until when, and old and new values
	Comment  string   // what the person wrote
	Actor    string   // by the name of the key
	Invoice  string   // its number; empty if the event is about none, or does not say
	Notice   int64    // the notice that was made, or zero
	Letter   string   // the number of the letter that the notice shares with others, or empty (rule L23)
	Document models.DocumentKind
	Number   string // of the credit note that was made; else empty
}

// Tell returns an event in words. zone is the creditor's.
func (w *Words) Tell(e models.Event, zone *time.Location) Told {
	t := Told{ID: e.ID, At: Moment(e.At, zone), Type: e.Type, Actor: w.Actor(e.Actor)}
	facts := models.Facts{}
	decoder := json.NewDecoder(strings.NewReader(e.Data))
	decoder.UseNumber()
	readable := e.Data == "" || decoder.Decode(&facts) == nil
	if name := sentenceOf(e.Type, facts); !readable || !w.Knows(name) || len(e.Type.Missing(facts)) > 0 {
		t.Text, t.English = template.HTML(template.HTMLEscapeString(e.Text)), w.Language != "en" //nolint:gosec // it was escaped
	} else {
		t.Text = w.SayHTML(name, w.values(e.Type, facts)...)
	}
	t.Comment, _ = facts["comment"].(string)
	if e.Type == models.EventHeldAccepted || e.Type == models.EventCollectionReported {
		t.Comment, _ = facts["reason"].(string)
	}
	t.Invoice = numberIn(facts["invoice_number"])
	t.Details = w.details(e.Type, facts)
	switch e.Type { //nolint:exhaustive // the others have no document of their own
	case models.EventNoticeCreated:
		t.Notice = e.SubjectID
		t.Letter = numberIn(facts["letter_number"])
	case models.EventLetterCreated:
		t.Letter = numberIn(facts["letter_number"])
	case models.EventCreditNoteCreated:
		t.Number = numberIn(facts["credit_note_number"])
	}
	return t
}

// sentenceOf returns the name of the sentence of an event.
func sentenceOf(t models.EventType, facts models.Facts) string {
	if method, _ := facts["method"].(string); t == models.EventWayFolder && models.ShipmentMethod(method).NeedsSetting() {
		return "event." + string(t) + ".none" // it has no folder (rule E20)
	}
	return "event." + string(t)
}

func numberIn(fact any) string {
	n, _ := fact.(json.Number)
	return n.String()
}

// values returns what the sentence of an event is filled with.
func (w *Words) values(t models.EventType, facts models.Facts) []any {
	var pairs []any
	add := func(name string, value any) { pairs = append(pairs, name, value) }
	say := func(name string) string { return w.Say("fact." + name) }
	for name, fact := range facts {
		switch name {
		case "kind", "type", "document", "method", "reason", "scope", "state", "class":
		case "failure":
			add(name, inEnglish(fmt.Sprint(fact)))
		case "changed":
			add(name, w.settingNamesIn(fmt.Sprint(factValue(name, fact))))
		default:
			add(name, factValue(name, fact))
		}
	}
	notice := say("reminder")
	if is, _ := facts["is_incasso_notice"].(bool); is {
		notice = say("warning")
	}
	add("notice", notice)
	text := func(name string) string { s, _ := facts[name].(string); return s }
	switch t { //nolint:exhaustive // the others need no word besides their facts
	case models.EventPaymentRegistered, models.EventPaymentDeleted:
		add("payment", say(text("kind")))
	case models.EventEntryReversed:
		kind := "overdue_charge"
		if text("type") == string(models.EntryInterest) {
			kind = "interest"
		}
		add("charge", say(kind))
	case models.EventInvoiceClosed, models.EventNoticeWithdrawn:
		add("reason", say(text("reason")))
	case models.EventNoticeRecalculated:
		because := "money_came"
		if late := "recalculated." + text("reason"); w.Knows("fact." + late) {
			because = late
		}
		add("because", w.Say("fact."+because, "since", factValue("since", facts["since"]), "left", factValue("left", facts["left"])))
	case models.EventCollectionReported:
		if reported := "fact.reported." + text("state"); w.Knows(reported) {
			add("state", w.Say(reported, "amount", factValue("amount", facts["amount"])))
		} else {
			add("state", inEnglish(text("state")))
		}
	case models.EventRulesEnding, models.EventRulesChanged:
		add("kind", text("kind"))
	case models.EventAuditFinding:
		if class := "fact.class." + text("class"); w.Knows(class) {
			add("class", w.Say(class))
		} else {
			add("class", inEnglish(text("class")))
		}
	case models.EventKeyCreated, models.EventKeyRevoked:
		add("scope", w.Say("scope."+text("scope")))
	case models.EventWayRefused, models.EventWayPaused, models.EventWayResumed, models.EventWayFolder, models.EventNotReadyToSend:
		add("method", say(models.ShipmentMethod(text("method")).Key()))
		add("reason", inEnglish(text("reason")))
	case models.EventShipmentSent, models.EventShipmentDelivered, models.EventShipmentFailed, models.EventShipmentReturned, models.EventShipmentFallback, models.EventShipmentRetried, models.EventCopySent:
		named, known := documentNames[models.DocumentKind(text("document"))]
		if !known {
			named = documentNames[models.InvoiceDocument]
		}
		if _, told := facts["more_time"]; told {
			named.words = "fact.time_letter"
		}
		if _, corrects := facts["correction"]; corrects {
			named.words = "fact.correction_letter"
		}
		if _, friendly := facts["friendly_reminder"]; friendly {
			named.words = "fact.friendly_letter"
		}
		add("document", w.Say(named.words, "notice", notice, "number", numberIn(facts[named.number])))
		add("method", say(cmp.Or(models.ShipmentMethod(text("method")), models.ByPaper).Key()))
		if reason := text("reason"); reason != "" {
			add("reason", inEnglish(reason))
		} else {
			add("reason", say("no_reason"))
		}
	}
	return pairs
}

// documentNames are the words for a document by its kind, and the fact that has their number.
var documentNames = map[models.DocumentKind]struct{ words, number string }{
	models.InvoiceDocument:    {"fact.invoice", "invoice_number"},
	models.CreditNoteDocument: {"fact.credit_note", "credit_note_number"},
	models.NoticeDocument:     {"fact.notice_on", "invoice_number"},
	models.StatementDocument:  {"fact.statement", "customer"},
	models.PlanDocument:       {"fact.payment_plan", "invoice_number"},
	models.LetterDocument:     {"fact.joint_letter", "letter_number"},
}

// inEnglish returns a text that is there in English alone, such as the words of a mail server.
func inEnglish(s string) template.HTML {
	return template.HTML(`<span lang="en">` + template.HTMLEscapeString(s) + `</span>`) //nolint:gosec // it was escaped
}

// factValue returns a fact as the words write it: amounts, dates and counts in the reader's way, numbers of documents as
// they are.
func factValue(name string, fact any) any {
	switch v := fact.(type) {
	case string:
		switch name {
		case "amount", "gross_amount", "balance", "balance_before", "overdue_charge", "interest", "part", "missing", "written_off", "closing", "lawful_amount", "back":
			if a, err := models.ParseAmount(v); err == nil {
				return max(a, -a)
			}
		case "due_date", "lapses_on", "was", "counts_until", "left", "transaction_date", "paid_on", "since", "bank_day", "date", "from", "to", "until", "more_time", "at", "day":
			if d, err := models.ParseDate(v); err == nil {
				return d
			}
		}
		return v
	case json.Number:
		if n, err := v.Int64(); err == nil && !strings.HasSuffix(name, "number") {
			return n
		}
		return v.String()
	case []any:
		all := make([]string, len(v))
		for i, one := range v {
			all[i] = fmt.Sprint(one)
		}
		return strings.Join(all, ", ")
	}
	return fmt.Sprint(fact)
}

// details returns what the sentence of an event leaves out.
func (w *Words) details(t models.EventType, facts models.Facts) (all []string) {
	switch t { //nolint:exhaustive // the others say it all
	case models.EventHoldSet, models.EventHoldRemoved:
		if n := numberIn(facts["invoice_number"]); n != "" {
			all = append(all, w.Say("fact.invoice_on_hold", "number", n))
		}
		if d, is := factValue("until", facts["until"]).(models.Date); is {
			all = append(all, w.Say("fact.until", "date", d))
		}
		switch facts["reason"] {
		case string(models.HoldDispute):
			all = append(all, w.Say("fact.dispute"))
		case string(models.HoldPaid):
			all = append(all, w.Say("fact.says_paid"))
		case string(models.HoldCollector):
			all = append(all, w.Say("fact.collector_withdrew"))
		case string(models.HoldAudit):
			all = append(all, w.Say("fact.audit"))
		}
	case models.EventCollectionReported:
		if reference, told := facts["reference"].(string); told {
			all = append(all, w.Say("fact.reference", "reference", reference))
		}
	case models.EventMoreTimeGiven:
		if waived, _ := facts["interest_waived"].(bool); waived {
			all = append(all, w.Say("fact.interest_waived"))
		}
		if by, told := facts["method"].(string); told {
			all = append(all, w.Say("fact.with_letter", "method", w.Say("fact."+models.ShipmentMethod(by).Key())))
		}
		if withdrawn, _ := facts["letter_withdrawn"].(bool); withdrawn {
			all = append(all, w.Say("fact.letter_before_withdrawn"))
		}
	case models.EventMoreTimeEnded:
		if withdrawn, _ := facts["letter_withdrawn"].(bool); withdrawn {
			all = append(all, w.Say("fact.letter_withdrawn"))
		}
	case models.EventClaimRejected, models.EventClaimCancelled, models.EventClaimNotCancelled:
		if reason, told := facts["reason"].(string); told {
			all = append(all, w.ClaimReason(reason))
		}
	case models.EventNoticeWithdrawn:
		if _, is := facts["handed_over"]; is {
			all = append(all, w.Say("fact.tell_collector", "balance", factValue("balance", facts["balance"])))
		}
	case models.EventInvoiceClosed:
		if off, small := facts["written_off"]; small {
			amount := func(name string) any { return factValue(name, facts[name]) }
			all = append(all, w.Say("fact.small_remainder", "sum", factValue("written_off", off), "fee", amount("overdue_charge"), "interest", amount("interest")))
		}
	case models.EventInvoiceReopened:
		if off, small := facts["written_off"]; small {
			all = append(all, w.Say("fact.written_off_again", "sum", factValue("written_off", off)))
		}
	case models.EventInvoiceHandedOver:
		if forced, _ := facts["forced"].(bool); forced {
			all = append(all, w.Say("fact.forced"))
		}
	case models.EventCreditorChanged, models.EventCustomerChanged:
		for _, path := range slices.Sorted(maps.Keys(facts)) {
			if change, is := facts[path].(map[string]any); is {
				all = append(all, w.Say("log.was", "name", w.settingName(path), "was", w.setting(path, change["was"]), "is", w.setting(path, change["is"])))
			}
		}
	}
	return all
}

// ClaimReason returns why a claim of AvtaleGiro is not drawn: in words, or as the bank says it.
func (w *Words) ClaimReason(reason string) string {
	if name := "claim_reason." + reason; w.Knows(name) {
		return w.Say(name)
	}
	return reason
}

// KindOfEvent returns the name of a type of event, or the type itself.
func (w *Words) KindOfEvent(t models.EventType) string {
	if name := "kind." + string(t); w.Knows(name) {
		return w.Say(name)
	}
	return string(t)
}
