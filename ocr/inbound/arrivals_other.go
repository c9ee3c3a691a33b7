//go:build !linux

package inbound

import "time"

// arrivals reports nothing on systems other than Linux: there a file is complete when it has not changed for a while.
type arrivals struct{}

func watchArrivals(string) (*arrivals, error) { return nil, nil }

func (*arrivals) close() error { return nil }

func (*arrivals) tellAfter(time.Duration) {}

func (*arrivals) woken() <-chan struct{} { return nil }

func (*arrivals) renamed() (map[string]bool, error) { return nil, nil }
