//go:build unix

package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// becomeOwner prepares the process for the data folder (rule O5). New files are for their owner alone, whatever the
// umask was. If root works on another user's folder, the process becomes that user for good, with the user's groups: else
// root would leave files behind that the user cannot read. becomeOwner must be called before anything is opened.
func becomeOwner(data string) error {
	syscall.Umask(0o077)
	info, err := os.Stat(data)
	if os.Geteuid() != 0 || errors.Is(err, fs.ErrNotExist) {
		return nil // a folder that is missing is made or refused later
	}
	if err != nil {
		return err
	}
	owner, known := info.Sys().(*syscall.Stat_t)
	if !known || owner.Uid == 0 {
		return nil
	}
	uid, gid, groups := int(owner.Uid), int(owner.Gid), []int{}
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		gid, groups = groupsOf(u, gid)
	}
	for _, become := range []func() error{
		func() error { return syscall.Setgroups(groups) },
		func() error { return syscall.Setgid(gid) },
		func() error { return syscall.Setuid(uid) },
	} {
		if err := become(); err != nil {
			return fmt.Errorf("the data folder %s belongs to user %d: run purr as that user, not as root (%w)", data, uid, err)
		}
	}
	return nil
}

// groupsOf returns the user's main group and all groups. If the main group is unknown, it is the fallback.
func groupsOf(u *user.User, fallback int) (gid int, groups []int) {
	gid = fallback
	if n, err := strconv.Atoi(u.Gid); err == nil {
		gid = n
	}
	ids, err := u.GroupIds()
	if err != nil {
		return gid, nil
	}
	for _, id := range ids {
		if n, err := strconv.Atoi(id); err == nil {
			groups = append(groups, n)
		}
	}
	return gid, groups
}
