package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"purr/app"
	"purr/internal/config"
	"purr/test/testkit"
)

// TestReferenceCommandLine makes docs/command-line.md from the commands.
func TestReferenceCommandLine(t *testing.T) {
	var page strings.Builder
	page.WriteString(`# The command line

Made from the commands themselves by "make docs". ` + "`purr COMMAND --help`" + ` says the same.

Exit codes: 0 done, 1 failed, 64 used wrongly. ` + "`purr ehf check`, `purr ocr lint`, `purr ocr diff` and `purr avtalegiro lint`" + ` have their own, named there.
Settings that most commands take (` + "`--data`, `--database-url`" + ` and others) are in [configuration.md](configuration.md).
`)
	settings := settingNames()
	eachShown(rootCommand(), func(c *cobra.Command) {
		if isGroup := c.HasSubCommands() && (c.DisableFlagsInUseLine || !c.HasParent()); c.Runnable() && !isGroup {
			writeCommand(&page, c, settings)
		}
	})
	testkit.Reference(t, "command-line.md", page.String())
}

// TestReferenceConfiguration makes docs/configuration.md from the settings.
func TestReferenceConfiguration(t *testing.T) {
	var page strings.Builder
	page.WriteString(`# Configuration

Made from the settings themselves by "make docs". Each setting is a flag and an environment variable; the flag counts first. A
secret can come from a file, which the variable with ` + "`_FILE`" + ` after it names. A value that is wrong ends the program with a
message that names the setting.

| flag | variable | default | meaning |
|---|---|---|---|
`)
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SortFlags = false
	app.AddServer(flags)
	app.AddTestClock(flags)
	flags.VisitAll(func(f *pflag.Flag) {
		meaning, _, _ := strings.Cut(f.Usage, " [$")
		fmt.Fprintf(&page, "| `--%s` | `%s` | %s | %s |\n", f.Name, config.Variable(f.Name), code(f.DefValue), strings.ReplaceAll(meaning, "|", `\|`))
	})
	testkit.Reference(t, "configuration.md", page.String())
}

// code returns a value as Markdown's code, nothing where there is none.
func code(value string) string {
	if value == "" {
		return ""
	}
	return "`" + value + "`"
}

// settingNames are the flags that configuration.md lists.
func settingNames() map[string]bool {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	app.AddServer(flags)
	app.AddTestClock(flags)
	names := map[string]bool{"help": true}
	flags.VisitAll(func(f *pflag.Flag) { names[f.Name] = true })
	return names
}

// eachShown calls do for a command and all below it that are not hidden.
func eachShown(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, sub := range c.Commands() {
		if !sub.Hidden && sub.Name() != "completion" && sub.Name() != "help" {
			eachShown(sub, do)
		}
	}
}

func writeCommand(page *strings.Builder, c *cobra.Command, settings map[string]bool) {
	fmt.Fprintf(page, "\n## %s\n\n%s.\n", c.CommandPath(), strings.TrimSuffix(c.Short, "."))
	fmt.Fprintf(page, "\n    %s\n", c.UseLine())
	if c.Long != "" {
		fmt.Fprintf(page, "\n%s\n", strings.TrimSpace(c.Long))
	}
	var rows strings.Builder
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || settings[f.Name] {
			return
		}
		_, usage := pflag.UnquoteUsage(f)
		fmt.Fprintf(&rows, "| `--%s` | %s | %s |\n", f.Name, code(shownDefault(f)), strings.ReplaceAll(usage, "|", `\|`))
	})
	if rows.Len() > 0 {
		fmt.Fprintf(page, "\n| flag | default | meaning |\n|---|---|---|\n%s", rows.String())
	}
	if c.Example != "" {
		fmt.Fprintf(page, "\nExamples:\n\n")
		for line := range strings.Lines(c.Example) {
			fmt.Fprintf(page, "    %s", strings.TrimPrefix(line, "  "))
		}
		page.WriteByte('\n')
	}
}
