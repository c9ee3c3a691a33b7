// Package config gathers the settings: from flags, environment variables and secrets in files. The rooms declare what they can be
// set to, each beside what it sets; this package knows none of their settings. An error names the key of each wrong value. The
// package opens nothing but the files of secrets.
package config

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Setting is one setting as a room declares it. Its value comes from the flag with the key's name, or from the variable PURR_ with
// the key in capitals. A variable that ends in _FILE names a file with the value, for secrets (rule R3).
type Setting struct {
	Key     string
	Default string
	Help    string                   // one line, with the default in parentheses if that is not a value
	Secret  bool                     // its value is never shown
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

// Joined returns arguments of a command line in which a setting that is on or off has its value in the same word: --flag on is
// --flag=on (rule Q10). pflag reads the flag alone as on, and would take the next word for an argument of the command.
func Joined(arguments []string, settings []Setting) (joined []string) {
	for i := 0; i < len(arguments); i++ {
		word := arguments[i]
		if word == "--" {
			return append(joined, arguments[i:]...)
		}
		isSwitch := slices.ContainsFunc(settings, func(s Setting) bool { return s.Default == off && word == "--"+s.Key })
		if isSwitch && i+1 < len(arguments) && slices.Contains([]string{on, off, "1", "0"}, arguments[i+1]) {
			i++
			word += "=" + arguments[i]
		}
		joined = append(joined, word)
	}
	return joined
}

// Variable returns the setting's environment variable.
func (s Setting) Variable() string { return Variable(s.Key) }

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
		if flag := flags.Lookup(s.Key); flag != nil {
			if g := set(flag, lookup, s); g.err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", g.by, g.err))
			}
		}
	}
	for _, s := range settings {
		if s.Check != nil {
			errs = append(errs, s.Check())
		}
	}
	return errors.Join(errs...)
}

// given is a value as it was found.
type given struct {
	value string // empty if the file that holds it cannot be read
	by    string // the flag or the variable that gives it
	from  Origin
	err   error // what is wrong with it
}

// set sets a setting to the value that was found for it.
func set(flag *pflag.Flag, lookup func(string) (string, bool), s Setting) given {
	g := find(flag, lookup)
	if g.err == nil {
		g.err = s.Set(g.value)
	}
	return g
}

func find(flag *pflag.Flag, lookup func(string) (string, bool)) given {
	variable := Variable(flag.Name)
	fromVariable, set := lookup(variable)
	path, inFile := lookup(variable + fromFile)
	switch {
	case flag.Changed:
		return given{value: flag.Value.String(), by: "--" + flag.Name, from: FromFlag}
	case set && inFile:
		return given{by: variable, from: FromVariable, err: errors.New("is set, and so is " + variable + fromFile + ": set one of them")}
	case set:
		return given{value: fromVariable, by: variable, from: FromVariable}
	case inFile:
		g := given{by: variable + fromFile, from: FromFile}
		content, err := os.ReadFile(path)
		if err == nil && strings.TrimSpace(string(content)) == "" {
			err = fmt.Errorf("%s is empty: write the value into it, or unset the variable", path) // rule D105
		}
		if g.err = err; err == nil {
			g.value = strings.TrimRight(string(content), "\r\n")
		}
		return g
	}
	return given{value: flag.DefValue, by: "--" + flag.Name, from: FromDefault}
}
