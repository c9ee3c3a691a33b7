// Package e2e_test runs the whole program and observes it from outside: through the API, the command line,
// the folders, the mail server. Its tests are named after the flows of ARCHITECTURE.md and the rules of
// the interface. A test opens the database behind the program's back only to prove what the API cannot show,
// or to play the years between two versions.
package e2e_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"purr/test/testkit"
	"purr/test/testkit/house"
)

// The words of packages house and testkit that tests use all the time.
type (
	answer = house.Answer
	node   = house.Node
)

var (
	eventually = testkit.Eventually
	moment     = house.Moment
	must       = testkit.Must
	pathOf     = house.PathOf
	readFolder = house.Files
	texts      = house.Texts
)

// atOnce is how many parallel tests run at the same time: most of them wait, for outages and for their ends.
const atOnce = "4"

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", atOnce); err != nil {
		panic(err)
	}
	code := m.Run()
	if err := removeBinary(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
