package api

import (
	"encoding"
	"fmt"
	"reflect"

	"purr/api/form"
	"purr/models"
)

// ReadPolicy reads a <dunning_policy> as the interface takes one: with the elements of rule E6a that are to be
// otherwise than in p. It returns p with them, and fails with every fault. maxFee is the legal maximum fee of today,
// in øre.
func ReadPolicy(body []byte, p models.Policy, maxFee models.Amount) (models.Policy, error) {
	f, err := form.Parse(body, "dunning_policy")
	if err != nil {
		return p, err
	}
	readPolicy(f.Element, &p)
	return p, f.Done(faultsOf(p.Validate(maxFee)))
}

// PolicyChanges says which elements of rule E6a one policy has otherwise than another: the name, what it was, and what
// it is.
func PolicyChanges(was, is models.Policy) [][3]string {
	var changes [][3]string
	before, after := reflect.ValueOf(policyOf(was)), reflect.ValueOf(policyOf(is))
	for i := range before.NumField() {
		if old, now := inXML(before.Field(i)), inXML(after.Field(i)); old != now {
			changes = append(changes, [3]string{before.Type().Field(i).Tag.Get("xml"), old, now})
		}
	}
	return changes
}

// inXML returns a field as it stands in XML.
func inXML(field reflect.Value) string {
	if m, is := field.Interface().(encoding.TextMarshaler); is {
		text, _ := m.MarshalText() // that of flags and amounts never fails
		return string(text)
	}
	return fmt.Sprint(field.Interface())
}
