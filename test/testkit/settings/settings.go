// Package settings reads a room's settings as the program does, for the room's tests.
package settings

import (
	"testing"

	"github.com/spf13/pflag"

	"purr/internal/config"
)

// Read reads the settings from the arguments of a command line and from variables, and returns what is wrong with them.
func Read(t testing.TB, declared []config.Setting, variables map[string]string, args ...string) error {
	t.Helper()
	flags := pflag.NewFlagSet("purr", pflag.ContinueOnError)
	config.Add(flags, declared)
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	return config.Read(flags, func(name string) (string, bool) { value, is := variables[name]; return value, is }, declared)
}
