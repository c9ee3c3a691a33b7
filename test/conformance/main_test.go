// Package conformance_test proves the interface rule by rule, as the author of a client sees it: over HTTP, against
// the whole program, by itself and in "make whole" on MySQL and Redis too. It uses nothing of the program's inside, and computes by itself
// what it expects.
//
// A test has in its name the rule that it proves, or the section of the description. docs/RULES.md is made
// from these names, and from those of all other tests.
package conformance_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"

	"purr/test/testkit"
	"purr/test/testkit/house"
)

// The words of package house that tests use all the time.
type (
	answer = house.Answer
	node   = house.Node
	option = house.Option
)

var (
	below       = house.Below
	contentType = house.ContentType
	eventually  = testkit.Eventually
	header      = house.Header
	kroner      = house.Kroner
	moment      = house.Moment
	must        = testkit.Must
	oslo        = house.Oslo
	tag         = house.Tag
	texts       = house.Texts
)

// shared is what the shared installations live in.
var shared = &lasting{}

func TestMain(m *testing.M) {
	flag.Parse()
	// The tests over time wait for one another, so all of them must be running.
	if err := flag.Set("test.parallel", "1000"); err != nil {
		panic(err)
	}
	code := m.Run()
	if err := shared.end(code != 0); err != nil {
		fmt.Fprintln(os.Stderr, "the shared installations:", err)
		code = 1
	}
	os.Exit(code)
}

// same fails the test unless both lists are the same.
func same[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n\t%v\nwant\n\t%v", what, got, want)
	}
}

// equal fails the test unless both are the same.
func equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
