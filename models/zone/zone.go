// Package zone knows the time zones. Its tables are inside the program, so that a day begins at the same moment on every
// machine, whatever zone files the machine has (rule D102).
package zone

import (
	"archive/zip"
	"bytes"
	_ "embed" // the tables
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// tables is the time zone database, a copy of Go's lib/time/zoneinfo.zip: one file a zone, under its name. To renew it, copy that
// of a newer Go, and add to aliases.txt what its database has renamed.
//
//go:embed zoneinfo.zip
var tables []byte

// aliasList has a line for each name of the tables that is another name for a zone, with the canonical one. A name is canonical
// if the database's zone.tab lists it, and Etc's are, and UTC.
//
//go:embed aliases.txt
var aliasList string

// aliases are the canonical names, by other names of the same zones.
var aliases = sync.OnceValue(func() map[string]string {
	known := map[string]string{}
	for line := range strings.Lines(aliasList) {
		if name, canonical, is := strings.Cut(strings.TrimSpace(line), " "); is {
			known[name] = canonical
		}
	}
	return known
})

var reader = sync.OnceValues(func() (*zip.Reader, error) { return zip.NewReader(bytes.NewReader(tables), int64(len(tables))) })

// loaded caches the zones by name, because reading one is slow.
var loaded sync.Map

// Load returns the time zone with the name in the tables, canonical or not. It fails if the tables have none.
func Load(name string) (*time.Location, error) {
	if known, is := loaded.Load(name); is {
		return known.(*time.Location), nil //nolint:errcheck // only locations are stored
	}
	data, err := read(name)
	if err != nil {
		return nil, err
	}
	loc, err := time.LoadLocationFromTZData(name, data)
	if err != nil {
		return nil, fmt.Errorf("time zone %q: %w", name, err)
	}
	loaded.Store(name, loc)
	return loc, nil
}

func read(name string) (data []byte, err error) {
	unknown := fmt.Errorf("the tables have no time zone %q", name)
	if name == "" || strings.HasSuffix(name, "/") {
		return nil, unknown
	}
	z, err := reader()
	if err != nil {
		return nil, fmt.Errorf("read the tables of time zones: %w", err)
	}
	file, err := z.Open(name)
	if err != nil {
		return nil, unknown
	}
	data, err = io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("read the table of time zone %q: %w", name, err)
	}
	return data, file.Close()
}

// Canonical returns the canonical name of the zone with the name. It reports false if the tables have no such zone, nor the one
// that a machine's folder posix or right holds under this name.
func Canonical(name string) (canonical string, is bool) {
	for _, folder := range []string{"posix/", "right/"} { // the same zone; the second one counts leap seconds
		if within, of := strings.CutPrefix(name, folder); of {
			name = within
		}
	}
	if _, err := Load(name); err != nil {
		return "", false
	}
	if canonical, is := aliases()[name]; is {
		return canonical, true
	}
	return name, true
}
