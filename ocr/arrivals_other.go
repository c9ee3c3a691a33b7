//go:build !linux

package ocr

// arrivals tells nothing where the kernel does not: files are then complete when they rest.
type arrivals struct{}

func watchArrivals(string) (*arrivals, error) { return nil, nil }

func (*arrivals) close() error { return nil }

func (*arrivals) since() ([]string, error) { return nil, nil }
