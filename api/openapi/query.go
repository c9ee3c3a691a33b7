package openapi

import (
	"path"
	"strings"

	"purr/models"
)

// queryParameter returns the description of a query parameter of an operation.
func queryParameter(op Operation, name string) object {
	p, known := queryParameters[name]
	if list := path.Base(op.Path); name == "status" {
		p, known = statuses[list], statuses[list].schema != nil
	}
	if !known {
		panic("openapi: nothing is known of the query parameter " + name + " of " + op.Path) // a test makes the document
	}
	return object{{"name", name}, {"in", "query"}, {"description", p.does}, {"schema", p.schema}}
}

type parameter struct {
	does   string
	schema object
}

// queryParameters are the query parameters by their names, but for status.
var queryParameters = map[string]parameter{
	"page":              {"Which page of the list.", object{{"type", "integer"}, {"minimum", 1}, {"default", 1}}},
	"per_page":          {"How many items a page has.", object{{"type", "integer"}, {"minimum", 1}, {"maximum", 1000}, {"default", 100}}},
	"from_date":         {"The first day.", day()},
	"to_date":           {"The last day.", day()},
	"date":              {"The day; today without it.", day()},
	"as_of":             {"Another name of date; only one of them may be there.", day()},
	"from":              {"The first day; the first that something was booked on without it.", day()},
	"to":                {"The last day; today without it.", day()},
	"month":             {"The month, yyyy-mm. It is required.", object{{"type", "string"}, {"pattern", "^[0-9]{4}-(0[1-9]|1[0-2])$"}}},
	"q":                 {"A number of any kind, with or without a word before it, a KID, an account, a sum, or words of a name or a place.", object{{"type", "string"}, {"minLength", 1}, {"maxLength", models.MaxQuery}}},
	"search":            {"A number, or a part of a name.", object{{"type", "string"}}},
	"after":             {"The ID of an event: only later ones are listed.", object{{"type", "integer"}, {"format", "int64"}, {"minimum", 0}}},
	"account":           {"The bank account of statement lines.", object{{"type", "string"}}},
	"format":            {"csv for the whole list in CSV.", oneOf("csv")},
	"filename":          {"The name by which the payment file is kept.", object{{"type", "string"}}},
	"only_charges":      {"1 shows only the invoices whose principal is paid, and on which fees or interest are left.", oneOf("0", "1")},
	"is_incasso_notice": {"1 shows the debt-collection warning, 0 the reminder.", oneOf("0", "1")},
	"accept_conflict":   {"1 takes a file whose transmission number came before with other content.", oneOf("0", "1")},
	"open":              {"1 shows only claims on which something is owed, and that nobody has closed.", oneOf("0", "1")},
	"of":                {"Which XML Schema: that of answers, or that of requests.", oneOf("answers", "requests")},
	"document":          {"The uri of an invoice, a credit note or an overdue notice: only its shipments.", object{{"type", "string"}, {"format", "uri-reference"}}},
	"method":            {"Only shipments by this method.", oneOf(texts(models.MethodsToAsk)...)},
	"state":             {"Only shipments in this state.", oneOf(texts(models.ShipmentStates)...)},
	"kind":              {"Only what stands still for this: a hold, a dispute, more time.", oneOf(texts(models.StandstillKinds)...)},
	"transaction_type":  {"Only entries of this type.", object{{"$ref", "#/components/schemas/EntryType"}}},
}

// statuses are the statuses of lists, by the last word of their path. Several of them are combined with |.
var statuses = map[string]parameter{
	"invoices": {
		"Only invoices of these statuses; overdue stands for all that are overdue, waiting for what is sent and not overdue.",
		someOf(append(texts(models.Statuses), "all", "paid", "overdue", "waiting")),
	},
	"credit_notes": {
		"Only credit notes of these statuses; waiting is not_paid, and overdue is none.",
		someOf([]string{"credit_note_sent", "credit_note_paid", "all", "paid", "not_paid", "waiting", "overdue"}),
	},
	"collections":        {"Only claims of which the collector told this last; none stands for those of which it has told nothing.", oneOf("none", "received", "rejected", "paid", "closed_unpaid")},
	"standing_still":     {"What stands still now, or what has ended; without it what does now.", oneOf("running", "ended")},
	"unmatched_payments": {"Only these payments.", oneOf("open", "resolved", "all")},
	"repayments":         {"Only repayments of this status.", oneOf("waiting", "in_file", "paid", "withdrawn", "stopped")},
	"deliveries":         {"Only deliveries of these statuses.", someOf([]string{"pending", "delivered", "failed", "all"})},
}

func day() object { return object{{"type", "string"}, {"format", "date"}} }

func oneOf(values ...string) object { return object{{"type", "string"}, {"enum", values}} }

// someOf is one of the values, or several with | between them.
func someOf(values []string) object {
	one := "(" + strings.Join(values, "|") + ")"
	return object{{"type", "string"}, {"pattern", "^" + one + `(\|` + one + ")*$"}}
}

func texts[T ~string](values []T) []string {
	found := make([]string, len(values))
	for i, v := range values {
		found[i] = string(v)
	}
	return found
}
