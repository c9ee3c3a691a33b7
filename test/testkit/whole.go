//go:build whole

package testkit

// Whole is whether the tests that prove by their length run at all of it, as "make whole" has them run.
const Whole = true
