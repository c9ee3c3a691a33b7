package openapi

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"purr/api/schema"
)

// shared are the codes of refusals that operations of a kind have in common, by status. What is an operation's own is in codes.json.
type shared map[int][]string

var (
	ofAll      = shared{http.StatusForbidden: {"cross_origin"}, http.StatusInternalServerError: {"internal"}, http.StatusServiceUnavailable: {"unavailable"}}
	ofKeys     = shared{http.StatusBadRequest: {"invalid_host"}, http.StatusUnauthorized: {"key_required", "key_wrong"}, http.StatusForbidden: {"scope_insufficient"}, http.StatusTooManyRequests: {"rate_limited", "too_many_wrong_keys"}}
	ofIDs      = shared{http.StatusNotFound: {"not_found"}}
	ofForms    = shared{http.StatusNotAcceptable: {"not_acceptable"}}
	ofQueries  = shared{http.StatusBadRequest: {"malformed_query", "repeated_parameter", "unknown_parameter"}}
	ofPages    = shared{http.StatusBadRequest: {"out_of_range"}}
	ofDays     = shared{http.StatusBadRequest: {"invalid_date"}}
	ofBodies   = shared{http.StatusBadRequest: {"body_incomplete"}, http.StatusRequestEntityTooLarge: {"too_large"}, http.StatusUnsupportedMediaType: {"unsupported_media_type"}}
	ofElements = shared{
		http.StatusBadRequest:          {"doctype_not_allowed", "malformed_json", "malformed_xml", "unsupported_encoding"},
		http.StatusUnprocessableEntity: {"differs", "duplicate_element", "invalid_type", "more_faults", "too_deep", "too_many_attributes", "too_many_elements", "unexpected_text", "unknown_element"},
	}
	ofPosts = shared{
		http.StatusBadRequest: {"invalid_idempotency_key"}, http.StatusConflict: {"held", "idempotency_in_progress"},
		http.StatusUnprocessableEntity: {"idempotency_key_reused", "idempotency_mismatch"},
	}
	ofWrites  = shared{http.StatusUnprocessableEntity: {"invalid_time_zone"}} // of the creditor's own zone (rule D102)
	ofChanges = shared{http.StatusConflict: {"held"}}
)

// kinds are the kinds of operations, each with what its operations have in common.
var kinds = []struct {
	has    func(op Operation) bool
	shared shared
}{
	{func(Operation) bool { return true }, ofAll},
	{func(op Operation) bool { return op.Scope != "" }, ofKeys},
	{func(op Operation) bool { return strings.Contains(op.Path, "{id}") }, ofIDs},
	{func(op Operation) bool { return op.Scope != "" && len(op.Media) == 0 }, ofForms},
	{func(op Operation) bool { return len(op.Parameters) > 0 }, ofQueries},
	{func(op Operation) bool { return slices.Contains(op.Parameters, "page") }, ofPages},
	{func(op Operation) bool {
		return slices.ContainsFunc(op.Parameters, func(name string) bool { return strings.Contains(name, "date") })
	}, ofDays},
	{func(op Operation) bool { return op.Method == http.MethodPost || op.Method == http.MethodPut }, ofBodies},
	{func(op Operation) bool { return schema.RequestOf(op.Method, op.Path) != nil }, ofElements},
	{func(op Operation) bool { return op.Method == http.MethodPost }, ofPosts},
	{func(op Operation) bool {
		return op.Scope != "" && op.Method != http.MethodGet && op.Path != "/api/v1/creditor"
	}, ofWrites},
	{func(op Operation) bool { return op.Method == http.MethodPut || op.Method == http.MethodDelete }, ofChanges},
}

// codesOfTexts are the codes of texts that are not what their type says.
func codesOfTexts(f *schema.Field, found map[string]bool) {
	t := f.Type
	found["required"] = found["required"] || t.Texts != 0
	for kind, codes := range map[schema.Texts][]string{
		schema.Words: {"control_character", "too_long"}, schema.Decimal: {"invalid_amount", "invalid_number"}, schema.Whole: {"invalid_number"}, schema.Flag: {"invalid_flag"},
	} {
		for _, code := range codes {
			found[code] = found[code] || t.Texts&kind != 0
		}
	}
	found["invalid_date"] = found["invalid_date"] || t.Facets.Format == "date"
	for _, below := range t.Fields {
		codesOfTexts(below, found)
	}
}

// SharedCodes returns the codes of refusals that the operation has in common with others, by status.
func SharedCodes(op Operation) map[int][]string {
	found := map[int][]string{}
	if body := schema.RequestOf(op.Method, op.Path); body != nil {
		codes := map[string]bool{}
		codesOfTexts(body, codes)
		for _, code := range slices.Sorted(maps.Keys(codes)) {
			if codes[code] {
				found[http.StatusUnprocessableEntity] = append(found[http.StatusUnprocessableEntity], code)
			}
		}
	}
	for _, kind := range kinds {
		if kind.has(op) {
			for status, codes := range kind.shared {
				found[status] = append(found[status], codes...)
			}
		}
	}
	return found
}

// codesOf returns all codes of the operation's refusals, by status. What is wrong with a body is so for all that take it.
func (d *description) codesOf(op Operation) map[int][]string {
	found := SharedCodes(op)
	for status, codes := range d.codes[op.Name] {
		if n, err := strconv.Atoi(status); err == nil { // a test holds them to the conversations
			found[n] = append(found[n], codes...)
		}
	}
	body := schema.RequestOf(op.Method, op.Path)
	for _, other := range d.operations {
		if body != nil && schema.RequestOf(other.Method, other.Path) == body {
			wrong := strconv.Itoa(http.StatusUnprocessableEntity)
			found[http.StatusUnprocessableEntity] = append(found[http.StatusUnprocessableEntity], d.codes[other.Name][wrong]...)
		}
	}
	return found
}

func (d *description) refusalStatuses(op Operation) []int {
	return slices.Sorted(maps.Keys(d.codesOf(op)))
}

// refusalCodes returns the codes by status, as the document has them.
func (d *description) refusalCodes(op Operation) object {
	codes := d.codesOf(op)
	found := object{}
	for _, status := range slices.Sorted(maps.Keys(codes)) {
		found = append(found, member{strconv.Itoa(status), slices.Compact(slices.Sorted(slices.Values(codes[status])))})
	}
	return found
}

// told are the statuses of refusals, and when they are answered.
var told = map[int]string{
	http.StatusBadRequest:            "The request cannot be read.",
	http.StatusUnauthorized:          "The key is missing or wrong.",
	http.StatusForbidden:             "The key's scope does not suffice.",
	http.StatusNotFound:              "This creditor has no such thing.",
	http.StatusNotAcceptable:         "The Accept names one of the two forms, JSON or XML, and takes neither (q=0). One that names neither is answered in XML.",
	http.StatusConflict:              "The state of the thing forbids it.",
	http.StatusRequestEntityTooLarge: "The body is too large.",
	http.StatusUnsupportedMediaType:  "The body's Content-Type is none of those that are listed, or that of JSON while the body is XML; or the body is compressed (Content-Encoding).",
	http.StatusUnprocessableEntity:   "The content is wrong.",
	http.StatusTooManyRequests:       "Too many requests came.",
	http.StatusInternalServerError:   "Something failed in purr.",
	http.StatusServiceUnavailable:    "The database, or another server that is needed, does not answer.",
	http.StatusInsufficientStorage:   "The disk is nearly full.",
}

// waits are the statuses that say how long to wait.
var waits = []int{http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusInsufficientStorage}

// nameOf returns the name of the answer that refuses with a status: NotFound.
func nameOf(status int) string { return strings.ReplaceAll(http.StatusText(status), " ", "") }

// refusals returns the answers that refuse, by name.
func refusals() object {
	found := object{}
	for _, status := range slices.Sorted(maps.Keys(told)) {
		found = append(found, member{nameOf(status), refusal(status)})
	}
	return found
}

// refusal returns the answer that refuses with a status. It may have more headers.
func refusal(status int, more ...member) object {
	headers := object{{"X-Request-Id", object{{"$ref", "#/components/headers/request_id"}}}}
	if slices.Contains(waits, status) {
		headers = append(headers, member{"Retry-After", object{{"$ref", "#/components/headers/retry_after"}}})
	}
	if status == http.StatusUnauthorized {
		headers = append(headers, member{"WWW-Authenticate", object{{"$ref", "#/components/headers/www_authenticate"}}})
	}
	return object{
		{"description", told[status] + " The operation's x-error-codes lists the codes."},
		{"headers", append(headers, more...)},
		{"content", object{
			{"application/problem+json", object{{"schema", reference("Problem")}}},
			{"application/xml", inXML(schema.Answer("errors"), "answers")},
		}},
	}
}

// problem is the schema of a refusal in JSON (RFC 9457), and that of one of its faults.
func (d *description) problem() (problem, fault object) {
	code := schema.Answer("errors").Type.Field("error").Type.Field("code")
	text := object{{"type", "string"}}
	problem = object{
		{"type", "object"},
		{"description", "A refusal, with all that is wrong with the request (RFC 9457)."},
		{"properties", object{
			{"type", object{{"type", "string"}, {"const", "about:blank"}}},
			{"title", object{{"type", "string"}, {"description", "The status in words."}}},
			{"status", object{{"type", "integer"}, {"minimum", 400}, {"maximum", 599}}},
			{"request_id", object{{"type", "string"}, {"description", "The request's X-Request-Id."}}},
			{"errors", object{{"type", "array"}, {"items", reference("Fault")}, {"minItems", 1}, {"maxItems", 200}}},
		}},
		{"required", []string{"type", "title", "status", "request_id", "errors"}},
		{"additionalProperties", false},
	}
	fault = object{
		{"type", "object"},
		{"description", "One fault. It has one place, or none."},
		{"properties", object{
			{"code", d.shown.leaf(code)},
			{"pointer", object{{"type", "string"}, {"pattern", "^(/.*)?$"}, {"description", "Its place in the body, as a JSON pointer (RFC 6901)."}}},
			{"parameter", append(slices.Clone(text), member{"description", "The query parameter."})},
			{"field", append(slices.Clone(text), member{"description", "Its place in a payment file."})},
			{"detail", append(slices.Clone(text), member{"description", "What is wrong, in words that may change."})},
		}},
		{"required", []string{"code", "detail"}},
		{"additionalProperties", false},
	}
	return problem, fault
}
