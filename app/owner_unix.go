//go:build unix

package app

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"

	"purr/store"
)

// becomeOwner prepares the process for the installation (rule O5). New files are for their owner alone, whatever the
// umask was. If root works on another user's installation, the process becomes that user for good, with the user's groups: else
// root would leave files behind that the user cannot read (rule D120). becomeOwner must be called before anything is opened.
func becomeOwner(cfg Settings) error {
	paths := []string{cfg.Data, archiveFolder(cfg)}
	if file, err := store.SQLiteFile(cfg.Database.URL); err == nil && file != "" {
		paths = append(paths, file)
	}
	_, err := becomeOwnerOf(paths)
	return err
}

// becomeOwnerOf lets root become the first user but root to whom one of the paths belongs, and returns that path: empty if the process stays
// who it is. New files are for their owner alone from then on.
func becomeOwnerOf(paths []string) (path string, err error) {
	syscall.Umask(0o077)
	if os.Geteuid() != 0 {
		return "", nil
	}
	uid, gid, path := ownerOf(paths)
	if uid == 0 {
		return "", nil
	}
	groups := []int{}
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		gid, groups = groupsOf(u, gid)
	}
	for _, become := range []func() error{
		func() error { return syscall.Setgroups(groups) },
		func() error { return syscall.Setgid(gid) },
		func() error { return syscall.Setuid(uid) },
	} {
		if err := become(); err != nil {
			return "", fmt.Errorf("%s belongs to user %d: run purr as that user, not as root (%w)", path, uid, err)
		}
	}
	return path, nil
}

// ownerOf returns whose the installation is: the first user but root to whom the data folder, the database's file or the archive
// belongs. A folder that root has made may hold another user's database. What is missing is made or refused later.
func ownerOf(paths []string) (uid, gid int, path string) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		if owner, known := info.Sys().(*syscall.Stat_t); known && owner.Uid != 0 {
			return int(owner.Uid), int(owner.Gid), path
		}
	}
	return 0, 0, ""
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
