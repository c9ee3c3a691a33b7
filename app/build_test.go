package app

import (
	"runtime/debug"
	"testing"
)

// TestK5TheCommitOfABuild reads what Go writes into a build in each of the ways that it can be built.
func TestK5TheCommitOfABuild(t *testing.T) {
	const revision = "191c45889b1c7a1e1f3d7f6f4a8a2e0c5b6d7e8f"
	settings := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: modified}}
	}
	for _, c := range []struct {
		way      string
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		{"in a checkout", "v1.2.3", settings("false"), revision},
		{"in a checkout that was changed", "v0.0.0-20261130025348-191c45889b1c+dirty", settings("true"), revision + "+"},
		{"as a module at a commit", "v0.0.0-20261130025348-191c45889b1c", nil, "191c45889b1c"},
		{"as a module at a commit after a tag", "v1.2.4-0.20261130025348-191c45889b1c", nil, "191c45889b1c"},
		{"as a module at a tag", "v1.2.3", nil, ""},
		{"without git", "(devel)", nil, ""},
		{"with git told to be silent", "(devel)", []debug.BuildSetting{{Key: "vcs", Value: "git"}}, ""},
	} {
		if got := commitOf(&debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings}); got != c.want {
			t.Errorf("%s: the commit is %q, want %q", c.way, got, c.want)
		}
	}
}
