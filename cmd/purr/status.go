package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/models"
)

func statusCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "status", Short: "Say in ten lines where the installation stands, and what is wrong with it", Args: cobra.NoArgs,
		Annotations: map[string]string{findings: "yes"},
	}
	app.AddRoom(c.Flags())
	return openCommand(withJSON(c), func(cmd *cobra.Command, a *app.App, cfg app.Settings, _ []string) error {
		s, err := a.Status(cmd.Context(), cfg)
		if err != nil {
			return err
		}
		if wantsJSON(cmd) {
			err = printJSON(statusJSON(s))
		} else {
			_, err = fmt.Print(aligned(statusFacts(s, cfg.Data)))
		}
		if err == nil && len(s.Wrong) > 0 {
			err = errSaid
		}
		return err
	})
}

// noneYet stands where nothing has happened yet.
const noneYet = "none yet"

// statusFacts writes a status, a line for each thing.
func statusFacts(s app.Status, data string) []fact {
	parts := make([]string, len(s.Parts))
	for i, p := range s.Parts {
		parts[i] = fmt.Sprintf("%s on %s since %s, %s", p.Kind, p.Host, moment(p.StartedAt), short(p.Version))
	}
	owed := make([]string, len(s.Owed))
	for i, o := range s.Owed {
		owed[i] = fmt.Sprintf("%d %s since %s", o.N, strings.ReplaceAll(o.Kind, "_", " "), moment(o.Since))
	}
	runs := make([]string, 0, len(s.Runs))
	for _, kind := range []models.RunKind{models.RunStatus, models.RunVerify, models.RunDunning} {
		if at, ran := s.Runs[kind]; ran {
			runs = append(runs, fmt.Sprintf("%s %s", kind, moment(at)))
		}
	}
	ways := make([]string, len(s.Ways))
	for i, w := range s.Ways {
		ways[i] = fmt.Sprintf("%s by %s", w.Method, strings.Join(w.Kinds, " and "))
		if len(w.Kinds) == 0 {
			ways[i] = string(w.Method) + " by nothing now"
		}
		if at, left := s.LastSent[string(w.Method)]; left {
			ways[i] += ", last " + moment(at)
		}
	}
	var waiting []string
	for _, kind := range s.Kinds() {
		waiting = append(waiting, fmt.Sprintf("%d %s", s.Waiting[kind], strings.ReplaceAll(kind, "_", " ")))
	}
	wrong := s.Wrong
	if len(wrong) == 0 {
		wrong = []string{"nothing"}
	}
	return []fact{
		{"database", s.Database.Kind + " " + s.Database.Version},
		{"parts", inOneLine(parts, "; ", "none")},
		{"queue", inOneLine(owed, ", ", "nothing is owed")},
		{"last runs", inOneLine(runs, ", ", noneYet)},
		{"last bank file", moment(s.BankFile)},
		{"last backup", moment(s.Backup)},
		{"ways", inOneLine(ways, "; ", noneYet)},
		{"disk", fmt.Sprintf("%s free in %s", app.Bytes(s.Free), data)},
		{"waits for a person", inOneLine(waiting, ", ", "nothing")},
		{"wrong", strings.Join(wrong, "; ")},
	}
}

func inOneLine(all []string, between, none string) string {
	if len(all) == 0 {
		return none
	}
	return strings.Join(all, between)
}

// moment writes a time in the machine's time zone, to the minute.
func moment(t time.Time) string {
	if t.IsZero() {
		return noneYet
	}
	return t.Local().Format("2006-01-02 15:04")
}

// short returns a version with its commit cut to what tells it apart.
func short(version string) string {
	name, commit, _ := strings.Cut(version, " ")
	const enough = 12
	return strings.TrimSpace(name + " " + commit[:min(len(commit), enough)])
}

// statusJSON is a status as one object.
func statusJSON(s app.Status) map[string]any {
	at := func(t time.Time) any {
		if t.IsZero() {
			return nil
		}
		return t.UTC().Format(time.RFC3339)
	}
	parts, owed, ways, runs := []map[string]any{}, []map[string]any{}, []map[string]any{}, map[string]any{}
	for _, p := range s.Parts {
		parts = append(parts, map[string]any{"kind": p.Kind, "host": p.Host, "version": p.Version, "since": at(p.StartedAt), "seen": at(p.SeenAt)})
	}
	for _, o := range s.Owed {
		owed = append(owed, map[string]any{"kind": o.Kind, "number": o.N, "since": at(o.Since)})
	}
	for kind, t := range s.Runs {
		runs[string(kind)] = at(t)
	}
	for _, w := range s.Ways {
		ways = append(ways, map[string]any{"method": w.Method, "by": w.Kinds, "last_success": at(s.LastSent[string(w.Method)]), "paused": w.Paused, "missing": w.Missing, "differ": w.Differ})
	}
	wrong := s.Wrong
	if wrong == nil {
		wrong = []string{}
	}
	return map[string]any{
		"database": s.Database.Kind, "database_version": s.Database.Version, "parts": parts, "queue": owed, "last_runs": runs, "last_bank_file": at(s.BankFile), "last_backup": at(s.Backup), "ways": ways, "free_bytes": s.Free,
		"waiting_for_a_person": s.Waiting, "wrong": wrong,
	}
}
