package app

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"strings"

	"purr/models"
	"purr/store"
)

// Build says which build of the program this is.
type Build struct {
	Version string // of the module; (devel) if it has no version
	Commit  string // of the sources, with "+" for what was changed since; unknown for a build without git
	Go      string // of the compiler
	Schema  int64  // of the database
}

// ThisBuild returns the program's own build.
func ThisBuild() Build {
	b := Build{Version: "(devel)", Commit: "unknown", Go: runtime.Version(), Schema: store.SchemaVersion()}
	info, known := debug.ReadBuildInfo()
	if !known {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	changed := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			b.Commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	b.Commit += changed
	return b
}

// about returns the attributes of the log lines at start and stop: the build and the installation.
func about(cfg Settings, parts Parts) []any {
	database, _, _ := strings.Cut(cfg.Database.URL, ":")
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
		"version", b.Version, "commit", b.Commit, "schema", b.Schema, "parts", parts, "data", cfg.Data, "database", database,
		"mail", channel(cfg.Mail.URL, "smtp"), "ehf", cmp.Or(strings.TrimPrefix(scheme, "file"), "folder"), "peppol_lookup", cfg.Lookup.By, "efaktura", efaktura, "letters", cmp.Or(cfg.Letters.Scheme(), "folder"), "collector", channel(cfg.Collector.URL, "sftp"), "bank_files", channel(cfg.Bank.URL, "sftp"),
	}
}
