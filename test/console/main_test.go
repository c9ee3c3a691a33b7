// Package console_test looks at the console's pages as people do: in a browser, against the whole program. Its tests are the
// statements of acceptance of the console's design, by their numbers: TestConsole15Keys is of statement 15. Creditors are
// set up through the interface and the command line's acts alone.
package console_test

import (
	"flag"
	"testing"

	"purr/test/testkit"
	"purr/test/testkit/browser"
	"purr/test/testkit/house"
)

// The words of other packages that tests use all the time.
var (
	must   = testkit.Must
	moment = house.Moment
	tag    = house.Tag
)

// atOnce is how many parallel tests run at the same time: most of them wait for Chromium.
const atOnce = "4"

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", atOnce); err != nil {
		panic(err)
	}
	browser.Main(m)
}
