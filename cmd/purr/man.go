package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"purr/app"
)

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man FOLDER", Short: "Write a manual page for each command into a folder", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			return writeManual(cmd.Root(), args[0])
		},
	}
}

// writeManual writes the pages of a command and of all below it that help shows (rule K5a).
func writeManual(c *cobra.Command, folder string) error {
	if err := os.WriteFile(filepath.Join(folder, pageName(c)+".1"), []byte(manualPage(c)), 0o644); err != nil {
		return err
	}
	var errs []error
	for _, sub := range shownBelow(c) {
		errs = append(errs, writeManual(sub, folder))
	}
	return errors.Join(errs...)
}

// shownBelow are the commands right below c that its help lists.
func shownBelow(c *cobra.Command) (shown []*cobra.Command) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			shown = append(shown, sub)
		}
	}
	return shown
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manualPage returns the page of a command, in the man macros of roff. Texts of help are taken line by line as they stand: they are no
// Markdown. The page has no date, so that one version's pages are the same bytes always.
func manualPage(c *cobra.Command) string {
	c.InitDefaultHelpFlag()
	var page strings.Builder
	fmt.Fprintf(&page, ".TH %s 1 \"\" \"purr %s\" \"Manual of purr\"\n.ad l\n", strings.ToUpper(roff(pageName(c))), roff(app.ThisBuild().Version))
	fmt.Fprintf(&page, ".SH NAME\n%s \\- %s\n", roff(pageName(c)), roff(c.Short))
	page.WriteString(".SH SYNOPSIS\n")
	writeLines(&page, c.UseLine())
	if c.Long != "" {
		page.WriteString(".SH DESCRIPTION\n")
		writeLines(&page, strings.TrimSpace(c.Long))
	}
	writeCommands(&page, c)
	writeFlags(&page, c.LocalFlags())
	if c.Example != "" {
		page.WriteString(".SH EXAMPLES\n")
		writeLines(&page, c.Example)
	}
	if !c.HasParent() {
		page.WriteString(".SH FILES\n.TP\n\\fI/etc/purr/purr.env\\fR\nthe settings that the units of systemd give to purr: see \\fBpurr\\-config\\-example\\fR(1)\n" +
			".TP\n\\fI/var/lib/purr\\fR\nthe data folder of these units\n")
		return page.String()
	}
	fmt.Fprintf(&page, ".SH SEE ALSO\n\\fB%s\\fR(1)\n", roff(pageName(c.Parent())))
	return page.String()
}

// writeCommands lists the commands right below c.
func writeCommands(page *strings.Builder, c *cobra.Command) {
	shown := shownBelow(c)
	if len(shown) == 0 {
		return
	}
	page.WriteString(".SH COMMANDS\n")
	for _, sub := range shown {
		fmt.Fprintf(page, ".TP\n\\fB%s\\fR(1)\n%s\n", roff(pageName(sub)), roff(sub.Short))
	}
}

// writeFlags lists flags with their values, meanings and defaults.
func writeFlags(page *strings.Builder, flags *pflag.FlagSet) {
	page.WriteString(".SH OPTIONS\n")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "\\fB" + roff("--"+f.Name) + "\\fR"
		if f.Shorthand != "" {
			name = "\\fB" + roff("-"+f.Shorthand) + "\\fR, " + name
		}
		if value != "" {
			name += " \\fI" + roff(value) + "\\fR"
		}
		if shown := shownDefault(f); shown != "" && value != "" {
			usage += " (default " + shown + ")"
		}
		fmt.Fprintf(page, ".TP\n%s\n%s\n", name, roff(usage))
	})
}

// shownDefault returns a flag's default, nothing where it says nothing.
func shownDefault(f *pflag.Flag) string {
	switch f.DefValue {
	case "false", "[]", "0":
		return ""
	}
	return f.DefValue
}

// writeLines writes lines as they stand.
func writeLines(page *strings.Builder, text string) {
	page.WriteString(".nf\n")
	for line := range strings.Lines(text) {
		page.WriteString(roff(strings.TrimRight(line, " \n")) + "\n")
	}
	page.WriteString(".fi\n")
}

// special are the signs that roff would take for something else: what begins a request, escapes, and what it prints as typographic signs.
var special = strings.NewReplacer(`\`, `\e`, `-`, `\-`, `'`, `\(aq`, "`", `\(ga`, `^`, `\(ha`, `~`, `\(ti`, `"`, `\(dq`)

// roff returns a line of text that roff prints as it is.
func roff(line string) string {
	line = special.Replace(line)
	if strings.HasPrefix(line, ".") {
		return `\&` + line
	}
	return line
}
