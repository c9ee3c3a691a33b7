package models

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
)

// jsonValue gives a database the value as JSON, or NULL if it is empty.
func jsonValue(value any, empty bool) (driver.Value, error) {
	if empty {
		return nil, nil //nolint:nilnil // NULL is what driver.Valuer returns for it.
	}
	text, err := json.Marshal(value)
	return string(text), err
}

// scanJSON reads JSON from a database into the value, and leaves the value as it is for NULL.
func scanJSON(src, value any) error {
	if src == nil {
		return nil
	}
	text, err := textOf(src)
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), value)
}

// textOf returns a text that a database gave.
func textOf(src any) (string, error) {
	switch v := src.(type) {
	case string:
		return v, nil
	case []byte:
		return string(v), nil
	}
	return "", fmt.Errorf("a %T is not a text", src)
}

// IDs are a few IDs of other rows that a row keeps as JSON.
type IDs []int64

// Value gives the IDs to a database: JSON, NULL if there are none.
func (ids IDs) Value() (driver.Value, error) { return jsonValue(ids, len(ids) == 0) }

// Scan takes the IDs from a database.
func (ids *IDs) Scan(src any) error {
	*ids = nil
	return scanJSON(src, ids)
}
