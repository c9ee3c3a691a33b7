package form

import (
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"purr/models"
)

// faultNames returns an error's faults, each as code@field or code.
func faultNames(err error) []string {
	var several models.Errors
	var one *models.Error
	switch {
	case errors.As(err, &several):
	case errors.As(err, &one):
		several = models.Errors{one}
	}
	var names []string
	for _, f := range several {
		name := f.Code
		if len(f.Place) > 0 {
			name += "@" + f.Place.String()
		}
		names = append(names, name)
	}
	return names
}

func TestD4ParseForm(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		body string
		kind models.Kind
		want string // a's text, or the fault
	}{
		{"UTF-8 without a declaration", `<r><a>æøå</a></r>`, 0, "æøå"},
		{"UTF-8 with a byte order mark", "\ufeff<?xml version=\"1.0\"?><r><a>æøå</a></r>", 0, "æøå"},
		{"UTF-8 that is declared", `<?xml version="1.0" encoding="utf-8"?><r><a>æøå</a></r>`, 0, "æøå"},
		{"ISO-8859-1 that is declared", "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><r><a>\xe6\xf8\xe5</a></r>", 0, "æøå"},
		{"CDATA, comments and entities are text", `<r><a>1 &lt;<!-- no --> <![CDATA[<2>]]>&#x41;</a></r>`, 0, "1 < <2>A"},
		{"a comment and an instruction outside the root", "<!-- a --><?go on?><r><a/></r>\n<!-- b -->\n", 0, ""},
		{"a namespace on the root is the body's own", `<r xmlns="urn:x"><a>1</a></r>`, 0, "1"},
		{"ISO-8859-1 that is not declared", "<r><a>\xe6</a></r>", models.KindMalformed, "malformed_xml"},
		{"another encoding", `<?xml version="1.0" encoding="utf-16"?><r/>`, models.KindMalformed, "unsupported_encoding"},
		{"nothing", "", models.KindMalformed, "malformed_xml"},
		{"text alone", "hello", models.KindMalformed, "malformed_xml"},
		{"no end", "<r><a>", models.KindMalformed, "malformed_xml"},
		{"the wrong end", "<r><a></r></a>", models.KindMalformed, "malformed_xml"},
		{"a second root", "<r/><r/>", models.KindMalformed, "malformed_xml"},
		{"text after the root", "<r/>x", models.KindMalformed, "malformed_xml"},
		{"a declaration that is not the beginning", `<r/><?xml version="1.0"?>`, models.KindMalformed, "malformed_xml"},
		{"an attribute twice", `<r a="1" a="2"/>`, models.KindMalformed, "malformed_xml"},
		{"an entity of the caller's own", `<r><a>&own;</a></r>`, models.KindMalformed, "malformed_xml"},
		{"a control character", "<r><a>\x01</a></r>", models.KindMalformed, "malformed_xml"},
		{"a document type", `<!DOCTYPE r><r/>`, models.KindMalformed, "doctype_not_allowed"},
		{"a document type with entities", `<!DOCTYPE r [<!ENTITY a "b">]><r>&a;</r>`, models.KindMalformed, "doctype_not_allowed"},
		{"a document type inside", `<r><!DOCTYPE r></r>`, models.KindMalformed, "doctype_not_allowed"},
		{"another root", `<s/>`, models.KindInvalid, "unknown_element@s"},
		{"nesting without end", strings.Repeat("<r>", 1000), models.KindInvalid, "too_deep"},
		{"elements without end", "<r>" + strings.Repeat("<a/>", maxElements) + "</r>", models.KindInvalid, "too_many_elements"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := Parse(Body{Text: []byte(test.body)}, "r")
			if test.kind != models.KindInternal {
				if got := strings.Join(faultNames(err), " "); got != test.want || models.KindOf(err) != test.kind {
					t.Fatalf("parsed with %q (%v), want %q", got, err, test.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := f.Text("a"); got != test.want {
				t.Errorf("a is %q, want %q", got, test.want)
			}
			if err := f.Done(nil); err != nil {
				t.Errorf("faults: %v", err)
			}
		})
	}
}

func TestD4OnlyWhatIsAskedForIsTaken(t *testing.T) {
	t.Parallel()
	const body = `<r q="ignored"><one>1</one><extra><deep/></extra><list><item><a/></item><item><a/><b/></item><other/></list>
		<one>2</one><many/><many/>text<x:one xmlns:x="urn:x"/></r>`
	f, err := Parse(Body{Text: []byte(body)}, "r")
	if err != nil {
		t.Fatal(err)
	}
	f.Text("one")
	for _, item := range f.Child("list").Each("item") {
		item.Text("a")
	}
	want := []string{
		"unknown_element@extra", "unknown_element@list/item[2]/b", "unknown_element@list/other", "duplicate_element@one[2]",
		"unknown_element@many[1]", "unknown_element@many[2]", "unknown_element@urn:x:one", "unexpected_text",
	}
	if got := faultNames(f.Done(nil)); !slices.Equal(got, want) {
		t.Errorf("faults\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestD5OneFaultAPlace(t *testing.T) {
	t.Parallel()
	f, err := Parse(Body{Text: []byte(`<r><a>x</a><b> </b></r>`)}, "r")
	if err != nil {
		t.Fatal(err)
	}
	f.Require("a", "b", "c")
	f.Amount("a")
	f.Amount("b")
	f.Amount("c")
	var further models.Errors
	further.Add("amount_zero", "a", "must not be zero")
	further.Add("too_long", "d", "is too long")
	want := []string{"required@b", "required@c", "invalid_amount@a", "too_long@d"}
	if got := faultNames(f.Done(further)); !slices.Equal(got, want) {
		t.Errorf("faults %v, want %v", got, want)
	}
}

func TestD13ValuesOfElements(t *testing.T) {
	t.Parallel()
	read := map[string]func(e *Element) (any, bool){
		"amount":   func(e *Element) (any, bool) { v, ok := e.Amount("v"); return v, ok },
		"price":    func(e *Element) (any, bool) { v, ok := e.Price("v"); return v, ok },
		"quantity": func(e *Element) (any, bool) { v, ok := e.Quantity("v"); return v, ok },
		"percent":  func(e *Element) (any, bool) { v, ok := e.Percent("v"); return v, ok },
		"integer":  func(e *Element) (any, bool) { v, ok := e.Integer("v"); return v, ok },
		"number":   func(e *Element) (any, bool) { v, ok := e.Number("v"); return v, ok },
		"date":     func(e *Element) (any, bool) { v, ok := e.Date("v"); return v, ok },
		"flag":     func(e *Element) (any, bool) { v, ok := e.Flag("v"); return v, ok },
	}
	for _, test := range []struct{ kind, text, want string }{
		{"amount", "1250", "1250.00"},
		{"amount", "-35.5", "-35.50"},
		{"amount", " \n 1.00 ", "1.00"},
		{"amount", "1.005", "invalid_amount@v"},
		{"amount", "1,50", "invalid_amount@v"},
		{"amount", "1e3", "invalid_amount@v"},
		{"amount", "+1", "invalid_amount@v"},
		{"amount", "9999999999.99", "9999999999.99"},
		{"amount", "10000000000.00", "invalid_amount@v"},
		{"amount", "", "invalid_amount@v"},
		{"price", "0.0001", "0.0001"},
		{"price", "0.00001", "invalid_number@v"},
		{"quantity", "-1.125", "-1.125"},
		{"quantity", "1.1255", "invalid_number@v"},
		{"percent", "12.25", "12.25"},
		{"percent", "12.255", "invalid_number@v"},
		{"integer", "0", "0"},
		{"integer", "-1", "-1"},
		{"integer", "+1", "invalid_number@v"},
		{"integer", "1.0", "invalid_number@v"},
		{"integer", "2147483648", "invalid_number@v"},
		{"number", "20260000001", "20260000001"},
		{"date", "2028-02-29", "2028-02-29"},
		{"date", "2026-02-29", "invalid_date@v"},
		{"date", "2026-2-1", "invalid_date@v"},
		{"date", "01.02.2026", "invalid_date@v"},
		{"flag", "1", "true"},
		{"flag", "0", "false"},
		{"flag", "true", "invalid_flag@v"},
	} {
		t.Run(test.kind+" "+test.text, func(t *testing.T) {
			f, err := Parse(Body{Text: []byte("<r><v>" + test.text + "</v></r>")}, "r")
			if err != nil {
				t.Fatal(err)
			}
			v, sent := read[test.kind](f.Element)
			got := fmt.Sprint(v)
			if !sent {
				got = strings.Join(faultNames(f.Done(nil)), " ")
			}
			if got != test.want {
				t.Errorf("read %s, want %s", got, test.want)
			}
		})
	}
}

// FuzzParseForm holds that no body does harm, that every fault has a code, that text which is read is in UTF-8, and that what
// only answers have is compared with any of them (rule L20).
func FuzzParseForm(f *testing.F) {
	f.Add([]byte(`<?xml version="1.0" encoding="ISO-8859-1"?><invoice><lines><line index="1">` + "\xe6" + `</line></lines></invoice>`))
	f.Add([]byte(`<!DOCTYPE invoice [<!ENTITY a "&a;&a;">]><invoice>&a;</invoice>`))
	f.Add([]byte(`<invoice xmlns:x="urn:x"><x:lines/><lines/><lines/>text<![CDATA[]]></invoice>`))
	f.Add([]byte(`<invoice><lines><line uri="/line/1"><gross_amount>1.50</gross_amount></line></lines><invoice_number>7</invoice_number></invoice>`))
	type line struct {
		URI   string `xml:"uri,attr"`
		Gross string `xml:"gross_amount"`
	}
	type lines struct {
		Lines []line `xml:"line"`
	}
	type invoice struct {
		XMLName xml.Name `xml:"invoice"`
		Number  int      `xml:"invoice_number"`
		Lines   lines    `xml:"lines"`
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		body, err := Parse(Body{Text: raw}, "invoice")
		if err != nil {
			if kind := models.KindOf(err); kind != models.KindMalformed && kind != models.KindInvalid {
				t.Fatalf("refused with kind %d: %v", kind, err)
			}
			return
		}
		body.Knows(invoice{})
		body.Text("invoice_note")
		for _, line := range body.Child("lines").Each("line") {
			line.Price("unit_price")
			line.Percent("discount_percent")
		}
		_ = body.Done(nil)
		if err := body.Agrees(invoice{Number: 7, Lines: lines{[]line{{"/line/1", "1.50"}, {"/line/2", ""}}}}); models.KindOf(err) != models.KindInvalid && err != nil {
			t.Errorf("the answer cannot be compared: %v", err)
		}
		for _, fault := range body.faults {
			if fault.Code == "" || fault.Msg == "" {
				t.Errorf("fault without a code or message: %+v", fault)
			}
		}
		if text, _ := body.Text("invoice_note"); !utf8.ValidString(text) {
			t.Errorf("the text %q is not UTF-8", text)
		}
	})
}
