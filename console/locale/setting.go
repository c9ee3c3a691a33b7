package locale

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// settingNames are the groups of the catalogue that name settings, as their forms do.
var settingNames = []string{"settings.", "own_policy.", "policy.", "fact.setting."}

// settingName returns what a setting is called, given its place in a creditor or customer.
func (w *Words) settingName(place string) string {
	for _, group := range settingNames {
		if name := group + path.Base(place); w.Knows(name) {
			return w.Say(name)
		}
	}
	return place
}

// settingNamesIn returns what settings are called, given their places, separated by commas.
func (w *Words) settingNamesIn(places string) string {
	names := strings.Split(places, ", ")
	for n, place := range names {
		names[n] = w.settingName(place)
	}
	return strings.Join(names, ", ")
}

// setting writes an old or a new value of a setting.
func (w *Words) setting(place string, v any) string {
	switch v := v.(type) {
	case nil:
		return w.Say("log.empty")
	case bool:
		if v {
			return w.Say("own_policy.yes")
		}
		return w.Say("own_policy.no")
	case string:
		if v == "" {
			return w.Say("log.empty")
		}
		for _, group := range []string{"own_policy.warning.", "own_policy.remainder."} {
			if strings.HasSuffix(place, "debt_collection_notice") == strings.HasSuffix(group, "warning.") && w.Knows(group+v) {
				return w.Say(group + v)
			}
		}
		return v
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}
