//go:build !linux

package servers

import "syscall"

// DieWithParent does nothing on systems whose kernel cannot tell a process that its parent ended.
func DieWithParent() *syscall.SysProcAttr { return nil }
