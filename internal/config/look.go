package config

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Origin says where a setting's value is from.
type Origin string

// The origins.
const (
	FromFlag     Origin = "flag"
	FromVariable Origin = "variable"
	FromFile     Origin = "file"
	FromDefault  Origin = "default"
)

// Row is a setting as Look finds it.
type Row struct {
	Key, Variable string // the variable ends in _FILE if that one gives the value
	Value         string // as it may be shown: without secrets
	From          Origin
	Wrong         []string // what is wrong, a sentence each; empty if nothing is
}

// Look does what Read does, and returns a row for each setting whose flag was added, with what is wrong. What is wrong with settings
// together is told of each of them (rule Q2).
func Look(flags *pflag.FlagSet, lookup func(string) (string, bool), settings []Setting) []Row {
	var rows []Row
	for _, s := range settings {
		flag := flags.Lookup(s.Key)
		if flag == nil {
			continue
		}
		g := set(flag, lookup, s)
		row := Row{Key: s.Key, Variable: Variable(s.Key), Value: Shown(s, g.value), From: g.from}
		if g.from == FromFile {
			row.Variable += fromFile
		}
		if g.err != nil {
			row.Wrong = []string{g.err.Error()}
		}
		rows = append(rows, row)
	}
	for _, s := range settings {
		if s.Check != nil && flags.Lookup(s.Key) != nil {
			Tell(rows, s.Key, s.Check())
		}
	}
	return rows
}

// Tell tells the rows of an error. It belongs to the settings whose keys stand before its first colon, or else to the key's.
// It may be several that are joined.
func Tell(rows []Row, key string, err error) {
	if err == nil {
		return
	}
	if all, is := err.(interface{ Unwrap() []error }); is {
		if several := all.Unwrap(); err.Error() == errors.Join(several...).Error() {
			for _, e := range several {
				Tell(rows, key, e)
			}
			return
		}
	}
	keys, text := []string{key}, err.Error()
	if names, rest, found := strings.Cut(text, ": "); found {
		if named := keysIn(rows, names); len(named) > 0 {
			keys, text = named, rest
			if len(named) > 1 {
				text = names + ": " + rest
			}
		}
	}
	for i := range rows {
		if r := &rows[i]; slices.Contains(keys, r.Key) && !slices.Contains(r.Wrong, text) {
			r.Wrong = append(r.Wrong, text)
		}
	}
}

// keysIn returns the keys of "--key, other-key", nil unless all of them are keys of rows.
func keysIn(rows []Row, names string) (keys []string) {
	for name := range strings.SplitSeq(names, ", ") {
		key := strings.TrimPrefix(name, "--")
		if !slices.ContainsFunc(rows, func(r Row) bool { return r.Key == key }) {
			return nil
		}
		keys = append(keys, key)
	}
	return keys
}

// Masked stands in the place of a secret.
const Masked = "***"

// notShown stands in the place of a value that may hold a secret anywhere.
const notShown = "(not shown: it may hold a secret)"

// harmless are the parameters of URLs that are shown.
var harmless = []string{"tls", "master", "ca"}

// hosts matches hosts with their ports, as a URL of several servers has them.
var hosts = regexp.MustCompile(`^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]*)(:[0-9]*)?(,(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]*)?)*$`)

// Shown returns a value as it may be shown. It never shows a password, nor what may be one by a slip of the pen.
func Shown(s Setting, value string) string {
	scheme, rest, isURL := strings.Cut(value, "://")
	switch {
	case value == "":
		return ""
	case s.Secret:
		return Masked
	case strings.ContainsAny(value, "\r\n\x00"):
		return notShown // it may be what is in a file of a key
	case isURL:
		return shownURL(scheme, rest)
	case strings.HasPrefix(value, "sqlite:") || strings.HasPrefix(value, "file:"):
		return value
	case strings.HasSuffix(s.Key, "-url") || strings.Contains(value, "@") && strings.Contains(value, ":"):
		return notShown
	}
	return value
}

// shownURL returns a URL with its password and its unknown parameters masked. The password ends at the last @: one that is not written
// as it must be may hold any sign.
func shownURL(scheme, rest string) string {
	user := ""
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		name, _, secret := strings.Cut(rest[:at], ":")
		if strings.ContainsAny(name, "/?#@") {
			return notShown
		}
		if user = name + "@"; secret {
			user = name + ":" + Masked + "@"
		}
		rest = rest[at+1:]
	}
	host, path := rest, ""
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		host, path = rest[:end], rest[end:]
	}
	path, query, has := strings.Cut(path, "?")
	if strings.Contains(path, "#") || strings.Contains(query, "#") || !hosts.MatchString(host) {
		return notShown
	}
	if _, err := url.ParseQuery(query); err != nil {
		return notShown
	}
	if has {
		query = "?" + shownQuery(query)
	}
	return scheme + "://" + user + host + path + query
}

func shownQuery(query string) string {
	parts := strings.Split(query, "&")
	for i, part := range parts {
		if name, _, _ := strings.Cut(part, "="); !slices.Contains(harmless, name) {
			parts[i] = Masked
			if name != part {
				parts[i] = name + "=" + Masked
			}
		}
	}
	return strings.Join(parts, "&")
}
