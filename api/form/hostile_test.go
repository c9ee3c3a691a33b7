package form

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// size is how long a hostile body is, in bytes.
const size = 1 << 20

// fill returns a body of this size that has the same over and over.
func fill(before, each, after string) string {
	return before + strings.Repeat(each, (size-len(before)-len(after))/len(each)) + after
}

// numbered returns a body of nearly this size that has the same over and over, each with another number.
func numbered(before, form, after string) string {
	var b strings.Builder
	for b.WriteString(before); b.Len() < size-len(after)-20; {
		fmt.Fprintf(&b, form, b.Len())
	}
	return b.String() + after
}

// TestO9AHostileBodyCostsLittle reads bodies of 1 MiB that are made to cost much. It bounds the bytes that are
// allocated for each, the time, and the faults that are told of it.
func TestO9AHostileBodyCostsLittle(t *testing.T) {
	long := strings.Repeat("x", size/2)
	for name, body := range map[string]string{
		"a long namespace on 20 000 elements": `<r xmlns:p="` + long + `">` + strings.Repeat("<p:a/>", maxElements-1) + `</r>`,
		"a long namespace on the root":        `<r xmlns="` + long + `">` + strings.Repeat(`<a xmlns=""/>`, maxElements-1) + `</r>`,
		"a long name":                         `<r><` + long + `/></r>`,
		"a long name that is not closed":      `<r><` + long + `></r>`,
		"many names":                          numbered("<r>", "<n%d/>", "</r>"),
		"elements with faults":                "<r><list>" + strings.Repeat("<line/>", maxElements-2) + "</list></r>",
		"elements that nothing reads":         "<r>" + strings.Repeat("<a>x</a>", maxElements-1) + "</r>",
		"empty elements":                      fill("<r>", "<a/>", "</r>"),
		"deep":                                fill("", "<r>", ""),
		"attributes":                          numbered("<r", ` a%d=""`, "/>"),
		"attributes of many elements":         fill("<r>", `<a b="" c="" d="" e="" f="" g="" h="" i="" j=""/>`, "</r>"),
		"namespaces":                          numbered("<r", ` xmlns:a%d="u"`, "/>"),
		"text":                                fill("<r><a>", "x", "</a></r>"),
		"a number":                            fill("<r><n>", "9", "</n></r>"),
		"entities":                            fill("<r><a>", "&amp;", "</a></r>"),
		"character references":                fill("<r><a>", "&#x10FFFF;", "</a></r>"),
		"sections":                            fill("<r><a>", "<![CDATA[]]>", "</a></r>"),
		"comments":                            fill("<r>", "<!---->", "</r>"),
		"instructions":                        fill("<r>", "<?a?>", "</r>"),
		"an instruction":                      fill("<r><?a ", "?", "?></r>"),
		"a document type":                     fill("<!DOCTYPE r [", `<!ENTITY a "b">`, "]><r/>"),
		"ISO-8859-1":                          fill(`<?xml version="1.0" encoding="ISO-8859-1"?><r><a>`, "\xe6", "</a></r>"),
		"an encoding":                         fill(`<?xml version="1.0" encoding="`, "x", `"?><r/>`),
		"broken UTF-8":                        fill("<r><a>", "\xff", "</a></r>"),
	} {
		t.Run(name, func(t *testing.T) {
			costsLittle(t, size, func() (*Form, error) { return Parse(Body{Text: []byte(body)}, "r") })
		})
	}
}

// TestJ1AHostileBodyInJSONCostsLittle does the same with bodies in JSON.
func TestJ1AHostileBodyInJSONCostsLittle(t *testing.T) {
	if _, err := Parse(Body{Text: []byte("{}"), JSON: true}, "invoice"); err != nil { // the schema is compiled once
		t.Fatal(err)
	}
	for name, body := range map[string]string{
		"deep arrays":                   fill(`{"lines":`, "[", ""),
		"deep objects":                  fill("", `{"x":`, ""),
		"deep in what is known":         fill("", `{"recipient":`, ""),
		"a text":                        fill(`{"our_reference":"`, "x", `"}`),
		"a text of escapes":             fill(`{"our_reference":"`, `\u00e6`, `"}`),
		"a text of pairs":               fill(`{"our_reference":"`, `\ud83d\ude00`, `"}`),
		"a text that does not end":      fill(`{"our_reference":"`, "x", ""),
		"broken UTF-8":                  fill(`{"our_reference":"`, "\xff", `"}`),
		"a number":                      fill(`{"num_due_days":`, "9", "}"),
		"a number of decimals":          fill(`{"lines":[{"unit_price":0.`, "3", "}]}"),
		"a number with a huge exponent": fill(`{"num_due_days":1e`, "9", "}"),
		"a number beyond floats":        `{"num_due_days":1e999999,"lines":[{"unit_price":-1e999999,"num_items":1e-999999}]}`,
		"a number for a text":           fill(`{"our_reference":`, "9", "}"),
		"names":                         numbered("{", `"n%d":1,`, `"z":1}`),
		"the same name":                 fill("{", `"our_reference":"",`, `"z":1}`),
		"an attribute again and again":  fill(`{"recipient":{`, `"uri":"",`, `"uri":""}}`),
		"a long name":                   fill(`{"`, "n", `":1}`),
		"a long name of an object":      fill(`{"x":{"`, "n", `":1}}`),
		"empty lines":                   fill(`{"lines":[`, "{},", "{}]}"),
		"lines of the wrong kind":       fill(`{"lines":[`, "1,", "1]}"),
		"lines with faults":             fill(`{"lines":[`, `{"unit_price":[]},`, "{}]}"),
		"arrays again and again":        fill("{", `"lines":[],`, `"z":1}`),
		"what nothing knows":            fill(`{"x":[`, "[],", "1]}"),
		"white space":                   fill("{", " ", "}"),
		"objects, one after the other":  fill("", "{}", ""),
	} {
		t.Run(name, func(t *testing.T) {
			costsLittle(t, size, func() (*Form, error) { return Parse(Body{Text: []byte(body), JSON: true}, "invoice") })
		})
	}
}

// costsLittle reads a body of at most so many bytes, asks for some of it, and bounds what that costs.
func costsLittle(t *testing.T, size uint64, parse func() (*Form, error)) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	f, err := parse()
	if err == nil {
		f.Amount("n")
		f.Integer("num_due_days")
		for _, line := range f.Child("list").Each("line") {
			line.Require("a", "b", "c")
		}
		for _, line := range f.Child("lines").Each("line") {
			line.Price("unit_price")
			line.Require("line_text", "vat_rate")
		}
		err = f.Done(nil)
	}
	if took := time.Since(began); took > 2*time.Second { // a tenth of a second, on a machine that does nothing else
		t.Errorf("it took %s", took)
	}
	runtime.ReadMemStats(&after)
	if cost := after.TotalAlloc - before.TotalAlloc; cost > 32*size {
		t.Errorf("%d KiB were allocated", cost>>10)
	}
	if faults := faultNames(err); len(faults) > maxFaults {
		t.Errorf("there are %d faults", len(faults))
	}
}
