// Package config gathers the settings: from flags, environment variables and secrets in files. The rooms declare what they can be
// set to, each beside what it sets; this package knows none of their settings. An error names the key of each wrong value. The
// package opens nothing but the files of secrets.
package config

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"
)

// Setting is one setting as a room declares it. Its value comes from the flag with the key's name, or from the variable PURR_ with
// the key in capitals. A variable that ends in _FILE names a file with the value, for secrets (rule R3).
type Setting struct {
	Key     string
	Default string
	Help    string                   // one line, with the default in parentheses if that is not a value
	Set     func(value string) error // checks a value and keeps it; its error need not name the key
	Check   func() error             // says what is wrong with the room's settings together, naming their keys; nil for most
}

// Add adds the flags of settings, in their order.
func Add(flags *pflag.FlagSet, settings []Setting) {
	for _, s := range settings {
		flags.String(s.Key, s.Default, s.Help+" [$"+Variable(s.Key)+"]")
		if s.Default == off {
			flags.Lookup(s.Key).NoOptDefVal = on
		}
	}
}

// Variable returns the environment variable of a key: PURR_DATABASE_URL for database-url (rule R3).
func Variable(key string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
}

// Read sets those of the settings whose flags were added. For each it uses the first of these: the flag's value, its variable,
// the file that its variable with _FILE names, the default. Its error lists every wrong value, in the order of the settings, and
// then what is wrong with settings together.
func Read(flags *pflag.FlagSet, lookup func(string) (string, bool), settings []Setting) error {
	var errs []error
	for _, s := range settings {
		flag := flags.Lookup(s.Key)
		if flag == nil {
			continue
		}
		value, from, err := read(flag, lookup)
		if err == nil {
			err = s.Set(value)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", from, err))
		}
	}
	for _, s := range settings {
		if s.Check != nil {
			errs = append(errs, s.Check())
		}
	}
	return errors.Join(errs...)
}

func read(flag *pflag.Flag, lookup func(string) (string, bool)) (value, from string, err error) {
	variable := Variable(flag.Name)
	fromVariable, set := lookup(variable)
	path, inFile := lookup(variable + fromFile)
	switch {
	case flag.Changed:
		return flag.Value.String(), "--" + flag.Name, nil
	case set && inFile:
		return "", variable, errors.New("is set, and so is " + variable + fromFile + ": set one of them")
	case set:
		return fromVariable, variable, nil
	case inFile:
		content, err := os.ReadFile(path)
		if err == nil && strings.TrimSpace(string(content)) == "" {
			err = fmt.Errorf("%s is empty: write the value into it, or unset the variable", path) // rule D105
		}
		if err != nil {
			return "", variable + fromFile, err
		}
		return strings.TrimRight(string(content), "\r\n"), variable + fromFile, nil
	}
	return flag.DefValue, "--" + flag.Name, nil
}
