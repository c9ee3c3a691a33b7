package openapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"purr/api/schema"
)

// operation returns the description of one method of one path.
func (d *description) operation(op Operation) object {
	o := object{{"operationId", op.Name}, {"tags", []string{op.Section}}, {"summary", op.Summary}}
	if op.Scope == "" {
		o = append(o, member{"description", "Needs no key."}, member{"security", []object{}})
	} else {
		o = append(o, member{"description", "Needs a key of scope " + string(op.Scope) + " or more."}, member{"x-scope", op.Scope})
	}
	o = append(o, member{"parameters", parameters(op)})
	if body := d.requestBody(op); body != nil {
		o = append(o, member{"requestBody", body})
	}
	return append(o, member{"responses", d.responses(op)}, member{"x-error-codes", d.refusalCodes(op)})
}

// parameters returns the parameters of the path, the headers and the query.
func parameters(op Operation) []object {
	found := []object{}
	refer := func(name string) { found = append(found, object{{"$ref", "#/components/parameters/" + name}}) }
	if strings.Contains(op.Path, "{id}") {
		refer("id")
	}
	for _, name := range op.Parameters {
		found = append(found, queryParameter(op, name))
	}
	if op.Method == http.MethodPost {
		refer("idempotency_key")
	}
	refer("request_id")
	return found
}

// takesFile reports whether the operation takes a bank's file.
func (op Operation) takesFile() bool {
	return op.Method == http.MethodPost && strings.HasSuffix(op.Path, "/payment_files/")
}

// takesPicture reports whether the operation takes a logo.
func (op Operation) takesPicture() bool {
	return op.Method == http.MethodPut && strings.HasSuffix(op.Path, "/logo")
}

// requestBody returns what the operation takes, nil if it takes nothing.
func (d *description) requestBody(op Operation) object {
	if op.takesFile() {
		binary := object{{"schema", object{{"type", "string"}, {"format", "binary"}, {"description", "An OCR giro or camt.054 file, as the bank made it."}}}}
		content := object{}
		for _, media := range []string{"text/plain", "application/octet-stream", "application/xml", "text/xml"} {
			content = append(content, member{media, binary})
		}
		return object{{"required", true}, {"content", content}}
	}
	if op.takesPicture() {
		binary := object{{"schema", object{{"type", "string"}, {"format", "binary"}, {"description", "A PNG or JPEG file of at most 256 KiB and 2000 × 800 pixels."}}}}
		return object{{"required", true}, {"content", object{{"image/png", binary}, {"image/jpeg", binary}, {"application/octet-stream", binary}}}}
	}
	root := schema.RequestOf(op.Method, op.Path)
	if root == nil {
		return nil
	}
	mayBeEmpty := strings.Contains(root.Doc, "empty body")
	shown := object{{"schema", d.sent.root(root)}}
	if example := d.examples[op.Name]; example.Request != nil {
		shown = append(shown, member{"example", example.Request})
	} else if mayBeEmpty {
		shown = append(shown, member{"example", object{}})
	}
	return object{
		{"required", !mayBeEmpty},
		{"content", object{{"application/json", shown}, {"application/xml", inXML(root, "requests")}, {"text/xml", inXML(root, "requests")}}},
	}
}

// inXML is the content of a body in XML, which XML Schema describes.
func inXML(root *schema.Field, of string) object {
	where := "/api/v1/schema.xsd"
	if of == "requests" {
		where += "?of=requests"
	}
	return object{{"schema", object{
		{"type", "string"},
		{"contentMediaType", "application/xml"},
		{"description", "The element " + root.Name + ", as the XML Schema at " + where + " describes it."},
	}}}
}

// created reports whether the operation makes a resource, and answers with its address.
func (op Operation) created() bool {
	return op.Method == http.MethodPost && (strings.HasSuffix(op.Path, "/") || strings.HasSuffix(op.Path, "/statement") || strings.HasSuffix(op.Path, "/copy"))
}

// begins reports whether the operation begins work that goes on after its answer (rule U12).
func (op Operation) begins() bool {
	return op.Method == http.MethodPost && strings.HasSuffix(op.Path, "/audits/")
}

// mayMakeNothing reports whether the operation answers 200 where there is nothing of which to make a resource (rule N12).
func (op Operation) mayMakeNothing() bool { return strings.HasSuffix(op.Path, "/repayment_files/") }

// responses returns the answers by their status.
func (d *description) responses(op Operation) object {
	requestID := member{"X-Request-Id", object{{"$ref", "#/components/headers/request_id"}}}
	var found object
	switch {
	case op.Method == http.MethodDelete:
		found = object{{"204", object{{"description", "It is done."}, {"headers", object{requestID}}}}}
	case op.created():
		status, what := "201", "The new resource."
		if op.begins() {
			status, what = "202", "The work is begun; this is how far it is."
		}
		found = object{{status, object{
			{"description", what},
			{"headers", object{requestID, {"Location", object{{"$ref", "#/components/headers/location"}}}}},
			{"content", d.content(op)},
		}}}
	}
	headers := object{requestID}
	if op.answersFile() {
		headers = append(headers, member{"Content-Disposition", object{{"$ref", "#/components/headers/content_disposition"}}})
	}
	if strings.HasSuffix(op.Path, "/raw") {
		headers = append(headers, member{"ETag", object{{"description", "The SHA-256 of the file."}, {"schema", object{{"type", "string"}}}}})
	}
	if op.Method != http.MethodDelete && (!op.created() || op.mayMakeNothing()) {
		found = append(object{{"200", object{{"description", "It is done, or shown."}, {"headers", headers}, {"content", d.content(op)}}}}, found...)
	}
	for _, status := range d.refusalStatuses(op) {
		if status == http.StatusConflict && op.takesFile() {
			before := object{{"description", "The address of the same file that came before, if it is one."}, {"schema", object{{"type", "string"}, {"format", "uri"}}}}
			found = append(found, member{strconv.Itoa(status), refusal(status, member{"Location", before})})
			continue
		}
		found = append(found, member{strconv.Itoa(status), object{{"$ref", "#/components/responses/" + nameOf(status)}}})
	}
	return found
}

// answersFile reports whether the operation may answer with a file that has a name.
func (op Operation) answersFile() bool {
	return op.Scope != "" && len(op.Media) > 0 || slices.Contains(op.Parameters, "format")
}

// content returns what a good answer holds, by its media type.
func (d *description) content(op Operation) object {
	content := object{}
	if root := schema.AnswerOf(op.Method, op.Path); root != nil {
		shown := object{{"schema", d.shown.root(root)}}
		if example := d.examples[op.Name]; example.Answer != nil {
			shown = append(shown, member{"example", example.Answer})
		}
		content = append(content, member{"application/json", shown}, member{"application/xml", inXML(root, "answers")})
	}
	for _, media := range op.Media {
		shown := object{{"schema", fileSchema(media)}}
		if media == "application/pdf" {
			shown = append(shown, member{"example", "%PDF-1.3"}) // as each begins
		}
		content = append(content, member{media, shown})
	}
	if slices.Contains(op.Parameters, "format") && !slices.Contains(op.Media, "text/csv") {
		content = append(content, member{"text/csv", object{{"schema", fileSchema("text/csv")}}})
	}
	return content
}

// fileSchema describes an answer that is no resource.
func fileSchema(media string) object {
	switch {
	case media == "application/json":
		return object{{"type", "object"}}
	case strings.HasPrefix(media, "text/"), media == "application/xml":
		return object{{"type", "string"}}
	}
	return object{{"type", "string"}, {"format", "binary"}}
}
