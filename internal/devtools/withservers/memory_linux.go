package main

import "syscall"

// roomy is how many bytes must be free in memory for tests to keep all their files there.
const roomy = 4 << 30

// memoryFolder returns a folder whose files lie in memory, where the machine has one with room. Tests start
// hundreds of databases and flush thousands of files, none of which is to outlive them.
func memoryFolder() string {
	const folder = "/dev/shm"
	var fs syscall.Statfs_t
	if err := syscall.Statfs(folder, &fs); err != nil || fs.Bavail*uint64(fs.Bsize) < roomy { //nolint:gosec // a block's size is positive
		return ""
	}
	return folder
}
