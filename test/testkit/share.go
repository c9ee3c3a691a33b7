//go:build !whole

package testkit

// Whole is whether the tests that prove by their length run at all of it, as "make whole" has them run. "make test" runs a fixed
// share of them, which covers each act and each page.
const Whole = false
