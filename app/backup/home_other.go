//go:build !linux

package backup

// home returns nothing: copies are seen on Linux alone.
func home(string) string { return "" }
