package servers

import "syscall"

// DieWithParent makes the kernel kill a server when its parent ends. A test binary that panics or is killed cleans
// nothing up itself. The signal comes when the thread ends that started the server. Go ends a thread only with the
// process, or with a goroutine that stays locked to it.
func DieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
