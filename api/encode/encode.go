// Package encode writes answers as JSON, from the same values as their XML (rule J1). The schema says how: which member is an array,
// which text is a number or a flag. It knows nothing of routes or of the database.
//
// How a Go type of a type of the schema is written is found out once, and kept. A type that is a json.Marshaler, such as an event, has a
// form of its own (rule J4).
package encode

import (
	"encoding/xml"
	"fmt"
	"reflect"
	"strings"

	"purr/api/schema"
)

// JSON returns the JSON form of an answer, a struct with an XMLName.
func JSON(answer any) ([]byte, error) {
	v := reflect.Indirect(reflect.ValueOf(answer))
	root := schema.Answer(nameOf(v))
	if root == nil {
		return nil, fmt.Errorf("write a %T as JSON: the schema has no answer %s", answer, nameOf(v))
	}
	w := &writer{}
	p, err := planOf(v.Type(), root)
	if err != nil {
		return nil, err
	}
	if err := p.write(w, v); err != nil {
		return nil, fmt.Errorf("write a %T as JSON: %w", answer, err)
	}
	w.text = append(w.text, '\n')
	return w.text, nil
}

// nameOf returns the name of the element that a value is written as: that of its field XMLName, or of its tag.
func nameOf(v reflect.Value) string {
	f, there := v.Type().FieldByName("XMLName")
	if !there {
		return ""
	}
	if name, is := v.FieldByIndex(f.Index).Interface().(xml.Name); is && name.Local != "" {
		return name.Local
	}
	return elementName(v.Type())
}

// elementName returns the name in the tag of a type's field XMLName.
func elementName(t reflect.Type) string {
	if t.Kind() != reflect.Struct {
		return ""
	}
	f, there := t.FieldByName("XMLName")
	if !there {
		return ""
	}
	name, _, _ := strings.Cut(f.Tag.Get("xml"), ",")
	return name
}

// writer is a document that is being written.
type writer struct{ text []byte }

// member begins a member; open is the place where its object begins.
func (w *writer) member(open int, name []byte) {
	if len(w.text) > open {
		w.text = append(w.text, ',')
	}
	w.text = append(w.text, name...)
}
