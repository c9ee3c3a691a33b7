package encode

import (
	"fmt"
	"reflect"
	"strings"

	"purr/api/schema"
)

// listOf writes an element that holds a list as the list itself.
func listOf(t reflect.Type, m *schema.Member) (memberWriter, error) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("xml"), ",")
		if f.Name == "XMLName" || name != m.Field.Name && elementName(pointed(f.Type)) != m.Field.Name {
			continue
		}
		write, err := arrayOf(f.Type, m)
		if err != nil {
			return nil, err
		}
		return func(w *writer, open int, v reflect.Value) error { return write(w, open, v.Field(i)) }, nil
	}
	return nil, fmt.Errorf("%s has no field for %s", t, m.Field.Name)
}

// pointed returns the type of a slice's items, or of what a pointer points at.
func pointed(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// arrayOf writes a slice, or one value that may be nil, as an array. An array without items is left out, unless it stands for an element
// that holds the list.
func arrayOf(t reflect.Type, m *schema.Member) (memberWriter, error) {
	item, err := itemOf(pointed(t), m)
	if err != nil {
		return nil, err
	}
	name, keep := nameText(m.Name), m.List != nil || m.Own
	return func(w *writer, open int, v reflect.Value) error {
		count, at := one(v)
		if count == 0 && !keep {
			return nil
		}
		w.member(open, name)
		w.text = append(w.text, '[')
		for i := range count {
			if i > 0 {
				w.text = append(w.text, ',')
			}
			if err := item(w, at(i)); err != nil {
				return err
			}
		}
		w.text = append(w.text, ']')
		return nil
	}, nil
}

// one returns how many values a value has, and each of them.
func one(v reflect.Value) (count int, at func(int) reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // all others are one value
	case reflect.Slice:
		return v.Len(), func(i int) reflect.Value { return reflect.Indirect(v.Index(i)) }
	case reflect.Pointer:
		if v.IsNil() {
			return 0, nil
		}
		v = v.Elem()
	}
	return 1, func(int) reflect.Value { return v }
}

// itemOf writes one item of an array.
func itemOf(t reflect.Type, m *schema.Member) (valueWriter, error) {
	if m.Form == schema.Values {
		return textOf(t, m.Field.Type)
	}
	p, err := planOf(t, m.Field)
	if err != nil {
		return nil, err
	}
	return p.write, nil
}

// mixed writes a slice whose items are elements of several names: an array for each, in the order in which the schema has them.
func mixed(as *schema.Field) memberWriter {
	members := as.Type.Members(as.Name)
	return func(w *writer, open int, v reflect.Value) error {
		for _, m := range members {
			if m.Form != schema.Objects {
				continue
			}
			if err := w.itemsNamed(open, v, m); err != nil {
				return err
			}
		}
		return nil
	}
}

// itemsNamed writes the items of a slice that are one element of the schema. If there is none, the array is left out.
func (w *writer) itemsNamed(open int, v reflect.Value, m *schema.Member) error {
	begun := false
	for i := range v.Len() {
		item := v.Index(i)
		for item.Kind() == reflect.Interface || item.Kind() == reflect.Pointer {
			item = item.Elem()
		}
		if nameOf(item) != m.Field.Name {
			continue
		}
		if begun {
			w.text = append(w.text, ',')
		} else {
			w.member(open, nameText(m.Name))
			w.text, begun = append(w.text, '['), true
		}
		p, err := planOf(item.Type(), m.Field)
		if err != nil {
			return err
		}
		if err := p.write(w, item); err != nil {
			return err
		}
	}
	if begun {
		w.text = append(w.text, ']')
	}
	return nil
}
