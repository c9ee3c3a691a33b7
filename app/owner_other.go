//go:build !unix

package app

// becomeOwner does nothing: this system has neither umask nor root.
func becomeOwner(Settings) error { return nil }

// becomeOwnerOf does nothing either.
func becomeOwnerOf([]string) (string, error) { return "", nil }
