package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Text takes every value.
func Text(field *string) func(string) error {
	return func(value string) error {
		*field = value
		return nil
	}
}

// File takes the path of a file. The value may by mistake be the file's content, a secret. So the error does not
// repeat it.
func File(field *string) func(string) error {
	return func(value string) error {
		if strings.ContainsAny(value, "\r\n\x00") {
			return errors.New("must be the path of a file, not what is in it")
		}
		*field = value
		return nil
	}
}

// Matching takes a value of a form, which is described in words. It may be empty.
func Matching(field *string, form *regexp.Regexp, words string) func(string) error {
	return func(value string) error {
		if value != "" && !form.MatchString(value) {
			return fmt.Errorf("must be %s, not %q", words, value)
		}
		*field = value
		return nil
	}
}

// OneOf takes one of a few words.
func OneOf[Word ~string](field *Word, allowed ...string) func(string) error {
	return func(value string) error {
		if !slices.Contains(allowed, value) {
			return fmt.Errorf("must be %s, not %q", strings.Join(allowed, " or "), value)
		}
		*field = Word(value)
		return nil
	}
}

// The values of a setting that is on or off.
const on, off = "on", "off"

// OnOff takes on and off, 1 and 0. A setting that is off by default is turned on by its flag alone.
func OnOff(field *bool) func(string) error {
	return func(value string) error {
		switch value {
		case on, "1":
			*field = true
		case off, "0", "":
			*field = false
		default:
			return fmt.Errorf("must be on or off, not %q", value)
		}
		return nil
	}
}

// Whole takes a whole number.
func Whole(field *int, least, most int) func(string) error {
	return func(value string) (err error) {
		if *field, err = strconv.Atoi(value); err != nil || *field < least || *field > most {
			return fmt.Errorf("must be a whole number from %d to %d, not %q", least, most, value)
		}
		return nil
	}
}

// PerSecond takes how often something may happen in a second.
func PerSecond(field *float64) func(string) error {
	return func(value string) (err error) {
		if *field, err = strconv.ParseFloat(value, 64); err != nil || !(*field >= 0 && *field <= 1e6) {
			return fmt.Errorf("must be a number from 0 to 1000000, not %q", value)
		}
		return nil
	}
}

// Days takes a whole number of days.
func Days(field *time.Duration) func(string) error {
	const day, most = 24 * time.Hour, 36_500
	return func(value string) error {
		days, err := strconv.Atoi(value)
		if err != nil || days < 0 || days > most {
			return fmt.Errorf("must be a whole number of days from 0 to %d, not %q", most, value)
		}
		*field = time.Duration(days) * day
		return nil
	}
}

// Duration takes a duration with its unit, such as 8h. The words say its bounds.
func Duration(field *time.Duration, least, most time.Duration, words string) func(string) error {
	return func(value string) (err error) {
		if *field, err = time.ParseDuration(value); err != nil || *field < least || *field > most {
			return errors.New("must be a duration " + words)
		}
		return nil
	}
}

// Time takes a moment, zero for an empty value.
func Time(field *time.Time) func(string) error {
	return func(value string) (err error) {
		if value == "" {
			return nil
		}
		if *field, err = time.Parse(time.RFC3339, value); err != nil {
			return fmt.Errorf("must be a time such as 2026-01-05T08:00:00+01:00, not %q", value)
		}
		return nil
	}
}

var sizeForm = regexp.MustCompile(`^(\d{1,6})(KiB|MiB|GiB|TiB)$`)

// Bytes takes a number of bytes with its unit.
func Bytes(field *int64) func(string) error {
	return func(value string) error {
		*field = 0
		if value == "0" {
			return nil
		}
		parts := sizeForm.FindStringSubmatch(value)
		if parts == nil {
			return fmt.Errorf("must be 0 or a number with KiB, MiB, GiB or TiB, such as 500MiB, not %q", value)
		}
		n, err := strconv.ParseInt(parts[1], 10, 64)
		if err != nil {
			return err
		}
		*field = n << map[string]int{"KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40}[parts[2]]
		return nil
	}
}
