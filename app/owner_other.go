//go:build !unix

package app

import "purr/internal/config"

// becomeOwner does nothing: this system has neither umask nor root.
func becomeOwner(config.Config) error { return nil }
