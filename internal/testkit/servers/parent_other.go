//go:build !linux

package servers

import "syscall"

// DieWithParent does nothing where the kernel cannot tell a process that its parent is gone.
func DieWithParent() *syscall.SysProcAttr { return nil }
