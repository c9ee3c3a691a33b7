package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// sources are what is packed: which version of the program, of which commit.
type sources struct {
	version string // as Go's modules have it, v1.2.3
	commit  string // with "+" for what was changed since
	tagged  bool   // the version is told by a tag or by the caller
	changed bool
	time    time.Time // of the commit: that of every file that is made
}

// versionForm is a version as a tag or a caller may give it.
var versionForm = regexp.MustCompile(`^v?([0-9]+)\.([0-9]+)\.([0-9]+)(-[0-9A-Za-z.-]+)?$`)

// readSources asks git for the commit, its time and its tag. The version is the one that is told, else that of a tag at this very commit,
// else the pseudo-version that Go gives to such a commit. SOURCE_DATE_EPOCH counts before the commit's time.
func readSources(ctx context.Context, told string) (s sources, err error) {
	if s.commit, err = output(ctx, "git", "rev-parse", "HEAD"); err != nil {
		return s, err
	}
	status, err := output(ctx, "git", "status", "--porcelain")
	if err != nil {
		return s, err
	}
	committed, err := output(ctx, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return s, err
	}
	seconds, err := strconv.ParseInt(cmp.Or(os.Getenv("SOURCE_DATE_EPOCH"), committed), 10, 64)
	if err != nil {
		return s, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	s.time, s.changed = time.Unix(seconds, 0).UTC(), status != ""
	tag := told
	if tag == "" {
		tag, _ = output(ctx, "git", "describe", "--tags", "--exact-match", "--match", "v[0-9]*") // it fails where there is no tag
	}
	switch {
	case tag != "" && !versionForm.MatchString(tag):
		return s, fmt.Errorf("%q is no version: it must be like v1.2.3 or v1.3.0-rc.1", tag)
	case tag != "":
		s.version, s.tagged = "v"+strings.TrimPrefix(tag, "v"), true
	default:
		former, _ := output(ctx, "git", "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*") // none yet
		s.version = pseudoVersion(former, s.commit, s.time)
	}
	if s.changed {
		s.commit += "+"
		if !s.tagged {
			s.version += "+dirty"
		}
	}
	return s, nil
}

// pseudoVersion returns the version of a commit without a tag: after the former tag, before the one that may follow.
func pseudoVersion(former, commit string, at time.Time) string {
	base, length := "v0.0.0-", len("0123456789ab")
	if parts := versionForm.FindStringSubmatch(former); parts != nil {
		patch, err := strconv.Atoi(parts[3])
		switch {
		case parts[4] != "":
			base = former + ".0."
		case err == nil:
			base = fmt.Sprintf("v%s.%s.%d-0.", parts[1], parts[2], patch+1)
		}
	}
	return base + at.Format("20060102150405") + "-" + commit[:length]
}

// packageVersion returns the version as dpkg and rpm compare it: 1.3.0~rc.1 comes before 1.3.0.
func (s sources) packageVersion() string {
	number, before, early := strings.Cut(strings.TrimPrefix(s.version, "v"), "-")
	if !early {
		return number
	}
	return number + "~" + strings.ReplaceAll(before, "-", ".")
}

// flags are what the linker writes into the program (app.ThisBuild).
func (s sources) flags() string {
	return "-s -w -X purr/app.version=" + s.version + " -X purr/app.commit=" + s.commit
}

// output runs a program, and returns what it says without the last line's end.
func output(ctx context.Context, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	var stderr strings.Builder
	c.Stderr = &stderr
	said, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimRight(string(said), "\n"), nil
}
