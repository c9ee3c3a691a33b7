package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"purr/app"
	"purr/test/testkit"
)

// TestR3WhatEachSettingTakes gives each setting values of all kinds, and then settings that do not fit together. What is taken, and what
// is said of the rest, is in testdata/settings.golden.
func TestR3WhatEachSettingTakes(t *testing.T) {
	values := []string{
		"", "x", "x\ny", "-1", "0", "1", "8", "20000", "1e9", "on", "off", "5s", "90m", "400h", "json", "debug", "move", "dns", "sbdh", "500MiB", "file:", "file:x", "file:/srv/x", "sftp://u@h/f", "ipp://h/p",
		"https://h/p", "https://h/p?q", "phoss-ap+https://h", "post@example.no", strings.Repeat("b", 29) + "@example.no", "example.no", "10.1.2.3/8,::1", "10.0.0.0/33", "2026-01-05T08:00:00+01:00", "sftp://u@h/" + strings.Repeat("f", 490), "2h",
	}
	together := [][]string{
		{"tls-key=x", "dkim-domain=x", "letters-template=x", "ehf-template=x"},
		{"letters-url=sftp://u@h/f", "ehf-url=sftp://u@h/f"},
		{"letters-url=https://h/", "ehf-url=https://h/"},
		{"letters-url=ipp://h/", "letters-host-key=x", "ehf-key-file=x"},
		{"letters-secret=x", "ehf-secret=x"},
		{"letters-url=https://h/", "letters-template=x", "letters-secret=x", "letters-key-file=x"},
	}
	var golden strings.Builder
	var wrong []string
	for _, key := range settingKeys() {
		said := map[string][]string{} // the values by what is said of them
		for _, value := range values {
			err := readSet(key + "=" + value)
			if err != nil {
				wrong = append(wrong, key+"="+value)
			}
			message := strings.ReplaceAll(fmt.Sprint(err), fmt.Sprintf("%q", value), "VALUE")
			said[message] = append(said[message], fmt.Sprintf("%.30q", value))
		}
		for _, message := range slices.Sorted(maps.Keys(said)) {
			fmt.Fprintf(&golden, "%s: %s: %s\n", key, message, strings.Join(said[message], " "))
		}
	}
	for _, set := range append(together, wrong) {
		fmt.Fprintf(&golden, "\n%.100s\n%v\n", strings.Join(set, " "), readSet(set...))
	}
	testkit.Golden(t, filepath.Join("testdata", "settings.golden"), golden.String())
}

// settingKeys are the names of all settings, in their order.
func settingKeys() (keys []string) {
	allSettings().VisitAll(func(f *pflag.Flag) { keys = append(keys, f.Name) })
	return keys
}

// readSet reads the settings with some of them set, KEY=VALUE each.
func readSet(set ...string) error {
	flags := allSettings()
	for _, s := range set {
		key, value, _ := strings.Cut(s, "=")
		if err := flags.Set(key, value); err != nil {
			return err
		}
	}
	_, err := app.ReadSettings(flags, func(string) (string, bool) { return "", false })
	return err
}

func allSettings() *pflag.FlagSet {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SortFlags = false
	app.AddServer(flags)
	app.AddTestClock(flags)
	return flags
}
