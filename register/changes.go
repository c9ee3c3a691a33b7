package register

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// element is one value that can be changed. Its name is its path in the interface.
type element struct {
	path  string
	value any
}

type elements []element

func textElements(texts []Text) elements {
	found := make(elements, len(texts))
	for i, t := range texts {
		found[i] = element{t.Name, *t.Value}
	}
	return found
}

// change is an element with its old and its new value.
type change struct {
	path string
	Was  any `json:"was"`
	Is   any `json:"is"`
}

type changed []change

// changes returns the elements that differ. Both lists have the same paths in the same order.
func changes(before, after elements) changed {
	var found changed
	for i, e := range before {
		if !reflect.DeepEqual(e.value, after[i].value) {
			found = append(found, change{e.path, e.value, after[i].value})
		}
	}
	return found
}

// text returns a sentence with the names of the changed elements. Of a path it names the first part only.
func (c changed) text(done string) string {
	var names []string
	for _, one := range c {
		if name, _, _ := strings.Cut(one.path, "/"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return done
	}
	return done + ": " + strings.Join(names, ", ")
}

// maxData is the most bytes of values that an event keeps.
const maxData = 16 << 10

// data returns the old and the new values as a JSON object. It is empty if nothing changed, or if the values exceed
// maxData.
func (c changed) data() (string, error) {
	values := make(map[string]change, len(c))
	for _, one := range c {
		values[one.path] = one
	}
	text, err := json.Marshal(values)
	if err != nil {
		return "", fmt.Errorf("describe what was changed: %w", err)
	}
	if len(values) == 0 || len(text) > maxData {
		return "", nil
	}
	return string(text), nil
}
