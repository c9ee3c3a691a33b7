package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// object is an object of JSON whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

// with returns the object with one more member, or as it is if the value is "" or 0.
func (o object) with(name string, value any) object {
	if value == "" || value == 0 {
		return o
	}
	return append(o, member{name, value})
}

// without returns the object without a member.
func (o object) without(name string) object {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool { return m.name == name })
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := write(&b, m.name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := write(&b, m.value); err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// write writes a value, with the signs < and > as they are.
func write(b *bytes.Buffer, value any) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // a line feed
	return nil
}

// text returns the object as JSON text, which has no value that cannot be written.
func (o object) text() string {
	var b bytes.Buffer
	if err := write(&b, o); err != nil {
		panic(fmt.Sprintf("openapi: %v", err)) // it is made of texts, numbers and flags
	}
	return b.String()
}
