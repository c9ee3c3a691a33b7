package config

import (
	"slices"
	"strings"
)

// prefix begins the names of all variables of the program's.
const prefix = "PURR_"

// fromFile ends the name of a variable that names a file with the value.
const fromFile = "_FILE"

// Unknown is a variable that looks like one of the program's, and is none: probably a slip of the pen.
type Unknown struct {
	Name    string
	Nearest string // the name of a setting's variable that is spelt most like it
}

// UnknownVariables returns the variables of an environment, NAME=VALUE each, that none of the settings has (rule D105). It
// leaves out those of tests, and those that Kubernetes sets for a service of the program's name.
func UnknownVariables(settings []Setting, environment []string) []Unknown {
	var known []string
	for _, s := range settings {
		known = append(known, Variable(s.Key), Variable(s.Key)+fromFile)
	}
	slices.Sort(known)
	var unknown []Unknown
	for _, v := range environment {
		name, _, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(name, prefix) || slices.Contains(known, name) || others(name) {
			continue
		}
		nearest := slices.MinFunc(known, func(a, b string) int { return distance(name, a) - distance(name, b) })
		unknown = append(unknown, Unknown{name, nearest})
	}
	return unknown
}

func others(name string) bool {
	return slices.ContainsFunc([]string{"TEST_", "UPDATE_", "SERVICE_", "PORT"}, func(of string) bool { return strings.HasPrefix(name, prefix+of) })
}

// distance returns how many letters must be put in, taken out or changed to make one word of the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before, row[j+1] = row[j+1], min(change, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
