//go:build !linux

package servers

import "syscall"

// dieWithParent does nothing where the kernel cannot tell a process that its parent is gone.
func dieWithParent() *syscall.SysProcAttr { return nil }
