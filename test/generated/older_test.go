//go:build generated

// Package generated_test has public generators make clients of the OpenAPI document, and runs them against the whole program (rule J3).
package generated_test

import (
	"encoding/json"
	"fmt"
	"slices"
)

// older returns an OpenAPI 3.1 document as 3.0 has it, for generators that know no newer one: a value of several kinds is of the first of
// them, null is a flag, and there are no webhooks. What a 3.0 client sends and takes is what 3.1 says too.
func older(document []byte) ([]byte, error) {
	var d map[string]any
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	d["openapi"] = "3.0.3"
	delete(d, "webhooks")
	return json.Marshal(olderValue(d))
}

func olderValue(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = olderValue(v[i])
		}
	case map[string]any:
		olderSchema(v)
		for name := range v {
			if name != "example" {
				v[name] = olderValue(v[name])
			}
		}
	}
	return value
}

// olderSchema changes what 3.0 has otherwise.
func olderSchema(s map[string]any) {
	if kinds, several := s["type"].([]any); several {
		s["nullable"] = slices.Contains(kinds, any("null"))
		if s["type"] = kinds[0]; kinds[0] == "integer" && slices.Contains(kinds, any("string")) {
			delete(s, "pattern")
		}
		if kinds[0] != "string" {
			delete(s, "enum")
		}
		if kinds[0] == "string" {
			delete(s, "minimum")
			delete(s, "maximum")
		}
		if values, is := s["enum"].([]any); is {
			s["enum"] = slices.DeleteFunc(values, func(v any) bool { return v == nil })
		}
	}
	if only, is := s["const"]; is && s["type"] != nil {
		delete(s, "const")
		if s["type"] == "string" {
			s["enum"] = []any{only}
		}
	}
	if least, is := s["exclusiveMinimum"].(float64); is {
		s["minimum"], s["exclusiveMinimum"] = least, true
	}
}
