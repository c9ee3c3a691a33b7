package servers

import "syscall"

// DieWithParent lets the kernel kill a server whose parent is gone, however it went: a test binary
// that panics or is killed cleans nothing up. The signal comes when the thread ends that started the
// server; Go ends a thread only with the process, or with a goroutine that stays locked to it.
func DieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
