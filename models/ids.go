package models

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
)

// IDs are a few IDs that a row keeps of others, in JSON.
type IDs []int64

// Value gives the IDs to a database: JSON, NULL where there are none.
func (ids IDs) Value() (driver.Value, error) {
	if len(ids) == 0 {
		return nil, nil //nolint:nilnil // NULL is what driver.Valuer returns for it.
	}
	text, err := json.Marshal([]int64(ids))
	return string(text), err
}

// Scan takes the IDs from a database.
func (ids *IDs) Scan(src any) error {
	*ids = nil
	switch v := src.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(v), (*[]int64)(ids))
	case []byte:
		return json.Unmarshal(v, (*[]int64)(ids))
	}
	return fmt.Errorf("a %T is no list of IDs", src)
}
