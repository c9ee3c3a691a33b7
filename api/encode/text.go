package encode

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"purr/api/schema"
)

func nameText(name string) []byte { return []byte(`"` + name + `":`) }

// valueOf writes a member with a value. An empty one that is to be a number or a flag is left out.
func valueOf(t reflect.Type, m *schema.Member) (memberWriter, error) {
	write, err := textOf(t, m.Field.Type)
	if err != nil {
		return nil, err
	}
	name, bare := nameText(m.Name), m.Field.Type.Texts&^(schema.Whole|schema.Flag) == 0 && m.Field.Type.Texts != 0
	return func(w *writer, open int, v reflect.Value) error {
		if bare && v.Kind() == reflect.String && v.Len() == 0 {
			return nil
		}
		w.member(open, name)
		return write(w, v)
	}, nil
}

var textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()

func isText(t reflect.Type) bool { return t.Implements(textMarshaler) }

// textOf writes a value as the schema has its text.
func textOf(t reflect.Type, as *schema.Type) (valueWriter, error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Bool && as.Texts == schema.Flag:
		return func(w *writer, v reflect.Value) error {
			w.text = strconv.AppendBool(w.text, v.Bool())
			return nil
		}, nil
	case isText(t):
		return func(w *writer, v reflect.Value) error {
			text, err := v.Interface().(encoding.TextMarshaler).MarshalText() //nolint:errcheck,forcetypeassert // the type was asked for it
			if err != nil {
				return fmt.Errorf("write a %s: %w", t, err)
			}
			return w.value(string(text), as)
		}, nil
	case t.Kind() == reflect.String:
		return func(w *writer, v reflect.Value) error { return w.value(v.String(), as) }, nil
	case isInteger(t) && as.Texts == schema.Whole:
		return func(w *writer, v reflect.Value) error {
			w.text = strconv.AppendInt(w.text, v.Int(), 10)
			return nil
		}, nil
	case isInteger(t):
		return func(w *writer, v reflect.Value) error { return w.value(strconv.FormatInt(v.Int(), 10), as) }, nil
	}
	return nil, fmt.Errorf("a %s is no text", t)
}

func isInteger(t reflect.Type) bool { return t.Kind() == reflect.Int64 || t.Kind() == reflect.Int }

// value writes a text as its type has it: true, a number, or a string.
func (w *writer) value(text string, as *schema.Type) error {
	switch {
	case as.Texts == schema.Flag && (text == "1" || text == "0"):
		w.text = strconv.AppendBool(w.text, text == "1")
		return nil
	case as.Texts&schema.Whole != 0 && isWhole(text):
		w.text = append(w.text, text...)
		return nil
	}
	quoted, err := jsontext.AppendQuote(w.text, strings.ToValidUTF8(text, "\uFFFD")) // as the XML has it
	if err != nil {
		return fmt.Errorf("quote a text: %w", err)
	}
	w.text = quoted
	return nil
}

// isWhole reports whether a text is a whole number as JSON writes it.
func isWhole(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && (digits == "0" || digits[0] != '0') && len(digits) <= 19 && strings.Trim(digits, "0123456789") == ""
}
