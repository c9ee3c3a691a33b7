package models

import (
	"encoding/json"
	"fmt"
	"strings"
)

// WithoutWords returns the text and the facts of an event about a customer who was forgotten: what happened in purr's own words, and the
// numbers (rule O14). Facts that held words are empty texts, since each event keeps the facts of its type. Of a changed customer
// the names of the elements stay, and not their values.
func WithoutWords(t EventType, data string) (text, without string, err error) {
	fact, known := EventFact{}, false
	for _, f := range EventFacts {
		if f.Type == t {
			fact, known = f, true
		}
	}
	text = sentenceOf(fact.Tells)
	if data == "" || !known {
		return text, "", nil
	}
	var facts map[string]json.RawMessage
	if err := json.Unmarshal([]byte(data), &facts); err != nil {
		return "", "", fmt.Errorf("read the facts of an event of the type %s: %w", t, err)
	}
	kept := map[string]any{}
	names := strings.ReplaceAll(fact.Facts, "?", "")
	for name := range strings.FieldsSeq(names) {
		value, has := facts[name]
		if !has {
			continue
		}
		kept[name] = value
		if isWordFact(t, name) && len(value) > 0 && value[0] == '"' {
			kept[name] = ""
		}
	}
	if len(kept) == 0 {
		return text, "", nil
	}
	left, err := json.Marshal(kept)
	return text, string(left), err
}

// sentenceOf returns what a type of event tells as a sentence alone, without what the data holds or which rule says so.
func sentenceOf(tells string) string {
	tells, _, _ = strings.Cut(tells, ";")
	tells, _, _ = strings.Cut(tells, " (rule")
	if tells == "" {
		return ""
	}
	return strings.ToUpper(tells[:1]) + tells[1:]
}

// isWordFact reports whether a fact of a type of event may hold words. What a reason is depends on the event: a person's or a channel's
// words, or one of purr's.
func isWordFact(t EventType, name string) bool {
	switch name {
	case "comment", "failure", "signs", "reference":
		return true
	case "name":
		return t == EventPayerDenied || t == EventPayerAllowed
	case "reason":
		return strings.HasPrefix(string(t), "shipment.") || t == EventCollectionReported || t == EventHoldSet
	}
	return false
}
