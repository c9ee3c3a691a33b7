package register

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"purr/models"
)

// change is an element with its old and its new value.
type change struct {
	path string
	Was  any `json:"was"`
	Is   any `json:"is"`
}

type changed []change

// changes returns the elements that differ. Both lists have the same elements in the same order.
func changes(before, after []Element) changed {
	var found changed
	for i, e := range before {
		if was, is := e.Value(), after[i].Value(); !reflect.DeepEqual(was, is) {
			found = append(found, change{e.Name, was, is})
		}
	}
	return found
}

// names returns the names of the changed elements. Of a path it returns the first part only.
func (c changed) names() []string {
	names := []string{}
	for _, one := range c {
		if name, _, _ := strings.Cut(one.path, "/"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// text returns a sentence with the names of the changed elements.
func (c changed) text(done string) string {
	names := c.names()
	if len(names) == 0 {
		return done
	}
	return done + ": " + strings.Join(names, ", ")
}

// maxData is the most bytes of values that an event keeps.
const maxData = 16 << 10

// facts returns the old and the new values, by path. There are none if the values exceed maxData as JSON.
func (c changed) facts() models.Facts {
	facts := make(models.Facts, len(c))
	for _, one := range c {
		facts[one.path] = one
	}
	if text, err := json.Marshal(facts); err != nil || len(text) > maxData {
		return nil
	}
	return facts
}
