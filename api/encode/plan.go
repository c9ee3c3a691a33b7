package encode

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"purr/api/schema"
)

// plan says how a Go type is written as an object: by its fields, or by itself if it has a JSON form of its own.
type plan struct {
	fields []field
	byType bool
}

// memberWriter writes the member, or the members, of a value, in the object that began at open.
type memberWriter func(w *writer, open int, v reflect.Value) error

// valueWriter writes a value alone: an item of an array, or what follows a member's name.
type valueWriter func(w *writer, v reflect.Value) error

// field is a field of a Go type.
type field struct {
	index     []int
	omitEmpty bool
	write     memberWriter
}

func (p *plan) write(w *writer, v reflect.Value) error {
	if p.byType {
		text, err := v.Interface().(json.Marshaler).MarshalJSON() //nolint:errcheck,forcetypeassert // the type was asked for it
		if err != nil {
			return fmt.Errorf("write a %s: %w", v.Type(), err)
		}
		w.text = append(w.text, text...)
		return nil
	}
	w.text = append(w.text, '{')
	if err := p.members(w, len(w.text), v); err != nil {
		return err
	}
	w.text = append(w.text, '}')
	return nil
}

// members writes the members of an object that was begun.
func (p *plan) members(w *writer, open int, v reflect.Value) error {
	for i := range p.fields {
		f := &p.fields[i]
		value := v.FieldByIndex(f.index)
		if f.omitEmpty && isEmpty(value) {
			continue
		}
		if value.Kind() == reflect.Pointer {
			if value.IsNil() {
				continue
			}
			value = value.Elem()
		}
		if err := f.write(w, open, value); err != nil {
			return err
		}
	}
	return nil
}

// isEmpty reports whether a value that is left out where it is empty is so.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() { //nolint:exhaustive // the others are never empty
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint64, reflect.Pointer, reflect.Interface:
		return v.IsZero()
	}
	return false
}

// shape is a Go type as a type of the schema.
type shape struct {
	of   reflect.Type
	as   *schema.Type
	name string
}

var plans sync.Map // of shapes

// planOf returns how a Go type is written as an element.
func planOf(t reflect.Type, as *schema.Field) (*plan, error) {
	key := shape{t, as.Type, as.Name}
	if known, there := plans.Load(key); there {
		return known.(*plan), nil //nolint:errcheck,forcetypeassert // nothing else is in it
	}
	p := &plan{byType: t.Implements(jsonMarshaler)}
	if p.byType {
		plans.Store(key, p)
		return p, nil
	}
	if err := p.compile(t, nil, as); err != nil {
		return nil, fmt.Errorf("write a %s as the element %s: %w", t, as.Name, err)
	}
	plans.Store(key, p)
	return p, nil
}

var jsonMarshaler = reflect.TypeFor[json.Marshaler]()

// compile adds the fields of a Go type.
func (p *plan) compile(t reflect.Type, index []int, as *schema.Field) error {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(slices.Clone(index), i)
		tag := f.Tag.Get("xml")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case f.Name == "XMLName", tag == "-":
			continue
		case f.Anonymous && tag == "":
			if err := p.compile(f.Type, at, as); err != nil {
				return err
			}
			continue
		}
		write, err := compileField(f, name, strings.Split(options, ","), as)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		p.fields = append(p.fields, field{at, strings.Contains(options, "omitempty"), write})
	}
	return nil
}

// compileField returns how a field is written. Its tag says which attribute or child element of the type it is.
func compileField(f reflect.StructField, name string, options []string, as *schema.Field) (memberWriter, error) {
	if slices.Contains(options, "chardata") {
		m := as.Member(schema.Text)
		if m == nil {
			return nil, fmt.Errorf("the element %s has no text", as.Name)
		}
		return valueOf(f.Type, m)
	}
	if name == "" {
		if name = elementName(pointed(f.Type)); name == "" && f.Type.Kind() == reflect.Slice {
			return mixed(as), nil
		}
	}
	m := memberOf(as, name, slices.Contains(options, "attr"))
	if m == nil {
		return never(as, name), nil
	}
	return writerOf(f.Type, m)
}

// never fails if there is something to write that the schema does not have. Some Go types serve several types of the schema.
func never(as *schema.Field, name string) memberWriter {
	return func(_ *writer, _ int, v reflect.Value) error {
		if v.Kind() == reflect.Slice && v.Len() == 0 {
			return nil
		}
		return fmt.Errorf("the element %s has no %s", as.Name, name)
	}
}

// memberOf returns the member that shows an attribute or a child element.
func memberOf(as *schema.Field, name string, attribute bool) *schema.Member {
	for _, m := range as.Type.Members(as.Name) {
		switch {
		case m.Of != nil:
		case m.List != nil && !attribute && m.List.Name == name, m.List == nil && m.Field.Name == name && m.Field.Attribute == attribute:
			return m
		}
	}
	return nil
}

// writerOf returns how a member is written that is made of a Go type.
func writerOf(t reflect.Type, m *schema.Member) (memberWriter, error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Interface {
		return dynamic(m), nil
	}
	switch m.Form {
	case schema.Object:
		return objectOf(t, m)
	case schema.Values, schema.Objects:
		if m.List != nil {
			return listOf(t, m)
		}
		return arrayOf(t, m)
	case schema.Value:
	}
	if t.Kind() == reflect.Struct && !isText(t) {
		return besideOf(t, m)
	}
	return valueOf(t, m)
}

// dynamic writes a value whose type is known when it is written.
func dynamic(m *schema.Member) memberWriter {
	return func(w *writer, open int, v reflect.Value) error {
		v = reflect.Indirect(v.Elem())
		if !v.IsValid() {
			return nil
		}
		write, err := writerOf(v.Type(), m)
		if err != nil {
			return err
		}
		return write(w, open, v)
	}
}

// objectOf writes an element that has fields.
func objectOf(t reflect.Type, m *schema.Member) (memberWriter, error) {
	p, err := planOf(t, m.Field)
	if err != nil {
		return nil, err
	}
	name := nameText(m.Name)
	return func(w *writer, open int, v reflect.Value) error {
		w.member(open, name)
		return p.write(w, v)
	}, nil
}

// besideOf writes an element with a text and attributes: the text under its name, and the attributes beside it.
func besideOf(t reflect.Type, m *schema.Member) (memberWriter, error) {
	var p plan
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("xml"), ",")
		at := m
		if strings.Contains(options, "attr") {
			at = &schema.Member{Name: m.Name + "_" + name, Field: m.Field.Type.Field(name), Of: m.Field}
		} else if !strings.Contains(options, "chardata") {
			continue
		}
		if at.Field == nil {
			return nil, fmt.Errorf("the element %s has no attribute %s", m.Name, name)
		}
		write, err := valueOf(f.Type, at)
		if err != nil {
			return nil, err
		}
		p.fields = append(p.fields, field{[]int{i}, strings.Contains(options, "omitempty"), write})
	}
	return p.members, nil
}
