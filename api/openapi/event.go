package openapi

import (
	"cmp"

	"purr/api/schema"
)

// eventExample is an event as it is posted.
var eventExample = object{
	{"type", "invoice.created"},
	{"timestamp", "2026-03-02T12:00:00+01:00"},
	{"id", 17},
	{"creditor", object{{"organisation_number", "974760673"}, {"name", "Kaffe & Kake AS"}}},
	{"actor", "API key 2 (shop)"},
	{"data", object{
		{"text", "invoice 1 was issued"},
		{"subject_id", 1},
		{"invoice", object{{"uri", "/api/v1/invoice/1"}}},
		{"customer", object{{"uri", "/api/v1/customer/1"}}},
	}},
}

// event returns the schema of an event in JSON (rule J4), which is not made of its XML. The element says of which types it may be, and what
// its links are.
func (s *schemas) event(f *schema.Field) object {
	links := object{}
	for _, name := range []string{"invoice", "customer"} {
		links = append(links, member{name, s.object(f.Type.Field(name))})
	}
	return object{
		{"type", "object"},
		{"description", cmp.Or(said(f.Type.Doc), "What happened.")},
		{"properties", object{
			{"type", s.leaf(f.Type.Field("type"))},
			{"timestamp", object{{"type", "string"}, {"format", "date-time"}, {"description", "When it happened, with the offset of the creditor's time zone."}}},
			{"id", identifier()},
			{"creditor", object{
				{"type", "object"},
				{"description", "Whose the event is."},
				{"properties", object{{"organisation_number", s.leaf(schema.Answer("creditor").Type.Field("organisation_number"))}, {"name", object{{"type", "string"}}}}},
				{"required", []string{"organisation_number", "name"}},
				{"additionalProperties", false},
			}},
			{"actor", object{{"type", "string"}, {"description", "Who did it; absent where purr did."}}},
			{"data", object{
				{"type", "object"},
				{"properties", append(object{
					{"text", object{{"type", "string"}, {"description", "What happened, for a person."}}},
					{"subject_id", object{{"type", "integer"}, {"format", "int64"}, {"minimum", 0}, {"description", "The ID of what the event is about."}}},
					{"facts", object{{"type", "object"}, {"description", "What a program needs beyond the ids. Each type of event has its own."}}},
				}, links...)},
				{"required", []string{"text", "subject_id"}},
				{"additionalProperties", false},
			}},
		}},
		{"required", []string{"type", "timestamp", "id", "creditor", "data"}},
		{"additionalProperties", false},
	}
}
