package app

import (
	"cmp"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"purr/models"
	"purr/store"
)

// What make, the packages and the image are built with writes these by the linker (-ldflags -X), so that the same sources are the
// same bytes wherever they lie. Any other build leaves them empty, and is known by what Go itself writes into it.
var version, commit string

// Build says which build of the program this is.
type Build struct {
	Version string // of the module; (devel) if it has no version
	Commit  string // of the sources, with "+" for what was changed since; unknown for a build without git
	Go      string // of the compiler
	Schema  int64  // of the database
}

// ThisBuild returns the program's own build, however it was built.
func ThisBuild() Build {
	b := Build{Version: version, Commit: commit, Go: runtime.Version(), Schema: store.SchemaVersion()}
	info, known := debug.ReadBuildInfo()
	if !known {
		info = new(debug.BuildInfo)
	}
	b.Version = cmp.Or(b.Version, info.Main.Version, "(devel)")
	b.Commit = cmp.Or(b.Commit, commitOf(info), "unknown")
	return b
}

// pseudoVersion is the version of a module whose commit has no tag, as the go command makes it; it ends in the commit.
var pseudoVersion = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+-(?:.*\.)?[0-9]{14}-([0-9a-f]{12})(\+dirty)?$`)

// commitOf returns the commit that Go wrote into a build, with "+" for what was changed since; empty where it wrote none. A
// program that was installed as a module, without git, has it in its version alone.
func commitOf(info *debug.BuildInfo) string {
	found, changed := "", ""
	if parts := pseudoVersion.FindStringSubmatch(info.Main.Version); parts != nil {
		found = parts[1]
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			found = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	if found == "" {
		return ""
	}
	return found + changed
}

// about returns the attributes of the log lines at start and stop: the build and the installation.
func about(cfg Settings, parts Parts, server store.Server) []any {
	scheme, _, _ := strings.Cut(cfg.EHF.URL, ":")
	channel := func(url, kind string) string {
		if url == "" {
			return "folder"
		}
		return kind
	}
	efaktura := "off"
	if cfg.EFaktura.URL != "" {
		efaktura = models.WayREST
	}
	b := ThisBuild()
	return []any{
		"version", b.Version, "commit", b.Commit, "schema", b.Schema, "parts", parts, "data", cfg.Data, "database", server.Kind,
		"mail", channel(cfg.Mail.URL, "smtp"), "ehf", cmp.Or(strings.TrimPrefix(scheme, "file"), "folder"), "peppol_lookup", cfg.Lookup.By, "efaktura", efaktura, "letters", cmp.Or(cfg.Letters.Scheme(), "folder"), "collector", channel(cfg.Collector.URL, "sftp"), "bank_files", channel(cfg.Bank.URL, "sftp"),
		"database_version", server.Version,
	}
}
