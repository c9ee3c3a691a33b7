//go:build !linux

package main

// memoryFolder returns none: only Linux has one everywhere.
func memoryFolder() string { return "" }
