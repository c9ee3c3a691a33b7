package report

import (
	"strings"

	"purr/models"
)

// Written writes a value of a finding, such as 2026-01-29 or 1250.00, as people write it in a language: a day, a sum in kroner, or else as it is.
func Written(value, language string) string {
	if day, err := models.ParseDate(value); err == nil {
		if language == "en" {
			return day.Time().Format("2 January 2006")
		}
		return day.Time().Format("02.01.2006")
	}
	if _, err := models.ParseAmount(value); err == nil && language != "en" && strings.Contains(value, ".") {
		return models.GroupDigits(value, " ", ",")
	}
	return value
}
