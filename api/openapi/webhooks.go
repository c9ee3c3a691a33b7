package openapi

import "purr/api/schema"

// webhooks describes what is posted to the endpoints of webhooks.
func (d *description) webhooks() object {
	return object{{"event", object{{"post", object{
		{"operationId", "receiveEvent"},
		{"tags", []string{"Events and webhooks"}},
		{"summary", "Receives an event that purr posts to a webhook."},
		{"description", "Signed as the Standard Webhooks specification has it, with the webhook's secret. Any answer from 200 to 299 takes the event; " +
			"else it is posted again, later and later, for three days. An event may come twice: webhook-id tells."},
		{"security", []object{}},
		{"parameters", []object{
			webhookHeader("webhook-id", "The name of the event, the same at every attempt.", "^evt_[1-9][0-9]*$"),
			webhookHeader("webhook-timestamp", "When this attempt was made, in seconds since 1970.", "^[0-9]+$"),
			webhookHeader("webhook-signature", "The signatures of id, timestamp and body, with blanks between them.", "^v1,"),
		}},
		{"requestBody", object{{"required", true}, {"content", object{
			{"application/json", object{{"schema", d.shown.root(schema.Answer("event"))}, {"example", eventExample}}},
			{"application/xml", object{{"schema", object{
				{"type", "string"},
				{"contentMediaType", "application/xml"},
				{"description", "The element event, as the XML Schema at /api/v1/schema.xsd describes it."},
			}}}},
		}}}},
		{"responses", object{{"2XX", object{{"description", "The event is taken."}}}}},
	}}}}}
}

func webhookHeader(name, does, pattern string) object {
	return object{
		{"name", name},
		{"in", "header"},
		{"required", true},
		{"description", does},
		{"schema", object{{"type", "string"}, {"pattern", pattern}}},
	}
}
