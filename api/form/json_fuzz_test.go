package form

import (
	"encoding/xml"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"purr/api/schema"
	"purr/models"
)

// fuzzedRoots are elements that FuzzParseJSON reads.
var fuzzedRoots = []string{"invoice", "customer", "creditor", "webhook", "close", "payment_plan"}

// FuzzParseJSON holds that no body in JSON does harm (rule J1): a refusal has a kind, a code and a pointer, and what is taken has no more
// elements than a body in XML, and gives the elements that the same body in XML gives.
func FuzzParseJSON(f *testing.F) {
	for _, body := range []string{
		`{"num_due_days": 14, "recipient": {"uri": "/api/v1/customer/1"}, "lines": [{"line_text": "Kaffe", "unit_price": 100.50, "num_items": "2", "vat_rate": "HIGH"}]}`,
		`{"lines": [{"index": 1, "vat_rate_percent": "25"}, null, 7], "shipments": [], "lines": [{}], "unknown": [{"a": [[1e9]]}]}`,
		`{"name1": "\ud83d\ude00 \u0000", "dunning_policy": {"enabled": true, "fee": "max", "hand_over_days": 30}, "email": null}`,
		`{"bank_account": "12345678903", "bank_account_state": "waiting", "vat_rates": [{"text": "x", "name": "HIGH"}]}`,
		`{"url": "https://a.no", "enabled": "1", "event_types": ["invoice.created", 1, null], "format": "json"}`,
		"\ufeff{}", `[`, `{"a":`, `{"name1": NaN}`, `{"name1": "` + "\xff" + `"}`, `{"a/b~c": 1}`, `{"num_due_days": -0}`,
	} {
		for i := range fuzzedRoots {
			f.Add([]byte(body), uint8(i)) //nolint:gosec // there are a few
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte, which uint8) {
		root := fuzzedRoots[int(which)%len(fuzzedRoots)]
		read, err := Parse(Body{Text: raw, JSON: true}, root)
		if err != nil {
			if kind := models.KindOf(err); kind != models.KindMalformed && kind != models.KindInvalid {
				t.Fatalf("refused with kind %d: %v", kind, err)
			}
			for _, fault := range faultsIn(err) {
				mustTell(t, root, fault)
			}
			return
		}
		elements, attributes := read.count()
		if elements > maxElements+1 {
			t.Fatalf("there are %d elements", elements)
		}
		for _, fault := range read.faults {
			mustTell(t, root, fault)
		}
		var document strings.Builder
		if attributes > maxAttrs || !read.writeXML(t, &document) {
			return
		}
		same, err := Parse(Body{Text: []byte(document.String())}, root)
		if err != nil {
			t.Fatalf("%s is refused as XML, %s: %v", raw, document.String(), err)
		}
		if !read.equals(same.Element) {
			t.Errorf("%s is not what %s is", raw, document.String())
		}
		_ = read.Done(nil)
	})
}

// faultsIn returns the faults of a refusal.
func faultsIn(err error) models.Errors {
	if one, is := err.(*models.Error); is { //nolint:errorlint // Parse returns it bare
		return models.Errors{one}
	}
	return slices.Clone(err.(models.Errors)) //nolint:errorlint,forcetypeassert // so is this
}

func mustTell(t *testing.T, root string, fault *models.Error) {
	t.Helper()
	if at := Pointer(schema.Request(root), fault.Place); fault.Code == "" || fault.Msg == "" || at != "" && at[0] != '/' {
		t.Errorf("the fault says %q at %q: %s", fault.Code, at, fault.Msg)
	}
}

// count returns how many elements and attributes there are.
func (e *Element) count() (elements, attributes int) {
	elements, attributes = 1, len(e.attrs)
	for _, c := range e.children {
		more, of := c.count()
		elements, attributes = elements+more, attributes+of
	}
	return elements, attributes
}

// xmlName is a name that XML can write; of those, all that the interface has.
var xmlName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// writeXML writes the element as XML. It reports false for a name that XML cannot have.
func (e *Element) writeXML(t *testing.T, to *strings.Builder) bool {
	t.Helper()
	if !xmlName.MatchString(e.name) {
		return false
	}
	escape := func(text string) {
		if err := xml.EscapeText(to, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	to.WriteString("<" + e.name)
	for _, name := range slices.Sorted(maps.Keys(e.attrs)) {
		to.WriteString(" " + name + `="`)
		escape(e.attrs[name])
		to.WriteString(`"`)
	}
	to.WriteString(">")
	escape(e.text)
	for _, c := range e.children {
		if !c.writeXML(t, to) {
			return false
		}
	}
	to.WriteString("</" + e.name + ">")
	return true
}

// equals reports whether two elements say the same.
func (e *Element) equals(other *Element) bool {
	return e.name == other.name && e.index == other.index && e.text == other.text && maps.Equal(e.attrs, other.attrs) && slices.EqualFunc(e.children, other.children, (*Element).equals)
}
